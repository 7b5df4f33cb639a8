// Loss of friction over all reactions that balance the bodies, docs/theory/forces.md, (2.10) to
// (2.14).
#include "base/memory.h"
#include "dynamics/plant_friction_loads.h"
#include "math/dot.h"
#include "math/lapack.h"

#include <string.h>

struct pkm_range {
    int n_free;                   ///< self-stresses
    struct pkm_friction_loads* f; ///< lent
    pkm_reaction* all;            ///< [n_joint x n_free] self-stresses of all joints
    double* S;                    ///< [6 n_friction x n_free] self-stresses of joints with friction
    double *z, *step;             ///< [n_free] self-stress now; a step
    pkm_vec3* part;               ///< [n_free] of a load, by each self-stress
    pkm_reaction* least;          ///< [n_joint] self-stress of the least loss before
    double* weight;  ///< [n_contact] of the loads in the loss, friction's own effect included
    double* H;       ///< [n_free x n_free]
    double* bristle; ///< [n_z] with which friction has settled
    bool has_bristle;
    bool has_least;
};

void pkm_plant_range_free(struct pkm_range* g)
{
    if (!g) return;
    void* const all[] = {g->all,   g->S,      g->z, g->step,   g->part,
                         g->least, g->weight, g->H, g->bristle};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        pkm_free(all[i]);
    pkm_free(g);
}

static bool allocate(struct pkm_range* g, const pkm_plant* p)
{
    const size_t m = 6 * (size_t)p->n_friction, k = 2 * (size_t)p->n_friction;
    const size_t n = (size_t)g->n_free;
    g->all = pkm_alloc(n * (size_t)p->state->mech->n_joint, sizeof(pkm_reaction));
    g->S = pkm_alloc(m * n, sizeof(double));
    g->z = pkm_alloc(n, sizeof(double));
    g->step = pkm_alloc(n, sizeof(double));
    g->part = pkm_alloc(n, sizeof(pkm_vec3));
    g->least = pkm_alloc((size_t)p->state->mech->n_joint, sizeof(pkm_reaction));
    g->weight = pkm_alloc(k, sizeof(double));
    g->H = pkm_alloc(n * n, sizeof(double));
    g->bristle = pkm_alloc((size_t)p->n_z, sizeof(double));
    return g->all && g->S && g->z && g->step && g->part && g->least && g->weight && g->H &&
           g->bristle;
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
        // twice: what rounding leaves in the first round is taken off in the second
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

static void list_contacts(pkm_plant* p)
{
    pkm_friction_loads_list(p, p->range->has_bristle ? p->range->bristle : NULL);
}

/// Sum of what self-stresses do to the load of a contact at most, [N per N] (2.14).
static double open_load(const pkm_plant* p, const struct pkm_range* g, const pkm_load_place* c)
{
    double sum = 0.0;
    // largest singular value of the 3 x n matrix P_p S: by the eigenvalues of its square
    for (int i = 0; i < c->load.n_part; ++i) {
        double square[9] = {0.0}, w[3], work[9];
        for (int k = 0; k < g->n_free; ++k) {
            const pkm_vec3 x =
                pkm_friction_load_part(&c->load.part[i], g->S + 6 * (k * p->n_friction + c->item));
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
    list_contacts(p);
    for (int c = 0; c < g->f->n_contact; ++c)
        if (open_load(p, g, &g->f->contact[c]) > ROUNDING) return true;
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
    g->f = p->loads;
    if (!allocate(g, p)) return PKM_ERR_MEMORY;
    pkm_reactions_find_self_stress(p->reactions, p->state);
    find_stresses(p, g);
    if (is_open(p, g)) return PKM_OK;
    // friction is unique: nothing to tell, nothing to keep
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

/// Loads and reactions that belong to the self-stress z, by Newton's method with the factors of the
/// last step of the descent; new ones where they do not lead there.
static bool settle(struct pkm_range* g, double round)
{
    enum { MOST = 40 };
    struct pkm_friction_loads* f = g->f;
    const int n = f->n_contact;
    double before = HUGE_VAL;
    // r0 + S z of (2.11)
    memcpy(f->base, f->r0, (size_t)f->m * sizeof(double));
    pkm_dgemv('N', f->m, g->n_free, 1.0, g->S, f->m, g->z, 1, 1.0, f->base, 1);
    for (int step = 0; step < MOST; ++step) {
        double largest = 0.0, change = 0.0;
        pkm_friction_loads_read(f, round);
        // three rounds with the factors of the descent, which are near; then its own
        if (step > 2 && !pkm_friction_loads_factor(f)) return false;
        for (int c = 0; c < n; ++c) {
            f->change[c] = f->contact[c].now - f->load[c];
            largest = fmax(largest, f->contact[c].now);
        }
        if (pkm_dgetrs('N', n, 1, f->J, n, f->pivot, f->change, n) != 0) return false;
        for (int c = 0; c < n; ++c) {
            f->load[c] += f->change[c];
            change = fmax(change, fabs(f->change[c]));
        }
        if (!(change < HUGE_VAL)) return false;
        if (change <= 1e-12 * largest || (change <= 1e-9 * largest && change >= 0.5 * before))
            return true;
        before = change;
    }
    return false;
}

// ---- the least loss -----------------------------------------------------------------------------

static double loss_of(const struct pkm_range* g)
{
    // c . n (2.10)
    double sum = 0.0;
    for (int c = 0; c < g->f->n_contact; ++c)
        sum += g->f->contact[c].load.loss * g->f->load[c];
    return sum;
}

/// Weights of the loads in the loss with what each does to the others (2.13).
static bool find_weights(struct pkm_range* g)
{
    const int n = g->f->n_contact;
    // c~ = J'^-1 c
    for (int c = 0; c < n; ++c)
        g->weight[c] = g->f->contact[c].load.loss;
    return pkm_dgetrs('T', n, 1, g->f->J, n, g->f->pivot, g->weight, n) == 0;
}

/// H += weight times the curvature of the load of a contact: of a magnitude s = sqrt(|x|^2 + e^2)
/// it is (1 - x x'/s^2)/s. The paraboloid that touches it from above has 1/s instead; a part of
/// that holds steps where magnitudes are straight.
static void add_curvature(const pkm_plant* p, struct pkm_range* g, const pkm_load_place* c,
                          double weight)
{
    static const double STRAIGHT = 0.98;
    const int n = g->n_free, m = 6 * p->n_friction;
    for (int i = 0; i < c->load.n_part; ++i) {
        const pkm_load_part* part = &c->load.part[i];
        const pkm_vec3 x = pkm_friction_load_part(part, g->f->r + 6 * c->item);
        // part of a kink without rounding
        if (!(c->weight[i] > 0.0)) continue;
        const double w = c->weight[i], along = STRAIGHT * w * w / (part->factor * part->factor);
        for (int k = 0; k < n; ++k) {
            g->part[k] = pkm_friction_load_part(part, g->S + k * m + 6 * c->item);
            const double of_x = along * pkm_vec3_dot(g->part[k], x);
            // with along = 0.98 w^2/factor^2: P S less most of its part along x
            const pkm_vec3 curved = pkm_vec3_axpy(g->part[k], -of_x, x);
            for (int l = 0; l <= k; ++l)
                g->H[k + l * n] += weight * w * pkm_vec3_dot(curved, g->part[l]);
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
    if (!pkm_friction_loads_factor(g->f) || !find_weights(g)) return false;
    for (int c = 0; c < g->f->n_contact; ++c) {
        for (int k = 0; k < n; ++k)
            // -gradient, c~ . G S, of each self-stress
            g->step[k] -= g->weight[c] * pkm_friction_load_slope(&g->f->contact[c], g->S + k * m);
        if (g->weight[c] > 0.0) add_curvature(p, g, &g->f->contact[c], g->weight[c]);
    }
    // self-stresses that press nothing have no curvature
    for (int k = 0; k < n; ++k)
        trace += g->H[k + k * n];
    if (!(trace > 0.0)) return false;
    // they get a little: the step leaves them where they are
    for (int k = 0; k < n; ++k)
        g->H[k + k * n] += 1e-12 * trace;
    return pkm_dposv('L', n, 1, g->H, n, g->step, n) == 0;
}

/// Go along the step as far as the loss falls, at most by the whole of it; returns the loss.
static double descend(struct pkm_range* g, double before, double round)
{
    const int n = g->n_free;
    double part = 1.0;
    pkm_daxpy(n, 1.0, g->step, 1, g->z, 1);
    for (int halving = 0; halving < 30; ++halving) {
        if (settle(g, round) && loss_of(g) < before) return loss_of(g);
        part *= 0.5;
        pkm_daxpy(n, -part, g->step, 1, g->z, 1);
    }
    // back to where the step began
    pkm_daxpy(n, -part, g->step, 1, g->z, 1);
    return settle(g, round) ? before : NAN;
}

/// Steps with magnitudes rounded off by `round` until the loss falls by less than `tolerance` of
/// it; returns the loss, NaN where there is none.
static double least_rounded(const pkm_plant* p, struct pkm_range* g, double round, double tolerance)
{
    enum { STEPS = 4000 }; // valleys are long and nearly straight
    if (!settle(g, round)) return NAN;
    double now = loss_of(g);
    for (int step = 0; step < STEPS && find_step(p, g); ++step) {
        const double before = now;
        now = descend(g, before, round);
        // put so that a NaN ends it
        if (!(before - now > tolerance * fabs(before))) break;
    }
    return now;
}

/// Begin with the self-stress of the row before, whatever basis it was found in.
static void start_from_last(const pkm_plant* p, struct pkm_range* g)
{
    for (int k = 0; k < g->n_free; ++k)
        // the basis turns with the robot: the same stress in the new one
        g->z[k] = product(p, g->all + (size_t)k * (size_t)p->state->mech->n_joint, g->least);
}

static void keep_least(const pkm_plant* p, struct pkm_range* g)
{
    const int n_joint = p->state->mech->n_joint;
    memset(g->least, 0, (size_t)n_joint * sizeof(pkm_reaction));
    for (int k = 0; k < g->n_free; ++k)
        for (int j = 0; j < n_joint; ++j) {
            const pkm_reaction* s = g->all + (size_t)k * (size_t)n_joint + j;
            g->least[j].force = pkm_vec3_axpy(g->least[j].force, g->z[k], s->force);
            g->least[j].moment = pkm_vec3_axpy(g->least[j].moment, g->z[k], s->moment);
        }
}

/// Least loss over z: magnitudes are rounded off less and less (2.12). What is found with much
/// rounding is only where the next begins. NaN: none was found.
static double least_loss(const pkm_plant* p, struct pkm_range* g)
{
    static const double ROUGH = 1e-9, FINE = 1e-11;
    double size = 0.0;
    // the loads that have settled are where Newton's method begins
    for (int c = 0; c < g->f->n_contact; ++c)
        size = fmax(size, g->f->load[c] = g->f->contact[c].load.load);
    start_from_last(p, g);
    if (!(size > 0.0)) return 0.0;
    pkm_friction_loads_read(g->f, 0.1 * size);
    // rounded by a tenth of the loads, as in the first round
    if (!pkm_friction_loads_factor(g->f)) return NAN;
    // from the last row's least only fine rounding is needed
    for (double round = g->has_least ? 1e-3 * size : 0.1 * size; round > 1e-10 * size;
         round *= 0.1) {
        const double now = least_rounded(p, g, round, round > 1e-8 * size ? ROUGH : FINE);
        if (!(fabs(now) < HUGE_VAL)) return NAN;
    }
    keep_least(p, g);
    g->has_least = true;
    return loss_of(g);
}

pkm_friction_range pkm_plant_friction_range(pkm_plant* p)
{
    struct pkm_range* g = p->range;
    pkm_friction_range out = {p->friction_power, p->friction_power, 0.0};
    if (!g) return out;
    find_stresses(p, g);
    list_contacts(p);
    for (int c = 0; c < g->f->n_contact; ++c)
        out.per_preload +=
            fmax(g->f->contact[c].load.loss, 0.0) * open_load(p, g, &g->f->contact[c]);
    // nothing that slides is pressed by a self-stress
    if (!(out.per_preload > 0.0)) return out;
    pkm_friction_loads_probe(p, pkm_plant_solve_with_friction);
    const double least = least_loss(p, g);
    // a search that ended early has found no less than what the run uses
    out.least = least > out.loss ? out.loss : least; // NaN stays NaN
    return out;
}
