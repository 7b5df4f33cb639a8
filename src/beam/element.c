// One beam element: its six fields u, v, w, rx, ry, rz as rows of shape functions over the
// coordinates of both ends, and the matrices that are integrals of products of these rows.
// Everything else in this folder is made of them. Equations: docs/theory/beams.md, section 2.
#include "beam/element.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

/// Six Gauss points on [0, 1]: exact up to degree 11. The highest products are those of two
/// quintics (mass), degree 10, and of their slopes with a quadratic force, degree 10 too.
const double pkm_beam_gauss_at[PKM_BEAM_N_GAUSS] = {
    0.5 - 0.5 * 0.9324695142031520278, 0.5 - 0.5 * 0.6612093864662645137,
    0.5 - 0.5 * 0.2386191860831969086, 0.5 + 0.5 * 0.2386191860831969086,
    0.5 + 0.5 * 0.6612093864662645137, 0.5 + 0.5 * 0.9324695142031520278,
};
const double pkm_beam_gauss_weight[PKM_BEAM_N_GAUSS] = {
    0.5 * 0.1713244923791703450, 0.5 * 0.3607615730481386076, 0.5 * 0.4679139345726910474,
    0.5 * 0.4679139345726910474, 0.5 * 0.3607615730481386076, 0.5 * 0.1713244923791703450,
};

enum { U, V, W, RX, RY, RZ };                   // fields, and coordinates of an end
enum { U_X = 6, RX_X = 7, V_XX = 8, W_XX = 9 }; // strains of an end, cubic/quintic only

int pkm_beam_shape_size(pkm_beam_shape shape)
{
    return shape == PKM_BEAM_CUBIC_QUINTIC ? 20 : 12;
}

pkm_status pkm_beam_element_check(const pkm_beam_element* element, pkm_error* err)
{
    if (!(element->length > 0.0) || !isfinite(element->length))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "beam: length of an element %g m, expected > 0",
                        element->length);
    PKM_TRY(pkm_beam_section_check(&element->section, err));
    PKM_TRY(pkm_beam_material_check(&element->material, err));
    if (element->theory == PKM_BEAM_TIMOSHENKO && element->shape != PKM_BEAM_LINEAR_CUBIC)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "beam: Timoshenko's theory needs linear/cubic shape functions");
    return PKM_OK;
}

// Hermite polynomials by powers of xi; function k belongs to end k / (n/2), derivative k % (n/2).
static const double LINEAR[2][6] = {{1, -1}, {0, 1}};
static const double CUBIC[4][6] = {{1, 0, -3, 2}, {0, 1, -2, 1}, {0, 0, 3, -2}, {0, 0, -1, 1}};
static const double QUINTIC[6][6] = {
    {1, 0, 0, -10, 15, -6}, {0, 1, 0, -6, 8, -3}, {0, 0, 0.5, -1.5, 1.5, -0.5},
    {0, 0, 0, 10, -15, 6},  {0, 0, 0, -4, 7, -3}, {0, 0, 0, 0.5, -1, 0.5},
};

/// Value, first and second derivative of a polynomial by powers.
static void polynomial(const double c[6], double xi, double p[3])
{
    p[0] = p[1] = p[2] = 0.0;
    for (int k = 5; k >= 0; --k) {
        p[2] = p[2] * xi + 2.0 * p[1];
        p[1] = p[1] * xi + p[0];
        p[0] = p[0] * xi + c[k];
    }
}

/// One Hermite function of order `derivative` in x: scaled by length^derivative, and its first two
/// derivatives with respect to x.
static void hermite(const double c[6], int derivative, double l, double xi, double p[3])
{
    polynomial(c, xi, p);
    const double scale = derivative == 0 ? 1.0 : derivative == 1 ? l : l * l;
    p[0] *= scale;
    p[1] *= scale / l;
    p[2] *= scale / (l * l);
}

/// Field `field` has the function with derivatives p at coordinate `at`.
static void set(pkm_beam_field* out, int field, int at, const double p[2])
{
    out->value[field][at] = p[0];
    out->slope[field][at] = p[1];
}

/// Bending function with derivatives p[0..2] and rotation r[0..1] at the coordinates of both
/// planes: in x-y rotation and deflection have one sign, rz = v'; in x-z they differ, ry = -w'.
static void set_bending(pkm_beam_field* out, int end, int derivative, const double p[2],
                        const double r[2])
{
    static const int at_v[] = {V, RZ, V_XX}, at_w[] = {W, RY, W_XX};
    const double s = derivative == 1 ? -1.0 : 1.0; // the coordinate is ry = -w'
    const double sp[] = {s * p[0], s * p[1]}, sr[] = {-s * r[0], -s * r[1]};
    set(out, V, end + at_v[derivative], p);
    set(out, RZ, end + at_v[derivative], r);
    set(out, W, end + at_w[derivative], sp);
    set(out, RY, end + at_w[derivative], sr);
}

/// Shear parameter 12 EI / (kappa G A l^2) of Timoshenko's element, 0 without shear.
static double shear_parameter(const pkm_beam_element* e, double I)
{
    if (e->theory != PKM_BEAM_TIMOSHENKO) return 0.0;
    const double kappa = pkm_beam_section_kappa(&e->section, &e->material);
    return 12.0 * e->material.E * I /
           (kappa * e->material.G * e->section.A * e->length * e->length);
}

/// Timoshenko's element in one plane (2.4): deflection p and rotation r of coordinate k = 0..3,
/// with first derivatives. Phi = 0 gives the cubic and its slope.
static void timoshenko(double Phi, double l, double xi, double p[4][2], double r[4][2])
{
    const double m = 1.0 / (1.0 + Phi), x = xi, xx = x * x;
    const double deflection[4][2] = {
        {1 - 3 * xx + 2 * xx * x + Phi * (1 - x), (-6 * x + 6 * xx - Phi) / l},
        {l * (x - 2 * xx + xx * x + 0.5 * Phi * (x - xx)),
         1 - 4 * x + 3 * xx + 0.5 * Phi * (1 - 2 * x)},
        {3 * xx - 2 * xx * x + Phi * x, (6 * x - 6 * xx + Phi) / l},
        {l * (-xx + xx * x - 0.5 * Phi * (x - xx)), -2 * x + 3 * xx - 0.5 * Phi * (1 - 2 * x)},
    };
    const double rotation[4][2] = {
        {6 * (xx - x) / l, 6 * (2 * x - 1) / (l * l)},
        {1 - 4 * x + 3 * xx + Phi * (1 - x), (-4 + 6 * x - Phi) / l},
        {6 * (x - xx) / l, 6 * (1 - 2 * x) / (l * l)},
        {-2 * x + 3 * xx + Phi * x, (-2 + 6 * x + Phi) / l},
    };
    for (int k = 0; k < 4; ++k) {
        for (int d = 0; d < 2; ++d) {
            p[k][d] = m * deflection[k][d];
            r[k][d] = m * rotation[k][d];
        }
    }
}

/// (2.1), first row: stretch and torsion linear, bending (2.4) in both planes.
static void linear_cubic_field(const pkm_beam_element* e, double xi, pkm_beam_field* out)
{
    const double l = e->length;
    for (int end = 0; end < 2; ++end) {
        double p[3];
        hermite(LINEAR[end], 0, l, xi, p);
        set(out, U, 6 * end + U, p);
        set(out, RX, 6 * end + RX, p);
    }
    double p[4][2], r[4][2];
    timoshenko(shear_parameter(e, e->section.Iz), l, xi, p, r);
    for (int k = 0; k < 4; ++k) {
        const int at = 6 * (k / 2) + (k % 2 == 0 ? V : RZ);
        set(out, V, at, p[k]);
        set(out, RZ, at, r[k]);
    }
    timoshenko(shear_parameter(e, e->section.Iy), l, xi, p, r);
    for (int k = 0; k < 4; ++k) {
        const int at = 6 * (k / 2) + (k % 2 == 0 ? W : RY);
        const double s = k % 2 == 0 ? 1.0 : -1.0; // the coordinate is ry = -w'
        set(out, W, at, (double[]){s * p[k][0], s * p[k][1]});
        set(out, RY, at, (double[]){-s * r[k][0], -s * r[k][1]});
    }
}

/// (2.1), second row, by the polynomials (2.2); sections stay normal to the axis (2.3).
static void cubic_quintic_field(const pkm_beam_element* e, double xi, pkm_beam_field* out)
{
    static const int at_u[] = {U, U_X}, at_rx[] = {RX, RX_X};
    double p[3];
    for (int k = 0; k < 4; ++k) {
        const int end = 10 * (k / 2);
        hermite(CUBIC[k], k % 2, e->length, xi, p);
        set(out, U, end + at_u[k % 2], p);
        set(out, RX, end + at_rx[k % 2], p);
    }
    for (int k = 0; k < 6; ++k) {
        hermite(QUINTIC[k], k % 3, e->length, xi, p);
        set_bending(out, 10 * (k / 3), k % 3, p, p + 1);
    }
}

void pkm_beam_element_field(const pkm_beam_element* element, double xi, pkm_beam_field* out)
{
    memset(out, 0, sizeof *out);
    if (element->shape == PKM_BEAM_CUBIC_QUINTIC) {
        cubic_quintic_field(element, xi, out);
    } else {
        linear_cubic_field(element, xi, out);
    }
}

/// A += c a b'
static void add_product(double* A, int n, double c, const double* a, const double* b)
{
    for (int j = 0; j < n; ++j) {
        if (b[j] == 0.0) continue;
        for (int i = 0; i < n; ++i)
            A[j * n + i] += c * a[i] * b[j];
    }
}

/// A shear strain, slope + sign rotation.
static void add_shear(double* K, int n, double c, const double* slope, double sign,
                      const double* rotation)
{
    double strain[PKM_BEAM_MAX_SIZE];
    for (int i = 0; i < n; ++i)
        strain[i] = slope[i] + sign * rotation[i];
    add_product(K, n, c, strain, strain);
}

/// Weight of Gauss place `g` in an integral over the element, and its field.
static double gauss_field(const pkm_beam_element* e, int g, pkm_beam_field* f)
{
    pkm_beam_element_field(e, pkm_beam_gauss_at[g], f);
    return pkm_beam_gauss_weight[g] * e->length;
}

static void clear(const pkm_beam_element* e, double* A)
{
    const size_t n = (size_t)pkm_beam_shape_size(e->shape);
    memset(A, 0, n * n * sizeof *A);
}

/// (2.6): stretch, torsion, bending in both planes, and shear v' - rz, w' + ry with Timoshenko.
void pkm_beam_element_stiffness(const pkm_beam_element* element, double* K)
{
    const int n = pkm_beam_shape_size(element->shape);
    const pkm_beam_section* s = &element->section;
    const double E = element->material.E, G = element->material.G;
    const double kappa = pkm_beam_section_kappa(s, &element->material);
    clear(element, K);
    for (int g = 0; g < PKM_BEAM_N_GAUSS; ++g) {
        pkm_beam_field f;
        const double c = gauss_field(element, g, &f);
        add_product(K, n, c * E * s->A, f.slope[U], f.slope[U]);
        add_product(K, n, c * G * s->J, f.slope[RX], f.slope[RX]);
        add_product(K, n, c * E * s->Iy, f.slope[RY], f.slope[RY]);
        add_product(K, n, c * E * s->Iz, f.slope[RZ], f.slope[RZ]);
        if (element->theory == PKM_BEAM_TIMOSHENKO) {
            add_shear(K, n, c * kappa * G * s->A, f.slope[V], -1.0, f.value[RZ]);
            add_shear(K, n, c * kappa * G * s->A, f.slope[W], 1.0, f.value[RY]);
        }
    }
}

/// (2.7); rotary inertia of bending is left out by Euler and Bernoulli.
void pkm_beam_element_mass(const pkm_beam_element* element, double* M)
{
    const int n = pkm_beam_shape_size(element->shape);
    const pkm_beam_section* s = &element->section;
    const double rho = element->material.rho;
    clear(element, M);
    for (int g = 0; g < PKM_BEAM_N_GAUSS; ++g) {
        pkm_beam_field f;
        const double c = rho * gauss_field(element, g, &f);
        for (int d = U; d <= W; ++d)
            add_product(M, n, c * s->A, f.value[d], f.value[d]);
        add_product(M, n, c * s->Ip, f.value[RX], f.value[RX]);
        if (element->theory == PKM_BEAM_EULER) continue;
        add_product(M, n, c * s->Iy, f.value[RY], f.value[RY]);
        add_product(M, n, c * s->Iz, f.value[RZ], f.value[RZ]);
    }
}

/// (2.8): N(x) = N0 + N1 xi + N2 xi^2, tension positive.
void pkm_beam_element_geometric(const pkm_beam_element* element, const double force[3], double* K)
{
    const int n = pkm_beam_shape_size(element->shape);
    clear(element, K);
    for (int g = 0; g < PKM_BEAM_N_GAUSS; ++g) {
        pkm_beam_field f;
        const double c = gauss_field(element, g, &f), xi = pkm_beam_gauss_at[g];
        const double N = force[0] + xi * (force[1] + xi * force[2]);
        add_product(K, n, c * N, f.slope[V], f.slope[V]);
        add_product(K, n, c * N, f.slope[W], f.slope[W]);
    }
}
