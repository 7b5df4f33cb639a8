// The published assembly in time: its force in closed form, its response against its modes.
#include "check.h"
#include "kuo/kuo.h"
#include "reproduce/kuo2016_impl.h"
#include "reproduce/kuo2016_response.h"

#include <string.h>

enum { N = 30, N_LIMB = 8, D13 = 6, D14 = 7, N_STEP = 400 };
static const pkm_vec3 P1 = {0.1, 0.0, 0.5};

static pkm_kuo2016* create(int n_element)
{
    const pkm_kuo2016_robot robot = pkm_kuo_robot_paper();
    const pkm_kuo2016_settings settings = {.shape = PKM_BEAM_LINEAR_CUBIC, .n_element = n_element};
    pkm_kuo2016* kuo = NULL;
    CHECK(pkm_kuo2016_create(&robot, &settings, &kuo, NULL) == PKM_OK);
    return kuo;
}

/// int_0^L (b0 + (b1 - b0) x/L) (x - 2 x^2/L + x^3/L^2) dx: a load that runs straight, on the shape
/// of a unit slope at x = 0.
static double on_slope(double b0, double b1, double L)
{
    return b0 * L * L / 12.0 + (b1 - b0) * L * L / 30.0;
}

// d13 and d14 turn the end of the lower link at B and nothing else.
static void load_on_the_slopes_of_a_rod_has_its_closed_form(void)
{
    pkm_kuo2016* kuo = create(1);
    const pkm_beam_jet P = {P1, {0.3, -0.2, 0.1}, {4.0, 7.0, -3.0}};
    double f[N];
    CHECK(pkm_kuo2016_size(kuo) == N && pkm_kuo2016_matrices(kuo, P, f, NULL) == PKM_OK);
    const double L = kuo->robot.length[PKM_KUO2016_LOWER];
    const double rho_A = kuo->robot.material.rho * kuo->robot.section[PKM_KUO2016_LOWER].A;
    for (int i = 0; i < 3; ++i) {
        pkm_kuo2016_limb limb;
        CHECK(pkm_kuo2016_limb_at(&kuo->robot, i, P, &limb, NULL) == PKM_OK);
        const pkm_vec3 g = {0.0, 0.0, kuo->robot.gravity};
        const pkm_vec3 b0 = pkm_vec3_sub(g, limb.B.a), b1 = pkm_vec3_sub(g, limb.D.a);
        // axes of the rod: x along it, z across it and the drive's axis, y = z x x
        const pkm_vec3 x = pkm_vec3_scale(1.0 / L, pkm_vec3_sub(limb.D.x, limb.B.x));
        const pkm_vec3 y = pkm_vec3_cross(limb.z.x, x);
        const int at = 6 + i * N_LIMB;
        CHECK_NEAR(f[at + D13], rho_A * on_slope(pkm_vec3_dot(b0, y), pkm_vec3_dot(b1, y), L),
                   1e-12);
        CHECK_NEAR(f[at + D14],
                   rho_A * on_slope(pkm_vec3_dot(b0, limb.z.x), pkm_vec3_dot(b1, limb.z.x), L),
                   1e-12);
    }
    pkm_kuo2016_free(kuo);
}

static void rest_at(pkm_beam_jet* P, int n)
{
    for (int i = 0; i < n; ++i)
        P[i] = pkm_beam_jet_rest(P1);
}

// A robot that stands: the deflection under its weight is at rest, and it is the only motion that
// repeats itself.
static void deflection_of_a_standing_robot_stays(void)
{
    static pkm_beam_jet P[N_STEP + 1];
    static double still[N_STEP + 1][6], periodic[N_STEP + 1][6];
    pkm_kuo2016* kuo = create(2);
    rest_at(P, N_STEP + 1);
    const pkm_kuo2016_path path = {P, N_STEP + 1, 1e-3};
    CHECK(pkm_kuo2016_respond(kuo, &path, PKM_KUO2016_STATIC, still, NULL) == PKM_OK);
    CHECK(pkm_kuo2016_respond(kuo, &path, PKM_KUO2016_PERIODIC, periodic, NULL) == PKM_OK);
    CHECK(still[0][2] > 0.01); // centimetres, as 17.5 rad/s say
    for (int i = 0; i <= N_STEP; i += 50)
        for (int k = 0; k < 6; ++k) {
            CHECK_NEAR(still[i][k], still[0][k], 1e-10);
            CHECK_NEAR(periodic[i][k], still[0][k], 1e-8);
        }
    pkm_kuo2016_free(kuo);
}

// Let go undeformed: q = sum_k x_k (x_k.f) / w_k^2 (1 - cos w_k t). Newmark's phase is late by
// (w h)^2 / 12 of it, 1e-4 for the modes that move the platform.
static void let_go_it_swings_in_its_modes(void)
{
    static pkm_beam_jet P[N_STEP + 1];
    static double found[N_STEP + 1][6];
    double lambda[N], x[N * N], f[N];
    pkm_kuo2016* kuo = create(1);
    rest_at(P, N_STEP + 1);
    const double h = 5e-4;
    const pkm_kuo2016_path path = {P, N_STEP + 1, h};
    CHECK(pkm_kuo2016_respond(kuo, &path, PKM_KUO2016_UNDEFORMED, found, NULL) == PKM_OK);
    CHECK(pkm_kuo2016_matrices(kuo, P[0], f, NULL) == PKM_OK);
    double M[N * N];
    memcpy(M, kuo->M, sizeof M);
    CHECK(pkm_eigen_lowest(kuo->eigen, N, kuo->K, kuo->M, N, lambda, x) == PKM_OK);
    for (int i = 0; i <= N_STEP; i += 40) {
        double q[6] = {0.0};
        for (int k = 0; k < N; ++k) {
            const double* xk = x + k * N;
            double work = 0.0, mass = 0.0;
            for (int a = 0; a < N; ++a) {
                work += xk[a] * f[a];
                for (int b = 0; b < N; ++b)
                    mass += xk[a] * M[a * N + b] * xk[b];
            }
            const double swing = work / (mass * lambda[k]) * (1.0 - cos(sqrt(lambda[k]) * i * h));
            for (int c = 0; c < 6; ++c)
                q[c] += xk[c] * swing;
        }
        for (int c = 0; c < 3; ++c)
            CHECK_NEAR(found[i][c], q[c], 2e-4 * 0.02);
    }
    pkm_kuo2016_free(kuo);
}

static void other_shapes_and_lone_instants_are_refused(void)
{
    const pkm_kuo2016_robot robot = pkm_kuo_robot_paper();
    const pkm_kuo2016_settings quintic = {.shape = PKM_BEAM_CUBIC_QUINTIC, .n_element = 1};
    pkm_beam_jet P[2];
    double out[2][6];
    pkm_error err;
    pkm_kuo2016* kuo = NULL;
    rest_at(P, 2);
    CHECK(pkm_kuo2016_create(&robot, &quintic, &kuo, NULL) == PKM_OK);
    const pkm_kuo2016_path path = {P, 2, 1e-3}, lone = {P, 1, 1e-3};
    CHECK(pkm_kuo2016_respond(kuo, &path, PKM_KUO2016_STATIC, out, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "linear-cubic");
    pkm_kuo2016_free(kuo);
    kuo = create(1);
    CHECK(pkm_kuo2016_respond(kuo, &lone, PKM_KUO2016_STATIC, out, &err) == PKM_ERR_ARGUMENT);
    pkm_kuo2016_free(kuo);
}

int main(void)
{
    RUN(load_on_the_slopes_of_a_rod_has_its_closed_form);
    RUN(deflection_of_a_standing_robot_stays);
    RUN(let_go_it_swings_in_its_modes);
    RUN(other_shapes_and_lone_instants_are_refused);
    return check_report();
}
