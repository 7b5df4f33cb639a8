/// The explicit Runge-Kutta method as a stepper.
#include "base/memory.h"
#include "solver/stepper.h"

/// Step times angular frequency, a little inside the stability domain of the method.
static const double STABLE = 5.0;

typedef struct method {
    pkm_rk* rk;
    pkm_ode ode;
} method;

static void free_method(void* m)
{
    method* x = m;
    if (x) pkm_rk_free(x->rk);
    pkm_free(x);
}

static pkm_status create(const pkm_stepper_system* system, void** m)
{
    method* x = *m = pkm_alloc(1, sizeof *x);
    if (!x) return PKM_ERR_MEMORY;
    x->ode = system->ode;
    return pkm_rk_create(system->ode.n, &x->rk);
}

static pkm_status begin(void* m, const pkm_rk_settings* settings, double t, const double* y)
{
    method* x = m;
    return pkm_rk_begin(x->rk, &x->ode, settings, t, y);
}

static pkm_status step(void* m, double t_limit)
{
    return pkm_rk_step(((method*)m)->rk, t_limit);
}

static double time_of(const void* m)
{
    return pkm_rk_time(((const method*)m)->rk);
}

static const double* state(const void* m)
{
    return pkm_rk_state(((const method*)m)->rk);
}

static double last_step(const void* m)
{
    return pkm_rk_last_step(((const method*)m)->rk);
}

static double next_step(const void* m)
{
    return pkm_rk_next_step(((const method*)m)->rk);
}

static pkm_status dense(void* m, double t, double* y)
{
    return pkm_rk_dense(((method*)m)->rk, t, y);
}

static bool rough(const void* m, double t, double* y)
{
    return pkm_rk_rough(((const method*)m)->rk, t, y);
}

static pkm_status restart(void* m, double t, const double* y, double first_step)
{
    return pkm_rk_move(((method*)m)->rk, t, y, first_step);
}

static pkm_status repeat(void* m, double t)
{
    return pkm_rk_repeat(((method*)m)->rk, t);
}

static pkm_stepper_counts counts(const void* m)
{
    // a trial step that a callback refuses costs its stages like one whose error is too large
    const pkm_rk_report r = pkm_rk_get_report(((const method*)m)->rk);
    return (pkm_stepper_counts){.steps = r.steps,
                                .rejected = r.rejected + r.retries,
                                .rates = r.rates,
                                .is_stiff = r.is_stiff};
}

const pkm_stepper_kind pkm_stepper_explicit = {.name = "explicit",
                                               .end = PKM_END_EVALUATED,
                                               .projects = true,
                                               .stable = STABLE,
                                               .resting = 1e-8,
                                               .create = create,
                                               .free = free_method,
                                               .begin = begin,
                                               .step = step,
                                               .time = time_of,
                                               .state = state,
                                               .last_step = last_step,
                                               .next_step = next_step,
                                               .dense = dense,
                                               .rough = rough,
                                               .restart = restart,
                                               .repeat = repeat,
                                               .counts = counts};
