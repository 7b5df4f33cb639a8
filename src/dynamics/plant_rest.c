// The path of equilibria: loads are turned on in steps, predicted along dq/ds and corrected by
// Newton's method, until the tangent loses its definiteness or all loads act.
#include "dynamics/plant_rest.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/dot.h"
#include "math/lapack.h"
#include "mechanism/modal_body.h"

#include <string.h>

enum { MAX_CHORD = 12, MAX_DESCENT = 300, MAX_STEP = 400 };
/// An equilibrium is found when the next step is shorter [robot sizes, rad].
static const double NEAR = 1e-11, LEAST = 1e-16;
/// Longest predictor of a load step, the same where links in pieces bend far, longest step downhill
/// [robot sizes, rad].
static const double LONGEST = 0.05, LONGEST_IN_PIECES = 0.2, DOWNHILL = 5e-3;
/// A step stays on the path when what corrects it is shorter than this part of it.
static const double ON_PATH = 0.5;
/// Critical points are located to this part of the loads.
static const double LOCATED = 1e-7;

// ---- path of loads ----------------------------------------------------------------------------

/// Newton's method with the factored tangent at the present loads, until the next step is nothing;
/// `moved` is how far it went [robot sizes, rad].
static pkm_status correct(pkm_rest* e, double longest, double* moved)
{
    double before = HUGE_VAL;
    *moved = 0.0;
    for (int k = 0; k < MAX_CHORD; ++k) {
        PKM_TRY(pkm_rest_ask(e));
        PKM_TRY(pkm_rest_project(e));
        PKM_TRY(pkm_rest_missing(e, e->lambda, e->r));
        pkm_rest_solve(e, e->r, e->x);
        const double length = pkm_rest_length(e, e->x);
        if (!(length <= longest)) return PKM_ERR_CONVERGENCE;
        if (pkm_rest_balance(e, e->x) != PKM_OK) return PKM_ERR_CONVERGENCE;
        pkm_rest_move(e, e->x);
        *moved += length;
        // stiff modes feel the last digits: on until rounding stops it
        if (length < NEAR && (length > 0.3 * before || length < LEAST)) return pkm_rest_project(e);
        if (length > 0.7 * before) return PKM_ERR_CONVERGENCE;
        before = length;
    }
    return PKM_ERR_CONVERGENCE;
}

/// The same with a new tangent where the old one does not serve.
static pkm_status settle(pkm_rest* e, double longest, double* moved)
{
    double part = 0.0;
    pkm_status status = correct(e, longest, moved);
    for (int k = 0; status == PKM_ERR_CONVERGENCE && k < 6 && *moved <= longest; ++k) {
        PKM_TRY(pkm_rest_tangent(e));
        PKM_TRY(pkm_rest_factor(e, false));
        status = correct(e, longest, &part);
        *moved += part;
    }
    return *moved <= longest ? status : PKM_ERR_CONVERGENCE;
}

/// dq/ds: the change of the forces with the load factor is that from none to all.
static pkm_status predict(pkm_rest* e, double s, double* x)
{
    e->loads->scale(e->loads->user, 1.0);
    PKM_TRY(pkm_rest_missing(e, NULL, e->r));
    e->loads->scale(e->loads->user, 0.0);
    PKM_TRY(pkm_rest_missing(e, NULL, e->r1));
    e->loads->scale(e->loads->user, s);
    for (int k = 0; k < e->n; ++k)
        e->r[k] -= e->r1[k];
    pkm_rest_solve(e, e->r, x);
    return PKM_OK;
}

/// Directions that nothing elastic holds without loads, as far as they are.
static pkm_status note_unheld(pkm_rest* e)
{
    int u = 0;
    while (u < e->f && e->w[u] < PKM_UNHELD)
        ++u;
    e->unheld = pkm_alloc((size_t)u * (size_t)e->n, sizeof(double));
    if (!e->unheld) return PKM_ERR_MEMORY;
    memcpy(e->unheld, e->V, (size_t)u * (size_t)e->n * sizeof(double));
    e->n_unheld = u;
    pkm_rest_find_least(e);
    return PKM_OK;
}

/// The velocity with the largest part of the energy in mode i; PKM_NONE: no mode.
static int largest_part(const pkm_rest* e, int i)
{
    int best = PKM_NONE;
    double most = 0.0;
    if (i == PKM_NONE) return PKM_NONE;
    const double* phi = e->V + (size_t)i * (size_t)e->n;
    for (int k = 0; k < e->n; ++k) {
        const double part = e->M[(size_t)k * (size_t)(e->n + 1)] * phi[k] * phi[k];
        if (part > most) most = part, best = k;
    }
    return best;
}

/// A velocity of the link with the most elastic energy in mode i; without links that of the mass.
static int most_strained(const pkm_rest* e, int i)
{
    const pkm_mechanism* mech = e->p->state->mech;
    const double* phi = e->V + (size_t)i * (size_t)e->n;
    int best = PKM_NONE;
    double most = 0.0;
    for (int b = 1; b < mech->n_body; ++b) {
        const pkm_body* body = &mech->body[b];
        double energy = 0.0;
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k) {
            const double z = e->by[body->e_at + k] * phi[body->e_at + k];
            energy += body->modal->stiffness[k] * z * z;
        }
        if (energy > most) most = energy, best = body->e_at;
    }
    return best == PKM_NONE ? largest_part(e, i) : best;
}

/// Where on the path we are: the last stable state, the last load that was too much.
typedef struct path {
    double s, ds, least;           ///< of the last stable state
    double s_before, least_before; ///< of the one before
    double s_over, least_over;     ///< unstable there; HUGE_VAL: not found
    double least_unloaded;
} path;

/// At a limit point the least eigenvalue ends like a root: its square is linear in the loads.
static double extrapolate(const path* at)
{
    const double a = at->least_before * at->least_before, b = at->least * at->least;
    return a > b ? at->s + b * (at->s - at->s_before) / (a - b) : at->s;
}

/// Name the point where the path ends: limit when the loads work on the critical mode.
static pkm_status end_at_critical(pkm_rest* e, const path* at, pkm_rest_report* out)
{
    if (e->lowest == PKM_NONE) return PKM_OK;
    double* phi = e->V + (size_t)e->lowest * (size_t)e->n;
    PKM_TRY(predict(e, at->s, e->x)); // leaves the change of the forces in r
    double all = 0.0;
    for (int i = 0; i < e->f; ++i) {
        const double c = pkm_dot(e->V + (size_t)i * (size_t)e->n, e->r, e->n);
        all += c * c;
    }
    const double work = fabs(pkm_dot(phi, e->r, e->n));
    const bool is_near = at->least < 0.2 * at->least_unloaded;
    if (!is_near && at->s_over == HUGE_VAL) return PKM_OK; // lost, not critical
    out->mode = most_strained(e, e->lowest);
    out->end = work > 1e-6 * sqrt(all) ? PKM_REST_LIMIT : PKM_REST_BIFURCATION;
    out->factor = at->s_over < HUGE_VAL ? at->s : extrapolate(at);
    return PKM_OK;
}

/// A state on the path at s + ds was found, and its tangent: is it stable? Then it is the next one.
static pkm_status judge(pkm_rest* e, path* at)
{
    const size_t size = (size_t)e->p->state->mech->n_q * sizeof(double);
    const double s = at->s + at->ds;
    if (e->lowest != PKM_NONE && e->least < 0.0) {
        at->s_over = s;
        at->least_over = e->least;
        return PKM_RETRY;
    }
    at->s_before = at->s, at->least_before = at->least;
    at->s = s, at->least = e->least;
    memcpy(e->q0, e->p->state->q, size);
    return PKM_OK;
}

/// The next step: twice the last, or after one that left the path half of it; towards a change of
/// stability by the secant of the least eigenvalue.
static void choose_step(path* at, bool went)
{
    at->ds = fmin(went ? 2.0 * at->ds : 0.5 * at->ds, 1.0 - at->s);
    if (at->s_over == HUGE_VAL) return;
    const double gap = at->s_over - at->s, part = at->least / (at->least - at->least_over);
    at->ds = fmin(at->ds, gap * fmin(0.9, fmax(0.1, part)));
}

/// Return to the last state of the path with its tangent.
static pkm_status go_back(pkm_rest* e, const path* at)
{
    memcpy(e->p->state->q, e->q0, (size_t)e->p->state->mech->n_q * sizeof(double));
    e->loads->scale(e->loads->user, at->s);
    PKM_TRY(pkm_rest_project(e));
    return pkm_rest_tangent(e);
}

/// Of what went wrong in a step, what no other step cures.
static bool ends_all(pkm_status status)
{
    return status == PKM_ERR_MEMORY || status == PKM_ERR_INTERRUPTED;
}

/// One step of the loads. @return PKM_RETRY when it left the path or what is stable.
static pkm_status load_step(pkm_rest* e, path* at)
{
    double moved;
    PKM_TRY(pkm_rest_factor(e, false));
    PKM_TRY(predict(e, at->s, e->x));
    const double rate = pkm_rest_length(e, e->x);
    if (!(rate < HUGE_VAL)) return PKM_ERR_CONVERGENCE;
    at->ds = fmin(at->ds, (e->has_chain ? LONGEST_IN_PIECES : LONGEST) / rate);
    const double along = at->ds * rate;
    for (int k = 0; k < e->n; ++k)
        e->x[k] *= at->ds;
    pkm_rest_move(e, e->x);
    e->loads->scale(e->loads->user, at->s + at->ds);
    const pkm_status status = settle(e, fmax(ON_PATH * along, 100.0 * NEAR), &moved);
    if (status == PKM_OK) {
        PKM_TRY(pkm_rest_tangent(e));
        return judge(e, at);
    }
    return ends_all(status) ? status : PKM_RETRY;
}

// ---- downhill ---------------------------------------------------------------------------------

/// x . missing at q0 + part x, as far as the loops let it go there.
static pkm_status slope_at(pkm_rest* e, double part, double* out)
{
    pkm_state* state = e->p->state;
    PKM_TRY(pkm_rest_ask(e));
    memcpy(state->q, e->q0, (size_t)state->mech->n_q * sizeof(double));
    for (int k = 0; k < e->n; ++k)
        e->unit[k] = part * e->x[k];
    pkm_rest_move(e, e->unit);
    PKM_TRY(pkm_rest_project(e));
    PKM_TRY(pkm_rest_missing(e, e->lambda, e->r));
    *out = pkm_dot(e->x, e->r, e->n);
    return PKM_OK;
}

/// Go along x until the forces no longer push on: the potential is least there.
static pkm_status search_line(pkm_rest* e)
{
    static const double ENOUGH = 0.8;
    const double first = pkm_dot(e->x, e->r, e->n);
    double low = 0.0, high = 1.0, at_low = first, now;
    memcpy(e->q0, e->p->state->q, (size_t)e->p->state->mech->n_q * sizeof(double));
    PKM_TRY(slope_at(e, 1.0, &now));
    double part = 1.0;
    for (int k = 0; k < 30 && now > ENOUGH * fabs(first); ++k) {
        high = part;
        const double secant = low - at_low * (high - low) / (now - at_low);
        part = fmax(low + 0.1 * (high - low), fmin(secant, low + 0.5 * (high - low)));
        PKM_TRY(slope_at(e, part, &now));
        for (int i = 0; i < 8 && now < -ENOUGH * fabs(first); ++i) { // too short
            low = part, at_low = now;
            part = 0.5 * (low + high);
            PKM_TRY(slope_at(e, part, &now));
        }
    }
    return PKM_OK;
}

static pkm_status descend(pkm_rest* e, pkm_rest_report* out)
{
    double before = HUGE_VAL;
    PKM_TRY(pkm_rest_project(e));
    for (int k = 0; k < MAX_DESCENT; ++k) {
        PKM_TRY(pkm_rest_tangent(e));
        if (e->f == 0) break;
        PKM_TRY(pkm_rest_factor(e, true));
        pkm_rest_solve(e, e->r, e->x);
        const double length = pkm_rest_length(e, e->x);
        if (!(length < HUGE_VAL)) return PKM_ERR_CONVERGENCE;
        if (length < NEAR && (length > 0.3 * before || length < LEAST)) break;
        before = length;
        for (int i = 0; length > DOWNHILL && i < e->n; ++i)
            e->x[i] *= DOWNHILL / length;
        PKM_TRY(search_line(e));
        if (k == MAX_DESCENT - 1) return PKM_ERR_CONVERGENCE;
    }
    out->end = e->f == 0 || e->w[0] > -PKM_UNHELD ? PKM_REST_FOUND : PKM_REST_BIFURCATION;
    out->mode = out->end == PKM_REST_FOUND ? PKM_NONE : largest_part(e, 0);
    return PKM_OK;
}

// ---- along the loads --------------------------------------------------------------------------

/// The equilibrium without loads, to which springs may have to settle: by Newton's method, or
/// downhill where that does not find it.
static pkm_status settle_unloaded(pkm_rest* e, double* moved)
{
    pkm_rest_report found;
    PKM_TRY(pkm_rest_factor(e, false));
    memcpy(e->q0, e->p->state->q, (size_t)e->p->state->mech->n_q * sizeof(double));
    const pkm_status status = settle(e, LONGEST, moved);
    if (status != PKM_ERR_CONVERGENCE) return status;
    memcpy(e->p->state->q, e->q0, (size_t)e->p->state->mech->n_q * sizeof(double));
    *moved = HUGE_VAL;
    PKM_TRY(descend(e, &found));
    return found.end == PKM_REST_FOUND ? PKM_OK : PKM_ERR_CONVERGENCE;
}

static pkm_status follow(pkm_rest* e, pkm_rest_report* out)
{
    double moved;
    e->loads->scale(e->loads->user, 0.0);
    PKM_TRY(pkm_rest_project(e));
    PKM_TRY(pkm_rest_tangent(e));
    if (e->f == 0) {
        e->loads->scale(e->loads->user, 1.0);
        *out = (pkm_rest_report){.end = PKM_REST_FOUND, .factor = 1.0, .mode = PKM_NONE};
        return PKM_OK;
    }
    PKM_TRY(settle_unloaded(e, &moved));
    path at = {.ds = 0.0, .s_over = HUGE_VAL};
    if (moved > NEAR) PKM_TRY(pkm_rest_tangent(e)); // else it is the one that is there
    PKM_TRY(note_unheld(e));
    PKM_TRY(judge(e, &at));
    at.least_unloaded = at.least_before = at.least;
    at.ds = 1.0;
    for (int k = 0; k < MAX_STEP && at.s < 1.0; ++k) {
        const pkm_status status = load_step(e, &at);
        if (status != PKM_OK && status != PKM_RETRY) return status;
        const bool over = at.s_over - at.s < LOCATED;
        choose_step(&at, status == PKM_OK);
        if (status == PKM_RETRY) PKM_TRY(go_back(e, &at));
        if (over || at.ds < LOCATED * 0.1) break;
    }
    out->factor = at.s;
    if (at.s >= 1.0) { // once more with the tangent there
        out->end = PKM_REST_FOUND;
        PKM_TRY(pkm_rest_factor(e, false));
        return correct(e, LONGEST, &moved);
    }
    out->end = e->n_unheld > 0 && at.s < 1e-3 ? PKM_REST_UNHELD : PKM_REST_LOST;
    if (out->end == PKM_REST_UNHELD) out->mode = largest_part(e, 0);
    PKM_TRY(pkm_rest_factor(e, false));
    return end_at_critical(e, &at, out);
}

/// Numbers that the iteration could not find mean a lost path; memory and the user's wish to end
/// are another matter.
static pkm_status conclude(pkm_rest* e, pkm_status status, pkm_rest_report* out)
{
    out->n_tangent = e->n_tangent;
    pkm_rest_end_work(e);
    return ends_all(status) ? status : PKM_OK;
}

pkm_status pkm_plant_follow_loads(pkm_plant* plant, double t, const pkm_rest_loads* loads,
                                  pkm_rest_report* report)
{
    pkm_rest e;
    *report = (pkm_rest_report){.end = PKM_REST_LOST, .mode = PKM_NONE};
    pkm_status status = pkm_rest_begin(&e, plant, t);
    e.loads = loads;
    if (status == PKM_OK) status = follow(&e, report);
    loads->scale(loads->user, 1.0);
    return conclude(&e, status, report);
}

// ---- from anywhere ------------------------------------------------------------------------

pkm_status pkm_plant_come_to_rest(pkm_plant* plant, double t, const pkm_rest_loads* loads,
                                  pkm_rest_report* report)
{
    pkm_rest e;
    *report = (pkm_rest_report){.end = PKM_REST_LOST, .factor = 1.0, .mode = PKM_NONE};
    pkm_status status = pkm_rest_begin(&e, plant, t);
    e.loads = loads;
    if (status == PKM_OK) status = descend(&e, report);
    return conclude(&e, status, report);
}
