// The extreme singular values of a small matrix, without vectors: those of the Gram matrix, brought
// to tridiagonal form, by the QL iteration. A third of the work of Jacobi's rotations. Of a 2 x 2
// matrix: in closed form; of a 3 x 3 matrix: by a cubic equation. Next to another matrix: by
// Rayleigh's quotients from its vectors, with a proof by Sylvester's law.
#include "math/dense.h"

#include "base/error.h"
#include "math/dot.h"
#include "math/pair.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { MAX = PKM_DENSE_SMALL, MAX_SWEEP = 60 };

/// Squares lose half of the digits: a smallest value below this part of the largest one is found
/// from the matrix itself. A few roundings of the largest square are 1e-9 of the smallest then.
static const double SQUARE_LIMIT = 1e-3;
static const double SETTLED =
    1e-22; ///< square of an entry beside the diagonal, of the values there

/// G = A' A, full.
static inline void fill_gram(const double* A, int n, double* G)
{
    for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j)
            G[i * n + j] = G[j * n + i] = pkm_dot(A + i * n, A + j * n, n);
}

/// Householder's reflection that clears column k below the entry beside the diagonal: d[k], and the
/// square e[k] of that entry.
static inline void reflect(double* G, int n, int k, double* d, double* e)
{
    const int m = n - k - 1; // rows and columns that are left
    const double* g = G + k * n + k + 1;
    double u[MAX] = {0.0}, p[MAX];
    const double square = pkm_dot(g, g, m), rest = square - g[0] * g[0];
    d[k] = G[k * n + k];
    e[k] = square;
    if (!(rest > 0.0)) return;
    for (int i = 0; i < m; ++i)
        u[i] = g[i];
    u[0] += copysign(sqrt(square), g[0]);
    const double scale = 2.0 / (u[0] * u[0] + rest);
    for (int i = 0; i < m; ++i)
        p[i] = 0.0;
    for (int j = 0; j < m; ++j) // columns of the symmetric matrix: no sum waits for another
        for (int i = 0; i < m; ++i)
            p[i] += G[(k + 1 + j) * n + k + 1 + i] * (scale * u[j]);
    const double half = 0.5 * scale * pkm_dot(p, u, m);
    for (int i = 0; i < m; ++i)
        p[i] -= half * u[i];
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i)
            G[(k + 1 + j) * n + k + 1 + i] -= u[i] * p[j] + p[i] * u[j];
}

/// Diagonal d [n] and squares e [n - 1] of the entries beside it of the tridiagonal form, n > 2.
static inline void make_tridiagonal(double* G, int n, double* d, double* e)
{
    reflect(G, n, 0, d, e);
    if (n > 3) reflect(G, n, 1, d, e);
    if (n > 4) reflect(G, n, 2, d, e);
    if (n > 5) reflect(G, n, 3, d, e);
    for (int k = n - 2; k < n; ++k)
        d[k] = G[k * n + k];
    e[n - 2] = G[(n - 2) * n + n - 1] * G[(n - 2) * n + n - 1];
}

/// One sweep of the QL iteration without square roots (Pal, Walker and Kahan) on rows l to m of the
/// tridiagonal matrix, shifted by the eigenvalue of its first two rows that is nearer to d[l].
static inline void sweep(double* d, double* e, int l, int m)
{
    const double side = sqrt(e[l]), half = 0.5 * (d[l + 1] - d[l]) / side;
    const double shift = d[l] - side / (half + copysign(sqrt(half * half + 1.0), half));
    double c = 1.0, s = 0.0, gamma = d[m] - shift, p = gamma * gamma;
    for (int i = m - 1; i >= l; --i) {
        const double r = p + e[i], old_c = c, old_gamma = gamma;
        if (i < m - 1) e[i + 1] = s * r;
        c = p / r;
        s = e[i] / r;
        gamma = c * (d[i] - shift) - s * old_gamma;
        d[i + 1] = old_gamma + (d[i] - gamma);
        p = c != 0.0 ? gamma * gamma / c : old_c * e[i];
    }
    e[l] = s * p;
    d[l] = shift + gamma;
}

/// Eigenvalues of the tridiagonal matrix to d; `e` is destroyed. False: they do not settle.
static inline bool find_eigenvalues(double* d, double* e, int n)
{
    int sweeps = 0;
    for (int l = 0; l < n; ++l)
        for (;;) {
            int m = l;
            while (m + 1 < n && e[m] > SETTLED * fabs(d[m] * d[m + 1]))
                ++m;
            if (m == l) break;
            if (++sweeps > MAX_SWEEP) return false;
            sweep(d, e, l, m);
        }
    return true;
}

/// By the Gram matrix; false where that loses too many digits. Inlined with a constant n the loops
/// unroll.
static inline bool by_squares(const double* A, int n, double* largest, double* smallest)
{
    double G[MAX * MAX], d[MAX], e[MAX], trace = 0.0;
    fill_gram(A, n, G);
    for (int k = 0; k < n; ++k)
        trace += G[k * n + k];
    if (!(trace > DBL_MIN / DBL_EPSILON && trace < HUGE_VAL)) return false;
    for (int k = 0; k < n * n; ++k)
        G[k] /= trace; // squares stay finite
    make_tridiagonal(G, n, d, e);
    if (!find_eigenvalues(d, e, n)) return false;
    double most = d[0], least = d[0];
    for (int k = 1; k < n; ++k) {
        most = d[k] > most ? d[k] : most;
        least = d[k] < least ? d[k] : least;
    }
    if (!(least > 0.0)) return false;
    *largest = sqrt(trace * most);
    *smallest = sqrt(trace * least);
    return *smallest > SQUARE_LIMIT * *largest;
}

/// The root z = 2 cos(acos(rho)/3) of z^3 - 3 z - 2 rho that is the farther one from both others,
/// 0 <= rho <= 1: from its polynomial through Chebyshev's points, to 1.4e-6, by one step of
/// Halley's method, which cubes that.
static double far_root(double rho)
{
    const double square = rho * rho;
    const double low = 1.7320521221176661 + rho * 0.3332377130300708;
    const double middle = -0.09505002786487052 + rho * 0.04379925469029125;
    const double high = -0.01793290240031717 + rho * 0.003894603220833871;
    const double z = low + square * (middle + square * high);
    const double f = (z * z - 3.0) * z - 2.0 * rho, slope = 3.0 * z * z - 3.0;
    return z - f * slope / (slope * slope - 3.0 * z * f);
}

/// Ends of the eigenvalues of the symmetric matrix D = (xx, yy, zz, xy, xz, yz) with trace 0. Its
/// eigenvalue x that lies apart follows from x^3 - j2 x - j3 = 0, and with it the projection
/// v v' = adj(D - x 1)/(3 x^2 - j2); the two others are -x/2 +- r, where 2 r^2 is the sum of
/// squares of D + x/2 - 3/2 x v v': a difference that keeps their distance where they are nearly
/// equal, which the cubic does not. False: all three are nearly equal, but for more than rounding
/// of numbers of the size `unit`.
static bool traceless_ends(const double D[6], double unit, double* most, double* least)
{
    const double j2 =
        0.5 * (D[0] * D[0] + D[1] * D[1] + D[2] * D[2]) + D[3] * D[3] + D[4] * D[4] + D[5] * D[5];
    const double j3 = D[0] * (D[1] * D[2] - D[5] * D[5]) - D[3] * (D[3] * D[2] - D[5] * D[4]) +
                      D[4] * (D[3] * D[5] - D[1] * D[4]);
    const double s = sqrt(j2 * (1.0 / 3.0)), rho = 1.5 * fabs(j3) / (s * j2); // |j3| / 2 s^3
    *most = *least = 0.0;
    if (!(s > 1e-10 * unit)) return s < 1e-16 * unit;
    const double x = copysign(s * far_root(rho < 1.0 ? rho : 1.0), j3);
    const double a = D[0] - x, b = D[1] - x, c = D[2] - x, f = -1.5 * x / (3.0 * x * x - j2);
    const double E[6] = {
        D[0] + 0.5 * x + f * (b * c - D[5] * D[5]), D[1] + 0.5 * x + f * (a * c - D[4] * D[4]),
        D[2] + 0.5 * x + f * (a * b - D[3] * D[3]), D[3] + f * (D[4] * D[5] - D[3] * c),
        D[4] + f * (D[3] * D[5] - D[4] * b),        D[5] + f * (D[3] * D[4] - D[5] * a)};
    const double r = sqrt(0.5 * (E[0] * E[0] + E[1] * E[1] + E[2] * E[2]) + E[3] * E[3] +
                          E[4] * E[4] + E[5] * E[5]);
    *most = j3 > 0.0 ? x : r - 0.5 * x;
    *least = j3 > 0.0 ? -0.5 * x - r : x;
    return true;
}

/// Of a 3 x 3 matrix by the cubic of its Gram matrix; false where squares lose too many digits, all
/// values are nearly equal, or a product of three of them is beyond the range of numbers.
static bool by_cubic(const double* A, double* largest, double* smallest)
{
    static const double SMALL = 1e-90, LARGE = 1e90; // squares
    const double xx = pkm_dot(A, A, 3), yy = pkm_dot(A + 3, A + 3, 3),
                 zz = pkm_dot(A + 6, A + 6, 3);
    const double trace = xx + yy + zz, third = trace * (1.0 / 3.0);
    if (!(trace > SMALL && trace < LARGE)) return false;
    const double D[6] = {xx - third,           yy - third,           zz - third,
                         pkm_dot(A, A + 3, 3), pkm_dot(A, A + 6, 3), pkm_dot(A + 3, A + 6, 3)};
    double most, least;
    if (!traceless_ends(D, trace, &most, &least)) return false;
    if (!(third + least > SQUARE_LIMIT * SQUARE_LIMIT * (third + most))) return false;
    *largest = sqrt(third + most);
    *smallest = sqrt(third + least);
    return true;
}

/// Of a 2 x 2 matrix: the sum of its two halves, a turn with a scale and a reflection with one; the
/// smaller value from the determinant. False where squares are beyond the range of numbers.
static bool by_halves(const double* A, double* largest, double* smallest)
{
    static const double SMALL = 1e-280, LARGE = 1e280; // squares
    const double a = 0.5 * (A[0] + A[3]), b = 0.5 * (A[1] - A[2]);
    const double c = 0.5 * (A[0] - A[3]), d = 0.5 * (A[1] + A[2]);
    const double turn = a * a + b * b, reflection = c * c + d * d;
    if (!(turn + reflection > SMALL && turn + reflection < LARGE)) return false;
    *largest = sqrt(turn) + sqrt(reflection);
    *smallest = fabs(A[0] * A[3] - A[1] * A[2]) / *largest;
    return true;
}

void pkm_dense_small_extremes(const double* A, int n, double* largest, double* smallest)
{
    PKM_ASSERT(n >= 1 && n <= MAX);
    double s[MAX];
    if (n == 2 && by_halves(A, largest, smallest)) return;
    if (n == 3 && by_cubic(A, largest, smallest)) return;
    if (n == 6 && by_squares(A, 6, largest, smallest)) return;
    if (n > 3 && n < 6 && by_squares(A, n, largest, smallest)) return;
    pkm_dense_small_svd(A, n, n, s, NULL);
    *largest = s[0];
    *smallest = s[n - 1];
}

// ---- next to another matrix -------------------------------------------------------------------

/// Column c of G = A A', from the diagonal down: sums of columns of A, which are read side by side.
static inline void fill_outer(const double* A, int n, int c, double* G)
{
    for (int i = c; i < n; ++i)
        G[c * n + i] = A[c] * A[i];
    for (int k = 1; k < n; ++k)
        for (int i = c; i < n; ++i)
            G[c * n + i] += A[k * n + c] * A[k * n + i];
}

/// Numbers of the largest value and of the smallest one: both are found by the same operations.
typedef pkm_pair pair;

/// Column j of G - shift = L D L' without pivots: L D below the diagonal, and 1 / D.
static inline void factor_column(const double* G, int n, int j, pair shift, pair* L, pair* inverse)
{
    pair* column = L + j * n;
    column[j] = G[j * n + j] - shift;
    for (int i = j + 1; i < n; ++i)
        column[i] = pkm_pair_of(G[j * n + i]);
    for (int k = 0; k < j; ++k) {
        const pair part = L[k * n + j] * inverse[k];
        for (int i = j; i < n; ++i)
            column[i] -= L[k * n + i] * part;
    }
    inverse[j] = 1.0 / column[j];
}

/// G - shift = L D L', column by column, for the loops of each to unroll.
static inline void factor_shifted(const double* G, int n, pair shift, pair* L, pair* inverse)
{
    factor_column(G, n, 0, shift, L, inverse);
    if (n > 1) factor_column(G, n, 1, shift, L, inverse);
    if (n > 2) factor_column(G, n, 2, shift, L, inverse);
    if (n > 3) factor_column(G, n, 3, shift, L, inverse);
    if (n > 4) factor_column(G, n, 4, shift, L, inverse);
    if (n > 5) factor_column(G, n, 5, shift, L, inverse);
}

/// Step k of y <- (L D)^-1 y, and of y <- L'^-1 y.
static inline void solve_down(const pair* L, const pair* inverse, int n, int k, pair* y)
{
    const pair part = y[k] * inverse[k];
    for (int i = k + 1; i < n; ++i)
        y[i] -= L[k * n + i] * part;
}

static inline void solve_up(const pair* L, const pair* inverse, int n, int k, pair* y)
{
    for (int i = k + 1; i < n; ++i)
        y[k] -= L[k * n + i] * y[i];
    y[k] *= inverse[k];
}

/// y <- (L D L')^-1 y
static inline void solve_shifted(const pair* L, const pair* inverse, int n, pair* y)
{
    solve_down(L, inverse, n, 0, y);
    if (n > 2) solve_down(L, inverse, n, 1, y);
    if (n > 3) solve_down(L, inverse, n, 2, y);
    if (n > 4) solve_down(L, inverse, n, 3, y);
    if (n > 5) solve_down(L, inverse, n, 4, y);
    if (n > 5) solve_up(L, inverse, n, 5, y);
    if (n > 4) solve_up(L, inverse, n, 4, y);
    if (n > 3) solve_up(L, inverse, n, 3, y);
    if (n > 2) solve_up(L, inverse, n, 2, y);
    if (n > 1) solve_up(L, inverse, n, 1, y);
    solve_up(L, inverse, n, 0, y);
}

static inline pair pair_dot(const pair* a, const pair* b, int n)
{
    pair sum = pkm_pair_of(0.0);
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

/// x' G x, from the lower triangle.
static inline pair quotient(const double* G, int n, const pair* x)
{
    pair diagonal = pkm_pair_of(0.0), rest = pkm_pair_of(0.0);
    for (int j = 0; j < n; ++j) {
        pair sum = pkm_pair_of(0.0);
        for (int i = j + 1; i < n; ++i)
            sum += G[j * n + i] * x[i];
        diagonal += G[j * n + j] * x[j] * x[j];
        rest += x[j] * sum;
    }
    return diagonal + 2.0 * rest;
}

/// How many eigenvalues of G are larger than the first shift, and how many smaller than the second:
/// Sylvester's law of inertia, by the signs of D. More than n where a pivot is zero or none.
static inline void count_beyond(const pair* inverse, int n, int beyond[2])
{
    pair product = pkm_pair_of(1.0);
    beyond[0] = beyond[1] = 0;
    for (int k = 0; k < n; ++k) {
        beyond[0] += inverse[k][0] > 0.0;
        beyond[1] += !(inverse[k][1] > 0.0);
        product *= inverse[k];
    }
    for (int l = 0; l < 2; ++l)
        if (!(fabs(product[l]) < HUGE_VAL)) beyond[l] = n + 1;
}

static const double PROOF = 1e-9; // of a square

/// What one pass tells of a value: PROVED, REFUSED, or one more pass.
typedef enum verdict { OPEN, PROVED, REFUSED } verdict;

/// Judge the quotient r [l] with so many eigenvalues beyond it, and the next vector's step from it
/// and residual, which leave the value at most residual / |step| away from r + step (Kato and
/// Temple). The value to `out`.
static inline verdict judge(const double* G, int n, int l, int beyond, double r, double step,
                            double residual, double* out)
{
    static const double ROUNDING = 1e-12;
    const double side = l == 0 ? 1.0 : -1.0;
    *out = r;
    if (!(r > 0.0)) return REFUSED;
    if (beyond == 0) return PROVED;
    // next to rounding, and where several values are equal, the count a little further out decides
    if (beyond > 1 || fabs(step) < ROUNDING * r) {
        pair L[MAX * MAX], inverse[MAX];
        int more[2];
        factor_shifted(G, n, pkm_pair_of(r * (1.0 + side * PROOF)), L, inverse);
        count_beyond(inverse, n, more);
        return more[l] == 0 ? PROVED : REFUSED;
    }
    if (!(step * side > 0.0 && residual < PROOF * fabs(r * step))) return OPEN;
    *out = r + step;
    return PROVED;
}

/// One of the vectors y becomes x again.
static inline void keep_vector(const pair* x, int n, int l, pair* y, pair* length)
{
    for (int i = 0; i < n; ++i)
        y[i][l] = x[i][l];
    (*length)[l] = 1.0;
}

/// The largest and the smallest eigenvalue of G by Rayleigh's quotients from vectors x near theirs.
/// False: not found.
static inline bool follow_extremes(const double* G, int n, pair* x, double value[2])
{
    enum { TRIALS = 4 };
    verdict said[2] = {OPEN, OPEN};
    for (int trial = 0; trial < TRIALS; ++trial) {
        pair L[MAX * MAX], inverse[MAX], y[MAX] = {{0.0}};
        int beyond[2];
        const pair r = quotient(G, n, x);
        for (int i = 0; i < n; ++i)
            y[i] = x[i];
        factor_shifted(G, n, r, L, inverse);
        count_beyond(inverse, n, beyond);
        solve_shifted(L, inverse, n, y);
        const pair square = pair_dot(y, y, n), step = pair_dot(x, y, n) / square;
        const pair residual = 1.0 / square - step * step;
        pair length = 1.0 / (pair){sqrt(square[0]), sqrt(square[1])};
        for (int l = 0; l < 2; ++l) {
            // a vector whose value is proved, has none beyond or equal ones is as good as it gets
            if (said[l] != OPEN || beyond[l] != 1) keep_vector(x, n, l, y, &length);
            if (said[l] == OPEN)
                said[l] = judge(G, n, l, beyond[l], r[l], step[l], residual[l], &value[l]);
        }
        if (said[0] == REFUSED || said[1] == REFUSED) return false;
        for (int i = 0; i < n; ++i)
            x[i] = y[i] * length;
        if (said[0] == PROVED && said[1] == PROVED) return true;
    }
    return false;
}

/// From the vectors of a matrix nearby. False: they do not serve, or squares lose too many digits
/// for the proof.
static inline bool by_neighbour(const double* A, int n, pkm_dense_extremes* near, double* largest,
                                double* smallest)
{
    static const double LIMIT = 1e-4; // smallest by largest square
    double G[MAX * MAX], value[2];
    pair x[MAX];
    fill_outer(A, n, 0, G);
    if (n > 1) fill_outer(A, n, 1, G);
    if (n > 2) fill_outer(A, n, 2, G);
    if (n > 3) fill_outer(A, n, 3, G);
    if (n > 4) fill_outer(A, n, 4, G);
    if (n > 5) fill_outer(A, n, 5, G);
    for (int i = 0; i < n; ++i)
        x[i] = (pair){near->large[i], near->small[i]};
    const bool found = follow_extremes(G, n, x, value);
    if (!found || !(value[1] > LIMIT * value[0] && value[0] < HUGE_VAL)) return false;
    for (int i = 0; i < n; ++i) {
        near->large[i] = x[i][0];
        near->small[i] = x[i][1];
    }
    *largest = sqrt(value[0]);
    *smallest = sqrt(value[1]);
    return true;
}

/// u = A v / s
static void left_vector(const double* A, int n, const double* v, double s, double* u)
{
    for (int i = 0; i < n; ++i) {
        u[i] = 0.0;
        for (int j = 0; j < n; ++j)
            u[i] += A[j * n + i] * v[j] / s;
    }
}

/// Vectors for the next call: the left ones of the singular value decomposition. Where those do not
/// serve either, as where two values are nearly equal, some calls pass before it is tried again.
static void renew(const double* A, int n, pkm_dense_extremes* near)
{
    enum { PAUSE = 32 };
    double s[MAX], V[MAX * MAX];
    if (near->n == n && near->is_new) near->pause = PAUSE;
    near->is_new = false;
    if (near->pause > 0 && --near->pause > 0) return;
    near->is_new = true;
    near->n = n;
    pkm_dense_small_svd(A, n, n, s, V);
    left_vector(A, n, V, s[0], near->large);
    left_vector(A, n, V + (n - 1) * n, s[n - 1], near->small);
}

void pkm_dense_small_extremes_near(const double* A, int n, pkm_dense_extremes* near,
                                   double* largest, double* smallest)
{
    PKM_ASSERT(n >= 1 && n <= MAX);
    const bool begun = near->n == n && near->pause == 0;
    const bool was_new = near->is_new;
    near->is_new = false;
    if (n == 2 && by_halves(A, largest, smallest)) return;
    if (n == 3 && by_cubic(A, largest, smallest)) return; // fewer operations than from vectors
    if (begun && n == 4 && by_neighbour(A, 4, near, largest, smallest)) return;
    if (begun && n == 6 && by_neighbour(A, 6, near, largest, smallest)) return;
    if (begun && n != 4 && n != 6 && by_neighbour(A, n, near, largest, smallest)) return;
    pkm_dense_small_extremes(A, n, largest, smallest);
    near->is_new = was_new;
    renew(A, n, near);
}
