/// The unit that suits a value, for people: 0.562 N m and not 0.000562 kN m, 328 um and not
/// 0.000328 m. One rule for texts here and for pages in web/src/units.js; tests/data/units.csv
/// holds both to it.
#ifndef PKM_TABLE_SUITED_H
#define PKM_TABLE_SUITED_H

typedef struct pkm_suited {
    double factor; ///< number shown = factor * value
    char unit[24]; ///< "mm", "deg/s"
} pkm_suited;

/// How to show `value` of `unit` (SI): prefixes in steps of a thousand, so that 1 to 1000 is shown,
/// for units that take one; no kilometres and kiloseconds; degrees instead of radians, unless that
/// is less than 1e-4 rad. What is below 1e-12 stays as it is: it is rounding.
pkm_suited pkm_suited_make(const char* unit, double value);

#endif
