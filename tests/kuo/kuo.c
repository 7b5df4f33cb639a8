#include "kuo/kuo.h"

#include "base/error.h"
#include "base/memory.h"
#include "kuo/kuo_impl.h"

pkm_kuo_robot pkm_kuo_robot_paper(void)
{
    pkm_kuo_robot robot = {.length = {0.5, 0.6},
                           .base = 0.1,
                           .platform = 0.05,
                           .material = {.E = 210e9, .G = 80e9, .rho = 7800.0},
                           .mass = 0.5,
                           .thickness = 0.05,
                           .gravity = 9.81};
    for (int k = 0; k < 2; ++k) {
        const pkm_status status =
            pkm_beam_section_rectangle(5e-3, 5e-3, PKM_BEAM_TORSION_POLAR, &robot.section[k], NULL);
        PKM_ASSERT(status == PKM_OK);
        (void)status;
    }
    return robot;
}

static pkm_status make_work(pkm_kuo* kuo)
{
    const size_t n = (size_t)kuo->n, nn = n * n;
    kuo->block = pkm_alloc(3 * nn + n, sizeof *kuo->block);
    if (!kuo->block) return PKM_ERR_MEMORY;
    kuo->K = kuo->block;
    kuo->M = kuo->K + nn;
    kuo->G = kuo->M + nn;
    kuo->lambda = kuo->G + nn;
    return pkm_eigen_create(kuo->n, &kuo->eigen);
}

pkm_status pkm_kuo_create(const pkm_kuo_robot* robot, const pkm_kuo_settings* settings,
                          pkm_kuo** out, pkm_error* err)
{
    *out = NULL;
    pkm_kuo* kuo = pkm_alloc(1, sizeof *kuo);
    if (!kuo) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    kuo->robot = *robot;
    kuo->settings = *settings;
    const pkm_kuo2016_settings published = {settings->shape, settings->n_element};
    pkm_status status = pkm_kuo2016_create(robot, &published, &kuo->published, err);
    if (settings->assembly == PKM_KUO_PHYSICAL) { // the published one has checked the robot
        pkm_kuo2016_free(kuo->published);
        kuo->published = NULL;
        if (status == PKM_OK) status = pkm_kuo_physical_create(kuo, err);
        if (status == PKM_OK) status = make_work(kuo);
    } else if (status == PKM_OK) {
        kuo->n = pkm_kuo2016_size(kuo->published);
    }
    if (status != PKM_OK) {
        pkm_kuo_free(kuo);
        return status == PKM_ERR_MEMORY ? pkm_fail(err, status, "out of memory") : status;
    }
    *out = kuo;
    return PKM_OK;
}

void pkm_kuo_free(pkm_kuo* kuo)
{
    if (!kuo) return;
    pkm_beam_mesh_free(kuo->mesh);
    pkm_free(kuo->axial);
    pkm_kuo2016_free(kuo->published);
    pkm_free(kuo->block);
    pkm_eigen_free(kuo->eigen);
    pkm_free(kuo);
}

int pkm_kuo_size(const pkm_kuo* kuo)
{
    return kuo->n;
}

// ---- frequencies and deflection ----------------------------------------------------------------

static pkm_status physical_matrices(pkm_kuo* kuo, pkm_vec3 P, pkm_error* err)
{
    PKM_TRY(pkm_kuo_place(kuo, pkm_beam_jet_rest(P), err));
    pkm_beam_mesh_mass(kuo->mesh, kuo->M);
    if (!kuo->settings.is_weighted) {
        pkm_beam_mesh_stiffness(kuo->mesh, kuo->K);
        return PKM_OK;
    }
    PKM_TRY(pkm_kuo_solve_static(kuo, err));
    pkm_beam_mesh_axial_forces(kuo->mesh, kuo->static_f, kuo->axial);
    pkm_beam_mesh_geometric(kuo->mesh, kuo->axial, kuo->G);
    const size_t nn = (size_t)kuo->n * (size_t)kuo->n;
    for (size_t k = 0; k < nn; ++k)
        kuo->K[k] += kuo->G[k];
    return PKM_OK;
}

pkm_status pkm_kuo_published_matrices(pkm_kuo* kuo, pkm_vec3 P, pkm_error* err)
{
    PKM_TRY(pkm_kuo2016_matrices(kuo->published, pkm_beam_jet_rest(P), NULL, err));
    kuo->K = kuo->published->K;
    kuo->M = kuo->published->M;
    return PKM_OK;
}

pkm_status pkm_kuo_frequencies(pkm_kuo* kuo, pkm_vec3 P, int n_mode, double* omega, pkm_error* err)
{
    if (kuo->published) return pkm_kuo2016_frequencies(kuo->published, P, n_mode, omega, err);
    if (n_mode < 1 || n_mode > kuo->n)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "Kuo's Delta: %d modes asked of %d coordinates",
                        n_mode, kuo->n);
    PKM_TRY(physical_matrices(kuo, P, err));
    const pkm_status status =
        pkm_eigen_lowest(kuo->eigen, kuo->n, kuo->K, kuo->M, n_mode, kuo->lambda, NULL);
    if (status == PKM_ERR_SINGULAR)
        return pkm_fail(err, status, "Kuo's Delta: the stiffness is not positive: a link buckles");
    if (status != PKM_OK) return pkm_fail(err, status, "Kuo's Delta: no frequencies were found");
    for (int k = 0; k < n_mode; ++k)
        omega[k] = sqrt(kuo->lambda[k]);
    return PKM_OK;
}

pkm_status pkm_kuo_deflection(pkm_kuo* kuo, pkm_vec3 P, pkm_vec3 v, pkm_vec3 a,
                              pkm_kuo_shift* shift, pkm_error* err)
{
    if (kuo->settings.assembly != PKM_KUO_PHYSICAL)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "Kuo's Delta: deflections need the physical assembly");
    PKM_TRY(pkm_kuo_place(kuo, (pkm_beam_jet){P, v, a}, err));
    PKM_TRY(pkm_kuo_solve_static(kuo, err));
    pkm_beam_mesh_node_motion(kuo->mesh, kuo->static_f, kuo->platform, &shift->d, &shift->r);
    return PKM_OK;
}
