#include "base/error.h"
#include "model/reader_impl.h"
#include "model/source.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/// A motion being read: the specification and the arrays that it borrows.
typedef struct draft {
    const pkm_yaml* node;
    pkm_motion_spec spec;
    double drive_from[PKM_MAX_DRIVE], drive_to[PKM_MAX_DRIVE];
} draft;

static pkm_status alloc_vectors(const pkm_reader* r, int n, pkm_vec3** out)
{
    *out = pkm_arena_alloc(r->scratch, (size_t)n, sizeof **out);
    return *out ? PKM_OK : pkm_reader_fail_memory(r);
}

/// Way points under `keys`, or the list under `through`.
static pkm_status read_vectors(const pkm_reader* r, const pkm_yaml* node, const char* const* keys,
                               pkm_dimension want, int* n, const pkm_vec3** out)
{
    const pkm_yaml* through = pkm_yaml_get(node, "through");
    pkm_vec3* list = NULL;
    *n = 0;
    if (through) {
        PKM_TRY(pkm_reader_list(r, through, 1, 100000));
        PKM_TRY(alloc_vectors(r, through->n_child, &list));
        for (const pkm_yaml* item = through->first; item; item = item->next)
            PKM_TRY(pkm_reader_vector(r, item, want, &list[(*n)++]));
    } else {
        PKM_TRY(alloc_vectors(r, 2, &list));
        for (int i = 0; keys[i]; ++i)
            PKM_TRY(pkm_reader_vector(r, pkm_yaml_get(node, keys[i]), want, &list[(*n)++]));
    }
    *out = list;
    return PKM_OK;
}

static const char* const from_to[] = {"from", "to", NULL};

static pkm_status read_line(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    static const char* const keys[] = {"!from", "!to", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    return read_vectors(r, node, from_to, pkm_dim_length, &d->spec.n_point, &d->spec.point);
}

static pkm_status read_polyline(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    static const char* const keys[] = {"!through", "blend", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "blend"), pkm_dim_length, PKM_RANGE_POSITIVE,
                                &d->spec.blend));
    return read_vectors(r, node, from_to, pkm_dim_length, &d->spec.n_point, &d->spec.point);
}

static pkm_status read_through(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    static const char* const keys[] = {"!through", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    return read_vectors(r, node, from_to, pkm_dim_length, &d->spec.n_point, &d->spec.point);
}

static pkm_status read_circle(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    static const char* const keys[] = {"!center", "!radius", "normal", "start",
                                       "turns",   "angle",   NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    const pkm_yaml *normal = pkm_yaml_get(node, "normal"), *start = pkm_yaml_get(node, "start");
    const pkm_yaml *turns = pkm_yaml_get(node, "turns"), *angle = pkm_yaml_get(node, "angle");
    PKM_TRY(pkm_reader_vector(r, pkm_yaml_get(node, "center"), pkm_dim_length, &d->spec.center));
    PKM_TRY(pkm_reader_number(r, pkm_yaml_get(node, "radius"), pkm_dim_length, PKM_RANGE_POSITIVE,
                              &d->spec.radius));
    if (normal) PKM_TRY(pkm_reader_axis(r, normal, &d->spec.normal));
    if (start) PKM_TRY(pkm_reader_axis(r, start, &d->spec.start));
    if (turns && angle)
        return pkm_reader_fail_key(r, angle, "'turns' and 'angle' say the same, expected one");
    double n = 1.0;
    PKM_TRY(pkm_reader_optional(r, turns, pkm_dim_one, PKM_RANGE_ANY, &n));
    d->spec.angle = 2.0 * pi * n;
    return pkm_reader_optional(r, angle, pkm_dim_angle, PKM_RANGE_ANY, &d->spec.angle);
}

static pkm_status read_inverted_u(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    static const char* const keys[] = {"!from", "!step", "!lift", "!marks", NULL};
    static const char* const from[] = {"from", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    PKM_TRY(read_vectors(r, node, from, pkm_dim_length, &d->spec.n_point, &d->spec.point));
    PKM_TRY(pkm_reader_vector(r, pkm_yaml_get(node, "step"), pkm_dim_length, &d->spec.u_step));
    PKM_TRY(pkm_reader_vector(r, pkm_yaml_get(node, "lift"), pkm_dim_length, &d->spec.u_lift));
    const pkm_yaml* marks = pkm_yaml_get(node, "marks");
    PKM_TRY(pkm_reader_list(r, marks, 5, 5));
    for (const pkm_yaml* mark = marks->first; mark; mark = mark->next)
        PKM_TRY(
            pkm_reader_number(r, mark, pkm_dim_time, PKM_RANGE_ANY, &d->spec.u_mark[mark->index]));
    return PKM_OK;
}

static const struct {
    const char* name;
    pkm_path_kind kind;
    pkm_status (*read)(const pkm_reader* r, const pkm_yaml* node, draft* d);
} paths[] = {
    {"line", PKM_PATH_LINE, read_line},
    {"polyline", PKM_PATH_POLYLINE, read_polyline},
    {"arc", PKM_PATH_ARC, read_through},
    {"circle", PKM_PATH_CIRCLE, read_circle},
    {"inverted_u", PKM_PATH_INVERTED_U, read_inverted_u},
};
enum { N_PATH = sizeof paths / sizeof paths[0] };

static pkm_status read_path(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    static const char* const keys[] = {"line", "polyline", "arc", "circle", "inverted_u", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    if (node->n_child != 1)
        return pkm_reader_fail(r, node, "expected one of line, polyline, arc, circle, inverted_u");
    for (int i = 0; i < N_PATH; ++i) {
        if (strcmp(paths[i].name, node->first->key) != 0) continue;
        d->spec.path = paths[i].kind;
        return paths[i].read(r, node->first, d);
    }
    return PKM_OK;
}

/// `q1: [from, to]`, or `q1: to` when it starts at home; drives without a value stay at home.
static pkm_status read_drives(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    d->spec.path = PKM_PATH_DRIVES;
    d->spec.drive_from = d->drive_from;
    d->spec.drive_to = d->drive_to;
    for (int i = 0; i < PKM_MAX_DRIVE; ++i)
        d->drive_from[i] = d->drive_to[i] = NAN;
    if (node->kind != PKM_YAML_MAP || node->n_child == 0)
        return pkm_reader_fail(r, node, "expected a map from drives to values, found %s",
                               pkm_yaml_show(node).text);
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        int i = 0;
        PKM_TRY(pkm_reader_find_drive(r, item, item->key, &i));
        const pkm_dimension want = r->desc->drive[i].is_rotary ? pkm_dim_angle : pkm_dim_length;
        const pkm_yaml* to = item;
        if (item->kind == PKM_YAML_LIST) {
            PKM_TRY(pkm_reader_list(r, item, 2, 2));
            PKM_TRY(pkm_reader_number(r, item->first, want, PKM_RANGE_ANY, &d->drive_from[i]));
            to = item->first->next;
        }
        PKM_TRY(pkm_reader_number(r, to, want, PKM_RANGE_ANY, &d->drive_to[i]));
    }
    return PKM_OK;
}

static pkm_status load_samples(const pkm_reader* r, const pkm_yaml* file, draft* d)
{
    char* path = pkm_source_path(r->desc->file, file->text);
    if (!path) return pkm_reader_fail_memory(r);
    double* table = NULL;
    int n_column = 0;
    pkm_error inner = {0};
    const pkm_status status =
        pkm_samples_read(path, r->scratch, &table, &d->spec.n_sample, &n_column, &inner);
    pkm_free(path);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(r);
    if (status != PKM_OK && inner.line > 0)
        return pkm_reader_fail(r, file, "%.100s, line %d: %s", file->text, inner.line, inner.text);
    if (status != PKM_OK) return pkm_reader_fail(r, file, "%.100s: %s", file->text, inner.text);
    d->spec.sample_t = table;
    d->spec.sample = table + d->spec.n_sample;
    d->spec.n_sample_column = n_column - 1;
    return PKM_OK;
}

static pkm_status read_samples(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    static const char* const keys[] = {"!file", "!of", "ends", NULL};
    static const char* const of_words[] = {"drives", "tool", NULL};
    static const char* const end_words[] = {"rest", "free", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    const pkm_yaml *file = pkm_yaml_get(node, "file"), *ends = pkm_yaml_get(node, "ends");
    const char* name = NULL;
    int of = 0, end = 0;
    PKM_TRY(pkm_reader_word(r, pkm_yaml_get(node, "of"), of_words, &of));
    if (ends) PKM_TRY(pkm_reader_word(r, ends, end_words, &end));
    PKM_TRY(pkm_reader_text(r, file, &name));
    d->spec.path = PKM_PATH_SAMPLES;
    d->spec.sample_is_drives = of == 0;
    d->spec.sample_free_ends = end == 1;
    PKM_TRY(load_samples(r, file, d));

    const int n = d->spec.n_sample_column, n_drive = r->desc->n_drive;
    if (of == 0 && n != n_drive)
        return pkm_reader_fail(r, file, "%.60s has %d columns, expected t and %d drives", name,
                               n + 1, n_drive);
    if (of == 1 && n != 3 && n != 6)
        return pkm_reader_fail(r, file, "%.60s has %d columns, expected t x y z [roll pitch yaw]",
                               name, n + 1);
    return PKM_OK;
}

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
static pkm_status read_sequence(const pkm_reader* r, const pkm_yaml* node, draft* d)
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
static pkm_status read_rpy(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    static const char* const either[] = {"from", "to", "through", NULL};
    static const char* const both[] = {"!from", "!to", NULL};
    static const char* const through[] = {"!through", NULL};
    if (!node) return PKM_OK;
    if (node->kind == PKM_YAML_LIST) {
        pkm_vec3* one = NULL;
        PKM_TRY(alloc_vectors(r, 1, &one));
        PKM_TRY(pkm_reader_vector(r, node, pkm_dim_angle, one));
        d->spec.rpy = one;
        d->spec.n_rpy = 1;
        return PKM_OK;
    }
    PKM_TRY(pkm_reader_keys(r, node, either));
    PKM_TRY(pkm_reader_keys(r, node, pkm_yaml_get(node, "through") ? through : both));
    return read_vectors(r, node, from_to, pkm_dim_angle, &d->spec.n_rpy, &d->spec.rpy);
}

/// Limits of the path: along it, or of drives that turn where all drives of the motion turn.
static pkm_status read_law(const pkm_reader* r, const pkm_yaml* node, draft* d)
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
    bool turns = d->spec.path == PKM_PATH_DRIVES;
    for (int i = 0; turns && i < r->desc->n_drive; ++i)
        if (!isnan(d->drive_to[i]) && !r->desc->drive[i].is_rotary) turns = false;
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
static pkm_status read_shaper(const pkm_reader* r, const pkm_yaml* node, draft* d)
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

/// Where the motion goes: exactly one of drives, path, samples and sequence.
static pkm_status read_way(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    const pkm_yaml *drives = pkm_yaml_get(node, "drives"), *path = pkm_yaml_get(node, "path");
    const pkm_yaml *samples = pkm_yaml_get(node, "samples"),
                   *sequence = pkm_yaml_get(node, "sequence"),
                   *repeat = pkm_yaml_get(node, "repeat");
    if (!!drives + !!path + !!samples + !!sequence != 1)
        return pkm_reader_fail_key(
            r, node, "expected one of the keys 'drives', 'path', 'samples', 'sequence'");
    if (repeat && !sequence) return pkm_reader_fail_key(r, repeat, "belongs to a sequence");
    if (repeat) PKM_TRY(read_repeat(r, repeat, &d->spec.repeat));
    if (sequence) return read_sequence(r, sequence, d);
    if (drives) return read_drives(r, drives, d);
    return path ? read_path(r, path, d) : read_samples(r, samples, d);
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

static pkm_status read_motion(const pkm_reader* r, const pkm_yaml* node, const char* name,
                              pkm_desc_motion* out)
{
    static const char* const keys[] = {
        "description", "law",         "duration",   "drives", "path",      "samples",
        "rpy",         "hold_before", "hold_after", "limits", "max_speed", "max_acceleration",
        "max_jerk",    "shaper",      "sequence",   "repeat", NULL};
    draft d = {.node = node, .spec = pkm_motion_spec_defaults()};
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
        PKM_TRY(read_motion(r, node, node->key, &r->desc->motion[r->desc->n_motion]));
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
    PKM_TRY(read_motion(r, node, name, added));
    added->text = NULL; // it would live with the reader
    to->motion = all;
    ++to->n_motion;
    return PKM_OK;
}
