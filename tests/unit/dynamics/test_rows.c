/// The scalar equations: Jacobian entries against differences of residuals, accelerations against
/// second differences, wrenches, names.
#include "chains.h"
#include "dynamics/assembly.h"
#include "dynamics/rows.h"
#include "find.h"
#include "flexible.h"

enum { N = 5, MAX_ROW = 64, MAX_V = 24, MAX_Q = 32 };
static const double H = 2e-3;

static const char drives[] = "drives:\n"
                             "  dx: {joint: base, coordinate: x, sign: -1, zero: 0.2}\n"
                             "  da: {joint: foot, coordinate: angle}\n";

/// A loop of the type, closed, with random rates; the target is where the robot stands.
static chain closed_loop(const char* type, bool reversed, unsigned seed, pkm_target* target)
{
    const bool length = strcmp(type, "distance") == 0;
    char more[512];
    snprintf(more, sizeof more, "%s%s", drives,
             length && reversed ? "  dl: {joint: tested, sign: -1, zero: 0.1}\n" : "");
    chain c = chain_loop(type, reversed, more);
    if (!c.state) return c;
    chain_shake(&c, seed);
    pkm_assembly_report report;
    CHECK(pkm_assemble(c.state, NULL, 0, NULL, 1.0, &report) == PKM_OK);
    pkm_kinematics_position(c.state);
    *target = (pkm_target){.tool.pose = pkm_state_marker_pose(c.state, c.mech->tool)};
    for (int d = 0; d < c.mech->n_drive; ++d)
        target->q[d] = pkm_state_drive_position(c.state, d);
    return c;
}

static void residuals_at(chain* c, const pkm_target* target, double* out)
{
    pkm_kinematics_position(c->state);
    pkm_rows_all(c->state, target);
    memcpy(out, c->state->residual, (size_t)c->mech->n_row * sizeof(double));
}

static bool is_position_row(pkm_row_kind kind)
{
    return kind != PKM_ROW_SPIN && kind != PKM_ROW_HOLD;
}

/// Every column of the Jacobian from residuals on both sides.
static void check_jacobian(chain* c, const pkm_target* target)
{
    static double dense[MAX_ROW * MAX_V];
    double q0[MAX_Q], f[N][MAX_ROW];
    int row[MAX_ROW];
    const int n_row = c->mech->n_row;
    for (int r = 0; r < n_row; ++r)
        row[r] = r;
    memcpy(q0, c->state->q, (size_t)c->mech->n_q * sizeof(double));
    residuals_at(c, target, f[2]);
    pkm_rows_dense(c->state, row, n_row, dense);
    for (int k = 0; k < c->mech->n_v; ++k) {
        for (int i = 0; i < N; ++i) {
            double step[MAX_V] = {0};
            step[k] = H * (i - 2);
            memcpy(c->state->q, q0, (size_t)c->mech->n_q * sizeof(double));
            pkm_state_move(c->mech, c->state->q, step);
            residuals_at(c, target, f[i]);
        }
        for (int r = 0; r < n_row; ++r) {
            if (!is_position_row(c->mech->row[r].kind)) continue;
            const double values[N] = {f[0][r], f[1][r], f[2][r], f[3][r], f[4][r]};
            CHECK_NEAR(dense[k * n_row + r], chain_first(values, H), 1e-9);
        }
    }
    memcpy(c->state->q, q0, (size_t)c->mech->n_q * sizeof(double));
}

/// c'' of every row along a motion with accelerations.
static void check_bias(chain* c, const pkm_target* target)
{
    double q0[MAX_Q], f[N][MAX_ROW];
    int row[MAX_ROW], n = 0;
    for (int r = 0; r < c->mech->n_row; ++r)
        if (is_position_row(c->mech->row[r].kind)) row[n++] = r;
    CHECK(pkm_state_set_system(c->state, PKM_GIVEN_TOOL, row, n) == PKM_OK);
    memcpy(q0, c->state->q, (size_t)c->mech->n_q * sizeof(double));
    for (int i = 0; i < N; ++i) {
        chain_move_to(c, q0, H * (i - 2));
        residuals_at(c, target, f[i]);
    }
    chain_move_to(c, q0, 0.0);
    pkm_kinematics_velocity(c->state);
    pkm_kinematics_acceleration(c->state, c->state->a);
    pkm_rows_bias(c->state, PKM_GIVEN_TOOL);
    for (int i = 0; i < n; ++i) {
        const int r = row[i];
        const double values[N] = {f[0][r], f[1][r], f[2][r], f[3][r], f[4][r]};
        double got = c->state->bias[r];
        // a drive row of a tree coordinate has no bias: its c'' is the coordinate's own
        const pkm_row* at = &c->mech->row[r];
        if (at->kind == PKM_ROW_DRIVE && c->mech->drive[at->item].v_index != PKM_NONE)
            got = c->mech->drive[at->item].sign * c->state->a[c->mech->drive[at->item].v_index];
        CHECK_NEAR(got, chain_second(values, H), 1e-7);
    }
}

static const char* const loop_types[] = {"fixed",     "revolute",  "prismatic", "cylindrical",
                                         "universal", "spherical", "planar",    "distance"};
static const int loop_rows[] = {6, 5, 5, 4, 4, 3, 3, 1};
enum { N_LOOP = (int)(sizeof loop_types / sizeof loop_types[0]) };

static void jacobians_of_every_closure_meet_differences(void)
{
    for (int i = 0; i < N_LOOP; ++i) {
        for (int reversed = 0; reversed < 2; ++reversed) {
            pkm_target target;
            chain c = closed_loop(loop_types[i], reversed, 20u + (unsigned)i, &target);
            if (!c.state) continue;
            const bool driven = i == N_LOOP - 1 && reversed; // a driven length has no closure
            CHECK(c.mech->n_closure == (driven ? 0 : loop_rows[i]));
            CHECK(c.mech->n_v == 11);
            check_jacobian(&c, &target);
            chain_free(&c);
        }
    }
}

static void accelerations_of_every_closure_meet_second_differences(void)
{
    for (int i = 0; i < N_LOOP; ++i) {
        for (int reversed = 0; reversed < 2; ++reversed) {
            pkm_target target;
            chain c = closed_loop(loop_types[i], reversed, 70u + (unsigned)i, &target);
            if (!c.state) continue;
            check_bias(&c, &target);
            chain_free(&c);
        }
    }
}

// The formulas of c'' hold with open gaps too: nothing is dropped that vanishes only when closed.
static void accelerations_hold_with_open_loops(void)
{
    for (int i = 0; i < N_LOOP; ++i) {
        chain c = chain_loop(loop_types[i], false, drives);
        if (!c.state) continue;
        chain_shake(&c, 5u + (unsigned)i);
        pkm_kinematics_position(c.state);
        const pkm_target target = {.tool.pose = pkm_state_marker_pose(c.state, c.mech->tool)};
        check_bias(&c, &target);
        chain_free(&c);
    }
}

// What a row asks of the velocities is the power of its wrench between the two bodies.
static void wrenches_do_the_work_of_their_rows(void)
{
    for (int i = 0; i < N_LOOP; ++i) {
        pkm_target target;
        chain c = closed_loop(loop_types[i], false, 90u + (unsigned)i, &target);
        if (!c.state) continue;
        pkm_kinematics_position(c.state);
        pkm_kinematics_velocity(c.state);
        pkm_rows_all(c.state, &target);
        for (int r = 0; r < c.mech->n_closure; ++r) {
            const pkm_row* row = &c.mech->row[r];
            double rate = 0.0;
            for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
                rate += c.state->jacobian[e] * c.state->v[c.mech->column[e]];
            const pkm_twist relative =
                pkm_twist_axpy(c.state->body[row->body_b].V, -1.0, c.state->body[row->body_a].V);
            CHECK_NEAR(pkm_twist_dot(relative, c.state->wrench[r]), rate, 1e-13);
        }
        chain_free(&c);
    }
}

static const char rod_joints[] =
    "joints:\n"
    "  base: {type: planar, between: [ground.G, one.A]}\n"
    "  upper: {type: spherical, between: [one.B, two.A]}\n"
    "  lower: {type: spherical, between: [two.B, three.A]}\n"
    "  post: {type: cylindrical, between: [ground.H, four.A]}\n"
    "  wrist: {type: universal, between: [four.B, three.B], axis: [z, x]}\n";

// Body two hangs between two balls: its spin row is e . w, e from ball to ball.
static void spin_rows_give_the_spin_of_rods(void)
{
    chain c = chain_build(rod_joints);
    if (!c.state) return;
    chain_shake(&c, 31);
    CHECK(c.mech->n_spin == 1);
    const int r = c.mech->spin_row_at, two = find_body(c.mech, "two");
    CHECK(c.mech->row[r].item == two);
    CHECK(pkm_state_set_system(c.state, PKM_GIVEN_DRIVES, &r, 1) == PKM_OK);
    static const pkm_target anywhere;
    pkm_kinematics_position(c.state);
    pkm_kinematics_velocity(c.state);
    pkm_kinematics_acceleration(c.state, c.state->a);
    pkm_rows_all(c.state, &anywhere);
    pkm_rows_bias(c.state, PKM_GIVEN_DRIVES);

    // ends of the rod: A at (0, 0.1, 0.1), B at (0.3, 0, -0.2)
    const pkm_body_state* s = &c.state->body[two];
    const pkm_vec3 e = pkm_mat3_mul(s->R, pkm_vec3_unit((pkm_vec3){0.3, -0.1, -0.3}));
    const pkm_row* row = &c.mech->row[r];
    double rate = 0.0;
    for (int k = row->at; k < row->at + row->n_b; ++k)
        rate += c.state->jacobian[k] * c.state->v[c.mech->column[k]];
    const double sign = pkm_vec3_dot(c.state->wrench[r].moment, e) > 0.0 ? 1.0 : -1.0;
    CHECK_NEAR(rate, sign * pkm_vec3_dot(e, s->V.ang), 1e-14);
    CHECK_NEAR(c.state->bias[r], sign * pkm_vec3_dot(e, s->A.ang), 1e-14);
    chain_free(&c);
}

// A driven length: position, rate and acceleration of the drive from the two points.
static void drive_rates_meet_differences(void)
{
    pkm_target target;
    chain c = closed_loop("distance", true, 8, &target);
    if (!c.state) return;
    double q0[MAX_Q], f[MAX_ROW][N];
    memcpy(q0, c.state->q, (size_t)c.mech->n_q * sizeof(double));
    for (int i = 0; i < N; ++i) {
        chain_move_to(&c, q0, H * (i - 2));
        for (int d = 0; d < c.mech->n_drive; ++d)
            f[d][i] = pkm_state_drive_position(c.state, d);
    }
    chain_move_to(&c, q0, 0.0);
    pkm_kinematics_velocity(c.state);
    pkm_kinematics_acceleration(c.state, c.state->a);
    CHECK(c.mech->n_drive == 3);
    for (int d = 0; d < c.mech->n_drive; ++d) {
        double v, a;
        pkm_drive_rates(c.state, d, &v, &a);
        CHECK_NEAR(v, chain_first(f[d], H), 1e-9);
        CHECK_NEAR(a, chain_second(f[d], H), 1e-7);
    }
    chain_free(&c);
}

static void check_name(const chain* c, int row, const char* words)
{
    char name[200];
    pkm_row_name(c->mech, row, name, sizeof name);
    CHECK_TEXT(name, words);
}

static void rows_have_names(void)
{
    chain c = chain_loop("revolute", false, drives);
    if (!c.state) return;
    check_name(&c, 0, "tested: shift along x");
    check_name(&c, 3, "tested: turn about its y");
    check_name(&c, 4, "tested: turn about its x");
    check_name(&c, c.mech->drive_row_at + 1, "drive da");
    check_name(&c, c.mech->tool_row_at + 2, "tool z");
    check_name(&c, c.mech->tool_row_at + 3, "tool turn x");
    check_name(&c, c.mech->hold_row_at, "freedom 1 of joint base");
    chain_free(&c);

    c = chain_loop("prismatic", false, drives);
    check_name(&c, 1, "tested: shift along its y");
    check_name(&c, 4, "tested: turn about its z");
    chain_free(&c);

    c = chain_loop("universal", false, "");
    check_name(&c, 3, "tested: turn about its cross axis");
    chain_free(&c);

    c = chain_loop("distance", false, "");
    check_name(&c, 0, "tested: length");
    chain_free(&c);

    c = chain_build(rod_joints);
    check_name(&c, c.mech->spin_row_at, "spin of two");
    check_name(&c, c.mech->hold_row_at + 4, "freedom 2 of joint post");
    chain_free(&c);
}

// A link that bends floats: its six freedoms and its modes.
static void floating_bodies_and_modes_have_names(void)
{
    flex* f = flex_make(engine_load("siax"), "{left: {elements: 4}}", false, true);
    const chain c = {.mech = f->robot->mech};
    const int i = flex_body(f, "B.left");
    const pkm_body* body = &c.mech->body[i];
    CHECK(body->joint == PKM_NONE && body->modal);
    check_name(&c, c.mech->hold_row_at + body->v_at, "freedom 1 of floating body B.left");
    check_name(&c, c.mech->hold_row_at + body->v_at + 5, "freedom 6 of floating body B.left");
    check_name(&c, c.mech->hold_row_at + body->e_at + 1, "mode 2 of B.left");
    flex_free(f);
}

int main(void)
{
    RUN(jacobians_of_every_closure_meet_differences);
    RUN(accelerations_of_every_closure_meet_second_differences);
    RUN(accelerations_hold_with_open_loops);
    RUN(wrenches_do_the_work_of_their_rows);
    RUN(spin_rows_give_the_spin_of_rods);
    RUN(drive_rates_meet_differences);
    RUN(rows_have_names);
    RUN(floating_bodies_and_modes_have_names);
    return check_report();
}
