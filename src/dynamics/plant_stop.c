// Surfaces that stop, docs/theory/forces.md, (1.19), (1.20): between two steps the bristles of what
// has slid and turns back take up what holds it, as far as mu_s does. Without that they would have
// to turn over first, and what that takes of mu_s would not hold.
#include "dynamics/plant_stop.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/dot.h"

#include <math.h>
#include <string.h>

enum { MOST_TRIES = 40 };
/// No step is asked for that is shorter than this [s, part of the time].
static const double SHORTEST = 1e-12;

pkm_status pkm_plant_stops_create(pkm_plant* p)
{
    size_t m = 0, of_joints = 0;
    for (int k = 0; k < pkm_plant_n_rubbing(p); ++k) {
        m += (size_t)pkm_plant_resting_states(p, k);
        if (k < p->n_friction) of_joints = m;
    }
    if (m == 0) return PKM_OK;
    struct pkm_stops* s = p->stops = pkm_alloc(1, sizeof *s);
    if (!s) return PKM_ERR_MEMORY;
    s->in_joints = of_joints > 0;
    s->n_work = (int)(64 * (2 * m + 1));
    s->surface = pkm_alloc(m, sizeof *s->surface);
    s->z = pkm_alloc(12 * (size_t)p->n_z, sizeof(double));
    s->told = pkm_alloc((size_t)pkm_plant_n_rubbing(p), sizeof(bool));
    s->r = pkm_alloc(3 * m + m * m, sizeof(double));
    s->work = pkm_alloc((size_t)s->n_work, sizeof(double));
    s->pivot = pkm_alloc(m, sizeof(int));
    if (!s->surface || !s->z || !s->told || !s->r || !s->work || !s->pivot) return PKM_ERR_MEMORY;
    s->t = s->t_seen = -HUGE_VAL;
    s->rate = s->z + p->n_z;
    s->outwards = s->rate + p->n_z;
    s->u = s->outwards + p->n_z;
    // what lasts from step to step, together: pkm_plant_stops_memo
    s->seen = s->u + p->n_z;
    s->seen_before = s->seen + p->n_z;
    s->u_seen = s->seen_before + p->n_z;
    s->u_before = s->u_seen + p->n_z;
    s->rests = s->u_before + p->n_z;
    s->way = s->rests + p->n_z;
    s->calm = s->way + p->n_z;
    s->last = s->calm + p->n_z;
    s->t_last = HUGE_VAL;
    for (int i = 0; i < p->n_z; ++i)
        s->way[i] = -1.0;
    s->slid.joint = PKM_NONE;
    s->r1 = s->r + m;
    s->step = s->r1 + m;
    s->J = s->step + m;
    return PKM_OK;
}

void pkm_plant_stops_free(struct pkm_stops* stops)
{
    if (!stops) return;
    pkm_free(stops->surface);
    pkm_free(stops->z);
    pkm_free(stops->told);
    pkm_free(stops->r);
    pkm_free(stops->work);
    pkm_free(stops->pivot);
    pkm_free(stops);
}

// ---- which ------------------------------------------------------------------------------------

/// A call at a later time than the last one follows an accepted step.
static void turn_pages(pkm_plant* p, double t)
{
    struct pkm_stops* s = p->stops;
    const size_t size = (size_t)p->n_z * sizeof(double);
    if (t > s->t) {
        memcpy(s->seen_before, s->seen, size);
        memcpy(s->u_before, s->u_seen, size);
    }
    s->t = t;
}

static double along(const double* z, pkm_vec3 u, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += z[i] * (&u.x)[i];
    return sum;
}

/// The least length on the line from u0 to u1.
static double least_between(const double* u0, const double* u1, int n)
{
    double along = 0.0, square = 0.0, rest = 0.0;
    for (int i = 0; i < n; ++i) {
        along -= u0[i] * (u1[i] - u0[i]);
        square += (u1[i] - u0[i]) * (u1[i] - u0[i]);
    }
    const double part = square > 0.0 ? fmax(0.0, fmin(1.0, along / square)) : 0.0;
    for (int i = 0; i < n; ++i) {
        const double x = u0[i] + part * (u1[i] - u0[i]);
        rest += x * x;
    }
    return sqrt(rest);
}

pkm_stopped pkm_stops_see(const pkm_rubbing* rubbing, int k, int i, const double* z)
{
    pkm_stopped out = {.k = k,
                       .part = i,
                       .at = rubbing->at[i],
                       .n = rubbing->n_direction[i],
                       .load = rubbing->load[i],
                       .speed = pkm_vec3_norm(rubbing->u[i]),
                       .law = *rubbing->law,
                       .limit = pkm_friction_slip_limit(rubbing->law),
                       .hold = pkm_friction_hold_limit(rubbing->law)};
    memcpy(out.before, z + out.at, (size_t)out.n * sizeof(double));
    return out;
}

/// Part of mu_s up to which what stops is held.
static const double MOST_HELD = 0.9999;

/// Note the surfaces of a joint or pair that slid, now or before this step, and move against it.
static void note_stopped(pkm_plant* p, int k, const double* z)
{
    struct pkm_stops* s = p->stops;
    pkm_rubbing rubbing;
    pkm_plant_see_rubbing(p, k, &rubbing);
    for (int i = 0; i < rubbing.n; ++i) {
        const int at = rubbing.at[i], n = rubbing.n_direction[i];
        const pkm_vec3 u = rubbing.u[i];
        const double* slid = s->seen_before + at;
        const double out = along(z + at, u, n) < 0.0 ? 0.0 : 1.0;
        for (int j = 0; j < n; ++j) {
            s->outwards[at + j] = out;
            s->u[at + j] = (&u.x)[j];
        }
        if (!(rubbing.load[i] > 0.0)) continue; // in flight
        pkm_stopped new = pkm_stops_see(&rubbing, k, i, z);
        if (pkm_norm(slid, n) < new.hold || !(along(slid, u, n) < 0.0)) continue;
        new.hold = MOST_HELD* new.limit;
        new.least = least_between(s->u_before + at, &u.x, n);
        s->surface[s->n++] = new;
    }
}

/// Have surfaces of a joint or pair slid at the end of this step or of the one before?
static bool has_slid(const pkm_plant* p, int k, const double* z)
{
    int at, size;
    const int n = pkm_plant_resting_states(p, k);
    if (n == 0) return false;
    const double hold = pkm_plant_resting_limit(p, k, &at, &size);
    for (int i = at; i < at + n; i += size)
        if (pkm_norm(p->stops->seen_before + i, size) >= hold || pkm_norm(z + i, size) >= hold)
            return true;
    return false;
}

static void find_stopped(pkm_plant* p, const double* z)
{
    bool is_known = false;
    p->stops->n = 0;
    for (int i = 0; i < p->n_z; ++i)
        p->stops->outwards[i] = 1.0;
    for (int k = 0; k < pkm_plant_n_rubbing(p); ++k) {
        if (!has_slid(p, k, z)) continue;
        // a step may end without the poses of its end
        if (!is_known) pkm_plant_find_contacts(p, z);
        is_known = true;
        note_stopped(p, k, z);
    }
}

/// Is it still so fast that it would go on? The damping of presliding is to stop it by half of what
/// mu_s has left, and bristles that swing without any to do so within half of their way.
static bool goes_on(const pkm_stopped* at, const double* z)
{
    static const double PART = 0.5;
    const pkm_friction_law* law = &at->law;
    const double r = pkm_norm(z + at->at, at->n), u = at->speed;
    const double left = PART * (1.0 - r / at->limit), way = PART * (at->hold - r);
    // sigma1 u <= left mu_s and m u^2 <= way^2 mu_s N/z_s (1.20)
    return law->bristle_damping * u > left * law->mu_static ||
           law->mass * u * u * at->limit > way * way * law->mu_static * at->load;
}

/// m u^2 > (part 0.9995 z_s)^2 mu_s N/z_s (1.20)
static bool swings_beyond(const pkm_stopped* at, double part)
{
    const double way = part * at->hold;
    return at->law.mass * at->speed * at->speed * at->limit >
           way * way * at->law.mu_static * at->load;
}

bool pkm_stops_is_late(const pkm_stopped* at)
{
    static const double PART = 0.02;
    return swings_beyond(at, PART);
}

bool pkm_stops_is_at_rest(const pkm_stopped* at, double part)
{
    return at->load > 0.0 && pkm_norm(at->before, at->n) < at->hold && !swings_beyond(at, part);
}

bool pkm_stops_next(pkm_plant* p, pkm_stops_walk* w, int n_rubbing)
{
    w->i = w->next++;
    if (w->i > 0 && w->i < w->rubbing.n) return true;
    // the first part of the next one that has any
    for (w->k += w->i > 0; w->k < n_rubbing; ++w->k) {
        if (pkm_plant_resting_states(p, w->k) == 0) continue;
        pkm_plant_see_rubbing(p, w->k, &w->rubbing);
        if (w->rubbing.n == 0) continue;
        w->i = 0;
        w->next = 1;
        return true;
    }
    return false;
}

static bool is_too_fast(const struct pkm_stops* s)
{
    for (int k = 0; k < s->n; ++k)
        if (goes_on(&s->surface[k], s->z)) return true;
    for (int k = s->n; k < s->n + s->n_slide; ++k)
        if (pkm_stops_is_late(&s->surface[k])) return true;
    return false;
}

bool pkm_stops_may_shorten(struct pkm_stops* s, double t)
{
    return ++s->n_try <= MOST_TRIES && t - s->t_seen > SHORTEST * fmax(1.0, fabs(t));
}

/// The bristles s->z of all surfaces that stop.
static pkm_status judge(pkm_plant* p, double t)
{
    struct pkm_stops* s = p->stops;
    PKM_TRY(pkm_stops_balance(p, t));
    if (!is_too_fast(s)) return PKM_OK;
    if (pkm_stops_may_shorten(s, t)) return PKM_RETRY;
    for (int k = 0; k < s->n; ++k)
        s->rests[s->surface[k].at] = 1.0; // and could be held
    s->n = s->n_slide = 0;                // next to a jam velocities jump: no step is short enough
    return PKM_OK;
}

bool pkm_plant_can_stop(const pkm_plant* plant)
{
    return plant->stops && plant->stops->in_joints;
}

bool pkm_plant_took_up(const pkm_plant* plant)
{
    return plant->stops && plant->stops->took_up;
}

/// The page of the present step. What turned back has been judged.
static void remember(pkm_plant* p, const double* z)
{
    struct pkm_stops* s = p->stops;
    memcpy(s->u_seen, s->u, (size_t)p->n_z * sizeof(double));
    for (int i = 0; i < p->n_z; ++i)
        s->seen[i] = s->outwards[i] * z[i];
}

pkm_status pkm_plant_take_up(pkm_plant* p, double t, double* z)
{
    struct pkm_stops* s = p->stops;
    if (!s) return PKM_OK;
    const size_t size = (size_t)p->n_z * sizeof(double);
    s->took_up = false;
    turn_pages(p, t);
    find_stopped(p, z);
    if (s->n > 0) {
        memcpy(s->z, z, size);
        PKM_TRY(judge(p, t));
        pkm_stops_write(p, z);
        s->took_up = s->n + s->n_slide > 0;
        const pkm_status status = pkm_plant_evaluate(p, t, z, s->rate); // as it is now
        if (status == PKM_ERR_MEMORY) return status;
    } else {
        PKM_TRY(pkm_stops_break_away(p, t, z));
    }
    s->n_try = 0;
    s->t_seen = t;
    remember(p, z);
    return PKM_OK;
}

void pkm_plant_note_slides(pkm_plant* p, double t, const double* z)
{
    if (!p->stops) return;
    turn_pages(p, t);
    find_stopped(p, z);
    for (int i = 0; i < p->n_z; ++i)
        p->stops->outwards[i] = 1.0; // judged at events
    remember(p, z);
}

double pkm_plant_turning(pkm_plant* p, const double* z)
{
    static const double PER_SPEED = 1e3; // [s/m]
    const struct pkm_stops* s = p->stops;
    double least = 1.0;
    if (!s) return least;
    pkm_plant_find_contacts(p, z);
    for (pkm_stops_walk w = {0}; pkm_stops_next(p, &w, pkm_plant_n_rubbing(p));) {
        const int n = w.rubbing.n_direction[w.i];
        const double *slid = s->seen + w.rubbing.at[w.i], r = pkm_norm(slid, n);
        if (r < pkm_friction_hold_limit(w.rubbing.law)) continue;
        least = fmin(least, PER_SPEED * along(slid, w.rubbing.u[w.i], n) / r);
    }
    return least;
}

void pkm_plant_stops_memo(pkm_plant* p, pkm_memo* memo)
{
    struct pkm_stops* s = p->stops;
    if (!s) return;
    pkm_memo_pass(memo, &s->t, sizeof s->t);
    pkm_memo_pass(memo, &s->t_seen, sizeof s->t_seen);
    pkm_memo_pass(memo, &s->t_last, sizeof s->t_last);
    pkm_memo_pass(memo, s->seen, 8 * (size_t)p->n_z * sizeof *s->seen); // to last
}
