// One element: matrices against the closed forms of textbooks and against what shapes must do.
#include "kuo/moving_mesh.h"
#include "unit/beam/beams.h"

enum { U, V, W, RX, RY, RZ };

static pkm_beam_element element(pkm_beam_shape shape, pkm_beam_theory theory)
{
    return (pkm_beam_element){.length = 0.7,
                              .section = bar_section(),
                              .material = bar_material(),
                              .shape = shape,
                              .theory = theory};
}

/// Przemieniecki's 12 x 12 stiffness, in x-y: 12 6l 4l2 2l2 times EI/l3.
static void stiffness_is_the_textbook_one(void)
{
    const pkm_beam_element e = element(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER);
    double K[144];
    pkm_beam_element_stiffness(&e, K);
    const double l = e.length, EIz = 1000.0, EIy = 4000.0;
    const double z = EIz / (l * l * l), y = EIy / (l * l * l);
#define AT(i, j) K[(j)*12 + (i)]
    CHECK_NEAR(AT(U, U), 2e6 / l, 1e-8);
    CHECK_NEAR(AT(U, 6 + U), -2e6 / l, 1e-8);
    CHECK_NEAR(AT(RX, 6 + RX), -500.0 / l, 1e-10);
    CHECK_NEAR(AT(V, V), 12.0 * z, 1e-9);
    CHECK_NEAR(AT(V, RZ), 6.0 * l * z, 1e-9);
    CHECK_NEAR(AT(RZ, RZ), 4.0 * l * l * z, 1e-9);
    CHECK_NEAR(AT(RZ, 6 + RZ), 2.0 * l * l * z, 1e-9);
    CHECK_NEAR(AT(V, 6 + V), -12.0 * z, 1e-9);
    CHECK_NEAR(AT(W, RY), -6.0 * l * y, 1e-8);
    CHECK_NEAR(AT(6 + W, RY), 6.0 * l * y, 1e-8);
    CHECK_NEAR(AT(V, W), 0.0, 0.0);
#undef AT
}

/// The consistent mass 156 22l 54 -13l 4l2 -3l2 times rho A l / 420.
static void mass_is_the_textbook_one(void)
{
    const pkm_beam_element e = element(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER);
    double M[144];
    pkm_beam_element_mass(&e, M);
    const double l = e.length, m = 2.0 * l;
#define AT(i, j) M[(j)*12 + (i)]
    CHECK_NEAR(AT(U, U), m / 3.0, 1e-15);
    CHECK_NEAR(AT(U, 6 + U), m / 6.0, 1e-15);
    CHECK_NEAR(AT(RX, 6 + RX), 1.25e-3 * l / 6.0, 1e-18);
    CHECK_NEAR(AT(V, V), 156.0 * m / 420.0, 1e-14);
    CHECK_NEAR(AT(V, RZ), 22.0 * l * m / 420.0, 1e-15);
    CHECK_NEAR(AT(V, 6 + V), 54.0 * m / 420.0, 1e-15);
    CHECK_NEAR(AT(V, 6 + RZ), -13.0 * l * m / 420.0, 1e-15);
    CHECK_NEAR(AT(RZ, RZ), 4.0 * l * l * m / 420.0, 1e-15);
    CHECK_NEAR(AT(RZ, 6 + RZ), -3.0 * l * l * m / 420.0, 1e-15);
    CHECK_NEAR(AT(W, RY), -22.0 * l * m / 420.0, 1e-15);
#undef AT
}

/// Rotary inertia 36 3l 4l2 -l2 times rho I / (30 l); geometric stiffness the same times N / (30
/// l).
static void rotary_and_geometric_terms_are_the_textbook_ones(void)
{
    pkm_beam_element e = element(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER);
    double M[144], R[144], G[144];
    pkm_beam_element_mass(&e, M);
    e.theory = PKM_BEAM_RAYLEIGH;
    pkm_beam_element_mass(&e, R);
    const double force[3] = {7.0, 0.0, 0.0}, l = e.length;
    for (int k = 0; k < 144; ++k)
        G[k] = 1e3; // whatever was there
    pkm_beam_element_geometric(&e, force, G);
    const int place[][2] = {{V, V}, {V, RZ}, {RZ, RZ}, {RZ, 6 + RZ}, {V, 6 + V}};
    const double number[] = {36.0, 3.0 * l, 4.0 * l * l, -l * l, -36.0};
    for (int k = 0; k < 5; ++k) {
        const int at = place[k][1] * 12 + place[k][0];
        CHECK_NEAR(R[at] - M[at], number[k] * 2000.0 * 0.5e-6 / (30.0 * l), 1e-15);
        CHECK_NEAR(G[at], number[k] * 7.0 / (30.0 * l), 1e-12);
    }
    CHECK_NEAR(R[W * 12 + W] - M[W * 12 + W], 36.0 * 2000.0 * 2e-6 / (30.0 * l), 1e-15);
    CHECK_NEAR(G[U * 12 + U], 0.0, 0.0);
}

/// Timoshenko's stiffness: 12 / (1 + Phi) and (4 + Phi) / (1 + Phi), (2 - Phi) / (1 + Phi).
static void timoshenko_stiffness_is_the_textbook_one(void)
{
    const pkm_beam_element e = element(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_TIMOSHENKO);
    double K[144];
    pkm_beam_element_stiffness(&e, K);
    const double l = e.length, EI = 1000.0, GAs = 5.0 / 6.0 * 0.5e9 * 1e-3;
    const double Phi = 12.0 * EI / (GAs * l * l), z = EI / (l * l * l * (1.0 + Phi));
    CHECK(Phi > 0.05);
    CHECK_NEAR(K[V * 12 + V], 12.0 * z, 1e-8);
    CHECK_NEAR(K[RZ * 12 + V], 6.0 * l * z, 1e-8);
    CHECK_NEAR(K[RZ * 12 + RZ], (4.0 + Phi) * l * l * z, 1e-8);
    CHECK_NEAR(K[(6 + RZ) * 12 + RZ], (2.0 - Phi) * l * l * z, 1e-8);
}

/// Rigid motion of both ends: no forces; the momentum is that of the bar.
static void rigid_motions_cost_nothing(void)
{
    const pkm_beam_theory theory[] = {PKM_BEAM_EULER, PKM_BEAM_RAYLEIGH, PKM_BEAM_TIMOSHENKO};
    for (int t = 0; t < 4; ++t) {
        const pkm_beam_shape shape = t == 3 ? PKM_BEAM_CUBIC_QUINTIC : PKM_BEAM_LINEAR_CUBIC;
        const pkm_beam_element e = element(shape, t == 3 ? PKM_BEAM_EULER : theory[t]);
        const int n = pkm_beam_shape_size(shape), end = n / 2;
        double K[400], M[400];
        pkm_beam_element_stiffness(&e, K);
        pkm_beam_element_mass(&e, M);
        for (int k = 0; k < 6; ++k) {
            double x[20] = {0};
            x[k] = x[end + k] = 1.0;
            if (k == RZ) x[end + V] = e.length;
            if (k == RY) x[end + W] = -e.length;
            double energy = 0.0;
            for (int i = 0; i < n; ++i) {
                double f = 0.0;
                for (int j = 0; j < n; ++j) {
                    f += K[j * n + i] * x[j];
                    energy += x[i] * M[j * n + i] * x[j];
                }
                CHECK_NEAR(f, 0.0, 1e-9 * 2e6);
            }
            const double m = 2.0 * e.length, l = e.length;
            const double own = t == 1 || t == 2 ? 1.0 : 0.0;
            const double inertia[] = {m,
                                      m,
                                      m,
                                      1.25e-3 * l,
                                      m * l * l / 3.0 + own * 2000.0 * 2e-6 * l,
                                      m * l * l / 3.0 + own * 2000.0 * 0.5e-6 * l};
            CHECK_NEAR(energy, inertia[k], 1e-14);
        }
    }
}

/// The fields at the ends are the coordinates, and `slope` is the derivative of `value`.
static void fields_interpolate_and_differentiate(void)
{
    for (int s = 0; s < 3; ++s) {
        const pkm_beam_element e = element(s == 0 ? PKM_BEAM_CUBIC_QUINTIC : PKM_BEAM_LINEAR_CUBIC,
                                           s == 2 ? PKM_BEAM_TIMOSHENKO : PKM_BEAM_EULER);
        const int n = pkm_beam_shape_size(e.shape), end = n / 2;
        pkm_beam_field f0, f1, f, before, after;
        pkm_beam_element_field(&e, 0.0, &f0);
        pkm_beam_element_field(&e, 1.0, &f1);
        pkm_beam_element_field(&e, 0.3, &f);
        pkm_beam_element_field(&e, 0.3 - 1e-6, &before);
        pkm_beam_element_field(&e, 0.3 + 1e-6, &after);
        for (int k = 0; k < 6; ++k) {
            for (int i = 0; i < n; ++i) {
                CHECK_NEAR(f0.value[k][i], i == k ? 1.0 : 0.0, 1e-14);
                CHECK_NEAR(f1.value[k][i], i == end + k ? 1.0 : 0.0, 1e-14);
                const double slope = (after.value[k][i] - before.value[k][i]) / (2e-6 * e.length);
                CHECK_NEAR(f.slope[k][i], slope, 1e-8);
            }
        }
        if (s != 0) continue;
        CHECK_NEAR(f1.slope[U][end + 6], 1.0, 1e-14);   // u'
        CHECK_NEAR(f0.slope[RX][7], 1.0, 1e-14);        // rx'
        CHECK_NEAR(f0.slope[RZ][8], 1.0, 1e-14);        // v'' = rz'
        CHECK_NEAR(f1.slope[RY][end + 9], -1.0, 1e-13); // w'' = -ry'
    }
}

/// Quintics hold the cubics: the cubic element's matrices come out when the strains are those of
/// the cubic.
static void the_cubic_element_is_inside_the_quintic_one(void)
{
    const pkm_beam_element fine = element(PKM_BEAM_CUBIC_QUINTIC, PKM_BEAM_EULER);
    const pkm_beam_element coarse = element(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER);
    double T[20 * 12] = {0}; // coordinates of the fine one from those of the coarse one
    pkm_beam_field f[2];
    pkm_beam_element_field(&coarse, 0.0, &f[0]);
    pkm_beam_element_field(&coarse, 1.0, &f[1]);
    for (int j = 0; j < 12; ++j) {
        for (int end = 0; end < 2; ++end) {
            double* t = T + 20 * j + 10 * end;
            for (int k = 0; k < 6; ++k)
                t[k] = f[end].value[k][j];
            t[6] = f[end].slope[U][j];
            t[7] = f[end].slope[RX][j];
            t[8] = f[end].slope[RZ][j];
            t[9] = -f[end].slope[RY][j];
        }
    }
    const double force[3] = {5.0, -3.0, 2.0};
    double A[400], B[144];
    for (int kind = 0; kind < 4; ++kind) {
        if (kind == 0) pkm_beam_element_stiffness(&fine, A), pkm_beam_element_stiffness(&coarse, B);
        if (kind == 1) pkm_beam_element_mass(&fine, A), pkm_beam_element_mass(&coarse, B);
        if (kind == 2)
            pkm_beam_element_geometric(&fine, force, A),
                pkm_beam_element_geometric(&coarse, force, B);
        if (kind == 3)
            pkm_beam_element_pair(&fine, V, U, A), pkm_beam_element_pair(&coarse, V, U, B);
        double largest = 0.0;
        for (int k = 0; k < 144; ++k)
            largest = fmax(largest, fabs(B[k]));
        for (int j = 0; j < 12; ++j) {
            for (int i = 0; i < 12; ++i) {
                double sum = 0.0;
                for (int a = 0; a < 20; ++a)
                    for (int b = 0; b < 20; ++b)
                        sum += T[20 * i + a] * A[20 * b + a] * T[20 * j + b];
                CHECK_NEAR(sum, B[12 * j + i], 1e-13 * largest);
            }
        }
    }
}

static void bad_elements_are_refused(void)
{
    pkm_error err;
    pkm_beam_element e = element(PKM_BEAM_CUBIC_QUINTIC, PKM_BEAM_TIMOSHENKO);
    CHECK(pkm_beam_element_check(&e, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "Timoshenko");
    e = element(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER);
    CHECK(pkm_beam_element_check(&e, &err) == PKM_OK);
    e.length = 0.0;
    CHECK(pkm_beam_element_check(&e, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "length of an element 0 m");
}

int main(void)
{
    RUN(stiffness_is_the_textbook_one);
    RUN(mass_is_the_textbook_one);
    RUN(rotary_and_geometric_terms_are_the_textbook_ones);
    RUN(timoshenko_stiffness_is_the_textbook_one);
    RUN(rigid_motions_cost_nothing);
    RUN(fields_interpolate_and_differentiate);
    RUN(the_cubic_element_is_inside_the_quintic_one);
    RUN(bad_elements_are_refused);
    return check_report();
}
