// Loads that jump onto surfaces at rest: their bristles take up the new load at once, instead of
// swinging out over it. docs/theory/forces.md, (1.21).
#include "dynamics/plant_stop.h"

#include "base/error.h"
#include "math/dot.h"

#include <math.h>
#include <string.h>

/// Bristles of a surface that it would swing to without any damping, by its acceleration now.
static double swing(const pkm_stopped* at, const double* z, const pkm_vec3* a)
{
    double to[3];
    const double way = 2.0 * at->law.mass * at->limit / (at->law.mu_static * at->load);
    for (int i = 0; i < at->n; ++i)
        to[i] = z[i] + way * (&a->x)[i];
    return pkm_norm(to, at->n);
}

/// Note the surfaces of a joint or pair that rest; returns whether some would swing beyond what
/// they hold.
static bool note_resting(pkm_plant* p, int k, const double* z)
{
    struct pkm_stops* s = p->stops;
    bool swings = false;
    pkm_rubbing rubbing;
    pkm_vec3 a[PKM_MOST_RUBBING];
    pkm_plant_see_rubbing(p, k, &rubbing);
    pkm_plant_accelerate_rubbing(p, k, s->rate, a);
    for (int i = 0; i < rubbing.n; ++i) {
        const pkm_stopped new = pkm_stops_see(&rubbing, k, i, z);
        if (!(new.load > 0.0) || pkm_norm(new.before, new.n) >= new.hold || pkm_stops_is_late(&new))
            continue;
        swings = swings || swing(&new, new.before, &a[i]) >= new.hold;
        s->surface[s->n++] = new;
    }
    return swings;
}

pkm_status pkm_plant_take_load(pkm_plant* p, double t, double* z)
{
    struct pkm_stops* s = p->stops;
    bool swings = false;
    if (!s) return PKM_OK;
    s->n = 0;
    s->took_up = false;
    memcpy(s->z, z, (size_t)p->n_z * sizeof(double));
    double none;
    const pkm_status status = pkm_stops_accelerate(p, t, NULL, &none);
    if (status != PKM_OK) return status == PKM_ERR_MEMORY ? status : PKM_OK;
    for (int k = 0; k < pkm_plant_n_rubbing(p); ++k)
        if (pkm_plant_resting_states(p, k) > 0) swings = note_resting(p, k, z) || swings;
    if (!swings) return PKM_OK;
    PKM_TRY(pkm_stops_balance(p, t));
    s->took_up = s->n + s->n_slide > 0;
    pkm_stops_write(p, z);
    pkm_stops_write(p, s->seen); // what slides from here may turn back
    return PKM_OK;
}
