/// What tests of flexible links share: a robot compiled with them, its plant, and free time
/// integration.
#ifndef PKM_TESTS_FLEXIBLE_H
#define PKM_TESTS_FLEXIBLE_H

#include "dynamics/kinematics.h"
#include "dynamics/modal.h"
#include "math/tensor.h"
#include "robot/run_variant.h"
#include "simulate.h"
#include "solver/explicit_rk.h"

/// A robot with flexible links, as the flexible part of a run file says.
typedef struct flex {
    pkm_robot* given;
    pkm_run* run;
    pkm_run_variant* made;
    pkm_machine* robot;
    pkm_plant* plant;
    double rate[PKM_MAX_DRIVE]; ///< of prescribed drives, constant
    pkm_target at;              ///< their positions at t = 0
} flex;

static inline void flex_reference(void* user, double t, pkm_target* target)
{
    const flex* f = user;
    *target = f->at;
    for (int d = 0; d < f->robot->mech->n_drive; ++d) {
        target->q[d] = f->at.q[d] + f->rate[d] * t;
        target->v[d] = f->rate[d];
        target->a[d] = 0.0;
    }
}

static inline pkm_status flex_force(void* user, double t, const pkm_state* state, const double* z,
                                    double* force, double* z_rate)
{
    (void)user, (void)t, (void)state, (void)z, (void)z_rate;
    memset(force, 0, PKM_MAX_DRIVE * sizeof *force);
    return PKM_OK;
}

static inline bool flex_compile(flex* f, const char* flexible, bool release)
{
    char text[2000];
    pkm_error err = {0};
    snprintf(text, sizeof text, "run: 1\nflexible: %s\n", flexible);
    pkm_status status = pkm_run_create(f->given, &f->run, &err);
    if (status == PKM_OK) status = pkm_run_parse(f->run, text, "run.yaml", &err);
    if (status == PKM_OK)
        status = pkm_run_variant_create(f->given, &f->run->effects, &f->made, &err);
    for (int j = 0; status == PKM_OK && release && j < f->given->desc->n_joint; ++j)
        f->made->released[j] = true;
    if (status == PKM_OK) status = pkm_robot_variant(f->given, &f->made->variant, &f->robot, &err);
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK);
    return status == PKM_OK;
}

/// `robot` with flexible links at home, at rest; `release`: without any joint; `prescribed`: the
/// drives turn at the rates f->rate, which may be changed; otherwise they are free.
static inline flex* flex_make(pkm_robot* robot, const char* flexible, bool release, bool prescribed)
{
    flex* f = pkm_alloc(1, sizeof *f);
    bool all[PKM_MAX_DRIVE];
    if (!f || !robot) return NULL;
    f->given = robot;
    if (!flex_compile(f, flexible, release)) return f;
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        all[d] = prescribed;
    for (int d = 0; d < f->robot->mech->n_drive; ++d)
        f->at.q[d] = pkm_state_drive_position(f->robot->state, d);
    const pkm_actuation actuation = {.user = f, .reference = flex_reference, .force = flex_force};
    const pkm_plant_spec spec = {
        .structure = &f->robot->structure, .prescribed = all, .actuation = &actuation};
    pkm_error err = {0};
    const pkm_status status = pkm_plant_create(f->robot->state, &spec, &f->plant, &err);
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK);
    return f;
}

static inline void flex_free(flex* f)
{
    if (!f) return;
    pkm_plant_free(f->plant);
    pkm_robot_variant_free(f->robot);
    pkm_run_variant_free(f->made);
    pkm_run_free(f->run);
    pkm_robot_free(f->given);
    pkm_free(f);
}

/// The body of the mechanism called `name` (not its frames).
static inline int flex_body(const flex* f, const char* name)
{
    const pkm_mechanism* mech = f->robot->mech;
    for (int i = 1; i < mech->n_body; ++i)
        if (mech->body[i].frame == PKM_NONE && strcmp(mech->body[i].name, name) == 0) return i;
    CHECK(!"a body of that name");
    return 0;
}

// ---- time integration -------------------------------------------------------------------------

static inline void flex_take(flex* f, const double* y)
{
    pkm_state* state = f->robot->state;
    memcpy(state->q, y, (size_t)state->mech->n_q * sizeof *y);
    memcpy(state->v, y + state->mech->n_q, (size_t)state->mech->n_v * sizeof *y);
    pkm_state_normalise(state->mech, state->q);
}

static inline pkm_status flex_rate(void* user, double t, const double* y, double* dydt)
{
    flex* f = user;
    pkm_state* state = f->robot->state;
    flex_take(f, y);
    const pkm_status status = pkm_plant_evaluate(f->plant, t, NULL, NULL);
    pkm_state_position_rates(state->mech, y, state->v, dydt);
    memcpy(dydt + state->mech->n_q, state->a, (size_t)state->mech->n_v * sizeof *y);
    return status;
}

static inline pkm_status flex_project(void* user, double t, double* y)
{
    flex* f = user;
    pkm_state* state = f->robot->state;
    flex_take(f, y);
    const pkm_status status = pkm_plant_project(f->plant, t);
    memcpy(y, state->q, (size_t)state->mech->n_q * sizeof *y);
    memcpy(y + state->mech->n_q, state->v, (size_t)state->mech->n_v * sizeof *y);
    return status;
}

/// Integrate from t = 0 at the present state to t = `end`; `look` is called after every step.
static inline void flex_go(flex* f, double end, double tolerance,
                           void (*look)(flex* f, double t, void* user), void* user)
{
    pkm_state* state = f->robot->state;
    const int n = state->mech->n_q + state->mech->n_v;
    double* y = pkm_alloc(2 * (size_t)n, sizeof *y);
    double* atol = y + n;
    const pkm_ode ode = {.n = n, .user = f, .rate = flex_rate, .project = flex_project};
    const pkm_rk_settings settings = {.rtol = tolerance, .atol = atol};
    pkm_rk* rk = NULL;
    for (int i = 0; i < n; ++i)
        atol[i] = tolerance * fmax(1e-3, state->mech->size);
    memcpy(y, state->q, (size_t)state->mech->n_q * sizeof *y);
    memcpy(y + state->mech->n_q, state->v, (size_t)state->mech->n_v * sizeof *y);
    CHECK(pkm_rk_create(n, &rk) == PKM_OK);
    pkm_status status = pkm_rk_begin(rk, &ode, &settings, 0.0, y);
    while (status == PKM_OK && pkm_rk_time(rk) < end) {
        status = pkm_rk_step(rk, end);
        flex_take(f, pkm_rk_state(rk));
        pkm_kinematics_position(state);
        pkm_kinematics_velocity(state);
        if (look) look(f, pkm_rk_time(rk), user);
    }
    CHECK(status == PKM_OK);
    pkm_rk_free(rk);
    pkm_free(y);
}

static inline pkm_wrench flex_rigid_momentum(const pkm_state* state, int i)
{
    const pkm_body_state* s = &state->body[i];
    const pkm_mass* mass = &state->mass[i];
    const pkm_vec3 com = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, mass->com));
    const pkm_vec3 spin =
        pkm_mat3_mul(s->R, pkm_inertia_times(mass->inertia, pkm_mat3_tmul(s->R, s->V.ang)));
    return pkm_wrench_at(com, pkm_vec3_scale(mass->mass, pkm_twist_at(s->V, com)), spin);
}

/// Momentum and moment of momentum about the world origin.
static inline pkm_wrench flex_momentum(const flex* f)
{
    pkm_state* state = f->robot->state;
    const pkm_mechanism* mech = state->mech;
    pkm_wrench sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double work[256];
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (!body->modal) {
            sum = pkm_wrench_add(sum, flex_rigid_momentum(state, i));
            continue;
        }
        const pkm_twist kept = state->body[i].A; // momentum is M v as force is M a
        state->body[i].A = state->body[i].V;
        sum = pkm_wrench_add(sum, pkm_modal_inertia(state, i, state->v + body->e_at, work));
        state->body[i].A = kept;
    }
    return sum;
}

/// What free flight keeps, and by how much it is off.
typedef struct flex_kept {
    double energy;
    pkm_wrench momentum;
    double off_energy, off_force, off_moment, most_strain;
} flex_kept;

static inline void flex_compare(flex* f, double t, void* user)
{
    flex_kept* k = user;
    const pkm_energy e = pkm_energy_now(f->robot->state);
    const pkm_wrench h = flex_momentum(f);
    const double all = e.kinetic + e.strain;
    if (t == 0.0) {
        k->energy = all;
        k->momentum = h;
    }
    k->most_strain = fmax(k->most_strain, e.strain);
    k->off_energy = fmax(k->off_energy, fabs(all - k->energy));
    k->off_force = fmax(k->off_force, pkm_vec3_norm(pkm_vec3_sub(h.force, k->momentum.force)));
    k->off_moment = fmax(k->off_moment, pkm_vec3_norm(pkm_vec3_sub(h.moment, k->momentum.moment)));
}

#endif
