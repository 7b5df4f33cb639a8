// Does friction leave a motion? docs/theory/forces.md, (2.15) to (2.18).
#include "base/error.h"
#include "dynamics/plant_friction_loads.h"
#include "math/lapack.h"
#include "solver/linear_program.h"

#include <string.h>

/// Loads that friction magnifies this much, and so many times the loads without it, are on their
/// way to infinity: a run gets as far as PKM_FRICTION_MOST_GAIN.
static const double GAIN = 100.0, GROWTH = 10.0;
/// Paradoxes are shown for loads up to this multiple of those without friction.
static const double MOST_LOAD = 1e3;

/// The contact with the largest load.
static int most_loaded(const struct pkm_friction_loads* g)
{
    int best = 0;
    for (int c = 1; c < g->n_contact; ++c)
        if (g->load[c] > g->load[best]) best = c;
    return best;
}

// ---- no loads at all ----------------------------------------------------------------------------

/// Loads are sums of magnitudes, so each is at least its tangent anywhere: load >= now + G (D
/// dload) (2.17). Adds these rows at the present loads, scaled by `size`; false: all hold there
/// already.
static pkm_status add_tangents(struct pkm_friction_loads* g, pkm_lp* lp, double size, bool* added)
{
    const int n = g->n_contact;
    *added = false;
    for (int c = 0; c < n; ++c) {
        const pkm_load_place* at = &g->contact[c];
        if (at->now - g->load[c] <= 1e-9 * size) continue;
        double high = -at->now, norm = 0.0;
        for (int j = 0; j < n; ++j) {
            const double slope = pkm_friction_load_slope(at, g->D + (size_t)j * (size_t)g->m);
            high += slope * g->load[j];
            g->change[j] = size * (slope - (j == c));
            norm = fmax(norm, fabs(g->change[j]));
        }
        for (int j = 0; j < n; ++j)
            g->change[j] /= norm;
        PKM_TRY(pkm_lp_add_below(lp, g->change, high / norm));
        *added = true;
    }
    return PKM_OK;
}

/// Cutting planes: the linear program over all tangents so far has the least loads that obey them.
/// PKM_OK: loads that are no less than what they make; PKM_ERR_CONVERGENCE: there are none.
static pkm_status search(struct pkm_friction_loads* g, pkm_lp* lp, double size, double* work)
{
    enum { ROUNDS = 100 };
    const int n = g->n_contact;
    double *least = work, *x = work + n;
    for (int c = 0; c < n; ++c) {
        pkm_lp_bound(lp, c, 0.0, 1.0);
        least[c] = -1.0;
    }
    for (int round = 0; round < ROUNDS; ++round) {
        bool added;
        double value;
        pkm_friction_loads_read(g, 0.0);
        PKM_TRY(add_tangents(g, lp, size, &added));
        if (!added) return PKM_OK;
        PKM_TRY(pkm_lp_solve(lp, least, x, &value));
        for (int c = 0; c < n; ++c)
            g->load[c] = size * x[c];
    }
    return PKM_RETRY;
}

/// Is it proven that no loads up to `bound` make the friction that makes them?
static bool is_paradox(pkm_plant* p, double bound)
{
    struct pkm_friction_loads* g = p->loads;
    pkm_lp* lp = NULL;
    for (int c = 0; c < g->n_contact; ++c)
        g->load[c] = g->contact[c].without;
    if (!(bound > 0.0) || pkm_lp_create(g->n_contact, &lp) != PKM_OK) return false;
    memcpy(g->base, g->r0, (size_t)g->m * sizeof(double));
    const bool none = search(g, lp, bound, p->settle) == PKM_ERR_CONVERGENCE;
    pkm_lp_free(lp);
    return none;
}

// ---- how friction feeds itself ------------------------------------------------------------------

/// The least of some factors just above 1 with which friction leaves no loads at all (2.18). NAN:
/// none of them is proven.
static double find_paradox(pkm_plant* p, const pkm_jam* jam)
{
    struct pkm_friction_loads* g = p->loads;
    const int n = g->m * g->n_contact;
    double now = 1.0;
    for (double more = 1.0; more <= 64.0; more *= 2.0) {
        const double factor = 1.0 + more / jam->gain;
        pkm_dscal(n, factor / now, g->D, 1);
        now = factor;
        if (is_paradox(p, jam->bound)) return factor;
    }
    return NAN;
}

/// Loads that settle, though the run refuses to go on with them: are they about to jam?
static bool judge_settled(pkm_plant* p, pkm_jam* out)
{
    struct pkm_friction_loads* g = p->loads;
    memcpy(g->base, g->r0, (size_t)g->m * sizeof(double));
    for (int c = 0; c < g->n_contact; ++c)
        g->load[c] = g->contact[c].load.load;
    if (!pkm_friction_loads_settle(g, 0.0)) return false;
    const int worst = most_loaded(g);
    out->gain = pkm_friction_loads_gain(g);
    out->joint = p->friction[g->contact[worst].item].joint;
    out->load = g->load[worst];
    if (!(out->gain >= GAIN && out->load >= GROWTH * out->without)) return false;
    out->kind = PKM_JAM_GROWS;
    out->paradox = find_paradox(p, out);
    return true;
}

/// Friction did not settle: is there nothing to settle to?
static void judge_unsettled(pkm_plant* p, pkm_jam* out)
{
    struct pkm_friction_loads* g = p->loads;
    for (int c = 0; c < g->n_contact; ++c)
        g->load[c] = g->contact[c].without;
    out->joint = p->friction[g->contact[most_loaded(g)].item].joint;
    out->load = out->bound;
    out->kind = is_paradox(p, out->bound) ? PKM_JAM_PARADOX : PKM_JAM_OPEN;
}

pkm_jam pkm_plant_judge_friction(pkm_plant* p, double t, const double* z, double* z_rate)
{
    pkm_jam out = {.kind = PKM_JAM_NONE, .joint = PKM_NONE, .gain = NAN, .paradox = NAN};
    if (p->n_friction == 0) return out;
    const pkm_status status = pkm_plant_evaluate(p, t, z, z_rate);
    if (status != PKM_OK && (status != PKM_RETRY || !p->jams)) return out;
    pkm_friction_loads_list(p, z);
    pkm_friction_loads_probe(p, pkm_plant_solve_with_friction);
    out.without = pkm_friction_loads_without(p->loads);
    out.bound = MOST_LOAD * out.without;
    if (!judge_settled(p, &out) && status != PKM_OK) judge_unsettled(p, &out);
    return out;
}
