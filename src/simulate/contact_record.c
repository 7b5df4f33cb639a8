// Phases and impacts of each bearing as events, up to a bound, beyond which they are counted only;
// paths of journals thinned to what a picture shows; peaks of all.
#include "simulate/contact_record.h"

#include "base/memory.h"
#include "mechanism/joint.h"
#include "robot/robot.h"

#include <stdio.h>
#include <string.h>

void pkm_bearing_name(const pkm_bearing_record* bearing, char* out, size_t size)
{
    snprintf(out, size, "%s%s", bearing->name, bearing->pin ? ".pin2" : "");
}

const char* pkm_touch_name(pkm_touch phase)
{
    static const char* const name[] = {"flight", "impact", "sliding", "sticking"};
    return name[phase];
}

void pkm_peak_raise(pkm_peak* peak, double value, double t)
{
    if (value > peak->value) *peak = (pkm_peak){value, t};
}

pkm_contact_record* pkm_contact_record_create(void)
{
    return pkm_alloc(1, sizeof(pkm_contact_record));
}

static void release(pkm_contact_record* r)
{
    pkm_free(r->bearing);
    pkm_free(r->event);
    pkm_free(r->path_t);
    pkm_free(r->path);
    *r = (pkm_contact_record){0};
}

void pkm_contact_record_free(pkm_contact_record* record)
{
    if (!record) return;
    release(record);
    pkm_free(record);
}

/// Room for one more event: doubled when full.
static pkm_status make_room(pkm_contact_record* r)
{
    if (r->n_event < r->room_event) return PKM_OK;
    const int room = r->room_event ? 2 * r->room_event : 256;
    pkm_touch_event* grown = pkm_alloc((size_t)room, sizeof *grown);
    if (!grown) return PKM_ERR_MEMORY;
    if (r->n_event > 0) memcpy(grown, r->event, (size_t)r->n_event * sizeof *grown);
    pkm_free(r->event);
    r->event = grown;
    r->room_event = room;
    return PKM_OK;
}

pkm_status pkm_contact_record_begin(pkm_contact_record* r, const pkm_plant* plant,
                                    const pkm_mechanism* mech)
{
    release(r);
    const size_t n = (size_t)pkm_plant_n_pair(plant);
    r->bearing = pkm_alloc(n, sizeof *r->bearing);
    r->path_t = pkm_alloc(PKM_PATH_POINTS, sizeof *r->path_t);
    // a fixed number of points per path, however long the run
    r->path = pkm_alloc(PKM_PATH_POINTS * n, sizeof *r->path);
    r->stride = 1;
    if (!r->bearing || !r->path_t || !r->path) return PKM_ERR_MEMORY;
    r->n_bearing = (int)n;
    for (int k = 0; k < r->n_bearing; ++k) {
        const pkm_contact_pair* pair = pkm_plant_pair(plant, k);
        r->bearing[k] = (pkm_bearing_record){.name = mech->joint[pair->joint].name,
                                             .joint = pair->joint,
                                             .pin = pair->pin,
                                             .radial = pair->clearance.radial,
                                             .type = pair->type};
    }
    return make_room(r);
}

pkm_status pkm_contact_record_phase(pkm_contact_record* r, int bearing, double t, pkm_touch phase)
{
    pkm_bearing_record* b = &r->bearing[bearing];
    if (phase == b->phase) return PKM_OK;
    b->time[b->phase] += t - b->since;
    b->phase = phase;
    b->since = t;
    // full: phases go on to be counted
    if (r->n_event == PKM_TOUCH_EVENTS) {
        ++r->lost_event;
        return PKM_OK;
    }
    if (make_room(r) != PKM_OK) return PKM_ERR_MEMORY;
    r->event[r->n_event++] = (pkm_touch_event){t, bearing, phase};
    return PKM_OK;
}

/// Drop every second point.
static void thin_out(pkm_contact_record* r)
{
    const size_t n = (size_t)r->n_bearing;
    for (int i = 0; 2 * i < r->n_path; ++i) {
        r->path_t[i] = r->path_t[2 * i];
        memmove(r->path + (size_t)i * n, r->path + 2 * (size_t)i * n, n * sizeof *r->path);
    }
    r->n_path = (r->n_path + 1) / 2;
    // half the points, twice as far apart: the memory stays
    r->stride *= 2;
}

pkm_vec3 pkm_contact_offset(const pkm_contact_pair* pair)
{
    const bool slides = pkm_joint_facts_of(pair->type)->slide != PKM_NONE;
    const pkm_vec3 p = pair->motion.p;
    // along the axis a slide moves by its own freedom
    return (pkm_vec3){p.x, p.y, slides ? 0.0 : p.z};
}

void pkm_contact_record_point(pkm_contact_record* r, double t, const pkm_plant* plant)
{
    for (int k = 0; k < r->n_bearing; ++k) {
        const pkm_vec3 offset = pkm_contact_offset(pkm_plant_pair(plant, k));
        pkm_peak_raise(&r->bearing[k].offset, pkm_vec3_norm(offset), t);
    }
    // every stride-th step is kept: the path is thinned evenly, however long the run
    if (r->skip-- > 0) return;
    if (r->n_path == PKM_PATH_POINTS) thin_out(r);
    r->skip = r->stride - 1;
    r->path_t[r->n_path] = t;
    for (int k = 0; k < r->n_bearing; ++k)
        r->path[(size_t)r->n_path * (size_t)r->n_bearing + (size_t)k] =
            pkm_contact_offset(pkm_plant_pair(plant, k));
    ++r->n_path;
}

void pkm_contact_record_end(pkm_contact_record* r, double t)
{
    r->t_end = t;
    for (int k = 0; k < r->n_bearing; ++k) {
        pkm_bearing_record* b = &r->bearing[k];
        b->time[b->phase] += t - b->since;
        b->since = t;
    }
}

// ---- warnings ---------------------------------------------------------------------------------

static const pkm_clearance* clearance_of(const pkm_effects* effects, int joint)
{
    for (int k = 0; k < effects->n_clearance; ++k)
        if (effects->clearance[k].joint == joint) return &effects->clearance[k].clearance;
    return NULL;
}

/// What a law of contact says of its use in a bearing; NULL: nothing.
static const char* warning_of(const pkm_bearing_record* b, const pkm_effects* effects)
{
    return pkm_clearance_warning(clearance_of(effects, b->joint), b->type, b->force.value);
}

/// Bearings from `first` on that have its warning; 0 when an earlier one has said it.
static int count_same(const pkm_contact_record* record, const pkm_effects* effects, int first)
{
    const char* text = warning_of(&record->bearing[first], effects);
    int count = 0;
    for (int b = 0; b < record->n_bearing; ++b) {
        const char* other = warning_of(&record->bearing[b], effects);
        if (!other || strcmp(other, text) != 0) continue;
        // twelve equal bearings say it once, with their number
        if (b < first) return 0;
        ++count;
    }
    return count;
}

void pkm_contact_record_warn(const pkm_contact_record* record, const pkm_effects* effects,
                             pkm_warnings* to)
{
    for (int b = 0; b < record->n_bearing; ++b) {
        const char* text = warning_of(&record->bearing[b], effects);
        const int count = text ? count_same(record, effects, b) : 0;
        char more[32] = "";
        if (count == 0) continue;
        if (count > 1) snprintf(more, sizeof more, " and %d more", count - 1);
        pkm_warn(to, "contact", NAN, "%s%s: %s", record->bearing[b].name, more, text);
    }
    if (record->lost_event > 0)
        pkm_warn(to, "contact", pkm_contact_record_listed(record),
                 "the picture of the modes of contact ends there, after %d changes; %d more are in "
                 "all counts and times",
                 record->n_event, record->lost_event);
}

double pkm_contact_record_listed(const pkm_contact_record* record)
{
    return record->lost_event > 0 ? record->event[record->n_event - 1].t : record->t_end;
}
