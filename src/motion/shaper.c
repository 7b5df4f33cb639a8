// Input shapers: impulses (20) for one frequency, convolved for several. evaluate.c sums the motion
// over them (21). Equations: docs/theory/motion.md, section 5.
#include "motion/shaper.h"

#include "base/error.h"

#include <math.h>

/// Frequencies [Hz] outside are slips of the unit.
static const double LEAST_FREQUENCY = 1e-3, MOST_FREQUENCY = 1e6;

/// The impulses of one mode, (20): binomial weights over powers of K, half a damped period apart.
static pkm_shaper for_mode(pkm_shaper_kind kind, double frequency, double damping)
{
    static const int binomial[3][4] = {{1, 1}, {1, 2, 1}, {1, 3, 3, 1}};
    const double pi = acos(-1.0), root = sqrt(1.0 - damping * damping);
    const double K = exp(-damping * pi / root), half = 0.5 / (frequency * root);
    const int order = (int)kind; // 1: ZV, 2: ZVD, 3: ZVDD
    pkm_shaper out = {.n = order + 1};
    for (int i = 0; i < out.n; ++i) {
        out.at[i] = i * half;
        out.share[i] = binomial[order - 1][i] * pow(K, i) / pow(1.0 + K, order);
    }
    out.tail = out.at[out.n - 1];
    return out;
}

/// Two shapers one after the other: every impulse of `a` makes those of `b`.
static pkm_shaper convolve(const pkm_shaper* a, const pkm_shaper* b)
{
    PKM_ASSERT(a->n * b->n <= PKM_MAX_IMPULSE); // PKM_MAX_SHAPED modes of four impulses at most
    pkm_shaper out = {.tail = a->tail + b->tail};
    for (int i = 0; i < a->n; ++i) {
        for (int k = 0; k < b->n; ++k) {
            out.at[out.n] = a->at[i] + b->at[k];
            out.share[out.n++] = a->share[i] * b->share[k];
        }
    }
    return out;
}

pkm_status pkm_shaper_make(const pkm_motion_spec* spec, const char* name, pkm_shaper* out,
                           pkm_error* err)
{
    *out = (pkm_shaper){0};
    if (spec->shaper == PKM_SHAPER_NONE) return PKM_OK;
    const double damping = isnan(spec->shaper_damping) ? 0.0 : spec->shaper_damping;
    if (!(damping >= 0.0 && damping < 1.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: shaper: damping %g, expected 0 to below 1",
                        name, damping);
    if (spec->n_shaper_frequency < 1 || spec->n_shaper_frequency > PKM_MAX_SHAPED)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: shaper: %d frequencies, expected 1 to %d", name,
                        spec->n_shaper_frequency, PKM_MAX_SHAPED);
    pkm_shaper sum = {.n = 1, .share = {1.0}};
    for (int i = 0; i < spec->n_shaper_frequency; ++i) {
        const double f = spec->shaper_frequency[i];
        if (!(f >= LEAST_FREQUENCY && f <= MOST_FREQUENCY))
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: shaper: frequency %g Hz, expected %g to %g",
                            name, f, LEAST_FREQUENCY, MOST_FREQUENCY);
        const pkm_shaper mode = for_mode(spec->shaper, f, damping);
        sum = convolve(&sum, &mode);
    }
    *out = sum;
    return PKM_OK;
}
