#include "base/error.h"
#include "model/mesh.h"
#include "model/reader_impl.h"
#include "model/source.h"

#include <string.h>

/// One shape being read: the node of its kind, its body, its density (1 while not given).
typedef struct solid {
    const pkm_yaml* node;
    int body;
    double density;
    pkm_desc_shape* shape;
    pkm_mass mass;
} solid;

/// Ends and diameter of a round bar.
static pkm_status read_bar(const pkm_reader* r, solid* s)
{
    const pkm_yaml *from = pkm_yaml_get(s->node, "from"), *to = pkm_yaml_get(s->node, "to");
    double diameter = 0.0;
    PKM_TRY(pkm_reader_body_point(r, from, s->body, &s->shape->from));
    PKM_TRY(pkm_reader_body_point(r, to, s->body, &s->shape->to));
    PKM_TRY(pkm_reader_number(r, pkm_yaml_get(s->node, "diameter"), pkm_dim_length,
                              PKM_RANGE_POSITIVE, &diameter));
    s->shape->radius = 0.5 * diameter;
    if (!(pkm_vec3_norm(pkm_vec3_sub(s->shape->to, s->shape->from)) > 0.0))
        return pkm_reader_fail(r, s->node, "'from' and 'to' are the same point");
    return PKM_OK;
}

static void weigh_bar(solid* s)
{
    const pkm_desc_shape* shape = s->shape;
    s->mass =
        pkm_mass_cylinder(shape->from, shape->to, shape->radius, shape->inner_radius, s->density);
}

static pkm_status read_cylinder(const pkm_reader* r, solid* s)
{
    static const char* const keys[] = {"!from", "!to", "!diameter", NULL};
    PKM_TRY(pkm_reader_keys(r, s->node, keys));
    PKM_TRY(read_bar(r, s));
    weigh_bar(s);
    return PKM_OK;
}

static pkm_status read_tube(const pkm_reader* r, solid* s)
{
    static const char* const keys[] = {"!from", "!to", "!diameter", "wall", "inner_diameter", NULL};
    PKM_TRY(pkm_reader_keys(r, s->node, keys));
    PKM_TRY(read_bar(r, s));
    const pkm_yaml* wall = pkm_yaml_get(s->node, "wall");
    const pkm_yaml* inner = pkm_yaml_get(s->node, "inner_diameter");
    if (!wall == !inner)
        return pkm_reader_fail_key(r, s->node, "expected one of 'wall' and 'inner_diameter'");
    double size = 0.0;
    const pkm_yaml* given = wall ? wall : inner;
    PKM_TRY(pkm_reader_number(r, given, pkm_dim_length, PKM_RANGE_POSITIVE, &size));
    s->shape->inner_radius = wall ? s->shape->radius - size : 0.5 * size;
    if (s->shape->inner_radius < 0.0 || s->shape->inner_radius >= s->shape->radius)
        return pkm_reader_fail(r, given, "%.60s, expected less than %s of %g m", given->text,
                               wall ? "the radius" : "the diameter",
                               wall ? s->shape->radius : 2.0 * s->shape->radius);
    weigh_bar(s);
    return PKM_OK;
}

static pkm_status read_size(const pkm_reader* r, const pkm_yaml* node, pkm_vec3* out)
{
    PKM_TRY(pkm_reader_list(r, node, 3, 3));
    double* to[] = {&out->x, &out->y, &out->z};
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(r, item, pkm_dim_length, PKM_RANGE_POSITIVE, to[item->index]));
    return PKM_OK;
}

static pkm_status read_center(const pkm_reader* r, solid* s)
{
    const pkm_yaml* center = pkm_yaml_get(s->node, "center");
    return center ? pkm_reader_body_point(r, center, s->body, &s->shape->from) : PKM_OK;
}

static pkm_status read_box(const pkm_reader* r, solid* s)
{
    static const char* const keys[] = {"center", "!size", "rotate", NULL};
    PKM_TRY(pkm_reader_keys(r, s->node, keys));
    PKM_TRY(read_center(r, s));
    PKM_TRY(read_size(r, pkm_yaml_get(s->node, "size"), &s->shape->size));
    const pkm_yaml* rotate = pkm_yaml_get(s->node, "rotate");
    if (rotate) PKM_TRY(pkm_reader_rotation(r, rotate, &s->shape->turn));
    const pkm_pose pose = {s->shape->from, s->shape->turn};
    s->mass = pkm_mass_box(pose, s->shape->size, s->density);
    return PKM_OK;
}

static pkm_status read_sphere(const pkm_reader* r, solid* s)
{
    static const char* const keys[] = {"center", "!diameter", NULL};
    PKM_TRY(pkm_reader_keys(r, s->node, keys));
    PKM_TRY(read_center(r, s));
    double diameter = 0.0;
    PKM_TRY(pkm_reader_number(r, pkm_yaml_get(s->node, "diameter"), pkm_dim_length,
                              PKM_RANGE_POSITIVE, &diameter));
    s->shape->radius = 0.5 * diameter;
    s->mass = pkm_mass_sphere(s->shape->from, s->shape->radius, s->density);
    return PKM_OK;
}

/// The length of one unit of the file: a plain factor (0.001) or a length (1 mm).
static pkm_status read_scale(const pkm_reader* r, const pkm_yaml* node, double* scale)
{
    *scale = 1.0;
    if (!node) return PKM_OK;
    pkm_quantity value;
    PKM_TRY(pkm_reader_quantity(r, node, NULL, PKM_RANGE_POSITIVE, &value));
    if (!pkm_quantity_fits(value, pkm_dim_one) && !pkm_quantity_fits(value, pkm_dim_length))
        return pkm_reader_fail(r, node, "%.60s, expected a number or the length of one unit",
                               node->text);
    *scale = value.value;
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

static pkm_status read_mesh(const pkm_reader* r, solid* s)
{
    static const char* const keys[] = {"!file", "scale", "at", "rotate", NULL};
    PKM_TRY(pkm_reader_keys(r, s->node, keys));
    const pkm_yaml* file = pkm_yaml_get(s->node, "file");
    double scale = 1.0;
    pkm_pose pose;
    PKM_TRY(read_scale(r, pkm_yaml_get(s->node, "scale"), &scale));
    PKM_TRY(pkm_reader_pose(r, s->node, &pose));
    PKM_TRY(pkm_reader_text(r, file, &s->shape->mesh_file));

    char* path = pkm_source_path(r->desc->file, file->text);
    if (!path) return pkm_reader_fail_memory(r);
    pkm_mesh mesh = {0};
    const pkm_status status = load_mesh(r, file, path, &mesh);
    pkm_free(path);
    if (status != PKM_OK) return status;

    for (int i = 0; i < 3 * mesh.n_triangle; ++i)
        mesh.corner[i] = pkm_pose_point(pose, pkm_vec3_scale(scale, mesh.corner[i]));
    s->shape->n_triangle = mesh.n_triangle;
    s->shape->triangle = mesh.corner;
    s->mass = pkm_mass_mesh(mesh.corner, mesh.n_triangle, s->density);
    return PKM_OK;
}

static const struct {
    const char* name;
    pkm_shape_kind kind;
    pkm_status (*read)(const pkm_reader* r, solid* s);
} kinds[] = {
    {"rod", PKM_SHAPE_ROD, read_cylinder},     {"tube", PKM_SHAPE_TUBE, read_tube},
    {"box", PKM_SHAPE_BOX, read_box},          {"cylinder", PKM_SHAPE_CYLINDER, read_cylinder},
    {"sphere", PKM_SHAPE_SPHERE, read_sphere}, {"mesh", PKM_SHAPE_MESH, read_mesh},
};
enum { N_KIND = sizeof kinds / sizeof kinds[0] };

static pkm_status find_kind(const pkm_reader* r, const pkm_yaml* node, int* out)
{
    int n = 0;
    for (int i = 0; i < N_KIND; ++i) {
        if (!pkm_yaml_get(node, kinds[i].name)) continue;
        *out = i;
        ++n;
    }
    if (n == 1) return PKM_OK;
    return pkm_reader_fail(r, node,
                           n ? "a shape has one kind, several are a list"
                             : "a shape needs one of rod, tube, box, cylinder, sphere, mesh");
}

static pkm_status find_material(const pkm_reader* r, const pkm_yaml* node, int* out)
{
    const char* name = NULL;
    PKM_TRY(pkm_reader_text(r, node, &name));
    pkm_nearest near = pkm_nearest_make(name);
    for (int i = 0; i < r->desc->n_material; ++i) {
        if (strcmp(r->desc->material[i].name, name) == 0) {
            *out = i;
            return PKM_OK;
        }
        pkm_nearest_offer(&near, r->desc->material[i].name);
    }
    return pkm_reader_fail(r, node, "there is no material '%.60s'%s", name,
                           pkm_nearest_hint(&near).text);
}

/// Density from `density` or from the material; 1 and false where neither tells it.
static pkm_status read_density(const pkm_reader* r, const pkm_yaml* node, solid* s, bool* is_given)
{
    const pkm_yaml* density = pkm_yaml_get(node, "density");
    const pkm_yaml* material = pkm_yaml_get(node, "material");
    s->density = NAN;
    if (material) {
        PKM_TRY(find_material(r, material, &s->shape->material));
        s->density = r->desc->material[s->shape->material].density;
    }
    PKM_TRY(pkm_reader_optional(r, density, pkm_dim_density, PKM_RANGE_POSITIVE, &s->density));
    s->shape->density = s->density;
    *is_given = !isnan(s->density);
    if (!*is_given) s->density = 1.0;
    return PKM_OK;
}

static pkm_status read_shape(const pkm_reader* r, const pkm_yaml* node, int body,
                             pkm_desc_shape* out, pkm_mass* mass, bool* has_density)
{
    static const char* const keys[] = {"rod",  "tube",     "box",     "cylinder", "sphere",
                                       "mesh", "material", "density", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    int k = 0;
    PKM_TRY(find_kind(r, node, &k));
    *out = (pkm_desc_shape){.kind = kinds[k].kind, .turn = {1.0, 0.0, 0.0, 0.0}};
    out->material = PKM_NONE;
    solid s = {.node = pkm_yaml_get(node, kinds[k].name), .body = body, .shape = out};
    PKM_TRY(read_density(r, node, &s, has_density));
    PKM_TRY(kinds[k].read(r, &s));
    *mass = s.mass;
    return PKM_OK;
}

pkm_status pkm_shapes_read(const pkm_reader* r, const pkm_yaml* node, int body, pkm_shapes* out)
{
    *out = (pkm_shapes){0};
    if (!node) return PKM_OK;
    const bool is_list = node->kind == PKM_YAML_LIST;
    if (is_list) PKM_TRY(pkm_reader_list(r, node, 1, 1000));
    const int n = is_list ? node->n_child : 1;
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, n, sizeof *out->shape, &room));
    out->shape = room;

    for (const pkm_yaml* item = is_list ? node->first : node; item; item = item->next) {
        pkm_mass mass;
        bool has_density = false;
        PKM_TRY(read_shape(r, item, body, &out->shape[out->n_shape], &mass, &has_density));
        if (out->n_shape > 0 && has_density != out->has_density)
            return pkm_reader_fail(r, node, "some shapes have a density and some have none");
        out->has_density = has_density;
        out->mass = out->n_shape > 0 ? pkm_mass_add(out->mass, mass) : mass;
        ++out->n_shape;
        if (!is_list) break;
    }
    return PKM_OK;
}
