// Shapes of a body: what is drawn and, where a body gives no mass, what weighs.
#include "base/error.h"
#include "model/mesh.h"
#include "model/reader_impl.h"
#include "model/source.h"

#include <math.h>
#include <string.h>

/// One shape being read.
typedef struct draft {
    pkm_desc_shape shape;
    pkm_pose pose; ///< of the mesh in body axes
    pkm_mesh mesh;
    double diameter, wall, inner_diameter, scale, density;
    bool has_wall;
    pkm_mass mass;
} draft;

#define AT(member) offsetof(draft, member)

// ---- round bars -------------------------------------------------------------------------------

/// The diameter is written, the radius kept.
static pkm_status check_bar(pkm_reader* r, const pkm_yaml* node, void* to)
{
    draft* d = to;
    d->shape.radius = 0.5 * d->diameter;
    if (pkm_vec3_norm(pkm_vec3_sub(d->shape.to, d->shape.from)) > 0.0) return PKM_OK;
    return pkm_reader_fail(r, node, "'from' and 'to' are the same point");
}

/// By its wall or its inner diameter; 0 leaves a solid bar.
static pkm_status check_tube(pkm_reader* r, const pkm_yaml* node, void* to)
{
    draft* d = to;
    const double radius = d->shape.radius;
    const pkm_yaml* given = pkm_yaml_get(node, d->has_wall ? "wall" : "inner_diameter");
    d->shape.inner_radius = d->has_wall ? radius - d->wall : 0.5 * d->inner_diameter;
    if (d->shape.inner_radius >= 0.0 && d->shape.inner_radius < radius) return PKM_OK;
    return pkm_reader_fail(r, given, "%.60s, expected less than %s of %g m", given->text,
                           d->has_wall ? "the radius" : "the diameter",
                           d->has_wall ? radius : 2.0 * radius);
}

static const pkm_key bar_keys[] = {{"from", NULL, PKM_KEY_OWN, AT(shape.from), .must = true,
                                    .read = pkm_key_read_point, .either = pkm_key_point},
                                   {"to", "ends, points of the body or coordinates", PKM_KEY_OWN,
                                    AT(shape.to), .must = true, .read = pkm_key_read_point,
                                    .either = pkm_key_point},
                                   {"diameter", "outside", PKM_KEY_NUMBER, AT(diameter),
                                    &pkm_dim_length, PKM_RANGE_POSITIVE, .must = true},
                                   {.name = NULL}};
static const pkm_section bar = {"bar", "a solid round bar; a disc is a short one", bar_keys,
                                .check = check_bar};
static const pkm_key tube_keys[] = {{.kind = PKM_KEY_INCLUDE, .section = &bar},
                                    {"wall", NULL, PKM_KEY_NUMBER, AT(wall), &pkm_dim_length,
                                     PKM_RANGE_POSITIVE, .given = AT(has_wall)},
                                    {"inner_diameter", "how thick it is", PKM_KEY_NUMBER,
                                     AT(inner_diameter), &pkm_dim_length,
                                     .range = PKM_RANGE_POSITIVE},
                                    {.name = NULL}};
static const pkm_key_rule tube_rules[] = {{PKM_RULE_ONE, "wall inner_diameter", NULL}, {0}};
static const pkm_section tube = {"tube", "a round tube", tube_keys, tube_rules,
                                 .check = check_tube};

static void weigh_bar(draft* d)
{
    d->mass = pkm_mass_cylinder(d->shape.from, d->shape.to, d->shape.radius, d->shape.inner_radius,
                                d->density);
}

// ---- box and sphere ---------------------------------------------------------------------------

/// Edges are positive: a plate has a thickness.
static pkm_status read_size(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_vec3* out = to;
    PKM_TRY(pkm_reader_list(r, node, 3, 3));
    double* edge[] = {&out->x, &out->y, &out->z};
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(r, item, pkm_dim_length, PKM_RANGE_POSITIVE, edge[item->index]));
    return PKM_OK;
}

static const pkm_key edge[] = {
    {.kind = PKM_KEY_NUMBER, .dimension = &pkm_dim_length, .range = PKM_RANGE_POSITIVE},
    {.kind = PKM_KEY_OWN}};
static const pkm_key center_keys[] = {
    {"center", "a point of the body or coordinates; default: the origin", PKM_KEY_OWN,
     AT(shape.from), .read = pkm_key_read_point, .either = pkm_key_point},
    {.name = NULL}};
static const pkm_section center = {.key = center_keys};
static const pkm_key box_keys[] = {
    {.kind = PKM_KEY_INCLUDE, .section = &center},
    {"size", "edges along x, y, z", PKM_KEY_LIST, AT(shape.size), .n_least = 3, .n_most = 3,
     .must = true, .read = read_size, .either = edge},
    {"rotate", "of the edges in body axes", PKM_KEY_OWN, AT(shape.turn),
     .read = pkm_key_read_rotation, .either = pkm_key_rotation},
    {.name = NULL}};
static const pkm_section box = {"box", "a box", .key = box_keys};
static const pkm_key sphere_keys[] = {{.kind = PKM_KEY_INCLUDE, .section = &center},
                                      {"diameter", "of the sphere", PKM_KEY_NUMBER, AT(diameter),
                                       &pkm_dim_length, PKM_RANGE_POSITIVE, .must = true},
                                      {.name = NULL}};
static const pkm_section sphere = {"sphere", "a sphere", .key = sphere_keys};

static void weigh_box(draft* d)
{
    const pkm_pose pose = {d->shape.from, d->shape.turn};
    d->mass = pkm_mass_box(pose, d->shape.size, d->density);
}

static void weigh_sphere(draft* d)
{
    d->shape.radius = 0.5 * d->diameter;
    d->mass = pkm_mass_sphere(d->shape.from, d->shape.radius, d->density);
}

// ---- meshes -----------------------------------------------------------------------------------

/// The length of one unit of the file: a plain factor (0.001) or a length (1 mm).
static pkm_status read_scale(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_quantity value;
    PKM_TRY(pkm_reader_quantity(r, node, NULL, PKM_RANGE_POSITIVE, &value));
    if (!pkm_quantity_fits(value, pkm_dim_one) && !pkm_quantity_fits(value, pkm_dim_length))
        return pkm_reader_fail(r, node, "%.60s, expected a number or the length of one unit",
                               node->text);
    *(double*)to = value.value;
    return PKM_OK;
}

/// A fault in the file of a mesh becomes one at the key that names it.
static pkm_status load_mesh(const pkm_reader* r, const pkm_yaml* node, const char* path,
                            pkm_mesh* mesh)
{
    pkm_error inner = {0};
    pkm_status status = pkm_mesh_read(path, r->desc->arena, mesh, &inner);
    if (status == PKM_OK) status = pkm_mesh_check(mesh, path, &inner);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(r);
    if (status != PKM_OK) return pkm_reader_fail(r, node, "%.60s: %s", node->text, inner.text);
    return PKM_OK;
}

/// The triangles of a file, as they are in it.
static pkm_status read_file(pkm_reader* r, const pkm_yaml* node, void* to)
{
    draft* d = to;
    PKM_TRY(pkm_reader_text(r, node, &d->shape.mesh_file));
    char* path = pkm_source_path(r->desc->file, node->text);
    if (!path) return pkm_reader_fail_memory(r);
    const pkm_status status = load_mesh(r, node, path, &d->mesh);
    pkm_free(path);
    return status;
}

static const pkm_key scales[] = {{.kind = PKM_KEY_NUMBER, .range = PKM_RANGE_POSITIVE},
                                 {.kind = PKM_KEY_OWN}};
static const pkm_key files[] = {{.kind = PKM_KEY_TEXT}, {.kind = PKM_KEY_OWN}};
static const pkm_key mesh_keys[] = {
    {.kind = PKM_KEY_INCLUDE, .section = &pkm_frame_section, .at = AT(pose)},
    {"file", "an STL or glTF file, its path relative to the model file", PKM_KEY_OWN, 0,
     .must = true, .read = read_file, .either = files},
    {"scale", "the length of its unit, `0.001` or `1 mm`", PKM_KEY_OWN, AT(scale),
     .read = read_scale, .either = scales},
    {.name = NULL}};
static const pkm_section mesh = {"mesh", "a closed mesh of triangles", .key = mesh_keys};

/// Corners go to body axes and metres, where the mass is summed up.
static void weigh_mesh(draft* d)
{
    for (int i = 0; i < 3 * d->mesh.n_triangle; ++i)
        d->mesh.corner[i] = pkm_pose_point(d->pose, pkm_vec3_scale(d->scale, d->mesh.corner[i]));
    d->shape.n_triangle = d->mesh.n_triangle;
    d->shape.triangle = d->mesh.corner;
    d->mass = pkm_mass_mesh(d->mesh.corner, d->mesh.n_triangle, d->density);
}

// ---- one shape, several shapes ----------------------------------------------------------------

static pkm_status read_material(pkm_reader* r, const pkm_yaml* node, void* to)
{
    return pkm_reader_find_material(r, node, to);
}

static const pkm_key names[] = {{.kind = PKM_KEY_TEXT}, {.kind = PKM_KEY_OWN}};
static const pkm_key shape_keys[] = {
    {"rod", NULL, PKM_KEY_MAP, 0, .section = &bar},
    {"cylinder", "a solid round bar: `from`, `to`, `diameter`; a disc is a short one", PKM_KEY_MAP,
     0, .section = &bar},
    {"tube", "a round tube: as a rod, and `wall` or `inner_diameter`", PKM_KEY_MAP, 0,
     .section = &tube},
    {"box", "`size`, `center`, `rotate`", PKM_KEY_MAP, 0, .section = &box},
    {"sphere", "`diameter`, `center`", PKM_KEY_MAP, 0, .section = &sphere},
    {"mesh", "an STL or glTF file: `file`, `scale`, `at`, `rotate`", PKM_KEY_MAP, 0,
     .section = &mesh},
    {"material", "by its name", PKM_KEY_OWN, AT(shape.material), .read = read_material,
     .either = names},
    {"density", "counts before that of the material", PKM_KEY_NUMBER, AT(shape.density),
     &pkm_dim_density, .range = PKM_RANGE_POSITIVE},
    {.name = NULL}};
static const pkm_key_rule shape_rules[] = {
    {PKM_RULE_SOME, "rod tube box cylinder sphere mesh",
     "a shape needs one of rod, tube, box, cylinder, sphere, mesh"},
    {PKM_RULE_AT_MOST, "rod tube box cylinder sphere mesh",
     "a shape has one kind, several are a list"},
    {0}};
static const pkm_section shape_section = {"shape", "one solid, with a material or a density",
                                          shape_keys, .rule = shape_rules};
static const pkm_key one_shape[] = {{.kind = PKM_KEY_MAP, .section = &shape_section},
                                    {.kind = PKM_KEY_OWN}};
enum { MOST_SHAPES = 1000 };
const pkm_key pkm_key_shapes[] = {
    {.kind = PKM_KEY_MAP, .section = &shape_section},
    {.kind = PKM_KEY_LIST, .n_least = 1, .n_most = MOST_SHAPES, .either = one_shape},
    {.kind = PKM_KEY_OWN}};

static const struct {
    const char* name;
    pkm_shape_kind kind;
    void (*weigh)(draft* d);
} kinds[] = {
    {"rod", PKM_SHAPE_ROD, weigh_bar},          {"tube", PKM_SHAPE_TUBE, weigh_bar},
    {"box", PKM_SHAPE_BOX, weigh_box},          {"cylinder", PKM_SHAPE_CYLINDER, weigh_bar},
    {"sphere", PKM_SHAPE_SPHERE, weigh_sphere}, {"mesh", PKM_SHAPE_MESH, weigh_mesh},
};

/// A shape with its mass; without a density that of 1 kg/m3, and `has_density` is false.
static pkm_status read_shape(pkm_reader* r, const pkm_yaml* node, pkm_desc_shape* out,
                             pkm_mass* mass, bool* has_density)
{
    draft d = {.shape = {.turn = {1.0, 0.0, 0.0, 0.0}, .material = PKM_NONE, .density = NAN},
               .scale = 1.0};
    PKM_TRY(pkm_keys_read(r, node, &shape_section, &d));
    if (isnan(d.shape.density) && d.shape.material != PKM_NONE)
        d.shape.density = r->desc->material[d.shape.material].density;
    *has_density = !isnan(d.shape.density);
    d.density = *has_density ? d.shape.density : 1.0;
    int k = 0;
    // the rules let exactly one kind through
    while (!pkm_yaml_get(node, kinds[k].name))
        ++k;
    d.shape.kind = kinds[k].kind;
    kinds[k].weigh(&d);
    *out = d.shape;
    *mass = d.mass;
    return PKM_OK;
}

pkm_status pkm_key_read_shapes(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_shapes* out = to;
    const bool is_list = node->kind == PKM_YAML_LIST;
    if (is_list) PKM_TRY(pkm_reader_list(r, node, 1, MOST_SHAPES));
    const int n = is_list ? node->n_child : 1;
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, n, sizeof *out->shape, &room));
    out->shape = room;

    for (const pkm_yaml* item = is_list ? node->first : node; item; item = item->next) {
        pkm_mass mass;
        bool has_density = false;
        PKM_TRY(read_shape(r, item, &out->shape[out->n_shape], &mass, &has_density));
        // a mass is computed or given, for all shapes together
        if (out->n_shape > 0 && has_density != out->has_density)
            return pkm_reader_fail(r, node, "some shapes have a density and some have none");
        out->has_density = has_density;
        out->mass = out->n_shape > 0 ? pkm_mass_add(out->mass, mass) : mass;
        ++out->n_shape;
        if (!is_list) break;
    }
    return PKM_OK;
}
