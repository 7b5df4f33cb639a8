// Runs of the page: inverse dynamics and simulation, watched while they compute.
#include "engine.h"

#include "api/rows.h"
#include "base/error.h"
#include "robot/snapshots.h"
#include "run/run.h"
#include "write/scene.h"

#include <math.h>
#include <string.h>

/// Asks the page, about once a step, whether it wants to see how far a run is.
IMPORT(wants) extern int page_wants(double fraction);
/// New rows of the table, `n_row` times `n_column` numbers, with the poses of the last instant.
IMPORT(rows) extern void page_rows(const double* value, int n_row, int n_column,
                                   const double* poses, int n_pose);
/// The names and units of the columns, as JSON.
IMPORT(columns) extern void page_columns(const char* json);

typedef struct watched {
    const pkm_table* table;
    const pkm_snapshots* taken;
    int n_told;
    bool named;
} watched;

// ---- while it computes ------------------------------------------------------------------------

static void put_columns(pkm_json* json, const pkm_table* table)
{
    pkm_json_array_begin(json);
    for (int c = 0; c < pkm_table_n_column(table); ++c) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", pkm_table_name(table, c));
        pkm_json_put_string(json, "unit", pkm_table_unit(table, c));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void tell_columns(watched* w)
{
    pkm_stream* stream = pkm_stream_to_memory();
    if (!stream) abort();
    pkm_json json = pkm_json_make(stream);
    put_columns(&json, w->table);
    page_columns(pkm_stream_get(stream));
    pkm_stream_discard(stream);
    w->named = true;
}

/// Rows from the last one told on, those of peaks behind the others at the end.
static void tell_rows(watched* w, int n_row)
{
    const int n_column = pkm_table_n_column(w->table), n = n_row - w->n_told;
    if (n <= 0 || n_column == 0) return;
    if (!w->named) tell_columns(w);
    double* value = malloc((size_t)n * (size_t)n_column * sizeof(double));
    if (!value) abort();
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n_column; ++c)
            value[r * n_column + c] = pkm_table_get(w->table, w->n_told + r, c);
    const pkm_snapshots* taken = w->taken;
    const bool seen = taken && taken->n_frame > 0;
    const pkm_pose* pose = seen ? taken->pose + (size_t)(taken->n_frame - 1) * (size_t)taken->n_body
                                : NULL;
    page_rows(value, n, n_column, (const double*)pose, seen ? taken->n_body : 0);
    free(value);
    w->n_told = n_row;
}

static bool tick(void* user, double fraction)
{
    watched* w = user;
    if (page_wants(fraction)) tell_rows(w, pkm_table_n_row(w->table));
    return true;
}

// ---- what it came to --------------------------------------------------------------------------

static void put_part(pkm_json* json, const char* key, const pkm_scene* scene, pkm_scene_part part)
{
    char* text = pkm_scene_text(scene, part);
    pkm_json_put_string(json, key, text);
    pkm_free(text);
}

static void put_warnings(pkm_json* json, const pkm_table* table)
{
    const pkm_warnings* warnings = pkm_table_get_warnings(table);
    pkm_json_open_array(json, "warnings");
    for (int i = 0; warnings && i < warnings->n; ++i)
        pkm_json_string(json, warnings->item[i].text);
    pkm_json_array_end(json);
}

static void put_ledger(pkm_json* json, const pkm_ledger* l)
{
    pkm_json_open_object(json, "energy");
    pkm_json_put_number(json, "drive", l->drive);
    pkm_json_put_number(json, "load", l->load);
    pkm_json_put_number(json, "friction", l->friction);
    pkm_json_put_number(json, "damping", l->damping);
    pkm_json_put_number(json, "contact", l->contact);
    pkm_json_put_number(json, "residual", l->residual);
    pkm_json_put_number(json, "exchanged", l->exchanged);
    pkm_json_object_end(json);
}

/// The largest magnitude of each column, when; by the rule that all tables share.
static void put_peaks(pkm_json* json, const pkm_table* table)
{
    pkm_json_open_array(json, "peaks");
    for (int c = 0; c < pkm_table_n_column(table); ++c) {
        int row = PKM_NONE;
        const double value = pkm_table_reduce(table, c, PKM_REDUCE_ABSMAX, &row);
        const double pair[] = {value, row == PKM_NONE ? NAN : pkm_table_get(table, row, 0)};
        pkm_json_numbers(json, pair, 2);
    }
    pkm_json_array_end(json);
}

typedef struct job {
    pkm_run* run;
    pkm_table* table;
    pkm_snapshots *taken, *ideal;
    pkm_sim_report report;
    watched watch;
    bool is_inverse, is_seated;
} job;

static void put_result(const job* j, pkm_status status, const pkm_error* err)
{
    pkm_json* json = engine_begin();
    const bool early = status != PKM_OK || (!j->is_inverse && j->report.stop != PKM_STOP_END_TIME);
    const char* why = status != PKM_OK ? err->text : early ? pkm_stop_reason(j->report.stop) : "";
    pkm_json_put_bool(json, "complete", !early);
    pkm_json_put_string(json, "why", why);
    pkm_json_put_integer(json, "rows", pkm_table_n_row(j->table));
    pkm_json_put_integer(json, "located", pkm_table_n_located(j->table));
    if (!j->is_inverse && !j->is_seated) {
        pkm_json_put_integer(json, "steps", j->report.steps);
        pkm_json_put_string(json, "integrator",
                            pkm_integrator_name[j->run->settings.integrator]);
        put_ledger(json, &j->report.ledger);
    }
    put_warnings(json, j->table);
    put_peaks(json, j->table);
    const pkm_scene scene = {.desc = engine_here.robot->desc,
                             .snapshots = j->taken,
                             .ideal = j->is_inverse ? NULL : j->ideal};
    put_part(json, "poses", &scene, PKM_SCENE_POSES);
    put_part(json, "deviations", &scene, PKM_SCENE_DEVIATIONS);
}

// ---- the run ----------------------------------------------------------------------------------

static pkm_status compute(job* j, pkm_error* err)
{
    pkm_sim_settings settings = j->run->settings;
    settings.snapshots = j->taken;
    settings.ideal_snapshots = j->ideal;
    settings.progress = tick;
    settings.user = &j->watch;
    if (!j->is_inverse)
        return pkm_rows_simulate(engine_here.robot, &j->run->effects, &settings, j->table,
                                 &j->report, NULL, err);
    if (settings.motion == PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "inverse dynamics: expected a motion");
    return pkm_rows_inverse(engine_here.robot, PKM_METHOD_ENGINE, &settings, j->table,
                            &j->report, err);
}

static pkm_status prepare(job* j, const char* text, pkm_error* err)
{
    PKM_TRY(pkm_run_create_contacts(engine_here.robot, &j->run, err));
    PKM_TRY(pkm_run_parse(j->run, text, "run.yaml", err));
    PKM_TRY(pkm_run_complete(j->run, err));
    const pkm_analysis analysis =
        j->is_inverse ? PKM_ANALYSIS_INVERSE : pkm_simulate_analysis(&j->run->effects);
    PKM_TRY(pkm_run_require(j->run, analysis, err));
    j->is_seated = analysis == PKM_ANALYSIS_SEATED;
    const int n_body = engine_here.robot->desc->n_body, n = j->run->settings.n_instant;
    j->table = pkm_table_create();
    j->taken = pkm_snapshots_create(n_body, n, PKM_SNAPSHOTS_MAX_FRAME);
    j->ideal = pkm_snapshots_create(n_body, n, PKM_SNAPSHOTS_MAX_FRAME);
    if (!j->table || !j->taken || !j->ideal) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    j->watch = (watched){.table = j->table, .taken = j->taken};
    return PKM_OK;
}

/// A run as the run file `text` chooses it: inverse dynamics (1) or simulation (0). Rows go to the
/// page while it computes; a run that ends early keeps them, and the answer says why.
EXPORT(engine_run) int engine_run(const char* text, int inverse)
{
    job j = {.is_inverse = inverse};
    pkm_error err = {0};
    pkm_status status = prepare(&j, text, &err);
    const bool begun = status == PKM_OK;
    if (begun) {
        status = compute(&j, &err);
        tell_rows(&j.watch, pkm_table_n_row(j.table));
        tell_rows(&j.watch, pkm_table_n_row(j.table) + pkm_table_n_located(j.table));
    }
    const bool rows = begun && pkm_table_n_row(j.table) > 0;
    if (rows) put_result(&j, status, &err);
    pkm_table_free(j.table);
    pkm_snapshots_free(j.taken);
    pkm_snapshots_free(j.ideal);
    pkm_run_free(j.run);
    return engine_end(rows ? PKM_OK : status, &err);
}
