#include "analysis/simulation_parts.h"
#include "base/error.h"
#include "dynamics/kinematics.h"

#include <stdio.h>
#include <string.h>

enum { N_SAMPLE = 8 }; ///< dense points of a step at which gaps are looked at

/// Gaps [m] below this are none: rounding of positions of a metre.
static const double TOUCH = 1e-13;

/// A contact over the last step and since it touched.
typedef struct watched {
    pkm_contact_point before, now; ///< at the start and the end of the step
    double sample, next;           ///< gaps at the last dense point and the one behind it
    int turns;                     ///< changes of direction since first touch: 2 and more: it lasts
    int pair;
    double t_change; ///< when it changes within the last step; infinite: it does not
} watched;

struct pkm_sim_contacts {
    int n; ///< contacts
    watched* contact;
    double* y; ///< [n_y] dense output
    pkm_contact_record* record;
    bool owns_record;
    double t_before; ///< end of the last step of an implicit method
    bool has_looked; ///< inside the last step, so that the plant is not at its end
};
typedef struct pkm_sim_contacts contacts;

// ---- choices ----------------------------------------------------------------------------------

static bool has_contact(const pkm_joint_play* play)
{
    return play->clearance.fidelity == PKM_FIDELITY_CONTACT;
}

int pkm_sim_list_plays(const pkm_sim* s, pkm_joint_play* out)
{
    const pkm_effects* effects = s->settings->effects;
    int n = 0;
    for (int k = 0; effects && k < effects->n_clearance; ++k) {
        if (!has_contact(&effects->clearance[k])) continue;
        pkm_joint_play* play = &out[n++];
        *play = effects->clearance[k];
        for (int f = 0; f < effects->n_friction; ++f) {
            if (effects->friction[f].joint != play->joint || play->clearance.has_friction) continue;
            play->clearance.has_friction = true;
            play->clearance.friction = effects->friction[f].friction.law;
        }
    }
    return n;
}

int pkm_sim_list_friction(const pkm_sim* s, pkm_plant_friction* out)
{
    const pkm_effects* effects = s->settings->effects;
    int n = 0;
    for (int f = 0; effects && f < effects->n_friction; ++f) {
        const int joint = effects->friction[f].joint;
        if (!s->robot->mech->joint[joint].released) out[n++] = effects->friction[f];
    }
    return n;
}

// ---- modes ------------------------------------------------------------------------------------

static const pkm_contact_point* point_of(const pkm_sim* s, int k)
{
    const contacts* c = s->contacts;
    const pkm_contact_pair* pair = pkm_plant_pair(s->plant, c->contact[k].pair);
    return &pair->force.contact[k - pair->contact_at];
}

/// Speed below which lasting contact sticks [m/s].
static double stick_speed(const pkm_clearance* c)
{
    return c->friction.stiction_velocity;
}

static pkm_touch mode_of(const pkm_sim* s, int p)
{
    const contacts* c = s->contacts;
    const pkm_contact_pair* pair = pkm_plant_pair(s->plant, p);
    const pkm_contact_memory* memory = pkm_plant_memory(s->plant);
    pkm_touch mode = PKM_TOUCH_FLIGHT;
    for (int i = 0; i < pair->force.n_contact; ++i) {
        const int k = pair->contact_at + i;
        if (!memory[k].touching || !(pair->force.contact[i].gap <= TOUCH)) continue;
        if (c->contact[k].turns < 2) return PKM_TOUCH_IMPACT;
        if (pair->force.contact[i].slip > stick_speed(&pair->clearance))
            mode = PKM_TOUCH_SLIDING;
        else if (mode == PKM_TOUCH_FLIGHT)
            mode = PKM_TOUCH_STICKING;
    }
    return mode;
}

static pkm_status note_modes(pkm_sim* s, double t)
{
    for (int p = 0; p < pkm_plant_n_pair(s->plant); ++p)
        PKM_TRY(pkm_contact_record_mode(s->contacts->record, p, t, mode_of(s, p)));
    return PKM_OK;
}

static void note_touch(pkm_sim* s, int k, double t, double speed)
{
    pkm_bearing_record* bearing = &s->contacts->record->bearing[s->contacts->contact[k].pair];
    ++bearing->n_impact;
    pkm_peak_raise(&bearing->impact, speed, t);
}

/// Largest penetration and force at the plant's last evaluation.
static void note_peaks(pkm_sim* s, double t)
{
    for (int k = 0; k < s->contacts->n; ++k) {
        const pkm_contact_point* at = point_of(s, k);
        pkm_bearing_record* bearing = &s->contacts->record->bearing[s->contacts->contact[k].pair];
        if (!(at->normal > 0.0)) continue;
        pkm_peak_raise(&bearing->penetration, -at->gap, t);
        pkm_peak_raise(&bearing->force, at->normal, t);
    }
}

pkm_status pkm_sim_note_contacts(pkm_sim* s, double t)
{
    contacts* c = s->contacts;
    for (int k = 0; k < c->n; ++k) {
        watched* w = &c->contact[k];
        w->now = *point_of(s, k);
        const bool turned = (w->before.gap_rate < 0.0) != (w->now.gap_rate < 0.0);
        if (pkm_plant_memory(s->plant)[k].touching && turned) ++w->turns;
        w->before = w->now;
    }
    note_peaks(s, t);
    pkm_sim_note_loads(s, t, c->record);
    pkm_contact_record_point(c->record, t, s->plant);
    return note_modes(s, t);
}

// ---- begin and end ----------------------------------------------------------------------------

static pkm_status make_record(pkm_sim* s)
{
    contacts* c = s->contacts;
    c->record = s->settings->record;
    if (!c->record) {
        c->record = pkm_contact_record_create();
        c->owns_record = true;
    }
    return c->record ? pkm_contact_record_begin(c->record, s->plant, s->given->mech)
                     : PKM_ERR_MEMORY;
}

/// Move the start by `jitter`: relative to the play for places, and some 0.1 m/s for velocities;
/// the same numbers for the same jitter.
static void shake(pkm_sim* s)
{
    unsigned state = 12345u;
    const double jitter = s->settings->jitter;
    if (jitter == 0.0) return;
    for (int i = 0; i < s->n_v; ++i) {
        state = state * 1664525u + 1013904223u;
        const double x = (double)(state >> 8) / 8388608.0 - 1.0;
        s->robot->state->v[i] += jitter * x;
    }
}

pkm_status pkm_sim_begin_contacts(pkm_sim* s, pkm_error* err)
{
    const int n = pkm_plant_n_contact(s->plant);
    if (n == 0) return PKM_OK;
    contacts* c = s->contacts = pkm_alloc(1, sizeof *c);
    if (!c) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    c->n = n;
    c->contact = pkm_alloc((size_t)n, sizeof *c->contact);
    c->y = pkm_alloc((size_t)s->n_y, sizeof(double));
    if (!c->contact || !c->y || make_record(s) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int p = 0; p < pkm_plant_n_pair(s->plant); ++p) {
        const pkm_contact_pair* pair = pkm_plant_pair(s->plant, p);
        for (int i = 0; i < pkm_clearance_contacts(pair->type); ++i)
            c->contact[pair->contact_at + i].pair = p;
    }
    pkm_plant_start_states(s->plant, s->y + s->n_q + s->n_v);
    PKM_TRY(pkm_sim_admit_start(s, c->record, err));
    shake(s);
    pkm_sim_store_state(s, s->y);
    return pkm_sim_pass_event(s, 0.0, s->y);
}

void pkm_sim_end_contacts(pkm_sim* s)
{
    contacts* c = s->contacts;
    if (!c) return;
    if (c->owns_record) pkm_contact_record_free(c->record);
    pkm_free(c->contact);
    pkm_free(c->y);
    pkm_free(c);
}

// ---- events -----------------------------------------------------------------------------------

/// Contacts at time t inside the last step.
static pkm_status look_at(pkm_sim* s, double t)
{
    s->contacts->has_looked = true;
    PKM_TRY(pkm_rk_dense(s->rk, t, s->contacts->y));
    pkm_sim_load_state(s, s->contacts->y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    pkm_plant_find_contacts(s->plant, s->contacts->y + s->n_q + s->n_v);
    return PKM_OK;
}

/// Has the contact changed when its gap is `gap`: a flight ended, or a touch?
static bool has_changed(const pkm_sim* s, int k, double gap)
{
    return pkm_plant_memory(s->plant)[k].touching ? gap > TOUCH : gap < -TOUCH;
}

/// The gap between two instants by its values and rates there: could it pass zero in between?
static bool may_change(const pkm_sim* s, int k, double h)
{
    const watched* w = &s->contacts->contact[k];
    const bool touching = pkm_plant_memory(s->plant)[k].touching;
    const double g0 = w->before.gap, g1 = w->now.gap;
    const double v0 = h * w->before.gap_rate, v1 = h * w->now.gap_rate;
    if (has_changed(s, k, g1)) return true;
    const double margin = 0.05 * (fabs(v0) + fabs(v1) + fabs(g1 - g0));
    for (int i = 1; i < N_SAMPLE; ++i) {
        const double x = (double)i / N_SAMPLE, y = 1.0 - x;
        const double g =
            y * y * (1.0 + 2.0 * x) * g0 + x * x * (1.0 + 2.0 * y) * g1 + x * y * (y * v0 - x * v1);
        if (touching ? g > margin : g < margin) return true;
    }
    return false;
}

/// The time between `low` (before the change) and `high` (after it) at which contact k changes, by
/// bisection with secants (Illinois).
static pkm_status locate(pkm_sim* s, int k, double low, double g_low, double high, double g_high,
                         double* t)
{
    for (int i = 0; i < 60 && fabs(g_high - g_low) > TOUCH; ++i) {
        double at = low + (high - low) * g_low / (g_low - g_high);
        if (!(at > low && at < high) || i % 4 == 3) at = 0.5 * (low + high);
        if (!(at > low && at < high)) break;
        PKM_TRY(look_at(s, at));
        const double g = point_of(s, k)->gap;
        if (has_changed(s, k, g)) {
            high = at;
            g_high = g;
            g_low *= 0.5;
        } else {
            low = at;
            g_low = g;
            g_high *= 0.5;
            if (fabs(g) <= TOUCH) break;
        }
    }
    *t = low;
    return PKM_OK;
}

/// The first change between the dense points at `from` and `to`, where the plant looks now.
static pkm_status find_between(pkm_sim* s, double from, double to, double* t_event)
{
    contacts* c = s->contacts;
    for (int k = 0; k < c->n; ++k)
        c->contact[k].next = point_of(s, k)->gap;
    for (int k = 0; k < c->n; ++k) {
        watched* w = &c->contact[k];
        if (!has_changed(s, k, w->next)) continue;
        w->t_change = to;
        if (!has_changed(s, k, w->sample))
            PKM_TRY(locate(s, k, from, w->sample, to, w->next, &w->t_change));
        *t_event = fmin(*t_event, w->t_change);
    }
    for (int k = 0; k < c->n; ++k)
        c->contact[k].sample = c->contact[k].next;
    return PKM_OK;
}

pkm_status pkm_sim_find_event(pkm_sim* s, double* t_event)
{
    contacts* c = s->contacts;
    const double h = pkm_rk_last_step(s->rk), end = pkm_rk_time(s->rk);
    bool suspicious = false;
    *t_event = HUGE_VAL;
    c->has_looked = false;
    for (int k = 0; k < c->n; ++k) {
        c->contact[k].now = *point_of(s, k);
        c->contact[k].t_change = HUGE_VAL;
    }
    for (int k = 0; k < c->n; ++k)
        suspicious = suspicious || may_change(s, k, h);
    if (!suspicious) return PKM_OK;
    for (int k = 0; k < c->n; ++k)
        c->contact[k].sample = c->contact[k].before.gap;
    for (int i = 1; i <= N_SAMPLE && *t_event == HUGE_VAL; ++i) {
        const double from = end - h + h * (i - 1) / N_SAMPLE;
        const double to = i == N_SAMPLE ? end : end - h + h * i / N_SAMPLE;
        PKM_TRY(look_at(s, to));
        PKM_TRY(find_between(s, from, to, t_event));
    }
    return PKM_OK;
}

pkm_status pkm_sim_look_at_turns(pkm_sim* s, double until)
{
    const contacts* c = s->contacts;
    const double h = pkm_rk_last_step(s->rk), end = pkm_rk_time(s->rk);
    bool turns = false;
    for (int k = 0; k < c->n; ++k)
        turns = turns || (pkm_plant_memory(s->plant)[k].touching &&
                          c->contact[k].before.gap_rate < 0.0 && c->contact[k].now.gap_rate > 0.0);
    for (int i = 1; turns && i < N_SAMPLE; ++i) {
        const double t = end - h + h * i / N_SAMPLE;
        if (t > until) break;
        PKM_TRY(look_at(s, t));
        note_peaks(s, t);
    }
    return PKM_OK;
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
static void clear_bristles(const pkm_sim* s, int k, double* z)
{
    const pkm_contact_pair* pair = pkm_plant_pair(s->plant, s->contacts->contact[k].pair);
    if (pair->n_z > 0) memset(z + pair->z_at + 3 * (k - pair->contact_at), 0, 3 * sizeof(double));
}

pkm_status pkm_sim_pass_event(pkm_sim* s, double t, double* y)
{
    contacts* c = s->contacts;
    pkm_contact_memory* memory = pkm_plant_memory(s->plant);
    double* z = y + s->n_q + s->n_v;
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    pkm_plant_find_contacts(s->plant, z);
    for (int k = 0; k < c->n; ++k) {
        const pkm_contact_point at = *point_of(s, k);
        watched* w = &c->contact[k];
        const bool changes = t > 0.0 && w->t_change <= t; // found there; others by their gaps
        if (!memory[k].touching && (changes || at.gap <= 2.0 * TOUCH) && at.gap_rate < 0.0) {
            memory[k] = (pkm_contact_memory){true, -at.gap_rate};
            w->turns = 0;
            clear_bristles(s, k, z);
            note_touch(s, k, t, -at.gap_rate);
        } else if (memory[k].touching && (changes || at.gap >= -2.0 * TOUCH) && at.gap_rate > 0.0) {
            memory[k].touching = false;
        }
        w->before = at;
    }
    return note_modes(s, t);
}

// ---- implicit methods -------------------------------------------------------------------------

/// The speed with which surfaces in flight will touch when their acceleration stays that of the
/// last step of length h: g'^2 - 2 g'' g.
static double speed_at_touch(const watched* w, const pkm_contact_point* at, double h)
{
    const bool has_flown = h > 0.0 && w->before.gap >= 0.0;
    const double bend = has_flown ? (at->gap_rate - w->before.gap_rate) / h : 0.0;
    const double square = at->gap_rate * at->gap_rate - 2.0 * bend * at->gap;
    return square > 0.0 ? sqrt(square) : 0.0;
}

pkm_status pkm_sim_follow_contacts(pkm_sim* s, double t, const double* y)
{
    contacts* c = s->contacts;
    if (!c) return PKM_OK;
    pkm_contact_memory* memory = pkm_plant_memory(s->plant);
    const double* z = y + s->n_q + s->n_v;
    pkm_sim_load_state(s, y);
    PKM_TRY(pkm_plant_evaluate(s->plant, pkm_sim_left(s, t), z, s->z_rate));
    for (int k = 0; k < c->n; ++k) {
        const pkm_contact_point at = *point_of(s, k);
        watched* w = &c->contact[k];
        memory[k].touching = true;
        if (at.gap < 0.0 && !(w->before.gap < 0.0)) {
            w->turns = 0;
            note_touch(s, k, t, memory[k].impact_speed);
        }
        if (!(at.gap < 0.0)) memory[k].impact_speed = speed_at_touch(w, &at, t - c->t_before);
    }
    c->t_before = t;
    return pkm_sim_note_contacts(s, t);
}

// ---- table ------------------------------------------------------------------------------------

bool pkm_sim_add_contact_columns(const pkm_sim* s, pkm_table* table)
{
    static const char* const quantity[] = {"ox", "oy", "oz", "gap", "normal", "mode"};
    static const char* const unit[] = {"m", "m", "m", "m", "N", ""};
    bool ok = true;
    for (int p = 0; s->contacts && p < pkm_plant_n_pair(s->plant); ++p) {
        const pkm_contact_pair* pair = pkm_plant_pair(s->plant, p);
        char name[PKM_MAX_NAME + 8];
        snprintf(name, sizeof name, "%s%s", s->given->mech->joint[pair->joint].name,
                 pair->pin ? ".pin2" : "");
        for (int i = 0; i < 6; ++i)
            ok = ok && pkm_table_add_item(table, name, quantity[i], unit[i]);
    }
    return ok;
}

double* pkm_sim_put_contacts(const pkm_sim* s, double* out)
{
    for (int p = 0; s->contacts && p < pkm_plant_n_pair(s->plant); ++p) {
        const pkm_contact_pair* pair = pkm_plant_pair(s->plant, p);
        const pkm_vec3 offset = pkm_contact_offset(pair);
        double gap = HUGE_VAL, normal = 0.0;
        for (int i = 0; i < pair->force.n_contact; ++i) {
            gap = fmin(gap, pair->force.contact[i].gap);
            normal += pair->force.contact[i].normal;
        }
        const double values[] = {offset.x, offset.y, offset.z, gap, normal, (double)mode_of(s, p)};
        memcpy(out, values, sizeof values);
        out += 6;
    }
    return out;
}

// ---- integrals --------------------------------------------------------------------------------

int pkm_sim_contact_sums(const pkm_sim* s)
{
    const int n = pkm_plant_n_pair(s->plant);
    return n > 0 ? 1 + n : 0;
}

void pkm_sim_contact_rates(const pkm_sim* s, double* rate)
{
    if (pkm_plant_n_pair(s->plant) == 0) return;
    *rate++ = pkm_plant_ledger(s->plant).contact;
    for (int p = 0; p < pkm_plant_n_pair(s->plant); ++p) {
        const pkm_clearance_force* f = &pkm_plant_pair(s->plant, p)->force;
        rate[p] = 0.0;
        for (int i = 0; i < f->n_contact; ++i)
            rate[p] += f->contact[i].normal * f->contact[i].slip;
    }
}

double pkm_sim_contact_loss(const pkm_sim* s, const double* y)
{
    const int n = pkm_sim_contact_sums(s);
    return n > 0 ? y[s->n_y - n] : 0.0;
}

void pkm_sim_close_contacts(pkm_sim* s, double t, const double* y)
{
    const double* sliding = y + s->n_y - pkm_plant_n_pair(s->plant);
    if (!s->contacts) return;
    pkm_contact_record_end(s->contacts->record, t);
    for (int p = 0; p < s->contacts->record->n_bearing; ++p)
        s->contacts->record->bearing[p].sliding = sliding[p];
}
