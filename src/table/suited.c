// Powers of a thousand that leave 1 to 1000 before the unit, for units that take prefixes.
#include "table/suited.h"

#include "math/angle.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const double ROUNDING = 1e-12;

static bool takes_prefix(const char* unit)
{
    static const char* const list[] = {"m",   "N",       "N m", "J",     "W",
                                       "m/s", "s",       "Pa",  "Hz",    "rad",
                                       "N/m", "N m/rad", "m/N", "rad/N", "rad/(N m)"};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; ++k)
        if (strcmp(unit, list[k]) == 0) return true;
    return false;
}

/// The power of a thousand, -4 to 3, that leaves 1 to 1000 of `size`.
static int thousands(double size)
{
    int power = -4;
    while (power < 3 &&
           size >= 0.99999 * pow(1000.0, power + 1)) // 999.996 would be printed as 1000
        ++power;
    return power;
}

pkm_suited pkm_suited_make(const char* unit, double value)
{
    static const char* const prefix[] = {"p", "n", "u", "m", "", "k", "M", "G"};
    pkm_suited out = {.factor = 1.0};
    const double size = fabs(value);
    // people read angles in degrees, and errors of some microradians as such
    const bool is_small_angle = strcmp(unit, "rad") == 0 && size > 0.0 && size < 1e-4;
    const bool is_angle = strcmp(unit, "rad") == 0 || strncmp(unit, "rad/s", 5) == 0;
    snprintf(out.unit, sizeof out.unit, "%s", unit);
    if (is_angle && !is_small_angle) {
        out.factor = PKM_DEGREES;
        snprintf(out.unit, sizeof out.unit, "deg%s", unit + strlen("rad"));
        return out;
    }
    // 1.2e-13 m is noise about zero: "0.12 pm" would make it look measured
    if (!takes_prefix(unit) || !(size >= ROUNDING) || !isfinite(size)) return out;
    int power = thousands(size);
    // nobody says kilometres of a robot, or kiloseconds
    if (power > 0 && (strcmp(unit, "m") == 0 || strcmp(unit, "s") == 0)) power = 0;
    out.factor = pow(1000.0, -power);
    snprintf(out.unit, sizeof out.unit, "%s%s", prefix[power + 4], unit);
    return out;
}
