/// What watching a motion costs: rows of inverse dynamics with the watch for singularities, both
/// columns of nearness, located extremes, sums and limits, beside the same rows without any of it.
/// Closed forms: what a row costs more. The engine: the row, which may cost 1.15 times the plain
/// one. Times of a busy machine tell little: `bench_watch siax engine 401 watched` (or plain) runs
/// once, for a program that counts instructions of run_watched or run_plain.
#include "base/error.h"
#include "base/memory.h"
#include "bench.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "pkm/inverse.h"
#include "robot/closed_continuation.h"
#include "robot/continuation.h"
#include "robot/motion_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MOST = 300.0;      // [ns] that watching adds to a row by a closed form
static const double MOST_TIMES = 1.15; // plain rows that a watched row by the engine may take
enum { MANY = 10001 };                 // rows of a fine table
enum { USUAL = 401 };                  // rows by default

/// A motion of a robot, and what its rows come to: results are kept, so that no call can be left
/// out.
typedef struct bench {
    pkm_robot* robot;
    int motion, n;
    pkm_method method;
    double* place; ///< [pkm_follow_n_place]
    double force;
    pkm_status status;
} bench;

void run_watched(void* user, int k);
void run_plain(void* user, int k);

void run_watched(void* user, int k)
{
    bench* b = user;
    (void)k;
    pkm_error err;
    pkm_table* table = pkm_table_create();
    const pkm_inverse_settings settings = {.method = b->method, .n_instant = b->n};
    b->status |=
        table ? pkm_inverse_run(b->robot, b->motion, &settings, table, NULL, &err) : PKM_ERR_MEMORY;
    pkm_table_free(table);
}

static pkm_status read_closed(bench* b, const pkm_closed_follower* f, pkm_run_instant* at)
{
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    const pkm_closed* closed = b->robot->closed;
    at->tool = f->tool;
    memcpy(at->q, f->config.q, sizeof f->config.q);
    memcpy(at->v, f->qd, sizeof f->qd);
    memcpy(at->a, f->qdd, sizeof f->qdd);
    at->kinetic = pkm_closed_energy(closed, &f->config, &f->tool, f->qd);
    return pkm_closed_inverse_dynamics(closed, &f->config, &f->tool, f->qd, f->qdd, none, none,
                                       at->force);
}

static pkm_status read_engine(bench* b, pkm_run_instant* at)
{
    pkm_state* state = b->robot->state;
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, at->force);
    return isfinite(pkm_run_instant_read(state, at)) ? PKM_OK : PKM_ERR_NUMBERS;
}

/// The rows of a motion, each from the one before, and nothing between them.
static pkm_status plain_rows(bench* b, pkm_motion_table* columns, pkm_table* table)
{
    pkm_motion* motion = b->robot->desc->motion[b->motion].motion;
    const double end = pkm_motion_duration(motion);
    pkm_closed_follower closed;
    pkm_follower engine;
    pkm_error err;
    if (b->method == PKM_METHOD_CLOSED) {
        PKM_TRY(pkm_closed_follow_begin(b->robot, motion, &closed, &err));
    } else {
        PKM_TRY(pkm_follow_begin(b->robot, motion, &engine, &err));
        PKM_TRY(pkm_follow_to(&engine, 0.0, &err));
    }
    for (int i = 0; i < b->n; ++i) {
        const double t = end * i / (b->n - 1);
        pkm_run_instant at = {.kinetic = 0.0};
        if (b->method == PKM_METHOD_CLOSED) {
            const pkm_closed_config from = closed.config;
            PKM_TRY(pkm_closed_follow_look(&closed, t, &from, &err));
            PKM_TRY(read_closed(b, &closed, &at));
        } else {
            pkm_follow_save(&engine, b->place);
            PKM_TRY(pkm_follow_look(&engine, t, b->place));
            PKM_TRY(read_engine(b, &at));
        }
        b->force += at.force[0];
        double* row = pkm_table_append(table);
        if (!row) return PKM_ERR_MEMORY;
        pkm_motion_table_put(columns, &(pkm_layout){.out = row}, t, &at, NULL);
    }
    return PKM_OK;
}

void run_plain(void* user, int k)
{
    bench* b = user;
    (void)k;
    pkm_motion_table columns = {.n_point = 0};
    pkm_table* table = pkm_table_create();
    pkm_error err;
    pkm_status status = table ? PKM_OK : PKM_ERR_MEMORY;
    if (status == PKM_OK)
        status = pkm_motion_table_begin(&columns, pkm_robot_machine(b->robot),
                                        b->method == PKM_METHOD_ENGINE, false, &err);
    if (status == PKM_OK) {
        pkm_motion_table_put(&columns, &(pkm_layout){.table = table}, 0.0, NULL, NULL);
        status = pkm_table_reserve(table, b->n);
    }
    if (status == PKM_OK) status = plain_rows(b, &columns, table);
    b->status |= status;
    pkm_motion_table_end(&columns);
    pkm_table_free(table);
}

/// Both, in turns, so that both meet the same other work of the machine.
static void time_both(bench* b, double* watched, double* plain)
{
    enum { TURNS = 3 };
    *watched = *plain = INFINITY;
    for (int k = 0; k < TURNS; ++k) {
        *watched = fmin(*watched, bench_time(run_watched, b, 1) / b->n);
        *plain = fmin(*plain, bench_time(run_plain, b, 1) / b->n);
    }
}

static void report(bench* b, const char* name, int n)
{
    char line[96];
    double watched, plain;
    b->n = n;
    time_both(b, &watched, &plain);
    const bool closed = b->method == PKM_METHOD_CLOSED;
    snprintf(line, sizeof line, "pkm %s %s: watched less plain row (%d rows; plain %.0f ns)",
             closed ? "closed" : "engine", name, n, plain);
    bench_line(line, watched - plain, NAN, closed ? MOST : (MOST_TIMES - 1.0) * plain);
}

static pkm_status load(const char* name, bench* b, pkm_error* err)
{
    char path[400];
    snprintf(path, sizeof path, PKM_SOURCE_DIR "/robots/%s.yaml", name);
    PKM_TRY(pkm_robot_load(path, NULL, 0, &b->robot, err));
    b->place = pkm_alloc((size_t)pkm_follow_n_place(b->robot), sizeof(double));
    if (!b->place) return PKM_ERR_MEMORY;
    return pkm_robot_find_motion(b->robot, NULL, NULL, &b->motion, err);
}

static pkm_status finish(bench* b, const char* name, pkm_status status, const pkm_error* err)
{
    if (status == PKM_OK) status = b->status;
    if (status != PKM_OK) fprintf(stderr, "bench_watch: %s failed: %s\n", name, err->text);
    pkm_free(b->place);
    pkm_robot_free(b->robot);
    return status;
}

static pkm_status measure(const char* name, pkm_method method)
{
    pkm_error err = {.text = ""};
    bench b = {.method = method};
    const pkm_status status = load(name, &b, &err);
    if (status == PKM_OK) {
        report(&b, name, USUAL);
        if (method == PKM_METHOD_CLOSED) report(&b, name, MANY);
    }
    return finish(&b, name, status, &err);
}

/// One run: robot, engine or closed, rows, watched or plain.
static pkm_status run_once(char** argv)
{
    pkm_error err = {.text = ""};
    bench b = {.method = strcmp(argv[2], "closed") == 0 ? PKM_METHOD_CLOSED : PKM_METHOD_ENGINE,
               .n = atoi(argv[3])};
    const pkm_status status = load(argv[1], &b, &err);
    if (status == PKM_OK) (strcmp(argv[4], "plain") == 0 ? run_plain : run_watched)(&b, 0);
    return finish(&b, argv[1], status, &err);
}

int main(int argc, char** argv)
{
    static const char* const closed[] = {"siax",      "irb340",     "kuo",   "triglide",
                                         "lindelta",  "isoglideT3", "3pprs", "3ppsr",
                                         "isoglide4", "prrr2prpar"};
    static const char* const engine[] = {"siax", "gough-stewart"};
    pkm_status status = PKM_OK;
    if (argc == 5) return run_once(argv) == PKM_OK ? 0 : 1;
    const char* only = argc > 1 ? argv[1] : NULL; // one robot
    for (size_t k = 0; k < sizeof closed / sizeof closed[0]; ++k)
        if (!only || strcmp(only, closed[k]) == 0) status |= measure(closed[k], PKM_METHOD_CLOSED);
    for (size_t k = 0; k < sizeof engine / sizeof engine[0]; ++k)
        if (!only || strcmp(only, engine[k]) == 0) status |= measure(engine[k], PKM_METHOD_ENGINE);
    return status == PKM_OK ? 0 : 1;
}
