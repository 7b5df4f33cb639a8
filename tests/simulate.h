/// What tests of simulations share: runs from the text of a run file, columns of their tables.
#ifndef PKM_TESTS_SIMULATE_H
#define PKM_TESTS_SIMULATE_H

#include "engine.h"
#include "run/run.h"
#include "simulate/simulation.h"

/// A finished run.
typedef struct sim_result {
    pkm_table* table;
    pkm_sim_report report;
    pkm_status status;
    pkm_error err;
} sim_result;

/// Simulate `robot` as the run file `text` says (without its first line `run: 1`); `model` NULL: an
/// exact one for controllers.
static inline sim_result sim_run_with(pkm_robot* robot, pkm_robot* model, const char* text)
{
    sim_result out = {.table = pkm_table_create()};
    char file[4000];
    pkm_run* run = NULL;
    if (!robot) return (sim_result){.status = PKM_ERR_ARGUMENT, .table = out.table};
    snprintf(file, sizeof file, "run: 1\n%s", text);
    out.status = pkm_run_create(robot, &run, &out.err);
    if (out.status == PKM_OK) out.status = pkm_run_parse(run, file, "run.yaml", &out.err);
    if (out.status == PKM_OK) out.status = pkm_run_complete(run, &out.err);
    if (out.status == PKM_OK && model) run->settings.model = model;
    if (out.status == PKM_OK)
        out.status = pkm_simulate(robot, &run->settings, out.table, &out.report, &out.err);
    pkm_run_free(run);
    return out;
}

static inline sim_result sim_run(pkm_robot* robot, const char* text)
{
    return sim_run_with(robot, NULL, text);
}

/// The same for a run that must reach its end.
static inline sim_result sim_run_whole(pkm_robot* robot, const char* text)
{
    sim_result out = sim_run(robot, text);
    if (out.status != PKM_OK) printf("    %d:%d: %s\n", out.err.line, out.err.column, out.err.text);
    CHECK(out.status == PKM_OK);
    if (out.status == PKM_OK && out.report.stop != PKM_STOP_END_TIME)
        printf("    ended at t = %g s\n", out.report.t_stop);
    CHECK(out.report.stop == PKM_STOP_END_TIME);
    return out;
}

/// The robot `name` with one text of its file changed.
static inline pkm_robot* sim_load_changed(const char* name, const char* from, const char* to)
{
    static char text[20000], other[20000];
    char path[512];
    snprintf(path, sizeof path, "%s/robots/%s.yaml", PKM_SOURCE_DIR, name);
    FILE* file = fopen(path, "r");
    CHECK(file != NULL);
    if (!file) return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    char* at = strstr(text, from);
    CHECK(at != NULL);
    if (!at) return NULL;
    snprintf(other, sizeof other, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return engine_from(other);
}

static inline void sim_free(sim_result* r)
{
    pkm_table_free(r->table);
    r->table = NULL;
}

static inline double sim_get(const sim_result* r, int row, const char* column)
{
    const int c = pkm_table_find(r->table, column);
    CHECK(c != PKM_NONE);
    if (c == PKM_NONE) printf("    no column %s\n", column);
    return pkm_table_get(r->table, row, c);
}

static inline int sim_last(const sim_result* r)
{
    return pkm_table_n_row(r->table) - 1;
}

/// "absmax P.dp", see pkm_table_evaluate.
static inline double sim_value(const sim_result* r, const char* quantity)
{
    double value = NAN;
    pkm_error err = {0};
    CHECK(pkm_table_evaluate(r->table, quantity, &value, &err) == PKM_OK);
    return value;
}

#endif
