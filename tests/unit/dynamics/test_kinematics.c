/// Positions, velocities and accelerations of the bodies: every joint type, in both directions.
#include "chains.h"

static const double H = 2e-3; // [s] of the differences: errors 1e-10 of truncation and of rounding
static const pkm_vec3 PROBE = {0.3, -0.2, 0.5}; // a point on every body

static pkm_vec3 probe(const pkm_state* state, int body)
{
    const pkm_body_state* s = &state->body[body];
    return pkm_vec3_add(s->p, pkm_mat3_mul(s->R, PROBE));
}

/// The frame of a marker-like pose on a body, in the world.
static pkm_mat3 frame_axes(const pkm_state* state, int body, pkm_pose frame)
{
    return pkm_mat3_matmul(state->body[body].R, pkm_mat3_from_quat(frame.q));
}

static pkm_vec3 frame_origin(const pkm_state* state, int body, pkm_pose frame)
{
    const pkm_body_state* s = &state->body[body];
    return pkm_vec3_add(s->p, pkm_mat3_mul(s->R, frame.p));
}

static double component(pkm_vec3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

static void check_zero(pkm_vec3 v, double tol)
{
    CHECK_NEAR(pkm_vec3_norm(v), 0.0, tol);
}

/// Do the two frames of joint j stand to each other as the type says?
static void check_joint_geometry(const pkm_state* state, int j)
{
    const double tol = 1e-14;
    const pkm_joint* joint = &state->mech->joint[j];
    const pkm_mat3 A = frame_axes(state, joint->body_a, joint->frame_a);
    const pkm_mat3 B = frame_axes(state, joint->body_b, joint->frame_b);
    const pkm_vec3 d = pkm_vec3_sub(frame_origin(state, joint->body_b, joint->frame_b),
                                    frame_origin(state, joint->body_a, joint->frame_a));
    const bool same_z = joint->type == PKM_JOINT_REVOLUTE || joint->type == PKM_JOINT_PRISMATIC ||
                        joint->type == PKM_JOINT_CYLINDRICAL || joint->type == PKM_JOINT_PLANAR ||
                        joint->type == PKM_JOINT_SCREW;
    if (same_z) check_zero(pkm_vec3_sub(A.z, B.z), tol);
    switch (joint->type) {
    case PKM_JOINT_FIXED:
        check_zero(d, tol);
        check_zero(pkm_vec3_sub(A.x, B.x), tol);
        check_zero(pkm_vec3_sub(A.z, B.z), tol);
        break;
    case PKM_JOINT_REVOLUTE:
    case PKM_JOINT_SPHERICAL:
        check_zero(d, tol);
        break;
    case PKM_JOINT_PRISMATIC:
        check_zero(pkm_vec3_sub(A.x, B.x), tol);
        check_zero(pkm_vec3_cross(d, A.z), tol);
        break;
    case PKM_JOINT_CYLINDRICAL:
        check_zero(pkm_vec3_cross(d, A.z), tol);
        break;
    case PKM_JOINT_UNIVERSAL:
        check_zero(d, tol);
        CHECK_NEAR(pkm_vec3_dot(A.z, B.z), 0.0, tol);
        break;
    case PKM_JOINT_PLANAR:
        CHECK_NEAR(pkm_vec3_dot(d, A.z), 0.0, tol);
        break;
    case PKM_JOINT_SCREW: { // the way is that of the angle, but for whole turns of 0.3 m
        const double angle = atan2(pkm_vec3_dot(B.x, A.y), pkm_vec3_dot(B.x, A.x));
        const double turns = pkm_vec3_dot(d, A.z) / 0.3 - angle / 6.283185307179586;
        check_zero(pkm_vec3_cross(d, A.z), tol);
        CHECK_NEAR(turns, round(turns), 1e-13);
        break;
    }
    case PKM_JOINT_DISTANCE:
    case PKM_JOINT_FREE:
    case PKM_JOINT_LOOSE:
        CHECK(false);
        break;
    }
}

static void every_joint_keeps_its_frames_together(void)
{
    for (int i = 0; i < CHAIN_N_TYPE; ++i) {
        for (int reversed = 0; reversed < 2; ++reversed) {
            chain c = chain_serial(chain_types[i], reversed, "");
            if (!c.state) continue;
            chain_shake(&c, 3u + (unsigned)i);
            pkm_kinematics_position(c.state);
            for (int j = 0; j < c.mech->n_joint; ++j)
                check_joint_geometry(c.state, j);
            CHECK(c.mech->n_closure == 0);
            chain_free(&c);
        }
    }
}

/// Velocities and accelerations of a point and the angular ones of every body, from positions.
static void check_rates(chain* c)
{
    enum { N = 5, MAX_BODY = 8, MAX_Q = 40 };
    double q0[MAX_Q];
    pkm_vec3 point[MAX_BODY][N], x[MAX_BODY][N], y[MAX_BODY][N], z[MAX_BODY][N];
    memcpy(q0, c->state->q, (size_t)c->mech->n_q * sizeof(double));
    for (int k = 0; k < N; ++k) {
        chain_move_to(c, q0, H * (k - 2));
        for (int b = 1; b < c->mech->n_body; ++b) {
            point[b][k] = probe(c->state, b);
            x[b][k] = c->state->body[b].R.x;
            y[b][k] = c->state->body[b].R.y;
            z[b][k] = c->state->body[b].R.z;
        }
    }
    chain_move_to(c, q0, 0.0);
    pkm_kinematics_velocity(c->state);
    pkm_kinematics_acceleration(c->state, c->state->a);
    for (int b = 1; b < c->mech->n_body; ++b) {
        const pkm_body_state* s = &c->state->body[b];
        const pkm_vec3 p = probe(c->state, b), v = pkm_twist_at(s->V, p);
        const pkm_vec3 a = pkm_twist_acceleration(s->V, s->A, p);
        const pkm_vec3* axis[3] = {x[b], y[b], z[b]};
        for (int i = 0; i < 3; ++i) {
            double f[N];
            for (int k = 0; k < N; ++k)
                f[k] = component(point[b][k], i);
            CHECK_NEAR(component(v, i), chain_first(f, H), 1e-8);
            CHECK_NEAR(component(a, i), chain_second(f, H), 1e-7);

            // e' = w x e and e'' = w' x e + w x (w x e) for the body's own axes
            const pkm_vec3 e = axis[i][2], e1 = pkm_vec3_cross(s->V.ang, e);
            const pkm_vec3 e2 =
                pkm_vec3_add(pkm_vec3_cross(s->A.ang, e), pkm_vec3_cross(s->V.ang, e1));
            for (int m = 0; m < 3; ++m) {
                for (int k = 0; k < N; ++k)
                    f[k] = component(axis[i][k], m);
                CHECK_NEAR(component(e1, m), chain_first(f, H), 1e-8);
                CHECK_NEAR(component(e2, m), chain_second(f, H), 1e-7);
            }
        }
    }
}

static void rates_of_every_joint_meet_differences_of_positions(void)
{
    for (int i = 0; i < CHAIN_N_TYPE; ++i) {
        for (int reversed = 0; reversed < 2; ++reversed) {
            chain c = chain_serial(chain_types[i], reversed, "");
            if (!c.state) continue;
            chain_shake(&c, 50u + (unsigned)i);
            check_rates(&c);
            chain_free(&c);
        }
    }
}

static const char floating_joints[] =
    "joints:\n"
    "  rod: {type: distance, between: [ground.G, one.A], length: 0.3}\n"
    "  ball: {type: spherical, between: [one.B, two.A]}\n"
    "  hinge: {type: revolute, between: [two.B, three.A]}\n"
    "  last: {type: revolute, between: [three.B, four.A]}\n";

static void rates_of_a_floating_body_meet_differences_of_positions(void)
{
    chain c = chain_build(floating_joints);
    if (!c.state) return;
    CHECK(c.mech->body[1].type == PKM_JOINT_FREE && c.mech->body[1].n_v == 6);
    chain_shake(&c, 9);
    check_rates(&c);
    chain_free(&c);
}

// Without accelerations only the part from the velocities is left; it is what a = 0 gives.
static void no_accelerations_are_zero_accelerations(void)
{
    chain c = chain_serial("universal", false, "");
    if (!c.state) return;
    chain_shake(&c, 4);
    pkm_kinematics_position(c.state);
    pkm_kinematics_velocity(c.state);
    pkm_kinematics_acceleration(c.state, NULL);
    const pkm_twist without = c.state->body[4].A;
    memset(c.state->a, 0, (size_t)c.mech->n_v * sizeof(double));
    pkm_kinematics_acceleration(c.state, c.state->a);
    CHECK(memcmp(&without, &c.state->body[4].A, sizeof without) == 0);
    CHECK(pkm_vec3_norm(without.lin) > 0.01);
    chain_free(&c);
}

// ---- coordinates of drives --------------------------------------------------------------------

/// Angle from a.x to b.x about a.z, and displacement of b in the axes of a.
static void measure(const pkm_state* state, int j, double* angle, pkm_vec3* shift)
{
    const pkm_joint* joint = &state->mech->joint[j];
    const pkm_mat3 A = frame_axes(state, joint->body_a, joint->frame_a);
    const pkm_mat3 B = frame_axes(state, joint->body_b, joint->frame_b);
    const pkm_vec3 d = pkm_vec3_sub(frame_origin(state, joint->body_b, joint->frame_b),
                                    frame_origin(state, joint->body_a, joint->frame_a));
    *angle = atan2(pkm_vec3_dot(A.y, B.x), pkm_vec3_dot(A.x, B.x));
    *shift = pkm_mat3_tmul(A, d);
}

static void drive_positions_are_those_of_the_joint_as_written(void)
{
    static const struct {
        const char *type, *coordinate;
        char quantity; // 'a'ngle, 'x', 'y' or 'z' displacement
    } cases[] = {{"revolute", "", 'a'},
                 {"prismatic", "", 'z'},
                 {"cylindrical", ", coordinate: angle", 'a'},
                 {"cylindrical", ", coordinate: displacement", 'z'},
                 {"planar", ", coordinate: x", 'x'},
                 {"planar", ", coordinate: y", 'y'},
                 {"planar", ", coordinate: angle", 'a'}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        for (int reversed = 0; reversed < 2; ++reversed) {
            char drive[128];
            snprintf(drive, sizeof drive, "drives: {d: {joint: tested, sign: -1, zero: 0.3%s}}\n",
                     cases[i].coordinate);
            chain c = chain_serial(cases[i].type, reversed, drive);
            if (!c.state) continue;
            chain_shake(&c, 7u + (unsigned)i);
            pkm_kinematics_position(c.state);
            double angle;
            pkm_vec3 shift;
            measure(c.state, pkm_mechanism_find_joint(c.mech, "tested"), &angle, &shift);
            const double value = cases[i].quantity == 'a'   ? angle
                                 : cases[i].quantity == 'x' ? shift.x
                                 : cases[i].quantity == 'y' ? shift.y
                                                            : shift.z;
            CHECK(fabs(value) > 0.01);
            CHECK_NEAR(pkm_state_drive_position(c.state, 0), 0.3 - value, 1e-14);
            chain_free(&c);
        }
    }
}

int main(void)
{
    RUN(every_joint_keeps_its_frames_together);
    RUN(rates_of_every_joint_meet_differences_of_positions);
    RUN(rates_of_a_floating_body_meet_differences_of_positions);
    RUN(no_accelerations_are_zero_accelerations);
    RUN(drive_positions_are_those_of_the_joint_as_written);
    return check_report();
}
