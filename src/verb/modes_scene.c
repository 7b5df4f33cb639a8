// Mode shapes for the stage of a report: scene.json, "modes" (docs/reference/output.md).
#include "base/memory.h"
#include "flexible/link.h"
#include "math/angle.h"
#include "verb/modes_task.h"

#include <string.h>

/// Points of a line of elements: both ends of each, and one between them.
static int line_points(const pkm_beam_mesh* mesh, int line)
{
    return 2 * pkm_beam_mesh_line_elements(mesh, line) + 1;
}

static void put_three(pkm_json* json, pkm_vec3 v)
{
    const double x[] = {v.x, v.y, v.z};
    pkm_json_numbers(json, x, 3);
}

/// Place `i` of line_points: its element, and how far along it.
static int place_of(const pkm_beam_mesh* mesh, int line, int i, double* xi)
{
    const int last = pkm_beam_mesh_line_elements(mesh, line) - 1, k = i / 2 > last ? last : i / 2;
    *xi = 0.5 * (i - 2 * k);
    return pkm_beam_mesh_line_element(mesh, line, k);
}

/// Where the points of line_points are without deflection, body axes [m].
static void put_rest(const pkm_beam_mesh* mesh, int line, pkm_json* json)
{
    pkm_json_open_array(json, "points");
    for (int i = 0; i < line_points(mesh, line); ++i) {
        int node[2];
        double xi;
        pkm_beam_mesh_element_nodes(mesh, place_of(mesh, line, i, &xi), node);
        const pkm_vec3 a = pkm_beam_mesh_at(mesh, node[0]), b = pkm_beam_mesh_at(mesh, node[1]);
        put_three(json, pkm_vec3_axpy(a, xi, pkm_vec3_sub(b, a)));
    }
    pkm_json_array_end(json);
}

/// The lines of elements of all flexible links, without deflection, body axes.
static void put_bends(const pkm_verb_mode_shapes* shapes, pkm_json* json)
{
    pkm_json_open_array(json, "bends");
    for (int p = 0; p < pkm_elastic_parts(shapes->elastic); ++p) {
        const pkm_flexible_link* link = pkm_elastic_part_link(shapes->elastic, p);
        for (int l = 0; link && l < pkm_beam_mesh_lines(link->mesh); ++l) {
            const int first = pkm_beam_mesh_line_element(link->mesh, l, 0);
            pkm_json_object_begin(json);
            pkm_json_put_integer(json, "body", link->body);
            pkm_json_put_number(json, "radius",
                                pkm_beam_mesh_element_data(link->mesh, first)->section.z_edge);
            put_rest(link->mesh, l, json);
            pkm_json_object_end(json);
        }
    }
    pkm_json_array_end(json);
}

/// The part of the model that is body `b` of the description; PKM_NONE.
static int part_of(const pkm_elastic* elastic, const char* name)
{
    for (int p = 0; p < pkm_elastic_parts(elastic); ++p)
        if (strcmp(pkm_elastic_part_name(elastic, p), name) == 0) return p;
    return PKM_NONE;
}

/// Shift of each moving body's origin and its turn, world axes; zero for those that bend, whose
/// points have all.
static void put_deviations(const pkm_verb_mode_shapes* shapes, const double* x, pkm_json* json)
{
    const pkm_description* desc = pkm_elastic_robot(shapes->elastic)->desc;
    pkm_json_open_array(json, "deviations");
    for (int b = 1; b < desc->n_body; ++b) {
        const int p = part_of(shapes->elastic, desc->body[b].name);
        pkm_vec3 d = {0.0, 0.0, 0.0}, r = d;
        if (p != PKM_NONE && !pkm_elastic_part_bends(shapes->elastic, p))
            pkm_elastic_part_motion(shapes->elastic, p, x, (pkm_vec3){0.0, 0.0, 0.0}, &d, &r);
        const double all[] = {d.x, d.y, d.z, r.x, r.y, r.z};
        pkm_json_numbers(json, all, 6);
    }
    pkm_json_array_end(json);
}

/// Deflections of the same points in a mode, body axes, as large as the mode is scaled.
static void put_bending(const pkm_verb_mode_shapes* shapes, const double* x, double* q,
                        pkm_json* json)
{
    pkm_json_open_array(json, "bending");
    for (int p = 0; p < pkm_elastic_parts(shapes->elastic); ++p) {
        const pkm_flexible_link* link = pkm_elastic_part_link(shapes->elastic, p);
        if (!link) continue;
        pkm_elastic_part_mesh(shapes->elastic, p, x, q);
        for (int l = 0; l < pkm_beam_mesh_lines(link->mesh); ++l)
            for (int i = 0; i < line_points(link->mesh, l); ++i) {
                double xi;
                const int element = place_of(link->mesh, l, i, &xi);
                const pkm_beam_point at = pkm_beam_mesh_point(link->mesh, q, element, xi);
                put_three(json, pkm_mat3_mul(at.axes, at.d));
            }
    }
    pkm_json_array_end(json);
}

static int largest_mesh(const pkm_elastic* elastic)
{
    int most = 1;
    for (int p = 0; p < pkm_elastic_parts(elastic); ++p) {
        const pkm_flexible_link* link = pkm_elastic_part_link(elastic, p);
        if (link && pkm_beam_mesh_size(link->mesh) > most) most = pkm_beam_mesh_size(link->mesh);
    }
    return most;
}

void pkm_verb_modes_scene(const pkm_verb_mode_shapes* shapes, pkm_json* json)
{
    const pkm_modes* modes = shapes->modes;
    double* q = pkm_alloc((size_t)largest_mesh(shapes->elastic), sizeof *q);
    if (!q) return; // the page has its picture; there is no stage for the shapes then
    pkm_json_open_object(json, "modes");
    put_bends(shapes, json);
    pkm_json_open_array(json, "shapes");
    for (int k = 0; k < modes->n_mode; ++k) {
        const double* x = modes->shape + (size_t)k * (size_t)modes->n_all;
        pkm_json_object_begin(json);
        pkm_json_put_number(json, "frequency", modes->omega[k] / PKM_TURN);
        put_deviations(shapes, x, json);
        put_bending(shapes, x, q, json);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    pkm_json_object_end(json);
    pkm_free(q);
}
