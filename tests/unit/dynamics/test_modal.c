// Bodies that bend: motion of their frames against finite differences, elastic forces against the
// strain energy, and forward dynamics against the equations of motion.
#include "dynamics/equilibrium.h"
#include "flexible.h"

enum { MOST = 600 };

/// A robot and how it bends.
typedef struct example {
    const char *name, *flexible;
    bool prescribed;
} example;

// Rods between balls; cranks on their drives with rods on universal joints, all free; links in
// loops with redundant constraints.
static const example examples[] = {
    {"siax", "{left: {elements: 4}, right: {elements: 4}}", true},
    {"siax", "{left: {elements: 4}}", false},
    {"kuo", "{crank: {elements: 3}, rod: {elements: 3}}", false},
    {"kuo", "{crank: {elements: 3}}", true},
};
enum { N_EXAMPLE = sizeof examples / sizeof examples[0] };

/// At some state on the constraints: bent by about a millimetre, moving.
static flex* begin(const example* e)
{
    flex* f = flex_make(engine_load(e->name), e->flexible, false, e->prescribed);
    pkm_state* state = f->robot->state;
    const pkm_mechanism* mech = state->mech;
    unsigned seed = 7;
    CHECK(mech->n_v <= MOST);
    for (int d = 0; d < mech->n_drive; ++d)
        f->rate[d] = 2.0 * engine_noise(&seed);
    for (int k = 0; k < mech->n_v; ++k)
        state->v[k] = engine_noise(&seed);
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k) {
            const double soft = 30.0 / sqrt(body->modal->stiffness[k]); // some N each
            state->q[body->z_at + k] = 0.02 * soft * engine_noise(&seed);
            state->v[body->e_at + k] = 0.2 * soft * engine_noise(&seed);
        }
    }
    CHECK(pkm_plant_project(f->plant, 0.0) == PKM_OK);
    return f;
}

// ---- kinematics -------------------------------------------------------------------------------

static void all_kinematics(pkm_state* state, const double* a)
{
    pkm_kinematics_position(state);
    pkm_kinematics_velocity(state);
    pkm_kinematics_acceleration(state, a);
}

/// Velocity of a frame's origin at time h on q + h v + h^2/2 a, v + h a.
static void at_time(pkm_state* state, const double* q, const double* v, const double* a, double h)
{
    double step[MOST];
    const pkm_mechanism* mech = state->mech;
    for (int k = 0; k < mech->n_v; ++k) {
        step[k] = h * v[k] + 0.5 * h * h * a[k];
        state->v[k] = v[k] + h * a[k];
    }
    memcpy(state->q, q, (size_t)mech->n_q * sizeof *q);
    pkm_state_move(mech, state->q, step);
    all_kinematics(state, a);
}

// Central differences over 2e-6 s: rounding leaves 1e-9 of the velocities, and 1e-7 of
// accelerations.
static void frames_move_as_their_derivatives_say(void)
{
    for (int e = 0; e < N_EXAMPLE; ++e) {
        flex* f = begin(&examples[e]);
        pkm_state* state = f->robot->state;
        double q[MOST], v[MOST], a[MOST];
        unsigned seed = 5;
        memcpy(q, state->q, (size_t)state->mech->n_q * sizeof *q);
        memcpy(v, state->v, (size_t)state->mech->n_v * sizeof *v);
        for (int k = 0; k < state->mech->n_v; ++k)
            a[k] = 3.0 * engine_noise(&seed);
        const double h = 1e-6;
        for (int i = 1; i < state->mech->n_body; ++i) {
            if (state->mech->body[i].frame == PKM_NONE) continue;
            at_time(state, q, v, a, h);
            const pkm_body_state after = state->body[i];
            at_time(state, q, v, a, -h);
            const pkm_body_state before = state->body[i];
            at_time(state, q, v, a, 0.0);
            const pkm_body_state now = state->body[i];
            const pkm_vec3 speed = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(after.p, before.p));
            const pkm_mat3 turn = pkm_mat3_matmul(after.R, pkm_mat3_transpose(before.R));
            const pkm_vec3 spin =
                pkm_vec3_scale(0.5 / h, pkm_quat_to_rotvec(pkm_quat_from_mat3(turn)));
            const pkm_twist A = {pkm_vec3_scale(0.5 / h, pkm_vec3_sub(after.V.ang, before.V.ang)),
                                 pkm_vec3_scale(0.5 / h, pkm_vec3_sub(after.V.lin, before.V.lin))};
            CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(speed, pkm_twist_at(now.V, now.p))), 0.0,
                       1e-8 * (1.0 + pkm_vec3_norm(speed)));
            CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(spin, now.V.ang)), 0.0,
                       1e-8 * (1.0 + pkm_vec3_norm(spin)));
            CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(A.ang, now.A.ang)), 0.0,
                       1e-7 * (1.0 + pkm_vec3_norm(A.ang)));
            CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(A.lin, now.A.lin)), 0.0,
                       1e-7 * (1.0 + pkm_vec3_norm(A.lin)));
        }
        flex_free(f);
    }
}

// ---- elastic forces ---------------------------------------------------------------------------

/// Elastic forces of body i at rest without gravity; and its strain energy.
static double elastic(flex* f, int i, double* force)
{
    pkm_state* state = f->robot->state;
    pkm_energy energy = {0};
    pkm_kinematics_position(state);
    pkm_kinematics_velocity(state);
    pkm_kinematics_acceleration(state, NULL);
    pkm_modal_needed(state, i, force);
    pkm_modal_energy(state, i, &energy);
    return energy.strain;
}

// Times the values at -2 to 2 steps, over the step: the slope, exact for polynomials of degree
// four.
static const double weight[] = {1.0 / 12, -8.0 / 12, 0.0, 8.0 / 12, -1.0 / 12};

/// Bent, without velocities and weight.
static flex* begin_at_rest(const example* which)
{
    flex* f = begin(which);
    memset(f->robot->state->v, 0, (size_t)f->robot->mech->n_v * sizeof(double));
    f->robot->mech->gravity = (pkm_vec3){0.0, 0.0, 0.0};
    return f;
}

// The energy is a polynomial of degree four: differences over five points are exact.
static void elastic_forces_are_the_slope_of_the_strain_energy(void)
{
    for (int e = 0; e < N_EXAMPLE; ++e) {
        flex* f = begin_at_rest(&examples[e]);
        pkm_state* state = f->robot->state;
        for (int i = 1; i < state->mech->n_body; ++i) {
            const pkm_body* body = &state->mech->body[i];
            if (!body->modal) continue;
            const int n = body->modal->n_mode;
            double force[MOST], other[MOST];
            const double energy = elastic(f, i, force);
            for (int k = 0; k < n; ++k) {
                double* z = state->q + body->z_at + k;
                const double kept = *z, h = 0.05 / sqrt(body->modal->stiffness[k]);
                double rise = 0.0;
                for (int s = -2; s <= 2; ++s) {
                    if (s == 0) continue;
                    *z = kept + s * h;
                    rise += weight[s + 2] * elastic(f, i, other) / h;
                }
                *z = kept;
                CHECK_NEAR(rise, force[k], 1e-9 * (fabs(force[k]) + energy / h));
            }
        }
        flex_free(f);
    }
}

// Elastic forces are of degree three: differences over five points are exact. Implicit steps have
// the tangent of the stiffening beside the stiffness where it counts in a step, here of 1 ms.
static void tangents_are_the_slope_of_the_elastic_forces(void)
{
    int n_stiffened = 0;
    for (int e = 0; e < N_EXAMPLE; ++e) {
        flex* f = begin_at_rest(&examples[e]);
        pkm_state* state = f->robot->state;
        for (int i = 1; i < state->mech->n_body; ++i) {
            const pkm_body* body = &state->mech->body[i];
            if (!body->modal) continue;
            const int n = body->modal->n_mode;
            double rise[MOST], other[MOST], tangent[MOST], step[MOST];
            CHECK(n * n <= MOST);
            pkm_modal_find_tangent(state, i, 1e-3);
            memcpy(tangent, state->modal[i].tangent, (size_t)(n * n) * sizeof *tangent);
            n_stiffened += state->modal[i].is_stiffened;
            CHECK(pkm_modal_step_couples(state, i) == state->modal[i].is_stiffened);
            pkm_modal_step_matrix(state, i, 1e-3, step);
            for (int k = 0; k < n; ++k) {
                double* z = state->q + body->z_at + k;
                const double kept = *z, h = 0.05 / sqrt(body->modal->stiffness[k]);
                memset(rise, 0, sizeof rise);
                for (int s = -2; s <= 2; ++s) {
                    *z = kept + s * h;
                    elastic(f, i, other);
                    for (int j = 0; j < n; ++j)
                        rise[j] += weight[s + 2] * other[j] / h;
                }
                *z = kept;
                for (int j = 0; j < n; ++j) {
                    const double own = j == k ? body->modal->stiffness[k] : 0.0;
                    const double size = sqrt(body->modal->stiffness[j] * body->modal->stiffness[k]);
                    CHECK_NEAR(own + tangent[j * n + k], rise[j], 1e-9 * size);
                    if (state->modal[i].is_stiffened)
                        CHECK_NEAR(step[j * n + k], 1e-6 * (own + tangent[j * n + k]),
                                   1e-13 * (fabs(step[j * n + k]) + 1e-6 * size));
                }
            }
        }
        flex_free(f);
    }
    CHECK(n_stiffened > 0);
}

// ---- equations of motion ----------------------------------------------------------------------

static double largest(const double* x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(x[i]));
    return most;
}

// Accelerations by blocks leave nothing of the residual that implicit methods solve.
static void accelerations_satisfy_the_equations_of_motion(void)
{
    for (int e = 0; e < N_EXAMPLE; ++e) {
        flex* f = begin(&examples[e]);
        pkm_state* state = f->robot->state;
        const int n = state->mech->n_v;
        double lambda[MOST], r[MOST], phi[MOST], needed[MOST];
        CHECK(pkm_plant_evaluate(f->plant, 0.0, NULL, NULL) == PKM_OK);
        pkm_plant_begin_step(f->plant);
        pkm_plant_multipliers(f->plant, lambda);
        CHECK(pkm_plant_residual(f->plant, 0.0, lambda, NULL, r, phi, NULL) == PKM_OK);
        memcpy(needed, state->force, sizeof(double) * (size_t)n);
        CHECK(largest(needed, n) > 1.0);
        CHECK_NEAR(largest(r, n), 0.0, 1e-10 * largest(needed, n));
        CHECK_NEAR(largest(phi, pkm_plant_n_constraint(f->plant)), 0.0, 1e-10);
        flex_free(f);
    }
}

/// Rates of the constraints after time h of free motion.
static double constraint_rates(flex* f, const double* q, const double* v, const double* a, double h)
{
    double out[MOST];
    pkm_state* state = f->robot->state;
    at_time(state, q, v, a, h);
    CHECK(pkm_plant_factor(f->plant) == PKM_OK);
    pkm_plant_constraint_rates(f->plant, state->v, out);
    return largest(out, pkm_plant_n_constraint(f->plant));
}

// G v = 0 to the first order in time when G a + G' v = 0: the rest falls at least with the square
// (faster where the second derivative happens to vanish), so half the time leaves a quarter at
// most.
static void accelerations_keep_the_constraints(void)
{
    for (int e = 0; e < N_EXAMPLE; ++e) {
        flex* f = begin(&examples[e]);
        pkm_state* state = f->robot->state;
        double q[MOST], v[MOST], a[MOST];
        CHECK(pkm_plant_evaluate(f->plant, 0.0, NULL, NULL) == PKM_OK);
        pkm_plant_begin_step(f->plant);
        memcpy(q, state->q, (size_t)state->mech->n_q * sizeof *q);
        memcpy(v, state->v, (size_t)state->mech->n_v * sizeof *v);
        memcpy(a, state->a, (size_t)state->mech->n_v * sizeof *a);
        const double size = largest(v, state->mech->n_v);
        const double far = constraint_rates(f, q, v, a, 2e-8);
        const double near = constraint_rates(f, q, v, a, 1e-8);
        CHECK_NEAR(constraint_rates(f, q, v, a, 0.0), 0.0, 1e-11 * size);
        CHECK(near <= 0.3 * far + 1e-11 * size);
        flex_free(f);
    }
}

// ---- equilibrium ----

static void scale_gravity(void* user, double factor)
{
    ((pkm_mechanism*)user)->gravity = (pkm_vec3){0.0, 0.0, -9.81 * factor};
}

// Weight bends the rods of SIAX by little: one step of the loads, with the tangents at both of its
// ends. That without loads serves as it is, since nothing has to settle there.
static void small_loads_need_two_tangents(void)
{
    flex* f =
        flex_make(engine_load("siax"), "{left: {elements: 4}, right: {elements: 4}}", false, true);
    const pkm_rest_loads loads = {.scale = scale_gravity, .user = f->robot->mech};
    pkm_rest_report report;
    double needed[MOST];
    CHECK(pkm_plant_follow_loads(f->plant, 0.0, &loads, &report) == PKM_OK);
    CHECK(report.end == PKM_REST_FOUND);
    CHECK(report.factor == 1.0);
    CHECK(report.n_tangent == 2);
    pkm_state* state = f->robot->state; // and nothing accelerates
    CHECK(pkm_plant_evaluate(f->plant, 0.0, NULL, NULL) == PKM_OK);
    memcpy(needed, state->a, sizeof(double) * (size_t)state->mech->n_v);
    CHECK_NEAR(largest(needed, state->mech->n_v), 0.0, 1e-6);
    flex_free(f);
}

// ---- memory -----------------------------------------------------------------------------------

// What is kept of the forces belongs to positions and velocities alone.
static void forces_again_are_those_at_other_accelerations(void)
{
    for (int e = 0; e < N_EXAMPLE; ++e) {
        flex* f = begin(&examples[e]);
        pkm_state* state = f->robot->state;
        const int n_v = state->mech->n_v;
        double a[MOST] = {0.0}, again[MOST], size = 0.0;
        unsigned seed = 5;
        all_kinematics(state, a);
        pkm_inverse_forces(state);
        for (int k = 0; k < n_v; ++k)
            a[k] = 10.0 * engine_noise(&seed);
        pkm_kinematics_acceleration(state, a);
        pkm_inverse_forces_again(state);
        memcpy(again, state->force, (size_t)n_v * sizeof(double));
        pkm_inverse_forces(state);
        for (int k = 0; k < n_v; ++k)
            size = fmax(size, fabs(state->force[k]));
        for (int k = 0; k < n_v; ++k)
            CHECK_NEAR(again[k], state->force[k], 1e-13 * size);
        flex_free(f);
    }
}

static void nothing_is_allocated_in_evaluations(void)
{
    for (int e = 0; e < N_EXAMPLE; ++e) {
        flex* f = begin(&examples[e]);
        double lambda[MOST], r[MOST], phi[MOST];
        CHECK(pkm_plant_evaluate(f->plant, 0.0, NULL, NULL) == PKM_OK);
        const size_t before = pkm_alloc_count();
        for (int k = 0; k < 5; ++k) {
            CHECK(pkm_plant_evaluate(f->plant, 0.0, NULL, NULL) == PKM_OK);
            pkm_plant_multipliers(f->plant, lambda);
            CHECK(pkm_plant_residual(f->plant, 0.0, lambda, NULL, r, phi, NULL) == PKM_OK);
            CHECK(pkm_plant_project(f->plant, 0.0) == PKM_OK);
        }
        CHECK(pkm_alloc_count() == before);
        flex_free(f);
    }
}

int main(void)
{
    RUN(frames_move_as_their_derivatives_say);
    RUN(elastic_forces_are_the_slope_of_the_strain_energy);
    RUN(tangents_are_the_slope_of_the_elastic_forces);
    RUN(accelerations_satisfy_the_equations_of_motion);
    RUN(accelerations_keep_the_constraints);
    RUN(small_loads_need_two_tangents);
    RUN(forces_again_are_those_at_other_accelerations);
    RUN(nothing_is_allocated_in_evaluations);
    return check_report();
}
