// Cross sections: area, moments, St-Venant's torsion and Cowper's shear factor. Sizes in m; y and z
// as in docs/theory/beams.md, section 1, whose equations these are.
#include "beam/section.h"

#include "base/error.h"
#include "math/angle.h"

#include <math.h>

static const double LAMBDA5 = 1.0045237627951396; // sum of 1/k^5 over odd k, 31/32 zeta(5)

static bool is_positive(double x)
{
    return x > 0.0 && isfinite(x);
}

/// Cowper's 1/kappa for a round tube with m = inner/outer diameter (1.5).
static void set_round_shear(pkm_beam_section* out, double m)
{
    const double mm = m * m, q = (1.0 + mm) * (1.0 + mm);
    out->shear[0] = (7.0 * q + 20.0 * mm) / (6.0 * q);
    out->shear[1] = (6.0 * q + 12.0 * mm) / (6.0 * q);
}

pkm_status pkm_beam_section_tube(double outer, double inner, pkm_beam_section* out, pkm_error* err)
{
    *out = (pkm_beam_section){0};
    if (!is_positive(outer))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "section: diameter %g m, expected > 0", outer);
    if (!(inner >= 0.0 && inner < outer))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "section: inner diameter %g m, expected >= 0 and below the outer one, %g m",
                        inner, outer);
    const double R = 0.5 * outer, r = 0.5 * inner;
    // differences of powers as products: thin tubes keep their digits
    out->A = PKM_PI * (R - r) * (R + r);
    out->Iy = out->Iz = 0.25 * out->A * (R * R + r * r);
    out->J = out->Ip = 2.0 * out->Iy;
    out->y_edge = out->z_edge = R;
    out->outline = PKM_BEAM_ROUND;
    out->inner = r;
    set_round_shear(out, r / R);
    return PKM_OK;
}

pkm_status pkm_beam_section_round(double diameter, pkm_beam_section* out, pkm_error* err)
{
    return pkm_beam_section_tube(diameter, 0.0, out, err);
}

/// St-Venant's torsion constant of a rectangle with sides a >= b (1.4):
///
///     J = a b^3 (1/3 - 64/pi^5 b/a sum_{k odd} tanh(k pi a/(2 b)) / k^5)
///
/// tanh is 1 but for exp(-k pi a/b): that part is summed, five terms reach rounding.
static double st_venant(double a, double b)
{
    double sum = LAMBDA5;
    for (int k = 1; k <= 9; k += 2) {
        const double tail = 2.0 / (exp(k * PKM_PI * a / b) + 1.0); // 1 - tanh
        sum -= tail / pow(k, 5);
    }
    return a * b * b * b * (1.0 / 3.0 - 64.0 / pow(PKM_PI, 5) * (b / a) * sum);
}

pkm_status pkm_beam_section_rectangle(double width, double height, pkm_beam_torsion torsion,
                                      pkm_beam_section* out, pkm_error* err)
{
    *out = (pkm_beam_section){0};
    if (!is_positive(width) || !is_positive(height))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "section: rectangle of %g x %g m, expected > 0",
                        width, height);
    // Iy resists bending in x-z, over the height; Iz in x-y, over the width
    out->A = width * height;
    out->Iy = out->A * height * height / 12.0;
    out->Iz = out->A * width * width / 12.0;
    out->Ip = out->Iy + out->Iz;
    out->J = torsion == PKM_BEAM_TORSION_POLAR
                 ? out->Ip
                 : st_venant(fmax(width, height), fmin(width, height));
    // Cowper's 1/kappa = (12 + 11 nu)/(10 (1 + nu)) of a rectangle (1.5)
    out->shear[0] = 12.0 / 10.0;
    out->shear[1] = 11.0 / 10.0;
    out->y_edge = 0.5 * width;
    out->z_edge = 0.5 * height;
    out->outline = PKM_BEAM_RECTANGLE;
    return PKM_OK;
}

pkm_status pkm_beam_section_given(double A, double Iy, double Iz, double J, double kappa,
                                  pkm_beam_section* out, pkm_error* err)
{
    *out = (pkm_beam_section){.A = A, .Iy = Iy, .Iz = Iz, .J = J, .Ip = Iy + Iz};
    if (!is_positive(kappa))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "section: shear factor %g, expected > 0", kappa);
    out->shear[0] = out->shear[1] = 1.0 / kappa;
    return pkm_beam_section_check(out, err);
}

/// (a^(1/p) (1 - s) + b^(1/p) s)^p for p = 1, 2, 4.
static double between(double a, double b, int p, double s)
{
    const double e = 1.0 / p;
    return pow(pow(a, e) * (1.0 - s) + pow(b, e) * s, p);
}

/// Sections that are similar to each other have lengths across that are linear.
static pkm_beam_section between_similar(const pkm_beam_section* a, const pkm_beam_section* b,
                                        double s)
{
    pkm_beam_section out = *a;
    out.A = between(a->A, b->A, 2, s);
    out.Iy = between(a->Iy, b->Iy, 4, s);
    out.Iz = between(a->Iz, b->Iz, 4, s);
    out.J = between(a->J, b->J, 4, s);
    out.Ip = out.Iy + out.Iz;
    for (int k = 0; k < 2; ++k)
        out.shear[k] = between(a->shear[k], b->shear[k], 1, s);
    out.y_edge = between(a->y_edge, b->y_edge, 1, s);
    out.z_edge = between(a->z_edge, b->z_edge, 1, s);
    const bool are_round = a->outline >= PKM_BEAM_ROUND && b->outline >= PKM_BEAM_ROUND;
    out.outline = are_round ? PKM_BEAM_ROUND_BY_NUMBERS : PKM_BEAM_BY_NUMBERS;
    return out;
}

pkm_beam_section pkm_beam_section_between(const pkm_beam_section* a, const pkm_beam_section* b,
                                          double s, pkm_beam_torsion torsion)
{
    const double y = 2.0 * between(a->y_edge, b->y_edge, 1, s);
    const double z = 2.0 * between(a->z_edge, b->z_edge, 1, s);
    pkm_beam_section out;
    // (1.6): sizes are linear where the outline is known, else the roots of the moments
    pkm_status status = PKM_ERR_ARGUMENT;
    if (a->outline == PKM_BEAM_RECTANGLE && b->outline == PKM_BEAM_RECTANGLE)
        status = pkm_beam_section_rectangle(y, z, torsion, &out, NULL);
    if (a->outline == PKM_BEAM_ROUND && b->outline == PKM_BEAM_ROUND)
        status = pkm_beam_section_tube(y, 2.0 * between(a->inner, b->inner, 1, s), &out, NULL);
    return status == PKM_OK ? out : between_similar(a, b, s);
}

pkm_status pkm_beam_section_check(const pkm_beam_section* section, pkm_error* err)
{
    const struct {
        const char* name;
        double value;
        const char* unit;
    } item[] = {
        {"area", section->A, "m2"}, {"Iy", section->Iy, "m4"}, {"Iz", section->Iz, "m4"},
        {"J", section->J, "m4"},    {"Ip", section->Ip, "m4"},
    };
    for (size_t i = 0; i < sizeof item / sizeof item[0]; ++i) {
        if (!is_positive(item[i].value))
            return pkm_fail(err, PKM_ERR_ARGUMENT, "section: %s %g %s, expected > 0", item[i].name,
                            item[i].value, item[i].unit);
    }
    return PKM_OK;
}

pkm_status pkm_beam_material_check(const pkm_beam_material* material, pkm_error* err)
{
    const double value[] = {material->E, material->G, material->rho};
    const char* const name[] = {"Young's modulus", "shear modulus", "density"};
    const char* const unit[] = {"Pa", "Pa", "kg/m3"};
    for (int i = 0; i < 3; ++i) {
        if (!is_positive(value[i]))
            return pkm_fail(err, PKM_ERR_ARGUMENT, "material: %s %g %s, expected > 0", name[i],
                            value[i], unit[i]);
    }
    return PKM_OK;
}

pkm_beam_material pkm_beam_material_make(double E, double nu, double rho)
{
    return (pkm_beam_material){.E = E, .G = E / (2.0 * (1.0 + nu)), .rho = rho};
}

/// kappa = (1 + nu)/(s0 + s1 nu), (1.5), with Poisson's ratio from E and G.
double pkm_beam_section_kappa(const pkm_beam_section* section, const pkm_beam_material* material)
{
    const double nu = material->E / (2.0 * material->G) - 1.0;
    return (1.0 + nu) / (section->shear[0] + section->shear[1] * nu);
}

double pkm_beam_mass_per_length(const pkm_beam_section* section, const pkm_beam_material* material)
{
    return material->rho * section->A;
}
