// Integrals over the shapes of a flexible body, docs/theory/beams.md, (4.7).
#include "base/memory.h"
#include "beam/mesh_impl.h"
#include "beam/reduce.h"
#include "math/tensor.h"

#include <string.h>

void pkm_beam_integrals_free(pkm_beam_integrals* integrals)
{
    if (!integrals) return;
    pkm_free(integrals->block);
    pkm_free(integrals);
}

/// A piece of the body: mass at a place, with its own inertia, and how each mode moves it.
typedef struct piece {
    double mass;
    pkm_vec3 at;
    pkm_mat3 inertia; ///< about `at`, body axes
    pkm_vec3 *d, *r;  ///< [n_mode] displacement and rotation
} piece;

static void add_vector(double* to, double c, pkm_vec3 a)
{
    to[0] += c * a.x;
    to[1] += c * a.y;
    to[2] += c * a.z;
}

/// The integrals (4.7) as sums over pieces.
static void add_piece(pkm_beam_integrals* all, const piece* p)
{
    const int n = all->n_mode;
    // m, int rho r, int rho r r', and the inertia that pieces have about their own centres
    all->mass += p->mass;
    all->first = pkm_vec3_axpy(all->first, p->mass, p->at);
    pkm_tensor_add(all->second, p->mass, p->at, p->at);
    all->own.x = pkm_vec3_add(all->own.x, p->inertia.x);
    all->own.y = pkm_vec3_add(all->own.y, p->inertia.y);
    all->own.z = pkm_vec3_add(all->own.z, p->inertia.z);
    // int rho phi_j, J r_j of turning pieces, int rho r phi_j', int rho phi_i phi_j'
    for (int j = 0; j < n; ++j) {
        add_vector(all->momentum + 3 * j, p->mass, p->d[j]);
        add_vector(all->spin + 3 * j, 1.0, pkm_mat3_mul(p->inertia, p->r[j]));
        pkm_tensor_add(all->cross + 9 * j, p->mass, p->at, p->d[j]);
        for (int i = 0; all->pair && i < n; ++i)
            pkm_tensor_add(all->pair + 9 * (i + n * j), p->mass, p->d[i], p->d[j]);
    }
}

/// Inertia of a slice of length `dx` about its centre, in body axes; without bending unless the
/// theory has it.
static pkm_mat3 slice_inertia(const mesh_element* e, double dx)
{
    const pkm_beam_section* s = &e->data.section;
    const double c = e->data.material.rho * dx;
    const bool has_rotary = e->data.theory != PKM_BEAM_EULER;
    const double Ix = c * s->Ip, Iy = has_rotary ? c * s->Iy : 0.0,
                 Iz = has_rotary ? c * s->Iz : 0.0;
    // R diag(Ix, Iy, Iz) R', the columns of R being the axes of the section
    const pkm_mat3 R = e->axes, T = pkm_mat3_transpose(R);
    const pkm_mat3 RI = {pkm_vec3_scale(Ix, R.x), pkm_vec3_scale(Iy, R.y), pkm_vec3_scale(Iz, R.z)};
    return pkm_mat3_matmul(RI, T);
}

/// The slice at Gauss place g of an element.
static void slice(const pkm_beam_mesh* mesh, const pkm_beam_modes* modes, int element, int g,
                  piece* p)
{
    const mesh_element* e = &mesh->element[element];
    const double dx = pkm_beam_gauss_weight[g] * e->data.length, xi = pkm_beam_gauss_at[g];
    const pkm_vec3 a = mesh->node[e->node[0]].at.x, b = mesh->node[e->node[1]].at.x;
    // exact for all shapes: six Gauss points (beams.md, section 2)
    p->mass = dx * pkm_beam_mass_per_length(&e->data.section, &e->data.material);
    p->at = pkm_vec3_axpy(a, xi, pkm_vec3_sub(b, a));
    p->inertia = slice_inertia(e, dx);
    for (int j = 0; j < modes->n_mode; ++j) {
        const double* x = modes->X + (size_t)j * (size_t)modes->n;
        const pkm_beam_point point = pkm_beam_mesh_point(mesh, x, element, xi);
        p->d[j] = pkm_mat3_mul(e->axes, point.d);
        p->r[j] = pkm_mat3_mul(e->axes, point.r);
    }
}

/// A lumped mass: its centre moves by d + r x c of its node (3.3).
static void lump(const pkm_beam_mesh* mesh, const pkm_beam_modes* modes, const mesh_mass* mass,
                 piece* p)
{
    p->mass = mass->mass;
    p->at = pkm_vec3_add(mesh->node[mass->node].at.x, mass->com);
    p->inertia = mass->inertia;
    for (int j = 0; j < modes->n_mode; ++j) {
        const double* x = modes->X + (size_t)j * (size_t)modes->n;
        // over the arm c of the lump
        pkm_beam_mesh_node_motion(mesh, x, mass->node, &p->d[j], &p->r[j]);
        p->d[j] = pkm_vec3_add(p->d[j], pkm_vec3_cross(p->r[j], mass->com));
    }
}

static pkm_beam_integrals* create_empty(int n_mode, bool with_pairs)
{
    const size_t n = (size_t)n_mode, n_pair = with_pairs ? n * n : 0;
    pkm_beam_integrals* all = pkm_alloc(1, sizeof *all);
    if (!all) return NULL;
    all->n_mode = n_mode;
    all->block = pkm_alloc((3 + 3 + 9) * n + 9 * n_pair, sizeof *all->block);
    if (!all->block) {
        pkm_beam_integrals_free(all);
        return NULL;
    }
    all->momentum = all->block;
    all->spin = all->momentum + 3 * n;
    all->cross = all->spin + 3 * n;
    all->pair = with_pairs ? all->cross + 9 * n : NULL;
    return all;
}

static pkm_status create(const pkm_beam_mesh* mesh, const pkm_beam_modes* modes, bool with_pairs,
                         pkm_beam_integrals** out)
{
    *out = NULL;
    pkm_beam_integrals* all = create_empty(modes->n_mode, with_pairs);
    pkm_vec3* motion = pkm_alloc(2 * (size_t)modes->n_mode, sizeof *motion);
    if (!all || !motion) {
        pkm_beam_integrals_free(all);
        pkm_free(motion);
        return PKM_ERR_MEMORY;
    }
    piece p = {.d = motion, .r = motion + modes->n_mode};
    for (int e = 0; e < mesh->n_element; ++e) {
        for (int g = 0; g < PKM_BEAM_N_GAUSS; ++g) {
            slice(mesh, modes, e, g, &p);
            add_piece(all, &p);
        }
    }
    for (int k = 0; k < mesh->n_mass; ++k) {
        lump(mesh, modes, &mesh->mass[k], &p);
        add_piece(all, &p);
    }
    pkm_free(motion);
    *out = all;
    return PKM_OK;
}

pkm_status pkm_beam_integrals_create(const pkm_beam_mesh* mesh, const pkm_beam_modes* modes,
                                     pkm_beam_integrals** out)
{
    return create(mesh, modes, true, out);
}

pkm_status pkm_beam_integrals_of_each(const pkm_beam_mesh* mesh, const pkm_beam_modes* modes,
                                      pkm_beam_integrals** out)
{
    return create(mesh, modes, false, out);
}
