#include "base/error.h"
#include "model/motion_draft.h"
#include "model/reader_impl.h"

#include <math.h>
#include <string.h>

/// A motion of the file that stands before this one.
static pkm_status find_motion(const pkm_reader* r, const pkm_yaml* node, const pkm_motion** out)
{
    const char* name = NULL;
    PKM_TRY(pkm_reader_text(r, node, &name));
    for (int i = 0; i < r->desc->n_motion; ++i) {
        *out = r->desc->motion[i].motion;
        if (strcmp(pkm_motion_name(*out), name) == 0) return PKM_OK;
    }
    return pkm_reader_fail(r, node, "no motion %.60s stands before this one", name);
}

/// `sequence: [pick, {dwell: 0.1 s}, place]`.
static pkm_status read_sequence(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const char* const keys[] = {"!dwell", NULL};
    PKM_TRY(pkm_reader_list(r, node, 1, 100000));
    const pkm_motion** part = pkm_arena_alloc(r->scratch, (size_t)node->n_child, sizeof *part);
    double* dwell = pkm_arena_alloc(r->scratch, (size_t)node->n_child, sizeof *dwell);
    if (!part || !dwell) return pkm_reader_fail_memory(r);
    d->spec.path = PKM_PATH_SEQUENCE;
    d->spec.part = part;
    d->spec.dwell = dwell;
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        if (item->kind != PKM_YAML_MAP) {
            dwell[d->spec.n_part] = 0.0;
            PKM_TRY(find_motion(r, item, &part[d->spec.n_part++]));
            continue;
        }
        double rest = 0.0;
        PKM_TRY(pkm_reader_keys(r, item, keys));
        PKM_TRY(pkm_reader_number(r, pkm_yaml_get(item, "dwell"), pkm_dim_time,
                                  PKM_RANGE_NOT_NEGATIVE, &rest));
        if (d->spec.n_part == 0)
            return pkm_reader_fail(r, item, "a sequence begins with a motion; use hold_before");
        dwell[d->spec.n_part - 1] += rest;
    }
    return PKM_OK;
}

/// `rpy: [r, p, y]`, `rpy: {from, to}` or `rpy: {through: [..]}`.
static pkm_status read_rpy(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const char* const either[] = {"from", "to", "through", NULL};
    static const char* const both[] = {"!from", "!to", NULL};
    static const char* const through[] = {"!through", NULL};
    if (!node) return PKM_OK;
    if (node->kind == PKM_YAML_LIST) {
        pkm_vec3* one = pkm_arena_alloc(r->scratch, 1, sizeof *one);
        if (!one) return pkm_reader_fail_memory(r);
        PKM_TRY(pkm_reader_vector(r, node, pkm_dim_angle, one));
        d->spec.rpy = one;
        d->spec.n_rpy = 1;
        return PKM_OK;
    }
    PKM_TRY(pkm_reader_keys(r, node, either));
    PKM_TRY(pkm_reader_keys(r, node, pkm_yaml_get(node, "through") ? through : both));
    return pkm_motion_read_vectors(r, node, pkm_motion_from_to, pkm_dim_angle, &d->spec.n_rpy,
                                   &d->spec.rpy);
}

/// Limits of the path: along it, or of drives that turn where all drives of the motion turn.
static pkm_status read_law(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const char* const laws[] = {"cubic",    "quintic", "septic", "trapezoidal",
                                       "constant", "s_curve", NULL}; // in the order of pkm_law
    const pkm_yaml* law = pkm_yaml_get(node, "law");
    int which = PKM_LAW_QUINTIC;
    if (law) PKM_TRY(pkm_reader_word(r, law, laws, &which));
    d->spec.law = (pkm_law)which;
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "duration"), pkm_dim_time, PKM_RANGE_POSITIVE,
                                &d->spec.duration));
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "hold_before"), pkm_dim_time,
                                PKM_RANGE_NOT_NEGATIVE, &d->spec.hold_before));
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "hold_after"), pkm_dim_time,
                                PKM_RANGE_NOT_NEGATIVE, &d->spec.hold_after));
    bool turns = d->spec.path == PKM_PATH_DRIVES || d->spec.drive_point;
    for (int i = 0; turns && i < r->desc->n_drive; ++i)
        if (d->moves[i] && !r->desc->drive[i].is_rotary) turns = false;
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "max_speed"),
                                turns ? pkm_dim_angular_velocity : pkm_dim_velocity,
                                PKM_RANGE_POSITIVE, &d->spec.max_speed));
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "max_acceleration"),
                                turns ? pkm_dim_angular_acceleration : pkm_dim_acceleration,
                                PKM_RANGE_POSITIVE, &d->spec.max_acceleration));
    return pkm_reader_optional(r, pkm_yaml_get(node, "max_jerk"),
                               turns ? pkm_dim_angular_jerk : pkm_dim_jerk, PKM_RANGE_POSITIVE,
                               &d->spec.max_jerk);
}

/// `shaper: {kind: zv, frequency: 37 Hz, damping: 0.01}`; several frequencies as a list.
static pkm_status read_shaper(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const char* const keys[] = {"!kind", "!frequency", "damping", NULL};
    static const char* const kinds[] = {"zv", "zvd", "zvdd", NULL};
    static const pkm_dimension per_time = {0, 0, -2, 0}; // halves of exponents: 1/s
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_keys(r, node, keys));
    const pkm_yaml* frequency = pkm_yaml_get(node, "frequency");
    int kind = 0;
    PKM_TRY(pkm_reader_word(r, pkm_yaml_get(node, "kind"), kinds, &kind));
    d->spec.shaper = (pkm_shaper_kind)(kind + 1);
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "damping"), pkm_dim_one,
                                PKM_RANGE_NOT_NEGATIVE, &d->spec.shaper_damping));
    const bool many = frequency->kind == PKM_YAML_LIST;
    if (many) PKM_TRY(pkm_reader_list(r, frequency, 1, PKM_MAX_SHAPED));
    for (const pkm_yaml* item = many ? frequency->first : frequency; item;
         item = many ? item->next : NULL)
        PKM_TRY(pkm_reader_number(r, item, per_time, PKM_RANGE_POSITIVE,
                                  &d->spec.shaper_frequency[d->spec.n_shaper_frequency++]));
    return PKM_OK;
}

static pkm_status read_limits(const pkm_reader* r, const pkm_yaml* node, pkm_desc_motion* out)
{
    static const char* const keys[] = {"velocity", "acceleration", "jerk", NULL};
    out->max_velocity = out->max_acceleration = out->max_jerk = INFINITY;
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_keys(r, node, keys));
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "velocity"), pkm_dim_velocity,
                                PKM_RANGE_POSITIVE, &out->max_velocity));
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "acceleration"), pkm_dim_acceleration,
                                PKM_RANGE_POSITIVE, &out->max_acceleration));
    return pkm_reader_optional(r, pkm_yaml_get(node, "jerk"), pkm_dim_jerk, PKM_RANGE_POSITIVE,
                               &out->max_jerk);
}

static pkm_status read_repeat(const pkm_reader* r, const pkm_yaml* node, int* out)
{
    double n = 0.0;
    PKM_TRY(pkm_reader_number(r, node, pkm_dim_one, PKM_RANGE_POSITIVE, &n));
    if (n != floor(n) || n > 100000.0)
        return pkm_reader_fail(r, node, "%.40s, expected a whole number from 1 to 100000",
                               pkm_yaml_show(node).text);
    *out = (int)n;
    return PKM_OK;
}

/// Where the motion goes: exactly one of the five.
static pkm_status read_way(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const struct {
        const char* key;
        pkm_status (*read)(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d);
    } ways[] = {{"drives", pkm_motion_read_drives},
                {"path", pkm_motion_read_path},
                {"samples", pkm_motion_read_samples},
                {"formula", pkm_motion_read_formula},
                {"sequence", read_sequence}};
    enum { N_WAY = sizeof ways / sizeof ways[0] };
    const pkm_yaml *repeat = pkm_yaml_get(node, "repeat"), *way = NULL;
    int which = 0, n = 0;
    for (int i = 0; i < N_WAY; ++i) {
        const pkm_yaml* found = pkm_yaml_get(node, ways[i].key);
        if (!found) continue;
        way = found;
        which = i;
        ++n;
    }
    if (n != 1)
        return pkm_reader_fail_key(
            r, node, "expected one of the keys 'drives', 'path', 'samples', 'formula', 'sequence'");
    if (repeat && which != N_WAY - 1)
        return pkm_reader_fail_key(r, repeat, "belongs to a sequence");
    if (repeat) PKM_TRY(read_repeat(r, repeat, &d->spec.repeat));
    PKM_TRY(ways[which].read(r, way, d));
    return pkm_motion_read_times(r, pkm_yaml_get(node, "times"), d);
}

/// The motion's own complaint starts with its name, which the path in the message says already.
static pkm_status report(const pkm_reader* r, const pkm_yaml* node, const char* name,
                         const pkm_error* inner)
{
    const char* text = inner->text;
    const size_t length = strlen(name);
    if (strncmp(text, name, length) == 0 && strncmp(text + length, ": ", 2) == 0)
        text += length + 2;
    return pkm_reader_fail_key(r, node, "%s", text);
}

/// `keep` lives as long as the motion.
static pkm_status read_motion(const pkm_reader* r, const pkm_yaml* node, const char* name,
                              pkm_arena* keep, pkm_desc_motion* out)
{
    static const char* const keys[] = {"description", "law",     "duration",  "drives",
                                       "path",        "samples", "rpy",       "hold_before",
                                       "hold_after",  "limits",  "max_speed", "max_acceleration",
                                       "max_jerk",    "shaper",  "sequence",  "repeat",
                                       "times",       "formula", NULL};
    pkm_motion_draft d = {.node = node, .keep = keep, .spec = pkm_motion_spec_defaults()};
    d.spec.name = name;
    d.spec.n_drive = r->desc->n_drive;
    *out = (pkm_desc_motion){.place = node->key_place};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    PKM_TRY(pkm_reader_optional_text(r, pkm_yaml_get(node, "description"), &out->text));
    PKM_TRY(read_way(r, node, &d));
    PKM_TRY(read_law(r, node, &d));
    PKM_TRY(read_shaper(r, pkm_yaml_get(node, "shaper"), &d));
    PKM_TRY(read_rpy(r, pkm_yaml_get(node, "rpy"), &d));
    PKM_TRY(read_limits(r, pkm_yaml_get(node, "limits"), out));
    pkm_error inner = {0};
    const pkm_status status = pkm_motion_create(&d.spec, &out->motion, &inner);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(r);
    return status == PKM_OK ? PKM_OK : report(r, node, name, &inner);
}

const pkm_section pkm_model_motion = {"motion", NULL, .key = (const pkm_key[]){{.name = NULL}}};

pkm_status pkm_motions_read(pkm_reader* r)
{
    const pkm_yaml* section = pkm_yaml_get(r->root, "motions");
    if (!section) return PKM_OK;
    PKM_TRY(pkm_reader_named_map(r, section));
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, section->n_child, sizeof(pkm_desc_motion), &room));
    r->desc->motion = room;
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        PKM_TRY(
            read_motion(r, node, node->key, r->desc->arena, &r->desc->motion[r->desc->n_motion]));
        ++r->desc->n_motion;
    }
    return PKM_OK;
}

pkm_status pkm_motion_add(const pkm_reader* r, const pkm_yaml* node, const char* name,
                          pkm_description* to)
{
    pkm_desc_motion* all = pkm_arena_alloc(to->arena, (size_t)to->n_motion + 1, sizeof *all);
    if (!all) return pkm_reader_fail_memory(r);
    if (to->n_motion > 0) memcpy(all, to->motion, (size_t)to->n_motion * sizeof *all);
    pkm_desc_motion* added = &all[to->n_motion];
    PKM_TRY(read_motion(r, node, name, to->arena, added));
    added->text = NULL; // it would live with the reader
    to->motion = all;
    ++to->n_motion;
    return PKM_OK;
}
