// Loads depend on reactions and these on friction: load = load(r(load)) is solved by Newton's
// method; where that has two solutions or none, docs/theory/forces.md, section 2 says what is
// taken.
#include "dynamics/plant_friction_loads.h"
#include "base/memory.h"
#include "math/dot.h"
#include "math/lapack.h"

#include <string.h>

void pkm_friction_loads_free(struct pkm_friction_loads* g)
{
    if (!g) return;
    void* const all[] = {g->contact, g->D, g->r0,    g->base,    g->r,    g->sum,  g->load,
                         g->change,  g->J, g->pivot, g->settled, g->side, g->equal};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        pkm_free(all[i]);
    pkm_free(g);
}

pkm_status pkm_friction_loads_create(pkm_plant* p)
{
    if (p->n_friction == 0) return PKM_OK;
    // m reactions (force and moment of each joint), k loads: at most two surfaces in a joint
    struct pkm_friction_loads* g = pkm_alloc(1, sizeof *g);
    if (!g) return PKM_ERR_MEMORY;
    p->loads = g;
    g->m = 6 * p->n_friction;
    const size_t m = (size_t)g->m, k = 2 * (size_t)p->n_friction;
    g->contact = pkm_alloc(k, sizeof(pkm_load_place));
    g->D = pkm_alloc(m * k, sizeof(double));
    g->r0 = pkm_alloc(m, sizeof(double));
    g->base = pkm_alloc(m, sizeof(double));
    g->r = pkm_alloc(m, sizeof(double));
    g->load = pkm_alloc(k, sizeof(double));
    g->change = pkm_alloc(k, sizeof(double));
    g->sum = pkm_alloc(k, sizeof(double));
    g->side = pkm_alloc(k, sizeof(double));
    g->equal = pkm_alloc(k, sizeof(double));
    g->J = pkm_alloc(k * k, sizeof(double));
    g->pivot = pkm_alloc(k, sizeof(int));
    g->settled = pkm_alloc((size_t)p->n_friction, sizeof(pkm_reaction));
    const bool ok = g->contact && g->D && g->r0 && g->base && g->r && g->load && g->change &&
                    g->sum && g->side && g->equal && g->J && g->pivot && g->settled;
    return ok ? PKM_OK : PKM_ERR_MEMORY;
}

void pkm_friction_loads_list(pkm_plant* p, const double* z)
{
    struct pkm_friction_loads* g = p->loads;
    g->n_contact = 0;
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_friction_item* item = &p->friction[k];
        // motion of the present state: directions of slip are given, (2.10)
        const pkm_joint_motion motion = pkm_plant_joint_motion(p, item);
        pkm_joint_load load[2];
        const int n =
            pkm_joint_friction_loads(&item->friction, p->state->mech->joint[item->joint].type,
                                     &motion, z && item->n_z > 0 ? z + item->z_at : NULL, load);
        for (int i = 0; i < n; ++i)
            g->contact[g->n_contact++] = (pkm_load_place){.item = k, .load = load[i]};
    }
}

// ---- reactions as a function of loads -----------------------------------------------------------

/// Reactions of joints with friction, with the friction that the items have now.
static void solve_reactions(pkm_plant* p, void (*solve)(pkm_plant*), double* out)
{
    solve(p);
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_reaction* r = &p->reaction[p->friction[k].joint];
        const double value[6] = {r->force.x,  r->force.y,  r->force.z,
                                 r->moment.x, r->moment.y, r->moment.z};
        memcpy(out + 6 * k, value, sizeof value);
    }
}

static void set_friction(pkm_plant* p, int k, pkm_vec3 force, pkm_vec3 moment)
{
    p->friction[k].force = force;
    p->friction[k].moment = moment;
}

void pkm_friction_loads_probe(pkm_plant* p, void (*solve)(pkm_plant*))
{
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    struct pkm_friction_loads* g = p->loads;
    // as large as a weight, and not zero where nothing has mass: only digits depend on it
    const double unit = p->state->mech->total_mass + 1.0; // [N] of the size of reactions
    for (int k = 0; k < p->n_friction; ++k) {
        g->settled[k] = (pkm_reaction){p->friction[k].force, p->friction[k].moment};
        set_friction(p, k, none, none);
    }
    // no friction at all: r0 of (2.11)
    solve_reactions(p, solve, g->r0);
    for (int c = 0; c < g->n_contact; ++c) {
        const pkm_load_place* at = &g->contact[c];
        double* D = g->D + (size_t)c * (size_t)g->m;
        set_friction(p, at->item, pkm_vec3_scale(unit, at->load.force),
                     pkm_vec3_scale(unit, at->load.moment));
        solve_reactions(p, solve, D);
        for (int i = 0; i < g->m; ++i)
            // reactions are linear in the friction: one difference is exact, unit is of their size
            // for digits
            D[i] = (D[i] - g->r0[i]) / unit;
        set_friction(p, at->item, none, none);
    }
    // the friction that had settled, and its accelerations, as before the probe
    for (int k = 0; k < p->n_friction; ++k)
        set_friction(p, k, g->settled[k].force, g->settled[k].moment);
    solve(p);
}

pkm_vec3 pkm_friction_load_part(const pkm_load_part* part, const double* r)
{
    if (part->of_moment) r += 3;
    return pkm_load_part_of(part, (pkm_vec3){r[0], r[1], r[2]});
}

double pkm_friction_load_slope(const pkm_load_place* c, const double* x)
{
    return pkm_dot(c->slope, x + 6 * c->item, 6);
}

/// Loads of the present reactions, their gradients and the weights of their magnitudes.
static void find_slopes(struct pkm_friction_loads* g, double round)
{
    for (int c = 0; c < g->n_contact; ++c) {
        pkm_load_place* at = &g->contact[c];
        memset(at->slope, 0, sizeof at->slope);
        at->now = at->load.preload;
        for (int i = 0; i < at->load.n_part; ++i) {
            const pkm_load_part* part = &at->load.part[i];
            const pkm_vec3 x = pkm_friction_load_part(part, g->r + 6 * at->item);
            // rounded off as in (2.12); 0: the magnitude itself
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

/// J = 1 - G D: loads less what they do to themselves through the reactions.
bool pkm_friction_loads_factor(struct pkm_friction_loads* g)
{
    const int n = g->n_contact;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            g->J[i + j * n] =
                // (2.13): what a unit load j does to load i through the reactions
                (i == j) - pkm_friction_load_slope(&g->contact[i], g->D + (size_t)j * (size_t)g->m);
    return pkm_dgetrf(n, n, g->J, n, g->pivot) == 0;
}

/// r = base + D load.
void pkm_friction_loads_read(struct pkm_friction_loads* g, double round)
{
    // (2.11), base being r0, or r0 + S z
    memcpy(g->r, g->base, (size_t)g->m * sizeof(double));
    pkm_dgemv('N', g->m, g->n_contact, 1.0, g->D, g->m, g->load, 1, 1.0, g->r, 1);
    find_slopes(g, round);
}

/// Newton's method for load = load(r(load)): J change = now - load. It ends at rounding, or where
/// changes no longer halve while they are below ROUNDING.
bool pkm_friction_loads_settle(struct pkm_friction_loads* g, double round)
{
    enum { MOST = 40 };
    static const double ROUNDING = 1e-9; // where friction feeds back nearly all
    const int n = g->n_contact;
    double before = HUGE_VAL;
    for (int step = 0; step < MOST; ++step) {
        // changes count against the largest load: small ones are differences of it
        double largest = 0.0, change = 0.0;
        pkm_friction_loads_read(g, round);
        if (!pkm_friction_loads_factor(g)) return false;
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
        // rounding, or as far as a feedback near 1 lets it come down
        if (change <= 1e-13 * largest || (change <= ROUNDING * largest && change >= 0.5 * before))
            return true;
        before = change;
    }
    return false;
}

/// The largest row sum of |J^-1|: by how much the friction multiplies the loads at most.
double pkm_friction_loads_gain(struct pkm_friction_loads* g)
{
    const int n = g->n_contact;
    double most = 0.0;
    memset(g->sum, 0, (size_t)n * sizeof(double));
    for (int j = 0; j < n; ++j) {
        // J^-1 column by column, row sums of magnitudes in `sum`: (2.15)
        memset(g->change, 0, (size_t)n * sizeof(double));
        g->change[j] = 1.0;
        if (pkm_dgetrs('N', n, 1, g->J, n, g->pivot, g->change, n) != 0) return NAN;
        for (int i = 0; i < n; ++i)
            g->sum[i] += fabs(g->change[i]);
    }
    for (int i = 0; i < n; ++i)
        most = fmax(most, g->sum[i]);
    return most;
}

double pkm_friction_loads_without(struct pkm_friction_loads* g)
{
    double most = 0.0;
    for (int c = 0; c < g->n_contact; ++c) {
        pkm_load_place* at = &g->contact[c];
        // h(r0): loads of the reactions without friction
        at->without = at->load.preload;
        for (int i = 0; i < at->load.n_part; ++i)
            at->without +=
                at->load.part[i].factor *
                pkm_vec3_norm(pkm_friction_load_part(&at->load.part[i], g->r0 + 6 * at->item));
        most = fmax(most, at->without);
    }
    return most;
}

/// Are the loads on their way to infinity?
static bool is_growing(struct pkm_friction_loads* g)
{
    double most = 0.0;
    for (int c = 0; c < g->n_contact; ++c)
        most = fmax(most, g->load[c]);
    // 100 times the loads without friction, and gain 1000: a jam (2.16)
    return most > 0.1 * PKM_FRICTION_MOST_GAIN * pkm_friction_loads_without(g) &&
           pkm_friction_loads_gain(g) > PKM_FRICTION_MOST_GAIN;
}

/// Friction of the items from the loads.
static void apply_loads(pkm_plant* p)
{
    const struct pkm_friction_loads* g = p->loads;
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    for (int k = 0; k < p->n_friction; ++k)
        set_friction(p, k, none, none);
    for (int c = 0; c < g->n_contact; ++c) {
        pkm_friction_item* item = &p->friction[g->contact[c].item];
        item->force = pkm_vec3_axpy(item->force, g->load[c], g->contact[c].load.force);
        item->moment = pkm_vec3_axpy(item->moment, g->load[c], g->contact[c].load.moment);
    }
}

/// Loads are not negative, and friction that is turned on little by little leads to them: without
/// it det(1 - G D) = 1. Others, with a feedback beyond 1, would run away from themselves in parts
/// that yield ever so little.
static bool is_stable(const struct pkm_friction_loads* g)
{
    const int n = g->n_contact;
    bool positive = true;
    for (int c = 0; c < n; ++c) {
        if (g->load[c] < 0.0) return false;
        // sign of det J: negative pivots and exchanged rows turn it
        if ((g->J[c + c * n] < 0.0) != (g->pivot[c] != c + 1)) positive = !positive;
    }
    return positive;
}

/// The direction in which loads run away from a solution that is not stable, by inverse iteration
/// with its J: to `out`, its largest component 1.
static bool find_unstable(struct pkm_friction_loads* g, double* out)
{
    enum { TURNS = 8 };
    const int n = g->n_contact;
    for (int c = 0; c < n; ++c)
        out[c] = 1.0 / (1.0 + c); // of no symmetry
    for (int k = 0; k < TURNS; ++k) {
        double most = 0.0;
        if (pkm_dgetrs('N', n, 1, g->J, n, g->pivot, out, n) != 0) return false;
        for (int c = 0; c < n; ++c)
            if (fabs(out[c]) > 1.001 * fabs(most)) most = out[c];
        if (!(fabs(most) > 0.0 && isfinite(most))) return false;
        pkm_dscal(n, 1.0 / most, out, 1);
    }
    return true;
}

/// Loads that have split: where friction of two alike parts feeds one of them at the cost of the
/// other with more than 1, equal loads are no longer stable and unequal ones are, to either side
/// (2.19). From outside Newton's method leads to them.
static bool find_split(struct pkm_friction_loads* g)
{
    static const double part[] = {1e-3, 1e-2, 0.1, 1.0};
    const int n = g->n_contact;
    double most = 0.0;
    if (!find_unstable(g, g->side)) return false;
    memcpy(g->equal, g->load, (size_t)n * sizeof(double));
    for (int c = 0; c < n; ++c)
        most = fmax(most, g->load[c]);
    for (size_t k = 0; k < sizeof part / sizeof part[0]; ++k) {
        memcpy(g->load, g->equal, (size_t)n * sizeof(double));
        for (int c = 0; c < n; ++c)
            g->load[c] += part[k] * most * g->side[c];
        if (pkm_friction_loads_settle(g, 0.0) && is_stable(g)) return true;
    }
    return false;
}

/// Loads where Newton's method does not lead to from those there were: friction is turned on in
/// parts, each from the loads of the one before.
static bool turn_on(struct pkm_friction_loads* g)
{
    enum { PARTS = 64 };
    const int n = g->m * g->n_contact;
    bool found = true;
    double now = 1.0;
    pkm_friction_loads_without(g);
    for (int c = 0; c < g->n_contact; ++c)
        g->load[c] = g->contact[c].without;
    for (int k = 1; k <= PARTS; ++k) {
        const double part = (double)k / PARTS;
        pkm_dscal(n, part / now, g->D, 1);
        now = part;
        found = found && pkm_friction_loads_settle(g, 0.0) && (is_stable(g) || find_split(g));
    }
    return found;
}

bool pkm_friction_loads_solve(pkm_plant* p, const double* z, void (*solve)(pkm_plant*))
{
    struct pkm_friction_loads* g = p->loads;
    pkm_friction_loads_list(p, z);
    pkm_friction_loads_probe(p, solve);
    // z = 0: the reactions of least norm
    memcpy(g->base, g->r0, (size_t)g->m * sizeof(double));
    // from the loads that fixed-point steps have reached
    for (int c = 0; c < g->n_contact; ++c)
        g->load[c] = g->contact[c].load.load;
    const bool found = pkm_friction_loads_settle(g, 0.0) && (is_stable(g) || find_split(g));
    if (!(found || turn_on(g)) || is_growing(g)) return false;
    apply_loads(p);
    return true;
}
