/// Flexible links about a pose: natural frequencies of SIAX with six rods of eight elements, a map
/// of 30 x 30 positions, stiffness; Kuo's circle and the motion of SIAX by linear elastodynamics.
#include "bench.h"
#include "linear/ked.h"
#include "linear/modes_sweep.h"
#include "linear/stiffness.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>

static const double TWO_PI = 6.283185307179586477;

enum { N_MODE = 22 };

typedef struct bench {
    pkm_robot* siax;
    pkm_run* run;
    pkm_run* circle; ///< of Kuo's Delta
    pkm_elastic_settings settings;
    pkm_elastic* elastic;
    pkm_modes* modes;
    pkm_robot* kuo;
    double f1;
    double reached, peak;
    pkm_status status;
} bench;

/// Meshes, constraints, frequencies, shapes and energies: what `pkm modes` does.
static void at_pose(void* user, int k)
{
    bench* b = user;
    pkm_elastic* elastic;
    pkm_modes* modes;
    (void)k;
    b->status |= pkm_modes_at(b->siax, &b->settings, N_MODE, &elastic, &modes, NULL);
    if (b->status == PKM_OK) b->f1 = modes->omega[0] / TWO_PI;
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
}

/// One more pose.
static void again(void* user, int k)
{
    bench* b = user;
    (void)k;
    b->status |= pkm_elastic_place(b->elastic, b->siax->state, NULL);
    b->status |= pkm_modes_frequencies(b->elastic, b->modes, NULL);
}

static void stiffness(void* user, int k)
{
    bench* b = user;
    pkm_stiffness s;
    (void)k;
    b->status |= pkm_elastic_place(b->elastic, b->siax->state, NULL);
    b->status |= pkm_stiffness_at(b->elastic, (pkm_vec3){0}, (pkm_vec3){0}, &s, NULL);
}

static void map(void* user, int k)
{
    bench* b = user;
    const pkm_workspace_grid grid = {{-0.5, -0.5, -0.95}, {0.5, 0.5, -0.95}, {30, 30, 1}};
    const pkm_modes_sweep sweep = {.elastic = b->settings, .n_mode = N_MODE};
    pkm_table* table = pkm_table_create();
    (void)k;
    b->status |= pkm_modes_map(b->siax, &sweep, &grid, table, NULL);
    b->reached = pkm_table_reduce(table, 3, PKM_REDUCE_MIN, NULL);
    pkm_table_free(table);
}

/// Five turns in steps of 1 ms, one element per link.
static void circle(void* user, int k)
{
    bench* b = user;
    pkm_ked_settings settings = pkm_ked_settings_defaults();
    pkm_table* table = pkm_table_create();
    (void)k;
    settings.effects = &b->circle->effects;
    settings.step = 1e-3;
    settings.n_repeat = 5;
    b->status |= pkm_robot_find_motion(b->kuo, "paper", NULL, &settings.motion, NULL);
    if (b->status == PKM_OK) b->status |= pkm_ked_run(b->kuo, &settings, table, NULL, NULL);
    pkm_table_free(table);
}

/// The paper's motion, with the step that the program chooses; the error is that of the largest
/// deviation of P against the reference, 0.344 mm.
static void along(void* user, int k)
{
    bench* b = user;
    pkm_ked_settings settings = pkm_ked_settings_defaults();
    pkm_table* table = pkm_table_create();
    (void)k;
    settings.effects = &b->run->effects;
    b->status |= pkm_ked_run(b->siax, &settings, table, NULL, NULL);
    b->peak = pkm_table_reduce(table, pkm_table_find(table, "P.dp"), PKM_REDUCE_ABSMAX, NULL);
    pkm_table_free(table);
}

/// The error of the modes is that of the first frequency against the reference, 44.73 Hz.
static int run(bench* b)
{
    const double pose = bench_time(at_pose, b, 1);
    bench_line("pkm modes SIAX (six rods of 8 elements; 22 modes)", pose, fabs(b->f1 / 44.73 - 1.0),
               50e6);
    bench_line("pkm modes SIAX (one more pose)", bench_time(again, b, 1), NAN, 0.0);
    bench_line("pkm stiffness SIAX (one more pose)", bench_time(stiffness, b, 1), NAN, 0.0);
    const double plane = bench_time(map, b, 1);
    bench_line("pkm modes SIAX (map of 30 x 30; 22 modes)", plane, NAN, 1e9);
    bench_line("pkm elastodynamics Kuo (circle; five turns)", bench_time(circle, b, 1), NAN, 0.0);
    const double linear = bench_time(along, b, 1);
    bench_line("pkm elastodynamics SIAX (six rods; 0.2 s)", linear, fabs(b->peak / 3.44e-4 - 1.0),
               1e9);
    if (b->status == PKM_OK && b->reached == 1.0) return 0;
    fprintf(stderr, "bench_modes: failed\n");
    return 1;
}

int main(void)
{
    bench b = {0};
    b.status |= pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", NULL, 0, &b.siax, NULL);
    b.status |= pkm_robot_load(PKM_SOURCE_DIR "/robots/kuo.yaml", NULL, 0, &b.kuo, NULL);
    if (b.status == PKM_OK) b.status |= pkm_run_create(b.siax, &b.run, NULL);
    if (b.status == PKM_OK)
        b.status |= pkm_run_set(b.run, "flexible", "{left: {}, right: {}}", "--flexible", NULL);
    if (b.status == PKM_OK) b.status |= pkm_run_create(b.kuo, &b.circle, NULL);
    if (b.status == PKM_OK)
        b.status |= pkm_run_set(
            b.circle, "flexible",
            "{crank: {elements: 1, torsion: polar}, rod: {elements: 1, torsion: polar}}",
            "--flexible", NULL);
    if (b.status == PKM_OK) b.settings.effects = &b.run->effects;
    if (b.status == PKM_OK)
        b.status |= pkm_modes_at(b.siax, &b.settings, N_MODE, &b.elastic, &b.modes, NULL);
    const int code = b.status == PKM_OK ? run(&b) : 1;
    pkm_modes_free(b.modes);
    pkm_elastic_free(b.elastic);
    pkm_run_free(b.run);
    pkm_run_free(b.circle);
    pkm_robot_free(b.siax);
    pkm_robot_free(b.kuo);
    return code;
}
