// Loss of friction over all reactions that balance the bodies, docs/theory/forces.md, (2.10) to
// (2.14).
#include "base/memory.h"
#include "dynamics/plant_impl.h"
#include "math/dot.h"
#include "math/lapack.h"

#include <string.h>

/// A contact of a joint with friction.
typedef struct place {
    int item; ///< of the plant's friction
    pkm_joint_load load;
    double now;                    ///< its load with the present reactions [N]
    double slope[6];               ///< derivative of `now` in them
    double weight[PKM_LOAD_PARTS]; ///< factor^2/magnitude of each part
} place;

struct pkm_range {
    int n_free, n_contact; ///< self-stresses, contacts
    place* contact;        ///< [n_contact]
    pkm_reaction* all;     ///< [n_joint x n_free] self-stresses of all joints
    double* S;             ///< [6 n_friction x n_free] self-stresses of joints with friction
    double* D;             ///< [6 n_friction x n_contact] their reactions per load
    double* r0;            ///< [6 n_friction] reactions without friction and self-stress
    double* r;             ///< [6 n_friction] now
    double *z, *step;      ///< [n_free] self-stress now; a step
    double *load, *change; ///< [n_contact] loads; their steps
    double* weight;        ///< [n_contact] of the loads in the loss, friction's own effect included
    double* J;             ///< [n_contact x n_contact]
    int* pivot;            ///< [n_contact]
    double* H;             ///< [n_free x n_free]
    double* bristle;       ///< [n_z] with which friction has settled
    bool has_bristle;
    pkm_reaction* settled; ///< [n_friction] friction as it has settled
};

void pkm_plant_range_free(struct pkm_range* g)
{
    if (!g) return;
    void* const all[] = {g->contact, g->all,     g->S,      g->D,      g->r0, g->r,
                         g->z,       g->step,    g->load,   g->weight, g->J,  g->pivot,
                         g->H,       g->bristle, g->change, g->settled};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        pkm_free(all[i]);
    pkm_free(g);
}

static bool allocate(struct pkm_range* g, const pkm_plant* p)
{
    const size_t m = 6 * (size_t)p->n_friction, k = 2 * (size_t)p->n_friction;
    const size_t n = (size_t)g->n_free;
    g->contact = pkm_alloc(k, sizeof(place));
    g->all = pkm_alloc(n * (size_t)p->state->mech->n_joint, sizeof(pkm_reaction));
    g->S = pkm_alloc(m * n, sizeof(double));
    g->D = pkm_alloc(m * k, sizeof(double));
    g->r0 = pkm_alloc(m, sizeof(double));
    g->r = pkm_alloc(m, sizeof(double));
    g->z = pkm_alloc(n, sizeof(double));
    g->step = pkm_alloc(n, sizeof(double));
    g->load = pkm_alloc(k, sizeof(double));
    g->change = pkm_alloc(k, sizeof(double));
    g->weight = pkm_alloc(k, sizeof(double));
    g->J = pkm_alloc(k * k, sizeof(double));
    g->pivot = pkm_alloc(k, sizeof(int));
    g->H = pkm_alloc(n * n, sizeof(double));
    g->bristle = pkm_alloc((size_t)p->n_z, sizeof(double));
    g->settled = pkm_alloc((size_t)p->n_friction, sizeof(pkm_reaction));
    return g->settled && g->contact && g->all && g->S && g->D && g->r0 && g->r && g->z && g->step &&
           g->load && g->change && g->weight && g->J && g->pivot && g->H && g->bristle;
}

// ---- what reactions there are -----------------------------------------------------------------

static void put(const pkm_reaction* r, double* out)
{
    const double value[6] = {r->force.x,  r->force.y,  r->force.z,
                             r->moment.x, r->moment.y, r->moment.z};
    memcpy(out, value, sizeof value);
}

/// Inner product of two self-stresses in the metric of the least norm (4.6 of engine.md).
static double product(const pkm_plant* p, const pkm_reaction* a, const pkm_reaction* b)
{
    const double size = p->state->mech->size;
    double sum = 0.0;
    for (int j = 0; j < p->state->mech->n_joint; ++j)
        sum += pkm_vec3_dot(a[j].force, b[j].force) +
               pkm_vec3_dot(a[j].moment, b[j].moment) / (size * size);
    return sum;
}

/// Self-stresses as columns of S, orthonormal: |S z| = |z| [N] over all joints. Gram and Schmidt,
/// twice, on the reactions of all joints; those of joints with friction go to S.
static void find_stresses(const pkm_plant* p, struct pkm_range* g)
{
    const int n_joint = p->state->mech->n_joint, m = 6 * p->n_friction;
    for (int k = 0; k < g->n_free; ++k) {
        pkm_reaction* now = g->all + (size_t)k * (size_t)n_joint;
        pkm_reactions_self_stress(p->reactions, p->state, k, now);
        for (int i = 0; i < 2 * k; ++i) {
            const pkm_reaction* before = g->all + (size_t)(i % k) * (size_t)n_joint;
            const double part = product(p, before, now);
            for (int j = 0; j < n_joint; ++j) {
                now[j].force = pkm_vec3_axpy(now[j].force, -part, before[j].force);
                now[j].moment = pkm_vec3_axpy(now[j].moment, -part, before[j].moment);
            }
        }
        const double norm = sqrt(product(p, now, now));
        for (int j = 0; j < n_joint; ++j) {
            now[j].force = pkm_vec3_scale(1.0 / norm, now[j].force);
            now[j].moment = pkm_vec3_scale(1.0 / norm, now[j].moment);
        }
        for (int i = 0; i < p->n_friction; ++i)
            put(&now[p->friction[i].joint], g->S + (size_t)k * (size_t)m + 6 * i);
    }
}

/// Part `part` of the reaction `r` (force, moment) of a joint.
static pkm_vec3 part_of(const pkm_load_part* part, const double* r)
{
    if (part->of_moment) r += 3;
    return pkm_load_part_of(part, (pkm_vec3){r[0], r[1], r[2]});
}

/// Contacts of all joints at the present motion, with the reactions that have settled.
static void list_contacts(pkm_plant* p, struct pkm_range* g)
{
    g->n_contact = 0;
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_friction_item* item = &p->friction[k];
        const pkm_joint_motion motion = pkm_plant_joint_motion(p, item);
        const bool state = g->has_bristle && item->n_z > 0;
        pkm_joint_load load[2];
        const int n =
            pkm_joint_friction_loads(&item->friction, p->state->mech->joint[item->joint].type,
                                     &motion, state ? g->bristle + item->z_at : NULL, load);
        for (int i = 0; i < n; ++i)
            g->contact[g->n_contact++] = (place){.item = k, .load = load[i]};
    }
}

/// Sum of what self-stresses do to the load of a contact at most, [N per N] (2.14).
static double open_load(const pkm_plant* p, const struct pkm_range* g, const place* c)
{
    double sum = 0.0;
    for (int i = 0; i < c->load.n_part; ++i) {
        double square[9] = {0.0}, w[3], work[9];
        for (int k = 0; k < g->n_free; ++k) {
            const pkm_vec3 x = part_of(&c->load.part[i], g->S + 6 * (k * p->n_friction + c->item));
            const double v[3] = {x.x, x.y, x.z};
            pkm_dger(3, 3, 1.0, v, 1, v, 1, square, 3);
        }
        if (pkm_dsyev_with('N', 'L', 3, square, 3, w, work, 9) == 0)
            sum += c->load.part[i].factor * sqrt(fmax(w[2], 0.0));
    }
    return sum;
}

static bool is_open(pkm_plant* p, struct pkm_range* g)
{
    static const double ROUNDING = 1e-9; // of a self-stress of 1 N
    list_contacts(p, g);
    for (int c = 0; c < g->n_contact; ++c)
        if (open_load(p, g, &g->contact[c]) > ROUNDING) return true;
    return false;
}

pkm_status pkm_plant_range_create(pkm_plant* p)
{
    const int n = pkm_reactions_n_free(p->reactions);
    if (p->n_friction == 0 || n == 0) return PKM_OK;
    struct pkm_range* g = pkm_alloc(1, sizeof *g);
    if (!g) return PKM_ERR_MEMORY;
    p->range = g;
    g->n_free = n;
    if (!allocate(g, p)) return PKM_ERR_MEMORY;
    pkm_reactions_find_self_stress(p->reactions, p->state);
    find_stresses(p, g);
    if (is_open(p, g)) return PKM_OK;
    p->range = NULL;
    pkm_plant_range_free(g);
    return PKM_OK;
}

void pkm_plant_range_keep(pkm_plant* p, const double* z)
{
    p->range->has_bristle = z != NULL;
    if (z) memcpy(p->range->bristle, z, (size_t)p->n_z * sizeof(double));
}

bool pkm_plant_friction_is_open(const pkm_plant* plant)
{
    return plant->range != NULL;
}

// ---- reactions as a function of loads and self-stress -------------------------------------------

/// Reactions of joints with friction, with the friction that the items have now.
static void solve_reactions(pkm_plant* p, double* out)
{
    pkm_plant_solve_with_friction(p);
    for (int k = 0; k < p->n_friction; ++k)
        put(&p->reaction[p->friction[k].joint], out + 6 * k);
}

static void set_friction(pkm_plant* p, int k, pkm_vec3 force, pkm_vec3 moment)
{
    p->friction[k].force = force;
    p->friction[k].moment = moment;
}

/// The motion is given, and so are the directions of slip: reactions are r0 + D load (2.11).
static void probe(pkm_plant* p, struct pkm_range* g)
{
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    const int m = 6 * p->n_friction;
    const double unit = p->state->mech->total_mass + 1.0; // [N] of the size of reactions
    for (int k = 0; k < p->n_friction; ++k) {
        g->settled[k] = (pkm_reaction){p->friction[k].force, p->friction[k].moment};
        set_friction(p, k, none, none);
    }
    solve_reactions(p, g->r0);
    for (int c = 0; c < g->n_contact; ++c) {
        const place* at = &g->contact[c];
        double* D = g->D + (size_t)c * (size_t)m;
        set_friction(p, at->item, pkm_vec3_scale(unit, at->load.force),
                     pkm_vec3_scale(unit, at->load.moment));
        solve_reactions(p, D);
        for (int i = 0; i < m; ++i)
            D[i] = (D[i] - g->r0[i]) / unit;
        set_friction(p, at->item, none, none);
    }
    for (int k = 0; k < p->n_friction; ++k)
        set_friction(p, k, g->settled[k].force, g->settled[k].moment);
    pkm_plant_solve_with_friction(p);
}

static void find_reactions(const pkm_plant* p, struct pkm_range* g)
{
    const int m = 6 * p->n_friction;
    memcpy(g->r, g->r0, (size_t)m * sizeof(double));
    pkm_dgemv('N', m, g->n_contact, 1.0, g->D, m, g->load, 1, 1.0, g->r, 1);
    pkm_dgemv('N', m, g->n_free, 1.0, g->S, m, g->z, 1, 1.0, g->r, 1);
}

/// Loads of the present reactions, their gradients and the weights of their magnitudes, which are
/// rounded off over `round` [N] (2.12).
static void find_slopes(struct pkm_range* g, double round)
{
    for (int c = 0; c < g->n_contact; ++c) {
        place* at = &g->contact[c];
        memset(at->slope, 0, sizeof at->slope);
        at->now = at->load.preload;
        for (int i = 0; i < at->load.n_part; ++i) {
            const pkm_load_part* part = &at->load.part[i];
            const pkm_vec3 x = part_of(part, g->r + 6 * at->item);
            const double y = part->factor * pkm_vec3_norm(x), size = sqrt(y * y + round * round);
            const double weight = size > 0.0 ? part->factor * part->factor / size : 0.0; // kink: 0
            double* slope = at->slope + (part->of_moment ? 3 : 0);
            slope[0] += weight * x.x;
            slope[1] += weight * x.y;
            slope[2] += weight * x.z;
            at->now += size;
            at->weight[i] = weight;
        }
    }
}

/// Derivative of the load of contact `c` along the column `x` of reactions.
static double slope(const place* c, const double* x)
{
    return pkm_dot(c->slope, x + 6 * c->item, 6);
}

/// 1 - dload/dr D, factored, at the present reactions.
static bool factor(const pkm_plant* p, struct pkm_range* g)
{
    const int n = g->n_contact, m = 6 * p->n_friction;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            g->J[i + j * n] = (i == j) - slope(&g->contact[i], g->D + (size_t)j * (size_t)m);
    return pkm_dgetrf(n, n, g->J, n, g->pivot) == 0;
}

/// Loads that belong to the self-stress z, by Newton's method. Reactions and factors are theirs.
static bool settle_loads(const pkm_plant* p, struct pkm_range* g, double round)
{
    enum { MOST = 40 };
    const int n = g->n_contact;
    for (int step = 0; step < MOST; ++step) {
        double largest = 0.0, change = 0.0;
        find_reactions(p, g);
        find_slopes(g, round);
        if (!factor(p, g)) return false;
        for (int c = 0; c < n; ++c) {
            g->change[c] = g->contact[c].now - g->load[c];
            largest = fmax(largest, g->contact[c].now);
        }
        if (pkm_dgetrs('N', n, 1, g->J, n, g->pivot, g->change, n) != 0) return false;
        for (int c = 0; c < n; ++c) {
            g->load[c] += g->change[c];
            change = fmax(change, fabs(g->change[c]));
        }
        if (!(change < HUGE_VAL)) return false;
        if (change <= 1e-13 * largest) return true;
    }
    return false;
}

// ---- the least loss -----------------------------------------------------------------------------

static double loss_of(const struct pkm_range* g)
{
    double sum = 0.0;
    for (int c = 0; c < g->n_contact; ++c)
        sum += g->contact[c].load.loss * g->load[c];
    return sum;
}

/// Weights of the loads in the loss with what each does to the others (2.13).
static bool find_weights(struct pkm_range* g)
{
    const int n = g->n_contact;
    for (int c = 0; c < n; ++c)
        g->weight[c] = g->contact[c].load.loss;
    return pkm_dgetrs('T', n, 1, g->J, n, g->pivot, g->weight, n) == 0;
}

/// H += weight of each magnitude times its self-stresses squared: the paraboloid that touches the
/// sum of magnitudes from above.
static void add_curvature(const pkm_plant* p, struct pkm_range* g, const place* c, double weight)
{
    const int n = g->n_free, m = 6 * p->n_friction;
    for (int i = 0; i < c->load.n_part; ++i) {
        const pkm_load_part* part = &c->load.part[i];
        for (int k = 0; k < n; ++k) {
            const pkm_vec3 x = part_of(part, g->S + k * m + 6 * c->item);
            for (int l = 0; l <= k; ++l)
                g->H[k + l * n] += weight * c->weight[i] *
                                   pkm_vec3_dot(x, part_of(part, g->S + l * m + 6 * c->item));
        }
    }
}

/// The step from gradient and paraboloid. Self-stress that loads no surface is left alone.
static bool find_step(const pkm_plant* p, struct pkm_range* g)
{
    const int n = g->n_free, m = 6 * p->n_friction;
    double trace = 0.0;
    memset(g->H, 0, (size_t)(n * n) * sizeof(double));
    memset(g->step, 0, (size_t)n * sizeof(double));
    if (!find_weights(g)) return false;
    for (int c = 0; c < g->n_contact; ++c) {
        for (int k = 0; k < n; ++k)
            g->step[k] -= g->weight[c] * slope(&g->contact[c], g->S + k * m);
        if (g->weight[c] > 0.0) add_curvature(p, g, &g->contact[c], g->weight[c]);
    }
    for (int k = 0; k < n; ++k)
        trace += g->H[k + k * n];
    if (!(trace > 0.0)) return false;
    for (int k = 0; k < n; ++k)
        g->H[k + k * n] += 1e-12 * trace;
    return pkm_dposv('L', n, 1, g->H, n, g->step, n) == 0;
}

/// Go along the step as far as the loss falls, at most by the whole of it; returns the loss.
static double descend(const pkm_plant* p, struct pkm_range* g, double before, double round)
{
    const int n = g->n_free;
    double part = 1.0;
    pkm_daxpy(n, 1.0, g->step, 1, g->z, 1);
    for (int halving = 0; halving < 30; ++halving) {
        if (settle_loads(p, g, round) && loss_of(g) < before) return loss_of(g);
        part *= 0.5;
        pkm_daxpy(n, -part, g->step, 1, g->z, 1);
    }
    pkm_daxpy(n, -part, g->step, 1, g->z, 1);
    return settle_loads(p, g, round) ? before : NAN;
}

/// Least loss over z: magnitudes are rounded off less and less (2.12).
static double least_loss(const pkm_plant* p, struct pkm_range* g)
{
    enum { STEPS = 40 };
    double size = 0.0;
    for (int c = 0; c < g->n_contact; ++c)
        size = fmax(size, g->load[c] = g->contact[c].load.load);
    memset(g->z, 0, (size_t)g->n_free * sizeof(double));
    if (!(size > 0.0)) return 0.0;
    for (double round = 0.1 * size; round > 1e-10 * size; round *= 0.01) {
        if (!settle_loads(p, g, round)) return NAN;
        double now = loss_of(g);
        for (int step = 0; step < STEPS && find_step(p, g); ++step) {
            const double before = now;
            now = descend(p, g, before, round);
            if (!(before - now > 1e-10 * fabs(before))) break;
        }
        if (!(fabs(now) < HUGE_VAL)) return NAN;
    }
    return loss_of(g);
}

pkm_friction_range pkm_plant_friction_range(pkm_plant* p)
{
    struct pkm_range* g = p->range;
    pkm_friction_range out = {p->friction_power, p->friction_power, 0.0};
    if (!g) return out;
    find_stresses(p, g);
    list_contacts(p, g);
    for (int c = 0; c < g->n_contact; ++c)
        out.per_preload += fmax(g->contact[c].load.loss, 0.0) * open_load(p, g, &g->contact[c]);
    if (!(out.per_preload > 0.0)) return out;
    probe(p, g);
    out.least = fmin(least_loss(p, g), out.loss);
    return out;
}
