/// Positions, velocities and accelerations from prescribed drives or a prescribed tool.
#include "dynamics/motion_solve.h"
#include "engine.h"
#include "linkages.h"

enum { N = 5 };

/// Closed loops and drives within rounding?
static void check_rows(const pkm_robot* robot, pkm_given given)
{
    int worst = PKM_NONE;
    CHECK(pkm_solve_residual(robot->state, given, &worst) < 1e-13);
}

static pkm_target drives_at(const pkm_robot* robot, double t)
{
    pkm_target target = {.tool.pose = robot->tool_home};
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const double unit = robot->mech->drive[d].is_rotary ? 1.0 : robot->mech->size;
        const double w = 1.3 + 0.4 * d, amount = 0.02 * unit;
        target.q[d] = robot->drive_home[d] + amount * sin(w * t + d) - amount * sin(d);
        target.v[d] = amount * w * cos(w * t + d);
        target.a[d] = -amount * w * w * sin(w * t + d);
    }
    return target;
}

/// All velocities and accelerations of the bodies against differences of solved positions.
static void check_rates(pkm_robot* robot)
{
    enum { MAX_BODY = 24 };
    const double h = 2e-3, t0 = 0.2;
    pkm_vec3 place[N][MAX_BODY];
    for (int i = 0; i < N; ++i) {
        const pkm_target target = drives_at(robot, t0 + h * (i - 2));
        CHECK(pkm_solve_position(robot->state, PKM_GIVEN_DRIVES, &target) == PKM_OK);
        check_rows(robot, PKM_GIVEN_DRIVES);
        for (int b = 1; b < robot->mech->n_body; ++b)
            place[i][b] = robot->state->body[b].p;
    }
    const pkm_target target = drives_at(robot, t0);
    CHECK(pkm_solve_position(robot->state, PKM_GIVEN_DRIVES, &target) == PKM_OK);
    pkm_solve_velocity(robot->state, PKM_GIVEN_DRIVES, &target);
    pkm_solve_acceleration(robot->state, PKM_GIVEN_DRIVES, &target);
    for (int b = 1; b < robot->mech->n_body; ++b) {
        const pkm_body_state* s = &robot->state->body[b];
        const pkm_vec3 v = pkm_twist_at(s->V, s->p), a = pkm_twist_acceleration(s->V, s->A, s->p);
        const pkm_vec3 *f0 = &place[0][b], *f1 = &place[1][b], *f2 = &place[2][b];
        const pkm_vec3 *f3 = &place[3][b], *f4 = &place[4][b];
        CHECK_NEAR(v.x, (f0->x - 8 * f1->x + 8 * f3->x - f4->x) / (12 * h), 1e-9);
        CHECK_NEAR(v.z, (f0->z - 8 * f1->z + 8 * f3->z - f4->z) / (12 * h), 1e-9);
        CHECK_NEAR(a.x, (-f0->x + 16 * f1->x - 30 * f2->x + 16 * f3->x - f4->x) / (12 * h * h),
                   1e-6);
        CHECK_NEAR(a.z, (-f0->z + 16 * f1->z - 30 * f2->z + 16 * f3->z - f4->z) / (12 * h * h),
                   1e-6);
    }
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        double v, a;
        pkm_drive_rates(robot->state, d, &v, &a);
        CHECK_NEAR(v, target.v[d], 1e-12);
        CHECK_NEAR(a, target.a[d], 1e-11);
    }
}

static void rates_of_all_bodies_meet_differences_of_solved_positions(void)
{
    static const char* const texts[] = {four_bar, bennett, sarrus, rssr, strut_hexapod};
    for (int i = 0; i < 5; ++i) {
        pkm_robot* robot = engine_from(texts[i]);
        if (robot) check_rates(robot);
        pkm_robot_free(robot);
    }
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        if (strcmp(engine_robots[i], "triglide") == 0) continue; // curls too much for 1e-9
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (robot) check_rates(robot);
        pkm_robot_free(robot);
    }
}

// What the tool does when the drives move is what makes the drives move so.
static void tool_and_drive_modes_are_inverse(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (!robot) continue;
        const pkm_target drives = drives_at(robot, 0.0);
        CHECK(pkm_solve_position(robot->state, PKM_GIVEN_DRIVES, &drives) == PKM_OK);
        pkm_solve_velocity(robot->state, PKM_GIVEN_DRIVES, &drives);
        pkm_solve_acceleration(robot->state, PKM_GIVEN_DRIVES, &drives);
        const pkm_target tool = {.tool = pkm_state_marker_motion(robot->state, robot->mech->tool)};
        CHECK(pkm_solve_position(robot->state, PKM_GIVEN_TOOL, &tool) == PKM_OK);
        pkm_solve_velocity(robot->state, PKM_GIVEN_TOOL, &tool);
        pkm_solve_acceleration(robot->state, PKM_GIVEN_TOOL, &tool);
        for (int d = 0; d < robot->mech->n_drive; ++d) {
            double v, a;
            pkm_drive_rates(robot->state, d, &v, &a);
            CHECK_NEAR(pkm_state_drive_position(robot->state, d), drives.q[d], 1e-11);
            CHECK_NEAR(v, drives.v[d], 1e-11);
            CHECK_NEAR(a, drives.a[d], 1e-10);
        }
        pkm_robot_free(robot);
    }
}

// Idle freedoms are held: rods do not spin, wherever they go.
static void rods_do_not_spin(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    const pkm_target target = drives_at(robot, 0.0);
    CHECK(pkm_solve_position(robot->state, PKM_GIVEN_DRIVES, &target) == PKM_OK);
    pkm_solve_velocity(robot->state, PKM_GIVEN_DRIVES, &target);
    pkm_solve_acceleration(robot->state, PKM_GIVEN_DRIVES, &target);
    for (int k = 0; k < robot->mech->n_spin; ++k) {
        const int b = robot->mech->row[robot->mech->spin_row_at + k].item;
        const pkm_body_state* s = &robot->state->body[b];
        const pkm_vec3 e = pkm_mat3_mul(s->R, robot->mech->spin_line[k].along);
        CHECK_NEAR(pkm_vec3_dot(e, s->V.ang), 0.0, 1e-14);
        CHECK_NEAR(pkm_vec3_dot(e, s->A.ang), 0.0, 1e-12);
    }
    pkm_robot_free(robot);
}

static void a_failed_solution_leaves_the_positions(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    const pkm_target target = {.q = {3.141592653589793, 0.0}}; // the links cannot meet
    double before[16];
    CHECK(robot->mech->n_q <= 16);
    memcpy(before, robot->state->q, (size_t)robot->mech->n_q * sizeof(double));
    const pkm_status status = pkm_solve_position(robot->state, PKM_GIVEN_DRIVES, &target);
    CHECK(status == PKM_ERR_CONVERGENCE || status == PKM_ERR_SINGULAR);
    CHECK(memcmp(before, robot->state->q, (size_t)robot->mech->n_q * sizeof(double)) == 0);

    const pkm_target nowhere = {.q = {NAN, 0.0}};
    CHECK(pkm_solve_position(robot->state, PKM_GIVEN_DRIVES, &nowhere) != PKM_OK);
    CHECK(memcmp(before, robot->state->q, (size_t)robot->mech->n_q * sizeof(double)) == 0);
    pkm_robot_free(robot);
}

// From a position as far from the wanted one as here, the second step is more than an eighth of the
// first: a rule that asks for that gives up, at once and where it stood.
static void a_step_that_is_too_long_is_given_up(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    pkm_state* state = robot->state;
    const size_t size = (size_t)robot->mech->n_q * sizeof(double);
    pkm_robot_go_home(robot);
    pkm_target target = {.q = {robot->drive_home[0] + 0.7, robot->drive_home[1] + 0.7}};
    double before[16];
    memcpy(before, state->q, size);
    CHECK(pkm_solve_position(state, PKM_GIVEN_DRIVES, &target) == PKM_OK);
    CHECK(state->newton_second > 0.125 * state->newton_first);
    memcpy(state->q, before, size);
    pkm_newton_rule rule = pkm_newton_rule_exact();
    rule.contraction = 0.125;
    CHECK(pkm_solve_position_by(state, PKM_GIVEN_DRIVES, &target, &rule) == PKM_ERR_CONVERGENCE);
    CHECK(memcmp(before, state->q, size) == 0);
    target.q[0] = robot->drive_home[0] + 0.01;
    target.q[1] = robot->drive_home[1];
    rule.residual = 1e-5;
    CHECK(pkm_solve_position_by(state, PKM_GIVEN_DRIVES, &target, &rule) == PKM_OK);
    const double loose = pkm_solve_residual(state, PKM_GIVEN_DRIVES, NULL);
    CHECK(loose <= 1e-5 && loose > 1e-13);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(rates_of_all_bodies_meet_differences_of_solved_positions);
    RUN(tool_and_drive_modes_are_inverse);
    RUN(rods_do_not_spin);
    RUN(a_failed_solution_leaves_the_positions);
    RUN(a_step_that_is_too_long_is_given_up);
    return check_report();
}
