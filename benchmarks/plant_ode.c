#include "plant_ode.h"

#include "base/memory.h"
#include "dynamics/kinematics.h"

#include <string.h>

static void no_reference(void* user, double t, pkm_target* target)
{
    (void)user, (void)t, (void)target;
}

static pkm_status no_force(void* user, double t, const pkm_state* state, const double* z,
                           double* force, double* z_rate)
{
    (void)user, (void)t, (void)state, (void)z, (void)force, (void)z_rate;
    return PKM_OK;
}

static void give_state(plant_ode* ode, const double* y)
{
    pkm_state* state = ode->robot->state;
    memcpy(state->q, y, (size_t)ode->n_q * sizeof(double));
    memcpy(state->v, y + ode->n_q, (size_t)ode->n_v * sizeof(double));
    pkm_state_normalise(ode->robot->mech, state->q);
}

static pkm_status rate(void* user, double t, const double* y, double* dydt)
{
    plant_ode* ode = user;
    const pkm_state* state = ode->robot->state;
    give_state(ode, y);
    const pkm_status status = pkm_plant_evaluate(ode->plant, t, NULL, NULL);
    pkm_state_position_rates(ode->robot->mech, y, state->v, dydt);
    memcpy(dydt + ode->n_q, state->a, (size_t)ode->n_v * sizeof(double));
    return status;
}

static pkm_status project(void* user, double t, double* y)
{
    plant_ode* ode = user;
    const pkm_state* state = ode->robot->state;
    give_state(ode, y);
    const pkm_status status = pkm_plant_project(ode->plant, t);
    memcpy(y, state->q, (size_t)ode->n_q * sizeof(double));
    memcpy(y + ode->n_q, state->v, (size_t)ode->n_v * sizeof(double));
    return status;
}

pkm_status plant_ode_create(pkm_robot* robot, plant_force force, void* user, plant_ode* out,
                            pkm_error* err)
{
    const bool prescribed[PKM_MAX_DRIVE] = {false};
    const pkm_actuation actuation = {
        .user = user, .reference = no_reference, .force = force ? force : no_force};
    const pkm_plant_spec spec = {
        .structure = &robot->structure, .prescribed = prescribed, .actuation = &actuation};
    *out = (plant_ode){.robot = robot, .n_q = robot->mech->n_q, .n_v = robot->mech->n_v};
    pkm_status status = pkm_plant_create(robot->state, &spec, &out->plant, err);
    if (status == PKM_OK) status = pkm_rk_create(out->n_q + out->n_v, &out->rk);
    if (status != PKM_OK) return status;

    const size_t n = (size_t)(out->n_q + out->n_v);
    out->y0 = pkm_alloc(n, sizeof(double));
    out->atol = pkm_alloc(n, sizeof(double));
    out->dydt = pkm_alloc(n, sizeof(double));
    if (!out->y0 || !out->atol || !out->dydt) return PKM_ERR_MEMORY;
    memcpy(out->y0, robot->q_home, (size_t)out->n_q * sizeof(double));
    return PKM_OK;
}

void plant_ode_free(plant_ode* ode)
{
    pkm_rk_free(ode->rk);
    pkm_plant_free(ode->plant);
    pkm_free(ode->y0);
    pkm_free(ode->atol);
    pkm_free(ode->dydt);
}

pkm_status plant_ode_evaluate(plant_ode* ode, double t, const double* y)
{
    return rate(ode, t, y, ode->dydt);
}

pkm_status plant_ode_begin(plant_ode* ode, double tolerance, double step)
{
    const int n = ode->n_q + ode->n_v;
    const pkm_ode equations = {.n = n, .user = ode, .rate = rate, .project = project};
    const pkm_rk_settings settings = {
        .rtol = tolerance, .atol = ode->atol, .first_step = step, .max_step = step};
    for (int i = 0; i < n; ++i)
        ode->atol[i] = tolerance;
    return pkm_rk_begin(ode->rk, &equations, &settings, 0.0, ode->y0);
}

void plant_ode_place(plant_ode* ode)
{
    give_state(ode, pkm_rk_state(ode->rk));
    pkm_kinematics_position(ode->robot->state);
}
