// A number as a function of time: constant, samples held or joined by straight lines, a formula, or
// an input that another program sets. Before the first and behind the last sample the value is that
// of the sample. Used by loads and references; docs/theory/forces.md, section 3.
#include "force/signal.h"

#include "base/error.h"

#include <math.h>

pkm_signal pkm_signal_constant(double value)
{
    return (pkm_signal){.kind = PKM_SIGNAL_CONSTANT, .value = value};
}

pkm_signal pkm_signal_steps(const double* t, const double* y, int n_sample)
{
    return (pkm_signal){.kind = PKM_SIGNAL_STEPS, .n_sample = n_sample, .t = t, .y = y};
}

pkm_signal pkm_signal_linear(const double* t, const double* y, int n_sample)
{
    return (pkm_signal){.kind = PKM_SIGNAL_LINEAR, .n_sample = n_sample, .t = t, .y = y};
}

pkm_signal pkm_signal_formula(const pkm_formula* formula)
{
    return (pkm_signal){.kind = PKM_SIGNAL_FORMULA, .formula = formula};
}

pkm_signal pkm_signal_input(const double* value)
{
    return (pkm_signal){.kind = PKM_SIGNAL_INPUT, .input = value};
}

static pkm_status check_samples(const pkm_signal* s, const char* name, pkm_error* err)
{
    if (s->n_sample < 1) return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: it has no samples", name);
    for (int i = 0; i < s->n_sample; ++i) {
        if (!isfinite(s->t[i]) || !isfinite(s->y[i]))
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: sample %d is not finite", name, i + 1);
        // equal times would be a division by zero between samples, and a jump without a side
        if (i > 0 && s->t[i] <= s->t[i - 1]) {
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "%s: sample %d is at %g s, expected later than %g s", name, i + 1,
                            s->t[i], s->t[i - 1]);
        }
    }
    return PKM_OK;
}

pkm_status pkm_signal_check(const pkm_signal* signal, const char* name, pkm_error* err)
{
    switch (signal->kind) {
    case PKM_SIGNAL_CONSTANT:
        if (isfinite(signal->value)) return PKM_OK;
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %g, expected a finite number", name,
                        signal->value);
    case PKM_SIGNAL_STEPS:
    case PKM_SIGNAL_LINEAR:
        return check_samples(signal, name, err);
    default:
        return PKM_OK;
    }
}

/// The last sample at or before `t`; -1 before the first.
static int find_sample(const pkm_signal* s, double t)
{
    // by halves, as runs ask for loads at every evaluation
    int low = -1, high = s->n_sample; // t[low] <= t < t[high]
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (s->t[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double linear_at(const pkm_signal* s, double t)
{
    const int i = find_sample(s, t);
    if (i < 0) return s->y[0];
    if (i == s->n_sample - 1) return s->y[i];
    const double part = (t - s->t[i]) / (s->t[i + 1] - s->t[i]);
    return s->y[i] + part * (s->y[i + 1] - s->y[i]);
}

double pkm_signal_at(const pkm_signal* signal, double t)
{
    switch (signal->kind) {
    case PKM_SIGNAL_STEPS: {
        const int i = find_sample(signal, t);
        return signal->y[i < 0 ? 0 : i];
    }
    case PKM_SIGNAL_LINEAR:
        return linear_at(signal, t);
    case PKM_SIGNAL_FORMULA:
        return pkm_formula_at(signal->formula, t);
    case PKM_SIGNAL_INPUT:
        return *signal->input;
    default:
        return signal->value;
    }
}

double pkm_signal_next_break(const pkm_signal* signal, double t)
{
    if (signal->kind == PKM_SIGNAL_FORMULA) return pkm_formula_next_break(signal->formula, t);
    if (signal->kind != PKM_SIGNAL_STEPS && signal->kind != PKM_SIGNAL_LINEAR) return INFINITY;
    const int next = find_sample(signal, t) + 1;
    return next < signal->n_sample ? signal->t[next] : INFINITY;
}

bool pkm_signal_is_released(const pkm_signal* signal)
{
    if (signal->kind != PKM_SIGNAL_STEPS) return false; // others do not jump there
    // just before t = 0, where the ideal motion begins
    return pkm_signal_at(signal, nextafter(0.0, -1.0)) != pkm_signal_at(signal, 0.0);
}
