/// The folder of a run: table, plots, manifest.
#ifndef PKM_VERB_RUN_FOLDER_H
#define PKM_VERB_RUN_FOLDER_H

#include "pkm/inverse.h"
#include "pkm/table.h"
#include "table/result.h"
#include "verb/commands.h"
#include "verb/result_folder.h"
#include "write/json.h"
#include "write/manifest.h"
#include "write/scene.h"

enum { VERB_PLOT_COLUMNS = 64 };

/// A plot beside, or by the same name instead of, those that every run has.
typedef struct pkm_verb_plot {
    const char* file;       ///< "energy.svg"
    const pkm_table* table; ///< column 0 is the time
    int column[VERB_PLOT_COLUMNS];
    int n_column;
} pkm_verb_plot;

/// Writes the pictures of a run.
typedef pkm_status (*pkm_verb_draw)(const void* user, pkm_verb_files* files, pkm_error* err);

enum { VERB_MAX_CHOICE = 8 };

/// What a run leaves behind.
typedef struct pkm_verb_run {
    const pkm_verb_arguments* args;
    const pkm_robot* robot;
    const char* motion; ///< or another name for the folder
    const char* title;  ///< of the plots
    const char* ending; ///< of the default folder's name, "" or NULL: none
    const pkm_table* table;
    bool complete; ///< false: the run ended early, and the rows are those before that
    double wall_time;
    const pkm_verb_plot* plot; ///< further plots
    int n_plot;
    pkm_verb_draw also; ///< pictures beside those; NULL: none
    pkm_verb_draw draw; ///< pictures instead of plots over time; NULL: those
    /// What `--json` prints: summary.json, with the manifest's results in its list "_headlines".
    /// The folder is added to it.
    pkm_result* tree;
    const pkm_snapshots *snapshots,
        *ideal_snapshots;              ///< NULL: the robot stands in scene.json; no ideal motion
    const double* stands;              ///< [n_q] where it stands then; NULL: at home
    pkm_scene_more more;               ///< further keys of scene.json; NULL: none
    const void* user;                  ///< of draw, also and more
    const pkm_manifest_option* choice; ///< what the program chose, for the manifest; may be NULL
    int n_choice;                      ///< at most VERB_MAX_CHOICE
} pkm_verb_run;

/// The name of a folder in the answer; "": none was written.
void pkm_verb_folder_result(const char* folder, pkm_result* out);

/// What the user chose, for the manifest: options, those that may be repeated, --set.
typedef struct pkm_verb_choices {
    int n;
    pkm_manifest_option
        option[VERB_MAX_OPTION + VERB_MAX_SET + VERB_MAX_GIVEN + VERB_MAX_CHOICE + 1];
    char set[VERB_MAX_SET][256];
} pkm_verb_choices;
void pkm_verb_choices_read(const pkm_verb_arguments* args, pkm_verb_choices* out);

/// The end of a folder that was begun (result_folder.h) and whose writing gave `status`: files of
/// earlier runs go, those of this one are told. @return status.
PKM_NODISCARD pkm_status pkm_verb_folder_finish(const pkm_verb_arguments* args,
                                                const pkm_verb_files* files,
                                                pkm_verb_old_files* old, pkm_status status);

/// Write what `--json` prints as summary.json.
PKM_NODISCARD pkm_status pkm_verb_summary_write(const pkm_result* tree, pkm_verb_files* files,
                                                pkm_error* err);

/// Write table.csv, table.h5, plots (forces.svg, drives.svg, tool.svg), summary.json, scene.json
/// and manifest.json into `folder`, made if need be; a table without rows is not written. `folder`
/// is the -o of the user or pkm-out/ROBOT-MOTION[ENDING], copied to `out`; "" when none is written.
PKM_NODISCARD pkm_status pkm_verb_run_write(const pkm_verb_run* run, char* out, size_t size,
                                            pkm_error* err);

typedef struct pkm_verb_kept {
    char text[1100];
} pkm_verb_kept;

/// Where the rows of a run that ended early are: "the 12 rows before that are in FOLDER".
pkm_verb_kept pkm_verb_run_kept(int n_row, const char* folder);
/// The sentence of a run that was interrupted. @return PKM_ERR_INTERRUPTED.
PKM_NODISCARD pkm_status pkm_verb_run_interrupted(double t, int n_row, const char* folder,
                                                  pkm_error* err);

#endif
