// Matrices, loads and results of a mesh: docs/theory/beams.md, (3.1), (3.3), (3.4).
#include "beam/mesh.h"
#include "beam/mesh_impl.h"

#include <string.h>

// ---- matrices ----------------------------------------------------------------------------------

const double* pkm_beam_mesh_local(const pkm_beam_mesh* mesh, int element, const double* list,
                                  int per_set)
{
    const size_t size = (size_t)pkm_beam_shape_size(mesh->shape);
    return list + size * size * (size_t)(per_set * mesh->element[element].matrices);
}

/// A += S' A_e S at the coordinates of element e; A_e is symmetric.
static void scatter(const pkm_beam_mesh* mesh, int e, const double* A_e, double* A)
{
    const int size = pkm_beam_shape_size(mesh->shape), half = size / 2;
    element_map s;
    pkm_beam_mesh_map(mesh, e, 0, &s);
    for (int j = 0; j < s.n; ++j) {
        // y = A_e S e_j: column j of S touches the rows of one end alone
        double y[PKM_BEAM_MAX_SIZE] = {0};
        for (int k = 0; k < half; ++k) {
            const double f = s.S[j][k];
            if (f == 0.0) continue;
            const double* column = A_e + (s.row[j] + k) * size;
            for (int i = 0; i < size; ++i)
                y[i] += f * column[i];
        }
        // e_i'S' y for one triangle, and its mirror image: symmetric to the last bit
        for (int i = 0; i <= j; ++i) {
            double sum = 0.0;
            for (int k = 0; k < half; ++k)
                sum += s.S[i][k] * y[s.row[i] + k];
            const size_t a = (size_t)s.coordinate[i], b = (size_t)s.coordinate[j];
            A[b * (size_t)mesh->n + a] += sum;
            if (i < j) A[a * (size_t)mesh->n + b] += sum;
        }
    }
}

static void clear(const pkm_beam_mesh* mesh, double* A)
{
    memset(A, 0, (size_t)mesh->n * (size_t)mesh->n * sizeof *A);
}

/// K = sum S' K_e S (3.1)
void pkm_beam_mesh_stiffness(const pkm_beam_mesh* mesh, double* K)
{
    clear(mesh, K);
    for (int e = 0; e < mesh->n_element; ++e)
        scatter(mesh, e, pkm_beam_mesh_local(mesh, e, mesh->K_local, 1), K);
}

/// Momentum of a lumped mass moved by a column (d, r) of its node (3.3): (m v_com, J r + com x m
/// v_com), about the node.
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

/// M = sum S' M_e S + lumped (3.1): a lump has the work of its momentum (3.3) on each motion of its
/// node.
void pkm_beam_mesh_mass(const pkm_beam_mesh* mesh, double* M)
{
    clear(mesh, M);
    for (int e = 0; e < mesh->n_element; ++e)
        scatter(mesh, e, pkm_beam_mesh_local(mesh, e, mesh->M_local, 1), M);
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

/// The same of (2.8), with three coefficients of the axial force for every element.
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

/// A force at a node works on what the node takes from the coordinates.
void pkm_beam_mesh_add_force(const pkm_beam_mesh* mesh, int node, pkm_vec3 force, pkm_vec3 torque,
                             double* f)
{
    const double load[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    const node_map* map = &mesh->node[node].map;
    for (int k = 0; k < map->n; ++k)
        f[map->coordinate[k]] += dot6(map->column[k], load);
}

/// f += S' integral of rho A N' b dx, b linear between the ends (3.4).
void pkm_beam_mesh_load_element(const pkm_beam_mesh* mesh, int element, pkm_vec3 b0, pkm_vec3 b1,
                                double* f)
{
    const mesh_element* e = &mesh->element[element];
    const int size = pkm_beam_shape_size(mesh->shape);
    const double m = pkm_beam_mass_per_length(&e->data.section, &e->data.material);
    double local[PKM_BEAM_MAX_SIZE] = {0};
    // dx = l dxi; b in the axes of the element, where the rows N of u, v, w are known
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
    element_map s;
    pkm_beam_mesh_map(mesh, element, 0, &s);
    for (int j = 0; j < s.n; ++j)
        for (int k = 0; k < size / 2; ++k)
            f[s.coordinate[j]] += s.S[j][k] * local[s.row[j] + k];
}

/// The lumped part of (3.4): m b at the centre of the mass, which is c from the node.
void pkm_beam_mesh_load_mass(const pkm_beam_mesh* mesh, const mesh_mass* mass, pkm_vec3 b,
                             double* f)
{
    const pkm_vec3 force = pkm_vec3_scale(mass->mass, b);
    pkm_beam_mesh_add_force(mesh, mass->node, force, pkm_vec3_cross(mass->com, force), f);
}

/// (3.4) with b = g.
void pkm_beam_mesh_weight(const pkm_beam_mesh* mesh, pkm_vec3 gravity, double* f)
{
    memset(f, 0, (size_t)mesh->n * sizeof *f);
    for (int e = 0; e < mesh->n_element; ++e)
        pkm_beam_mesh_load_element(mesh, e, gravity, gravity, f);
    for (int k = 0; k < mesh->n_mass; ++k)
        pkm_beam_mesh_load_mass(mesh, &mesh->mass[k], gravity, f);
}

/// b = W x with the symmetric matrix W that has ones at (a, b) and (b, a): rotation about an axis
/// makes such forces (4.7).
void pkm_beam_mesh_centrifugal(const pkm_beam_mesh* mesh, int a, int b, double* f)
{
    double w[9] = {0.0};
    pkm_mat3 W;
    w[3 * a + b] += 1.0;
    w[3 * b + a] += 1.0;
    memcpy(&W, w, sizeof W);
    memset(f, 0, (size_t)mesh->n * sizeof *f);
    for (int e = 0; e < mesh->n_element; ++e) {
        const int* node = mesh->element[e].node;
        pkm_beam_mesh_load_element(mesh, e, pkm_mat3_mul(W, mesh->node[node[0]].at.x),
                                   pkm_mat3_mul(W, mesh->node[node[1]].at.x), f);
    }
    for (int k = 0; k < mesh->n_mass; ++k) {
        const mesh_mass* mass = &mesh->mass[k];
        const pkm_vec3 at = pkm_vec3_add(mesh->node[mass->node].at.x, mass->com);
        pkm_beam_mesh_load_mass(mesh, mass, pkm_mat3_mul(W, at), f);
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

void pkm_beam_mesh_element_nodes(const pkm_beam_mesh* mesh, int element, int node[2])
{
    node[0] = mesh->element[element].node[0];
    node[1] = mesh->element[element].node[1];
}

const pkm_beam_element* pkm_beam_mesh_element_data(const pkm_beam_mesh* mesh, int element)
{
    return &mesh->element[element].data;
}

pkm_mat3 pkm_beam_mesh_element_axes(const pkm_beam_mesh* mesh, int element)
{
    return mesh->element[element].axes;
}

pkm_vec3 pkm_beam_mesh_at(const pkm_beam_mesh* mesh, int node)
{
    return mesh->node[node].at.x;
}

int pkm_beam_mesh_coordinate(const pkm_beam_mesh* mesh, int node, int d)
{
    return mesh->node[node].coordinate[d];
}

bool pkm_beam_mesh_is_loaded(const pkm_beam_mesh* mesh, int node)
{
    return mesh->node[node].is_loaded;
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

/// d and r of a node, (3.2) where it follows another.
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

/// q_e = S q (3.1); coordinates that the shape does not have stay zero.
void pkm_beam_mesh_local_q(const pkm_beam_mesh* mesh, const double* q, int element,
                           double local[PKM_BEAM_MAX_SIZE])
{
    const int half = pkm_beam_shape_size(mesh->shape) / 2;
    element_map s;
    pkm_beam_mesh_map(mesh, element, 0, &s);
    memset(local, 0, PKM_BEAM_MAX_SIZE * sizeof *local);
    for (int j = 0; j < s.n; ++j)
        for (int k = 0; k < half; ++k)
            local[s.row[j] + k] += s.S[j][k] * q[s.coordinate[j]];
}

pkm_beam_point pkm_beam_mesh_point(const pkm_beam_mesh* mesh, const double* q, int element,
                                   double xi)
{
    const mesh_element* e = &mesh->element[element];
    const pkm_beam_section* s = &e->data.section;
    const pkm_beam_material* m = &e->data.material;
    double local[PKM_BEAM_MAX_SIZE], value[6] = {0}, slope[6] = {0};
    pkm_beam_mesh_local_q(mesh, q, element, local);
    pkm_beam_field field;
    pkm_beam_element_field(&e->data, xi, &field);
    for (int k = 0; k < 6; ++k) {
        for (int i = 0; i < PKM_BEAM_MAX_SIZE; ++i) {
            value[k] += field.value[k][i] * local[i];
            slope[k] += field.slope[k][i] * local[i];
        }
    }
    // displacements and turns are those of the shape functions, forces follow from their slopes
    return (pkm_beam_point){
        .d = {value[0], value[1], value[2]},
        .r = {value[3], value[4], value[5]},
        // (1.1)
        .force = m->E * s->A * slope[0],
        .moment = {m->G * s->J * slope[3], m->E * s->Iy * slope[4], m->E * s->Iz * slope[5]},
        .axes = e->axes,
    };
}

/// N0, N1, N2 of (2.8): the axial force in the middle of each element, constant along it.
void pkm_beam_mesh_axial_forces(const pkm_beam_mesh* mesh, const double* q, double* force)
{
    for (int e = 0; e < mesh->n_element; ++e) {
        // K_N of the mesh takes it as constant: few elements tell it well enough
        force[3 * e] = pkm_beam_mesh_point(mesh, q, e, 0.5).force;
        force[3 * e + 1] = force[3 * e + 2] = 0.0;
    }
}

/// Kinds of the coordinates of an end: u v w rx ry rz u' rx' v'' w''.
static const int KIND[PKM_BEAM_MAX_SIZE / 2] = {0, 1, 1, 2, 1, 1, 0, 2, 1, 1};

/// q_e'K_e q_e / 2 in its parts: stretch, bending and torsion share no coordinate in (2.6), so that
/// the kind of a column is that of its energy.
void pkm_beam_mesh_energy(const pkm_beam_mesh* mesh, const double* q, int element, double energy[3])
{
    const int size = pkm_beam_shape_size(mesh->shape), half = size / 2;
    const double* K = pkm_beam_mesh_local(mesh, element, mesh->K_local, 1);
    double local[PKM_BEAM_MAX_SIZE];
    pkm_beam_mesh_local_q(mesh, q, element, local);
    energy[0] = energy[1] = energy[2] = 0.0;
    for (int j = 0; j < size; ++j)
        for (int i = 0; i < size; ++i)
            energy[KIND[j % half]] += 0.5 * local[i] * K[j * size + i] * local[j];
}
