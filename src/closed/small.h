/// LU factors of the small matrices of closed forms (n_drive x n_drive), on the stack.
#ifndef PKM_CLOSED_SMALL_H
#define PKM_CLOSED_SMALL_H

#include "closed/closed.h"

/// P M Q = L U with complete pivoting, which also tells the rank: pivots fall in size.
typedef struct pkm_small_lu {
    int n;
    int row[PKM_CLOSED_MAX_DRIVE], col[PKM_CLOSED_MAX_DRIVE]; ///< pivot order
    double lu[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];   ///< column-major, leading dim n
} pkm_small_lu;

/// Factor the n x n column-major matrix `m`. Returns the smallest pivot's size; when it is 0 (or
/// NaN) the factors cannot be used to solve.
double pkm_small_factor(pkm_small_lu* f, int n, const double* m);
/// x with M x = b; `x` may be `b`.
void pkm_small_solve(const pkm_small_lu* f, const double* b, double* x);
/// X with M X = B, both n x n and column-major; `X` is not `B`.
void pkm_small_solve_all(const pkm_small_lu* f, const double* B, double* X);
/// y = M x for an n x n column-major `m`; `y` is not `x`.
void pkm_small_multiply(int n, const double* m, const double* x, double* y);

/// pkm_closed_tool_motion with the matrices of pkm_closed_velocity at `config`, where they are at
/// hand; the factors of B to `lu`.
PKM_NODISCARD pkm_status pkm_closed_tool_motion_by(const pkm_closed* closed,
                                                   const pkm_closed_config* config, const double* B,
                                                   const double* A, const double* qd,
                                                   const double* qdd, pkm_small_lu* lu,
                                                   pkm_frame_motion* tool);
/// Drive rates and accelerations from the tool's motion; the factors of A to `lu`.
/// @return PKM_ERR_SINGULAR where A loses rank.
PKM_NODISCARD pkm_status pkm_closed_drive_motion_by(const pkm_closed* closed,
                                                    const pkm_closed_config* config,
                                                    const double* B, const double* A,
                                                    const pkm_frame_motion* tool, double* qd,
                                                    double* qdd, pkm_small_lu* lu);

#endif
