// Nodes are walked from the scene's roots with their transforms multiplied up; a mirrored node
// turns the order of its corners, so that outsides stay outside.
#include "model/gltf.h"

#include "base/error.h"
#include "math/vec3.h"
#include "model/gltf_data.h"

#include <math.h>
#include <string.h>

enum {
    MAX_DEPTH = 64,
    MAX_TRIANGLE = 5000000, // as many as the largest STL file has
    TRIANGLES = 4,          // mode of a primitive
};

/// p_w = A p + t: columns of A, and t.
typedef struct affine {
    pkm_vec3 x, y, z, t;
} affine;

static pkm_vec3 turn(const affine* m, pkm_vec3 p)
{
    return pkm_vec3_add(pkm_vec3_scale(p.x, m->x),
                        pkm_vec3_add(pkm_vec3_scale(p.y, m->y), pkm_vec3_scale(p.z, m->z)));
}

static pkm_vec3 apply(const affine* m, pkm_vec3 p)
{
    return pkm_vec3_add(turn(m, p), m->t);
}

/// First b, then a.
static affine compose(const affine* a, const affine* b)
{
    return (affine){turn(a, b->x), turn(a, b->y), turn(a, b->z), apply(a, b->t)};
}

static double determinant(const affine* m)
{
    return pkm_vec3_dot(m->x, pkm_vec3_cross(m->y, m->z));
}

/// Numbers of a list of `n`; they stay as they are where there is none.
static pkm_status read_list(const pkm_gltf* file, const pkm_json_tree* node, int n, double* out)
{
    if (!node) return PKM_OK;
    int k = 0;
    for (const pkm_json_tree* item = node->first; item && k < n; item = item->next, ++k) {
        if (item->kind != PKM_JSON_NUMBER) return pkm_gltf_fail(file, "a node has no numbers");
        out[k] = item->number;
    }
    return k == n && node->n_child == n ? PKM_OK
                                        : pkm_gltf_fail(file, "a node has too few or many numbers");
}

/// A = R S of a unit quaternion (x, y, z, w) and scales, t as given.
static affine from_parts(const double t[3], const double q[4], const double s[3])
{
    const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double x = q[0] / n, y = q[1] / n, z = q[2] / n, w = q[3] / n;
    const pkm_vec3 a = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    const pkm_vec3 b = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
    const pkm_vec3 c = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
    return (affine){pkm_vec3_scale(s[0], a),
                    pkm_vec3_scale(s[1], b),
                    pkm_vec3_scale(s[2], c),
                    {t[0], t[1], t[2]}};
}

/// How a node lies in its parent.
static pkm_status read_transform(const pkm_gltf* file, const pkm_json_tree* node, affine* out)
{
    double t[3] = {0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1}, m[16];
    PKM_TRY(read_list(file, pkm_json_tree_get(node, "translation"), 3, t));
    PKM_TRY(read_list(file, pkm_json_tree_get(node, "rotation"), 4, q));
    PKM_TRY(read_list(file, pkm_json_tree_get(node, "scale"), 3, s));
    *out = from_parts(t, q, s);
    if (pkm_json_tree_get(node, "matrix")) {
        PKM_TRY(read_list(file, pkm_json_tree_get(node, "matrix"), 16, m));
        *out = (affine){
            {m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
    }
    const double det = determinant(out);
    return isfinite(det) && det != 0.0 ? PKM_OK : pkm_gltf_fail(file, "a node flattens its mesh");
}

/// Triangles on their way from the nodes: counted first, then written.
typedef struct gather {
    pkm_gltf* file;
    pkm_vec3* corner; // NULL while they are counted
    size_t n_triangle;
} gather;

static pkm_status add_primitive(gather* g, const pkm_json_tree* part, const affine* at)
{
    size_t mode = TRIANGLES;
    if (!pkm_json_tree_count(pkm_json_tree_get(part, "mode"), 6, TRIANGLES, &mode) ||
        mode != TRIANGLES)
        return pkm_gltf_fail(g->file, "a mesh is not made of single triangles");
    if (pkm_json_tree_get(part, "targets"))
        return pkm_gltf_fail(g->file, "a mesh has morph targets");
    pkm_gltf_corners list;
    PKM_TRY(pkm_gltf_corners_find(g->file, part, &list));
    if (list.n == 0 || list.n % 3)
        return pkm_gltf_fail(g->file, "the last triangle is not complete");
    if (list.n / 3 > MAX_TRIANGLE - g->n_triangle)
        return pkm_gltf_fail(g->file, "it has more than 5 million triangles");
    const bool mirrors = determinant(at) < 0.0; // and turns triangles inside out
    for (size_t i = 0; g->corner && i < list.n; ++i) {
        const size_t to = mirrors && i % 3 ? i + 3 - 2 * (i % 3) : i; // 0 2 1
        pkm_vec3 p;
        PKM_TRY(pkm_gltf_corner(g->file, &list, i, &p));
        p = apply(at, p);
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return pkm_gltf_fail(g->file, "a corner is not finite");
        // glTF has y upwards, models z: a turn of 90 degrees about x
        g->corner[3 * g->n_triangle + to] = (pkm_vec3){p.x, -p.z, p.y};
    }
    g->n_triangle += list.n / 3;
    return PKM_OK;
}

static pkm_status add_mesh(gather* g, const pkm_json_tree* mesh, const affine* at)
{
    const pkm_json_tree* parts = pkm_json_tree_get(mesh, "primitives");
    if (!parts || parts->kind != PKM_JSON_LIST) return pkm_gltf_fail(g->file, "a mesh is missing");
    for (const pkm_json_tree* part = parts->first; part; part = part->next)
        PKM_TRY(add_primitive(g, part, at));
    return PKM_OK;
}

static pkm_status add_nodes(gather* g, const pkm_json_tree* list, const affine* parent, int depth);

static pkm_status add_node(gather* g, size_t index, const affine* parent, int depth)
{
    if (index >= g->file->n_node) return pkm_gltf_fail(g->file, "a node is missing");
    if (depth == MAX_DEPTH || g->file->visited[index])
        return pkm_gltf_fail(g->file, "a node has more than one parent");
    g->file->visited[index] = true;
    const pkm_json_tree* node = pkm_json_tree_item(g->file->nodes, (int)index);
    if (pkm_json_tree_get(node, "skin")) return pkm_gltf_fail(g->file, "a mesh has a skin");
    affine own;
    PKM_TRY(read_transform(g->file, node, &own));
    const affine at = compose(parent, &own);
    const pkm_json_tree* mesh = pkm_json_tree_get(node, "mesh");
    size_t k = 0;
    if (mesh && !pkm_json_tree_count(mesh, INT32_MAX, 0, &k))
        return pkm_gltf_fail(g->file, "a mesh is missing");
    if (mesh) PKM_TRY(add_mesh(g, pkm_json_tree_item(g->file->meshes, (int)k), &at));
    return add_nodes(g, pkm_json_tree_get(node, "children"), &at, depth + 1);
}

static pkm_status add_nodes(gather* g, const pkm_json_tree* list, const affine* parent, int depth)
{
    for (const pkm_json_tree* item = list ? list->first : NULL; item; item = item->next) {
        size_t index = 0;
        if (!pkm_json_tree_count(item, INT32_MAX, 0, &index))
            return pkm_gltf_fail(g->file, "a node is missing");
        PKM_TRY(add_node(g, index, parent, depth));
    }
    return PKM_OK;
}

/// The nodes of the file's scene; those without a parent where it has none.
static pkm_status add_scene(gather* g)
{
    const affine here = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    const pkm_json_tree* scenes = pkm_json_tree_get(g->file->json, "scenes");
    size_t k = 0;
    if (!pkm_json_tree_count(pkm_json_tree_get(g->file->json, "scene"), INT32_MAX, 0, &k))
        return pkm_gltf_fail(g->file, "the scene is missing");
    g->n_triangle = 0;
    memset(g->file->visited, 0, g->file->n_node * sizeof *g->file->visited);
    if (scenes && scenes->first) {
        const pkm_json_tree* scene = pkm_json_tree_item(scenes, (int)k);
        return scene ? add_nodes(g, pkm_json_tree_get(scene, "nodes"), &here, 0)
                     : pkm_gltf_fail(g->file, "the scene is missing");
    }
    for (size_t i = 0; i < g->file->n_node; ++i)
        if (!g->file->is_child[i]) PKM_TRY(add_node(g, i, &here, 0));
    return PKM_OK;
}

pkm_status pkm_gltf_parse(const char* bytes, size_t length, const char* name, pkm_arena* arena,
                          pkm_mesh* out, pkm_error* err)
{
    *out = (pkm_mesh){0};
    pkm_gltf file;
    PKM_TRY(pkm_gltf_open(bytes, length, name, arena, &file, err));
    gather g = {.file = &file};
    PKM_TRY(add_scene(&g));
    if (g.n_triangle == 0) return pkm_gltf_fail(&file, "it has no triangles");
    g.corner = pkm_arena_alloc(arena, 3 * g.n_triangle, sizeof *g.corner);
    if (!g.corner) return pkm_out_of_memory(err);
    PKM_TRY(add_scene(&g));
    out->corner = g.corner;
    out->n_triangle = (int)g.n_triangle;
    return PKM_OK;
}
