// Meshes on a rigid motion: docs/theory/beams.md, (2.9), (3.4), (3.6).
#include "kuo/moving_mesh.h"

#include "beam/mesh_impl.h"

#include <string.h>

void pkm_beam_mesh_move_node(pkm_beam_mesh* mesh, int node, pkm_beam_jet at)
{
    mesh->node[node].at = at;
}

void pkm_beam_mesh_move_line(pkm_beam_mesh* mesh, int line, pkm_beam_jet from, pkm_beam_jet to,
                             pkm_beam_jet y)
{
    mesh_line* l = &mesh->line[line];
    l->y = y;
    for (int k = 0; k <= l->n_element; ++k)
        mesh->node[pkm_beam_mesh_line_node(mesh, line, k)].at =
            pkm_beam_jet_between(from, to, (double)k / l->n_element);
}

void pkm_beam_mesh_move_axes(pkm_beam_mesh* mesh, int node, const pkm_beam_jet* axis)
{
    for (int k = 0; k < mesh->node[node].n_free; ++k)
        mesh->node[node].axis[k] = axis[k];
}

// ---- coupling -----------------------------------------------------------------------------------

void pkm_beam_element_pair(const pkm_beam_element* element, int a, int b, double* S)
{
    const int n = pkm_beam_shape_size(element->shape);
    const double m = pkm_beam_mass_per_length(&element->section, &element->material);
    memset(S, 0, (size_t)(n * n) * sizeof *S);
    for (int g = 0; g < PKM_BEAM_N_GAUSS; ++g) {
        pkm_beam_field f;
        const double c = m * element->length * pkm_beam_gauss_weight[g];
        pkm_beam_element_field(element, pkm_beam_gauss_at[g], &f);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                S[j * n + i] += c * f.value[a][i] * f.value[b][j];
    }
}

/// out = sum over a, b of W_ab S_ab with the pair integrals (2.9): the local matrix of a rate W.
static void spread(const double* pair, int size, pkm_mat3 W, double* out)
{
    const double w[9] = {W.x.x, W.x.y, W.x.z, W.y.x, W.y.y, W.y.z, W.z.x, W.z.y, W.z.z};
    const size_t block = (size_t)size * (size_t)size;
    memset(out, 0, block * sizeof *out);
    for (size_t k = 0; k < 9; ++k) {
        if (w[k] == 0.0) continue;
        for (size_t i = 0; i < block; ++i)
            out[i] += w[k] * pair[k * block + i];
    }
}

/// y += c A s, where s is column j of a map.
static void add_map_product(const double* A, int size, double c, const element_map* s, int j,
                            double* y)
{
    for (int k = 0; k < size / 2; ++k) {
        const double f = c * s->S[j][k];
        if (f == 0.0) continue;
        const double* column = A + (s->row[j] + k) * size;
        for (int i = 0; i < size; ++i)
            y[i] += f * column[i];
    }
}

/// A(:, j) += S' y
static void scatter_column(const element_map* s, int j, int size, const double* y, int n, double* A)
{
    double* column = A + (size_t)s->coordinate[j] * (size_t)n;
    for (int i = 0; i < s->n; ++i) {
        double sum = 0.0;
        for (int k = 0; k < size / 2; ++k)
            sum += s->S[i][k] * y[s->row[i] + k];
        column[s->coordinate[i]] += sum;
    }
}

/// S' (2 M S_t + 2 G S) and S' (M S_tt + 2 G S_t + H S) of one element (3.6).
static void couple_element(const pkm_beam_mesh* mesh, int e, double* C, double* D)
{
    const int size = pkm_beam_shape_size(mesh->shape);
    const mesh_element* element = &mesh->element[e];
    const double* M = pkm_beam_mesh_local(mesh, e, mesh->M_local, 1);
    double pair[9 * PKM_BEAM_MAX_SIZE * PKM_BEAM_MAX_SIZE];
    for (int k = 0; k < 9; ++k)
        pkm_beam_element_pair(&element->data, k % 3, k / 3, pair + k * size * size);
    const pkm_mat3 T = pkm_mat3_transpose(element->axes);
    double G[PKM_BEAM_MAX_SIZE * PKM_BEAM_MAX_SIZE], H[PKM_BEAM_MAX_SIZE * PKM_BEAM_MAX_SIZE];
    // W = R'R_t, H = R'R_tt
    spread(pair, size, pkm_mat3_matmul(T, element->axes_rate), G);
    spread(pair, size, pkm_mat3_matmul(T, element->axes_second), H);
    element_map s0, s1, s2;
    pkm_beam_mesh_map(mesh, e, 0, &s0);
    pkm_beam_mesh_map(mesh, e, 1, &s1);
    pkm_beam_mesh_map(mesh, e, 2, &s2);
    for (int j = 0; j < s0.n; ++j) {
        double c[PKM_BEAM_MAX_SIZE] = {0}, d[PKM_BEAM_MAX_SIZE] = {0};
        add_map_product(M, size, 2.0, &s1, j, c);
        add_map_product(G, size, 2.0, &s0, j, c);
        add_map_product(M, size, 1.0, &s2, j, d);
        add_map_product(G, size, 2.0, &s1, j, d);
        add_map_product(H, size, 1.0, &s0, j, d);
        scatter_column(&s0, j, size, c, mesh->n, C);
        scatter_column(&s0, j, size, d, mesh->n, D);
    }
}

/// C and D of (3.6) for the whole mesh.
void pkm_beam_mesh_coupling(const pkm_beam_mesh* mesh, double* C, double* D)
{
    const size_t nn = (size_t)mesh->n * (size_t)mesh->n;
    memset(C, 0, nn * sizeof *C);
    memset(D, 0, nn * sizeof *D);
    for (int e = 0; e < mesh->n_element; ++e)
        couple_element(mesh, e, C, D);
}

// ---- loads --------------------------------------------------------------------------------------

/// (3.4) with a field that is given at the nodes [m/s^2].
void pkm_beam_mesh_load(const pkm_beam_mesh* mesh, const pkm_vec3* b, double* f)
{
    memset(f, 0, (size_t)mesh->n * sizeof *f);
    for (int e = 0; e < mesh->n_element; ++e)
        pkm_beam_mesh_load_element(mesh, e, b[mesh->element[e].node[0]],
                                   b[mesh->element[e].node[1]], f);
    for (int k = 0; k < mesh->n_mass; ++k)
        pkm_beam_mesh_load_mass(mesh, &mesh->mass[k], b[mesh->mass[k].node], f);
}

/// b = g - a of the nodes: weight and inertia of the prescribed rigid motion (3.4).
void pkm_beam_mesh_rigid_load(const pkm_beam_mesh* mesh, pkm_vec3 gravity, double* f)
{
    memset(f, 0, (size_t)mesh->n * sizeof *f);
    for (int e = 0; e < mesh->n_element; ++e) {
        const int* node = mesh->element[e].node;
        pkm_beam_mesh_load_element(mesh, e, pkm_vec3_sub(gravity, mesh->node[node[0]].at.a),
                                   pkm_vec3_sub(gravity, mesh->node[node[1]].at.a), f);
    }
    for (int k = 0; k < mesh->n_mass; ++k)
        pkm_beam_mesh_load_mass(mesh, &mesh->mass[k],
                                pkm_vec3_sub(gravity, mesh->node[mesh->mass[k].node].at.a), f);
}
