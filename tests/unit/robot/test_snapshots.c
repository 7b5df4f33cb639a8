#include "robot/snapshots.h"

#include "engine.h"
#include "run/run.h"
#include "simulate/simulation.h"

/// Where the tool is in frame `f` of a snapshots.
static pkm_vec3 tool_in(const pkm_robot* robot, const pkm_snapshots* snapshots, int f)
{
    const pkm_desc_marker* tool = &robot->desc->marker[robot->desc->tool_marker];
    const pkm_pose* pose = &snapshots->pose[f * snapshots->n_body + tool->body];
    return pkm_vec3_add(pose->p, pkm_quat_rotate(pose->q, tool->pose.p));
}

/// The row of `table` at time t.
static int row_at(const pkm_table* table, double t)
{
    for (int i = 0; i < pkm_table_n_row(table); ++i)
        if (pkm_table_get(table, i, 0) == t) return i;
    return PKM_NONE;
}

/// Largest distance of the tool in the snapshots from that in the table [m].
static double tool_error(const pkm_robot* robot, const pkm_snapshots* snapshots,
                         const pkm_table* table)
{
    const int x = pkm_table_find(table, "P.x");
    double most = 0.0;
    for (int f = 0; f < snapshots->n_frame; ++f) {
        const int row = row_at(table, snapshots->t[f]);
        CHECK(row != PKM_NONE);
        const pkm_vec3 p = {pkm_table_get(table, row, x), pkm_table_get(table, row, x + 1),
                            pkm_table_get(table, row, x + 2)};
        most = fmax(most, pkm_vec3_norm(pkm_vec3_sub(p, tool_in(robot, snapshots, f))));
    }
    return most;
}

/// Frames of a run of n instants: the first, the last, at most 300, evenly spaced but for the last.
static void frames_reach_from_start_to_end(void)
{
    static const int instants[] = {2, 3, 299, 300, 301, 401, 1000, 100001};
    pkm_robot* robot = engine_load("five-bar");
    for (size_t k = 0; k < sizeof instants / sizeof instants[0]; ++k) {
        const int n = instants[k];
        pkm_snapshots* snapshots =
            pkm_snapshots_create(robot->desc->n_body, n, PKM_SNAPSHOTS_MAX_FRAME);
        for (int i = 0; i < n; ++i)
            pkm_snapshots_take(snapshots, robot->state, (double)i);
        CHECK(snapshots->n_frame <= PKM_SNAPSHOTS_MAX_FRAME &&
              (n > 300 || snapshots->n_frame == n));
        CHECK(snapshots->n_frame >= 150 || n < 300);
        CHECK(snapshots->t[0] == 0.0 && snapshots->t[snapshots->n_frame - 1] == n - 1);
        CHECK(snapshots->t[1] == snapshots->every || n == 2);
        pkm_snapshots_free(snapshots);
    }
    pkm_robot_free(robot);
}

static void bodies_are_where_the_table_has_the_tool(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    pkm_table* table = pkm_table_create();
    pkm_error err = {0};
    settings.snapshots =
        pkm_snapshots_create(robot->desc->n_body, settings.n_instant, PKM_SNAPSHOTS_MAX_FRAME);
    CHECK(pkm_inverse_run(robot, 0, &settings, table, NULL, &err) == PKM_OK);
    CHECK(settings.snapshots->n_frame == 201);
    CHECK_NEAR(tool_error(robot, settings.snapshots, table), 0.0, 1e-12);
    pkm_table_free(table);

    // once more: the snapshots begins anew
    table = pkm_table_create();
    CHECK(pkm_inverse_run(robot, 0, &settings, table, NULL, &err) == PKM_OK);
    CHECK(settings.snapshots->n_frame == 201);
    pkm_table_free(table);
    pkm_snapshots_free(settings.snapshots);
    pkm_robot_free(robot);
}

static void a_simulation_makes_both_snapshots(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_sim_settings settings = pkm_sim_settings_defaults();
    pkm_sim_report report;
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    settings.motion = 0;
    settings.end_time = 0.2;
    settings.n_instant = 11;
    settings.snapshots = pkm_snapshots_create(robot->desc->n_body, 11, PKM_SNAPSHOTS_MAX_FRAME);
    settings.ideal_snapshots =
        pkm_snapshots_create(robot->desc->n_body, 11, PKM_SNAPSHOTS_MAX_FRAME);
    CHECK(pkm_simulate(robot, &settings, table, &report, &err) == PKM_OK);
    CHECK(settings.snapshots->n_frame == 11 && settings.ideal_snapshots->n_frame == 11);
    CHECK_NEAR(tool_error(robot, settings.snapshots, table), 0.0, 1e-12);
    // drives follow the motion and nothing bends: both are the same
    CHECK_NEAR(tool_error(robot, settings.ideal_snapshots, table), 0.0, 1e-9);
    pkm_snapshots_free(settings.snapshots);
    pkm_snapshots_free(settings.ideal_snapshots);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

/// Point `i` of link `k` in frame `f`: where the body is, and how it bends.
static pkm_vec3 bent_point(const pkm_snapshots* snapshots, int f, int k, int i)
{
    const int at = snapshots->bend[k].at + i;
    const pkm_pose* pose = &snapshots->pose[f * snapshots->n_body + snapshots->bend[k].body];
    const pkm_vec3 r =
        pkm_vec3_add(snapshots->rest[at], snapshots->shift[f * snapshots->n_point + at]);
    return pkm_vec3_add(pose->p, pkm_quat_rotate(pose->q, r));
}

/// Where the marker `name` of a rigid body is in frame `f`.
static pkm_vec3 marker_in(const pkm_robot* robot, const pkm_snapshots* snapshots, int f,
                          const char* name)
{
    for (int m = 0; m < robot->desc->n_marker; ++m) {
        const pkm_desc_marker* marker = &robot->desc->marker[m];
        if (strcmp(marker->name, name) != 0) continue;
        const pkm_pose* pose = &snapshots->pose[f * snapshots->n_body + marker->body];
        return pkm_vec3_add(pose->p, pkm_quat_rotate(pose->q, marker->pose.p));
    }
    CHECK(false);
    return (pkm_vec3){0.0, 0.0, 0.0};
}

static pkm_snapshots* snapshots_with(pkm_robot* robot, const char* settings)
{
    pkm_run* run = NULL;
    pkm_sim_report report;
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_parse(run, settings, "test", &err) == PKM_OK);
    CHECK(pkm_run_complete(run, &err) == PKM_OK);
    pkm_snapshots* snapshots =
        pkm_snapshots_create(robot->desc->n_body, run->settings.n_instant, 300);
    run->settings.snapshots = snapshots;
    if (pkm_simulate(robot, &run->settings, table, &report, &err) != PKM_OK) {
        printf("    %s\n", err.text);
        CHECK(false);
    }
    pkm_run_free(run);
    pkm_table_free(table);
    return snapshots;
}

/// The ball joints hold: a rod that bends ends on the platform, and its middle is off the line
/// between its ends.
static void flexible_links_end_in_their_joints(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_snapshots* snapshots = snapshots_with(
        robot, "run: 1\nmotion: paper\ninstants: 6\nflexible: {A.left: {elements: 4, modes: 6}}\n");
    CHECK(snapshots->n_flexible == 1 && snapshots->n_point == 5 && snapshots->n_frame == 6);
    double most = 0.0;
    for (int f = 0; f < snapshots->n_frame; ++f) {
        const pkm_vec3 first = bent_point(snapshots, f, 0, 0),
                       last = bent_point(snapshots, f, 0, 4);
        const pkm_vec3 middle = bent_point(snapshots, f, 0, 2);
        const pkm_vec3 crank = marker_in(robot, snapshots, f, "A.crank.left");
        const pkm_vec3 platform = marker_in(robot, snapshots, f, "platform.A.left");
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(first, crank)), 0.0, 1e-9);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(last, platform)), 0.0, 1e-9);
        const pkm_vec3 between = pkm_vec3_scale(0.5, pkm_vec3_add(first, last));
        most = fmax(most, pkm_vec3_norm(pkm_vec3_sub(middle, between)));
    }
    CHECK(most > 1e-5 && most < 1e-2); // [m] inertia of the rod itself bends it
    pkm_snapshots_free(snapshots);
    pkm_robot_free(robot);
}

/// A crank that bends is clamped in its motor: it starts where the rigid one does.
static void driven_links_stay_clamped(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_snapshots* snapshots =
        snapshots_with(robot, "run: 1\nmotion: paper\ninstants: 6\n"
                              "flexible: {A.crank: {elements: 4, modes: 6, material: steel}}\n");
    for (int f = 0; f < snapshots->n_frame; ++f) {
        const pkm_vec3 motor = marker_in(robot, snapshots, f, "ground.A.M");
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(bent_point(snapshots, f, 0, 0), motor)), 0.0, 1e-12);
    }
    pkm_snapshots_free(snapshots);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(frames_reach_from_start_to_end);
    RUN(bodies_are_where_the_table_has_the_tool);
    RUN(a_simulation_makes_both_snapshots);
    RUN(flexible_links_end_in_their_joints);
    RUN(driven_links_stay_clamped);
    return check_report();
}
