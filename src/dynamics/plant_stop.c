// Surfaces that stop, docs/theory/forces.md, (1.19): between two steps the bristles of what has
// slid and turns back take up what holds it, as far as mu_s does. Without that they would have to
// turn over first, and what that takes of mu_s would not hold.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "dynamics/plant_impl.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

enum { MOST_NEWTON = 4, MOST_TRIES = 12 };
/// Where friction holds, what is left of the accelerations against those with the bristles as they
/// slid; where it does not, no less than LEFT is.
static const double SETTLED = 1e-9, LEFT = 1e-3;

/// A surface that has slid and turns back: its n bristles stand at `at` among the states.
typedef struct stopped {
    int item, part, at, n;
    double speed;         ///< [m/s]
    double limit, hold;   ///< deflections at which it slips, breaks away [m]
    pkm_friction_law law; ///< as it was
    double before[3];     ///< bristles as they slid [m]
} stopped;

struct pkm_stops {
    double t;                   ///< of the last call
    double* outwards;           ///< [n_z] 1, or 0 where surfaces turn back: they are judged once
    double *seen, *seen_before; ///< [n_z] states then, and at the end of the step before
    int n, m;                   ///< surfaces that stop, their bristles
    bool took_up;               ///< in the last call
    int n_try;                  ///< calls in succession that asked for a shorter step
    stopped* surface;           ///< [2 n_friction]
    double *z, *rate;           ///< [n_z]
    double *r, *r1, *J, *step;  ///< [m], [m], [m x m], [m]
    double* work;
    int *pivot, n_work;
};

pkm_status pkm_plant_stops_create(pkm_plant* p)
{
    size_t m = 0;
    for (int k = 0; k < p->n_friction; ++k)
        if (pkm_friction_law_is_for_rest(&p->friction[k].friction.law))
            m += (size_t)p->friction[k].n_z;
    if (m == 0) return PKM_OK;
    struct pkm_stops* s = p->stops = pkm_alloc(1, sizeof *s);
    if (!s) return PKM_ERR_MEMORY;
    s->n_work = (int)(64 * (2 * m + 1));
    s->surface = pkm_alloc(m, sizeof *s->surface);
    s->z = pkm_alloc(5 * (size_t)p->n_z, sizeof(double));
    s->r = pkm_alloc(3 * m + m * m, sizeof(double));
    s->work = pkm_alloc((size_t)s->n_work, sizeof(double));
    s->pivot = pkm_alloc(m, sizeof(int));
    if (!s->surface || !s->z || !s->r || !s->work || !s->pivot) return PKM_ERR_MEMORY;
    s->t = -HUGE_VAL;
    s->rate = s->z + p->n_z;
    s->seen = s->rate + p->n_z;
    s->seen_before = s->seen + p->n_z;
    s->outwards = s->seen_before + p->n_z;
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
    if (t > s->t) memcpy(s->seen_before, s->seen, (size_t)p->n_z * sizeof(double));
    s->t = t;
}

static double along(const double* z, pkm_vec3 u, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += z[i] * (&u.x)[i];
    return sum;
}

/// Note the surfaces of the item that slid, now or before this step, and move against it.
static void note_stopped(pkm_plant* p, int k, const double* z)
{
    struct pkm_stops* s = p->stops;
    const pkm_friction_item* item = &p->friction[k];
    const pkm_joint_friction* friction = &item->friction;
    const pkm_joint_motion motion = pkm_plant_joint_motion(p, item);
    pkm_vec3 u[2];
    int n[2], at = item->z_at;
    const int parts = pkm_joint_friction_velocities(
        friction, p->state->mech->joint[item->joint].type, &motion, u, n);
    for (int i = 0; i < parts; at += n[i], ++i) {
        stopped new = {.item = k,
                       .part = i,
                       .at = at,
                       .n = n[i],
                       .speed = pkm_vec3_norm(u[i]),
                       .law = friction->law,
                       .limit = pkm_friction_slip_limit(&friction->law),
                       .hold = pkm_friction_hold_limit(&friction->law)};
        const double* slid = s->seen_before + at;
        const double out = along(z + at, u[i], n[i]) < 0.0 ? 0.0 : 1.0;
        for (int j = 0; j < n[i]; ++j)
            s->outwards[at + j] = out;
        if (length(slid, n[i]) < new.hold || !(along(slid, u[i], n[i]) < 0.0)) continue;
        memcpy(new.before, z + at, (size_t)n[i] * sizeof(double));
        s->surface[s->n++] = new;
    }
}

/// Have surfaces of the item slid at the end of this step or of the one before?
static bool has_slid(const pkm_plant* p, const pkm_friction_item* item, const double* z)
{
    const pkm_friction_law* law = &item->friction.law;
    if (item->n_z == 0 || !pkm_friction_law_is_for_rest(law)) return false;
    const double hold = pkm_friction_hold_limit(law);
    return length(p->stops->seen_before + item->z_at, item->n_z) >= hold ||
           length(z + item->z_at, item->n_z) >= hold;
}

static void find_stopped(pkm_plant* p, const double* z)
{
    bool is_known = false;
    p->stops->n = 0;
    for (int i = 0; i < p->n_z; ++i)
        p->stops->outwards[i] = 1.0;
    for (int k = 0; k < p->n_friction; ++k) {
        if (!has_slid(p, &p->friction[k], z)) continue;
        if (!is_known) { // a step may end without the poses of its end
            pkm_kinematics_poses(p->state);
            pkm_kinematics_velocity(p->state);
        }
        is_known = true;
        note_stopped(p, k, z);
    }
}

// ---- what holds them --------------------------------------------------------------------------

/// Relative acceleration in the joint of an item, in the axes of its frame a.
static pkm_joint_motion joint_acceleration(const pkm_plant* p, const pkm_friction_item* item)
{
    const pkm_state* state = p->state;
    const pkm_joint* joint = &state->mech->joint[item->joint];
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_mat3 axes = pkm_mat3_matmul(a->R, joint->axes_a);
    const pkm_vec3 at = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p)), w = a->V.ang;
    const pkm_vec3 turn = pkm_vec3_sub(b->V.ang, w);
    const pkm_vec3 v = pkm_vec3_sub(pkm_twist_at(b->V, at), pkm_twist_at(a->V, at));
    const pkm_vec3 by_turn = pkm_vec3_sub(b->A.ang, a->A.ang);
    const pkm_vec3 by_way = pkm_vec3_sub(pkm_twist_acceleration(b->V, b->A, at),
                                         pkm_twist_acceleration(a->V, a->A, at));
    pkm_joint_motion out = pkm_plant_joint_motion(p, item);
    out.w = pkm_mat3_tmul(axes, pkm_vec3_sub(by_turn, pkm_vec3_cross(w, turn)));
    out.v = pkm_mat3_tmul(axes, pkm_vec3_axpy(by_way, -2.0, pkm_vec3_cross(w, v)));
    return out;
}

/// How the surfaces that stop accelerate with the bristles s->z; returns the largest [m/s2].
static pkm_status accelerate(pkm_plant* p, double t, double* out, double* most)
{
    struct pkm_stops* s = p->stops;
    int row = 0;
    PKM_TRY(pkm_plant_evaluate(p, t, s->z, s->rate));
    *most = 0.0;
    for (int k = 0; k < s->n; ++k) {
        const pkm_friction_item* item = &p->friction[s->surface[k].item];
        const pkm_joint_motion motion = joint_acceleration(p, item);
        pkm_vec3 a[2];
        int n[2];
        pkm_joint_friction_velocities(&item->friction, p->state->mech->joint[item->joint].type,
                                      &motion, a, n);
        for (int i = 0; i < s->surface[k].n; ++i, ++row) {
            out[row] = (&a[s->surface[k].part].x)[i];
            *most = fmax(*most, fabs(out[row]));
        }
    }
    return isfinite(*most) ? PKM_OK : PKM_RETRY;
}

/// J = da/dy for y = z/limit, by differences: friction is near to linear in its bristles.
static pkm_status differentiate(pkm_plant* p, double t)
{
    static const double H = 1e-4;
    struct pkm_stops* s = p->stops;
    int column = 0;
    for (int k = 0; k < s->n; ++k) {
        for (int i = 0; i < s->surface[k].n; ++i, ++column) {
            double *z = &s->z[s->surface[k].at + i], most;
            const double was = *z;
            *z = was + H * s->surface[k].limit;
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
            s->z[s->surface[k].at + i] += s->surface[k].limit * s->step[row++];
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

/// Bristles with which none of the surfaces accelerates, by Newton's method.
static pkm_status balance(pkm_plant* p, double t)
{
    struct pkm_stops* s = p->stops;
    double first, now;
    s->m = 0;
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

/// Surfaces that mu_s does not hold slide back, with their bristles as they were; returns whether
/// there are any.
static bool let_go(pkm_plant* p)
{
    struct pkm_stops* s = p->stops;
    int n = 0;
    for (int k = 0; k < s->n; ++k) {
        const stopped* at = &s->surface[k];
        if (length(s->z + at->at, at->n) < at->hold)
            s->surface[n++] = *at;
        else {
            memcpy(s->z + at->at, at->before, (size_t)at->n * sizeof(double));
            p->friction[at->item].friction.law = at->law;
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
        pkm_friction_law* law = &p->friction[at->item].friction.law;
        *law = at->law;
        if (is_damped) continue;
        law->has_damping = true;
        law->bristle_damping = 0.0;
    }
}

/// Is one of those that are held still so fast that it would go on? The damping of presliding is
/// to stop it by a part of what mu_s has left.
static bool is_too_fast(const struct pkm_stops* s)
{
    static const double PART = 0.5;
    for (int k = 0; k < s->n; ++k) {
        const stopped* at = &s->surface[k];
        const double left = 1.0 - length(s->z + at->at, at->n) / at->limit;
        if (at->law.bristle_damping * at->speed > PART * left * at->law.mu_static) return true;
    }
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
    if (++s->n_try <= MOST_TRIES) return PKM_RETRY;
    s->n = 0; // next to a jam velocities jump: no step is short enough
    return PKM_OK;
}

bool pkm_plant_can_stop(const pkm_plant* plant)
{
    return plant->stops != NULL;
}

bool pkm_plant_took_up(const pkm_plant* plant)
{
    return plant->stops && plant->stops->took_up;
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
    for (int i = 0; i < p->n_z; ++i)
        s->seen[i] = s->outwards[i] * z[i];
    return PKM_OK;
}
