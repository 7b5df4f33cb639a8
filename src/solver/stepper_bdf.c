/// CVODE as a stepper.
#include "base/error.h"
#include "base/memory.h"
#include "solver/bdf.h"
#include "solver/stepper.h"

typedef struct method {
    pkm_bdf* bdf;
    pkm_stepper_system system;
} method;

static void free_method(void* m)
{
    method* x = m;
    if (x) pkm_bdf_free(x->bdf);
    pkm_free(x);
}

static pkm_status create(const pkm_stepper_system* system, void** m)
{
    method* x = *m = pkm_alloc(1, sizeof *x);
    if (!x) return PKM_ERR_MEMORY;
    x->system = *system;
    // memory for the linear systems, made once: steps allocate nothing
    if (system->solver.prepare) PKM_TRY(system->solver.prepare(system->ode.user));
    return pkm_bdf_create(system->ode.n, &x->bdf);
}

static pkm_status begin(void* m, const pkm_rk_settings* settings, double t, const double* y)
{
    method* x = m;
    // without a solver of the caller's CVODE takes dense matrices
    return pkm_bdf_begin(x->bdf, &x->system.ode, &x->system.solver, settings, t, y);
}

static pkm_status step(void* m, double t_limit)
{
    return pkm_bdf_step(((method*)m)->bdf, t_limit);
}

static double time_of(const void* m)
{
    return pkm_bdf_time(((const method*)m)->bdf);
}

static const double* state(const void* m)
{
    return pkm_bdf_state(((const method*)m)->bdf);
}

static double last_step(const void* m)
{
    return pkm_bdf_last_step(((const method*)m)->bdf);
}

static pkm_status dense(void* m, double t, double* y)
{
    return pkm_bdf_dense(((method*)m)->bdf, t, y);
}

/// It starts with order 1 and finds its own first step.
static pkm_status restart(void* m, double t, const double* y, double first_step)
{
    (void)first_step;
    return pkm_bdf_move(((method*)m)->bdf, t, y);
}

static pkm_stepper_counts counts(const void* m)
{
    // iterations that fail cost a step as errors do
    const pkm_bdf_report r = pkm_bdf_get_report(((const method*)m)->bdf);
    return (pkm_stepper_counts){.steps = r.steps,
                                .rejected = r.rejected + r.failures,
                                .rates = r.rates,
                                .factors = r.factors};
}

const pkm_stepper_kind pkm_stepper_bdf = {.name = "bdf",
                                          .end = PKM_END_NEAR,
                                          .projects = true,
                                          .resting = 1e-8,
                                          .create = create,
                                          .free = free_method,
                                          .begin = begin,
                                          .step = step,
                                          .time = time_of,
                                          .state = state,
                                          .last_step = last_step,
                                          .dense = dense,
                                          .restart = restart,
                                          .counts = counts};
