// Laws of motion u(t) with their derivatives, first half by formula, second half mirrored.
// Equations: docs/theory/motion.md, section 1, (1) to (4a).
#include "motion/law.h"

/// A time may miss an end of the motion by this part of the duration and still be on it.
static const double END_SLACK = 1e-12;

/// The first half of the polynomial laws on s = t/T, docs/theory/motion.md, (1)-(3).
static pkm_law_point polynomial_half(pkm_law law, double s)
{
    const double r = 1.0 - s, c = 1.0 - 2.0 * s;
    switch (law) {
    case PKM_LAW_CUBIC:
        return (pkm_law_point){s * s * (3.0 - 2.0 * s), 6.0 * s * r, 6.0 * c, -12.0};
    case PKM_LAW_QUINTIC:
        return (pkm_law_point){s * s * s * (10.0 + s * (-15.0 + s * 6.0)), 30.0 * s * s * r * r,
                               60.0 * s * r * c, 60.0 * (1.0 - 6.0 * s * r)};
    case PKM_LAW_SEPTIC:
        return (pkm_law_point){s * s * s * s * (35.0 + s * (-84.0 + s * (70.0 - s * 20.0))),
                               140.0 * s * s * s * r * r * r, 420.0 * s * s * r * r * c,
                               840.0 * s * r * (1.0 - 5.0 * s * r)};
    default:
        return (pkm_law_point){s, 1.0, 0.0, 0.0};
    }
}

/// The first half of the trapezoid at time `t` [s], (4): ramp of acceleration A, cruise at A ramp.
static pkm_law_point trapezoid_half(const pkm_law_profile* profile, double t)
{
    const double ramp = profile->ramp;
    const double V = 1.0 / (profile->T - ramp), A = V / ramp;
    if (t < ramp) return (pkm_law_point){0.5 * A * t * t, A * t, A, 0.0};
    return (pkm_law_point){V * (t - 0.5 * ramp), V, 0.0, 0.0};
}

/// The first half of the S-curve at time `t` [s], (4a): jerk J, acceleration A, jerk -J, cruise.
static pkm_law_point s_curve_half(const pkm_law_profile* profile, double t)
{
    const double ramp = profile->ramp, rise = profile->rise;
    const double V = 1.0 / (profile->T - ramp), A = V / (ramp - rise), J = A / rise;
    if (t < rise) return (pkm_law_point){J * t * t * t / 6.0, 0.5 * J * t * t, J * t, J};
    if (t <= ramp - rise) {
        const double s = t - rise, v = 0.5 * J * rise * rise;
        return (pkm_law_point){v * rise / 3.0 + v * s + 0.5 * A * s * s, v + A * s, A, 0.0};
    }
    if (t < ramp) {
        const double s = ramp - t; // the ramp is odd about its middle
        return (pkm_law_point){V * (0.5 * ramp - s) + J * s * s * s / 6.0, V - 0.5 * J * s * s,
                               J * s, -J};
    }
    return (pkm_law_point){V * (t - 0.5 * ramp), V, 0.0, 0.0};
}

static pkm_law_point first_half(const pkm_law_profile* profile, double t)
{
    if (profile->law == PKM_LAW_TRAPEZOIDAL) return trapezoid_half(profile, t);
    if (profile->law == PKM_LAW_S_CURVE) return s_curve_half(profile, t);
    const double f = 1.0 / profile->T;
    const pkm_law_point p = polynomial_half(profile->law, t * f);
    return (pkm_law_point){p.u, f * p.v, f * f * p.a, f * f * f * p.j};
}

pkm_law_point pkm_law_at(const pkm_law_profile* profile, double t)
{
    const double T = profile->T, slack = END_SLACK * T;
    if (t < -slack || (T <= 0.0 && t < 0.0)) return (pkm_law_point){0.0, 0.0, 0.0, 0.0};
    if (t > T + slack || T <= 0.0) return (pkm_law_point){1.0, 0.0, 0.0, 0.0};

    // every law is odd about its middle, u(T - t) = 1 - u(t): the second half mirrors the first,
    // and the end conditions hold exactly at both ends
    if (t <= 0.5 * T) return first_half(profile, t > 0.0 ? t : 0.0);
    const pkm_law_point p = first_half(profile, t < T ? T - t : 0.0);
    return (pkm_law_point){1.0 - p.u, p.v, -p.a, p.j};
}
