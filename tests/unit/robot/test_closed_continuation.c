/// Following motions with the closed form, beside the engine.
#include "engine.h"
#include "robot/closed_continuation.h"
#include "robot/continuation.h"

#include <stdlib.h>

static double number_after(const char* text, const char* words)
{
    const char* at = strstr(text, words);
    CHECK(at != NULL);
    return at ? strtod(at + strlen(words), NULL) : NAN;
}

/// The robot `name` with one motion in place of its own: a line from home to `to` in 1 s.
static pkm_robot* with_line(const char* name, pkm_vec3 to)
{
    pkm_robot* robot = engine_load(name);
    if (!robot) return NULL;
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    const pkm_vec3 point[2] = {robot->tool_home.p, to};
    spec.name = "line";
    spec.law = PKM_LAW_CONSTANT;
    spec.path = PKM_PATH_LINE;
    spec.duration = 1.0;
    spec.n_point = 2;
    spec.point = point;
    pkm_motion* motion = NULL;
    CHECK(pkm_motion_create(&spec, &motion, NULL) == PKM_OK);
    pkm_motion_free(robot->desc->motion[0].motion);
    robot->desc->motion[0].motion = motion;
    return robot;
}

/// Follow the first motion in `n` steps with both; how they end.
static void follow_both(pkm_robot* robot, int n, pkm_status* engine, pkm_error* engine_err,
                        pkm_status* closed, pkm_error* closed_err)
{
    const pkm_motion* motion = robot->desc->motion[0].motion;
    const double duration = pkm_motion_duration(motion);
    pkm_closed_follower c;
    pkm_follower f;
    *closed = pkm_closed_follow_begin(robot, motion, &c, closed_err);
    for (int i = 0; *closed == PKM_OK && i <= n; ++i)
        *closed = pkm_closed_follow_to(&c, duration * i / n, closed_err);
    *engine = pkm_follow_begin(robot, motion, &f, engine_err);
    for (int i = 0; *engine == PKM_OK && i <= n; ++i)
        *engine = pkm_follow_to(&f, duration * i / n, engine_err);
}

// Home and this pose lie on both sides of a parallel singularity (det B < 0, det B > 0).
static void both_routes_see_the_same_singularity(void)
{
    pkm_robot* robot = with_line("prrr2prpar", (pkm_vec3){0.430992, 0.490066, 0.612592});
    if (!robot) return;
    pkm_status engine, closed;
    pkm_error engine_err = {0}, closed_err = {0};
    follow_both(robot, 200, &engine, &engine_err, &closed, &closed_err);
    CHECK(engine == PKM_ERR_SINGULAR && closed == PKM_ERR_SINGULAR);
    CHECK_CONTAINS(engine_err.text, "parallel singularity");
    CHECK_CONTAINS(closed_err.text, "parallel singularity");
    const double t = number_after(engine_err.text, "t = ");
    const double before = number_after(closed_err.text, "t = ");
    CHECK(before <= t + 1e-6 && t <= before + 1.0 / 200.0 + 1e-6);
    pkm_robot_free(robot);
}

// The slide of a limb is out of reach where its rod is too short: the distance is that of the
// closed form, the time the same.
static void both_routes_end_where_the_reach_ends(void)
{
    pkm_robot* robot = with_line("lindelta", (pkm_vec3){0.9, 0.0, -0.9});
    if (!robot) return;
    pkm_status engine, closed;
    pkm_error engine_err = {0}, closed_err = {0};
    follow_both(robot, 200, &engine, &engine_err, &closed, &closed_err);
    CHECK(closed == PKM_ERR_UNREACHABLE);
    CHECK(engine == PKM_ERR_UNREACHABLE || engine == PKM_ERR_SINGULAR);
    const double t = number_after(engine_err.text, "t = ");
    const double after = number_after(closed_err.text, "t = ");
    CHECK(t <= after + 1e-6 && after <= t + 1.0 / 200.0 + 1e-6);
    CHECK_CONTAINS(closed_err.text, "out of reach by");
    pkm_robot_free(robot);
}

/// Drives and rates of both routes along every motion of a robot.
static void check_motions(pkm_robot* robot, const char* name)
{
    for (int m = 0; m < robot->desc->n_motion; ++m) {
        const pkm_motion* motion = robot->desc->motion[m].motion;
        pkm_closed_follower c;
        pkm_follower f;
        double worst = 0.0;
        CHECK(pkm_closed_follow_begin(robot, motion, &c, NULL) == PKM_OK);
        CHECK(pkm_follow_begin(robot, motion, &f, NULL) == PKM_OK);
        for (int i = 0; i <= 40; ++i) {
            const double t = pkm_motion_duration(motion) * i / 40.0;
            CHECK(pkm_closed_follow_to(&c, t, NULL) == PKM_OK);
            CHECK(pkm_follow_to(&f, t, NULL) == PKM_OK);
            for (int d = 0; d < robot->mech->n_drive; ++d) {
                double v, a;
                pkm_drive_rates(robot->state, d, &v, &a);
                const double q = pkm_state_drive_position(robot->state, d);
                worst = fmax(worst, fabs(q - c.config.q[d]));
                worst = fmax(worst, fabs(v - c.qd[d]) / fmax(1.0, fabs(v)));
                worst = fmax(worst, fabs(a - c.qdd[d]) / fmax(1.0, fabs(a)));
            }
            const pkm_frame_motion tool = pkm_state_marker_motion(robot->state, robot->mech->tool);
            worst = fmax(worst, pkm_vec3_norm(pkm_vec3_sub(tool.pose.p, c.tool.pose.p)));
            worst = fmax(worst, pkm_vec3_norm(pkm_vec3_sub(tool.v, c.tool.v)));
        }
        if (!(worst < 1e-9)) printf("    %s, motion %d: %g\n", name, m, worst);
        CHECK(worst < 1e-9);
    }
}

static void both_routes_move_the_drives_alike(void)
{
    int n = 0;
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (robot && robot->closed) {
            check_motions(robot, engine_robots[i]);
            ++n;
        }
        pkm_robot_free(robot);
    }
    CHECK(n == 11);
}

static void the_nearest_configuration_is_taken(void)
{
    pkm_closed_config from = {.pose.q = {1, 0, 0, 0}, .branch = 3};
    pkm_closed_config list[3] = {from, from, from};
    list[0].pose.p.x = 0.4;
    list[1].pose.p.x = 0.11;
    list[1].branch = 1;
    list[2].pose.p.x = 0.11;
    CHECK(pkm_closed_nearest(list, 3, &from) == 2); // of equals the same branch
    CHECK(pkm_closed_nearest(list, 2, &from) == 1);
    CHECK(pkm_closed_nearest(list, 0, &from) == PKM_NONE);
}

int main(void)
{
    RUN(both_routes_see_the_same_singularity);
    RUN(both_routes_end_where_the_reach_ends);
    RUN(both_routes_move_the_drives_alike);
    RUN(the_nearest_configuration_is_taken);
    return check_report();
}
