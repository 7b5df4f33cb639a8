/// What `pkm modes` and `pkm stiffness` were asked, and what they share.
#ifndef PKM_VERB_MODES_TASK_H
#define PKM_VERB_MODES_TASK_H

#include "linear/linear_result.h"
#include "linear/modes_sweep.h"
#include "run/run.h"
#include "simulate/simulation.h"
#include "verb/commands.h"
#include "verb/run_folder.h"
#include "verb/tool_map.h"

typedef struct pkm_verb_modes {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    pkm_run* run;
    pkm_elastic_settings settings;
    int n_mode;
    double start;       ///< [s]
    char folder[1024];  ///< of the results, "" when nothing is written
    pkm_result* result; ///< the answer, and its text for people (report/render.h)
    const char* form;
} pkm_verb_modes;

/// Read --run, --flexible, --load, --drives-are, --tool-force, --weight; without --flexible every
/// link that can bend does.
PKM_NODISCARD pkm_status pkm_verb_modes_read(pkm_verb_modes* m, pkm_error* err);
/// Free what reading has made.
void pkm_verb_modes_free(pkm_verb_modes* m);
/// The answer is complete, or what there is of it.
PKM_NODISCARD pkm_status pkm_verb_modes_show(const pkm_verb_modes* m, pkm_error* err);

/// For people: robot, pose, drives and links.
#define VERB_MODES_SETTING_TEXT                                                                    \
    "[tool at {_position:.6g/, } m; ]drives {drives}; {links:d} flexible link[{!_one_link}s], "    \
    "{coordinates:d} coordinates\n"                                                                \
    "[{?idle}left out: the spin[{!_one_idle}s] of {_idle}\n]"                                      \
    "[static forces: largest rotation {rotation:.3g|shown} deg, largest compression "              \
    "{compression:.3g} of Euler's load\n]"                                                         \
    "[{?_far}warning: this is outside the range of small deflections\n]"                           \
    "[{?warnings}{*warnings}warning: {text}\n{/}]"

// ---- modes_pose.c: at one pose ----------------------------------------------------------------
PKM_NODISCARD pkm_status pkm_verb_modes_at_pose(pkm_verb_modes* m, pkm_error* err);
// ---- modes_link.c: one link alone -------------------------------------------------------------
PKM_NODISCARD pkm_status pkm_verb_modes_link(pkm_verb_modes* m, pkm_error* err);
// ---- modes_response.c -------------------------------------------------------------------------
PKM_NODISCARD pkm_status pkm_verb_modes_response(pkm_verb_modes* m, pkm_error* err);
// ---- modes_scene.c ----------------------------------------------------------------------------
/// Modes and what they are modes of.
typedef struct pkm_verb_mode_shapes {
    const pkm_elastic* elastic;
    const pkm_modes* modes;
} pkm_verb_mode_shapes;
/// Write the key "modes" of scene.json and its value.
void pkm_verb_modes_scene(const pkm_verb_mode_shapes* shapes, pkm_json* json);
// ---- modes_table.c: convergence, along a motion, map ------------------------------------------
PKM_NODISCARD pkm_status pkm_verb_modes_convergence(pkm_verb_modes* m, pkm_error* err);
PKM_NODISCARD pkm_status pkm_verb_modes_along(pkm_verb_modes* m, pkm_error* err);
PKM_NODISCARD pkm_status pkm_verb_modes_map(pkm_verb_modes* m, pkm_error* err);
/// The folder of a map, whose answer is in the tree: `headline` is the least of a column. @return
/// PKM_ERR_UNREACHABLE when no point has one.
PKM_NODISCARD pkm_status pkm_verb_modes_write_map(pkm_verb_modes* m, const pkm_verb_tool_map* map,
                                                  int column, const char* headline, pkm_error* err);
// ---- modes_shapes.c ---------------------------------------------------------------------------
/// Draw the modes to `path`.
PKM_NODISCARD pkm_status pkm_verb_modes_draw(const pkm_verb_modes* m, const pkm_elastic* elastic,
                                             const pkm_modes* modes, const char* path,
                                             pkm_error* err);

#endif
