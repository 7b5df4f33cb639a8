/// Clearance without impacts on SIAX, 0.1 mm in its twelve ball joints: the seated motion of 0.2 s,
/// bounds at one position, bounds along the motion.
#include "bench.h"
#include "clearance/envelope.h"
#include "clearance/seated.h"

#include <math.h>
#include <stdio.h>

enum { MAX_CLEARANCE = 12, N_ROW = 201 };

typedef struct bench {
    pkm_robot* robot;
    pkm_joint_clearance clearance[MAX_CLEARANCE];
    int n_clearance;
    pkm_error_set set;
    pkm_envelope envelope;
    pkm_seated_report report;
    pkm_status status;
} bench;

static void seated(void* user, int k)
{
    bench* b = user;
    pkm_sim_settings settings = pkm_sim_settings_defaults();
    pkm_table* table = pkm_table_create();
    (void)k;
    settings.motion = 0;
    settings.end_time = 0.2;
    b->status |=
        pkm_seated_run(b->robot, &settings, b->clearance, b->n_clearance, table, &b->report, NULL);
    pkm_table_free(table);
}

static void bounds(void* user, int k)
{
    bench* b = user;
    (void)k;
    b->status |= pkm_error_set_find(&b->set);
    b->status |= pkm_envelope_at(&b->set, &b->envelope);
}

static void extreme(void* user, int k)
{
    bench* b = user;
    pkm_extreme_pose pose;
    double y[3 * MAX_CLEARANCE], w[PKM_ERROR_AXES] = {0.0};
    w[k] = 1.0;
    b->status |= pkm_extreme_pose_find(&b->set, w, y, &pose);
}

static void along(void* user, int k)
{
    bench* b = user;
    const pkm_envelope_settings settings = {.n_instant = N_ROW};
    pkm_envelope_report report;
    pkm_table* table = pkm_table_create();
    (void)k;
    b->status |= pkm_envelope_run(&b->set, &settings, table, &report, NULL);
    pkm_table_free(table);
}

/// Errors are those of the drop at home against its geometry.
static int run(bench* b)
{
    const double c = 1e-4, l = 1.106, x = 0.653, depth = sqrt(l * l - x * x);
    const double drop = 2.0 * c * l / depth;
    const double motion = bench_time(seated, b, 1);
    bench_line("pkm seated SIAX (0.2 s; 401 instants)", motion, fabs(b->report.drop - drop) / drop,
               100e6);
    pkm_robot_go_home(b->robot);
    const double here = bench_time(bounds, b, 1);
    bench_line("pkm envelope SIAX (one position)", here, fabs(b->envelope.most[2] - drop) / drop,
               0.0);
    bench_line("pkm envelope SIAX (extreme pose by linear programming)",
               bench_time(extreme, b, PKM_ERROR_AXES), NAN, 0.0);
    bench_line("pkm envelope SIAX (0.2 s; 201 instants)", bench_time(along, b, 1), NAN, 0.0);
    return b->status == PKM_OK ? 0 : 1;
}

int main(void)
{
    static bench b;
    pkm_error err = {0};
    b.status = pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", NULL, 0, &b.robot, &err);
    for (int j = 0; b.robot && j < b.robot->mech->n_joint; ++j)
        if (b.robot->mech->joint[j].type == PKM_JOINT_SPHERICAL)
            b.clearance[b.n_clearance++] = (pkm_joint_clearance){j, {.radial = 1e-4}};
    if (b.status == PKM_OK)
        b.status = pkm_error_set_create(b.robot, b.clearance, b.n_clearance, &b.set, &err);
    int code = 1;
    if (b.status == PKM_OK)
        code = run(&b);
    else
        fprintf(stderr, "bench_clearance: %s\n", err.text);
    pkm_error_set_free(&b.set);
    pkm_robot_free(b.robot);
    return code;
}
