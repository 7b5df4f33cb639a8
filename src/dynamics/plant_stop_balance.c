// Bristles with which surfaces that stop, or are loaded at rest, do not accelerate (1.19), and
// those of surfaces that static friction does not hold. docs/theory/forces.md, section 1.
#include "dynamics/plant_stop.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "math/dot.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

enum { MOST_NEWTON = 4 };
/// Where friction holds, what is left of the accelerations against those with the bristles as they
/// slid; where it does not, no less than LEFT is.
static const double SETTLED = 1e-9, LEFT = 1e-3;

pkm_status pkm_stops_accelerate(pkm_plant* p, double t, double* out, double* most)
{
    struct pkm_stops* s = p->stops;
    int row = 0;
    pkm_vec3 a[PKM_MOST_RUBBING];
    PKM_TRY(pkm_plant_evaluate(p, t, s->z, s->rate));
    *most = 0.0;
    if (p->n_friction == 0) pkm_kinematics_acceleration(p->state, p->state->a);
    for (int k = 0; k < s->n; ++k) {
        const pkm_stopped* at = &s->surface[k];
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
            const pkm_status status = pkm_stops_accelerate(p, t, s->r1, &most);
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
        if (pkm_norm(s->z + s->surface[k].at, s->surface[k].n) < 1.5 * s->surface[k].limit)
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
    PKM_TRY(pkm_stops_accelerate(p, t, s->r, &first));
    now = first;
    for (int k = 0; k < MOST_NEWTON && now > SETTLED * first; ++k) {
        PKM_TRY(step(p, t));
        if (is_beyond(s)) return PKM_OK;
        PKM_TRY(pkm_stops_accelerate(p, t, s->r, &now));
    }
    return now <= LEFT * first ? PKM_OK : PKM_RETRY;
}

/// Of what stops bristles alone tell: the damping, which holds it meanwhile, fades with it, and
/// nothing has broken away.
static void damp(pkm_plant* p, bool is_damped)
{
    for (int k = 0; k < p->stops->n; ++k) {
        const pkm_stopped* at = &p->stops->surface[k];
        pkm_friction_law* law = pkm_plant_resting_law(p, at->k);
        *law = at->law;
        if (is_damped) continue;
        law->has_damping = law->has_fall = true;
        law->bristle_damping = 0.0;
        law->stribeck_velocity = HUGE_VAL;
    }
}

// ---- what is not held -------------------------------------------------------------------------

/// Surface k of those that may be held, which was never at rest: its velocity turned to the other
/// side faster than the bristles follow (a ball's has three directions). It keeps them.
static void forget(struct pkm_stops* s, int k)
{
    const pkm_stopped at = s->surface[k];
    memcpy(s->z + at.at, at.before, (size_t)at.n * sizeof(double));
    s->surface[k] = s->surface[--s->n];
    s->surface[s->n] = s->surface[s->n + s->n_slide];
}

/// Surface k of them, which mu_s does not hold: bent as far as it can it begins to slide.
static void let_slide(struct pkm_stops* s, int k)
{
    pkm_stopped at = s->surface[k];
    const double scale = at.limit / pkm_norm(s->z + at.at, at.n);
    at.over = 1.0 / scale - 1.0;
    for (int i = 0; i < at.n; ++i)
        s->z[at.at + i] *= scale;
    s->surface[k] = s->surface[--s->n];
    s->surface[s->n] = at;
    ++s->n_slide;
}

/// Returns whether there are any.
static bool let_go(struct pkm_stops* s)
{
    static const double AT_REST = 0.1; // of the speed behind it
    const int n = s->n;
    for (int k = s->n - 1; k >= 0; --k) {
        const pkm_stopped* at = &s->surface[k];
        if (!(at->least <= AT_REST * at->speed))
            forget(s, k);
        else if (!(pkm_norm(s->z + at->at, at->n) < at->hold))
            let_slide(s, k);
    }
    return s->n < n;
}

pkm_status pkm_stops_balance(pkm_plant* p, double t)
{
    struct pkm_stops* s = p->stops;
    s->n_slide = 0;
    while (s->n > 0) {
        damp(p, false);
        const pkm_status status = balance(p, t);
        damp(p, true);
        if (status == PKM_ERR_MEMORY) return status;
        if (status != PKM_OK) s->n = s->n_slide = 0; // they turn over by themselves
        if (!let_go(s)) break;
    }
    return PKM_OK;
}

void pkm_stops_write(const pkm_plant* p, double* z)
{
    const struct pkm_stops* s = p->stops;
    for (int k = 0; k < s->n + s->n_slide; ++k) {
        const pkm_stopped* at = &s->surface[k];
        memcpy(z + at->at, s->z + at->at, (size_t)at->n * sizeof(double));
    }
}
