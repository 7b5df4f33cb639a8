// One-sided Jacobi: columns are turned in pairs until all are orthogonal. It keeps full relative
// accuracy of small singular values, which tell how near a robot is to a singularity.
#include "math/dense.h"

#include "base/error.h"
#include "math/dot.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/// Rotations that are tried at most; six columns need about a hundred, so this is only a guard.
enum { MAX_ROTATION = 600 };

/// Eighth powers of entries outside these bounds could overflow or vanish (squares of the cross
/// products of rows of the Gram matrix): such matrices are scaled.
static const double LARGE = 1e35, TINY = 1e-35;

/// (a, b) <- (c a - s b, s a + c b)
static inline void rotate(double* a, double* b, int m, double c, double s)
{
    for (int i = 0; i < m; ++i) {
        const double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

/// Turn the columns a, b of length m so that they are orthogonal; the columns va, vb of V (length
/// n, may be NULL) turn with them. Returns false when there is nothing to do.
///
/// The rotation of tangent t moves t (a.b) from one squared norm to the other,
///
///     t = -2 a.b / (d + sign(d) sqrt(d^2 + 4 (a.b)^2)),    d = a.a - b.b,
///
/// so for the values alone it can be left out when that is below rounding; vectors need t itself
/// small.
static inline bool orthogonalise(double* a, double* b, int m, double* va, double* vb, int n)
{
    const double aa = pkm_dot(a, a, m), bb = pkm_dot(b, b, m), ab = pkm_dot(a, b, m);
    const double d = aa - bb, size = fabs(d), twice = 2.0 * fabs(ab), less = aa < bb ? aa : bb;
    const double at_least = size + (size > twice ? size : twice); // of the denominator of t
    const bool moved = twice * fabs(ab) > DBL_EPSILON * less * at_least;
    if (!moved && !(va && ab * ab > 4.0 * DBL_EPSILON * DBL_EPSILON * aa * bb)) return false;

    const double root = sqrt(d * d + twice * twice);
    const double t = -2.0 * ab / (d >= 0.0 ? d + root : d - root);
    const double c = 1.0 / sqrt(1.0 + t * t);
    rotate(a, b, m, c, c * t);
    if (va) rotate(va, vb, n, c, c * t);
    return true;
}

/// Orthogonalise the n columns of W (m x n): pairs in turn, until all pairs since the last rotation
/// were found orthogonal. Inlined with constants m and n the loops unroll.
static inline void jacobi(double* W, int m, int n, double* V)
{
    const int n_pair = n * (n - 1) / 2;
    int p = 0, q = 1;
    for (int k = 0, idle = 0; k < MAX_ROTATION && idle < n_pair; ++k) {
        double *va = V ? V + p * n : NULL, *vb = V ? V + q * n : NULL;
        // a pair that has just been turned is orthogonal, so it counts as idle itself
        idle = orthogonalise(W + p * m, W + q * m, m, va, vb, n) ? 1 : idle + 1;
        if (++q == n) {
            p = p + 2 < n ? p + 1 : 0;
            q = p + 1;
        }
    }
}

static inline void cross(const double* a, const double* b, double* c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/// Unit eigenvector v of the symmetric matrix with diagonal g[0..2] and off-diagonal g[3] (0,1),
/// g[4] (0,2), g[5] (1,2), for the eigenvalue that lies apart from the other two. Returns false for
/// a multiple of the identity.
///
/// With G = q I + p X, tr X = 0, |X|^2 = 6, the eigenvalues x of X obey x^3 - 3 x = 2 r, r = det X
/// / 2. The one of the sign of r lies apart: |x| in [sqrt 3, 2]. Newton's iteration from a parabola
/// within 2e-3 of it gives it in three steps. It is simple, so rows of G - x I give v without loss.
static inline bool isolated_vector(const double g[6], double v[3])
{
    const double q = (g[0] + g[1] + g[2]) / 3.0, a = g[0] - q, b = g[1] - q, c = g[2] - q;
    const double off = g[3] * g[3] + g[4] * g[4] + g[5] * g[5];
    const double pp = (a * a + b * b + c * c + 2.0 * off) / 6.0;
    if (!(pp > DBL_EPSILON * DBL_EPSILON * q * q)) return false;
    const double p = sqrt(pp);
    const double det = a * (b * c - g[5] * g[5]) - g[3] * (g[3] * c - g[5] * g[4]) +
                       g[4] * (g[3] * g[5] - b * g[4]);
    const double r = fabs(det) / (2.0 * pp * p);

    double x = 1.7320508075688772 + r * (1.0 / 3.0 - 0.0653841409022105 * r);
    for (int k = 0; k < 3; ++k)
        x = (2.0 * x * x * x + 2.0 * r) / (3.0 * x * x - 3.0);
    const double shift = det < 0.0 ? -p * x : p * x;

    // the cross product of two rows is along v; the longest of the three is the safest
    const double row[3][3] = {
        {a - shift, g[3], g[4]}, {g[3], b - shift, g[5]}, {g[4], g[5], c - shift}};
    double try[3][3], best = 0.0;
    int pick = 0;
    for (int k = 0; k < 3; ++k) {
        cross(row[k], row[(k + 1) % 3], try[k]);
        const double nn = pkm_dot(try[k], try[k], 3);
        if (nn > best) {
            best = nn;
            pick = k;
        }
    }
    for (int i = 0; i < 3; ++i)
        v[i] = try[pick][i] / sqrt(best);
    return best > 0.0;
}

/// W <- W [u w v] with v from isolated_vector and any u, w that complete it: now only u and w
/// remain to be turned, by one Jacobi rotation, apart from rounding.
static inline void turn_towards_svd(double W[9])
{
    const double g[6] = {pkm_dot(W, W, 3),     pkm_dot(W + 3, W + 3, 3), pkm_dot(W + 6, W + 6, 3),
                         pkm_dot(W, W + 3, 3), pkm_dot(W, W + 6, 3),     pkm_dot(W + 3, W + 6, 3)};
    double v[3];
    if (!isolated_vector(g, v)) return;

    // an orthonormal basis from one unit vector without branches (Duff et al., 2017)
    const double s = copysign(1.0, v[2]), h = -1.0 / (s + v[2]), k = v[0] * v[1] * h;
    const double u[3] = {1.0 + s * v[0] * v[0] * h, s * k, -s * v[0]};
    const double w[3] = {k, s + v[1] * v[1] * h, -v[1]};
    for (int i = 0; i < 3; ++i) {
        const double x = W[i], y = W[3 + i], z = W[6 + i];
        W[i] = x * u[0] + y * u[1] + z * u[2];
        W[3 + i] = x * w[0] + y * w[1] + z * w[2];
        W[6 + i] = x * v[0] + y * v[1] + z * v[2];
    }
}

/// Copy A to W, scaled if its entries are very large or small; returns the factor back to A, NaN
/// for entries that are not finite.
static inline double copy_scaled(const double* A, int size, double* W)
{
    double big = 0.0, sum = 0.0;
    for (int k = 0; k < size; ++k) {
        const double x = fabs(A[k]);
        big = x > big ? x : big;
        sum += 0.0 * x; // NaN for an infinity or a NaN
        W[k] = A[k];
    }
    if (sum != 0.0) return NAN;
    if (big == 0.0 || (big < LARGE && big > TINY)) return 1.0;
    int exponent;
    frexp(big, &exponent);
    for (int k = 0; k < size; ++k)
        W[k] = ldexp(A[k], -exponent);
    return ldexp(1.0, exponent);
}

/// Sort the values `s` [n] to fall, and the columns of V (n x n, may be NULL) with them.
static inline void sort_falling(double* s, int n, double* V)
{
    for (int i = 1; i < n; ++i) {
        for (int k = i; k > 0 && s[k] > s[k - 1]; --k) {
            const double value = s[k];
            s[k] = s[k - 1];
            s[k - 1] = value;
            if (V) rotate(V + (k - 1) * n, V + k * n, n, 0.0, -1.0);
        }
    }
}

void pkm_dense_small_svd(const double* A, int m, int n, double* s, double* V)
{
    PKM_ASSERT(n >= 1 && n <= PKM_DENSE_SMALL && m >= n && m <= PKM_DENSE_TALL);
    double W[PKM_DENSE_TALL * PKM_DENSE_SMALL];
    const double scale = copy_scaled(A, m * n, W);
    for (int k = 0; V && k < n * n; ++k)
        V[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
    if (isnan(scale)) {
        for (int k = 0; k < n; ++k)
            s[k] = NAN;
        return;
    }
    if (m == 3 && n == 3 && !V) {
        turn_towards_svd(W);
        jacobi(W, 3, 3, NULL);
    } else {
        jacobi(W, m, n, V);
    }
    for (int k = 0; k < n; ++k)
        s[k] = scale * sqrt(pkm_dot(W + k * m, W + k * m, m));
    sort_falling(s, n, V);
}
