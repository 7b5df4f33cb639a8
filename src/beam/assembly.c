// Matrices, loads and results of a mesh: docs/theory/beams.md, (3.1)-(3.6).
#include "base/error.h"
#include "beam/mesh.h"
#include "beam/mesh_parts.h"

#include <string.h>

// ---- directions and arms -----------------------------------------------------------------------

/// Axes of an element: x along it, y the part of `hint` across it.
static pkm_mat3 element_axes(pkm_vec3 along, pkm_vec3 hint)
{
    const pkm_vec3 x = pkm_vec3_unit(along);
    pkm_vec3 y = pkm_vec3_axpy(hint, -pkm_vec3_dot(hint, x), x);
    // A hint along the beam, or none, says nothing.
    const bool is_vague = !(pkm_vec3_norm(y) > 1e-9 * pkm_vec3_norm(hint));
    y = is_vague ? pkm_vec3_perpendicular(x) : pkm_vec3_unit(y);
    return (pkm_mat3){x, y, pkm_vec3_cross(x, y)};
}

static void map_column(node_map* map, int coordinate, pkm_vec3 d, pkm_vec3 r)
{
    if (coordinate == PKM_NONE) return;
    map->coordinate[map->n] = coordinate;
    const double column[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
    memcpy(map->column[map->n++], column, sizeof column);
}

/// The part of `r` that a joint with these free axes transmits: across all of them.
static pkm_vec3 transmitted(pkm_vec3 r, int n_free, const pkm_vec3* axis)
{
    const pkm_vec3 zero = {0};
    if (n_free == 0) return r;
    if (n_free == 1) return pkm_vec3_axpy(r, -pkm_vec3_dot(r, axis[0]), axis[0]);
    if (n_free == 3) return zero;
    const pkm_vec3 n = pkm_vec3_unit(pkm_vec3_cross(axis[0], axis[1]));
    return pkm_vec3_scale(pkm_vec3_dot(r, n), n);
}

/// A node that follows: d = d_leader + r_leader x arm, r by the joint (3.2).
static void map_follower(const pkm_beam_mesh* mesh, mesh_node* node)
{
    const mesh_node* leader = &mesh->node[node->leader];
    const pkm_vec3 arm = pkm_vec3_sub(node->at, leader->at), zero = {0};
    const pkm_mat3 I = pkm_mat3_identity();
    const pkm_vec3 unit[3] = {I.x, I.y, I.z};
    for (int k = 0; k < 3; ++k)
        map_column(&node->map, leader->coordinate[k], unit[k], zero);
    for (int k = 0; k < 3; ++k)
        map_column(&node->map, leader->coordinate[3 + k], pkm_vec3_cross(unit[k], arm),
                   transmitted(unit[k], node->n_free, node->axis));
    for (int k = 0; k < node->n_free; ++k)
        map_column(&node->map, node->coordinate[k], zero, node->axis[k]);
}

static void map_node(mesh_node* node)
{
    const pkm_mat3 I = pkm_mat3_identity();
    const pkm_vec3 unit[3] = {I.x, I.y, I.z}, zero = {0};
    for (int k = 0; k < 6; ++k)
        map_column(&node->map, node->coordinate[k], k < 3 ? unit[k] : zero,
                   k < 3 ? zero : unit[k - 3]);
}

void pkm_beam_mesh_update(pkm_beam_mesh* mesh)
{
    for (int i = 0; i < mesh->n_node; ++i) {
        mesh_node* node = &mesh->node[i];
        node->map.n = 0;
        if (node->leader == PKM_NONE) {
            map_node(node);
        } else {
            map_follower(mesh, node);
        }
    }
    for (int e = 0; e < mesh->n_element; ++e) {
        mesh_element* element = &mesh->element[e];
        const pkm_vec3 along =
            pkm_vec3_sub(mesh->node[element->node[1]].at, mesh->node[element->node[0]].at);
        element->axes = element_axes(along, mesh->line[element->line].y);
    }
}

/// A column of six numbers seen in the axes of an element.
static void turn_column(pkm_mat3 axes, const double column[6], double* out)
{
    const pkm_vec3 d = pkm_mat3_tmul(axes, (pkm_vec3){column[0], column[1], column[2]});
    const pkm_vec3 r = pkm_mat3_tmul(axes, (pkm_vec3){column[3], column[4], column[5]});
    const double turned[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
    memcpy(out, turned, sizeof turned);
}

int pkm_beam_mesh_map(const pkm_beam_mesh* mesh, int element, double* S, int* coordinate)
{
    const mesh_element* e = &mesh->element[element];
    const int size = pkm_beam_shape_size(mesh->shape), per_end = size / 2;
    int n = 0;
    memset(S, 0, (size_t)(size * ELEMENT_MAP) * sizeof *S);
    for (int end = 0; end < 2; ++end) {
        const node_map* map = &mesh->node[e->node[end]].map;
        for (int k = 0; k < map->n; ++k) {
            turn_column(e->axes, map->column[k], S + n * size + end * per_end);
            coordinate[n++] = map->coordinate[k];
        }
        for (int s = 6; s < per_end; ++s) {
            S[n * size + end * per_end + s] = 1.0;
            coordinate[n++] = e->strain[end][s - 6];
        }
    }
    return n;
}

// ---- matrices ----------------------------------------------------------------------------------

/// A += S' A_e S at the coordinates of element e.
static void scatter(const pkm_beam_mesh* mesh, int e, const double* A_e, double* A)
{
    const int size = pkm_beam_shape_size(mesh->shape);
    double S[PKM_BEAM_MAX_SIZE * ELEMENT_MAP], AS[PKM_BEAM_MAX_SIZE];
    int at[ELEMENT_MAP];
    const int n = pkm_beam_mesh_map(mesh, e, S, at);
    for (int j = 0; j < n; ++j) {
        memset(AS, 0, sizeof AS);
        for (int k = 0; k < size; ++k) {
            const double s = S[j * size + k];
            if (s == 0.0) continue;
            for (int i = 0; i < size; ++i)
                AS[i] += A_e[k * size + i] * s;
        }
        double* column = A + (size_t)at[j] * (size_t)mesh->n;
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int k = 0; k < size; ++k)
                sum += S[i * size + k] * AS[k];
            column[at[i]] += sum;
        }
    }
}

static void clear(const pkm_beam_mesh* mesh, double* A)
{
    memset(A, 0, (size_t)mesh->n * (size_t)mesh->n * sizeof *A);
}

void pkm_beam_mesh_stiffness(const pkm_beam_mesh* mesh, double* K)
{
    const size_t size = (size_t)pkm_beam_shape_size(mesh->shape);
    clear(mesh, K);
    for (int e = 0; e < mesh->n_element; ++e)
        scatter(mesh, e, mesh->K_local + size * size * (size_t)e, K);
}

/// Momentum of a lumped mass moved by a column (d, r) of its node: (m v_com, J r + com x m v_com).
static void momentum(const mesh_mass* mass, const double column[6], double p[6])
{
    const pkm_vec3 d = {column[0], column[1], column[2]}, r = {column[3], column[4], column[5]};
    const pkm_vec3 v = pkm_vec3_add(d, pkm_vec3_cross(r, mass->com));
    const pkm_vec3 linear = pkm_vec3_scale(mass->mass, v);
    const pkm_vec3 angular =
        pkm_vec3_add(pkm_mat3_mul(mass->inertia, r), pkm_vec3_cross(mass->com, linear));
    const double all[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    memcpy(p, all, sizeof all);
}

static double dot6(const double a[6], const double b[6])
{
    double sum = 0.0;
    for (int k = 0; k < 6; ++k)
        sum += a[k] * b[k];
    return sum;
}

void pkm_beam_mesh_mass(const pkm_beam_mesh* mesh, double* M)
{
    const size_t size = (size_t)pkm_beam_shape_size(mesh->shape);
    clear(mesh, M);
    for (int e = 0; e < mesh->n_element; ++e)
        scatter(mesh, e, mesh->M_local + size * size * (size_t)e, M);
    for (int k = 0; k < mesh->n_mass; ++k) {
        const node_map* map = &mesh->node[mesh->mass[k].node].map;
        for (int j = 0; j < map->n; ++j) {
            double p[6];
            momentum(&mesh->mass[k], map->column[j], p);
            for (int i = 0; i < map->n; ++i)
                M[(size_t)map->coordinate[j] * (size_t)mesh->n + (size_t)map->coordinate[i]] +=
                    dot6(map->column[i], p);
        }
    }
}

void pkm_beam_mesh_geometric(const pkm_beam_mesh* mesh, const double* force, double* K)
{
    clear(mesh, K);
    for (int e = 0; e < mesh->n_element; ++e) {
        double K_e[PKM_BEAM_MAX_SIZE * PKM_BEAM_MAX_SIZE];
        pkm_beam_element_geometric(&mesh->element[e].data, force + 3 * e, K_e);
        scatter(mesh, e, K_e, K);
    }
}

// ---- loads -------------------------------------------------------------------------------------

void pkm_beam_mesh_add_force(const pkm_beam_mesh* mesh, int node, pkm_vec3 force, pkm_vec3 torque,
                             double* f)
{
    const double load[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    const node_map* map = &mesh->node[node].map;
    for (int k = 0; k < map->n; ++k)
        f[map->coordinate[k]] += dot6(map->column[k], load);
}

/// f += S' integral of rho A N' b dx, b linear between the ends (3.4).
static void load_element(const pkm_beam_mesh* mesh, int element, pkm_vec3 b0, pkm_vec3 b1,
                         double* f)
{
    const mesh_element* e = &mesh->element[element];
    const int size = pkm_beam_shape_size(mesh->shape);
    const double m = pkm_beam_mass_per_length(&e->data.section, &e->data.material);
    double local[PKM_BEAM_MAX_SIZE] = {0};
    for (int g = 0; g < PKM_BEAM_N_GAUSS; ++g) {
        const double xi = pkm_beam_gauss_at[g], c = m * e->data.length * pkm_beam_gauss_weight[g];
        pkm_beam_field field;
        pkm_beam_element_field(&e->data, xi, &field);
        const pkm_vec3 b = pkm_mat3_tmul(
            e->axes, pkm_vec3_add(pkm_vec3_scale(1.0 - xi, b0), pkm_vec3_scale(xi, b1)));
        for (int i = 0; i < size; ++i)
            local[i] +=
                c * (field.value[0][i] * b.x + field.value[1][i] * b.y + field.value[2][i] * b.z);
    }
    double S[PKM_BEAM_MAX_SIZE * ELEMENT_MAP];
    int at[ELEMENT_MAP];
    const int n = pkm_beam_mesh_map(mesh, element, S, at);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < size; ++i)
            f[at[j]] += S[j * size + i] * local[i];
}

void pkm_beam_mesh_load(const pkm_beam_mesh* mesh, const pkm_vec3* b, double* f)
{
    memset(f, 0, (size_t)mesh->n * sizeof *f);
    for (int e = 0; e < mesh->n_element; ++e)
        load_element(mesh, e, b[mesh->element[e].node[0]], b[mesh->element[e].node[1]], f);
    for (int k = 0; k < mesh->n_mass; ++k) {
        const mesh_mass* mass = &mesh->mass[k];
        const pkm_vec3 force = pkm_vec3_scale(mass->mass, b[mass->node]);
        pkm_beam_mesh_add_force(mesh, mass->node, force, pkm_vec3_cross(mass->com, force), f);
    }
}

// ---- results -----------------------------------------------------------------------------------

int pkm_beam_mesh_size(const pkm_beam_mesh* mesh)
{
    return mesh->n;
}

int pkm_beam_mesh_nodes(const pkm_beam_mesh* mesh)
{
    return mesh->n_node;
}

int pkm_beam_mesh_elements(const pkm_beam_mesh* mesh)
{
    return mesh->n_element;
}

pkm_vec3 pkm_beam_mesh_at(const pkm_beam_mesh* mesh, int node)
{
    return mesh->node[node].at;
}

int pkm_beam_mesh_coordinate(const pkm_beam_mesh* mesh, int node, int d)
{
    return mesh->node[node].coordinate[d];
}

double pkm_beam_mesh_total_mass(const pkm_beam_mesh* mesh)
{
    double sum = 0.0;
    for (int e = 0; e < mesh->n_element; ++e) {
        const pkm_beam_element* data = &mesh->element[e].data;
        sum += data->length * pkm_beam_mass_per_length(&data->section, &data->material);
    }
    for (int k = 0; k < mesh->n_mass; ++k)
        sum += mesh->mass[k].mass;
    return sum;
}

void pkm_beam_mesh_node_motion(const pkm_beam_mesh* mesh, const double* q, int node, pkm_vec3* d,
                               pkm_vec3* r)
{
    const node_map* map = &mesh->node[node].map;
    double sum[6] = {0};
    for (int k = 0; k < map->n; ++k)
        for (int i = 0; i < 6; ++i)
            sum[i] += map->column[k][i] * q[map->coordinate[k]];
    *d = (pkm_vec3){sum[0], sum[1], sum[2]};
    *r = (pkm_vec3){sum[3], sum[4], sum[5]};
}

static void local_coordinates(const pkm_beam_mesh* mesh, const double* q, int element,
                              double local[PKM_BEAM_MAX_SIZE])
{
    const int size = pkm_beam_shape_size(mesh->shape);
    double S[PKM_BEAM_MAX_SIZE * ELEMENT_MAP];
    int at[ELEMENT_MAP];
    const int n = pkm_beam_mesh_map(mesh, element, S, at);
    memset(local, 0, PKM_BEAM_MAX_SIZE * sizeof *local);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < size; ++i)
            local[i] += S[j * size + i] * q[at[j]];
}

pkm_beam_point pkm_beam_mesh_point(const pkm_beam_mesh* mesh, const double* q, int element,
                                   double xi)
{
    const mesh_element* e = &mesh->element[element];
    const pkm_beam_section* s = &e->data.section;
    const pkm_beam_material* m = &e->data.material;
    double local[PKM_BEAM_MAX_SIZE], value[6] = {0}, slope[6] = {0};
    local_coordinates(mesh, q, element, local);
    pkm_beam_field field;
    pkm_beam_element_field(&e->data, xi, &field);
    for (int k = 0; k < 6; ++k) {
        for (int i = 0; i < PKM_BEAM_MAX_SIZE; ++i) {
            value[k] += field.value[k][i] * local[i];
            slope[k] += field.slope[k][i] * local[i];
        }
    }
    return (pkm_beam_point){
        .d = {value[0], value[1], value[2]},
        .r = {value[3], value[4], value[5]},
        .force = m->E * s->A * slope[0],
        .moment = {m->G * s->J * slope[3], m->E * s->Iy * slope[4], m->E * s->Iz * slope[5]},
        .axes = e->axes,
    };
}

void pkm_beam_mesh_axial_forces(const pkm_beam_mesh* mesh, const double* q, double* force)
{
    for (int e = 0; e < mesh->n_element; ++e) {
        force[3 * e] = pkm_beam_mesh_point(mesh, q, e, 0.5).force;
        force[3 * e + 1] = force[3 * e + 2] = 0.0;
    }
}
