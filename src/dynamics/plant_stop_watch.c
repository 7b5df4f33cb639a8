// Surfaces that slide from rest although static friction could have held them: the model knows, and
// says so. docs/theory/forces.md, section 1, what is watched.
#include "dynamics/plant_stop.h"

#include "base/error.h"
#include "math/dot.h"

#include <math.h>
#include <string.h>

/// Part of mu_s up to which it counts as what could have held, and the way from which on a surface
/// has slid, in presliding: what stops again before that has only been shaken.
static const double COULD_HOLD = 0.9992, SLID = 10.0;

/// Is the load that of the rest so far?
static bool is_steady(const struct pkm_stops* s, const pkm_stopped* at)
{
    static const double PART = 0.2;
    return fabs(at->load - s->calm[at->at]) <= PART * s->calm[at->at];
}

/// Has it come to rest, and not slid since? Surfaces of contacts ring, and slip while their load is
/// small: they rest when it has been steady for many of their times of presliding.
static bool rests(const struct pkm_stops* s, const pkm_plant* p, const pkm_stopped* at)
{
    static const double LONG = 60.0; // ten periods
    const double time = sqrt(at->law.mass * at->limit / (at->law.mu_static * at->load));
    if (at->k >= p->n_friction && !is_steady(s, at)) return false;
    return s->rests[at->at] > (at->k < p->n_friction ? 0.0 : LONG * time);
}

static bool is_away(const struct pkm_stops* s, int at)
{
    return s->way[at] >= 0.0;
}

static void forget(struct pkm_stops* s, int at)
{
    s->rests[at] = 0.0;
    s->way[at] = -1.0;
}

/// The speed with which its bristles were bent in the step that ended at t.
static double bending(const struct pkm_stops* s, const pkm_stopped* at, double t)
{
    double way[3];
    for (int i = 0; i < at->n; ++i)
        way[i] = at->before[i] - s->last[at->at + i];
    return t > s->t_last ? pkm_norm(way, at->n) / (t - s->t_last) : HUGE_VAL;
}

/// Does surface i of the joint or pair k rest at the end of the step? Returns whether it slides
/// from rest.
static bool note(const pkm_plant* p, double t, pkm_stopped* at)
{
    struct pkm_stops* s = p->stops;
    if (!(at->load > 0.0)) {
        forget(s, at->at); // in flight
        return false;
    }
    if (pkm_norm(at->before, at->n) >= at->hold) return rests(s, p, at);
    at->speed = bending(s, at, t);
    s->way[at->at] = -1.0;
    if (!is_steady(s, at)) {
        s->calm[at->at] = at->load;
        s->rests[at->at] = 0.0;
    }
    if (!pkm_stops_is_late(at)) s->rests[at->at] += t - s->t_last;
    return false;
}

/// Do all surfaces of a joint or pair slide, none of them from rest?
static bool only_slides(const pkm_plant* p, int k, const double* z)
{
    int at, size;
    const int n = pkm_plant_resting_states(p, k);
    const double hold = pkm_plant_resting_limit(p, k, &at, &size);
    for (int i = at; i < at + n; i += size)
        if (p->stops->rests[i] > 0.0 || pkm_norm(z + i, size) < hold) return false;
    return true;
}

static bool note_all(pkm_plant* p, double t, const double* z)
{
    bool slides = false;
    for (int k = 0; k < pkm_plant_n_rubbing(p); ++k) {
        pkm_rubbing rubbing;
        if (only_slides(p, k, z)) continue; // or has no friction that rests
        pkm_plant_see_rubbing(p, k, &rubbing);
        for (int i = 0; i < rubbing.n; ++i) {
            pkm_stopped at = pkm_stops_see(&rubbing, k, i, z);
            slides = note(p, t, &at) || slides;
        }
    }
    return slides;
}

/// Those that slide from rest, to the list of surfaces; returns whether some do so first now, or
/// have come so far that it is told.
static bool list_sliding(pkm_plant* p, double t, const double* z)
{
    struct pkm_stops* s = p->stops;
    bool asks = false;
    s->n = 0;
    pkm_plant_find_contacts(p, z);
    for (pkm_stops_walk w = {0}; pkm_stops_next(p, &w, pkm_plant_n_rubbing(p));) {
        pkm_stopped at = pkm_stops_see(&w.rubbing, w.k, w.i, z);
        if (!rests(s, p, &at) || pkm_norm(at.before, at.n) < at.hold) continue;
        const bool is_new = !is_away(s, at.at);
        s->way[at.at] = is_new ? 0.0 : s->way[at.at] + at.speed * fmax(t - s->t_last, 0.0);
        asks = asks || is_new || s->way[at.at] > SLID * at.hold;
        at.hold = COULD_HOLD * at.limit;
        s->surface[s->n++] = at;
    }
    return asks;
}

/// Static friction could hold this surface. Keep the first of its joint.
static void tell(pkm_plant* p, double t, const pkm_stopped* at)
{
    struct pkm_stops* s = p->stops;
    if (!(s->way[at->at] > SLID * at->limit)) return;
    const int joint =
        at->k < p->n_friction ? p->friction[at->k].joint : p->pair[at->k - p->n_friction].joint;
    if (!s->told[at->k] && s->slid.joint == PKM_NONE)
        s->slid = (pkm_slid){joint, t, pkm_norm(s->z + at->at, at->n) / at->limit};
    s->told[at->k] = true;
    forget(s, at->at);
}

/// From where Newton's method begins: with bristles that hold, not with those that slip.
static void bend_back(const pkm_plant* p, const double* z)
{
    const struct pkm_stops* s = p->stops;
    memcpy(s->z, z, (size_t)p->n_z * sizeof(double));
    for (int k = 0; k < s->n; ++k)
        for (int i = 0; i < s->surface[k].n; ++i)
            s->z[s->surface[k].at + i] *= 0.5;
}

/// Judge those that slide from rest.
static pkm_status judge(pkm_plant* p, double t, const double* z)
{
    struct pkm_stops* s = p->stops;
    const int n = s->n;
    bend_back(p, z);
    PKM_TRY(pkm_stops_balance(p, t));
    for (int k = 0; k < s->n; ++k)
        tell(p, t, &s->surface[k]);
    // what friction cannot hold slides as it must
    for (int k = s->n; k < n; ++k)
        forget(s, s->surface[k].at);
    const pkm_status status = pkm_plant_evaluate(p, t, z, s->rate); // as it is now
    return status == PKM_ERR_MEMORY ? status : PKM_OK;
}

pkm_status pkm_plant_watch_slides(pkm_plant* p, double t, const double* z)
{
    struct pkm_stops* s = p->stops;
    if (!s) return PKM_OK;
    const bool asks = note_all(p, t, z) && list_sliding(p, t, z);
    memcpy(s->last, z, (size_t)p->n_z * sizeof(double));
    s->t_last = t;
    return asks ? judge(p, t, z) : PKM_OK;
}

bool pkm_plant_has_slid(pkm_plant* p, pkm_slid* out)
{
    struct pkm_stops* s = p->stops;
    if (!s || s->slid.joint == PKM_NONE) return false;
    *out = s->slid;
    s->slid.joint = PKM_NONE;
    return true;
}
