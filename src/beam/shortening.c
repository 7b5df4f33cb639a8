// Bending takes from the length of a line: docs/theory/beams.md, (3.7), (3.8).
#include "beam/mesh.h"
#include "beam/mesh_impl.h"
#include "math/lapack.h"

#include <string.h>

/// out += c S' f_e at the coordinates of an element.
static void gather(const pkm_beam_mesh* mesh, int element, double c, const double* f_e, double* out)
{
    const int half = pkm_beam_shape_size(mesh->shape) / 2;
    element_map s;
    pkm_beam_mesh_map(mesh, element, 0, &s);
    for (int j = 0; j < s.n; ++j)
        for (int k = 0; k < half; ++k)
            out[s.coordinate[j]] += c * s.S[j][k] * f_e[s.row[j] + k];
}

/// Linear axial force of an element [N], and G_e q_e for unit tension.
static double bend(const pkm_beam_mesh* mesh, int element, const double* q, double* q_e, double* g)
{
    const pkm_beam_element* data = &mesh->element[element].data;
    const int size = pkm_beam_shape_size(mesh->shape);
    const double unit[3] = {1.0, 0.0, 0.0};
    double G[PKM_BEAM_MAX_SIZE * PKM_BEAM_MAX_SIZE];
    pkm_beam_mesh_local_q(mesh, q, element, q_e);
    pkm_beam_element_geometric(data, unit, G);
    for (int i = 0; i < size; ++i) {
        g[i] = 0.0;
        for (int j = 0; j < size; ++j)
            g[i] += G[j * size + i] * q_e[j];
    }
    // u of both ends: first coordinate of each half
    return data->material.E * data->section.A * (q_e[size / 2] - q_e[0]) / data->length;
}

/// What bending takes from the line, s = sum q' G_e q / 2 [m], and its gradient g; the linear
/// forces of the elements; the stiffness of the line 1 / sum (l / EA) [N/m].
static double shorten(const pkm_beam_mesh* mesh, const mesh_line* line, const double* q,
                      double* force, double* g, double* stiffness)
{
    const int size = pkm_beam_shape_size(mesh->shape);
    double s = 0.0, compliance = 0.0;
    for (int k = 0; k < line->n_element; ++k) {
        const int e = line->first_element + k;
        const pkm_beam_element* data = &mesh->element[e].data;
        double q_e[PKM_BEAM_MAX_SIZE], g_e[PKM_BEAM_MAX_SIZE];
        force[3 * e] = bend(mesh, e, q, q_e, g_e);
        force[3 * e + 1] = force[3 * e + 2] = 0.0;
        s += 0.5 * pkm_ddot(size, q_e, 1, g_e, 1);
        gather(mesh, e, 1.0, g_e, g);
        compliance += data->length / (data->material.E * data->section.A);
    }
    *stiffness = 1.0 / compliance;
    return s;
}

/// How far the ends of a line move apart, as a row: b.
static void ends_apart(const pkm_beam_mesh* mesh, const mesh_line* line, double* b)
{
    const int half = pkm_beam_shape_size(mesh->shape) / 2;
    double near[PKM_BEAM_MAX_SIZE] = {0}, far[PKM_BEAM_MAX_SIZE] = {0};
    // -u of its first end, u of its last
    near[0] = -1.0;
    far[half] = 1.0;
    gather(mesh, line->first_element, 1.0, near, b);
    gather(mesh, line->first_element + line->n_element - 1, 1.0, far, b);
}

/// f += sum N_e G_e q of a line.
static void add_tension(const pkm_beam_mesh* mesh, const mesh_line* line, const double* q,
                        const double* force, double* f)
{
    for (int k = 0; k < line->n_element; ++k) {
        const int e = line->first_element + k;
        double q_e[PKM_BEAM_MAX_SIZE], g_e[PKM_BEAM_MAX_SIZE];
        bend(mesh, e, q, q_e, g_e);
        gather(mesh, e, force[3 * e], g_e, f);
    }
}

/// Line by line: s and g (3.7), the force k s that bending puts into all its elements, then f and
/// K_c of (3.8).
void pkm_beam_mesh_shortening(const pkm_beam_mesh* mesh, const double* q, double* force,
                              double* K_c, double* f, double* work)
{
    const int n = mesh->n;
    double *g = work, *b = work + n;
    memset(K_c, 0, (size_t)n * (size_t)n * sizeof *K_c);
    memset(f, 0, (size_t)n * sizeof *f);
    for (int i = 0; i < mesh->n_line; ++i) {
        const mesh_line* line = &mesh->line[i];
        double k;
        memset(work, 0, 2 * (size_t)n * sizeof *work);
        const double s = shorten(mesh, line, q, force, g, &k);
        ends_apart(mesh, line, b);
        // k s in all elements alike: taken to be stretched evenly
        for (int e = 0; e < line->n_element; ++e)
            force[3 * (line->first_element + e)] += k * s;
        add_tension(mesh, line, q, force, f);
        // f of (3.8); K_c = k (b g' + g b' + g g')
        pkm_daxpy(n, k * s, b, 1, f, 1);
        pkm_dger(n, n, k, b, 1, g, 1, K_c, n);
        pkm_dger(n, n, k, g, 1, b, 1, K_c, n);
        pkm_dger(n, n, k, g, 1, g, 1, K_c, n);
    }
}
