/// IDA as a stepper: it carries the state vector together with the multipliers of the form
/// F(t, Y, Y') = 0 and shows the state vector alone.
#include "base/error.h"
#include "base/memory.h"
#include "solver/ida.h"
#include "solver/stepper.h"

#include <math.h>
#include <string.h>

/// Smallest absolute tolerance: below it rounding in the residual is all there is to see.
static const double LEAST_TOLERANCE = 1e-14;

typedef struct method {
    pkm_ida* ida;
    pkm_stepper_system system;
    int n; ///< of all unknowns
    double *Y, *Yp, *atol;
    bool* is_algebraic;
} method;

static void free_method(void* m)
{
    method* x = m;
    if (!x) return;
    pkm_ida_free(x->ida);
    pkm_free(x->Y);
    pkm_free(x->is_algebraic);
    pkm_free(x);
}

static pkm_status create(const pkm_stepper_system* system, void** m)
{
    method* x = *m = pkm_alloc(1, sizeof *x);
    if (!x) return PKM_ERR_MEMORY;
    x->system = *system;
    x->n = system->ode.n + system->dae.n_more;
    const size_t n = (size_t)x->n;
    // Y, Y' and tolerances in one block
    x->Y = pkm_alloc(3 * n, sizeof(double));
    x->is_algebraic = pkm_alloc(n, sizeof(bool));
    if (!x->Y || !x->is_algebraic) return PKM_ERR_MEMORY;
    x->Yp = x->Y + n;
    x->atol = x->Yp + n;
    return pkm_ida_create(x->n, &x->ida);
}

/// Multipliers of an index 2 form converge one order later, and an error test on them stalls the
/// first steps: they are left out of it.
static pkm_status begin(void* m, const pkm_rk_settings* settings, double t, const double* y)
{
    method* x = m;
    const int n = x->system.ode.n;
    double first;
    for (int i = 0; i < x->n; ++i) {
        // multipliers behind the state
        x->is_algebraic[i] = i >= n;
        x->atol[i] =
            i < n ? fmax(settings->atol[i], LEAST_TOLERANCE) : x->system.dae.more_atol[i - n];
    }
    PKM_TRY(x->system.dae.complete(x->system.ode.user, t, y, x->Y, x->Yp, &first));
    const pkm_implicit form = {.n = x->n,
                               .user = x->system.ode.user,
                               .residual = x->system.dae.residual,
                               .is_algebraic = x->is_algebraic};
    const pkm_ida_settings own = {.rtol = settings->rtol,
                                  .atol = x->atol,
                                  .first_step = first,
                                  .min_step = settings->min_step,
                                  .max_step = settings->max_step,
                                  .ignore_algebraic = true};
    return pkm_ida_begin(x->ida, &form, &own, t, x->Y, x->Yp);
}

static pkm_status step(void* m, double t_limit)
{
    return pkm_ida_step(((method*)m)->ida, t_limit);
}

static double time_of(const void* m)
{
    return pkm_ida_time(((const method*)m)->ida);
}

static const double* state(const void* m)
{
    return pkm_ida_state(((const method*)m)->ida);
}

static double last_step(const void* m)
{
    return pkm_ida_last_step(((const method*)m)->ida);
}

static pkm_status dense(void* m, double t, double* y)
{
    method* x = m;
    PKM_TRY(pkm_ida_dense(x->ida, t, x->Y, NULL));
    memcpy(y, x->Y, (size_t)x->system.ode.n * sizeof *y);
    return PKM_OK;
}

/// With rates and multipliers that belong to the new state.
static pkm_status restart(void* m, double t, const double* y, double first_step)
{
    method* x = m;
    double first;
    (void)first_step;
    // the state stands before the multipliers in Y
    if (!y) y = pkm_ida_state(x->ida);
    PKM_TRY(x->system.dae.complete(x->system.ode.user, t, y, x->Y, x->Yp, &first));
    return pkm_ida_restart(x->ida, t, x->Y, x->Yp);
}

static pkm_stepper_counts counts(const void* m)
{
    const pkm_ida_report r = pkm_ida_get_report(((const method*)m)->ida);
    return (pkm_stepper_counts){.steps = r.steps,
                                .rejected = r.rejected + r.failures,
                                .rates = r.residuals,
                                .factors = r.jacobians};
}

const pkm_stepper_kind pkm_stepper_ida = {.name = "ida",
                                          .end = PKM_END_ELSEWHERE,
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
