// Newmark's method: order, energy, time-varying systems, periodic solutions.
#include "base/memory.h"
#include "check.h"
#include "solver/newmark.h"

static const double PI = 3.14159265358979323846;

/// Two masses: M = 1, K = [[5, -2], [-2, 3]], force on the first, damping c.
typedef struct pair {
    double c, force, frequency;
    int calls_left; ///< the system fails when they are used up; < 0: never
} pair;

static pkm_status pair_system(void* user, double t, double* M, double* C, double* K, double* f)
{
    pair* s = user;
    if (s->calls_left == 0) return PKM_ERR_UNREACHABLE;
    --s->calls_left;
    const double unit[4] = {1, 0, 0, 1}, stiffness[4] = {5, -2, -2, 3};
    for (int k = 0; k < 4; ++k) {
        M[k] = unit[k];
        C[k] = s->c * unit[k];
        K[k] = stiffness[k];
    }
    f[0] = s->force * cos(s->frequency * t);
    f[1] = 0.0;
    return PKM_OK;
}

/// q(T) of the unforced pair from q = (1, 0) by modes: lambda = 4 +- sqrt 5.
static double exact_pair(double t)
{
    double sum = 0.0;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double lambda = 4.0 + sign * sqrt(5.0);
        const double x = -2.0, y = lambda - 5.0; // (K - lambda) (x, y) = 0 up to scale
        sum += x * x / (x * x + y * y) * cos(sqrt(lambda) * t);
    }
    return sum;
}

static double position_at(const pkm_ltv* ltv, const double* q, const double* v, double T, int n)
{
    pkm_newmark* nm = NULL;
    CHECK(pkm_newmark_create(ltv->n, &nm) == PKM_OK);
    CHECK(pkm_newmark_begin(nm, ltv, 0.0, q, v) == PKM_OK);
    for (int k = 0; k < n; ++k)
        CHECK(pkm_newmark_step(nm, T / n) == PKM_OK);
    CHECK_NEAR(pkm_newmark_time(nm), T, 1e-12 * T);
    const double x = pkm_newmark_position(nm)[0];
    pkm_newmark_free(nm);
    return x;
}

static void halving_the_step_quarters_the_error(void)
{
    pair s = {.calls_left = -1};
    const pkm_ltv ltv = {.n = 2, .user = &s, .system = pair_system};
    const double q[2] = {1.0, 0.0}, v[2] = {0.0, 0.0}, T = 3.0;
    const double coarse = position_at(&ltv, q, v, T, 200) - exact_pair(T);
    const double fine = position_at(&ltv, q, v, T, 400) - exact_pair(T);
    CHECK_NEAR(coarse / fine, 4.0, 0.02);
    CHECK(fabs(fine) < 3e-4); // phase error w T (w h)^2 / 12 of the fast mode
}

/// Average acceleration keeps the energy of a constant system exactly.
static void energy_is_kept(void)
{
    pair s = {.calls_left = -1};
    const pkm_ltv ltv = {.n = 2, .user = &s, .system = pair_system};
    const double q0[2] = {1.0, -0.5}, v0[2] = {0.3, 0.2};
    pkm_newmark* nm = NULL;
    CHECK(pkm_newmark_create(2, &nm) == PKM_OK);
    CHECK(pkm_newmark_begin(nm, &ltv, 0.0, q0, v0) == PKM_OK);
    double first = 0.0;
    for (int k = 0; k <= 1000; ++k) {
        const double *q = pkm_newmark_position(nm), *v = pkm_newmark_velocity(nm);
        const double energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) +
                              0.5 * (5.0 * q[0] * q[0] - 4.0 * q[0] * q[1] + 3.0 * q[1] * q[1]);
        if (k == 0) first = energy;
        CHECK_NEAR(energy, first, 1e-12);
        CHECK(pkm_newmark_step(nm, 0.5) == PKM_OK); // large steps: stable all the same
    }
    const double *q = pkm_newmark_position(nm), *a = pkm_newmark_acceleration(nm);
    CHECK_NEAR(a[1], 2.0 * q[0] - 3.0 * q[1], 1e-12); // the equation holds at the end of a step
    pkm_newmark_free(nm);
}

/// A system with changing coefficients and a known solution: q = exp(sin t), with m = 2 + cos t,
/// c = t, k = 1 + t^2, nonsymmetric by nothing but the force that belongs to it.
static pkm_status made_up(void* user, double t, double* M, double* C, double* K, double* f)
{
    (void)user;
    const double q = exp(sin(t)), v = cos(t) * q, a = (cos(t) * cos(t) - sin(t)) * q;
    M[0] = 2.0 + cos(t);
    C[0] = t;
    K[0] = 1.0 + t * t;
    f[0] = M[0] * a + C[0] * v + K[0] * q;
    return PKM_OK;
}

static void changing_matrices_are_followed_with_order_2(void)
{
    const pkm_ltv ltv = {.n = 1, .user = NULL, .system = made_up};
    const double q = 1.0, v = 1.0, exact = exp(sin(2.0));
    const double coarse = position_at(&ltv, &q, &v, 2.0, 100) - exact;
    const double fine = position_at(&ltv, &q, &v, 2.0, 200) - exact;
    CHECK_NEAR(coarse / fine, 4.0, 0.05);
    CHECK(fabs(fine) < 1e-4);
}

/// Steady vibration of the damped pair: q = Re (K - w^2 + i w c)^-1 f.
static void periodic_start_is_the_steady_vibration(void)
{
    pair s = {.c = 0.3, .force = 2.0, .frequency = 1.7, .calls_left = -1};
    const pkm_ltv ltv = {.n = 2, .user = &s, .system = pair_system};
    const double w = s.frequency, period = 2.0 * PI / w;
    // By Cramer's rule with d = 5 - w^2 + i w c, e = 3 - w^2 + i w c: q1 = e f / (d e - 4).
    const double im = w * s.c, d = 5.0 - w * w, e = 3.0 - w * w;
    const double den_re = d * e - im * im - 4.0, den_im = im * (d + e);
    const double norm = den_re * den_re + den_im * den_im;
    const double exact = s.force * (e * den_re + im * den_im) / norm;
    double q[2], v[2], error[2];
    for (int k = 0; k < 2; ++k) {
        CHECK(pkm_newmark_periodic(&ltv, 0.0, period, 400 << k, q, v) == PKM_OK);
        error[k] = q[0] - exact;
        // One period later it is where it was.
        CHECK_NEAR(position_at(&ltv, q, v, period, 400 << k), q[0], 1e-11);
    }
    CHECK_NEAR(error[0] / error[1], 4.0, 0.05);
    CHECK(fabs(error[1]) < 1e-3 * fabs(exact));
}

/// Without damping and with a period that fits a natural frequency nothing repeats. The map of a
/// period is found by Newmark's steps, so the frequency is that of the steps:
/// tan(w' h / 2) = w h / 2.
static void a_resonance_is_reported(void)
{
    enum { N = 40 };
    pair s = {.force = 1.0, .calls_left = -1};
    const pkm_ltv ltv = {.n = 2, .user = &s, .system = pair_system};
    const double w = sqrt(4.0 - sqrt(5.0)), h = 2.0 * tan(PI / N) / w;
    s.frequency = 2.0 * PI / (N * h);
    double q[2], v[2];
    CHECK(pkm_newmark_periodic(&ltv, 0.0, N * h, N, q, v) == PKM_ERR_SINGULAR);
}

static pkm_status massless(void* user, double t, double* M, double* C, double* K, double* f)
{
    (void)user;
    (void)t;
    M[0] = C[0] = 0.0;
    K[0] = f[0] = 1.0;
    return PKM_OK;
}

static void failures_are_passed_on(void)
{
    pair s = {.calls_left = 1};
    const pkm_ltv ltv = {.n = 2, .user = &s, .system = pair_system};
    double q[2] = {0}, v[2] = {0};
    pkm_newmark* nm = NULL;
    CHECK(pkm_newmark_create(0, &nm) == PKM_ERR_ARGUMENT && !nm);
    CHECK(pkm_newmark_create(2, &nm) == PKM_OK);
    CHECK(pkm_newmark_begin(nm, &ltv, 0.0, q, v) == PKM_OK);
    CHECK(pkm_newmark_step(nm, 0.0) == PKM_ERR_ARGUMENT);
    CHECK(pkm_newmark_step(nm, 0.1) == PKM_ERR_UNREACHABLE);
    CHECK(pkm_newmark_time(nm) == 0.0);
    const pkm_ltv other = {.n = 1, .user = NULL, .system = massless};
    CHECK(pkm_newmark_begin(nm, &other, 0.0, q, v) == PKM_ERR_ARGUMENT);
    pkm_newmark_free(nm);
    CHECK(pkm_newmark_create(1, &nm) == PKM_OK);
    CHECK(pkm_newmark_begin(nm, &other, 0.0, q, v) == PKM_ERR_SINGULAR);
    pkm_newmark_free(nm);
    pkm_newmark_free(NULL);
    CHECK(pkm_newmark_periodic(&other, 0.0, 0.0, 1, q, v) == PKM_ERR_ARGUMENT);
}

static void memory_fails_cleanly_and_steps_take_none(void)
{
    pair s = {.c = 0.1, .calls_left = -1};
    const pkm_ltv ltv = {.n = 2, .user = &s, .system = pair_system};
    double q[2], v[2];
    int n_failed = 0;
    for (size_t n = 1; n < 20; ++n) {
        pkm_alloc_fail_at(n);
        const pkm_status status = pkm_newmark_periodic(&ltv, 0.0, 1.0, 10, q, v);
        pkm_alloc_fail_at(0);
        if (status == PKM_OK) break;
        CHECK(status == PKM_ERR_MEMORY);
        ++n_failed;
    }
    CHECK(n_failed == 7);
    pkm_newmark* nm = NULL;
    for (size_t n = 1; n <= 3; ++n) {
        pkm_alloc_fail_at(n);
        CHECK(pkm_newmark_create(2, &nm) == PKM_ERR_MEMORY && !nm);
        pkm_alloc_fail_at(0);
    }
    CHECK(pkm_newmark_create(2, &nm) == PKM_OK);
    const size_t before = pkm_alloc_count();
    CHECK(pkm_newmark_begin(nm, &ltv, 0.0, q, v) == PKM_OK);
    CHECK(pkm_newmark_step(nm, 0.1) == PKM_OK);
    CHECK(pkm_alloc_count() == before);
    pkm_newmark_free(nm);
}

int main(void)
{
    RUN(halving_the_step_quarters_the_error);
    RUN(energy_is_kept);
    RUN(changing_matrices_are_followed_with_order_2);
    RUN(periodic_start_is_the_steady_vibration);
    RUN(a_resonance_is_reported);
    RUN(failures_are_passed_on);
    RUN(memory_fails_cleanly_and_steps_take_none);
    return check_report();
}
