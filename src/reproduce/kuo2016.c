// Kuo's Delta as published: its life and its natural frequencies, K v = w^2 M v, without damping.
// kuo2016_assembly.c makes the matrices. docs/theory/elastodynamics.md, section 3.
#include "reproduce/kuo2016.h"

#include "base/error.h"
#include "base/memory.h"
#include "reproduce/kuo2016_impl.h"

static pkm_status check_robot(const pkm_kuo2016_robot* robot, pkm_error* err)
{
    const struct {
        const char* name;
        double value;
    } positive[] = {{"upper link", robot->length[0]},
                    {"lower link", robot->length[1]},
                    {"platform radius", robot->platform},
                    {"platform mass", robot->mass},
                    {"platform thickness", robot->thickness}};
    for (size_t k = 0; k < sizeof positive / sizeof positive[0]; ++k)
        if (!(positive[k].value > 0.0) || !isfinite(positive[k].value))
            return pkm_fail(err, PKM_ERR_ARGUMENT, "Kuo's Delta: %s %g, expected > 0",
                            positive[k].name, positive[k].value);
    // a limb spans at least the difference of the radii, with the platform in the base's plane
    const double reach = robot->length[0] + robot->length[1];
    if (!(fabs(robot->base - robot->platform) < reach) || !isfinite(robot->gravity))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "Kuo's Delta: base radius %g m, expected within the links' reach of %g m",
                        robot->base, reach);
    return PKM_OK;
}

static pkm_status make_work(pkm_kuo2016* kuo)
{
    const size_t n = (size_t)kuo->n, nn = n * n;
    kuo->block = pkm_alloc(2 * nn + n, sizeof *kuo->block);
    if (!kuo->block) return PKM_ERR_MEMORY;
    kuo->K = kuo->block;
    kuo->M = kuo->K + nn;
    kuo->lambda = kuo->M + nn;
    return pkm_eigen_create(kuo->n, &kuo->eigen);
}

pkm_status pkm_kuo2016_create(const pkm_kuo2016_robot* robot, const pkm_kuo2016_settings* settings,
                              pkm_kuo2016** out, pkm_error* err)
{
    *out = NULL;
    PKM_TRY(check_robot(robot, err));
    pkm_kuo2016* kuo = pkm_alloc(1, sizeof *kuo);
    if (!kuo) return pkm_out_of_memory(err);
    kuo->robot = *robot;
    kuo->settings = *settings;
    pkm_status status = pkm_kuo2016_make_links(kuo, err);
    if (status == PKM_OK) status = make_work(kuo);
    if (status != PKM_OK) {
        pkm_kuo2016_free(kuo);
        return status == PKM_ERR_MEMORY ? pkm_fail(err, status, "out of memory") : status;
    }
    *out = kuo;
    return PKM_OK;
}

void pkm_kuo2016_free(pkm_kuo2016* kuo)
{
    if (!kuo) return;
    pkm_free(kuo->K_link);
    pkm_free(kuo->block);
    pkm_eigen_free(kuo->eigen);
    pkm_free(kuo);
}

int pkm_kuo2016_size(const pkm_kuo2016* kuo)
{
    return kuo->n;
}

// ---- frequencies -------------------------------------------------------------------------------

pkm_status pkm_kuo2016_frequencies(pkm_kuo2016* kuo, pkm_vec3 P, int n_mode, double* omega,
                                   pkm_error* err)
{
    if (n_mode < 1 || n_mode > kuo->n)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "Kuo's Delta: %d modes asked of %d coordinates",
                        n_mode, kuo->n);
    // at rest: these frequencies do not depend on the force of (3.7)
    PKM_TRY(pkm_kuo2016_matrices(kuo, pkm_beam_jet_rest(P), NULL, err));
    const pkm_status status =
        pkm_eigen_lowest(kuo->eigen, kuo->n, kuo->K, kuo->M, n_mode, kuo->lambda, NULL);
    if (status == PKM_ERR_SINGULAR)
        return pkm_fail(err, status, "Kuo's Delta: the stiffness is not positive");
    if (status != PKM_OK) return pkm_fail(err, status, "Kuo's Delta: no frequencies were found");
    // [rad/s]; none is negative, a K that is not positive was refused
    for (int k = 0; k < n_mode; ++k)
        omega[k] = sqrt(kuo->lambda[k]);
    return PKM_OK;
}
