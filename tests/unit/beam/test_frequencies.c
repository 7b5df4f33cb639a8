// Natural frequencies of beams against the analytic ones, and how fast they are met.
#include "unit/beam/beams.h"

static const pkm_vec3 ALONG_X = {1.0, 0.0, 0.0}, Y = {0.0, 1.0, 0.0};

enum { HOLD_X = 1, HOLD_Y = 2, HOLD_Z = 4, HOLD_RX = 8, HOLD_RY = 16, HOLD_RZ = 32 };
// What leaves bending in x-y, stretch or torsion alone.
enum {
    PLANE_XY = HOLD_X | HOLD_Z | HOLD_RX | HOLD_RY,
    STRETCH_ONLY = PKM_BEAM_FIX_ALL & ~HOLD_X,
    TORSION_ONLY = PKM_BEAM_FIX_ALL & ~HOLD_RX
};

/// Angular frequency number `mode` (from 1) of a bar of 1 m with `n` elements, `hold` at every node
/// and `left`, `right` at the ends besides.
static double frequency(pkm_beam_shape shape, pkm_beam_theory theory, int n, unsigned hold,
                        unsigned left, unsigned right, int mode)
{
    beam_case* c = bar(shape, theory, n, ALONG_X, Y);
    for (int k = 0; k <= n; ++k) {
        const unsigned end = k == 0 ? left : k == n ? right : 0u;
        CHECK(pkm_beam_mesh_fix(c->mesh, last_node(c, k), hold | end, NULL) == PKM_OK);
    }
    assemble(c);
    // Strains of what is held still are coordinates of the quintic family: they only add modes of
    // their own, far above. Stretch is 20 times faster than bending here.
    solve_modes(c, mode);
    const double omega = sqrt(c->lambda[mode - 1]);
    case_free(c);
    return omega;
}

/// sqrt(EI / rho A) = sqrt(1000 / 2) [m2/s] in x-y.
static double bending(double root)
{
    return root * root * sqrt(500.0);
}

/// log2 of the ratio of the errors with n and 2 n elements.
static double order(pkm_beam_shape shape, int n, unsigned left, unsigned right, int mode,
                    double exact)
{
    const double coarse = frequency(shape, PKM_BEAM_EULER, n, PLANE_XY, left, right, mode);
    const double fine = frequency(shape, PKM_BEAM_EULER, 2 * n, PLANE_XY, left, right, mode);
    CHECK(coarse > fine && fine > exact); // Ritz: always from above
    return log2((coarse - exact) / (fine - exact));
}

static void clamped_free_beam_converges_with_order_4(void)
{
    for (int k = 1; k <= 3; ++k) {
        const double exact = bending(bending_root(k, -1.0));
        const double p = order(PKM_BEAM_LINEAR_CUBIC, 8, PKM_BEAM_FIX_ALL, 0, k, exact);
        CHECK_NEAR(p, 4.0, 0.1);
    }
    CHECK_NEAR(bending_root(1, -1.0), 1.875104068711961, 1e-14);
    CHECK_NEAR(bending_root(1, 1.0), 4.730040744862704, 1e-14);
}

static void pinned_beam_converges_with_order_4(void)
{
    for (int k = 1; k <= 3; ++k) {
        const double exact = bending(k * PI);
        CHECK_NEAR(order(PKM_BEAM_LINEAR_CUBIC, 8, HOLD_Y, HOLD_Y, k, exact), 4.0, 0.1);
        CHECK_NEAR(
            frequency(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, 64, PLANE_XY, HOLD_Y, HOLD_Y, k),
            exact, 1e-7 * k * k * exact);
    }
}

/// Free: a motion along y and a turn come first, with no stiffness.
static void free_beam_converges_with_order_4(void)
{
    for (int k = 1; k <= 3; ++k) {
        const double exact = bending(bending_root(k, 1.0));
        CHECK_NEAR(order(PKM_BEAM_LINEAR_CUBIC, 16, 0, 0, k + 2, exact), 4.0, 0.1);
    }
}

/// Quintics: order 8, so two elements reach what 64 cubic ones do.
static void quintic_shapes_converge_with_order_8(void)
{
    for (int k = 1; k <= 3; ++k) {
        const int n = k + 2;
        CHECK_NEAR(order(PKM_BEAM_CUBIC_QUINTIC, n, PKM_BEAM_FIX_ALL, 0, k,
                         bending(bending_root(k, -1.0))),
                   8.0, 0.5);
        CHECK_NEAR(order(PKM_BEAM_CUBIC_QUINTIC, n, HOLD_Y, HOLD_Y, k, bending(k * PI)), 8.0, 0.5);
        CHECK_NEAR(order(PKM_BEAM_CUBIC_QUINTIC, n, 0, 0, k + 2, bending(bending_root(k, 1.0))),
                   8.0, 0.5);
    }
    const double exact = bending(bending_root(1, -1.0));
    CHECK_NEAR(
        frequency(PKM_BEAM_CUBIC_QUINTIC, PKM_BEAM_EULER, 8, PLANE_XY, PKM_BEAM_FIX_ALL, 0, 1),
        exact, 1e-10 * exact); // no element size is left, only rounding
}

/// The angular frequency nearest to `exact` of a rod that can only stretch or twist at its nodes.
/// Bending between held nodes remains for quintic shapes; it has frequencies of its own.
static double rod_frequency(pkm_beam_shape shape, int n, unsigned hold, double exact)
{
    beam_case* c = bar(shape, PKM_BEAM_EULER, n, ALONG_X, Y);
    for (int k = 0; k <= n; ++k)
        CHECK(pkm_beam_mesh_fix(c->mesh, last_node(c, k), k == 0 ? PKM_BEAM_FIX_ALL : hold, NULL) ==
              PKM_OK);
    assemble(c);
    solve_modes(c, c->n);
    double best = INFINITY;
    for (int k = 0; k < c->n; ++k) {
        const double omega = sqrt(c->lambda[k]);
        if (fabs(omega - exact) < fabs(best - exact)) best = omega;
    }
    case_free(c);
    return best;
}

/// Stretch and torsion of a rod, fixed-free: pi c / 2. Linear shapes have order 2, cubic ones 6.
static void rods_meet_the_wave_equation(void)
{
    const unsigned hold[] = {STRETCH_ONLY, TORSION_ONLY};
    const double speed[] = {sqrt(2e6 / 2.0), sqrt(500.0 / 1.25e-3)};
    for (int i = 0; i < 2; ++i) {
        const double exact = 0.5 * PI * speed[i];
        const double linear[] = {rod_frequency(PKM_BEAM_LINEAR_CUBIC, 8, hold[i], exact) - exact,
                                 rod_frequency(PKM_BEAM_LINEAR_CUBIC, 16, hold[i], exact) - exact};
        const double cubic[] = {rod_frequency(PKM_BEAM_CUBIC_QUINTIC, 3, hold[i], exact) - exact,
                                rod_frequency(PKM_BEAM_CUBIC_QUINTIC, 6, hold[i], exact) - exact};
        CHECK_NEAR(log2(linear[0] / linear[1]), 2.0, 0.05);
        CHECK_NEAR(log2(cubic[0] / cubic[1]), 6.0, 0.5);
        CHECK(cubic[0] > 0.0 && cubic[0] < 1e-5 * exact);
    }
}

/// Pinned Timoshenko beam: with k = m pi / L the lower root of
///     (rho^2 I / kappa G) w^4 - (rho A + rho I (1 + E / kappa G) k^2) w^2 + E I k^4 = 0.
static double timoshenko_pinned(int m)
{
    const double EI = 1000.0, rhoA = 2.0, rhoI = 2000.0 * 0.5e-6, kG = 5.0 / 6.0 * 0.5e9;
    const double k = m * PI, a = 2000.0 * rhoI / kG;
    const double b = rhoA + rhoI * (1.0 + 2e9 / kG) * k * k, c = EI * k * k * k * k;
    return sqrt(2.0 * c / (b + sqrt(b * b - 4.0 * a * c)));
}

/// Shear is condensed inside the element without its inertia, so the order is 2, and extrapolation
/// to no element size meets the closed form.
static void timoshenko_beam_meets_the_closed_form(void)
{
    for (int m = 1; m <= 3; ++m) {
        const double exact = timoshenko_pinned(m);
        CHECK(exact < 0.998 * bending(m * PI)); // shear and rotary inertia count
        double omega[2];
        for (int i = 0; i < 2; ++i)
            omega[i] = frequency(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_TIMOSHENKO, 32 << i, PLANE_XY,
                                 HOLD_Y, HOLD_Y, m);
        CHECK_NEAR(log2((omega[0] - exact) / (omega[1] - exact)), 2.0, 0.05);
        CHECK_NEAR((4.0 * omega[1] - omega[0]) / 3.0, exact, 1e-6 * exact);
    }
}

/// Rotary inertia alone: w^2 = E I k^4 / (rho A + rho I k^2).
static void rayleigh_beam_meets_the_closed_form(void)
{
    for (int m = 1; m <= 3; ++m) {
        const double k = m * PI, exact = sqrt(1000.0 * pow(k, 4) / (2.0 + 1e-3 * k * k));
        CHECK_NEAR(
            frequency(PKM_BEAM_CUBIC_QUINTIC, PKM_BEAM_RAYLEIGH, 16, PLANE_XY, HOLD_Y, HOLD_Y, m),
            exact, 1e-9 * exact);
    }
}

/// A tip mass of the bar's own mass: 1 + cos cosh + b (cos sinh - sin cosh) = 0 has the first root
/// 1.24792; the point mass sits at the end, where quintic strains are free to jump.
static void tip_mass_lowers_the_frequency_as_it_must(void)
{
    double low = 1.0, high = 1.5;
    for (int i = 0; i < 100; ++i) {
        const double b = 0.5 * (low + high);
        const double f = 1.0 + cos(b) * cosh(b) + b * (cos(b) * sinh(b) - sin(b) * cosh(b));
        if (f > 0.0) {
            low = b;
        } else {
            high = b;
        }
    }
    for (int s = 0; s < 2; ++s) {
        const int n = s == 0 ? 32 : 4;
        beam_case* c = bar((pkm_beam_shape)s, PKM_BEAM_EULER, n, ALONG_X, Y);
        CHECK(pkm_beam_mesh_fix(c->mesh, last_node(c, 0), PKM_BEAM_FIX_ALL, NULL) == PKM_OK);
        CHECK(pkm_beam_mesh_add_mass(c->mesh, last_node(c, n), 2.0, (pkm_vec3){0}, (pkm_mat3){0},
                                     NULL) == PKM_OK);
        assemble(c);
        solve_modes(c, 1);
        CHECK_NEAR(sqrt(c->lambda[0]), bending(low), 1e-8 * bending(low));
        CHECK_NEAR(pkm_beam_mesh_total_mass(c->mesh), 4.0, 1e-14);
        case_free(c);
    }
}

/// Wright, Smith, Thresher and Wang (1982): flap of a rotating cantilever without hub, first mode,
/// at dimensionless speed 0 ... 12, as printed. The tension is rho A W^2 (L^2 - x^2) / 2.
static void rotating_beam_stiffens_as_published(void)
{
    static const double published[13] = {3.5160, 3.6816, 4.1373,  4.7973,  5.5850,  6.4495, 7.3604,
                                         8.2996, 9.2568, 10.2257, 11.2023, 12.1843, 13.1702};
    enum { N = 8 };
    const double unit = sqrt(500.0); // sqrt(EI / rho A L^4)
    for (int speed = 0; speed <= 12; ++speed) {
        beam_case* c = bar(PKM_BEAM_CUBIC_QUINTIC, PKM_BEAM_EULER, N, ALONG_X, Y);
        for (int k = 0; k <= N; ++k)
            CHECK(pkm_beam_mesh_fix(c->mesh, last_node(c, k), k == 0 ? PKM_BEAM_FIX_ALL : PLANE_XY,
                                    NULL) == PKM_OK);
        assemble(c);
        double force[3 * N];
        const double half = 0.5 * 2.0 * speed * speed * unit * unit, h = 1.0 / N;
        for (int e = 0; e < N; ++e) {
            const double x = e * h;
            force[3 * e] = half * (1.0 - x * x);
            force[3 * e + 1] = -half * 2.0 * x * h;
            force[3 * e + 2] = -half * h * h;
        }
        double* G = calloc((size_t)c->n * (size_t)c->n, sizeof *G);
        pkm_beam_mesh_geometric(c->mesh, force, G);
        for (int k = 0; k < c->n * c->n; ++k)
            c->K[k] += G[k];
        free(G);
        solve_modes(c, 1);
        CHECK_NEAR(sqrt(c->lambda[0]) / unit, published[speed], 5e-5);
        case_free(c);
    }
}

/// Euler's loads: K x = P G x with the geometric stiffness G of unit compression.
static double buckling_load(pkm_beam_shape shape, int n, unsigned left, unsigned right)
{
    beam_case* c = bar(shape, PKM_BEAM_EULER, n, ALONG_X, Y);
    for (int k = 0; k <= n; ++k) {
        const unsigned end = k == 0 ? left : k == n ? right : 0u;
        CHECK(pkm_beam_mesh_fix(c->mesh, last_node(c, k), PLANE_XY | end, NULL) == PKM_OK);
    }
    assemble(c);
    double force[3 * 64] = {0};
    for (int e = 0; e < n; ++e)
        force[3 * e] = 1.0;
    pkm_beam_mesh_geometric(c->mesh, force, c->M);
    solve_modes(c, 1);
    const double load = c->lambda[0];
    case_free(c);
    return load;
}

static void columns_buckle_at_eulers_loads(void)
{
    const double pinned = PI * PI * 1000.0;
    CHECK_NEAR(buckling_load(PKM_BEAM_CUBIC_QUINTIC, 4, HOLD_Y, HOLD_Y), pinned, 1e-8 * pinned);
    CHECK_NEAR(buckling_load(PKM_BEAM_CUBIC_QUINTIC, 4, PKM_BEAM_FIX_ALL, 0), 0.25 * pinned,
               1e-8 * pinned);
    CHECK_NEAR(buckling_load(PKM_BEAM_CUBIC_QUINTIC, 8, PKM_BEAM_FIX_ALL, PKM_BEAM_FIX_ALL),
               4.0 * pinned, 1e-7 * pinned);
    const double coarse = buckling_load(PKM_BEAM_LINEAR_CUBIC, 8, HOLD_Y, HOLD_Y) - pinned;
    const double fine = buckling_load(PKM_BEAM_LINEAR_CUBIC, 16, HOLD_Y, HOLD_Y) - pinned;
    CHECK_NEAR(log2(coarse / fine), 4.0, 0.1);
}

/// A bar in any direction has the same frequencies, all of them.
static void direction_does_not_matter(void)
{
    for (int s = 0; s < 2; ++s) {
        double reference[20];
        for (int d = 0; d < 3; ++d) {
            const pkm_vec3 to[] = {{1, 0, 0}, {0, 0, -1}, {2.0 / 7, -3.0 / 7, 6.0 / 7}};
            const pkm_vec3 y[] = {{0, 1, 0}, {0, 1, 0}, {1, 1, 0}};
            beam_case* c = bar((pkm_beam_shape)s, PKM_BEAM_EULER, 4, to[d], y[d]);
            assemble(c);
            solve_modes(c, 20);
            for (int k = 0; k < 20; ++k) {
                if (d == 0) reference[k] = c->lambda[k];
                // Six rigid motions first: zero, seen against the first bending mode.
                CHECK_NEAR(c->lambda[k], reference[k], 1e-9 * fmax(reference[k], reference[6]));
            }
            for (int k = 0; k < 6; ++k)
                CHECK_NEAR(c->lambda[k] / c->lambda[6], 0.0, 1e-8);
            case_free(c);
        }
    }
}

int main(void)
{
    RUN(clamped_free_beam_converges_with_order_4);
    RUN(pinned_beam_converges_with_order_4);
    RUN(free_beam_converges_with_order_4);
    RUN(quintic_shapes_converge_with_order_8);
    RUN(rods_meet_the_wave_equation);
    RUN(timoshenko_beam_meets_the_closed_form);
    RUN(rayleigh_beam_meets_the_closed_form);
    RUN(tip_mass_lowers_the_frequency_as_it_must);
    RUN(rotating_beam_stiffens_as_published);
    RUN(columns_buckle_at_eulers_loads);
    RUN(direction_does_not_matter);
    return check_report();
}
