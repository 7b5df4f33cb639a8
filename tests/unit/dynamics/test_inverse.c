/// Forces of inertia and weight, drive forces and energy, against rates of momentum.
#include "chains.h"
#include "dynamics/inverse.h"
#include "linkages.h"

#include "dynamics/motion_solve.h"

enum { N = 5, MAX_BODY = 8, MAX_V = 24, MAX_Q = 32 };
static const double H = 2e-3;

/// Momentum and spin about the centre of mass of a body, in world axes.
static pkm_wrench momentum(const pkm_state* state, int b)
{
    const pkm_body* body = &state->mech->body[b];
    const pkm_body_state* s = &state->body[b];
    const double* J = body->inertia;
    const pkm_vec3 c = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, body->com));
    const pkm_vec3 w = pkm_mat3_tmul(s->R, s->V.ang);
    const pkm_vec3 spin = {J[0] * w.x + J[3] * w.y + J[4] * w.z,
                           J[3] * w.x + J[1] * w.y + J[5] * w.z,
                           J[4] * w.x + J[5] * w.y + J[2] * w.z};
    return (pkm_wrench){pkm_vec3_scale(body->mass, pkm_twist_at(s->V, c)),
                        pkm_mat3_mul(s->R, spin)};
}

/// Rates of momentum along the motion q(t) with the rates v + a t, by differences.
static void momentum_rates(chain* c, pkm_wrench* out)
{
    static const double weight[N] = {1.0 / 12.0, -8.0 / 12.0, 0.0, 8.0 / 12.0, -1.0 / 12.0};
    double q0[MAX_Q], v0[MAX_V];
    memcpy(q0, c->state->q, (size_t)c->mech->n_q * sizeof(double));
    memcpy(v0, c->state->v, (size_t)c->mech->n_v * sizeof(double));
    memset(out, 0, MAX_BODY * sizeof *out);
    for (int i = 0; i < N; ++i) {
        const double t = H * (i - 2);
        chain_move_to(c, q0, t);
        for (int k = 0; k < c->mech->n_v; ++k)
            c->state->v[k] = v0[k] + t * c->state->a[k];
        pkm_kinematics_velocity(c->state);
        for (int b = 1; b < c->mech->n_body; ++b)
            out[b] = pkm_wrench_axpy(out[b], weight[i] / H, momentum(c->state, b));
        memcpy(c->state->v, v0, (size_t)c->mech->n_v * sizeof(double));
    }
    chain_move_to(c, q0, 0.0);
}

/// d'Alembert: the force on velocity k is the power of all bodies' rates of momentum, less weight
/// and load, on the motion that this velocity makes alone.
static double virtual_power(chain* c, const pkm_wrench* rate, int k)
{
    double v0[MAX_V], power = 0.0;
    memcpy(v0, c->state->v, (size_t)c->mech->n_v * sizeof(double));
    for (int i = 0; i < c->mech->n_v; ++i)
        c->state->v[i] = i == k;
    pkm_kinematics_velocity(c->state);
    for (int b = 1; b < c->mech->n_body; ++b) {
        const pkm_body* body = &c->mech->body[b];
        const pkm_body_state* s = &c->state->body[b];
        const pkm_vec3 at = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, body->com));
        const pkm_vec3 weight = pkm_vec3_scale(body->mass, c->mech->gravity);
        const pkm_vec3 f = pkm_vec3_sub(rate[b].force, weight);
        power += pkm_vec3_dot(f, pkm_twist_at(s->V, at)) + pkm_vec3_dot(rate[b].moment, s->V.ang);
        power -= pkm_twist_dot(s->V, c->state->load[b]);
    }
    memcpy(c->state->v, v0, (size_t)c->mech->n_v * sizeof(double));
    return power;
}

/// The derivatives at t = 0 see q' = v and v' = a only, so any motion with these will do.
static void check_forces(chain* c)
{
    pkm_wrench rate[MAX_BODY];
    momentum_rates(c, rate);
    double want[MAX_V];
    for (int k = 0; k < c->mech->n_v; ++k)
        want[k] = virtual_power(c, rate, k);
    pkm_kinematics_velocity(c->state);
    pkm_kinematics_acceleration(c->state, c->state->a);
    pkm_inverse_forces(c->state);
    for (int k = 0; k < c->mech->n_v; ++k)
        CHECK_NEAR(c->state->force[k], want[k], 1e-7);
}

static void forces_of_every_joint_meet_rates_of_momentum(void)
{
    for (int i = 0; i < CHAIN_N_TYPE; ++i) {
        for (int reversed = 0; reversed < 2; ++reversed) {
            chain c = chain_serial(chain_types[i], reversed, "");
            if (!c.state) continue;
            chain_shake(&c, 12u + (unsigned)i);
            c.state->load[2] = (pkm_wrench){{1.0, -2.0, 3.0}, {0.3, 0.2, -0.1}};
            check_forces(&c);
            chain_free(&c);
        }
    }
}

// A pendulum: mass 1.2 at 0.5 m with inertia 0.02 about its axis.
static void a_pendulum_needs_its_known_torque(void)
{
    pkm_robot* robot = engine_from("pkm: 1\nname: pendulum\ngravity: [0, -9.81, 0]\n"
                                   "ground: {points: {O: [0, 0, 0]}}\n"
                                   "bodies: {bob: {mass: 1.2, com: [0.5, 0, 0],\n"
                                   "  inertia: [0, 0.02, 0.02], points: {O: [0, 0, 0]}}}\n"
                                   "joints: {O: {type: revolute, between: [ground.O, bob.O]}}\n"
                                   "drives: {q: {joint: O}}\ntool: bob.O\n");
    if (!robot) return;
    const pkm_target target = {.q = {0.4}, .v = {3.0}, .a = {-7.0}};
    double torque = NAN;
    CHECK(pkm_solve_position(robot->state, PKM_GIVEN_DRIVES, &target) == PKM_OK);
    pkm_solve_velocity(robot->state, PKM_GIVEN_DRIVES, &target);
    pkm_solve_acceleration(robot->state, PKM_GIVEN_DRIVES, &target);
    pkm_inverse_forces(robot->state);
    pkm_inverse_drive_forces(robot->state, &torque);
    const double inertia = 0.02 + 1.2 * 0.25, weight = 1.2 * 9.81 * 0.5;
    CHECK_NEAR(torque, inertia * -7.0 + weight * cos(0.4), 1e-13);

    const pkm_energy e = pkm_energy_now(robot->state);
    CHECK_NEAR(e.kinetic, 0.5 * inertia * 9.0, 1e-14);
    CHECK_NEAR(e.potential, weight * sin(0.4), 1e-14);
    CHECK_NEAR(e.rate, torque * 3.0, 1e-12);
    pkm_robot_free(robot);
}

// The column of the mass matrix from accelerations alone is the change of the forces.
static void inertia_forces_are_the_part_of_the_accelerations(void)
{
    chain c = chain_serial("universal", false, "");
    if (!c.state) return;
    chain_shake(&c, 77);
    double first[MAX_V], Mx[MAX_V], x[MAX_V];
    unsigned seed = 3;
    for (int k = 0; k < c.mech->n_v; ++k)
        x[k] = engine_noise(&seed);
    pkm_kinematics_position(c.state);
    pkm_kinematics_velocity(c.state);
    pkm_kinematics_acceleration(c.state, c.state->a);
    pkm_inverse_forces(c.state);
    memcpy(first, c.state->force, (size_t)c.mech->n_v * sizeof(double));
    for (int k = 0; k < c.mech->n_v; ++k)
        c.state->a[k] += x[k];
    pkm_kinematics_acceleration(c.state, c.state->a);
    pkm_inverse_forces(c.state);
    pkm_inverse_inertia_forces(c.state, x, Mx);
    for (int k = 0; k < c.mech->n_v; ++k)
        CHECK_NEAR(c.state->force[k] - first[k], Mx[k], 1e-13);
    chain_free(&c);
}

static void the_mass_matrix_is_symmetric(void)
{
    chain c = chain_serial("cylindrical", true, "");
    if (!c.state) return;
    chain_shake(&c, 8);
    pkm_kinematics_position(c.state);
    double M[MAX_V][MAX_V];
    const int n = c.mech->n_v;
    for (int k = 0; k < n; ++k) {
        double x[MAX_V] = {0.0};
        x[k] = 1.0;
        pkm_inverse_inertia_forces(c.state, x, M[k]);
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
            CHECK_NEAR(M[i][j], M[j][i], 1e-15);
    chain_free(&c);
}

// A load on a body is felt by the drives with the opposite sign of what it does to them.
static void loads_do_virtual_work(void)
{
    pkm_robot* robot = engine_from(strut_hexapod);
    if (!robot) return;
    double before[PKM_MAX_DRIVE], after[PKM_MAX_DRIVE];
    pkm_target home = {.q = {0.0}};
    memcpy(home.q, robot->drive_home, sizeof home.q);
    CHECK(pkm_solve_position(robot->state, PKM_GIVEN_DRIVES, &home) == PKM_OK);
    pkm_inverse_forces(robot->state);
    pkm_inverse_drive_forces(robot->state, before);
    const pkm_wrench load = {{1.0, 2.0, -3.0}, {0.4, -0.5, 0.6}};
    robot->state->load[1] = load;
    pkm_inverse_forces(robot->state);
    pkm_inverse_drive_forces(robot->state, after);
    for (int d = 0; d < 6; ++d) {
        pkm_target target = home;
        target.v[d] = 1.0;
        pkm_solve_velocity(robot->state, PKM_GIVEN_DRIVES, &target);
        CHECK_NEAR(after[d] - before[d], -pkm_twist_dot(robot->state->body[1].V, load), 1e-12);
    }
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(forces_of_every_joint_meet_rates_of_momentum);
    RUN(a_pendulum_needs_its_known_torque);
    RUN(inertia_forces_are_the_part_of_the_accelerations);
    RUN(the_mass_matrix_is_symmetric);
    RUN(loads_do_virtual_work);
    return check_report();
}
