// Row by row within the outline, which the factor keeps: what is zero left of a row's first entry
// stays zero.
#include "math/skyline.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/// First column from `from` on that is not zero in row `i` (by symmetry read down column i).
static int first_entry(const double* A, int lda, int from, int i)
{
    const double* column = A + (size_t)i * (size_t)lda;
    int j = from;
    while (j < i && column[j] == 0.0)
        ++j;
    return j - from;
}

pkm_status pkm_skyline_create(const double* A, int lda, int from, int to, pkm_skyline* out)
{
    // first entries before sizes: the outline decides how many numbers are kept
    const size_t n = (size_t)(to - from);
    *out = (pkm_skyline){.n = to - from};
    out->first = pkm_alloc(n, sizeof *out->first);
    out->row = pkm_alloc(n, sizeof *out->row);
    size_t size = 0;
    for (size_t i = 0; out->first && i < n; ++i) {
        out->first[i] = first_entry(A, lda, from, from + (int)i);
        size += i - (size_t)out->first[i] + 1;
    }
    out->entry = pkm_alloc(size, sizeof *out->entry);
    if (!out->first || !out->row || !out->entry) {
        pkm_skyline_free(out);
        return PKM_ERR_MEMORY;
    }
    // column i of the symmetric A is its row i and lies in one piece; the pointer to a row stands
    // before its entries, so that row[i][j] takes the column j itself
    double* next = out->entry;
    for (size_t i = 0; i < n; ++i) {
        const size_t first = (size_t)out->first[i], count = i - first + 1;
        memcpy(next, A + ((size_t)from + i) * (size_t)lda + (size_t)from + first,
               count * sizeof *next);
        out->row[i] = next - first;
        next += count;
    }
    return PKM_OK;
}

void pkm_skyline_free(pkm_skyline* A)
{
    pkm_free(A->first);
    pkm_free(A->row);
    pkm_free(A->entry);
    *A = (pkm_skyline){0};
}

/// Each stored entry serves twice, as (i, j) and as (j, i). y_j with j < i has been set when its
/// own row was passed, so Y need not be zero before.
void pkm_skyline_product(const pkm_skyline* A, int m, const double* X, int ldx, double* Y, int ldy)
{
    for (int c = 0; c < m; ++c) {
        const double* x = X + (size_t)c * (size_t)ldx;
        double* y = Y + (size_t)c * (size_t)ldy;
        for (int i = 0; i < A->n; ++i) {
            const double *row = A->row[i], xi = x[i];
            double sum = row[i] * xi;
            for (int j = A->first[i]; j < i; ++j) {
                sum += row[j] * x[j];
                y[j] += row[j] * xi;
            }
            y[i] = sum;
        }
    }
}

/// Row by row:
///
///     L_ij = (A_ij - sum_{k<j} L_ik L_jk)/L_jj,    L_ii^2 = A_ii - sum_{k<i} L_ik^2
///
/// where the sums begin at the first column in which both rows have entries: a row with w entries
/// costs at most w^2/2 multiplications. What is lost to the sum in the last one is the measure of
/// how near to singular A is.
bool pkm_skyline_factor(pkm_skyline* A, double least)
{
    for (int i = 0; i < A->n; ++i) {
        double* row = A->row[i];
        const double whole = row[i];
        for (int j = A->first[i]; j < i; ++j) {
            const double* other = A->row[j];
            const int from = A->first[i] > A->first[j] ? A->first[i] : A->first[j];
            double sum = row[j];
            for (int k = from; k < j; ++k)
                sum -= row[k] * other[k];
            row[j] = sum / other[j];
            row[i] -= row[j] * row[j];
        }
        if (!(row[i] > least * whole)) return false;
        row[i] = sqrt(row[i]);
    }
    return true;
}

/// L y = b with rows of L as inner products, then L' x = y with the same rows as columns of L':
/// both passes run along what is stored.
void pkm_skyline_solve(const pkm_skyline* L, int m, double* X, int ldx)
{
    for (int c = 0; c < m; ++c) {
        double* x = X + (size_t)c * (size_t)ldx;
        for (int i = 0; i < L->n; ++i) {
            const double* row = L->row[i];
            double sum = x[i];
            for (int j = L->first[i]; j < i; ++j)
                sum -= row[j] * x[j];
            x[i] = sum / row[i];
        }
        for (int i = L->n - 1; i >= 0; --i) {
            const double* row = L->row[i];
            x[i] /= row[i];
            for (int j = L->first[i]; j < i; ++j)
                x[j] -= row[j] * x[i];
        }
    }
}
