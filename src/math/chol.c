// Rows are whole fours of numbers, so that loops over them have no rest and their sums do not hang
// on where a row begins.
#include "math/chol.h"

#include "math/dot.h"

#include <math.h>
#include <string.h>

int pkm_chol_count_diagonal(const int* first, int n)
{
    int d = 0;
    while (d < n && first[d] == d)
        ++d;
    return d;
}

void pkm_chol_find_last(const int* first, int n, int* last)
{
    for (int k = 0; k < n; ++k)
        last[k] = k;
    for (int j = 0; j < n; ++j)
        if (last[first[j]] < j) last[first[j]] = j;
    // what reaches a column fills the rows below it up to there
    for (int k = 1; k < n; ++k)
        if (last[k] < last[k - 1]) last[k] = last[k - 1];
}

typedef pkm_pair_in_array pair;

/// Behind the last column that row k reaches. It grows with k.
static int end_of(pkm_chol_shape shape, int n, int k)
{
    return shape.last ? shape.last[k] + 1 : n;
}

static int reach(pkm_chol_shape shape, int n, int k)
{
    return pkm_chol_stride(end_of(shape, n, k));
}

void pkm_chol_clear(pkm_chol_shape shape, int n, double* U)
{
    const size_t stride = (size_t)pkm_chol_stride(n);
    for (int k = 0; k < n; ++k)
        memset(U + (size_t)k * stride + pkm_chol_whole(k), 0,
               (size_t)(reach(shape, n, k) - pkm_chol_whole(k)) * sizeof(double));
}

/// Where the sums of a solution begin in row k: rows of the diagonal part have nothing between
/// their pivot and column `diagonal`.
static int behind_pivot(pkm_chol_shape shape, int k)
{
    return k < shape.diagonal ? shape.diagonal : k + 1;
}

/// How many numbers they have: whole fours from there, so that sums side by side are those of the
/// whole row.
static int behind_count(pkm_chol_shape shape, int n, int k)
{
    const int from = behind_pivot(shape, k), end = end_of(shape, n, k);
    const int count = end > from ? pkm_chol_stride(end - from) : 0;
    return count < n - from ? count : n - from;
}

/// y -= factor x, `n` numbers in whole fours.
static void take(double* restrict y, const double* restrict x, double factor, int n)
{
    for (int i = 0; i < n; i += 2)
        *(pair*)(y + i) -= factor * *(const pair*)(x + i);
}

/// Y += sign A' B, where A and B have `n` rows, Y `rows` rows and the columns from `from` on and
/// before `end`, of the stride ldb (in an upper part those from the diagonal on). Two rows and four
/// columns at a time, so that eight sums stay in registers.
static void add_product(const double* A, size_t lda, const double* B, size_t ldb, int n, int rows,
                        int from, size_t end, bool is_upper, double sign, double* Y)
{
    for (int r = 0; r < rows; r += 2) {
        const size_t odd = r + 1 < rows ? 1 : 0; // the last row may stand alone
        for (size_t at = (size_t)pkm_chol_whole(is_upper ? from + r : from); at < end;
             at += PKM_CHOL_WIDTH) {
            pair a0 = {0.0}, a1 = {0.0}, b0 = {0.0}, b1 = {0.0};
            const double *of = A + r, *with = B + at;
            for (int i = 0; i < n; ++i, of += lda, with += ldb) {
                const pair x = *(const pair*)with, y = *(const pair*)(with + 2);
                a0 += of[0] * x;
                a1 += of[0] * y;
                b0 += of[odd] * x;
                b1 += of[odd] * y;
            }
            double *Ya = Y + (size_t)r * ldb + at, *Yb = Ya + ldb;
            *(pair*)Ya += sign * a0;
            *(pair*)(Ya + 2) += sign * a1;
            if (odd == 0) continue;
            *(pair*)Yb += sign * b0;
            *(pair*)(Yb + 2) += sign * b1;
        }
    }
}

/// The first rows, which have nothing but their diagonal before column `d`: U_rr -= C' C.
static bool factor_diagonal(pkm_chol_shape shape, int n, double* U)
{
    const size_t stride = (size_t)pkm_chol_stride(n);
    const int d = shape.diagonal, end = end_of(shape, n, d - 1);
    for (int k = 0; k < d; ++k) {
        double* Uk = U + (size_t)k * stride;
        if (!(Uk[k] > 0.0)) return false;
        const double pivot = sqrt(Uk[k]);
        if (pivot != 1.0)
            for (int i = d; i < end_of(shape, n, k); ++i)
                Uk[i] /= pivot;
        Uk[k] = pivot;
    }
    add_product(U + d, stride, U, stride, d, end - d, d, (size_t)pkm_chol_stride(end), true, -1.0,
                U + (size_t)d * stride);
    return true;
}

/// Each pivot is taken off the rows below it, so that sums run along rows, as far as they reach.
/// What a row has before its diagonal is changed too, and not looked at.
bool pkm_chol_factor(pkm_chol_shape shape, int n, double least, double* U, double* diagonal)
{
    const int stride = pkm_chol_stride(n);
    // the diagonal before elimination, against which pivots are measured
    for (int k = 0; k < n; ++k)
        diagonal[k] = U[(size_t)k * (size_t)(stride + 1)];
    if (shape.diagonal > 0 && !factor_diagonal(shape, n, U)) return false;
    for (int k = shape.diagonal; k < n; ++k) {
        double* Uk = U + (size_t)k * (size_t)stride;
        if (!(Uk[k] > least * fabs(diagonal[k]))) return false;
        const double pivot = sqrt(Uk[k]);
        const int end = end_of(shape, n, k), wide = reach(shape, n, k);
        for (int i = k + 1; i < end; ++i)
            Uk[i] /= pivot;
        Uk[k] = pivot;
        for (int i = k + 1; i < end; ++i) {
            const int at = pkm_chol_whole(i);
            if (shape.first[i] <= k)
                take(U + (size_t)i * (size_t)stride + at, Uk + at, Uk[i], wide - at);
        }
    }
    return true;
}

/// U' y = x: known y_k times row k is taken off the rest.
void pkm_chol_solve_lower(pkm_chol_shape shape, int n, const double* U, double* x)
{
    const int stride = pkm_chol_stride(n);
    for (int k = 0; k < n; ++k) {
        const double* Uk = U + (size_t)k * (size_t)stride;
        const double part = x[k] /= Uk[k];
        const int from = behind_pivot(shape, k);
        pkm_add_scaled(x + from, -part, Uk + from, behind_count(shape, n, k));
    }
}

/// As above for rows of right sides. The diagonal part is taken off all others at once, by sums in
/// registers, when its last row is done; a pivot of 1 (modes are orthonormal) divides nothing.
void pkm_chol_solve_lower_many(pkm_chol_shape shape, int n, const double* U, int width, double* X)
{
    const int stride = pkm_chol_stride(n), wide = pkm_chol_stride(width), d = shape.diagonal;
    for (int k = 0; k < n; ++k) {
        const double* Uk = U + (size_t)k * (size_t)stride;
        double* Xk = X + (size_t)k * (size_t)wide;
        if (k == d && d > 0)
            add_product(U + d, (size_t)stride, X, (size_t)wide, d, end_of(shape, n, d - 1) - d, 0,
                        (size_t)wide, false, -1.0, Xk);
        for (int r = 0; Uk[k] != 1.0 && r < wide; r += 2)
            *(pair*)(Xk + r) /= Uk[k];
        for (int i = k + 1; k >= d && i < end_of(shape, n, k); ++i)
            if (shape.first[i] <= k) take(X + (size_t)i * (size_t)wide, Xk, Uk[i], wide);
    }
}

/// U x = y from the last row up.
void pkm_chol_solve_upper(pkm_chol_shape shape, int n, const double* U, double* x)
{
    const int stride = pkm_chol_stride(n);
    for (int k = n - 1; k >= 0; --k) {
        const double* Uk = U + (size_t)k * (size_t)stride;
        const int from = behind_pivot(shape, k);
        const double sum = pkm_dot_long(Uk + from, x + from, behind_count(shape, n, k));
        x[k] = (x[k] - sum) / Uk[k];
    }
}

/// The loops above, counted.
double pkm_chol_cost(pkm_chol_shape shape, int n, double enough)
{
    const int d = shape.diagonal;
    double sum = 0.0;
    for (int i = d; d > 0 && i < end_of(shape, n, d - 1); ++i)
        sum += (double)d * (reach(shape, n, d - 1) - pkm_chol_whole(i));
    for (int k = 0; k < n && sum < enough; ++k) {
        sum += 2.0 * behind_count(shape, n, k); // both solutions
        for (int i = k + 1; k >= d && i < end_of(shape, n, k); ++i)
            if (shape.first[i] <= k) sum += reach(shape, n, k) - pkm_chol_whole(i);
    }
    return sum;
}

void pkm_chol_add(double* restrict y, const double* restrict x, double factor, int n)
{
    for (int i = 0; i < n; i += 2)
        *(pair*)(y + i) += factor * *(const pair*)(x + i);
}

void pkm_chol_add_square(const double* Z, int n, int width, double* T)
{
    const size_t wide = (size_t)pkm_chol_stride(width);
    add_product(Z, wide, Z, wide, n, width, 0, wide, true, 1.0, T);
}
