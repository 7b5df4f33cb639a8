// Loads on surfaces at rest. Where they jump bristles take up the new load at once, instead of
// swinging out over it (1.21); where they grow beyond what static friction holds surfaces break
// away at that instant (1.23). docs/theory/forces.md, section 1.
#include "dynamics/plant_stop.h"

#include "base/error.h"
#include "math/dot.h"

#include <math.h>
#include <string.h>

/// A surface rests while its speed would swing bristles by no more than this part of their way
/// (1.20): where loads jump, and where they grow, which bends bristles all the time.
static const double STILL = 0.02, BENT = 0.5;

/// Deflection that carries `friction` per load, against z_s: both are linear.
static pkm_vec3 deflection(const pkm_stopped* at, pkm_vec3 friction)
{
    return pkm_vec3_scale(at->limit / at->law.mu_static, friction);
}

/// m a z_s/(mu_s N): what more bristles would have to be bent to carry what accelerates the mass.
static pkm_vec3 lag(const pkm_stopped* at, pkm_vec3 a)
{
    return deflection(at, pkm_vec3_scale(at->law.mass / at->load, a));
}

static pkm_vec3 bristles(const pkm_stopped* at)
{
    return (pkm_vec3){at->before[0], at->before[1], at->before[2]};
}

/// The deflection that carries the friction of bristles and damping together.
static pkm_vec3 carried(const pkm_stopped* at, pkm_vec3 u)
{
    const pkm_friction_law law = pkm_friction_law_under(&at->law, at->load);
    pkm_vec3 none;
    return deflection(at, pkm_friction_bristle(&law, bristles(at), u, &none));
}

/// Would it swing out too far without any damping (1.21)?
static bool swings_out(const pkm_stopped* at, pkm_vec3 u, pkm_vec3 a)
{
    (void)u;
    return pkm_vec3_norm(pkm_vec3_axpy(bristles(at), 2.0, lag(at, a))) >= at->hold;
}

/// Does what holds it need more than static friction (1.23)?
static bool is_overloaded(const pkm_stopped* at, pkm_vec3 u, pkm_vec3 a)
{
    return pkm_vec3_norm(pkm_vec3_axpy(carried(at, u), 1.0, lag(at, a))) >= at->limit;
}

/// What surfaces that rest are asked: how still they have to be, of how many joints and pairs, and
/// whether a load on them acts; u and a are velocity and acceleration of the surface.
typedef struct question {
    double still;
    int n_rubbing;
    bool (*acts)(const pkm_stopped* at, pkm_vec3 u, pkm_vec3 a);
} question;

/// List the surfaces that rest; returns by `acts` whether it does on any.
static pkm_status list_resting(pkm_plant* p, double t, const double* z, const question* q,
                               bool* acts)
{
    struct pkm_stops* s = p->stops;
    pkm_vec3 a[PKM_MOST_RUBBING];
    double none;
    *acts = false;
    s->n = s->n_slide = 0;
    s->took_up = false;
    memcpy(s->z, z, (size_t)p->n_z * sizeof(double));
    PKM_TRY(pkm_stops_accelerate(p, t, NULL, &none));
    for (pkm_stops_walk w = {0}; pkm_stops_next(p, &w, q->n_rubbing);) {
        if (w.i == 0) pkm_plant_accelerate_rubbing(p, w.k, s->rate, a);
        const pkm_stopped new = pkm_stops_see(&w.rubbing, w.k, w.i, z);
        if (!pkm_stops_is_at_rest(&new, q->still)) continue;
        *acts = q->acts(&new, w.rubbing.u[w.i], a[w.i]) || *acts;
        s->surface[s->n++] = new;
    }
    return PKM_OK;
}

static void take(pkm_plant* p, double* z)
{
    struct pkm_stops* s = p->stops;
    s->took_up = s->n + s->n_slide > 0;
    pkm_stops_write(p, z);
    pkm_stops_write(p, s->seen); // what slides from here may turn back
}

pkm_status pkm_plant_take_load(pkm_plant* p, double t, double* z)
{
    const question q = {STILL, pkm_plant_n_rubbing(p), swings_out};
    bool acts;
    if (!p->stops) return PKM_OK;
    const pkm_status status = list_resting(p, t, z, &q, &acts);
    if (status != PKM_OK) return status == PKM_ERR_MEMORY ? status : PKM_OK;
    if (!acts) return PKM_OK;
    PKM_TRY(pkm_stops_balance(p, t));
    take(p, z);
    return PKM_OK;
}

// ---- loads that grow --------------------------------------------------------------------------

/// Does a surface of a joint carry nearly what static friction holds?
static bool is_near_limit(pkm_plant* p, const double* z)
{
    static const double NEAR = 0.9;
    bool is_known = false;
    for (pkm_stops_walk w = {0}; pkm_stops_next(p, &w, p->n_friction);) {
        pkm_stopped at = pkm_stops_see(&w.rubbing, w.k, w.i, z);
        if (!pkm_stops_is_at_rest(&at, BENT)) continue;
        if (!is_known) pkm_plant_find_contacts(p, z);
        is_known = true;
        pkm_plant_see_rubbing(p, w.k, &w.rubbing);
        at = pkm_stops_see(&w.rubbing, w.k, w.i, z);
        if (pkm_vec3_norm(carried(&at, w.rubbing.u[w.i])) >= NEAR * at.limit) return true;
    }
    return false;
}

/// By what part of mu_s most of those that slide are overloaded.
static double overload(const struct pkm_stops* s)
{
    double most = 0.0;
    for (int k = s->n; k < s->n + s->n_slide; ++k)
        most = fmax(most, s->surface[k].over);
    return most;
}

/// Is the instant at which surfaces break away still to be found? Not where a shorter step has left
/// them as overloaded: they are from its start.
static bool is_late(struct pkm_stops* s, double t)
{
    static const double TIMELY = 1e-4, SAME = 0.9;
    const double now = overload(s);
    const bool falls = s->n_try == 0 || now < SAME * s->over;
    s->over = now;
    return now > TIMELY && falls && pkm_stops_may_shorten(s, t);
}

/// Those that are held stay as they are bent: friction falls behind this instant.
static void keep_held(struct pkm_stops* s)
{
    memmove(s->surface, s->surface + s->n, (size_t)s->n_slide * sizeof *s->surface);
    s->n = 0;
}

pkm_status pkm_stops_break_away(pkm_plant* p, double t, double* z)
{
    struct pkm_stops* s = p->stops;
    const question q = {BENT, p->n_friction, is_overloaded};
    bool acts;
    if (!is_near_limit(p, z)) return PKM_OK;
    pkm_status status = list_resting(p, t, z, &q, &acts);
    if (status != PKM_OK) return status == PKM_ERR_MEMORY ? status : PKM_OK;
    if (acts) {
        for (int k = 0; k < s->n; ++k)
            s->surface[k].hold = s->surface[k].limit;
        PKM_TRY(pkm_stops_balance(p, t));
        if (is_late(s, t)) return PKM_RETRY;
        keep_held(s);
        take(p, z);
    }
    s->n = s->n_slide = 0;
    status = pkm_plant_evaluate(p, t, z, s->rate); // as it is now
    return status == PKM_ERR_MEMORY ? status : PKM_OK;
}
