// Laws on curved ways: the shortest law of the straight way, then all times stretched evenly until
// acceleration and jerk keep their limits on the curve too. docs/theory/motion.md, section 2.
#include "motion/stretch.h"

#include "base/error.h"

#include <math.h>

/// Steps that refine the place of the largest value.
enum { REFINE = 60 };

/// Limits are kept with this relative room, as in law_plan.c.
static const double LIMIT_SLACK = 1e-9;

/// The largest magnitude of the derivative `order` on the way.
static double largest(const pkm_curved_way* w, int order)
{
    const double T = w->law->T, h = T / w->n_look;
    double most = 0.0, when = 0.0;
    for (int i = 0; i < w->n_look; ++i) {
        const double now = w->size(w->way, (i + 0.5) * h, order);
        if (now <= most) continue;
        most = now;
        when = (i + 0.5) * h;
    }
    double low = fmax(when - h, 0.0), high = fmin(when + h, T);
    for (int i = 0; i < REFINE; ++i) {
        const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
        if (w->size(w->way, left, order) < w->size(w->way, right, order))
            low = left;
        else
            high = right;
    }
    return fmax(most, w->size(w->way, 0.5 * (low + high), order));
}

static void stretch(pkm_law_profile* law, double k)
{
    law->T *= k;
    law->ramp *= k;
    law->rise *= k;
}

pkm_status pkm_law_plan_curved(const pkm_law_request* request, const pkm_curved_way* way,
                               const char* name, pkm_error* err)
{
    const double limit[] = {request->max_speed, request->max_acceleration, request->max_jerk};
    const double T = request->duration;
    bool watched = false;
    for (int order = way->first; order <= 3; ++order)
        watched = watched || !isnan(limit[order - 1]);
    if (!watched) return pkm_law_plan(request, way->length, name, way->law, err);

    // stretched by k, speeds fall with k, accelerations with k^2, jerks with k^3
    pkm_law_request shortest = *request;
    shortest.duration = NAN;
    PKM_TRY(pkm_law_plan(&shortest, way->length, name, way->law, err));
    double k = 1.0;
    for (int order = way->first; order <= 3; ++order) {
        const double most = isnan(limit[order - 1]) ? 0.0 : largest(way, order);
        if (most > 0.0) k = fmax(k, pow(most / limit[order - 1], 1.0 / order));
    }
    if (T < k * way->law->T * (1.0 - LIMIT_SLACK))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: duration %.9g s is too short for its limits where the way is curved, "
                        "expected at least %.9g s",
                        name, T, k * way->law->T);
    stretch(way->law, isnan(T) ? k : T / way->law->T);
    return PKM_OK;
}
