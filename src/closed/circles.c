/// Three circles: elimination to one trigonometric polynomial of degree 8, all its roots by a
/// generalised eigenproblem, each polished. docs/theory/closed-3pprs-3ppsr.md, section 3.
#include "closed/circles.h"
#include "math/angle.h"
#include "math/lapack.h"

#include <complex.h>
#include <string.h>

enum {
    DEGREE = 8,                // of the eliminant, in cos and sin of the first angle
    N_SAMPLE = 2 * DEGREE + 1, // what determines it
    N_ROOT = 2 * DEGREE,
    MAX_STEP = 40, // of the polishing; a start near a root needs 4 to 6
};

// A root may sit this far off the unit circle and still be tried: clusters of m roots are only
// accurate to eps^(1/m). What is not a real solution fails in the polishing.
static const double circle_band = 0.05;
// The equations are scaled to terms of size 1, so a solution meets them to a few roundings.
static const double solved = 4e-15;
// Blurred copies of a double root are sqrt(solved) apart.
static const double same_angle = 1e-6;

/// The equations of the pairs (0,1), (1,2), (2,0), each bilinear in h = (1, cos, sin) of the two
/// angles:  f = h_i' F h_j = (|A_i - A_j|^2 - distance^2) / (2 scale).
typedef struct bilinear {
    double k[3][3];
} bilinear;

typedef struct closure {
    bilinear F[3];
} closure;

pkm_vec3 pkm_circle_point(const pkm_circle* circle, double angle)
{
    const pkm_vec3 along =
        pkm_vec3_axpy(pkm_vec3_scale(cos(angle), circle->u), sin(angle), circle->w);
    return pkm_vec3_axpy(circle->center, circle->radius, along);
}

/// The equation of one pair, (5), scaled by the sum of the sizes of its terms.
static bilinear pair_equation(const pkm_circle* a, const pkm_circle* b, double distance)
{
    const pkm_vec3 e = pkm_vec3_sub(a->center, b->center);
    const double ra = a->radius, rb = b->radius;
    const double size = pkm_vec3_dot(e, e) + ra * ra + rb * rb;
    const double s = 1.0 / (size + distance * distance);
    const double sa = s * ra, sb = s * rb, sab = s * ra * rb;
    return (bilinear){{
        {0.5 * s * (size - distance * distance), -sb * pkm_vec3_dot(e, b->u),
         -sb * pkm_vec3_dot(e, b->w)},
        {sa * pkm_vec3_dot(e, a->u), -sab * pkm_vec3_dot(a->u, b->u),
         -sab * pkm_vec3_dot(a->u, b->w)},
        {sa * pkm_vec3_dot(e, a->w), -sab * pkm_vec3_dot(a->w, b->u),
         -sab * pkm_vec3_dot(a->w, b->w)},
    }};
}

/// alpha + beta cos + gamma sin as a quadratic in x = tan(angle / 2), times 1 + x^2.
static void half_angle(const double k[3], double p[3])
{
    p[0] = k[0] + k[1];
    p[1] = 2.0 * k[2];
    p[2] = k[0] - k[1];
}

/// h' F, an expression in the second angle.
static void contract_first(const bilinear* F, const double h[3], double k[3])
{
    for (int j = 0; j < 3; ++j)
        k[j] = h[0] * F->k[0][j] + h[1] * F->k[1][j] + h[2] * F->k[2][j];
}

/// F h, an expression in the first angle.
static void contract_second(const bilinear* F, const double h[3], double k[3])
{
    for (int i = 0; i < 3; ++i)
        k[i] = F->k[i][0] * h[0] + F->k[i][1] * h[1] + F->k[i][2] * h[2];
}

/// sum += s p q for quadratics p, q.
static void add_product(double s, const double p[3], const double q[3], double sum[5])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            sum[i + j] += s * p[i] * q[j];
}

/// The resultant in x of the quadratic a and of g[0] + g[1] x + g[2] x^2, whose coefficients are
/// quadratics in y: a quartic in y, (6).
///
///     (a2 g0 - a0 g2)^2 - (a2 g1 - a1 g2)(a1 g0 - a0 g1)
static void eliminate_middle(const double a[3], double g[3][3], double quartic[5])
{
    double u[3], v[3], w[3];
    for (int n = 0; n < 3; ++n) {
        u[n] = a[2] * g[0][n] - a[0] * g[2][n];
        v[n] = a[2] * g[1][n] - a[1] * g[2][n];
        w[n] = a[1] * g[0][n] - a[0] * g[1][n];
    }
    memset(quartic, 0, 5 * sizeof *quartic);
    add_product(1.0, u, u, quartic);
    add_product(-1.0, v, w, quartic);
}

/// The resultant of a quartic g and a quadratic b with roots y1, y2:  b2^4 g(y1) g(y2), (7).
///
/// The sum runs over g_i g_j y1^i y2^j; symmetric pairs give b0^i b2^(4-j) sigma_(j-i), where
/// sigma_k = b2^k (y1^k + y2^k) follows the recursion of the power sums. No division.
static double last_resultant(const double g[5], const double b[3])
{
    double low[5] = {1.0}, high[5] = {1.0}, sigma[5] = {2.0, -b[1]};
    for (int k = 1; k < 5; ++k) {
        low[k] = b[0] * low[k - 1];
        high[k] = b[2] * high[k - 1];
        if (k > 1) sigma[k] = -b[1] * sigma[k - 1] - b[0] * b[2] * sigma[k - 2];
    }
    double sum = 0.0;
    for (int i = 0; i < 5; ++i) {
        sum += g[i] * g[i] * low[i] * high[4 - i];
        for (int j = i + 1; j < 5; ++j)
            sum += g[i] * g[j] * low[i] * high[4 - j] * sigma[j - i];
    }
    return sum;
}

/// The eliminant at the first angle: zero where the other two angles can be found.
static double eliminant(const closure* c, double angle)
{
    const double h[3] = {1.0, cos(angle), sin(angle)};
    double k[3], a[3], b[3], half[3][3], g[3][3], quartic[5];
    contract_first(&c->F[0], h, k);
    half_angle(k, a);
    contract_second(&c->F[2], h, k);
    half_angle(k, b);

    // the equation between the second and the third point, in both half angles
    for (int i = 0; i < 3; ++i)
        half_angle(c->F[1].k[i], half[i]);
    for (int n = 0; n < 3; ++n) {
        const double column[3] = {half[0][n], half[1][n], half[2][n]};
        half_angle(column, k);
        for (int m = 0; m < 3; ++m)
            g[m][n] = k[m];
    }
    eliminate_middle(a, g, quartic);
    return last_resultant(quartic, b);
}

/// Coefficients (8) of the eliminant as a polynomial in z = exp(i angle), times z^8: the discrete
/// Fourier transform of its values, the best conditioned interpolation there is.
static void eliminant_coefficients(const closure* c, double complex p[N_ROOT + 1])
{
    double value[N_SAMPLE];
    for (int j = 0; j < N_SAMPLE; ++j)
        value[j] = eliminant(c, 2.0 * PKM_PI * j / N_SAMPLE);
    for (int k = 0; k <= DEGREE; ++k) {
        double complex sum = 0.0;
        for (int j = 0; j < N_SAMPLE; ++j) {
            const double angle = 2.0 * PKM_PI * (j * k % N_SAMPLE) / N_SAMPLE;
            sum += value[j] * (cos(angle) - I * sin(angle));
        }
        p[DEGREE + k] = sum;
        p[DEGREE - k] = conj(sum);
    }
}

/// Roots z = alpha / beta of the eliminant, as eigenvalues of the companion pencil. A pencil stands
/// small or zero leading coefficients, which a companion matrix does not. Returns how many.
static int eliminant_roots(const closure* c, double complex* alpha, double complex* beta)
{
    double complex p[N_ROOT + 1];
    eliminant_coefficients(c, p);
    double largest = 0.0;
    for (int k = 0; k <= N_ROOT; ++k)
        largest = fmax(largest, cabs(p[k]));
    if (!(largest > 0.0) || !isfinite(largest)) return 0;

    double complex A[N_ROOT * N_ROOT] = {0}, B[N_ROOT * N_ROOT] = {0}, work[8 * N_ROOT];
    double real_work[8 * N_ROOT];
    for (int i = 0; i < N_ROOT; ++i) {
        if (i > 0) A[i - 1 + N_ROOT * i] = 1.0;
        A[N_ROOT - 1 + N_ROOT * i] = -p[i] / largest;
        B[i + N_ROOT * i] = i < N_ROOT - 1 ? 1.0 : p[N_ROOT] / largest;
    }
    const int info =
        pkm_zggev(N_ROOT, A, N_ROOT, B, N_ROOT, alpha, beta, work, 8 * N_ROOT, real_work);
    return info == 0 ? N_ROOT : 0;
}

/// The equations at three angles; returns their largest size.
static double residual(const closure* c, const double angle[3], double f[3])
{
    double h[3][3], k[3], largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        h[i][0] = 1.0;
        h[i][1] = cos(angle[i]);
        h[i][2] = sin(angle[i]);
    }
    for (int i = 0; i < 3; ++i) {
        contract_first(&c->F[i], h[i], k);
        const double* hj = h[(i + 1) % 3];
        f[i] = k[0] * hj[0] + k[1] * hj[1] + k[2] * hj[2];
        largest = fmax(largest, fabs(f[i]));
    }
    return largest;
}

/// Derivatives of the equations by the angles: column j is df / d angle[j].
static pkm_mat3 residual_jacobian(const closure* c, const double angle[3])
{
    double J[3][3] = {{0}}, k[3];
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const double ci = cos(angle[i]), si = sin(angle[i]);
        const double cj = cos(angle[j]), sj = sin(angle[j]);
        contract_first(&c->F[i], (const double[3]){0.0, -si, ci}, k);
        J[i][i] = k[0] + k[1] * cj + k[2] * sj;
        contract_second(&c->F[i], (const double[3]){0.0, -sj, cj}, k);
        J[i][j] = k[0] + k[1] * ci + k[2] * si;
    }
    return (pkm_mat3){
        {J[0][0], J[1][0], J[2][0]}, {J[0][1], J[1][1], J[2][1]}, {J[0][2], J[1][2], J[2][2]}};
}

/// Move `angle` by a step; true (and moved) when the equations are met better there.
static bool try_step(const closure* c, double angle[3], double f[3], double* size, pkm_vec3 step)
{
    const double trial[3] = {angle[0] + step.x, angle[1] + step.y, angle[2] + step.z};
    double f_trial[3];
    const double size_trial = residual(c, trial, f_trial);
    if (!(size_trial < *size)) return false;
    memcpy(angle, trial, sizeof trial);
    memcpy(f, f_trial, sizeof f_trial);
    *size = size_trial;
    return true;
}

/// The step of least squares with damping mu:  (J'J + mu 1) step = -J'f.
static pkm_vec3 damped_step(pkm_mat3 J, const double f[3], double mu)
{
    pkm_mat3 N = pkm_mat3_matmul(pkm_mat3_transpose(J), J);
    N.x.x += mu;
    N.y.y += mu;
    N.z.z += mu;
    pkm_vec3 step = {0.0, 0.0, 0.0};
    pkm_mat3_solve(N, pkm_mat3_tmul(J, pkm_vec3_make(-f[0], -f[1], -f[2])), &step);
    return step;
}

/// Newton from `angle`, with damped least squares where Newton does not help. Returns the largest
/// remaining equation.
static double polish(const closure* c, double angle[3])
{
    double f[3], mu = 1e-3;
    double size = residual(c, angle, f);
    for (int k = 0; k < MAX_STEP && size > 0.0 && mu < 1e3; ++k) {
        const pkm_mat3 J = residual_jacobian(c, angle);
        pkm_vec3 step = {0.0, 0.0, 0.0};
        const double det = pkm_mat3_solve(J, pkm_vec3_make(-f[0], -f[1], -f[2]), &step);
        if (det != 0.0 && try_step(c, angle, f, &size, step)) continue;
        if (size < solved) break;
        mu *= try_step(c, angle, f, &size, damped_step(J, f, mu)) ? 0.1 : 10.0;
    }
    return size;
}

/// The two angles that solve  k0 + k1 cos + k2 sin = 0;  the nearest where there is none.
static void two_angles(const double k[3], double angle[2])
{
    const double middle = atan2(k[2], k[1]);
    const double cosine = -k[0] / hypot(k[1], k[2]);
    const double half = cosine >= 1.0 ? 0.0 : cosine <= -1.0 ? PKM_PI : acos(cosine);
    angle[0] = middle + half;
    angle[1] = middle - half;
}

/// Solutions found so far, and how well the best start did.
typedef struct found {
    int n;
    double (*angle)[3];
    double best; // smallest remaining equation
    double best_angle[3];
} found;

static double wrap(double angle)
{
    return remainder(angle, 2.0 * PKM_PI);
}

static bool is_known(const found* all, const double angle[3])
{
    for (int s = 0; s < all->n; ++s) {
        double apart = 0.0;
        for (int i = 0; i < 3; ++i)
            apart = fmax(apart, fabs(wrap(all->angle[s][i] - angle[i])));
        if (apart < same_angle) return true;
    }
    return false;
}

static bool comes_before(const double a[3], const double b[3])
{
    for (int i = 0; i < 3; ++i)
        if (fabs(a[i] - b[i]) > same_angle) return a[i] < b[i];
    return false;
}

static void keep(found* all, const double angle[3])
{
    if (all->n == PKM_CIRCLES_MAX || is_known(all, angle)) return;
    int at = all->n++;
    for (; at > 0 && comes_before(angle, all->angle[at - 1]); --at)
        memcpy(all->angle[at], all->angle[at - 1], sizeof all->angle[at]);
    memcpy(all->angle[at], angle, sizeof all->angle[at]);
}

/// Polish the four completions of a first angle. All four are tried, since symmetric
/// robots have several solutions with the same first angle.
static void complete(const closure* c, double first, found* all)
{
    const double h[3] = {1.0, cos(first), sin(first)};
    double k[3], second[2], third[2];
    contract_first(&c->F[0], h, k);
    two_angles(k, second);
    contract_second(&c->F[2], h, k);
    two_angles(k, third);
    for (int s = 0; s < 4; ++s) {
        double angle[3] = {first, second[s & 1], third[s >> 1]};
        const double size = polish(c, angle);
        for (int i = 0; i < 3; ++i)
            angle[i] = wrap(angle[i]);
        if (size < solved) keep(all, angle);
        if (size < all->best) {
            all->best = size;
            memcpy(all->best_angle, angle, sizeof all->best_angle);
        }
    }
}

/// By how much [m] the distances are missed at `angle`.
static double largest_gap(const pkm_circle circle[3], const double distance[3],
                          const double angle[3])
{
    double gap = 0.0;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const pkm_vec3 a = pkm_circle_point(&circle[i], angle[i]);
        const pkm_vec3 b = pkm_circle_point(&circle[j], angle[j]);
        gap = fmax(gap, fabs(pkm_vec3_norm(pkm_vec3_sub(a, b)) - distance[i]));
    }
    return gap;
}

int pkm_circles_solve(const pkm_circle circle[3], const double distance[3],
                      double angle[PKM_CIRCLES_MAX][3], double* gap)
{
    closure c;
    for (int i = 0; i < 3; ++i)
        c.F[i] = pair_equation(&circle[i], &circle[(i + 1) % 3], distance[i]);

    double complex alpha[N_ROOT], beta[N_ROOT];
    const int n_root = eliminant_roots(&c, alpha, beta);
    found all = {.angle = angle, .best = HUGE_VAL};
    for (int k = 0; k < n_root; ++k)
        if (fabs(cabs(alpha[k]) - cabs(beta[k])) <= circle_band * cabs(beta[k]))
            complete(&c, carg(alpha[k] * conj(beta[k])), &all);

    // nothing real: every root is a start for the nearest miss
    for (int k = 0; k < n_root && all.n == 0; ++k)
        complete(&c, carg(alpha[k] * conj(beta[k])), &all);
    if (gap) *gap = all.n == 0 ? largest_gap(circle, distance, all.best_angle) : 0.0;
    return all.n;
}
