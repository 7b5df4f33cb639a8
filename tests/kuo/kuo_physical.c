// The physical assembly: one mesh, universal joints as followers, elastodynamics.md section 2.
#include "kuo/kuo_impl.h"
#include "kuo/moving_mesh.h"
#include "math/lapack.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/// The platform, a solid disc.
static pkm_mat3 disc_inertia(const pkm_kuo_robot* robot)
{
    const double rr = robot->platform * robot->platform, hh = robot->thickness * robot->thickness;
    const double across = robot->mass * (3.0 * rr + hh) / 12.0, along = robot->mass * rr / 2.0;
    return (pkm_mat3){{across, 0.0, 0.0}, {0.0, across, 0.0}, {0.0, 0.0, along}};
}

static pkm_status add_link(pkm_kuo* kuo, const pkm_kuo_limb* limb, int i, int kind, pkm_error* err)
{
    const bool is_upper = kind == PKM_KUO_UPPER;
    pkm_beam_line line =
        pkm_beam_line_make(is_upper ? limb->A.x : limb->B.x, is_upper ? limb->B.x : limb->D.x,
                           kuo->settings.n_element, &kuo->robot.section[kind], kuo->robot.material);
    line.y = is_upper ? limb->y : limb->section_y.x;
    return pkm_beam_mesh_add_line(kuo->mesh, &line, &kuo->line[i][kind], err);
}

static pkm_status add_limb(pkm_kuo* kuo, int i, pkm_beam_jet P, pkm_error* err)
{
    pkm_beam_mesh* mesh = kuo->mesh;
    const int n = kuo->settings.n_element;
    pkm_kuo_limb limb;
    PKM_TRY(pkm_kuo_limb_at(&kuo->robot, i, P, &limb, err));
    PKM_TRY(add_link(kuo, &limb, i, PKM_KUO_UPPER, err));
    PKM_TRY(add_link(kuo, &limb, i, PKM_KUO_LOWER, err));
    const int A = pkm_beam_mesh_line_node(mesh, kuo->line[i][PKM_KUO_UPPER], 0);
    const int B_upper = pkm_beam_mesh_line_node(mesh, kuo->line[i][PKM_KUO_UPPER], n);
    const int B = pkm_beam_mesh_line_node(mesh, kuo->line[i][PKM_KUO_LOWER], 0);
    const int D = pkm_beam_mesh_line_node(mesh, kuo->line[i][PKM_KUO_LOWER], n);
    const pkm_vec3 axis[2] = {limb.y, limb.z.x};
    PKM_TRY(pkm_beam_mesh_fix(mesh, A, PKM_BEAM_FIX_ALL, err));
    PKM_TRY(pkm_beam_mesh_follow(mesh, B, B_upper, 2, axis, err));
    return pkm_beam_mesh_follow(mesh, D, kuo->platform, 2, axis, err);
}

/// A place every robot reaches for building: half of the links' reach below the base.
static pkm_vec3 somewhere(const pkm_kuo_robot* robot)
{
    const double r = robot->base - robot->platform, L1 = robot->length[0], L2 = robot->length[1];
    const double far = sqrt((L1 + L2) * (L1 + L2) - r * r);
    const double near = fmax(fabs(L1 - L2), 0.1 * (L1 + L2));
    return (pkm_vec3){0.0, 0.0, 0.5 * (near + far)};
}

static pkm_status build_mesh(pkm_kuo* kuo, pkm_error* err)
{
    const pkm_beam_jet P = pkm_beam_jet_rest(somewhere(&kuo->robot));
    PKM_TRY(pkm_beam_mesh_create(kuo->settings.shape, PKM_BEAM_EULER, &kuo->mesh));
    PKM_TRY(pkm_beam_mesh_add_node(kuo->mesh, P.x, &kuo->platform, err));
    PKM_TRY(pkm_beam_mesh_add_mass(kuo->mesh, kuo->platform, kuo->robot.mass, (pkm_vec3){0},
                                   disc_inertia(&kuo->robot), err));
    for (int i = 0; i < 3; ++i)
        PKM_TRY(add_limb(kuo, i, P, err));
    return pkm_beam_mesh_finish(kuo->mesh, err);
}

pkm_status pkm_kuo_physical_create(pkm_kuo* kuo, pkm_error* err)
{
    PKM_TRY(build_mesh(kuo, err));
    kuo->n = pkm_beam_mesh_size(kuo->mesh);
    const size_t n_force = 3 * (size_t)pkm_beam_mesh_elements(kuo->mesh);
    kuo->axial = pkm_alloc(n_force + (size_t)kuo->n, sizeof *kuo->axial);
    if (!kuo->axial) return PKM_ERR_MEMORY;
    kuo->static_f = kuo->axial + n_force;
    return PKM_OK;
}

pkm_status pkm_kuo_place(pkm_kuo* kuo, pkm_beam_jet P, pkm_error* err)
{
    pkm_beam_mesh* mesh = kuo->mesh;
    const int n = kuo->settings.n_element;
    for (int i = 0; i < 3; ++i) {
        pkm_kuo_limb limb;
        PKM_TRY(pkm_kuo_limb_at(&kuo->robot, i, P, &limb, err));
        const pkm_beam_jet axis[2] = {pkm_beam_jet_rest(limb.y), limb.z};
        const int lower = kuo->line[i][PKM_KUO_LOWER];
        pkm_beam_mesh_move_line(mesh, kuo->line[i][PKM_KUO_UPPER], limb.A, limb.B, axis[0]);
        pkm_beam_mesh_move_line(mesh, lower, limb.B, limb.D, limb.section_y);
        pkm_beam_mesh_move_axes(mesh, pkm_beam_mesh_line_node(mesh, lower, 0), axis);
        pkm_beam_mesh_move_axes(mesh, pkm_beam_mesh_line_node(mesh, lower, n), axis);
    }
    pkm_beam_mesh_move_node(mesh, kuo->platform, P);
    pkm_beam_mesh_update(mesh);
    return PKM_OK;
}

pkm_status pkm_kuo_solve_static(pkm_kuo* kuo, pkm_error* err)
{
    const pkm_vec3 gravity = {0.0, 0.0, kuo->robot.gravity};
    pkm_beam_mesh_stiffness(kuo->mesh, kuo->K);
    pkm_beam_mesh_rigid_load(kuo->mesh, gravity, kuo->static_f);
    memcpy(kuo->G, kuo->K, (size_t)kuo->n * (size_t)kuo->n * sizeof *kuo->G);
    if (pkm_dpotrf('L', kuo->n, kuo->G, kuo->n) != 0)
        return pkm_fail(err, PKM_ERR_SINGULAR, "Kuo's Delta: a singular position");
    pkm_dpotrs('L', kuo->n, 1, kuo->G, kuo->n, kuo->static_f, kuo->n);
    return PKM_OK;
}
