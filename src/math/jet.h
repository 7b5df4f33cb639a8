/// Numbers with their first three derivatives in time: arithmetic that differentiates by the way.
#ifndef PKM_MATH_JET_H
#define PKM_MATH_JET_H

/// A function of time at an instant. `side` tells on which sides of their kinks the functions on
/// the way to it were (abs, min, max, floor, step): where it changes the derivatives may jump.
typedef struct pkm_jet {
    double d[4]; ///< value and derivatives 1 to 3
    unsigned side;
} pkm_jet;

pkm_jet pkm_jet_constant(double value);
pkm_jet pkm_jet_time(double t);

pkm_jet pkm_jet_add(pkm_jet a, pkm_jet b);
pkm_jet pkm_jet_subtract(pkm_jet a, pkm_jet b);
pkm_jet pkm_jet_multiply(pkm_jet a, pkm_jet b);
pkm_jet pkm_jet_divide(pkm_jet a, pkm_jet b);
pkm_jet pkm_jet_negate(pkm_jet a);
/// a^b; whole exponents that are constant take any base.
pkm_jet pkm_jet_power(pkm_jet a, pkm_jet b);

pkm_jet pkm_jet_sqrt(pkm_jet a);
pkm_jet pkm_jet_sin(pkm_jet a);
pkm_jet pkm_jet_cos(pkm_jet a);
pkm_jet pkm_jet_tan(pkm_jet a);
pkm_jet pkm_jet_asin(pkm_jet a);
pkm_jet pkm_jet_acos(pkm_jet a);
pkm_jet pkm_jet_atan(pkm_jet a);
pkm_jet pkm_jet_exp(pkm_jet a);
pkm_jet pkm_jet_log(pkm_jet a);
pkm_jet pkm_jet_abs(pkm_jet a);
pkm_jet pkm_jet_floor(pkm_jet a);
pkm_jet pkm_jet_atan2(pkm_jet y, pkm_jet x);
pkm_jet pkm_jet_hypot(pkm_jet a, pkm_jet b);
pkm_jet pkm_jet_min(pkm_jet a, pkm_jet b);
pkm_jet pkm_jet_max(pkm_jet a, pkm_jet b);
/// h0 below x0, h1 above x1, a cubic between.
pkm_jet pkm_jet_step(const pkm_jet argument[5]);

#endif
