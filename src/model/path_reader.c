#include "base/error.h"
#include "model/motion_draft.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static pkm_status alloc_vectors(const pkm_reader* r, int n, pkm_vec3** out)
{
    *out = pkm_arena_alloc(r->scratch, (size_t)n, sizeof **out);
    return *out ? PKM_OK : pkm_reader_fail_memory(r);
}

pkm_status pkm_motion_read_vectors(const pkm_reader* r, const pkm_yaml* node,
                                   const char* const* keys, pkm_dimension want, int* n,
                                   const pkm_vec3** out)
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

const char* const pkm_motion_from_to[] = {"from", "to", NULL};

static pkm_status read_line(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const char* const keys[] = {"!from", "!to", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    return pkm_motion_read_vectors(r, node, pkm_motion_from_to, pkm_dim_length, &d->spec.n_point,
                                   &d->spec.point);
}

static pkm_status read_polyline(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const char* const keys[] = {"!through", "blend", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "blend"), pkm_dim_length, PKM_RANGE_POSITIVE,
                                &d->spec.blend));
    return pkm_motion_read_vectors(r, node, pkm_motion_from_to, pkm_dim_length, &d->spec.n_point,
                                   &d->spec.point);
}

static pkm_status read_through(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const char* const keys[] = {"!through", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    return pkm_motion_read_vectors(r, node, pkm_motion_from_to, pkm_dim_length, &d->spec.n_point,
                                   &d->spec.point);
}

static pkm_status read_circle(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
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

static pkm_status read_inverted_u(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const char* const keys[] = {"!from", "!step", "!lift", "!marks", NULL};
    static const char* const from[] = {"from", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    PKM_TRY(
        pkm_motion_read_vectors(r, node, from, pkm_dim_length, &d->spec.n_point, &d->spec.point));
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
    pkm_status (*read)(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d);
} paths[] = {
    {"line", PKM_PATH_LINE, read_line},
    {"polyline", PKM_PATH_POLYLINE, read_polyline},
    {"arc", PKM_PATH_ARC, read_through},
    {"circle", PKM_PATH_CIRCLE, read_circle},
    {"inverted_u", PKM_PATH_INVERTED_U, read_inverted_u},
    {"spline", PKM_PATH_SPLINE, read_through},
};
enum { N_PATH = sizeof paths / sizeof paths[0] };

pkm_status pkm_motion_read_path(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const char* const keys[] = {"line",       "polyline", "arc", "circle",
                                       "inverted_u", "spline",   NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    if (node->n_child != 1)
        return pkm_reader_fail(r, node,
                               "expected one of line, polyline, arc, circle, inverted_u, "
                               "spline");
    for (int i = 0; i < N_PATH; ++i) {
        if (strcmp(paths[i].name, node->first->key) != 0) continue;
        d->spec.path = paths[i].kind;
        return paths[i].read(r, node->first, d);
    }
    return PKM_OK;
}
