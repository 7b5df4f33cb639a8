// Touching and parting inside a step: gaps looked at by their cubics and by dense output, the first
// change located, the state put there. docs/theory/contact.md, section 4, events.
#include "base/error.h"
#include "simulate/contact_watch.h"

#include <string.h>

enum { N_SAMPLE = 8 }; ///< dense points of a step at which gaps are looked at

// ---- events -----------------------------------------------------------------------------------

/// Contacts at time t inside the last step.
static pkm_status look_at(pkm_sim* s, double t)
{
    s->contacts->has_looked = true;
    PKM_TRY(pkm_sim_stand_at(s, t, s->contacts->y));
    pkm_plant_find_contacts(s->plant, s->contacts->y + s->n_q + s->n_v);
    return PKM_OK;
}

/// The pair of contact k alone.
static pkm_status look_at_one(pkm_sim* s, int k, double t)
{
    pkm_sim_contacts* c = s->contacts;
    c->has_looked = true;
    PKM_TRY(pkm_sim_stand_at(s, t, c->y));
    pkm_plant_find_contact(s->plant, c->contact[k].pair, c->y + s->n_q + s->n_v);
    return PKM_OK;
}

/// Has the contact changed when its gap is `gap`: a flight ended, or a touch?
static bool has_changed(const pkm_sim* s, int k, double gap)
{
    // PKM_TOUCH is the rounding of a gap [m]: within it nothing has changed
    return pkm_plant_memory(s->plant)[k].touching ? gap > PKM_TOUCH : gap < -PKM_TOUCH;
}

/// Does the gap move towards what ends the present state of the contact: to touch or to part?
static bool moves_on(const pkm_sim* s, int k, double gap_rate)
{
    return pkm_plant_memory(s->plant)[k].touching ? gap_rate > 0.0 : gap_rate < 0.0;
}

/// The gap at the start of the step. Behind an event it may be on the side that it leaves, by
/// rounding: what it does then in a short hop is a change of its own.
static double gap_before(const pkm_sim* s, int k)
{
    const pkm_contact_point* at = &s->contacts->contact[k].before;
    return has_changed(s, k, at->gap) && !moves_on(s, k, at->gap_rate) ? 0.0 : at->gap;
}

/// The gap of contact k in the step by its values and rates at both ends, at the part x of it, and
/// what that may be off.
typedef struct cubic {
    double g0, g1, v0, v1, margin;
} cubic;

static cubic cubic_of(const pkm_sim* s, int k, double h)
{
    const pkm_watched* w = &s->contacts->contact[k];
    cubic c = {w->before.gap, w->now.gap, h * w->before.gap_rate, h * w->now.gap_rate, 0.0};
    // the error of Hermite's cubic is of fourth order in the step: near zero a look decides
    c.margin = 0.05 * (fabs(c.v0) + fabs(c.v1) + fabs(c.g1 - c.g0));
    return c;
}

static double gap_in(const cubic* c, double x)
{
    const double y = 1.0 - x;
    return y * y * (1.0 + 2.0 * x) * c->g0 + x * x * (1.0 + 2.0 * y) * c->g1 +
           x * y * (y * c->v0 - x * c->v1);
}

/// The first dense point of the step at which contact k may have changed; beyond N_SAMPLE: at none.
static int first_change(const pkm_sim* s, int k, double h)
{
    const bool touching = pkm_plant_memory(s->plant)[k].touching;
    const cubic c = cubic_of(s, k, h);
    for (int i = 1; i < N_SAMPLE; ++i) {
        const double g = gap_in(&c, (double)i / N_SAMPLE);
        if (touching ? g > c.margin : g < c.margin) return i;
    }
    return has_changed(s, k, c.g1) ? N_SAMPLE : N_SAMPLE + 1;
}

/// The time between `low` (before the change) and `high` (after it) at which contact k changes, by
/// bisection with secants (Illinois).
static pkm_status locate(pkm_sim* s, int k, double low, double g_low, double high, double g_high,
                         double* t)
{
    for (int i = 0; i < 60 && fabs(g_high - g_low) > PKM_TOUCH; ++i) {
        // regula falsi; every fourth step halves, so that one side cannot stall
        double at = low + (high - low) * g_low / (g_low - g_high);
        if (!(at > low && at < high) || i % 4 == 3) at = 0.5 * (low + high);
        if (!(at > low && at < high)) break;
        PKM_TRY(look_at_one(s, k, at));
        const double g = pkm_sim_contact_point(s, k)->gap;
        if (has_changed(s, k, g)) {
            high = at;
            g_high = g;
            g_low *= 0.5;
        } else {
            low = at;
            g_low = g;
            g_high *= 0.5;
            if (fabs(g) <= PKM_TOUCH && moves_on(s, k, pkm_sim_contact_point(s, k)->gap_rate))
                break;
        }
    }
    *t = low;
    return PKM_OK;
}

/// The change of contact k between the dense points at `from`, where it had not changed, and `to`.
/// A hop that begins on the wrong side of zero counts where it leads to a change; a dense output of
/// low order may tell of one while the surfaces open: it is looked at again at `to`.
static pkm_status locate_change(pkm_sim* s, int k, double from, double to)
{
    pkm_watched* w = &s->contacts->contact[k];
    const bool is_hop = w->sample == 0.0;
    PKM_TRY(locate(s, k, from, w->sample, to, w->next, &w->t_change));
    if (!is_hop) return PKM_OK;
    PKM_TRY(look_at_one(s, k, w->t_change));
    if (!(w->t_change > from) || !moves_on(s, k, pkm_sim_contact_point(s, k)->gap_rate))
        w->t_change = to;
    return PKM_OK;
}

/// The first change between the dense points at `from` and `to`, where the plant looks now.
static pkm_status find_between(pkm_sim* s, double from, double to, double* t_event)
{
    pkm_sim_contacts* c = s->contacts;
    for (int k = 0; k < c->n; ++k)
        c->contact[k].next = pkm_sim_contact_point(s, k)->gap;
    for (int k = 0; k < c->n; ++k) {
        pkm_watched* w = &c->contact[k];
        if (!has_changed(s, k, w->next)) continue;
        w->t_change = to;
        if (!has_changed(s, k, w->sample)) PKM_TRY(locate_change(s, k, from, to));
        *t_event = fmin(*t_event, w->t_change);
    }
    for (int k = 0; k < c->n; ++k)
        c->contact[k].sample = c->contact[k].next;
    return PKM_OK;
}

/// Gaps at the dense point `i` of the step before which none can have changed; where one has all
/// the same the search begins at the start, i = 0.
static pkm_status begin_search(pkm_sim* s, int* i)
{
    pkm_sim_contacts* c = s->contacts;
    const double h = pkm_sim_last_step(s), begin = pkm_sim_time(s) - h;
    bool is_early = *i == 0;
    if (!is_early) PKM_TRY(look_at(s, begin + h * *i / N_SAMPLE));
    for (int k = 0; k < c->n && !is_early; ++k) {
        c->contact[k].sample = pkm_sim_contact_point(s, k)->gap;
        is_early = has_changed(s, k, c->contact[k].sample);
    }
    if (!is_early) return PKM_OK;
    *i = 0;
    for (int k = 0; k < c->n; ++k)
        c->contact[k].sample = gap_before(s, k);
    return PKM_OK;
}

pkm_status pkm_sim_find_event(pkm_sim* s, double* t_event)
{
    pkm_sim_contacts* c = s->contacts;
    const double h = pkm_sim_last_step(s), end = pkm_sim_time(s);
    int first = N_SAMPLE + 1;
    *t_event = HUGE_VAL;
    c->has_looked = false;
    for (int k = 0; k < c->n; ++k) {
        c->contact[k].now = *pkm_sim_contact_point(s, k);
        c->contact[k].t_change = HUGE_VAL;
    }
    for (int p = 0; p < pkm_plant_n_pair(s->plant); ++p)
        c->way[p].to = pkm_contact_offset(pkm_plant_pair(s->plant, p));
    for (int k = 0; k < c->n; ++k) {
        const int at = first_change(s, k, h);
        if (at < first) first = at;
    }
    if (first > N_SAMPLE) return PKM_OK;
    int begin = first - 1;
    PKM_TRY(begin_search(s, &begin));
    for (int i = begin + 1; i <= N_SAMPLE && *t_event == HUGE_VAL; ++i) {
        const double from = end - h + h * (i - 1) / N_SAMPLE;
        const double to = i == N_SAMPLE ? end : end - h + h * i / N_SAMPLE;
        PKM_TRY(look_at(s, to));
        PKM_TRY(find_between(s, from, to, t_event));
    }
    return PKM_OK;
}

static const double NEAR_LARGEST = 0.9; ///< of a force that may be the largest

/// Does contact k turn back inside the step?
static bool turns_back(const pkm_sim* s, int k)
{
    const pkm_watched* w = &s->contacts->contact[k];
    return pkm_plant_memory(s->plant)[k].touching && w->before.gap_rate < 0.0 &&
           w->now.gap_rate > 0.0;
}

/// Could it be deeper or pressed harder there than ever before, by the cubic of its gap?
static bool may_lead(const pkm_sim* s, int k, double h)
{
    const pkm_watched* w = &s->contacts->contact[k];
    const cubic c = cubic_of(s, k, h);
    double depth = fmax(-c.g0, -c.g1);
    for (int i = 1; i < N_SAMPLE; ++i)
        depth = fmax(depth, -gap_in(&c, (double)i / N_SAMPLE));
    depth += c.margin;
    if (depth > s->contacts->record->bearing[w->pair].penetration.value) return true;
    const double rate = w->now.gap_rate - w->before.gap_rate; // both ends: no less than it closes
    const pkm_contact_law* law = &pkm_plant_pair(s->plant, w->pair)->clearance.law;
    const double speed = pkm_plant_memory(s->plant)[k].impact_speed;
    return pkm_contact_law_force(law, depth, rate, speed).force > NEAR_LARGEST * w->most_pressed;
}

/// Do surfaces that touch turn back inside the step with what may be a peak?
static bool has_turn(const pkm_sim* s)
{
    for (int k = 0; k < s->contacts->n; ++k)
        if (turns_back(s, k) && may_lead(s, k, pkm_sim_last_step(s))) return true;
    return false;
}

/// Into how many parts a step has to be divided for a smooth path: the longest way of a journal in
/// twentieths of its clearance.
static int count_parts(const pkm_sim_contacts* c)
{
    double most = 0.0;
    for (int p = 0; p < c->record->n_bearing; ++p) {
        const double length = pkm_vec3_norm(pkm_vec3_sub(c->way[p].to, c->way[p].from));
        if (c->record->bearing[p].radial > 0.0)
            most = fmax(most, length / c->record->bearing[p].radial);
    }
    return most < 0.05 ? 1 : most > 1.0 ? 20 : (int)ceil(20.0 * most);
}

/// Contact k at a dense point: remember where its normal force is largest in this step.
static void press(pkm_sim* s, double t)
{
    for (int k = 0; k < s->contacts->n; ++k) {
        const double force = pkm_sim_contact_point(s, k)->normal;
        pkm_watched* w = &s->contacts->contact[k];
        if (!(force > w->pressed)) continue;
        w->pressed = force;
        w->t_pressed = t;
    }
}

/// The instant of the largest normal force of contact k in [low, high], by golden sections from the
/// dense point where it was largest.
static pkm_status locate_force(pkm_sim* s, int k, double low, double high)
{
    static const double GOLDEN = 0.3819660112501051;
    enum { SECTIONS = 12 }; // 0.6 percent of the way is left, 1e-5 of the force
    pkm_watched* w = &s->contacts->contact[k];
    for (int i = 0; i < SECTIONS; ++i) {
        const double mid = w->t_pressed;
        const bool goes_up = high - mid > mid - low;
        const double t = goes_up ? mid + GOLDEN * (high - mid) : mid - GOLDEN * (mid - low);
        PKM_TRY(look_at(s, t));
        press(s, t);
        const double outer = w->t_pressed == t ? mid : t;
        if (goes_up == (w->t_pressed == t))
            low = outer;
        else
            high = outer;
    }
    return PKM_OK;
}

/// Does contact k turn back in this step with a force that its bearing may not have had?
static bool may_be_largest(const pkm_sim* s, int k)
{
    const pkm_watched* w = &s->contacts->contact[k];
    return turns_back(s, k) && w->pressed > NEAR_LARGEST * w->most_pressed;
}

static pkm_status locate_forces(pkm_sim* s, double part, double until)
{
    const double begin = pkm_sim_time(s) - pkm_sim_last_step(s);
    for (int k = 0; k < s->contacts->n; ++k) {
        pkm_watched* w = &s->contacts->contact[k];
        if (!may_be_largest(s, k)) continue;
        PKM_TRY(
            locate_force(s, k, fmax(w->t_pressed - part, begin), fmin(w->t_pressed + part, until)));
        w->most_pressed = fmax(w->most_pressed, w->pressed);
        PKM_TRY(pkm_sim_watch_at(s, w->t_pressed));
    }
    return PKM_OK;
}

pkm_status pkm_sim_look_inside(pkm_sim* s, double until)
{
    pkm_sim_contacts* c = s->contacts;
    const double h = pkm_sim_last_step(s), end = pkm_sim_time(s);
    const int parts = count_parts(c);
    const bool turns = has_turn(s);
    const int n = turns && parts < N_SAMPLE ? N_SAMPLE : parts;
    for (int k = 0; k < c->n; ++k)
        c->contact[k].pressed = 0.0;
    for (int i = 1; i < n; ++i) {
        const double t = end - h + h * i / n;
        if (t >= until) break;
        PKM_TRY(look_at(s, t));
        press(s, t);
        pkm_sim_note_peaks(s, t);
        if (parts > 1) pkm_contact_record_point(c->record, t, s->plant);
    }
    return turns ? locate_forces(s, h / n, until) : PKM_OK;
}

bool pkm_sim_has_looked(const pkm_sim* s)
{
    return s->contacts->has_looked;
}

bool pkm_sim_parts_at(const pkm_sim* s, double t)
{
    for (int k = 0; k < s->contacts->n; ++k)
        if (s->contacts->contact[k].t_change <= t && pkm_plant_memory(s->plant)[k].touching)
            return true;
    return false;
}

/// Bristles of contact k start anew.
static void start_bristles(const pkm_sim* s, int k, double* z)
{
    const pkm_contact_pair* pair = pkm_plant_pair(s->plant, s->contacts->contact[k].pair);
    pkm_clearance_touch(&pair->clearance, pair->type, &pair->motion, k - pair->contact_at,
                        z + pair->z_at);
}

pkm_status pkm_sim_pass_event(pkm_sim* s, double t, double* y)
{
    pkm_sim_contacts* c = s->contacts;
    pkm_contact_memory* memory = pkm_plant_memory(s->plant);
    double* z = y + s->n_q + s->n_v;
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    pkm_plant_find_contacts(s->plant, z);
    for (int k = 0; k < c->n; ++k) {
        const pkm_contact_point at = *pkm_sim_contact_point(s, k);
        pkm_watched* w = &c->contact[k];
        const bool changes = t > 0.0 && w->t_change <= t; // found there; others by their gaps
        if (!memory[k].touching && (changes || at.gap <= 2.0 * PKM_TOUCH) && at.gap_rate < 0.0) {
            memory[k] = (pkm_contact_memory){true, -at.gap_rate};
            w->turns = 0;
            start_bristles(s, k, z);
            pkm_sim_note_touch(s, k, t, -at.gap_rate);
        } else if (memory[k].touching && (changes || at.gap >= -2.0 * PKM_TOUCH) &&
                   at.gap_rate > 0.0) {
            memory[k].touching = false;
        }
        w->before = at;
    }
    return pkm_sim_note_modes(s, t);
}
