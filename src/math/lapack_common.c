// What lapack.h makes of other functions, whoever serves them.
#include "math/lapack.h"

#include "base/memory.h"

#include <math.h>

pkm_status pkm_lapack_status(int info, pkm_status otherwise)
{
    return info == 0 ? PKM_OK : info == -1010 ? PKM_ERR_MEMORY : otherwise;
}

double pkm_dnorm1(int n, const double* A, int lda)
{
    double largest = 0.0;
    for (int j = 0; j < n; ++j) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i)
            sum += fabs(A[i + (size_t)j * (size_t)lda]);
        largest = fmax(largest, sum);
    }
    return largest;
}

int pkm_dgesv(int n, int n_rhs, double* A, int lda, int* pivot, double* B, int ldb)
{
    const int info = pkm_dgetrf(n, n, A, lda, pivot);
    return info != 0 ? info : pkm_dgetrs('N', n, n_rhs, A, lda, pivot, B, ldb);
}

int pkm_dposv(char uplo, int n, int n_rhs, double* A, int lda, double* B, int ldb)
{
    const int info = pkm_dpotrf(uplo, n, A, lda);
    return info != 0 ? info : pkm_dpotrs(uplo, n, n_rhs, A, lda, B, ldb);
}

int pkm_dgesvd_new(char job_u, char job_vt, int m, int n, double* A, int lda, double* s, double* U,
                   int ldu, double* Vt, int ldvt)
{
    const size_t room = pkm_dgesvd_room(m, n);
    double* work = pkm_alloc(room, sizeof *work);
    if (!work) return -1010;
    const int info = pkm_dgesvd(job_u, job_vt, m, n, A, lda, s, U, ldu, Vt, ldvt, work, room);
    pkm_free(work);
    return info;
}
