/// A simulation that somebody else integrates, in independent coordinates
/// (docs/theory/simulation.md, section 9):
///
///     x = (q_i, v_i, z),   q_d from phi(q_i, q_d) = 0,   v_d from G v = phi_t,   v_i' = a_i
#include "base/error.h"
#include "base/memory.h"
#include "simulate/session_state.h"
#include "table/warnings.h"

#include <math.h>
#include <string.h>

void pkm_exchange_free(pkm_exchange* x)
{
    if (!x) return;
    pkm_free(x->held);
    pkm_free(x->at);
    pkm_free(x->base);
    pkm_free(x->dy);
    pkm_free(x);
}

void pkm_exchange_memo(pkm_exchange* x, const pkm_sim* s, pkm_memo* memo)
{
    pkm_memo_pass(memo, &x->t, sizeof x->t);
    pkm_memo_pass(memo, x->held, (size_t)x->n * sizeof *x->held);
    pkm_memo_pass(memo, x->at, (size_t)x->n * sizeof *x->at);
    pkm_memo_pass(memo, x->base, (size_t)s->n_q * sizeof *x->base);
    pkm_memo_pass(memo, &x->most, sizeof x->most);
}

/// The coordinate whose rate velocity k is.
static int coordinate_of(const pkm_mechanism* mech, int k)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (k >= body->v_at && k < body->v_at + body->n_v) return body->q_at + k - body->v_at;
        if (body->modal && k >= body->e_at && k < body->e_at + body->modal->n_mode)
            return body->z_at + k - body->e_at;
    }
    return PKM_NONE;
}

/// Coordinates that are good here: those that the freedoms move most.
static pkm_status choose(pkm_session* e)
{
    static const double MOST_LEVER = 10.0;
    pkm_exchange* x = e->exchange;
    pkm_sim* s = &e->sim;
    pkm_sim_load_state(s, e->y);
    PKM_TRY(pkm_plant_choose_coordinates(s->plant));
    pkm_plant_get_held(s->plant, x->held);
    for (int k = 0; k < x->n; ++k)
        x->at[k] = coordinate_of(s->robot->mech, x->held[k]);
    PKM_TRY(pkm_plant_factor(s->plant));
    // a choice is poor when u is worth ten times fewer digits, or half of what it was worth here
    x->most = fmax(MOST_LEVER, 2.0 * pkm_plant_lever(s->plant));
    return PKM_OK;
}

pkm_status pkm_session_begin_exchange(pkm_session* e, pkm_error* err)
{
    pkm_sim* s = &e->sim;
    if (s->contacts)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "model exchange: surfaces of joints with clearance touch and part, which "
                        "only co-simulation locates");
    // steps of our own may have gone ahead of the time that was asked for
    if (pkm_session_land(e) != PKM_OK)
        return pkm_fail(err, PKM_ERR_SINGULAR, "model exchange: it begins at a singular position");
    pkm_exchange* x = pkm_alloc(1, sizeof *x);
    if (!x) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    x->n = pkm_plant_n_free(s->plant);
    x->n_more = s->n_z + s->n_sum;
    x->t = pkm_sim_time(s);
    x->held = pkm_alloc((size_t)x->n, sizeof *x->held);
    x->at = pkm_alloc((size_t)x->n, sizeof *x->at);
    x->base = pkm_alloc((size_t)s->n_q, sizeof *x->base);
    x->dy = pkm_alloc((size_t)s->n_y, sizeof *x->dy);
    memcpy(e->y, pkm_sim_state(s), (size_t)s->n_y * sizeof(double));
    e->exchange = x;
    if (!x->held || !x->at || !x->base || !x->dy)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const pkm_status status = choose(e);
    pkm_session_accept(e);
    if (status == PKM_OK) return PKM_OK;
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    return pkm_fail(err, status,
                    "model exchange: a ball joint turns by itself, so that no independent "
                    "coordinates tell where the robot is; use co-simulation");
}

int pkm_session_n_x(const pkm_session* e)
{
    return e->exchange ? 2 * e->exchange->n + e->exchange->n_more : 0;
}

void pkm_session_get_x(const pkm_session* e, double* out)
{
    const pkm_exchange* x = e->exchange;
    for (int k = 0; k < x->n; ++k) {
        // q_i, v_i, z, as in the head of this file
        out[k] = e->y[x->at[k]];
        out[x->n + k] = e->y[e->sim.n_q + x->held[k]];
    }
    memcpy(out + 2 * x->n, e->y + e->sim.n_q + e->sim.n_v, (size_t)x->n_more * sizeof(double));
}

/// The sizes that the tolerances of our own steps are relative to.
void pkm_session_get_nominal(const pkm_session* e, double* out)
{
    const pkm_exchange* x = e->exchange;
    const pkm_sim* s = &e->sim;
    for (int k = 0; k < x->n; ++k) {
        out[k] = s->atol[x->at[k]] / s->tolerance;
        out[x->n + k] = s->atol[s->n_q + x->held[k]] / s->tolerance;
    }
    for (int i = 0; i < x->n_more; ++i)
        out[2 * x->n + i] = s->atol[s->n_q + s->n_v + i] / s->tolerance;
}

pkm_status pkm_session_set_x(pkm_session* e, double t, const double* in)
{
    pkm_exchange* x = e->exchange;
    pkm_sim* s = &e->sim;
    x->t = t;
    // dependent coordinates start from those of the last accepted instant: Newton's branch
    memcpy(e->y, x->base, (size_t)s->n_q * sizeof(double));
    for (int k = 0; k < x->n; ++k) {
        e->y[x->at[k]] = in[k];
        e->y[s->n_q + x->held[k]] = in[x->n + k];
    }
    memcpy(e->y + s->n_q + s->n_v, in + 2 * x->n, (size_t)x->n_more * sizeof(double));
    pkm_sim_load_state(s, e->y);
    // the choice may have changed at an event of another saved state
    PKM_TRY(pkm_plant_hold(s->plant, x->held));
    // from the left: what jumps at t jumps in the event
    PKM_TRY(pkm_plant_project(s->plant, pkm_sim_left(s, t)));
    pkm_sim_store_state(s, e->y);
    return PKM_OK;
}

pkm_status pkm_session_rates(pkm_session* e, double* out)
{
    pkm_exchange* x = e->exchange;
    const pkm_sim* s = &e->sim;
    const pkm_ode ode = pkm_sim_ode(&e->sim);
    PKM_TRY(ode.rate(ode.user, x->t, e->y, x->dy));
    for (int k = 0; k < x->n; ++k) {
        out[k] = x->dy[x->at[k]];
        out[x->n + k] = x->dy[s->n_q + x->held[k]];
    }
    memcpy(out + 2 * x->n, x->dy + s->n_q + s->n_v, (size_t)x->n_more * sizeof(double));
    return PKM_OK;
}

/// Falls through zero where the choice of coordinates has become poor.
static pkm_status judge_coordinates(pkm_session* e, double* out)
{
    pkm_sim* s = &e->sim;
    pkm_sim_load_state(s, e->y);
    PKM_TRY(pkm_plant_hold(s->plant, e->exchange->held));
    PKM_TRY(pkm_plant_factor(s->plant));
    *out = 1.0 - pkm_plant_lever(s->plant) / e->exchange->most;
    return PKM_OK;
}

/// Of both the least: each passes zero at an event of the importer.
pkm_status pkm_session_indicator(pkm_session* e, double* out)
{
    pkm_sim* s = &e->sim;
    PKM_TRY(judge_coordinates(e, out));
    // the least: whichever passes zero first is an event
    *out = fmin(*out, pkm_plant_turning(s->plant, e->y + s->n_q + s->n_v));
    return PKM_OK;
}

static void keep_base(pkm_session* e)
{
    memcpy(e->exchange->base, e->y, (size_t)e->sim.n_q * sizeof(double));
}

void pkm_session_accept(pkm_session* e)
{
    pkm_sim* s = &e->sim;
    keep_base(e);
    pkm_sim_load_state(s, e->y);
    // what slides now, so that a turn back can be told
    pkm_plant_note_slides(s->plant, pkm_sim_left(s, e->exchange->t), e->y + s->n_q + s->n_v);
}

/// Surfaces that turn back here: held, or they slide back.
static pkm_status hold_what_stops(pkm_session* e, bool* changed)
{
    pkm_sim* s = &e->sim;
    const double t = pkm_sim_left(s, e->exchange->t);
    pkm_sim_load_state(s, e->y);
    const pkm_status status = pkm_plant_take_up(s->plant, t, e->y + s->n_q + s->n_v);
    if (status == PKM_RETRY)
        pkm_warn(pkm_table_warnings(e->table), "friction", e->exchange->t,
                 "surfaces that stopped here may slide back although static friction holds them: "
                 "the importer located where its event indicator passes zero too late; tighten "
                 "its tolerance for the time of events");
    else
        PKM_TRY(status);
    *changed = *changed || (status == PKM_OK && pkm_plant_took_up(s->plant));
    return PKM_OK;
}

pkm_status pkm_session_pass_event(pkm_session* e, bool* changed, double* next)
{
    pkm_sim* s = &e->sim;
    pkm_exchange* x = e->exchange;
    double indicator;
    *changed = false;
    PKM_TRY(hold_what_stops(e, changed));
    PKM_TRY(pkm_sim_pass_break(s, x->t, e->y));
    pkm_sim_store_state(s, e->y);
    e->loop.next = pkm_sim_next_break(s, x->t);
    *next = e->loop.next < s->settings->end_time ? e->loop.next : HUGE_VAL;
    // surfaces and loads first: they may have changed what the freedoms move
    PKM_TRY(judge_coordinates(e, &indicator));
    if (indicator <= 0.0) {
        PKM_TRY(choose(e));
        *changed = true;
    }
    keep_base(e);
    return PKM_OK;
}
