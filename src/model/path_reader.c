// Paths of the tool: lines, polylines with blended corners, arcs, circles, inverted Us, splines.
#include "base/error.h"
#include "math/angle.h"
#include "model/motion_draft.h"

#include <string.h>

static pkm_status alloc_vectors(const pkm_reader* r, int n, pkm_vec3** out)
{
    *out = pkm_arena_alloc(r->scratch, (size_t)n, sizeof **out);
    return *out ? PKM_OK : pkm_reader_fail_memory(r);
}

pkm_status pkm_motion_read_vectors(const pkm_reader* r, const pkm_yaml* node, pkm_dimension want,
                                   int* n, const pkm_vec3** out)
{
    pkm_vec3* list = NULL;
    PKM_TRY(pkm_reader_list(r, node, 1, PKM_MOST_POINTS));
    PKM_TRY(alloc_vectors(r, node->n_child, &list));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_vector(r, item, want, &list[item->index]));
    *n = node->n_child;
    *out = list;
    return PKM_OK;
}

pkm_status pkm_motion_read_end(const pkm_reader* r, const pkm_yaml* node, pkm_dimension want,
                               bool is_second, int* n, const pkm_vec3** out)
{
    pkm_vec3* two = NULL;
    PKM_TRY(alloc_vectors(r, 2, &two));
    if (is_second) two[0] = (*out)[0]; // `from` stands before `to` in the tables
    PKM_TRY(pkm_reader_vector(r, node, want, &two[is_second]));
    *n = is_second ? 2 : 1;
    *out = two;
    return PKM_OK;
}

// ---- the kinds --------------------------------------------------------------------------------

static pkm_status read_from(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_spec* spec = to;
    return pkm_motion_read_end(r, node, pkm_dim_length, false, &spec->n_point, &spec->point);
}

static pkm_status read_to(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_spec* spec = to;
    return pkm_motion_read_end(r, node, pkm_dim_length, true, &spec->n_point, &spec->point);
}

static pkm_status read_through(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_spec* spec = to;
    return pkm_motion_read_vectors(r, node, pkm_dim_length, &spec->n_point, &spec->point);
}

static pkm_status close_circle(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)r;
    pkm_motion_draft* d = to;
    if (!pkm_yaml_get(node, "angle")) d->spec.angle = 2.0 * PKM_PI * d->turns;
    return PKM_OK;
}

#define AT(member) offsetof(pkm_motion_draft, member)
#define PLACE      .kind = PKM_KEY_VECTOR, .dimension = &pkm_dim_length
static const pkm_key place[] = {{PLACE}, {.kind = PKM_KEY_OWN}};
static const pkm_key line_keys[] = {
    {"from", NULL, PLACE, .at = AT(spec), .must = true, .read = read_from},
    {"to", "ends", PLACE, .at = AT(spec), .must = true, .read = read_to},
    {.name = NULL}};
static const pkm_section line = {"line", "straight", .key = line_keys};
#define THROUGH(least, most)                                                                       \
    .kind = PKM_KEY_LIST, .at = AT(spec), .n_least = (least), .n_most = (most), .must = true,      \
    .read = read_through, .either = place
static const pkm_key polyline_keys[] = {{"through", "corners", THROUGH(2, PKM_MOST_POINTS)},
                                        {"blend", "corners are rounded within this way of them",
                                         PKM_KEY_NUMBER, AT(spec.blend), &pkm_dim_length,
                                         .range = PKM_RANGE_POSITIVE},
                                        {.name = NULL}};
static const pkm_section polyline = {"polyline", "straight from point to point",
                                     .key = polyline_keys};
static const pkm_key arc_keys[] = {{"through", "three points of a circle", THROUGH(3, 3)},
                                   {.name = NULL}};
static const pkm_section arc = {"arc", "of a circle", .key = arc_keys};
static const pkm_key spline_keys[] = {
    {"through", "points that a smooth curve passes without a stop", THROUGH(2, PKM_MOST_POINTS)},
    {.name = NULL}};
static const pkm_section spline = {"spline", "a smooth curve", .key = spline_keys};
static const pkm_key circle_keys[] = {
    {"center", NULL, PLACE, .at = AT(spec.center), .must = true},
    {"radius", "of the circle", PKM_KEY_NUMBER, AT(spec.radius), &pkm_dim_length,
     PKM_RANGE_POSITIVE, .must = true},
    {"normal", "of its plane; default z", PKM_KEY_AXIS, .at = AT(spec.normal)},
    {"start", "direction from the centre; default: the fixed perpendicular of the normal",
     PKM_KEY_AXIS, .at = AT(spec.start)},
    {"turns", NULL, PKM_KEY_NUMBER, .at = AT(turns)},
    {"angle", "how far; default one turn", PKM_KEY_NUMBER, AT(spec.angle),
     .dimension = &pkm_dim_angle},
    {.name = NULL}};
static const pkm_key_rule circle_rules[] = {
    {PKM_RULE_AT_MOST, "turns angle", "'turns' and 'angle' say the same, expected one"}, {0}};
static const pkm_section circle = {"circle", "a circle", circle_keys, .rule = circle_rules,
                                   .check = close_circle};
static const pkm_key u_keys[] = {
    {"from", "where it starts", PLACE, .at = AT(spec), .must = true, .read = read_from},
    {"step", NULL, PLACE, .at = AT(spec.u_step), .must = true},
    {"lift", "ways across and up", PLACE, .at = AT(spec.u_lift), .must = true},
    {"marks", "five times of the profile", PKM_KEY_NUMBERS, AT(spec.u_mark), &pkm_dim_time,
     .n_least = 5, .n_most = 5, .must = true},
    {.name = NULL}};
static const pkm_section inverted_u = {"invertedU", "pick and place", .key = u_keys};

// ---- one of them ------------------------------------------------------------------------------

static const pkm_key path_keys[] = {
    {"line", "straight: `from`, `to`", PKM_KEY_MAP, .section = &line},
    {"polyline", "straight from point to point: `through`, `blend`", PKM_KEY_MAP,
     .section = &polyline},
    {"arc", "`through` three points", PKM_KEY_MAP, .section = &arc},
    {"circle", "`center`, `radius`, `normal`, `start`, `turns` or `angle`", PKM_KEY_MAP,
     .section = &circle},
    {"inverted_u", "pick and place: `from`, `step`, `lift`, `marks`", PKM_KEY_MAP,
     .section = &inverted_u},
    {"spline", "smooth `through` points", PKM_KEY_MAP, .section = &spline},
    {.name = NULL}};
/// In the order of path_keys.
static const pkm_path_kind kinds[] = {PKM_PATH_LINE,   PKM_PATH_POLYLINE,   PKM_PATH_ARC,
                                      PKM_PATH_CIRCLE, PKM_PATH_INVERTED_U, PKM_PATH_SPLINE};
static const pkm_key_rule path_rules[] = {
    {PKM_RULE_ONE, "line polyline arc circle inverted_u spline", NULL}, {0}};
static const pkm_section path = {"path", "of the tool", path_keys, .rule = path_rules};
const pkm_key pkm_motion_path_forms[] = {{.kind = PKM_KEY_MAP, .section = &path},
                                         {.kind = PKM_KEY_OWN}};

pkm_status pkm_motion_read_path(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_draft* d = to;
    // a circle closes unless the file says otherwise
    d->turns = 1.0;
    PKM_TRY(pkm_keys_read(r, node, &path, d));
    for (int i = 0; path_keys[i].name; ++i)
        if (strcmp(path_keys[i].name, node->first->key) == 0) d->spec.path = kinds[i];
    return PKM_OK;
}
