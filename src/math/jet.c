// Rules of differentiation up to the third order; beside the numbers goes the history of kinks
// (which side of a bound an argument was on), by which jumps of the derivatives are found.
#include "math/jet.h"

#include <math.h>
#include <stdbool.h>

pkm_jet pkm_jet_constant(double value)
{
    return (pkm_jet){{value}, 0};
}

pkm_jet pkm_jet_time(double t)
{
    return (pkm_jet){{t, 1.0}, 0};
}

// Derivatives are in time, three of them: up to the jerk of a motion.

/// Two histories become one; both orders of two different ones differ.
static unsigned meet(unsigned a, unsigned b)
{
    return 31U * a + b;
}

pkm_jet pkm_jet_add(pkm_jet a, pkm_jet b)
{
    pkm_jet out = {.side = meet(a.side, b.side)};
    for (int k = 0; k < 4; ++k)
        out.d[k] = a.d[k] + b.d[k];
    return out;
}

pkm_jet pkm_jet_negate(pkm_jet a)
{
    for (int k = 0; k < 4; ++k)
        a.d[k] = -a.d[k];
    return a;
}

pkm_jet pkm_jet_subtract(pkm_jet a, pkm_jet b)
{
    return pkm_jet_add(a, pkm_jet_negate(b));
}

/// Leibniz' rule.
pkm_jet pkm_jet_multiply(pkm_jet a, pkm_jet b)
{
    const double *f = a.d, *g = b.d;
    return (pkm_jet){{f[0] * g[0], f[1] * g[0] + f[0] * g[1],
                      f[2] * g[0] + 2.0 * f[1] * g[1] + f[0] * g[2],
                      f[3] * g[0] + 3.0 * (f[2] * g[1] + f[1] * g[2]) + f[0] * g[3]},
                     meet(a.side, b.side)};
}

/// From Leibniz' rule for q b = a.
pkm_jet pkm_jet_divide(pkm_jet a, pkm_jet b)
{
    const double *f = a.d, *g = b.d;
    pkm_jet q = {.side = meet(a.side, b.side)};
    q.d[0] = f[0] / g[0];
    q.d[1] = (f[1] - q.d[0] * g[1]) / g[0];
    q.d[2] = (f[2] - 2.0 * q.d[1] * g[1] - q.d[0] * g[2]) / g[0];
    q.d[3] = (f[3] - 3.0 * (q.d[2] * g[1] + q.d[1] * g[2]) - q.d[0] * g[3]) / g[0];
    return q;
}

/// The chain rule: `f` has a function of one number at a.d[0] and its derivatives 1 to 3.
static pkm_jet compose(const double f[4], pkm_jet a)
{
    const double *g = a.d, v = g[1];
    return (pkm_jet){{f[0], f[1] * v, f[2] * v * v + f[1] * g[2],
                      f[3] * v * v * v + 3.0 * f[2] * v * g[2] + f[1] * g[3]},
                     a.side};
}

static bool is_constant(pkm_jet a)
{
    return a.d[1] == 0.0 && a.d[2] == 0.0 && a.d[3] == 0.0;
}

/// a^b = exp(b log a), of which the value itself is taken from pow: the logarithm would cost
/// digits. Constant exponents need no logarithm and so take negative bases.
pkm_jet pkm_jet_power(pkm_jet a, pkm_jet b)
{
    if (!is_constant(b)) {
        pkm_jet out = pkm_jet_exp(pkm_jet_multiply(b, pkm_jet_log(a)));
        out.d[0] = pow(a.d[0], b.d[0]);
        return out;
    }
    double f[4], factor = 1.0;
    for (int k = 0; k < 4; ++k) { // b (b - 1) .. a^(b - k): nothing is left of a whole power
        f[k] = factor == 0.0 ? 0.0 : factor * pow(a.d[0], b.d[0] - k);
        factor *= b.d[0] - k;
    }
    pkm_jet out = compose(f, a);
    out.side = meet(a.side, b.side);
    return out;
}

/// x^(1/2), 1/2 x^(-1/2), -1/4 x^(-3/2), 3/8 x^(-5/2). At 0 these are infinite, and times the zero
/// rates of a constant they would be no numbers: a constant is answered without them.
pkm_jet pkm_jet_sqrt(pkm_jet a)
{
    const double x = a.d[0], r = sqrt(x);
    const double f[4] = {r, 0.5 / r, -0.25 / (r * x), 0.375 / (r * x * x)};
    return is_constant(a) ? (pkm_jet){{r}, a.side} : compose(f, a);
}

pkm_jet pkm_jet_sin(pkm_jet a)
{
    const double s = sin(a.d[0]), c = cos(a.d[0]);
    return compose((const double[4]){s, c, -s, -c}, a);
}

pkm_jet pkm_jet_cos(pkm_jet a)
{
    const double s = sin(a.d[0]), c = cos(a.d[0]);
    return compose((const double[4]){c, -s, -c, s}, a);
}

/// t' = 1 + t^2 = q, t'' = 2 t q, t''' = 2 q (1 + 3 t^2).
pkm_jet pkm_jet_tan(pkm_jet a)
{
    const double t = tan(a.d[0]), q = 1.0 + t * t;
    return compose((const double[4]){t, q, 2.0 * t * q, 2.0 * q * (1.0 + 3.0 * t * t)}, a);
}

/// With q = 1/(1 - x^2): q^(1/2), x q^(3/2), (1 + 2 x^2) q^(5/2); constants as in the root.
pkm_jet pkm_jet_asin(pkm_jet a)
{
    const double x = a.d[0], q = 1.0 / (1.0 - x * x), r = sqrt(q);
    const double f[4] = {asin(x), r, x * q * r, (1.0 + 2.0 * x * x) * q * q * r};
    return is_constant(a) ? (pkm_jet){{f[0]}, a.side} : compose(f, a);
}

/// pi/2 - asin.
pkm_jet pkm_jet_acos(pkm_jet a)
{
    pkm_jet out = pkm_jet_negate(pkm_jet_asin(a));
    out.d[0] = acos(a.d[0]);
    return out;
}

/// With q = 1/(1 + x^2): q, -2 x q^2, (6 x^2 - 2) q^3.
pkm_jet pkm_jet_atan(pkm_jet a)
{
    const double x = a.d[0], q = 1.0 / (1.0 + x * x);
    return compose((const double[4]){atan(x), q, -2.0 * x * q * q, (6.0 * x * x - 2.0) * q * q * q},
                   a);
}

pkm_jet pkm_jet_exp(pkm_jet a)
{
    const double e = exp(a.d[0]);
    return compose((const double[4]){e, e, e, e}, a);
}

pkm_jet pkm_jet_log(pkm_jet a)
{
    const double q = 1.0 / a.d[0];
    return compose((const double[4]){log(a.d[0]), q, -q * q, 2.0 * q * q * q}, a);
}

/// One kink more in the history; + 1 tells the side 0 of a first kink from no kink at all.
static pkm_jet on_side(pkm_jet a, unsigned side)
{
    a.side = meet(a.side + 1U, side);
    return a;
}

pkm_jet pkm_jet_abs(pkm_jet a)
{
    return a.d[0] < 0.0 ? on_side(pkm_jet_negate(a), 0) : on_side(a, 1);
}

pkm_jet pkm_jet_floor(pkm_jet a)
{
    // the bounds keep the conversion to an integer defined, of infinities and NaN too
    const double whole = floor(a.d[0]);
    return on_side((pkm_jet){{whole}, a.side}, (unsigned)(long long)fmax(-1e15, fmin(whole, 1e15)));
}

/// The angle has the derivative (x y' - y x') / (x^2 + y^2), of which two more are taken.
pkm_jet pkm_jet_atan2(pkm_jet y, pkm_jet x)
{
    const pkm_jet dy = {{y.d[1], y.d[2], y.d[3]}, 0}, dx = {{x.d[1], x.d[2], x.d[3]}, 0};
    const pkm_jet cross = pkm_jet_subtract(pkm_jet_multiply(x, dy), pkm_jet_multiply(y, dx));
    const pkm_jet square = pkm_jet_add(pkm_jet_multiply(x, x), pkm_jet_multiply(y, y));
    const pkm_jet rate = pkm_jet_divide(cross, square);
    const pkm_jet out = {{atan2(y.d[0], x.d[0]), rate.d[0], rate.d[1], rate.d[2]},
                         meet(y.side, x.side)};
    return on_side(out, x.d[0] < 0.0 && y.d[0] < 0.0); // across negative x it jumps by a turn
}

pkm_jet pkm_jet_hypot(pkm_jet a, pkm_jet b)
{
    // the value by hypot, whose squares do not overflow
    pkm_jet out = pkm_jet_sqrt(pkm_jet_add(pkm_jet_multiply(a, a), pkm_jet_multiply(b, b)));
    out.d[0] = hypot(a.d[0], b.d[0]);
    return out;
}

/// One of two, with both their histories.
static pkm_jet choose(pkm_jet a, pkm_jet b, bool second)
{
    pkm_jet out = second ? b : a;
    out.side = meet(a.side, b.side);
    return on_side(out, second);
}

pkm_jet pkm_jet_min(pkm_jet a, pkm_jet b)
{
    return choose(a, b, b.d[0] < a.d[0]);
}

pkm_jet pkm_jet_max(pkm_jet a, pkm_jet b)
{
    return choose(a, b, b.d[0] > a.d[0]);
}

/// h0 + (h1 - h0) d^2 (3 - 2 d) with d = (x - x0)/(x1 - x0): the slope is zero at both ends and the
/// second derivative jumps there, so each of the three pieces is a side.
pkm_jet pkm_jet_step(const pkm_jet argument[5])
{
    const pkm_jet x = argument[0], x0 = argument[1], h0 = argument[2], x1 = argument[3],
                  h1 = argument[4];
    if (x.d[0] <= x0.d[0]) return on_side(h0, 0);
    if (x.d[0] >= x1.d[0]) return on_side(h1, 2);
    const pkm_jet d = pkm_jet_divide(pkm_jet_subtract(x, x0), pkm_jet_subtract(x1, x0));
    const pkm_jet rest =
        pkm_jet_subtract(pkm_jet_constant(3.0), pkm_jet_multiply(pkm_jet_constant(2.0), d));
    const pkm_jet part = pkm_jet_multiply(pkm_jet_multiply(d, d), rest);
    return on_side(pkm_jet_add(h0, pkm_jet_multiply(pkm_jet_subtract(h1, h0), part)), 1);
}
