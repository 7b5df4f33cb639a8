// Directions and arms of a mesh, and their rates where it moves: docs/theory/beams.md, (3.2),
// (3.5).
#include "beam/mesh.h"
#include "beam/mesh_impl.h"

#include <string.h>

// ---- nodes -------------------------------------------------------------------------------------

static void set6(double out[6], pkm_vec3 d, pkm_vec3 r)
{
    const double all[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
    memcpy(out, all, sizeof all);
}

static void map_column(node_map* map, int coordinate, pkm_beam_jet d, pkm_beam_jet r)
{
    if (coordinate == PKM_NONE) return;
    map->coordinate[map->n] = coordinate;
    set6(map->column[map->n], d.x, r.x);
    set6(map->rate[map->n], d.v, r.v);
    set6(map->second[map->n], d.a, r.a);
    ++map->n;
}

/// The part of `r` that a joint with these free axes transmits: across all of them.
static pkm_beam_jet transmitted(pkm_beam_jet r, int n_free, const pkm_beam_jet* axis)
{
    if (n_free == 0) return r;
    // r less its part about the axis
    if (n_free == 1)
        return pkm_beam_jet_sub(r, pkm_beam_jet_scale(pkm_beam_jet_dot(r, axis[0]), axis[0]));
    if (n_free == 3) return pkm_beam_jet_rest((pkm_vec3){0.0, 0.0, 0.0});
    // of a universal joint what is across both axes
    const pkm_beam_jet n = pkm_beam_jet_unit(pkm_beam_jet_cross(axis[0], axis[1]));
    return pkm_beam_jet_scale(pkm_beam_jet_dot(r, n), n);
}

static pkm_beam_jet unit_vector(int k)
{
    return pkm_beam_jet_rest(
        (pkm_vec3){k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0});
}

static pkm_beam_jet null_vector(void)
{
    return pkm_beam_jet_rest((pkm_vec3){0.0, 0.0, 0.0});
}

/// A node that follows: d = d_leader + r_leader x arm, r by the joint (3.2).
static void map_follower(const pkm_beam_mesh* mesh, mesh_node* node)
{
    const mesh_node* leader = &mesh->node[node->leader];
    const pkm_beam_jet arm = pkm_beam_jet_sub(node->at, leader->at);
    for (int k = 0; k < 3; ++k)
        map_column(&node->map, leader->coordinate[k], unit_vector(k), null_vector());
    for (int k = 0; k < 3; ++k)
        map_column(&node->map, leader->coordinate[3 + k], pkm_beam_jet_cross(unit_vector(k), arm),
                   transmitted(unit_vector(k), node->n_free, node->axis));
    for (int k = 0; k < node->n_free; ++k)
        map_column(&node->map, node->coordinate[k], null_vector(), node->axis[k]);
}

static void map_own(mesh_node* node)
{
    for (int k = 0; k < 3; ++k)
        map_column(&node->map, node->coordinate[k], unit_vector(k), null_vector());
    for (int k = 0; k < 3; ++k)
        map_column(&node->map, node->coordinate[3 + k], null_vector(), unit_vector(k));
}

// ---- elements ----------------------------------------------------------------------------------

/// Axes of an element: x along it, y the part of the line's hint across it.
static void set_axes(const pkm_beam_mesh* mesh, mesh_element* e)
{
    const pkm_beam_jet hint = mesh->line[e->line].y;
    const pkm_beam_jet x =
        pkm_beam_jet_unit(pkm_beam_jet_sub(mesh->node[e->node[1]].at, mesh->node[e->node[0]].at));
    pkm_beam_jet y = pkm_beam_jet_sub(hint, pkm_beam_jet_scale(pkm_beam_jet_dot(hint, x), x));
    // a hint along the beam, or none, says nothing
    const bool is_vague = !(pkm_vec3_norm(y.x) > 1e-9 * pkm_vec3_norm(hint.x));
    y = is_vague ? pkm_beam_jet_rest(pkm_vec3_perpendicular(x.x)) : pkm_beam_jet_unit(y);
    const pkm_beam_jet z = pkm_beam_jet_cross(x, y);
    e->axes = (pkm_mat3){x.x, y.x, z.x};
    e->axes_rate = (pkm_mat3){x.v, y.v, z.v};
    e->axes_second = (pkm_mat3){x.a, y.a, z.a};
}

void pkm_beam_mesh_update(pkm_beam_mesh* mesh)
{
    for (int i = 0; i < mesh->n_node; ++i) {
        mesh_node* node = &mesh->node[i];
        node->map.n = 0;
        if (node->leader == PKM_NONE) {
            map_own(node);
        } else {
            map_follower(mesh, node);
        }
    }
    for (int e = 0; e < mesh->n_element; ++e)
        set_axes(mesh, &mesh->element[e]);
}

/// out += c R' (d, r) for a column of six numbers.
static void add_turned(pkm_mat3 R, double c, const double column[6], double* out)
{
    const pkm_vec3 d = pkm_mat3_tmul(R, (pkm_vec3){column[0], column[1], column[2]});
    const pkm_vec3 r = pkm_mat3_tmul(R, (pkm_vec3){column[3], column[4], column[5]});
    const double turned[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
    for (int k = 0; k < 6; ++k)
        out[k] += c * turned[k];
}

/// S of an element (order 0) or its time derivatives (3.5): with S = R' N, of order 1 and 2
///
///     R'_t N + R' N_t,      R'_tt N + 2 R'_t N_t + R' N_tt
void pkm_beam_mesh_map(const pkm_beam_mesh* mesh, int element, int order, element_map* out)
{
    const mesh_element* e = &mesh->element[element];
    const int per_end = pkm_beam_shape_size(mesh->shape) / 2;
    out->n = 0;
    for (int end = 0; end < 2; ++end) {
        const node_map* map = &mesh->node[e->node[end]].map;
        for (int k = 0; k < map->n; ++k) {
            double* S = out->S[out->n];
            memset(S, 0, sizeof out->S[0]);
            // R is that of the element's axes, N that of the node's map
            if (order == 0) add_turned(e->axes, 1.0, map->column[k], S);
            if (order == 1) add_turned(e->axes_rate, 1.0, map->column[k], S);
            if (order == 1) add_turned(e->axes, 1.0, map->rate[k], S);
            if (order == 2) add_turned(e->axes_second, 1.0, map->column[k], S);
            if (order == 2) add_turned(e->axes_rate, 2.0, map->rate[k], S);
            if (order == 2) add_turned(e->axes, 1.0, map->second[k], S);
            out->coordinate[out->n] = map->coordinate[k];
            out->row[out->n++] = end * per_end;
        }
        // strains of the cubic/quintic family are scalars: they do not turn
        for (int s = 6; s < per_end; ++s) {
            memset(out->S[out->n], 0, sizeof out->S[0]);
            out->S[out->n][s] = order == 0 ? 1.0 : 0.0;
            out->coordinate[out->n] = e->strain[end][s - 6];
            out->row[out->n++] = end * per_end;
        }
    }
}
