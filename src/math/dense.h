/// Dense matrices: singular values, rank, null spaces, and small systems without allocation.
///
/// All matrices are column-major without gaps: entry (i, j) of an m x n matrix is A[i + j * m].
#ifndef PKM_MATH_DENSE_H
#define PKM_MATH_DENSE_H

#include "pkm/status.h"
#include <stdbool.h>

#include <stddef.h>

enum {
    PKM_DENSE_SMALL = 6, ///< most columns (and rows of square matrices) of the small functions
    PKM_DENSE_TALL = 16, ///< most rows of pkm_dense_small_svd
};

// ---- any size, by LAPACK -----------------------------------------------------------------------

/// Numbers of work memory that pkm_dense_svd_with needs for an m x n matrix.
size_t pkm_dense_svd_room(int m, int n);

/// A = U diag(s) V', s falling. `s` has min(m, n) values, U is m x m, Vt = V' is n x n; U and Vt
/// may be NULL. Uses `work` (pkm_dense_svd_room numbers) and allocates nothing.
/// @return PKM_ERR_ARGUMENT for entries that are not finite; PKM_ERR_CONVERGENCE.
PKM_NODISCARD pkm_status pkm_dense_svd_with(const double* A, int m, int n, double* s, double* U,
                                            double* Vt, double* work);

/// The same with its own work memory: for analyses, not for inner loops. Also PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_dense_svd(const double* A, int m, int n, double* s, double* U,
                                       double* Vt);

/// How many of the `n` falling singular values exceed `tolerance` times the largest.
int pkm_dense_rank(const double* s, int n, double tolerance);

/// An orthonormal basis of {x : A x = 0}: singular values up to `tolerance` times the largest count
/// as zero. `N` has room for n x n; its first `n_null` columns are set. A null matrix leaves
/// everything free. `work` has room for pkm_dense_null_room(m, n) numbers.
PKM_NODISCARD pkm_status pkm_dense_null_space_with(const double* A, int m, int n, double tolerance,
                                                   double* N, int* n_null, double* work);
size_t pkm_dense_null_room(int m, int n);

/// The same with its own work memory. Statuses as pkm_dense_svd.
PKM_NODISCARD pkm_status pkm_dense_null_space(const double* A, int m, int n, double tolerance,
                                              double* N, int* n_null);

/// x' A y of an n x n matrix.
double pkm_dense_form(const double* A, int n, const double* x, const double* y);

// ---- small: up to 6 x 6, on the stack ----------------------------------------------------------

/// Singular values of an m x n matrix, n <= m <= 16, falling, by one-sided Jacobi rotations, each
/// within rounding of the largest one. `V` (n x n, may be NULL) receives the right singular vectors
/// as columns. Entries that are not finite give NaN. A 3 x 3 matrix without `V` is the fast case.
void pkm_dense_small_svd(const double* A, int m, int n, double* s, double* V);

/// Largest and smallest singular value of an n x n matrix: cheaper than all of them, within 1e-9.
/// NaN for entries that are not finite.
void pkm_dense_small_extremes(const double* A, int n, double* largest, double* smallest);

/// Left singular vectors of the largest and the smallest value of a matrix, for others near it.
typedef struct pkm_dense_extremes {
    int n;       ///< 0: none yet
    int pause;   ///< calls that do without them
    bool is_new; ///< they have not served yet
    double large[PKM_DENSE_SMALL], small[PKM_DENSE_SMALL];
} pkm_dense_extremes;

/// The same, cheaper next to the matrix of the call before, whose vectors `near` keeps: zero it
/// before the first call.
void pkm_dense_small_extremes_near(const double* A, int n, pkm_dense_extremes* near,
                                   double* largest, double* smallest);

/// P A Q = L U with complete pivoting, which also tells the rank: pivots fall in size.
typedef struct pkm_dense_lu {
    int n;
    int row[PKM_DENSE_SMALL], col[PKM_DENSE_SMALL]; ///< pivot order
    int sign;                                       ///< of the exchanges
    double smallest; ///< size of the smallest pivot; 0: singular, or a NaN in A
    double lu[PKM_DENSE_SMALL * PKM_DENSE_SMALL]; ///< column-major, leading dimension n
} pkm_dense_lu;

/// Factor the n x n matrix A. Returns the smallest pivot relative to the largest entry of A: 0 for
/// a matrix that is singular to working precision (a NaN counts so), which must not be solved with.
double pkm_dense_lu_factor(pkm_dense_lu* f, const double* A, int n);
/// x with A x = b; `x` may be `b`.
void pkm_dense_lu_solve(const pkm_dense_lu* f, const double* b, double* x);
/// X with A X = B, both n x n; `X` is not `B`.
void pkm_dense_lu_solve_all(const pkm_dense_lu* f, const double* B, double* X);
/// det A.
double pkm_dense_lu_det(const pkm_dense_lu* f);

#endif
