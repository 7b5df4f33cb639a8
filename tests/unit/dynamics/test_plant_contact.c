// Contacts in the plant: crosses as bodies, forces on both sides, where journals are.
#include "clearance.h"
#include "dynamics/kinematics.h"
#include "find.h"
#include "plant.h"

/// A robot without the joints that have clearance, and its plant.
typedef struct loose {
    plant_parts of;
    double z[64], z_rate[64];
} loose;

static loose make(const char* model, const char* clearance)
{
    loose l = {.of.given = engine_from(model)};
    const pkm_actuation actuation = {.reference = no_reference, .force = no_force};
    CHECK(pkm_run_create(l.of.given, &l.of.run, NULL) == PKM_OK);
    CHECK(pkm_run_set(l.of.run, "clearance", clearance, "--clearance", NULL) == PKM_OK);
    plant_make(&l.of, false, &actuation);
    CHECK(pkm_plant_n_state(l.of.plant) <= 64);
    pkm_plant_start_states(l.of.plant, l.z);
    return l;
}

static const char cardan_model[] =
    "pkm: 1\nname: cardan\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n  rod: {mass: 1, com: [0, 0, -0.2], inertia: [0.02, 0.02, 0.01], points: {O: [0, 0, "
    "0]}}\n"
    "joints:\n  J: {type: universal, between: [ground.O, rod.O], axis: [x, y]}\n";

/// Angular momentum of the cross in world axes from its states: two pins of 50 g, 40 mm by 20 mm.
static pkm_vec3 cross_momentum(const double* z)
{
    const double m = 0.05, R = 0.01, L = 0.04, along = 0.5 * m * R * R,
                 across = m * (L * L / 12.0 + 0.25 * R * R);
    const pkm_mat3 turn = pkm_mat3_from_quat(pkm_quat_unit((pkm_quat){z[3], z[4], z[5], z[6]}));
    const pkm_vec3 w = pkm_mat3_tmul(turn, (pkm_vec3){z[10], z[11], z[12]});
    return pkm_mat3_mul(
        turn, (pkm_vec3){(along + across) * w.x, 2.0 * across * w.y, (along + across) * w.z});
}

/// In flight nothing turns the cross: its angular momentum stays, and it falls.
static void a_cross_in_flight_keeps_its_momentum(void)
{
    loose l = make(cardan_model, "J: {radial: 1 mm, radius: 10 mm, length: 40 mm, axial: 1 mm, "
                                 "cross_mass: 0.1 kg, stiffness: 1e10}");
    CHECK(pkm_plant_n_state(l.of.plant) == 13 && pkm_plant_n_pair(l.of.plant) == 2);
    l.z[10] = 3.0, l.z[11] = -2.0, l.z[12] = 4.0;
    CHECK(pkm_plant_evaluate(l.of.plant, 0.0, l.z, l.z_rate) == PKM_OK);
    double up[13], down[13];
    const double h = 1e-5;
    for (int i = 0; i < 13; ++i) {
        up[i] = l.z[i] + h * l.z_rate[i];
        down[i] = l.z[i] - h * l.z_rate[i];
    }
    const pkm_vec3 change = pkm_vec3_sub(cross_momentum(up), cross_momentum(down));
    CHECK_NEAR(pkm_vec3_norm(change) / (2.0 * h), 0.0, 1e-11); // of w h = 1e-4
    CHECK_NEAR(l.z_rate[9], -9.81, 1e-15);
    plant_release(&l.of);
}

/// Velocities of both pairs, time `h` later along the rates of an evaluation at q, v.
static void velocities_at(loose* l, const double* q, const double* v, double h, pkm_vec3 out[4])
{
    pkm_state* state = l->of.robot->state;
    double step[6], z[64], z_rate[64];
    for (int i = 0; i < 6; ++i) {
        step[i] = h * v[i];
        state->v[i] = v[i] + h * state->a[i];
    }
    memcpy(state->q, q, (size_t)l->of.robot->mech->n_q * sizeof *q);
    pkm_state_move(l->of.robot->mech, state->q, step);
    for (int i = 0; i < pkm_plant_n_state(l->of.plant); ++i)
        z[i] = l->z[i] + h * l->z_rate[i];
    double a[6];
    memcpy(a, state->a, sizeof a);
    CHECK(pkm_plant_evaluate(l->of.plant, h, z, z_rate) == PKM_OK);
    memcpy(state->a, a, sizeof a);
    for (int k = 0; k < 2; ++k) {
        out[2 * k] = pkm_plant_pair(l->of.plant, k)->motion.v;
        out[2 * k + 1] = pkm_plant_pair(l->of.plant, k)->motion.w;
    }
}

/// Between ground and cross and between cross and rod: what velocities change by (central
/// differences) is the acceleration, in axes that turn.
static void check_accelerations(const char* friction)
{
    char clearance[300];
    snprintf(clearance, sizeof clearance,
             "J: {radial: 1 mm, radius: 10 mm, length: 40 mm, axial: 1 mm, cross_mass: 0.1 kg, "
             "stiffness: 1e10%s}",
             friction);
    loose l = make(cardan_model, clearance);
    pkm_state* state = l.of.robot->state;
    double q[7], v[6] = {0.3, -0.2, 0.5, 1.5, -2.5, 2.0};
    CHECK(l.of.robot->mech->n_v == 6 && l.of.robot->mech->n_q == 7);
    memcpy(q, state->q, sizeof q);
    memcpy(state->v, v, sizeof v);
    double* cross = l.z + pkm_plant_n_state(l.of.plant) - PKM_CROSS_STATES; // behind the bristles
    for (int i = 7; i < PKM_CROSS_STATES; ++i)
        cross[i] = 0.4 * (i - 9);
    CHECK(pkm_plant_evaluate(l.of.plant, 0.0, l.z, l.z_rate) == PKM_OK);
    pkm_kinematics_acceleration(state, state->a);
    pkm_clearance_motion a[2];
    for (int k = 0; k < 2; ++k)
        a[k] = pkm_plant_pair_acceleration(l.of.plant, k, l.z_rate);
    const double h = 1e-5;
    pkm_vec3 up[4], down[4];
    velocities_at(&l, q, v, h, up);
    velocities_at(&l, q, v, -h, down);
    for (int k = 0; k < 4; ++k) {
        const pkm_vec3 want = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(up[k], down[k]));
        const pkm_vec3 is = k % 2 ? a[k / 2].w : a[k / 2].v;
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(is, want)), 0.0, 1e-7 * (1.0 + pkm_vec3_norm(want)));
        CHECK(pkm_vec3_norm(want) > 0.1);
    }
    plant_release(&l.of);
}

static void pairs_of_a_cross_accelerate_as_their_velocities_change(void)
{
    check_accelerations("");
    check_accelerations(", friction: {law: lugre, static: 0.2}");
}

/// A rod between two sockets of the ground; in the second its ball is pressed.
static const char rod_model[] =
    "pkm: 1\nname: two\ngravity: [0, 0, 0]\nground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n  a: {mass: 2, inertia: [0.1, 0.1, 0.1], points: {O: [0, 0, 0], A: [0.5, 0, 0]}}\n"
    "  b: {mass: 3, inertia: [0.2, 0.1, 0.3], points: {A: [0, 0, 0]}, pose: {at: [0.5, 0, 0]}}\n"
    "joints:\n  O: {type: spherical, between: [ground.O, a.O]}\n"
    "  A: {type: spherical, between: [a.A, b.A]}\n";

/// Two floating bodies push each other: momentum and its moment stay.
static void contacts_act_on_both_sides(void)
{
    loose l = make(rod_model, "spherical: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10, "
                              "friction: {law: coulomb, static: 0.2}}");
    pkm_state* state = l.of.robot->state;
    const int a = find_body(l.of.robot->mech, "a");
    const int b = find_body(l.of.robot->mech, "b");
    CHECK(l.of.robot->mech->body[a].n_v == 6 && l.of.robot->mech->body[b].n_v == 6);
    double* q = state->q + l.of.robot->mech->body[b].q_at;
    double* v = state->v + l.of.robot->mech->body[b].v_at;
    q[0] += 6e-5, q[1] += 9e-5, q[2] -= 2e-5; // 0.11 mm from the centre
    for (int i = 0; i < 6; ++i)
        v[i] = 0.1 * (i + 1);
    for (int k = 0; k < pkm_plant_n_contact(l.of.plant); ++k)
        pkm_plant_memory(l.of.plant)[k] = (pkm_contact_memory){true, 0.1};
    CHECK(pkm_plant_evaluate(l.of.plant, 0.0, l.z, l.z_rate) == PKM_OK);
    pkm_kinematics_acceleration(state, state->a);
    CHECK(pkm_plant_pair(l.of.plant, 1)->force.contact[0].normal > 100.0);
    pkm_vec3 force = {0.0, 0.0, 0.0}, moment = force;
    for (int i = 1; i <= 2; ++i) { // spheres and their like: the COM is the origin
        const pkm_body* body = &l.of.robot->mech->body[i];
        const pkm_body_state* s = &state->body[i];
        const pkm_vec3 acc = pkm_twist_acceleration(s->V, s->A, s->p);
        const pkm_vec3 w = pkm_mat3_tmul(s->R, s->V.ang), dw = pkm_mat3_tmul(s->R, s->A.ang);
        const pkm_vec3 h = {body->inertia[0] * w.x, body->inertia[1] * w.y, body->inertia[2] * w.z};
        const pkm_vec3 dh = {body->inertia[0] * dw.x, body->inertia[1] * dw.y,
                             body->inertia[2] * dw.z};
        const pkm_vec3 f = pkm_vec3_scale(body->mass, acc);
        const pkm_vec3 turn = pkm_mat3_mul(s->R, pkm_vec3_add(dh, pkm_vec3_cross(w, h)));
        force = pkm_vec3_add(force, f);
        moment = pkm_vec3_add(moment, pkm_vec3_add(turn, pkm_vec3_cross(s->p, f)));
    }
    CHECK_NEAR(pkm_vec3_norm(force), 0.0, 1e-10);
    CHECK_NEAR(pkm_vec3_norm(moment), 0.0, 1e-10);
    plant_release(&l.of);
}

/// What contacts lose and store is what the bodies give: the rate of their energy is minus both.
static void powers_balance(void)
{
    loose l = make(rod_model, "spherical: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10, "
                              "law: flores, restitution: 0.5, friction: {static: 0.2}}");
    pkm_state* state = l.of.robot->state;
    const int b = find_body(l.of.robot->mech, "b");
    double *q = state->q + l.of.robot->mech->body[b].q_at,
           *v = state->v + l.of.robot->mech->body[b].v_at;
    q[0] += 8e-5, q[1] += 7e-5;
    for (int i = 0; i < 6; ++i)
        v[i] = 0.03 * (i + 1);
    for (int k = 0; k < pkm_plant_n_contact(l.of.plant); ++k)
        pkm_plant_memory(l.of.plant)[k] = (pkm_contact_memory){true, 0.1};
    CHECK(pkm_plant_evaluate(l.of.plant, 0.0, l.z, l.z_rate) == PKM_OK);
    pkm_kinematics_acceleration(state, state->a);
    const pkm_ledger_rates now = pkm_plant_ledger(l.of.plant);
    const double rate = pkm_plant_energy(l.of.plant).rate;
    const double h = 1e-8; // the energy stored a little later, less a little earlier
    double stored[2];
    for (int k = 0; k < 2; ++k) {
        double step[12];
        for (int i = 0; i < 12; ++i)
            step[i] = (k ? h : -h) * state->v[i];
        pkm_state_move(l.of.robot->mech, state->q, step);
        pkm_plant_find_contacts(l.of.plant, l.z);
        stored[k] = pkm_plant_pair(l.of.plant, 1)->force.stored;
        for (int i = 0; i < 12; ++i)
            step[i] = -step[i];
        pkm_state_move(l.of.robot->mech, state->q, step);
    }
    CHECK(now.contact > 0.0 && now.friction > 0.0);
    CHECK_NEAR((rate + now.contact + now.friction) / ((stored[0] - stored[1]) / (2.0 * h)), 1.0,
               1e-5);
    plant_release(&l.of);
}

int main(void)
{
    RUN(a_cross_in_flight_keeps_its_momentum);
    RUN(pairs_of_a_cross_accelerate_as_their_velocities_change);
    RUN(contacts_act_on_both_sides);
    RUN(powers_balance);
    return check_report();
}
