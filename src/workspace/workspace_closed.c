// Sampling a workspace by the closed form: drives, B and A of the wanted solution, singular values
// of the translation rows of J = B^-1 A (1), (2). Nothing here allocates.
// Equations: docs/theory/workspace.md, section 1.
#include "workspace/workspace.h"

#include "math/dense.h"
#include "robot/joint_limits.h"

#include <math.h>
#include <string.h>

enum { MAX = PKM_CLOSED_MAX_DRIVE };

/// The extreme singular values of J and their quotient (2).
void pkm_workspace_set_jacobian(pkm_workspace_sample* sample, const double* J, int n_row,
                                int n_drive)
{
    double T[3 * PKM_MAX_DRIVE], s[3];
    if (n_drive == n_row) {
        pkm_dense_small_extremes(J, n_row, &sample->sigma_max, &sample->sigma_min);
    } else if (n_drive > n_row) {
        // J and J' have the same singular values; the routine wants the taller one
        for (int i = 0; i < n_row; ++i)
            for (int j = 0; j < n_drive; ++j)
                T[j + i * n_drive] = J[i + j * n_row];
        pkm_dense_small_svd(T, n_drive, n_row, s, NULL);
        sample->sigma_max = s[0];
        sample->sigma_min = s[n_row - 1];
    } else {
        pkm_dense_small_svd(J, n_row, n_drive, s, NULL);
        sample->sigma_max = s[0];
        sample->sigma_min = 0.0; // fewer drives than directions leave one without speed
    }
    sample->condition = sample->sigma_min == 0.0 ? INFINITY : sample->sigma_max / sample->sigma_min;
}

/// One of several solutions; false: out of reach.
static bool choose_config(const pkm_workspace_closed* data, const pkm_pose* pose,
                          pkm_closed_config* config)
{
    pkm_closed_config all[PKM_CLOSED_MAX_BRANCH];
    if (data->branch == PKM_NONE) {
        // solutions are found in their order: none behind the wanted one is asked for
        const int max = data->solution + 1;
        if (pkm_closed_inverse_geometry(data->closed, pose, all, max, NULL) < max) return false;
        *config = all[data->solution];
        return true;
    }
    // a branch goes by its name: its place among the solutions changes with the pose
    const int n = pkm_closed_inverse_geometry(data->closed, pose, all, PKM_CLOSED_MAX_BRANCH, NULL);
    for (int k = 0; k < n; ++k) {
        if (all[k].branch != data->branch) continue;
        *config = all[k];
        return true;
    }
    return false;
}

/// Drive positions, B and A of the wanted solution; false: out of reach.
static bool find_solution(const pkm_workspace_closed* data, const pkm_pose* pose, double* q,
                          double* B, double* A)
{
    // the usual case of a map, without a list
    if (data->branch == PKM_NONE && data->solution == 0)
        return pkm_closed_first(data->closed, pose, q, B, A);
    pkm_closed_config config;
    if (!choose_config(data, pose, &config)) return false;
    memcpy(q, config.q, (size_t)pkm_closed_get_family(data->closed)->n_drive * sizeof *q);
    pkm_closed_velocity(data->closed, &config, B, A);
    return true;
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
    // along the first row, column-major; a map asks this twice at each point
    if (n == 3) {
        return M[0] * (M[4] * M[8] - M[5] * M[7]) - M[3] * (M[1] * M[8] - M[2] * M[7]) +
               M[6] * (M[1] * M[5] - M[2] * M[4]);
    }
    pkm_dense_lu lu;
    return pkm_dense_lu_factor(&lu, M, n) > 0.0 ? pkm_dense_lu_det(&lu) : 0.0;
}

/// J = B^-1 A of three drives by Cramer's rule; false where B is too near to a singular matrix for
/// it.
static bool three_rows(const double* B, const double* A, double det, double* J)
{
    // the rule loses digits as det B falls: at this bound some ten are left
    static const double WELL = 1e-6; // of the cube of the largest entry
    double largest = 0.0;
    for (int k = 0; k < 9; ++k)
        largest = fabs(B[k]) > largest ? fabs(B[k]) : largest;
    if (!(fabs(det) > WELL * largest * largest * largest)) return false;
    const double f = 1.0 / det;
    // adj B / det B, column-major
    const double inverse[9] = {f * (B[4] * B[8] - B[7] * B[5]), f * (B[7] * B[2] - B[1] * B[8]),
                               f * (B[1] * B[5] - B[4] * B[2]), f * (B[6] * B[5] - B[3] * B[8]),
                               f * (B[0] * B[8] - B[6] * B[2]), f * (B[3] * B[2] - B[0] * B[5]),
                               f * (B[3] * B[7] - B[6] * B[4]), f * (B[6] * B[1] - B[0] * B[7]),
                               f * (B[0] * B[4] - B[3] * B[1])};
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            J[i + j * 3] = inverse[i] * A[j * 3] + inverse[i + 3] * A[j * 3 + 1] +
                           inverse[i + 6] * A[j * 3 + 2];
    return true;
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

/// Solution, drives and limits at a position; false: out of reach.
static bool look(const pkm_workspace_closed* data, const pkm_vec3* position,
                 pkm_workspace_sample* out, double* B, double* A)
{
    const pkm_pose pose = {*position, data->orientation};
    const int n = pkm_closed_get_family(data->closed)->n_drive;
    out->n_drive = n;
    out->reachable = find_solution(data, &pose, out->q, B, A);
    out->in_limits = out->reachable && keeps_limits(data, out->q, n);
    return out->reachable;
}

void pkm_workspace_reach_closed(const pkm_workspace_closed* closed, const pkm_vec3* position,
                                pkm_workspace_sample* out)
{
    double B[MAX * MAX], A[MAX * MAX];
    look(closed, position, out, B, A);
}

pkm_status pkm_workspace_sample_closed(void* user, const pkm_vec3* position,
                                       pkm_workspace_sample* out)
{
    const pkm_workspace_closed* data = user;
    const pkm_closed_family* family = pkm_closed_get_family(data->closed);
    double B[MAX * MAX], A[MAX * MAX], J[3 * MAX];
    const int n = family->n_drive;
    if (!look(data, position, out, B, A)) return PKM_OK;

    // section 2 looks for their changes of sign between neighbours
    out->det_B = determinant(B, n);
    out->det_A = determinant(A, n);

    // translations come first among the components of the twist
    const int n_row =
        (int)(family->moves & 1u) + (int)(family->moves >> 1 & 1u) + (int)(family->moves >> 2 & 1u);
    const bool by_rule = n == 3 && n_row == 3 && three_rows(B, A, out->det_B, J);
    if (by_rule || translation_rows(B, A, n, n_row, J)) {
        pkm_workspace_set_jacobian(out, J, n_row, n);
    } else {
        // det B = 0: s1 of (2) has no bound
        out->condition = out->sigma_max = INFINITY;
    }
    return PKM_OK;
}
