// Eigenvalues for places without LAPACK (math/own_lapack.h).
#include "base/memory.h"
#include "math/own_lapack.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { MOST_PASS = 60 }; ///< per eigenvalue; two or three are usual

// ---- symmetric: Householder to three diagonals --------------------------------------------------

/// The reflection H = I - tau v v' that clears row i of the lower triangle left of its subdiagonal:
/// v is kept in that row, the subdiagonal returned. Golub and Van Loan, algorithm 8.3.1, from
/// below.
static double clear_row(int i, double* A, int lda, double* tau)
{
    double* row = A + i; // entries row[j * lda], j < i
    double scale = 0.0, square = 0.0;
    *tau = 0.0;
    for (int j = 0; j < i; ++j)
        // entries over their largest: squares neither overflow nor vanish
        scale = fmax(scale, fabs(row[(size_t)j * (size_t)lda]));
    if (scale == 0.0) return 0.0;
    for (int j = 0; j < i; ++j) {
        row[(size_t)j * (size_t)lda] /= scale;
        square += row[(size_t)j * (size_t)lda] * row[(size_t)j * (size_t)lda];
    }
    double* last = &row[(size_t)(i - 1) * (size_t)lda];
    const double beta = -copysign(sqrt(square), *last);
    if (square == *last * *last) return scale * *last; // nothing to clear
    *tau = 1.0 / (square - beta * *last);
    *last -= beta;
    return scale * beta;
}

/// A := H A H on the leading i x i block, A -= v w' + w v' with w = p - tau/2 (p . v) v, p = tau A
/// v.
static void update_block(int i, double* A, int lda, double tau, double* w)
{
    const double* v = A + i;
    double dot = 0.0;
    for (int j = 0; j < i; ++j) {
        double sum = 0.0;
        for (int k = 0; k < i; ++k)
            sum += (k <= j ? A[j + (size_t)k * (size_t)lda] : A[k + (size_t)j * (size_t)lda]) *
                   v[(size_t)k * (size_t)lda];
        w[j] = tau * sum;
        dot += w[j] * v[(size_t)j * (size_t)lda];
    }
    for (int j = 0; j < i; ++j)
        w[j] -= 0.5 * tau * dot * v[(size_t)j * (size_t)lda];
    for (int k = 0; k < i; ++k)
        for (int j = k; j < i; ++j)
            A[j + (size_t)k * (size_t)lda] -=
                v[(size_t)j * (size_t)lda] * w[k] + w[j] * v[(size_t)k * (size_t)lda];
}

/// Q = H_{n-1} ... H_1 from the rows of A, in place: Q grows from its leading 1 x 1 block.
static void build_vectors(int n, double* A, int lda, const double* tau)
{
    for (int i = 0; i < n; ++i) {
        const double* v = A + i;
        for (int j = 0; j < i && tau[i] != 0.0; ++j) {
            double sum = 0.0;
            for (int k = 0; k < i; ++k)
                sum += v[(size_t)k * (size_t)lda] * A[k + (size_t)j * (size_t)lda];
            for (int k = 0; k < i; ++k)
                A[k + (size_t)j * (size_t)lda] -= tau[i] * sum * v[(size_t)k * (size_t)lda];
        }
        for (int j = 0; j < i; ++j)
            A[i + (size_t)j * (size_t)lda] = A[j + (size_t)i * (size_t)lda] = 0.0;
        A[i + (size_t)i * (size_t)lda] = 1.0;
    }
}

/// Diagonal d, subdiagonal e[1 ..]; `e` serves as scratch below the row at hand.
static void tridiagonalise(bool vectors, int n, double* A, int lda, double* d, double* e,
                           double* tau)
{
    for (int i = n - 1; i > 0; --i) {
        const double below = clear_row(i, A, lda, &tau[i]);
        if (tau[i] != 0.0) update_block(i, A, lda, tau[i], e);
        e[i] = below;
    }
    for (int i = 0; i < n; ++i)
        d[i] = A[i + (size_t)i * (size_t)lda];
    e[0] = tau[0] = 0.0;
    if (vectors) build_vectors(n, A, lda, tau);
}

// ---- symmetric: implicit QL ---------------------------------------------------------------------

/// (x, y) := (c x - s y, s x + c y)
static void turn_columns(int n, double c, double s, double* x, double* y)
{
    for (int i = 0; i < n; ++i) {
        const double keep = y[i];
        y[i] = s * x[i] + c * keep;
        x[i] = c * x[i] - s * keep;
    }
}

/// One pass of implicit QL with Wilkinson's shift on rows first .. last; e[i] couples i and i + 1.
static void ql_pass(int first, int last, double* d, double* e, int n, double* Z, int ldz)
{
    // Wilkinson: the eigenvalue of the first 2 x 2 block that is nearer to d[first]; g becomes
    // d[last] less this shift
    double g = (d[first + 1] - d[first]) / (2.0 * e[first]);
    double r = hypot(g, 1.0), s = 1.0, c = 1.0, p = 0.0;
    g = d[last] - d[first] + e[first] / (g + copysign(r, g));
    for (int i = last - 1; i >= first; --i) {
        double f = s * e[i];
        const double b = c * e[i];
        e[i + 1] = r = hypot(f, g);
        if (r == 0.0) { // the pass ends early: the matrix has split
            d[i + 1] -= p;
            e[last] = 0.0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2.0 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        if (Z)
            turn_columns(n, c, s, Z + (size_t)i * (size_t)ldz, Z + (size_t)(i + 1) * (size_t)ldz);
    }
    d[first] -= p;
    e[first] = g;
    e[last] = 0.0;
}

/// Deflation from the front: rows l .. m are the first block that has not split, where a coupling
/// is nothing when it is below the rounding of its two diagonal entries. Passes shrink e[l] with
/// the third power. Work: some n^2 turns for values, n^3 for vectors.
static int iterate(int n, double* d, double* e, double* Z, int ldz)
{
    // tridiagonalise couples i - 1 and i by e[i]; a pass wants e[i] between i and i + 1
    for (int i = 1; i < n; ++i)
        e[i - 1] = e[i];
    e[n - 1] = 0.0;
    for (int l = 0; l < n; ++l)
        for (int pass = 0;; ++pass) {
            int m = l;
            while (m < n - 1 && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])))
                ++m;
            if (m == l) break;
            if (pass == MOST_PASS) return l + 1;
            ql_pass(l, m, d, e, n, Z, ldz);
        }
    return 0;
}

/// Rising, with their vectors: exchanges, of which n - 1 at most are made.
static void sort(int n, double* d, double* Z, int ldz)
{
    for (int i = 0; i + 1 < n; ++i) {
        int least = i;
        for (int k = i + 1; k < n; ++k)
            if (d[k] < d[least]) least = k;
        if (least == i) continue;
        const double keep = d[i];
        d[i] = d[least];
        d[least] = keep;
        double *x = Z ? Z + (size_t)i * (size_t)ldz : NULL,
               *y = Z ? Z + (size_t)least * (size_t)ldz : NULL;
        for (int k = 0; Z && k < n; ++k) {
            const double entry = x[k];
            x[k] = y[k];
            y[k] = entry;
        }
    }
}

/// A = Q T Q', T = V diag(w) V': the columns of Q V stand in A at the end. Reads the lower
/// triangle, to which an upper one is copied.
int pkm_own_dsyev_with(char job, char uplo, int n, double* A, int lda, double* w, double* work,
                       int n_work)
{
    if (n_work < 2 * n) return -8;
    if (n == 0) return 0;
    for (int j = 0; uplo == 'U' && j < n; ++j)
        for (int i = 0; i < j; ++i)
            A[j + (size_t)i * (size_t)lda] = A[i + (size_t)j * (size_t)lda];
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i)
            if (!isfinite(A[i + (size_t)j * (size_t)lda])) return -5;
    double *e = work, *tau = work + n;
    const bool vectors = job == 'V';
    tridiagonalise(vectors, n, A, lda, w, e, tau);
    const int info = iterate(n, w, e, vectors ? A : NULL, lda);
    if (info == 0) sort(n, w, vectors ? A : NULL, lda);
    return info;
}

// ---- general: complex QR ------------------------------------------------------------------------

/// c and s with [c s; -conj(s) c] (a, b)' = (r, 0)'.
static void givens(double complex a, double complex b, double* c, double complex* s)
{
    const double na = cabs(a), r = hypot(na, cabs(b));
    *c = 1.0;
    *s = 0.0;
    if (cabs(b) == 0.0) return;
    *c = na / r;
    *s = na == 0.0 ? conj(b) / r : a / na * conj(b) / r;
}

/// Upper Hessenberg form by rotations from left and right.
static void make_hessenberg(int n, double complex* A, int lda)
{
    for (int k = 0; k + 2 < n; ++k)
        for (int i = n - 1; i > k + 1; --i) {
            double c;
            double complex s;
            givens(A[i - 1 + (size_t)k * (size_t)lda], A[i + (size_t)k * (size_t)lda], &c, &s);
            for (int j = 0; j < n; ++j) {
                double complex* x = A + (size_t)j * (size_t)lda;
                const double complex top = c * x[i - 1] + s * x[i];
                x[i] = c * x[i] - conj(s) * x[i - 1];
                x[i - 1] = top;
            }
            double complex *x = A + (size_t)(i - 1) * (size_t)lda, *y = A + (size_t)i * (size_t)lda;
            for (int j = 0; j < n; ++j) {
                const double complex left = c * x[j] + conj(s) * y[j];
                y[j] = c * y[j] - s * x[j];
                x[j] = left;
            }
            A[i + (size_t)k * (size_t)lda] = 0.0;
        }
}

/// The eigenvalue of the last 2 x 2 block that is nearer to its last entry (Wilkinson).
static double complex shift_of(const double complex* A, int lda, int last)
{
    const double complex a = A[last - 1 + (size_t)(last - 1) * (size_t)lda];
    const double complex b = A[last - 1 + (size_t)last * (size_t)lda];
    const double complex c = A[last + (size_t)(last - 1) * (size_t)lda];
    const double complex d = A[last + (size_t)last * (size_t)lda];
    const double complex half = 0.5 * (a - d), root = csqrt(half * half + b * c);
    const double complex sum = cabs(half + root) > cabs(half - root) ? half + root : half - root;
    return cabs(sum) == 0.0 ? d : d - b * c / sum;
}

/// A - shift = Q R, A := R Q + shift on rows first .. last.
static void qr_pass(int first, int last, double complex shift, double complex* A, int lda,
                    double* c, double complex* s)
{
    for (int i = first; i <= last; ++i)
        A[i + (size_t)i * (size_t)lda] -= shift;
    for (int k = first; k < last; ++k) {
        givens(A[k + (size_t)k * (size_t)lda], A[k + 1 + (size_t)k * (size_t)lda], &c[k], &s[k]);
        for (int j = k; j <= last; ++j) {
            double complex* x = A + (size_t)j * (size_t)lda;
            const double complex top = c[k] * x[k] + s[k] * x[k + 1];
            x[k + 1] = c[k] * x[k + 1] - conj(s[k]) * x[k];
            x[k] = top;
        }
    }
    for (int k = first; k < last; ++k) {
        double complex *x = A + (size_t)k * (size_t)lda, *y = A + (size_t)(k + 1) * (size_t)lda;
        const int most = k + 1 < last ? k + 1 : last;
        for (int j = first; j <= most; ++j) {
            const double complex left = c[k] * x[j] + conj(s[k]) * y[j];
            y[j] = c[k] * y[j] - s[k] * x[j];
            x[j] = left;
        }
    }
    for (int i = first; i <= last; ++i)
        A[i + (size_t)i * (size_t)lda] += shift;
}

/// The first row of the block that ends at `last`: the subdiagonal entry before it is nothing.
static int block_start(int last, double complex* A, int lda, double norm)
{
    int first = last;
    while (first > 0) {
        double complex* below = &A[first + (size_t)(first - 1) * (size_t)lda];
        const double size = cabs(A[first + (size_t)first * (size_t)lda]) +
                            cabs(A[first - 1 + (size_t)(first - 1) * (size_t)lda]);
        if (cabs(*below) <= DBL_EPSILON * (size > 0.0 ? size : norm)) {
            *below = 0.0;
            break;
        }
        --first;
    }
    return first;
}

/// Hessenberg form, then shifted QR passes on the last block that has not split; an eigenvalue is
/// found when that has one row. The matrix is destroyed. Returns how many were not found.
int pkm_own_zeigenvalues(int n, double complex* A, int lda, double complex* w)
{
    double* c = pkm_alloc((size_t)n + 1, sizeof *c);
    double complex* s = pkm_alloc((size_t)n + 1, sizeof *s);
    double norm = 0.0;
    int last = c && s ? n - 1 : -1;
    const bool has_memory = c && s;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            norm = fmax(norm, cabs(A[i + (size_t)j * (size_t)lda]));
    if (has_memory) make_hessenberg(n, A, lda);
    for (int pass = 0; last >= 0 && pass < MOST_PASS;) {
        const int first = block_start(last, A, lda, norm);
        if (first == last) {
            w[last] = A[last + (size_t)last * (size_t)lda];
            --last;
            pass = 0;
            continue;
        }
        double complex shift = shift_of(A, lda, last);
        if (++pass % 11 == 10)
            shift += cabs(A[last + (size_t)(last - 1) * (size_t)lda]); // break ties
        qr_pass(first, last, shift, A, lda, c, s);
    }
    pkm_free(c);
    pkm_free(s);
    return has_memory ? last + 1 : -1010;
}

/// A real matrix by complex arithmetic: four times the work of real double shifts, less code.
int pkm_own_dgeev(int n, double* A, int lda, double* re, double* im)
{
    double complex* copy = pkm_alloc((size_t)n * (size_t)n + (size_t)n, sizeof *copy);
    if (!copy) return -1010;
    double complex* w = copy + (size_t)n * (size_t)n;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            copy[i + (size_t)j * (size_t)n] = A[i + (size_t)j * (size_t)lda];
    const int info = pkm_own_zeigenvalues(n, copy, n, w);
    for (int k = 0; info == 0 && k < n; ++k) {
        re[k] = creal(w[k]);
        im[k] = cimag(w[k]);
    }
    pkm_free(copy);
    return info;
}

/// With a shift t that is no eigenvalue, (A - t B)^-1 B has the eigenvalues mu = 1 / (w - t), zero
/// for the infinite ones: alpha = t mu + 1, beta = mu. The shift has the size of the quotient of
/// the norms and no special direction.
int pkm_own_zggev(int n, double complex* A, int lda, double complex* B, int ldb,
                  double complex* alpha, double complex* beta)
{
    double norm_a = 0.0, norm_b = 0.0;
    int* pivot = pkm_alloc((size_t)n, sizeof *pivot);
    if (!pivot) return -1010;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            norm_a = fmax(norm_a, cabs(A[i + (size_t)j * (size_t)lda]));
            norm_b = fmax(norm_b, cabs(B[i + (size_t)j * (size_t)ldb]));
        }
    const double size = norm_b > 0.0 && norm_a > 0.0 ? norm_a / norm_b : 1.0;
    const double complex t = size * CMPLX(0.35914827, 0.61203359);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            A[i + (size_t)j * (size_t)lda] -= t * B[i + (size_t)j * (size_t)ldb];
    int info = pkm_own_zgesv(n, n, A, lda, pivot, B, ldb);
    if (info == 0) info = pkm_own_zeigenvalues(n, B, ldb, beta);
    for (int k = 0; info == 0 && k < n; ++k)
        alpha[k] = t * beta[k] + 1.0;
    pkm_free(pivot);
    return info;
}
