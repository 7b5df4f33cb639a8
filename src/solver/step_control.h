/// What all integrators share in choosing their steps.
#ifndef PKM_SOLVER_STEP_CONTROL_H
#define PKM_SOLVER_STEP_CONTROL_H

#include <float.h>
#include <math.h>

/// Length of the next trial step: the proposed one, the way to the limit when that is no longer
/// (but for rounding), or half that way when it is less than two steps, so that no crumb remains.
static inline double pkm_step_fit(double proposed, double way)
{
    if (way <= 1.000001 * proposed) return way;
    return way < 2.0 * proposed ? 0.5 * way : proposed;
}

/// The shortest step worth trying at time t: `min_step`, or what the rounding of t allows.
static inline double pkm_step_least(double min_step, double t)
{
    return fmax(min_step, 16.0 * DBL_EPSILON * fabs(t));
}

/// What an error of a component of this size is measured against, (1.2) and (1.8): no less than
/// what rounding of the component does in an iteration.
static inline double pkm_step_scale(double atol, double rtol, const double* part, double size)
{
    static const double ROUNDING = 256.0 * DBL_EPSILON;
    const double of_size = part ? fmax(*part * rtol, fmin(rtol, ROUNDING)) : rtol;
    return (part ? *part : 1.0) * atol + of_size * size;
}

#endif
