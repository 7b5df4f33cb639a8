// Surfaces that stop, docs/theory/forces.md, (1.19), (1.20): between two steps the bristles of what
// has slid and turns back take up what holds it, as far as mu_s does. Without that they would have
// to turn over first, and what that takes of mu_s would not hold.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "dynamics/plant_impl.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

enum { MOST_NEWTON = 4, MOST_TRIES = 40 };
/// No step is asked for that is shorter than this [s, part of the time].
static const double SHORTEST = 1e-12;
/// Where friction holds, what is left of the accelerations against those with the bristles as they
/// slid; where it does not, no less than LEFT is.
static const double SETTLED = 1e-9, LEFT = 1e-3;

/// A surface that has slid and turns back, the `part` of its joint or pair `k`: its n bristles
/// stand at `at` among the states.
typedef struct stopped {
    int k, part, at, n;
    double load;          ///< [N]
    double ease;          ///< of its bristles in a step, 1/sqrt(load) against the least one
    double speed;         ///< [m/s]
    double least;         ///< of it within the step [m/s]
    double limit, hold;   ///< deflections at which it slips, breaks away [m]
    pkm_friction_law law; ///< as it was
    double before[3];     ///< bristles as they slid [m]
} stopped;

struct pkm_stops {
    double t, t_seen;              ///< of the last call, and of the last one that asked for nothing
    double* outwards;              ///< [n_z] 1, or 0 where surfaces turn back: they are judged once
    double *seen, *seen_before;    ///< [n_z] states then, and at the end of the step before
    double *u, *u_seen, *u_before; ///< [n_z] velocities of surfaces that slide, likewise [m/s]
    int n, m;                      ///< surfaces that stop, their bristles
    bool in_joints;                ///< some are of joints
    bool took_up;                  ///< in the last call
    int n_try;                     ///< calls in succession that asked for a shorter step
    stopped* surface;              ///< [2 n_friction]
    double *z, *rate;              ///< [n_z]
    double *r, *r1, *J, *step;     ///< [m], [m], [m x m], [m]
    double* work;
    int *pivot, n_work;
};

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
    s->z = pkm_alloc(8 * (size_t)p->n_z, sizeof(double));
    s->r = pkm_alloc(3 * m + m * m, sizeof(double));
    s->work = pkm_alloc((size_t)s->n_work, sizeof(double));
    s->pivot = pkm_alloc(m, sizeof(int));
    if (!s->surface || !s->z || !s->r || !s->work || !s->pivot) return PKM_ERR_MEMORY;
    s->t = s->t_seen = -HUGE_VAL;
    s->rate = s->z + p->n_z;
    s->outwards = s->rate + p->n_z;
    s->u = s->outwards + p->n_z;
    // what lasts from step to step, together: pkm_plant_stops_memo
    s->seen = s->u + p->n_z;
    s->seen_before = s->seen + p->n_z;
    s->u_seen = s->seen_before + p->n_z;
    s->u_before = s->u_seen + p->n_z;
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
    pkm_free(stops->r);
    pkm_free(stops->work);
    pkm_free(stops->pivot);
    pkm_free(stops);
}

// ---- which ------------------------------------------------------------------------------------

static double length(const double* z, int n)
{
    double square = 0.0;
    for (int i = 0; i < n; ++i)
        square += z[i] * z[i];
    return sqrt(square);
}

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

/// Note the surfaces of a joint or pair that slid, now or before this step, and move against it.
static void note_stopped(pkm_plant* p, int k, const double* z)
{
    struct pkm_stops* s = p->stops;
    pkm_rubbing rubbing;
    pkm_plant_see_rubbing(p, k, &rubbing);
    const pkm_friction_law* law = rubbing.law;
    for (int i = 0; i < rubbing.n; ++i) {
        const int at = rubbing.at[i], n = rubbing.n_direction[i];
        const pkm_vec3 u = rubbing.u[i];
        stopped new = {.k = k,
                       .part = i,
                       .at = at,
                       .n = n,
                       .load = rubbing.load[i],
                       .speed = pkm_vec3_norm(u),
                       .least = least_between(s->u_before + at, &u.x, n),
                       .law = *law,
                       .limit = pkm_friction_slip_limit(law),
                       .hold = pkm_friction_hold_limit(law)};
        const double* slid = s->seen_before + at;
        const double out = along(z + at, u, n) < 0.0 ? 0.0 : 1.0;
        for (int j = 0; j < n; ++j) {
            s->outwards[at + j] = out;
            s->u[at + j] = (&u.x)[j];
        }
        if (!(rubbing.load[i] > 0.0)) continue; // in flight
        if (length(slid, n) < new.hold || !(along(slid, u, n) < 0.0)) continue;
        memcpy(new.before, z + at, (size_t)n * sizeof(double));
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
        if (length(p->stops->seen_before + i, size) >= hold || length(z + i, size) >= hold)
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

// ---- what holds them --------------------------------------------------------------------------

/// How the surfaces that stop accelerate with the bristles s->z; returns the largest [m/s2].
static pkm_status accelerate(pkm_plant* p, double t, double* out, double* most)
{
    struct pkm_stops* s = p->stops;
    int row = 0;
    pkm_vec3 a[PKM_MOST_RUBBING];
    PKM_TRY(pkm_plant_evaluate(p, t, s->z, s->rate));
    *most = 0.0;
    if (p->n_friction == 0) pkm_kinematics_acceleration(p->state, p->state->a);
    for (int k = 0; k < s->n; ++k) {
        const stopped* at = &s->surface[k];
        if (k == 0 || at->k != s->surface[k - 1].k)
            pkm_plant_accelerate_rubbing(p, at->k, s->rate, a);
        for (int i = 0; i < at->n; ++i, ++row) {
            out[row] = (&a[at->part].x)[i];
            *most = fmax(*most, fabs(out[row]));
        }
    }
    return isfinite(*most) ? PKM_OK : PKM_RETRY;
}

/// J = da/dy for y = z/(ease limit), by differences: friction is near to linear in its bristles.
/// The shortest step in y is that of least bristle energy, sum of N z^2: corners of a block that
/// stop together are then bent alike.
static pkm_status differentiate(pkm_plant* p, double t)
{
    static const double H = 1e-4;
    struct pkm_stops* s = p->stops;
    int column = 0;
    for (int k = 0; k < s->n; ++k) {
        for (int i = 0; i < s->surface[k].n; ++i, ++column) {
            double *z = &s->z[s->surface[k].at + i], most;
            const double was = *z;
            *z = was + H * s->surface[k].ease * s->surface[k].limit;
            const pkm_status status = accelerate(p, t, s->r1, &most);
            *z = was;
            PKM_TRY(status);
            for (int j = 0; j < s->m; ++j)
                s->J[j + column * s->m] = (s->r1[j] - s->r[j]) / H;
        }
    }
    return PKM_OK;
}

static pkm_status step(pkm_plant* p, double t)
{
    static const double RANK = 1e-9;
    struct pkm_stops* s = p->stops;
    int rank = 0, row = 0;
    PKM_TRY(differentiate(p, t));
    for (int i = 0; i < s->m; ++i)
        s->step[i] = -s->r[i];
    memset(s->pivot, 0, (size_t)s->m * sizeof(int));
    if (pkm_dgelsy(s->m, s->m, 1, s->J, s->m, s->step, s->m, s->pivot, RANK, &rank, s->work,
                   s->n_work) != 0)
        return PKM_RETRY;
    for (int k = 0; k < s->n; ++k)
        for (int i = 0; i < s->surface[k].n; ++i)
            s->z[s->surface[k].at + i] += s->surface[k].ease * s->surface[k].limit * s->step[row++];
    return PKM_OK;
}

/// Do all surfaces need far more than mu_s? Then more steps tell nothing.
static bool is_beyond(const struct pkm_stops* s)
{
    for (int k = 0; k < s->n; ++k)
        if (length(s->z + s->surface[k].at, s->surface[k].n) < 1.5 * s->surface[k].limit)
            return false;
    return true;
}

/// Surfaces that carry a thousandth of others have as much ease as they.
static void ease(struct pkm_stops* s)
{
    double most = 0.0;
    for (int k = 0; k < s->n; ++k)
        most = fmax(most, s->surface[k].load);
    for (int k = 0; k < s->n; ++k)
        s->surface[k].ease = sqrt(most / fmax(s->surface[k].load, 1e-3 * most));
}

/// Bristles with which none of the surfaces accelerates, by Newton's method.
static pkm_status balance(pkm_plant* p, double t)
{
    struct pkm_stops* s = p->stops;
    double first, now;
    s->m = 0;
    ease(s);
    for (int k = 0; k < s->n; ++k)
        s->m += s->surface[k].n;
    PKM_TRY(accelerate(p, t, s->r, &first));
    now = first;
    for (int k = 0; k < MOST_NEWTON && now > SETTLED * first; ++k) {
        PKM_TRY(step(p, t));
        if (is_beyond(s)) return PKM_OK;
        PKM_TRY(accelerate(p, t, s->r, &now));
    }
    return now <= LEFT * first ? PKM_OK : PKM_RETRY;
}

/// Surfaces that mu_s does not hold slide back, with their bristles as they were, and so do those
/// that were never at rest: whose velocity turned to the other side faster than the bristles follow
/// (a ball's has three directions). Returns whether there are any.
static bool let_go(pkm_plant* p)
{
    static const double AT_REST = 0.1; // of the speed behind it
    struct pkm_stops* s = p->stops;
    int n = 0;
    for (int k = 0; k < s->n; ++k) {
        const stopped* at = &s->surface[k];
        if (length(s->z + at->at, at->n) < at->hold && at->least <= AT_REST * at->speed)
            s->surface[n++] = *at;
        else {
            memcpy(s->z + at->at, at->before, (size_t)at->n * sizeof(double));
            *pkm_plant_resting_law(p, at->k) = at->law;
        }
    }
    const bool any = n < s->n;
    s->n = n;
    return any;
}

/// Of what stops bristles alone tell: the damping, which holds it meanwhile, fades with it.
static void damp(pkm_plant* p, bool is_damped)
{
    for (int k = 0; k < p->stops->n; ++k) {
        const stopped* at = &p->stops->surface[k];
        pkm_friction_law* law = pkm_plant_resting_law(p, at->k);
        *law = at->law;
        if (is_damped) continue;
        law->has_damping = true;
        law->bristle_damping = 0.0;
    }
}

/// Is it still so fast that it would go on? The damping of presliding is to stop it by half of what
/// mu_s has left, and bristles that swing without any to do so within half of their way.
static bool goes_on(const stopped* at, const double* z)
{
    static const double PART = 0.5;
    const pkm_friction_law* law = &at->law;
    const double r = length(z + at->at, at->n), u = at->speed;
    const double left = PART * (1.0 - r / at->limit), way = PART * (at->hold - r);
    // sigma1 u <= left mu_s and m u^2 <= way^2 mu_s N/z_s (1.20)
    return law->bristle_damping * u > left * law->mu_static ||
           law->mass * u * u * at->limit > way * way * law->mu_static * at->load;
}

static bool is_too_fast(const struct pkm_stops* s)
{
    for (int k = 0; k < s->n; ++k)
        if (goes_on(&s->surface[k], s->z)) return true;
    return false;
}

/// The bristles s->z of all surfaces that stop and are held.
static pkm_status hold(pkm_plant* p, double t)
{
    struct pkm_stops* s = p->stops;
    while (s->n > 0) {
        damp(p, false);
        const pkm_status status = balance(p, t);
        damp(p, true);
        if (status == PKM_ERR_MEMORY) return status;
        if (status != PKM_OK) s->n = 0; // nothing is found: they turn over
        if (!let_go(p)) break;
    }
    if (!is_too_fast(s)) return PKM_OK;
    const bool is_long = t - s->t_seen > SHORTEST * fmax(1.0, fabs(t));
    if (++s->n_try <= MOST_TRIES && is_long) return PKM_RETRY;
    s->n = 0; // next to a jam velocities jump: no step is short enough
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
        PKM_TRY(hold(p, t));
        for (int k = 0; k < s->n; ++k) {
            const stopped* at = &s->surface[k];
            memcpy(z + at->at, s->z + at->at, (size_t)at->n * sizeof(double));
        }
        s->took_up = s->n > 0;
        const pkm_status status = pkm_plant_evaluate(p, t, z, s->rate); // as it is now
        if (status == PKM_ERR_MEMORY) return status;
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
    for (int k = 0; k < pkm_plant_n_rubbing(p); ++k) {
        pkm_rubbing rubbing;
        if (pkm_plant_resting_states(p, k) == 0) continue;
        pkm_plant_see_rubbing(p, k, &rubbing);
        for (int i = 0; i < rubbing.n; ++i) {
            const double *slid = s->seen + rubbing.at[i], r = length(slid, rubbing.n_direction[i]);
            if (r < pkm_friction_hold_limit(rubbing.law)) continue;
            const double u = along(slid, rubbing.u[i], rubbing.n_direction[i]) / r;
            least = fmin(least, PER_SPEED * u);
        }
    }
    return least;
}

void pkm_plant_stops_memo(pkm_plant* p, pkm_memo* memo)
{
    struct pkm_stops* s = p->stops;
    if (!s) return;
    pkm_memo_pass(memo, &s->t, sizeof s->t);
    pkm_memo_pass(memo, &s->t_seen, sizeof s->t_seen);
    pkm_memo_pass(memo, s->seen, 4 * (size_t)p->n_z * sizeof *s->seen); // to u_before
}
