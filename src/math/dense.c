// Singular values, rank and null space of any size, by LAPACK; small matrices are in dense_small.c
// and dense_lu.c.
#include "math/dense.h"
#include "math/lapack.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

/// Work of LAPACK's dgesvd, the least it accepts.
size_t pkm_dense_svd_room(int m, int n)
{
    return (size_t)m * (size_t)n + pkm_dgesvd_room(m, n);
}

static void set_identity(double* Q, int n)
{
    if (!Q) return;
    memset(Q, 0, (size_t)n * (size_t)n * sizeof *Q);
    for (int i = 0; i < n; ++i) {
        Q[(size_t)i * (size_t)n + (size_t)i] = 1.0;
    }
}

/// Work: a copy of A (m n), then the room of dgesvd.
pkm_status pkm_dense_svd_with(const double* A, int m, int n, double* s, double* U, double* Vt,
                              double* work)
{
    // what an empty matrix leaves: no values, bases that are the identity
    set_identity(U, m);
    set_identity(Vt, n);
    if (m == 0 || n == 0) return PKM_OK;

    const size_t size = (size_t)m * (size_t)n;
    // LAPACK promises nothing of a NaN, not even to return
    for (size_t k = 0; k < size; ++k) {
        if (!isfinite(A[k])) return PKM_ERR_ARGUMENT;
    }
    memcpy(work, A, size * sizeof *work); // dgesvd destroys its matrix
    const int info = pkm_dgesvd(U ? 'A' : 'N', Vt ? 'A' : 'N', m, n, work, m, s, U, m, Vt, n,
                                work + size, pkm_dgesvd_room(m, n));
    return info == 0 ? PKM_OK : PKM_ERR_CONVERGENCE;
}

pkm_status pkm_dense_svd(const double* A, int m, int n, double* s, double* U, double* Vt)
{
    double* work = pkm_alloc(pkm_dense_svd_room(m, n), sizeof *work);
    if (!work) return PKM_ERR_MEMORY;
    const pkm_status status = pkm_dense_svd_with(A, m, n, s, U, Vt, work);
    pkm_free(work);
    return status;
}

/// s > 0 keeps a null matrix, whose largest value is 0, at rank 0.
int pkm_dense_rank(const double* s, int n, double tolerance)
{
    int rank = 0;
    while (rank < n && s[rank] > 0.0 && s[rank] > tolerance * s[0])
        ++rank;
    return rank;
}

pkm_status pkm_dense_null_space(const double* A, int m, int n, double tolerance, double* N,
                                int* n_null)
{
    *n_null = 0;
    const size_t nn = (size_t)n * (size_t)n, room = pkm_dense_svd_room(m, n);
    // in one block: s, Vt, work
    double* s = pkm_alloc((size_t)least(m, n) + nn + room, sizeof *s);
    if (!s) return PKM_ERR_MEMORY;
    double* Vt = s + least(m, n);
    const pkm_status status = pkm_dense_svd_with(A, m, n, s, NULL, Vt, Vt + nn);
    if (status == PKM_OK) {
        // the rows of V' beyond the rank span the null space
        const int rank = pkm_dense_rank(s, least(m, n), tolerance);
        *n_null = n - rank;
        for (int j = 0; j < *n_null; ++j) {
            for (int i = 0; i < n; ++i) {
                N[(size_t)j * (size_t)n + (size_t)i] =
                    Vt[(size_t)i * (size_t)n + (size_t)(rank + j)];
            }
        }
    }
    pkm_free(s);
    return status;
}

double pkm_dense_form(const double* A, int n, const double* x, const double* y)
{
    double sum = 0.0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            sum += x[i] * A[(size_t)j * (size_t)n + (size_t)i] * y[j];
    return sum;
}
