#include "workspace/workspace.h"

#include "math/dense.h"
#include "robot/joint_limits.h"

#include <math.h>

enum { MAX = PKM_CLOSED_MAX_DRIVE };

void pkm_workspace_set_jacobian(pkm_workspace_sample* sample, const double* J, int n_row,
                                int n_drive)
{
    // J and J' have the same singular values; the routine wants the taller one.
    double T[3 * PKM_MAX_DRIVE], s[3];
    const bool wide = n_drive >= n_row;
    for (int i = 0; i < n_row && wide; ++i) {
        for (int j = 0; j < n_drive; ++j)
            T[j + i * n_drive] = J[i + j * n_row];
    }
    if (wide)
        pkm_dense_small_svd(T, n_drive, n_row, s, NULL);
    else
        pkm_dense_small_svd(J, n_row, n_drive, s, NULL);

    // Fewer drives than directions leave a direction without speed.
    sample->sigma_max = s[0];
    sample->sigma_min = wide ? s[n_row - 1] : 0.0;
    sample->condition = sample->sigma_min == 0.0 ? INFINITY : sample->sigma_max / sample->sigma_min;
}

/// The solution of the wanted branch; false: out of reach.
static bool find_config(const pkm_workspace_closed* data, const pkm_pose* pose,
                        pkm_closed_config* config)
{
    pkm_closed_config all[PKM_CLOSED_MAX_BRANCH];
    if (data->branch == PKM_NONE && data->solution == 0)
        return pkm_closed_inverse_geometry(data->closed, pose, config, 1, NULL) > 0;
    if (data->branch == PKM_NONE) {
        const int max = data->solution + 1;
        if (pkm_closed_inverse_geometry(data->closed, pose, all, max, NULL) < max) return false;
        *config = all[data->solution];
        return true;
    }
    const int n = pkm_closed_inverse_geometry(data->closed, pose, all, PKM_CLOSED_MAX_BRANCH, NULL);
    for (int k = 0; k < n; ++k) {
        if (all[k].branch != data->branch) continue;
        *config = all[k];
        return true;
    }
    return false;
}

static bool keeps_limits(const pkm_workspace_closed* data, const double* q, int n)
{
    if (!data->lower || !data->upper) return true;
    for (int i = 0; i < n; ++i) {
        if (!pkm_within(q[i], data->lower[i], data->upper[i], data->rotary >> i & 1u)) return false;
    }
    return true;
}

static double determinant(const double* M, int n)
{
    if (n == 3) {
        return M[0] * (M[4] * M[8] - M[5] * M[7]) - M[3] * (M[1] * M[8] - M[2] * M[7]) +
               M[6] * (M[1] * M[5] - M[2] * M[4]);
    }
    pkm_dense_lu lu;
    return pkm_dense_lu_factor(&lu, M, n) > 0.0 ? pkm_dense_lu_det(&lu) : 0.0;
}

/// The translation rows of J = B^-1 A; false when B is singular to working precision.
static bool translation_rows(const double* B, const double* A, int n, int n_row, double* J)
{
    pkm_dense_lu lu;
    if (pkm_dense_lu_factor(&lu, B, n) < 1.0 / PKM_WORKSPACE_LARGE) return false;
    for (int j = 0; j < n; ++j) {
        double t[MAX];
        pkm_dense_lu_solve(&lu, A + j * n, t);
        for (int i = 0; i < n_row; ++i)
            J[i + j * n_row] = t[i];
    }
    return true;
}

pkm_status pkm_workspace_sample_closed(void* user, const pkm_vec3* position,
                                       pkm_workspace_sample* out)
{
    const pkm_workspace_closed* data = user;
    const pkm_closed_family* family = pkm_closed_get_family(data->closed);
    const pkm_pose pose = {*position, data->orientation};
    pkm_closed_config config;
    const int n = family->n_drive;
    out->n_drive = n;
    out->reachable = find_config(data, &pose, &config);
    if (!out->reachable) return PKM_OK;

    double B[MAX * MAX], A[MAX * MAX], J[3 * MAX];
    for (int i = 0; i < n; ++i)
        out->q[i] = config.q[i];
    out->in_limits = keeps_limits(data, config.q, n);
    pkm_closed_velocity(data->closed, &config, B, A);
    out->det_B = determinant(B, n);
    out->det_A = determinant(A, n);

    // Translations come first among the components of the twist.
    const int n_row =
        (int)(family->moves & 1u) + (int)(family->moves >> 1 & 1u) + (int)(family->moves >> 2 & 1u);
    if (translation_rows(B, A, n, n_row, J)) {
        pkm_workspace_set_jacobian(out, J, n_row, n);
    } else {
        out->condition = out->sigma_max = INFINITY;
    }
    return PKM_OK;
}
