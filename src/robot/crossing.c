// Was a parallel singularity passed between two calls? By the sign of det A_D, and where redundant
// rows make that doubtful by the tangents over the drives (5.9), (5.10). docs/theory/engine.md,
// section 5.
#include "robot/crossing.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "math/dot.h"

#include <string.h>

pkm_drive_sign pkm_crossing_sign(const pkm_robot* robot)
{
    const pkm_sparse_lu* lu = robot->state->system[PKM_GIVEN_DRIVES].lu;
    return (pkm_drive_sign){pkm_sparse_lu_sign(lu), pkm_sparse_lu_analyses(lu)};
}

/// With redundant closures the determinant is that of the rows which the factor has chosen. It may
/// change its sign where only this choice fails, and means nothing after another choice.
bool pkm_crossing_is_suspect(const pkm_robot* robot, pkm_drive_sign before, pkm_drive_sign now)
{
    const bool redundant = robot->state->system[PKM_GIVEN_DRIVES].n_row > robot->mech->n_v;
    return before.sign != now.sign || (redundant && before.analyses != now.analyses);
}

/// The tangent X [n_v x n_drive]: rates of all coordinates when one drive moves with unit rate,
/// lengths over the robot's size (5.9).
static void fill_tangent(pkm_robot* robot, double* X)
{
    const pkm_mechanism* mech = robot->mech;
    pkm_system* system = &robot->state->system[PKM_GIVEN_DRIVES];
    memset(system->rhs, 0, (size_t)system->n_row * sizeof(double));
    for (int i = 0; i < system->n_row; ++i) {
        const pkm_row* row = &mech->row[system->row[i]];
        if (row->kind != PKM_ROW_DRIVE) continue;
        double* column = X + (size_t)row->item * (size_t)mech->n_v;
        system->rhs[i] = 1.0;
        pkm_sparse_lu_solve(system->lu, system->rhs, column);
        system->rhs[i] = 0.0;
        for (int k = 0; k < mech->n_v; ++k)
            column[k] /= mech->v_unit[k];
    }
}

/// Make the columns of X [n_v x n] orthonormal, each turned away from those before it, so that
/// their orientation stays: near a singularity they are long and nearly parallel.
static void orthonormalise(double* X, int n_v, int n)
{
    for (int j = 0; j < n; ++j) {
        double* x = X + (size_t)j * (size_t)n_v;
        for (int k = 0; k < 2 * j; ++k) { // twice: to working precision
            const double* before = X + (size_t)(k % j) * (size_t)n_v;
            const double along = pkm_dot(before, x, n_v);
            for (int i = 0; i < n_v; ++i)
                x[i] -= along * before[i];
        }
        const double length = sqrt(pkm_dot(x, x, n_v));
        for (int i = 0; length > 0.0 && i < n_v; ++i)
            x[i] /= length;
    }
}

/// Sign of det G (n x n), which is destroyed.
static int determinant_sign(double* G, int n)
{
    int sign = 1;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(G[i * n + k]) > fabs(G[best * n + k])) best = i;
        if (G[best * n + k] == 0.0) return 0;
        if (best != k) sign = -sign;
        if (G[best * n + k] < 0.0) sign = -sign;
        for (int j = 0; best != k && j < n; ++j) {
            const double swap = G[k * n + j];
            G[k * n + j] = G[best * n + j];
            G[best * n + j] = swap;
        }
        for (int i = k + 1; i < n; ++i) {
            const double factor = G[i * n + k] / G[k * n + k];
            for (int j = k; j < n; ++j)
                G[i * n + j] -= factor * G[k * n + j];
        }
    }
    return sign;
}

/// Do the drives see both tangents from the same side? det(Xa' Xb) >= 0 (5.10).
static bool agree(const pkm_robot* robot, double* Xa, double* Xb)
{
    double G[PKM_MAX_DRIVE * PKM_MAX_DRIVE];
    const int n = robot->mech->n_drive, n_v = robot->mech->n_v;
    orthonormalise(Xa, n_v, n);
    orthonormalise(Xb, n_v, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            G[i * n + j] = pkm_dot(Xa + i * n_v, Xb + j * n_v, n_v);
    return determinant_sign(G, n) >= 0;
}

static pkm_status factor_at(pkm_robot* robot, const double* q)
{
    memcpy(robot->state->q, q, (size_t)robot->mech->n_q * sizeof(double));
    pkm_kinematics_position(robot->state);
    pkm_rows_closures(robot->state);
    return pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES);
}

pkm_status pkm_crossing_check(pkm_robot* robot, const double* q_before)
{
    const size_t n_q = (size_t)robot->mech->n_q;
    const size_t n_x = (size_t)robot->mech->n_v * (size_t)robot->mech->n_drive;
    double* q_now = robot->crossing_work;
    double *X_before = q_now + n_q, *X_now = X_before + n_x;
    memcpy(q_now, robot->state->q, n_q * sizeof(double));
    fill_tangent(robot, X_now);
    const pkm_status before = factor_at(robot, q_before);
    if (before == PKM_OK) fill_tangent(robot, X_before);
    PKM_TRY(factor_at(robot, q_now));
    PKM_TRY(before);
    return agree(robot, X_before, X_now) ? PKM_OK : PKM_ERR_SINGULAR;
}
