// Sampled control: values taken every `period`, acting after `delay` and held in between.
// Equations: docs/theory/forces.md, end of section 6.
#include "force/sampler.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/// Delays beyond this many periods are slips of the unit.
static const double MOST_PENDING = 1e6;

/// Events closer than this part of the period are one: k period + delay and k' period may differ by
/// rounding, and no integrator should step from one to the other.
static const double SAME_INSTANT = 1e-9;

/// A ring of samples that wait; `slot` is the first of them. Times are start + k period (+ delay),
/// not sums, so that they do not drift.
struct pkm_sampler {
    double period, delay, start;
    int n_value, n_slot;
    int64_t taken;   ///< samples taken since the start
    int n_waiting;   ///< of them not acting yet
    double* held;    ///< [n_value]
    double* waiting; ///< [n_slot][n_value]; sample k is in slot k mod n_slot
};

pkm_status pkm_sampler_create(double period, double delay, int n_value, pkm_sampler** out,
                              pkm_error* err)
{
    *out = NULL;
    if (!(isfinite(period) && period > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "sampling period %g s, expected > 0", period);
    if (!(delay >= 0.0 && delay <= MOST_PENDING * period)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "sampling delay %g s, expected 0 to %g s", delay,
                        MOST_PENDING * period);
    }
    PKM_ASSERT(n_value > 0);
    pkm_sampler* s = pkm_alloc(1, sizeof *s);
    if (!s) return pkm_out_of_memory(err);
    *s = (pkm_sampler){.period = period, .delay = delay, .n_value = n_value};
    s->n_slot = (int)ceil(delay / period) + 2;
    s->held = pkm_alloc((size_t)n_value * (size_t)(s->n_slot + 1), sizeof *s->held);
    if (!s->held) {
        pkm_sampler_free(s);
        return pkm_out_of_memory(err);
    }
    s->waiting = s->held + n_value;
    *out = s;
    return PKM_OK;
}

void pkm_sampler_free(pkm_sampler* sampler)
{
    if (!sampler) return;
    pkm_free(sampler->held);
    pkm_free(sampler);
}

void pkm_sampler_reset(pkm_sampler* s, double t, const double* value)
{
    s->start = t;
    s->taken = 0;
    s->n_waiting = 0;
    for (int i = 0; i < s->n_value; ++i)
        s->held[i] = value ? value[i] : 0.0;
}

static double sample_time(const pkm_sampler* s, int64_t k)
{
    return s->start + (double)k * s->period;
}

/// When the first waiting sample acts.
static double acting_time(const pkm_sampler* s)
{
    if (s->n_waiting == 0) return INFINITY;
    return sample_time(s, s->taken - s->n_waiting) + s->delay;
}

double pkm_sampler_next_event(const pkm_sampler* s)
{
    const double due = sample_time(s, s->taken), acting = acting_time(s);
    return acting < due ? acting : due;
}

bool pkm_sampler_is_due(const pkm_sampler* s, double t)
{
    return t >= sample_time(s, s->taken) - SAME_INSTANT * s->period;
}

static double* slot_of(const pkm_sampler* s, int64_t k)
{
    return s->waiting + (k % s->n_slot) * s->n_value;
}

/// The first waiting sample acts.
static void act(pkm_sampler* s)
{
    memcpy(s->held, slot_of(s, s->taken - s->n_waiting), (size_t)s->n_value * sizeof *s->held);
    --s->n_waiting;
}

void pkm_sampler_put(pkm_sampler* s, const double* value)
{
    if (s->n_waiting == s->n_slot) act(s); // nobody advanced: the oldest is late anyway
    memcpy(slot_of(s, s->taken), value, (size_t)s->n_value * sizeof *value);
    const double now = sample_time(s, s->taken);
    ++s->taken;
    ++s->n_waiting;
    pkm_sampler_advance(s, now);
}

void pkm_sampler_advance(pkm_sampler* s, double t)
{
    while (s->n_waiting > 0 && acting_time(s) <= t + SAME_INSTANT * s->period)
        act(s);
}

const double* pkm_sampler_get(const pkm_sampler* s)
{
    return s->held;
}

void pkm_sampler_memo(pkm_sampler* s, pkm_memo* memo)
{
    pkm_memo_pass(memo, &s->start, sizeof s->start);
    pkm_memo_pass(memo, &s->taken, sizeof s->taken);
    pkm_memo_pass(memo, &s->n_waiting, sizeof s->n_waiting);
    pkm_memo_pass(memo, s->held, (size_t)s->n_value * (size_t)(s->n_slot + 1) * sizeof *s->held);
}
