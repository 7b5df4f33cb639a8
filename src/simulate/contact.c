// What a run notes of its contacts: phases, touches, peaks, columns. docs/theory/contact.md,
// section 4.
#include "base/error.h"
#include "simulate/contact_watch.h"

#include <stdio.h>
#include <string.h>

// ---- choices ----------------------------------------------------------------------------------

static bool has_contact(const pkm_joint_clearance* clearance)
{
    return clearance->clearance.fidelity == PKM_FIDELITY_CONTACT;
}

int pkm_sim_list_clearances(const pkm_sim* s, pkm_joint_clearance* out)
{
    const pkm_effects* effects = s->settings->effects;
    int n = 0;
    for (int k = 0; effects && k < effects->n_clearance; ++k) {
        if (!has_contact(&effects->clearance[k])) continue;
        pkm_joint_clearance* clearance = &out[n++];
        *clearance = effects->clearance[k];
        for (int f = 0; f < effects->n_friction; ++f) {
            // friction of a joint acts on the surfaces of its clearance, unless these have a law of
            // their own
            if (effects->friction[f].joint != clearance->joint || clearance->clearance.has_friction)
                continue;
            clearance->clearance.has_friction = true;
            // as contacts have it: bristles damped for impacts
            clearance->clearance.friction = pkm_effects_friction_law(effects, f);
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
        // released joints have theirs in the contact
        if (!s->robot->mech->joint[joint].released) out[n++] = effects->friction[f];
    }
    return n;
}

// ---- modes ------------------------------------------------------------------------------------

const pkm_contact_point* pkm_sim_contact_point(const pkm_sim* s, int k)
{
    const pkm_sim_contacts* c = s->contacts;
    const pkm_contact_pair* pair = pkm_plant_pair(s->plant, c->contact[k].pair);
    return &pair->force.contact[k - pair->contact_at];
}

/// Speed below which lasting contact sticks [m/s].
static double stick_speed(const pkm_clearance* c)
{
    // as smoothed laws have it, whatever law acts
    return c->friction.stiction_velocity;
}

static pkm_touch phase_of(const pkm_sim* s, int p)
{
    const pkm_sim_contacts* c = s->contacts;
    const pkm_contact_pair* pair = pkm_plant_pair(s->plant, p);
    const pkm_contact_memory* memory = pkm_plant_memory(s->plant);
    pkm_touch phase = PKM_TOUCH_FLIGHT;
    for (int i = 0; i < pair->force.n_contact; ++i) {
        const int k = pair->contact_at + i;
        if (!memory[k].touching || !(pair->force.contact[i].gap <= PKM_TOUCH)) continue;
        // in and out again is an impact; a gap rate that has changed its sign twice is lasting
        // contact
        if (c->contact[k].turns < 2) return PKM_TOUCH_IMPACT;
        if (pair->force.contact[i].slip > stick_speed(&pair->clearance))
            phase = PKM_TOUCH_SLIDING;
        else if (phase == PKM_TOUCH_FLIGHT)
            phase = PKM_TOUCH_STICKING;
    }
    return phase;
}

pkm_status pkm_sim_note_modes(pkm_sim* s, double t)
{
    for (int p = 0; p < pkm_plant_n_pair(s->plant); ++p)
        PKM_TRY(pkm_contact_record_phase(s->contacts->record, p, t, phase_of(s, p)));
    return PKM_OK;
}

void pkm_sim_note_touch(pkm_sim* s, int k, double t, double speed)
{
    pkm_bearing_record* bearing = &s->contacts->record->bearing[s->contacts->contact[k].pair];
    ++bearing->n_impact;
    pkm_peak_raise(&bearing->impact, speed, t);
}

/// Largest penetration at the plant's last evaluation.
void pkm_sim_note_peaks(pkm_sim* s, double t)
{
    for (int k = 0; k < s->contacts->n; ++k) {
        const pkm_contact_point* at = pkm_sim_contact_point(s, k);
        pkm_bearing_record* bearing = &s->contacts->record->bearing[s->contacts->contact[k].pair];
        // dry surfaces that part overlap no more
        if (!(at->normal > 0.0)) continue;
        pkm_peak_raise(&bearing->penetration, -at->gap, t);
    }
}

pkm_status pkm_sim_note_contacts(pkm_sim* s, double t)
{
    pkm_sim_contacts* c = s->contacts;
    for (int k = 0; k < c->n; ++k) {
        pkm_watched* w = &c->contact[k];
        w->now = *pkm_sim_contact_point(s, k);
        // rates that change their sign: in and out again
        const bool turned = (w->before.gap_rate < 0.0) != (w->now.gap_rate < 0.0);
        if (pkm_plant_memory(s->plant)[k].touching && turned) ++w->turns;
        w->before = w->now;
    }
    for (int p = 0; p < pkm_plant_n_pair(s->plant); ++p)
        c->way[p].from = pkm_contact_offset(pkm_plant_pair(s->plant, p));
    pkm_sim_note_peaks(s, t);
    pkm_contact_record_point(c->record, t, s->plant);
    return pkm_sim_note_modes(s, t);
}

// ---- begin and end ----------------------------------------------------------------------------

static pkm_status make_record(pkm_sim* s)
{
    pkm_sim_contacts* c = s->contacts;
    c->record = s->settings->record;
    if (!c->record) {
        c->record = pkm_contact_record_create();
        c->owns_record = true;
    }
    return c->record ? pkm_contact_record_begin(c->record, s->plant, s->given->mech)
                     : PKM_ERR_MEMORY;
}

/// Move the start by `jitter`: relative to the clearance for places, and some 0.1 m/s for
/// velocities; the same numbers for the same jitter.
static void shake(pkm_sim* s)
{
    unsigned state = 12345u;
    const double jitter = s->settings->jitter;
    if (jitter == 0.0) return;
    for (int i = 0; i < s->n_v; ++i) {
        // linear congruences (Numerical Recipes); 24 upper bits as a number in [-1, 1)
        state = state * 1664525u + 1013904223u;
        const double x = (double)(state >> 8) / 8388608.0 - 1.0;
        s->robot->state->v[i] += jitter * x;
    }
}

/// Surfaces that carry at the start touch already, and last.
static void rest_contacts(pkm_sim* s)
{
    pkm_sim_contacts* c = s->contacts;
    pkm_contact_memory* memory = pkm_plant_memory(s->plant);
    pkm_plant_find_contacts(s->plant, s->y + s->n_q + s->n_v);
    for (int k = 0; k < c->n; ++k) {
        // below zero: what carries is a little inside
        memory[k] = (pkm_contact_memory){.touching = pkm_sim_contact_point(s, k)->gap < 0.0};
        c->contact[k].turns = memory[k].touching ? 2 : 0;
    }
}

pkm_status pkm_sim_begin_contacts(pkm_sim* s, pkm_error* err)
{
    const int n = pkm_plant_n_contact(s->plant);
    if (n == 0) return PKM_OK;
    pkm_sim_contacts* c = s->contacts = pkm_alloc(1, sizeof *c);
    if (!c) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    c->n = n;
    c->contact = pkm_alloc((size_t)n, sizeof *c->contact);
    c->way = pkm_alloc((size_t)pkm_plant_n_pair(s->plant), sizeof *c->way);
    c->y = pkm_alloc((size_t)s->n_y, sizeof(double));
    if (!c->contact || !c->way || !c->y || make_record(s) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int p = 0; p < pkm_plant_n_pair(s->plant); ++p) {
        const pkm_contact_pair* pair = pkm_plant_pair(s->plant, p);
        for (int i = 0; i < pkm_clearance_contacts(pair->type); ++i)
            c->contact[pair->contact_at + i].pair = p;
    }
    pkm_plant_start_states(s->plant, s->y + s->n_q + s->n_v);
    if (s->rests)
        rest_contacts(s);
    else
        PKM_TRY(pkm_sim_admit_start(s, c->record, err));
    shake(s);
    // drives and loops are not shaken
    // onto the constraints, but not the robot's pose
    PKM_TRY(pkm_sim_began(s, pkm_plant_project_velocity(s->plant, 0.0), err));
    pkm_sim_store_state(s, s->y);
    return pkm_sim_began(s, pkm_sim_pass_event(s, 0.0, s->y), err);
}

void pkm_sim_end_contacts(pkm_sim* s)
{
    pkm_sim_contacts* c = s->contacts;
    if (!c) return;
    if (c->owns_record) pkm_contact_record_free(c->record);
    pkm_free(c->contact);
    pkm_free(c->way);
    pkm_free(c->y);
    pkm_free(c);
}

void pkm_sim_warn_contacts(const pkm_sim* s, pkm_warnings* to)
{
    if (s->contacts) pkm_contact_record_warn(s->contacts->record, s->settings->effects, to);
}

// ---- table ------------------------------------------------------------------------------------

void pkm_sim_bearing_name(const pkm_sim* s, int p, char* out, size_t size)
{
    const pkm_contact_pair* pair = pkm_plant_pair(s->plant, p);
    snprintf(out, size, "%s%s", s->given->mech->joint[pair->joint].name, pair->pin ? ".pin2" : "");
}

typedef struct bearing_values {
    pkm_vec3 offset;
    double gap, normal, phase;
} bearing_values;

static const pkm_column bearing_columns[] = {
    {"ox", "m", offsetof(bearing_values, offset.x), .title = "offset in *"},
    {"oy", "m", offsetof(bearing_values, offset.y), .title = "offset in *"},
    {"oz", "m", offsetof(bearing_values, offset.z), .title = "offset in *"},
    {"gap", "m", offsetof(bearing_values, gap), .title = "gap"},
    {"normal", "N", offsetof(bearing_values, normal), "contact force", NULL, PKM_PEAK_LOCATED},
    {"mode", "", offsetof(bearing_values, phase), .title = "contact phase"},
};

static bearing_values read_bearing(const pkm_sim* s, int p)
{
    const pkm_contact_pair* pair = pkm_plant_pair(s->plant, p);
    bearing_values out = {
        .offset = pkm_contact_offset(pair), .gap = HUGE_VAL, .phase = (double)phase_of(s, p)};
    for (int i = 0; i < pair->force.n_contact; ++i) {
        // the nearest wall; forces of all
        out.gap = fmin(out.gap, pair->force.contact[i].gap);
        out.normal += pair->force.contact[i].normal;
    }
    return out;
}

void pkm_sim_put_contacts(const pkm_sim* s, pkm_layout* to)
{
    for (int p = 0; s->contacts && p < pkm_plant_n_pair(s->plant); ++p) {
        char name[PKM_MAX_NAME + 8] = "";
        bearing_values values = {.gap = 0.0};
        if (to->table)
            pkm_sim_bearing_name(s, p, name, sizeof name);
        else
            values = read_bearing(s, p);
        pkm_layout_put(to, name, bearing_columns,
                       sizeof bearing_columns / sizeof bearing_columns[0], &values);
    }
}

// ---- integrals --------------------------------------------------------------------------------

int pkm_sim_contact_sums(const pkm_sim* s)
{
    const int n = pkm_plant_n_pair(s->plant);
    // what all contacts lose, and for each bearing the work of sliding per coefficient of friction
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
            // N |u| [W per unit of friction]: wear goes with its integral
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
    // the last integrals are those of bearings
    const double* sliding = y + s->n_y - pkm_plant_n_pair(s->plant);
    if (!s->contacts) return;
    pkm_contact_record_end(s->contacts->record, t);
    for (int p = 0; p < s->contacts->record->n_bearing; ++p)
        s->contacts->record->bearing[p].sliding = sliding[p];
}
