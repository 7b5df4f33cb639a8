// The folder of a run: table, pictures, summary and manifest, the manifest last, so that a folder
// with a manifest is complete.
#include "verb/run_folder.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "model/h5.h"
#include "model/source.h"
#include "pkm/output.h"
#include "report/render.h"
#include "robot/robot.h"
#include "table/column.h"
#include "verb/result_folder.h"

#include <stdio.h>
#include <string.h>

/// "robots/siax.yaml" and "paper" give "pkm-out/siax-paper".
static void default_folder(const pkm_verb_run* run, char* out, size_t size)
{
    const pkm_verb_stem stem = pkm_verb_stem_of(run->args->model);
    snprintf(out, size, "pkm-out/%.*s-%s%s", stem.length, stem.text, run->motion,
             run->ending ? run->ending : "");
}

// ---- plots ------------------------------------------------------------------------------------

enum { MAX_PLOT_COLUMN = VERB_PLOT_COLUMNS, MAX_LEVEL = 12 };

/// Append the column "item.quantity" where the table has it and there is room.
static int add_column(const pkm_verb_run* run, const char* item, const char* quantity, int* out,
                      int n)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.%s", item, quantity);
    const int column = pkm_table_find(run->table, name);
    if (column == PKM_NONE || n == MAX_PLOT_COLUMN) return n;
    out[n] = column;
    return n + 1;
}

static int drive_columns(const pkm_verb_run* run, const char* const* quantity, int n_quantity,
                         int* out)
{
    int n = 0;
    for (int k = 0; k < n_quantity; ++k)
        for (int d = 0; d < run->robot->mech->n_drive; ++d)
            n = add_column(run, run->robot->mech->drive[d].name, quantity[k], out, n);
    return n;
}

static int tool_columns(const pkm_verb_run* run, int* out)
{
    static const char* const quantity[] = {"x",  "y",  "z",  "roll", "pitch", "yaw",
                                           "vx", "vy", "vz", "ax",   "ay",    "az"};
    if (run->robot->mech->tool == PKM_NONE) return 0;
    const char* tool = pkm_short_name(run->robot->mech->marker[run->robot->mech->tool].name);
    int n = 0;
    for (size_t k = 0; k < sizeof quantity / sizeof quantity[0]; ++k)
        n = add_column(run, tool, quantity[k], out, n);
    const int condition = pkm_table_find(run->table, "condition");
    // beside the pose: where it jumps, forces do
    if (condition != PKM_NONE && n > 0 && n < VERB_PLOT_COLUMNS) out[n++] = condition;
    return n;
}

/// Published extreme forces become dashed lines in the plot of the forces.
static int force_levels(const pkm_verb_run* run, pkm_table_level* out)
{
    int n = 0;
    for (int p = 0; p < run->robot->desc->n_published && n < MAX_LEVEL; ++p) {
        const pkm_desc_published* pub = &run->robot->desc->published[p];
        // published values without a motion are of the robot, not of this run
        if (!pub->quantity || !pub->motion || strcmp(pub->motion, run->motion) != 0) continue;
        const char* space = strchr(pub->quantity, ' ');
        // "max q1.force": the level of one curve
        if (!space || strncmp(pub->quantity, "max ", 4) != 0) continue;
        const int column = pkm_table_find(run->table, space + 1);
        if (column == PKM_NONE || !strstr(space, ".force")) continue;
        out[n++] = (pkm_table_level){.column = column, .value = pub->value, .label = "published"};
    }
    return n;
}

/// A run may have its own picture of the same name, with more curves.
static bool is_replaced(const pkm_verb_run* run, const char* file)
{
    for (int i = 0; i < run->n_plot; ++i)
        if (strcmp(run->plot[i].file, file) == 0) return true;
    return false;
}

/// One plot, when it has curves; `level` only for the forces.
static pkm_status write_plot(const pkm_verb_run* run, const pkm_verb_plot* plot, int n_level,
                             const pkm_table_level* level, pkm_verb_files* files, pkm_error* err)
{
    PKM_ASSERT(plot->n_column <= VERB_PLOT_COLUMNS);
    if (plot->n_column == 0) return PKM_OK;
    return pkm_plot_table_levels(plot->table, 0, plot->column, plot->n_column, level, n_level,
                                 run->title, pkm_verb_file(files, plot->file), err);
}

static pkm_status write_plots(const pkm_verb_run* run, pkm_verb_files* files, pkm_error* err)
{
    static const char* const force[] = {"force"};
    static const char* const motion[] = {"q", "v", "a"};
    pkm_table_level level[MAX_LEVEL];
    // one row is no curve
    if (pkm_table_n_row(run->table) < 2) return PKM_OK;
    pkm_verb_plot forces = {.file = "forces.svg", .table = run->table};
    pkm_verb_plot drives = {.file = "drives.svg", .table = run->table};
    pkm_verb_plot tool = {.file = "tool.svg", .table = run->table};
    forces.n_column = drive_columns(run, force, 1, forces.column);
    drives.n_column = drive_columns(run, motion, 3, drives.column);
    tool.n_column = tool_columns(run, tool.column);
    if (!is_replaced(run, forces.file))
        PKM_TRY(write_plot(run, &forces, force_levels(run, level), level, files, err));
    PKM_TRY(write_plot(run, &drives, 0, NULL, files, err));
    PKM_TRY(write_plot(run, &tool, 0, NULL, files, err));
    for (int i = 0; i < run->n_plot; ++i)
        PKM_TRY(write_plot(run, &run->plot[i], 0, NULL, files, err));
    return PKM_OK;
}

// ---- the folder -------------------------------------------------------------------------------

pkm_status pkm_verb_summary_write(const pkm_result* tree, pkm_verb_files* files, pkm_error* err)
{
    pkm_stream* stream;
    if (pkm_result_failed(tree)) return pkm_out_of_memory(err);
    PKM_TRY(pkm_stream_open(pkm_verb_file(files, "summary.json"), &stream, err));
    pkm_render_json(tree, stream);
    return pkm_stream_close(stream, err);
}

/// The robot at the positions `q` [n_q], in a snapshots of one frame; NULL: memory is out.
static pkm_snapshots* take_still(const pkm_robot* robot, const double* q)
{
    // a state of its own: the robot stays where the answer was computed
    pkm_state* state = pkm_state_create(robot->mech);
    pkm_snapshots* out = pkm_snapshots_create(robot->desc->n_body, 1, 2);
    if (state && out) {
        memcpy(state->q, q, (size_t)robot->mech->n_q * sizeof(double));
        pkm_kinematics_position(state);
        pkm_snapshots_take(out, state, 0.0);
    }
    const bool ok = state && out;
    pkm_state_free(state);
    if (!ok) pkm_snapshots_free(out);
    return ok ? out : NULL;
}

/// The motion that was taken, or the robot as it stands, which a report shows and lets be grasped.
static pkm_status write_scene(const pkm_verb_run* run, pkm_verb_files* files, pkm_error* err)
{
    const double* q = run->stands ? run->stands : run->robot->q_home;
    pkm_snapshots* still = run->snapshots ? NULL : take_still(run->robot, q);
    if (!run->snapshots && !still) return pkm_out_of_memory(err);
    const pkm_scene scene = {.desc = run->robot->desc,
                             .snapshots = still ? still : run->snapshots,
                             .ideal = run->ideal_snapshots,
                             .more = run->more,
                             .user = run->user};
    const pkm_status status = pkm_scene_write(&scene, pkm_verb_file(files, "scene.json"), err);
    pkm_snapshots_free(still);
    return status;
}

enum { MAX_HEADLINE = 128 };

static int read_headlines(const pkm_verb_run* run, pkm_manifest_result* out)
{
    int n = 0;
    const pkm_result* list = pkm_result_find(run->tree, "_headlines");
    const pkm_result* item = list ? pkm_result_first(list) : NULL;
    for (; item && n < MAX_HEADLINE; item = pkm_result_next(item)) {
        const pkm_result* value = pkm_result_find(item, "value");
        out[n++] = (pkm_manifest_result){pkm_result_get_text(pkm_result_find(item, "name")),
                                         pkm_result_value(value, 0), pkm_result_unit(value)};
    }
    return n;
}

void pkm_verb_choices_read(const pkm_verb_arguments* args, pkm_verb_choices* out)
{
    // of the verb alone: --json and --help are no choices of the run
    const pkm_verb_option* option = args->verb->option;
    out->n = 0;
    for (int i = 0; i < args->verb->n_option; ++i)
        if (args->value[i] && !pkm_verb_option_at(args->verb, i)->repeats)
            out->option[out->n++] =
                (pkm_manifest_option){option[i].name, args->value[i][0] ? args->value[i] : NULL};
    // options that may be repeated, each time they were given, in their order
    for (int g = 0; g < args->n_given; ++g)
        out->option[out->n++] =
            (pkm_manifest_option){option[args->given[g].option].name, args->given[g].value};
    for (int i = 0; i < args->n_set; ++i) {
        snprintf(out->set[i], sizeof out->set[i], "%s=%s", args->set[i].name, args->set[i].value);
        out->option[out->n++] = (pkm_manifest_option){"--set", out->set[i]};
    }
}

static pkm_status write_manifest(const pkm_verb_run* run, const pkm_verb_files* files,
                                 pkm_error* err)
{
    pkm_manifest_result headline[MAX_HEADLINE];
    const int n_headline = read_headlines(run, headline);
    char command[1024], path[1100];
    const pkm_source_note* model = pkm_sources_find(run->args->model);
    // inputs are hashed as they were read: what changed since has not made this answer
    snprintf(command, sizeof command, "pkm %s %s", run->args->verb->name, run->args->model);
    pkm_verb_choices choices;
    pkm_verb_choices_read(run->args, &choices);
    for (int i = 0; i < run->n_choice; ++i)
        choices.option[choices.n++] = run->choice[i];
    choices.option[choices.n++] =
        (pkm_manifest_option){"complete", run->complete ? "yes" : "no: the run ended early"};
    const pkm_manifest manifest = {.command = command,
                                   .model_path = run->args->model,
                                   .model_hash = model ? model->sha256 : NULL,
                                   .robot = run->robot->desc->name,
                                   .option = choices.option,
                                   .n_option = choices.n,
                                   .result = headline,
                                   .n_result = n_headline,
                                   .file = files->name,
                                   .n_file = files->n,
                                   .table = run->table,
                                   .wall_time = run->wall_time};
    snprintf(path, sizeof path, "%s/manifest.json", files->folder);
    return pkm_manifest_write(&manifest, path, err);
}

/// Rows of peaks between the others have a table of their own: those of table.csv stay evenly
/// spaced.
static pkm_status write_located(const pkm_verb_run* run, pkm_verb_files* files, pkm_error* err)
{
    if (pkm_table_n_located(run->table) == 0) return PKM_OK;
    pkm_table* located = pkm_table_copy_located(run->table);
    if (!located) return pkm_out_of_memory(err);
    const pkm_status status = pkm_csv_write(located, pkm_verb_file(files, "peaks.csv"), err);
    pkm_table_free(located);
    return status;
}

/// Numbers that overflow are no answer, whatever made them.
static pkm_status check_numbers(const pkm_table* table, pkm_error* err)
{
    pkm_error why = {.status = PKM_OK};
    const pkm_status status = pkm_table_check_finite(table, &why);
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail(err, PKM_ERR_NUMBERS,
                    "%.300s: the computation left the range of numbers; look for a length, mass "
                    "or stiffness of the wrong size",
                    why.text);
}

static pkm_status write_all(const pkm_verb_run* run, pkm_verb_files* files, pkm_error* err)
{
    PKM_TRY(pkm_csv_write(run->table, pkm_verb_file(files, "table.csv"), err));
    PKM_TRY(write_located(run, files, err));
    const pkm_hdf5_attribute attribute[] = {
        {"robot", run->robot->desc->name},
        {run->draw || run->stands ? "map" : "motion", run->motion},
        {"model_hash", run->robot->desc->hash}};
    const pkm_status status =
        pkm_hdf5_write(run->table, pkm_verb_file(files, "table.h5"), attribute, 3, err);
    if (status == PKM_ERR_FILE && !pkm_h5_is_installed())
        --files->n; // without the library the table is there as CSV
    else
        PKM_TRY(status);
    PKM_TRY(run->draw ? run->draw(run->user, files, err) : write_plots(run, files, err));
    if (run->also) PKM_TRY(run->also(run->user, files, err));
    PKM_TRY(pkm_verb_summary_write(run->tree, files, err));
    return write_scene(run, files, err);
}

/// "" when none is written.
static void choose_folder(const pkm_verb_run* run, char* out, size_t size)
{
    const char* given = pkm_verb_get(run->args, "-o");
    if (given)
        snprintf(out, size, "%s", given);
    else if (pkm_verb_writes(run->args))
        default_folder(run, out, size);
    else
        out[0] = '\0';
}

void pkm_verb_folder_result(const char* folder, pkm_result* out)
{
    pkm_result_text(out, "folder", folder[0] ? folder : NULL);
}

pkm_status pkm_verb_folder_finish(const pkm_verb_arguments* args, const pkm_verb_files* files,
                                  pkm_verb_old_files* old, pkm_status status)
{
    if (status == PKM_OK) pkm_verb_folder_end(files->folder, old, files->name, files->n);
    pkm_verb_folder_leave(old);
    PKM_TRY(status);
    for (int i = 0; i < files->n; ++i)
        pkm_verb_wrote(args, files->folder, files->name[i]);
    pkm_verb_wrote(args, files->folder, "manifest.json");
    return PKM_OK;
}

pkm_status pkm_verb_run_write(const pkm_verb_run* run, char* out, size_t size, pkm_error* err)
{
    pkm_verb_files files = {.folder = out};
    choose_folder(run, out, size);
    pkm_verb_folder_result(out, run->tree);
    if (pkm_table_n_row(run->table) == 0) return PKM_OK;
    PKM_TRY(check_numbers(run->table, err));
    if (!out[0]) return PKM_OK;
    pkm_verb_old_files old;
    PKM_TRY(pkm_verb_folder_begin(out, &old, err));
    pkm_status status = write_all(run, &files, err);
    if (status == PKM_OK) status = write_manifest(run, &files, err);
    return pkm_verb_folder_finish(run->args, &files, &old, status);
}

pkm_verb_kept pkm_verb_run_kept(int n_row, const char* folder)
{
    pkm_verb_kept kept = {"no rows were computed"};
    if (n_row > 0)
        snprintf(kept.text, sizeof kept.text, "the %d rows before that are in %s", n_row,
                 folder[0] ? folder : "the table");
    return kept;
}

pkm_status pkm_verb_run_interrupted(double t, int n_row, const char* folder, pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_INTERRUPTED, "interrupted at t = %.6g s; %s", t,
                    pkm_verb_run_kept(n_row, folder).text);
}
