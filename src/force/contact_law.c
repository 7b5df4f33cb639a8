// Force between two surfaces that overlap by d [m] and approach at the rate v [m/s]:
//
//     F = F_e(d) (1 + chi v/v0) >= 0        (1.1), Adams IMPACT (1.2)
//
// with F_e a power of d or one of the laws for nearly equal radii, and chi from the restitution
// that a free impact is to have. Called for every place of contact by clearance_force.c. Equations:
// docs/theory/contact.md, section 1.
#include "force/contact_law.h"

#include "base/error.h"
#include "force/expect.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/// Laws with chi of first order in 1 - e say so below this restitution: their free rebound is then
/// off by 0.07 (Lankarani and Nikravesh), 0.05 (Hunt and Crossley) and more.
static const double NEAR_ONE = 0.75;

/// Below this chi [1] or 1 - e the closed form loses digits and its series has them.
static const double SMALL = 1e-4;

pkm_contact_law pkm_contact_law_defaults(pkm_contact_kind kind)
{
    return (pkm_contact_law){
        .kind = kind,
        .elastic = PKM_ELASTIC_POWER,
        .exponent = 1.5,
        .restitution = kind == PKM_CONTACT_HERTZ || kind == PKM_CONTACT_IMPACT ? 1.0 : 0.9,
        .impact_floor = 1e-3,
    };
}

const char* const pkm_contact_kind_name[] = {
    "hertz", "lankarani-nikravesh", "hunt-crossley", "flores", "gonthier", "impact", NULL};

// ---- free impact ------------------------------------------------------------------------------

/// chi (1 + e) - ln((1 + chi)/(1 - chi e)), (1.3)
static double impact_equation(double chi, double e)
{
    return chi * (1.0 + e) - log1p(chi) + log1p(-chi * e);
}

/// The root between `low`, where the equation is positive, and `high`, where it is not.
static double bisect(double low, double high, double (*equation)(double x, double fixed),
                     double fixed)
{
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        if (equation(middle, fixed) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static double by_restitution(double e, double chi)
{
    return impact_equation(chi, e);
}

/// Free rebound of a law with the factor chi, the root e of (1.3) in (0, min(1, 1/chi)). For small
/// chi the equation is a difference of nearly equal terms and e = 1 - 2/3 chi + 4/9 chi^2 has more
/// digits.
double pkm_contact_restitution(double chi)
{
    if (chi < SMALL) return 1.0 - chi * (2.0 / 3.0 - 4.0 / 9.0 * chi);
    return bisect(0.0, fmin(1.0, 1.0 / chi), by_restitution, chi);
}

/// The factor whose free rebound is e: the other root of (1.3), Gonthier's law. Near e = 1 its
/// series is chi = 3/2 (1 - e) (1 + (1 - e)).
double pkm_contact_chi(double e)
{
    const double lost = 1.0 - e;
    if (lost < SMALL) return 1.5 * lost * (1.0 + lost);
    return bisect(0.0, 1.0 / e, impact_equation, e);
}

// ---- check ------------------------------------------------------------------------------------

static pkm_status check_restitution(const pkm_contact_law* law, pkm_error* err)
{
    const double e = law->restitution;
    const bool takes_zero =
        law->kind == PKM_CONTACT_LANKARANI_NIKRAVESH || law->kind == PKM_CONTACT_HUNT_CROSSLEY;
    if (isfinite(e) && e <= 1.0 && (takes_zero ? e >= 0.0 : e > 0.0)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "clearance: restitution %g, expected a number %s 0 and <= 1", e,
                    takes_zero ? ">=" : ">");
}

static pkm_status check_impact(const pkm_contact_law* law, pkm_error* err)
{
    PKM_TRY(pkm_expect_not_negative("clearance", "damping", law->damping, err));
    return pkm_expect_positive("clearance", "full_depth", law->full_depth, err);
}

/// The damping factor of each author.
static double chi_of(pkm_contact_kind kind, double e)
{
    switch (kind) {
    case PKM_CONTACT_LANKARANI_NIKRAVESH:
        return 0.75 * (1.0 - e * e);
    case PKM_CONTACT_HUNT_CROSSLEY:
        return 1.5 * (1.0 - e);
    case PKM_CONTACT_FLORES:
        return 1.6 * (1.0 - e) / e;
    case PKM_CONTACT_GONTHIER:
        return pkm_contact_chi(e);
    default:
        return 0.0;
    }
}

pkm_status pkm_contact_law_finish(pkm_contact_law* law, pkm_error* err)
{
    PKM_TRY(pkm_expect_positive("clearance", "stiffness", law->stiffness, err));
    PKM_TRY(pkm_expect_positive("clearance", "impact_floor", law->impact_floor, err));
    if (law->elastic == PKM_ELASTIC_POWER && !(isfinite(law->exponent) && law->exponent >= 1.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "clearance: exponent %g, expected a number >= 1",
                        law->exponent);
    if (law->kind == PKM_CONTACT_IMPACT)
        PKM_TRY(check_impact(law, err));
    else if (law->kind != PKM_CONTACT_HERTZ)
        PKM_TRY(check_restitution(law, err));
    law->chi = chi_of(law->kind, law->restitution);
    return PKM_OK;
}

const char* pkm_contact_law_warning(const pkm_contact_law* law)
{
    if (law->restitution >= NEAR_ONE) return NULL;
    switch (law->kind) {
    case PKM_CONTACT_LANKARANI_NIKRAVESH:
        return "the law of Lankarani and Nikravesh holds for a restitution near 1; bodies rebound "
               "faster than the one given: use gonthier or flores";
    case PKM_CONTACT_HUNT_CROSSLEY:
        return "the law of Hunt and Crossley holds for a restitution near 1; bodies rebound faster "
               "than the one given: use gonthier or flores";
    default:
        return NULL;
    }
}

// ---- elastic part -----------------------------------------------------------------------------

/// A d^1.5 (w0 + w1 c/(c + d)) / sqrt(c + d) with the clearance c: ball (1.9) and cylinder (1.10).
static void conformal_weights(const pkm_contact_law* law, double* w0, double* w1)
{
    const bool is_ball = law->elastic == PKM_ELASTIC_BALL;
    *w0 = is_ball ? 2.0 : 1.0;
    *w1 = is_ball ? 1.0 : 0.0;
}

static double conformal_force(const pkm_contact_law* law, double d)
{
    double w0, w1;
    conformal_weights(law, &w0, &w1);
    const double D = law->clearance + d;
    return law->stiffness * d * sqrt(d / D) * (w0 + w1 * law->clearance / D);
}

/// dF/F = 1.5/d - (w0/2 + 3/2 w1 c/D)/(D (w0 + w1 c/D))
static double conformal_slope(const pkm_contact_law* law, double d)
{
    double w0, w1;
    conformal_weights(law, &w0, &w1);
    const double D = law->clearance + d, r = law->clearance / D;
    const double shape = w0 + w1 * r;
    return law->stiffness * sqrt(d / D) * (1.5 * shape - d / D * (0.5 * w0 + 1.5 * w1 * r));
}

/// Integrals from 0 to x of x^1.5 (1+x)^-0.5 and x^1.5 (1+x)^-1.5, by x = sinh^2 u; for small x by
/// their series, since the closed forms cancel.
static void conformal_integrals(double x, double* first, double* second)
{
    if (x < 0.05) {
        double a = 1.0, b = 1.0, power = x * x * sqrt(x);
        *first = *second = 0.0;
        for (int k = 0; k < 14; ++k) {
            *first += a * power / (2.5 + k);
            *second += b * power / (2.5 + k);
            a *= -(0.5 + k) / (1.0 + k);
            b *= -(1.5 + k) / (1.0 + k);
            power *= x;
        }
        return;
    }
    const double s = sqrt(x), c = sqrt(1.0 + x), u = asinh(s);
    *first = 0.5 * s * c * (x - 1.5) + 0.75 * u;
    *second = s * c - 3.0 * u + 2.0 * s / c;
}

/// The integral of F_e with x = d/c; without clearance F_e = A w0 d, a straight line.
static double conformal_energy(const pkm_contact_law* law, double d)
{
    double w0, w1, first, second;
    conformal_weights(law, &w0, &w1);
    if (!(law->clearance > 0.0)) return 0.5 * law->stiffness * w0 * d * d;
    conformal_integrals(d / law->clearance, &first, &second);
    return law->stiffness * law->clearance * law->clearance * (w0 * first + w1 * second);
}

/// K d^n (1.5), or (1.9), (1.10) where the surfaces wrap around each other.
double pkm_contact_elastic(const pkm_contact_law* law, double depth)
{
    if (depth <= 0.0) return 0.0;
    if (law->elastic != PKM_ELASTIC_POWER) return conformal_force(law, depth);
    if (law->exponent == 1.5) return law->stiffness * depth * sqrt(depth);
    return law->stiffness * pow(depth, law->exponent);
}

double pkm_contact_elastic_slope(const pkm_contact_law* law, double depth)
{
    if (depth <= 0.0) return 0.0;
    if (law->elastic != PKM_ELASTIC_POWER) return conformal_slope(law, depth);
    return law->exponent * pkm_contact_elastic(law, depth) / depth;
}

/// Of a power law F_e d/(n + 1).
double pkm_contact_elastic_energy(const pkm_contact_law* law, double depth)
{
    if (depth <= 0.0) return 0.0;
    if (law->elastic != PKM_ELASTIC_POWER) return conformal_energy(law, depth);
    return pkm_contact_elastic(law, depth) * depth / (law->exponent + 1.0);
}

double pkm_contact_static_depth(const pkm_contact_law* law, double force)
{
    if (!(force > 0.0)) return 0.0;
    if (law->elastic == PKM_ELASTIC_POWER) return pow(force / law->stiffness, 1.0 / law->exponent);
    // F_e rises and is convex: Newton's method from above comes down to the root
    double w0, w1;
    conformal_weights(law, &w0, &w1);
    double d = force / (law->stiffness * w0) + law->clearance;
    while (conformal_force(law, d) < force)
        d *= 2.0;
    for (int i = 0; i < 60; ++i) {
        const double step = (conformal_force(law, d) - force) / conformal_slope(law, d);
        d -= step;
        if (fabs(step) <= 1e-16 * d) break;
    }
    return d;
}

// ---- force ------------------------------------------------------------------------------------

/// Adams STEP from (0, 0) to (full_depth, damping), and its slope.
static double impact_damping(const pkm_contact_law* law, double depth, double* slope)
{
    const double x = depth / law->full_depth;
    *slope = x < 1.0 ? 6.0 * law->damping * x * (1.0 - x) / law->full_depth : 0.0;
    return x < 1.0 ? law->damping * x * x * (3.0 - 2.0 * x) : law->damping;
}

/// chi / v0 with the least v0.
static double relative_damping(const pkm_contact_law* law, double impact_speed)
{
    return law->chi / (impact_speed > law->impact_floor ? impact_speed : law->impact_floor);
}

pkm_contact_force pkm_contact_law_force(const pkm_contact_law* law, double depth, double rate,
                                        double impact_speed)
{
    if (depth <= 0.0) return (pkm_contact_force){0.0, 0.0, 0.0};
    const double elastic = pkm_contact_elastic(law, depth);
    double slope;
    const double damped = law->kind == PKM_CONTACT_IMPACT
                              ? impact_damping(law, depth, &slope) * rate
                              : elastic * relative_damping(law, impact_speed) * rate;
    // dry surfaces do not pull; what is taken off the rebound there is lost too
    const double force = elastic + damped < 0.0 ? 0.0 : elastic + damped; // NaN passes
    return (pkm_contact_force){force, pkm_contact_elastic_energy(law, depth),
                               (force - elastic) * rate};
}

void pkm_contact_law_slopes(const pkm_contact_law* law, double depth, double rate,
                            double impact_speed, double* by_depth, double* by_rate)
{
    *by_depth = *by_rate = 0.0;
    if (depth <= 0.0 || !(pkm_contact_law_force(law, depth, rate, impact_speed).force > 0.0))
        return;
    // dF/dv and dF/dd of (1.2), below of (1.1); zero where the surfaces do not push
    if (law->kind == PKM_CONTACT_IMPACT) {
        double slope;
        *by_rate = impact_damping(law, depth, &slope);
        *by_depth = pkm_contact_elastic_slope(law, depth) + slope * rate;
        return;
    }
    const double relative = relative_damping(law, impact_speed);
    *by_rate = pkm_contact_elastic(law, depth) * relative;
    *by_depth = pkm_contact_elastic_slope(law, depth) * (1.0 + relative * rate);
}
