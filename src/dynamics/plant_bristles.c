// Bristles in equilibrium, docs/theory/simulation.md, section 2: what friction can hold starts at
// rest (2.3). Where something moves, surfaces have slid.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "dynamics/plant_impl.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

void pkm_plant_bristle_sizes(const pkm_plant* p, double* size)
{
    // other states keep the size 0: they are no bristles
    for (int k = 0; k < p->n_friction; ++k)
        for (int i = 0; i < p->friction[k].n_z; ++i)
            size[p->friction[k].z_at + i] = pkm_friction_slip_limit(&p->friction[k].friction.law);
    for (int k = 0; k < p->n_pair; ++k)
        for (int i = 0; i < p->pair[k].n_z; ++i)
            size[p->pair[k].z_at + i] = pkm_friction_slip_limit(&p->pair[k].clearance.friction);
}

typedef struct search {
    pkm_plant* plant;
    double t;
    int n, m;                           ///< accelerations, bristles
    int* bristle;                       ///< [m] which of the states
    double* limit;                      ///< [n_z]
    double* z;                          ///< [n_z]
    double *rate, *a, *J, *step, *work; ///< [n_z], [n], [n x m], [n + m], [n_work]
    int *pivot, n_work;
} search;

static bool is_bristle(const search* s, int i)
{
    // a law without dry friction has no limit: its bristles carry nothing
    return s->limit[i] > 0.0 && isfinite(s->limit[i]);
}

static pkm_status make(pkm_plant* p, double t, search* s)
{
    const size_t n_z = (size_t)p->n_z, n = (size_t)p->state->mech->n_v;
    *s = (search){.plant = p, .t = t, .n = (int)n};
    s->limit = pkm_alloc(n_z, sizeof(double));
    s->bristle = pkm_alloc(n_z, sizeof(int));
    if (!s->limit || !s->bristle) return PKM_ERR_MEMORY;
    pkm_plant_bristle_sizes(p, s->limit);
    for (int i = 0; i < p->n_z; ++i)
        if (is_bristle(s, i)) s->bristle[s->m++] = i;
    const size_t m = (size_t)s->m;
    // work of dgelsy with blocks of columns
    s->n_work = (int)(64 * (n + m + 1));
    s->rate = pkm_alloc(n_z, sizeof(double));
    s->z = pkm_alloc(n_z, sizeof(double));
    s->a = pkm_alloc(n, sizeof(double));
    s->J = pkm_alloc(n * m, sizeof(double));
    s->step = pkm_alloc(n + m, sizeof(double));
    s->work = pkm_alloc((size_t)s->n_work, sizeof(double));
    s->pivot = pkm_alloc(m, sizeof(int));
    const bool ok = s->rate && s->z && s->a && s->J && s->step && s->work && s->pivot;
    return ok ? PKM_OK : PKM_ERR_MEMORY;
}

static void release(search* s)
{
    void* const parts[] = {s->limit, s->bristle, s->rate, s->z,    s->a,
                           s->J,     s->step,    s->work, s->pivot};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
        pkm_free(parts[k]);
}

/// Accelerations with the bristles z, in units of the velocities; returns the largest.
static pkm_status accelerate(search* s, double* a, double* most)
{
    const pkm_state* state = s->plant->state;
    PKM_TRY(pkm_plant_evaluate(s->plant, s->t, s->z, s->rate));
    double largest = 0.0;
    for (int i = 0; i < s->n; ++i) {
        // lengths over the robot's size, as for ranks and steps
        a[i] = state->a[i] / state->mech->v_unit[i];
        largest = fmax(largest, fabs(a[i]));
    }
    if (most) *most = largest;
    return isfinite(largest) ? PKM_OK : PKM_RETRY;
}

/// J = da/dy for y = z / limit, by differences: friction is near to linear in its bristles.
static pkm_status differentiate(search* s)
{
    // of the limit: above rounding of accelerations, below what bends the law
    static const double H = 1e-4;
    for (int k = 0; k < s->m; ++k) {
        const int i = s->bristle[k];
        const double z = s->z[i];
        double* column = s->J + (size_t)k * (size_t)s->n;
        s->z[i] = z + H * s->limit[i];
        const pkm_status status = accelerate(s, column, NULL);
        s->z[i] = z;
        PKM_TRY(status);
        for (int j = 0; j < s->n; ++j)
            column[j] = (column[j] - s->a[j]) / H;
    }
    return PKM_OK;
}

/// Deflections of one surface that are longer than its limit are taken to it; returns whether any
/// was.
static bool cut(search* s, int at, int n)
{
    double square = 0.0;
    for (int i = at; i < at + n; ++i)
        square += s->z[i] * s->z[i];
    // all directions of one surface have the same limit
    const double longest = n > 0 ? s->limit[at] : 0.0;
    if (square <= longest * longest) return false;
    for (int i = at; i < at + n; ++i)
        s->z[i] *= longest / sqrt(square);
    return true;
}

static bool cut_all(search* s)
{
    const pkm_plant* p = s->plant;
    bool any = false;
    for (int k = 0; k < p->n_friction; ++k) {
        // a universal joint has two pins with one bristle each
        const bool two = p->state->mech->joint[p->friction[k].joint].type == PKM_JOINT_UNIVERSAL;
        const int at = p->friction[k].z_at, n = p->friction[k].n_z;
        for (int i = 0; two && i < n; ++i)
            any = cut(s, at + i, 1) || any;
        if (!two) any = cut(s, at, n) || any;
    }
    // contacts of a bearing have three each, their deflection as a vector
    for (int k = 0; k < p->n_pair; ++k)
        for (int i = 0; i < p->pair[k].n_z; i += 3)
            any = cut(s, p->pair[k].z_at + i, 3) || any;
    return any;
}

/// Newton with the least-norm step; surfaces that cannot hold are taken at their limit.
static pkm_status solve(search* s)
{
    enum { MOST = 30 };
    static const double REST = 1e-11, RANK = 1e-10; // of the first acceleration; of J
    double first = 0.0, now = 0.0;
    PKM_TRY(accelerate(s, s->a, &first));
    now = first;
    for (int n = 0; n < MOST && now > REST * first; ++n) {
        int rank = 0;
        PKM_TRY(differentiate(s));
        memset(s->step, 0, (size_t)(s->n + s->m) * sizeof(double));
        memset(s->pivot, 0, (size_t)s->m * sizeof(int));
        for (int i = 0; i < s->n; ++i)
            s->step[i] = -s->a[i];
        // least norm: several surfaces could share what they hold, z is not unique
        if (pkm_dgelsy(s->n, s->m, 1, s->J, s->n, s->step, s->n + s->m, s->pivot, RANK, &rank,
                       s->work, s->n_work) != 0)
            return PKM_RETRY;
        for (int k = 0; k < s->m; ++k)
            s->z[s->bristle[k]] += s->step[k] * s->limit[s->bristle[k]];
        const double before = now;
        const bool was_cut = cut_all(s);
        PKM_TRY(accelerate(s, s->a, &now));
        if (was_cut && !(now < 0.99 * before)) break; // friction cannot hold it
    }
    return PKM_OK;
}

/// Does anything move, faster than rounding lets it [sizes/s, rad/s]?
static bool moves(const pkm_state* state)
{
    // rates that rounding of a projection leaves
    for (int i = 0; i < state->mech->n_v; ++i)
        if (fabs(state->v[i]) > 1e-9 * state->mech->v_unit[i]) return true;
    return false;
}

/// Surfaces of joints that slide have slid before: they do not begin with presliding.
static pkm_status slide(pkm_plant* p, double* z)
{
    PKM_TRY(pkm_plant_factor(p));
    pkm_kinematics_velocity(p->state);
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_friction_item* item = &p->friction[k];
        const pkm_joint_motion motion = pkm_plant_joint_motion(p, item);
        if (item->n_z > 0)
            pkm_joint_friction_touch(&item->friction, p->state->mech->joint[item->joint].type,
                                     &motion, z + item->z_at);
    }
    return PKM_OK;
}

pkm_status pkm_plant_start_bristles(pkm_plant* p, double t, double* z)
{
    search s;
    // no bristles, or all motion prescribed: nothing can be held
    if (p->n_z == p->actuation.n_state || pkm_plant_n_free(p) == 0) return PKM_OK;
    // damping and Stribeck velocity by the mass that surfaces stop, before they are asked
    PKM_TRY(pkm_plant_weigh(p, t, z));
    if (moves(p->state)) return slide(p, z);
    pkm_status status = make(p, t, &s);
    if (status == PKM_OK && s.m > 0) {
        memcpy(s.z, z, (size_t)p->n_z * sizeof(double));
        status = solve(&s);
        if (status == PKM_OK) memcpy(z, s.z, (size_t)p->n_z * sizeof(double));
    }
    release(&s);
    return status == PKM_RETRY ? PKM_OK : status; // the run itself tells what jams
}
