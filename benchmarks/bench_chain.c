/// A chain of N four-bar loops (MBS benchmark A02): how the cost of one evaluation of the forward
/// dynamics grows with the number of bodies.
#include "analysis/robot.h"
#include "base/memory.h"
#include "bench.h"
#include "dynamics/plant.h"
#include "pkm/robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_PER_LOOP = 640 };

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

static void no_reference(void* user, double t, pkm_target* target)
{
    (void)user, (void)t, (void)target;
}

static pkm_status no_force(void* user, double t, const pkm_state* state, const double* z,
                           double* force, double* z_rate)
{
    (void)user, (void)t, (void)state, (void)z, (void)force, (void)z_rate;
    return PKM_OK;
}

static void evaluate(void* user, int k)
{
    (void)k;
    if (pkm_plant_evaluate(user, 0.0, NULL, NULL) != PKM_OK) fprintf(stderr, "no evaluation\n");
}

static int run(int n_loop, double* per_body)
{
    char* text = pkm_alloc((size_t)n_loop + 2, TEXT_PER_LOOP);
    if (!text) return 1;
    write_model(n_loop, text);
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    pkm_plant* plant = NULL;
    const bool prescribed[PKM_MAX_DRIVE] = {false};
    const pkm_actuation actuation = {.reference = no_reference, .force = no_force};
    pkm_status status = pkm_robot_parse(text, "chain", NULL, 0, &robot, &err);
    if (status == PKM_OK) {
        const pkm_plant_spec spec = {
            .structure = &robot->structure, .prescribed = prescribed, .actuation = &actuation};
        status = pkm_plant_create(robot->state, &spec, &plant, &err);
    }
    if (status == PKM_OK) {
        char name[80];
        const double ns = bench_time(evaluate, plant, n_loop < 500 ? 20 : 2);
        *per_body = ns / (2 * n_loop + 1);
        snprintf(name, sizeof name, "pkm engine forward; chain of %d four-bars", n_loop);
        bench_line(name, ns, NAN, 0.0);
        snprintf(name, sizeof name, "pkm engine forward; the same per body");
        bench_line(name, *per_body, NAN, 0.0);
    } else {
        fprintf(stderr, "bench_chain: %s\n", err.text);
    }
    pkm_plant_free(plant);
    pkm_robot_free(robot);
    pkm_free(text);
    return status == PKM_OK ? 0 : 1;
}

int main(void)
{
    static const int n_loop[] = {10, 100, 1000};
    double per_body;
    int code = 0;
    for (int i = 0; i < 3; ++i)
        code |= run(n_loop[i], &per_body);
    return code;
}
