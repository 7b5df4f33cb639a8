/// A chain of N four-bar loops (MBS benchmark A02): how the cost of one evaluation of the forward
/// dynamics, and of one step of a simulation, grows with the number of bodies.
#include "base/memory.h"
#include "bench.h"
#include "pkm/robot.h"
#include "plant_ode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_PER_LOOP = 640, N_STEP = 10, MANY = 1000 };

typedef struct bench {
    int n_loop;
    char* text; ///< its model file
    pkm_robot* robot;
    plant_ode ode;
    pkm_status status;
} bench;

/// The model file of a chain: N + 1 bars that stand on the ground, N links that join their heads.
static void write_model(int n_loop, char* out)
{
    out += sprintf(
        out, "pkm: 1\nname: chain of four-bars\ngravity: [0, 0, -9.81]\nground:\n  points:\n");
    for (int i = 0; i <= n_loop; ++i)
        out += sprintf(out, "    O%d: [%d, 0, 0]\n", i, i);
    out += sprintf(out, "bodies:\n");
    for (int i = 0; i <= n_loop; ++i)
        out += sprintf(out,
                       "  bar%d: {mass: 1, uniform: {from: A, to: B}, points: {A: [0, 0, 0], "
                       "B: [0, 0, 1]}, pose: {at: [%d, 0, 0]}}\n",
                       i, i);
    for (int i = 0; i < n_loop; ++i)
        out += sprintf(out,
                       "  link%d: {mass: 1, uniform: {from: A, to: B}, points: {A: [0, 0, 0], "
                       "B: [1, 0, 0]}, pose: {at: [%d, 0, 1]}}\n",
                       i, i);
    out += sprintf(out, "joints:\n");
    for (int i = 0; i <= n_loop; ++i)
        out += sprintf(out, "  a%d: {type: revolute, between: [ground.O%d, bar%d.A], axis: y}\n", i,
                       i, i);
    for (int i = 0; i < n_loop; ++i)
        out += sprintf(out,
                       "  b%d: {type: revolute, between: [bar%d.B, link%d.A], axis: y}\n"
                       "  c%d: {type: revolute, between: [bar%d.B, link%d.B], axis: y}\n",
                       i, i, i, i, i + 1, i);
}

static void evaluate(void* user, int k)
{
    bench* b = user;
    (void)k;
    b->status |= plant_ode_evaluate(&b->ode, 0.0, b->ode.y0);
}

/// The k-th step of 1 ms from the start.
static void step(void* user, int k)
{
    bench* b = user;
    if (k == 0) b->status |= plant_ode_begin(&b->ode, 1e-6, 1e-3);
    b->status |= pkm_rk_step(b->ode.rk, 1.0);
}

/// The bars turn at 1 rad/s when runs begin; upright and at rest they would stay.
static pkm_status set_start(bench* b)
{
    pkm_state* state = b->robot->state;
    for (int i = 0; i < b->ode.n_v; ++i)
        state->v[i] = 1.0;
    const pkm_status status = pkm_plant_project(b->ode.plant, 0.0);
    memcpy(b->ode.y0 + b->ode.n_q, state->v, (size_t)b->ode.n_v * sizeof(double));
    return status;
}

static void load(void* user, int k)
{
    bench* b = user;
    (void)k;
    pkm_robot_free(b->robot);
    b->status |= pkm_robot_parse(b->text, "chain", NULL, 0, &b->robot, NULL);
}

static pkm_status prepare(bench* b, pkm_error* err)
{
    char* text = b->text = pkm_alloc((size_t)b->n_loop + 2, TEXT_PER_LOOP);
    if (!text) return PKM_ERR_MEMORY;
    write_model(b->n_loop, text);
    pkm_status status = pkm_robot_parse(text, "chain", NULL, 0, &b->robot, err);
    if (status == PKM_OK && b->n_loop == MANY)
        bench_line("pkm load; chain of 1000 four-bars", bench_time_long(load, b), NAN, 0.15e9);
    if (status == PKM_OK) status = plant_ode_create(b->robot, NULL, NULL, &b->ode, err);
    if (status == PKM_OK) status = set_start(b);
    pkm_free(text);
    return status;
}

/// A line for the chain, and one per body: it has 2 N + 1 of them.
static void print_lines(const char* what, int n_loop, double ns)
{
    char name[80];
    snprintf(name, sizeof name, "%s; chain of %d four-bars", what, n_loop);
    bench_line(name, ns, NAN, 0.0);
    snprintf(name, sizeof name, "%s; the same per body", what);
    bench_line(name, ns / (2 * n_loop + 1), NAN, 0.0);
}

static int run(int n_loop)
{
    bench b = {.n_loop = n_loop};
    pkm_error err = {0};
    b.status = prepare(&b, &err);
    if (b.status == PKM_OK) {
        print_lines("pkm engine forward", n_loop, bench_time(evaluate, &b, N_STEP));
        print_lines("pkm simulate one step", n_loop, bench_time(step, &b, N_STEP));
    }
    if (b.status != PKM_OK) fprintf(stderr, "bench_chain: %d four-bars: %s\n", n_loop, err.text);
    plant_ode_free(&b.ode);
    pkm_robot_free(b.robot);
    return b.status == PKM_OK ? 0 : 1;
}

int main(void)
{
    static const int n_loop[] = {10, 100, 1000};
    int code = 0;
    for (int i = 0; i < 3; ++i)
        code |= run(n_loop[i]);
    return code;
}
