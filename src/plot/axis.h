/// Axes: what they are called, which range they show, where their ticks stand.
#ifndef PKM_PLOT_AXIS_H
#define PKM_PLOT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

/// An axis as the caller wants it. All zero is an axis without a name, fitted to the data.
typedef struct pkm_axis {
    const char* label; ///< "time"; NULL: none
    const char* unit;  ///< of the numbers shown, "mm"; NULL: none
    double factor;     ///< number shown = factor * value (1000 for mm); 0 means 1
    double low, high;  ///< range shown, in numbers shown; equal: from the data
    bool log;          ///< logarithmic; values <= 0 are left out
} pkm_axis;

/// The range an axis shows, in numbers shown.
typedef struct pkm_scale {
    double low, high;
    bool log;
} pkm_scale;

enum { PKM_MAX_TICK = 24, PKM_TICK_SIZE = 32 };

/// Ticks at multiples of 1, 2 or 5 times a power of ten, with their labels. Labels are divided by
/// 10^power, which then stands beside the unit.
typedef struct pkm_ticks {
    int n;
    double value[PKM_MAX_TICK];
    char label[PKM_MAX_TICK][PKM_TICK_SIZE];
    int power;
} pkm_ticks;

/// The factor of an axis: 1 when none is set.
double pkm_axis_factor(const pkm_axis* axis);

/// Widen `low` ... `high` to hold `value`; NaN, infinities and what is beyond 1e300 are passed
/// over. Begin with INFINITY, -INFINITY.
void pkm_range_add(double* low, double* high, double value);

/// The range to show for data in `low` ... `high` (numbers shown): what the axis asks for, else the
/// data with `margin` of their range on both sides. Equal data, and differences that are only
/// rounding, get a range around them; no data 0 ... 1. Always low < high.
pkm_scale pkm_scale_fit(const pkm_axis* axis, double low, double high, double margin);

/// Where `value` (number shown) stands: 0 at low, 1 at high; NaN when it has no place.
double pkm_scale_at(const pkm_scale* scale, double value);

/// About `count` ticks, at most 3/2 of it.
pkm_ticks pkm_ticks_make(const pkm_scale* scale, int count);

/// "label [unit]", with the power of ten of the ticks inside the brackets and raised exponents:
/// m/s2 is written as m/s^2.
void pkm_axis_title(const pkm_axis* axis, int power, char* text, size_t size);

/// The axis that shows `unit` well when the largest magnitude is `largest`: degrees for radians
/// (also in rad/s), SI prefixes where numbers would be long (mm, kN). `text` receives the unit and
/// must outlive it.
pkm_axis pkm_axis_for(const char* label, const char* unit, double largest, char* text, size_t size);

#endif
