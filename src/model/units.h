/// Units with dimensions: "kg m2", "deg/s", "g/cm3".
#ifndef PKM_MODEL_UNITS_H
#define PKM_MODEL_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/// Exponents of metre, kilogram, second and radian, counted in halves so that square roots are
/// exact: {2, 0, -4, 0} is m/s2.
typedef struct pkm_dimension {
    int m, kg, s, rad;
} pkm_dimension;

extern const pkm_dimension pkm_dim_one, pkm_dim_length, pkm_dim_angle, pkm_dim_mass, pkm_dim_time,
    pkm_dim_velocity, pkm_dim_acceleration, pkm_dim_jerk, pkm_dim_angular_velocity,
    pkm_dim_angular_acceleration, pkm_dim_angular_jerk, pkm_dim_force, pkm_dim_torque,
    pkm_dim_pressure, pkm_dim_density, pkm_dim_inertia;

/// SI value = written value * numerator / denominator; both are exact for decimal units, so that
/// `35 mm` is the double nearest to 0.035.
typedef struct pkm_unit {
    double numerator, denominator;
    pkm_dimension dimension;
} pkm_unit;

/// Where a text is wrong and why.
typedef struct pkm_fault {
    int at; ///< byte from the start of the text
    char text[256];
    bool is_reported;   ///< the error has been filled already, somewhere deeper
    double loose_angle; ///< without fault: beyond two turns, without a unit, under sin, cos or tan;
                        ///< 0: none
} pkm_fault;

/// Scan the unit at the start of `text`: names with integer powers (`m2`, `s^-2`), joined by
/// spaces,
/// `*`, `.` in the middle, or `/` (which takes the next name only).
///
/// `inside` an expression `*` ends the unit, and so does a `/` with a space beside it or with no
/// unit behind it.
///
/// @return bytes used, or 0 with `fault` filled.
size_t pkm_unit_scan(const char* text, bool inside, pkm_unit* out, pkm_fault* fault);

bool pkm_dimension_equal(pkm_dimension a, pkm_dimension b);
/// a * b^sign
pkm_dimension pkm_dimension_mul(pkm_dimension a, pkm_dimension b, int sign);

/// True when a value of dimension `have` may stand where `want` is expected: they are equal, or
/// they differ in radians only and lengths or masses are involved (an arc r * angle is a length, N
/// m/rad a torque; but 1/s is no angular velocity and a plain number no angle).
bool pkm_dimension_fits(pkm_dimension have, pkm_dimension want);
/// The same for the result of an expression, where the radian also comes and goes beside seconds:
/// 2*pi/omega is a time, sqrt(g/l) an angular velocity.
bool pkm_dimension_fits_derived(pkm_dimension have, pkm_dimension want);

/// The factor from unit `from` to unit `to`; 0: one of them is no unit, or they do not measure the
/// same.
double pkm_unit_ratio(const char* from, const char* to);

/// The SI unit of a dimension, "m", "N m", "kg m2/s3"; "1" for none.
typedef struct pkm_unit_text {
    char text[64];
} pkm_unit_text;

pkm_unit_text pkm_dimension_unit(pkm_dimension dimension);
/// The name with its unit: "a length [m]", "[kg m2/s3]" when it has no name.
pkm_unit_text pkm_dimension_name(pkm_dimension dimension);

#endif
