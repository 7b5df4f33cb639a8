// Scales, ticks and titles of axes: ranges with a margin, ticks at 1, 2 or 5 times a power of ten,
// logarithmic ones by decades, units with a prefix that keeps labels short.
#include "plot/axis.h"

#include "base/error.h"
#include "math/angle.h"
#include "plot/svg.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double pkm_axis_factor(const pkm_axis* axis)
{
    return axis->factor != 0.0 ? axis->factor : 1.0;
}

void pkm_range_add(double* low, double* high, double value)
{
    if (!(fabs(value) < 1e300)) return; // leaves room for differences
    if (value < *low) *low = value;
    if (value > *high) *high = value;
}

/// Room around data that are all the same: a tenth of their size, or 1.
static pkm_scale around(double value)
{
    const double room = value != 0.0 ? 0.1 * fabs(value) : 1.0;
    return (pkm_scale){value - room, value + room, false};
}

/// The range with a margin; no range where there are no data.
static pkm_scale fit_linear(double low, double high, double margin)
{
    if (!(low <= high)) return (pkm_scale){0.0, 1.0, false};
    if (high - low < 1e-290 && fabs(low) < 1e-290) return around(0.0);
    // differences below 1e-12 of the size are rounding, not a curve
    const double size = fmax(fabs(low), fabs(high));
    if (high - low <= 1e-12 * size) return around(0.5 * low + 0.5 * high);
    // halves keep the width from overflowing
    const double room = 2.0 * margin * (0.5 * high - 0.5 * low);
    return (pkm_scale){low - room, high + room, false};
}

/// The same in decades; what is not positive has no place.
static pkm_scale fit_log(double low, double high, double margin)
{
    if (!(high > 1e-290)) return (pkm_scale){1.0, 10.0, true};
    // zeros beside positive values: six decades are shown
    if (!(low > 1e-290)) low = 1e-6 * high;
    const double decades = log10(high / low);
    if (decades < 1e-9) return (pkm_scale){low / 2.0, high * 2.0, true};
    const double room = pow(10.0, margin * decades);
    return (pkm_scale){low / room, high * room, true};
}

pkm_scale pkm_scale_fit(const pkm_axis* axis, double low, double high, double margin)
{
    if (axis->low < axis->high && (!axis->log || axis->low > 0.0))
        return (pkm_scale){axis->low, axis->high, axis->log};
    return axis->log ? fit_log(low, high, margin) : fit_linear(low, high, margin);
}

double pkm_scale_at(const pkm_scale* scale, double value)
{
    if (scale->log)
        return value > 0.0 ? log(value / scale->low) / log(scale->high / scale->low) : NAN;
    return (value - scale->low) / (scale->high - scale->low);
}

/// digit * 10^exponent with digit 1, 2 or 5: the smallest that is at least `least`.
typedef struct step {
    int digit, exponent;
} step;

static double step_value(step s, double count)
{
    // dividing by an exact power keeps 3 * 0.1 at 0.3
    return s.exponent < 0 ? count * s.digit / pow(10.0, -s.exponent)
                          : count * s.digit * pow(10.0, s.exponent);
}

/// Within rounding: 0.3 must not become 0.5.
static step find_step(double least)
{
    static const int digits[] = {1, 2, 5, 10};
    step s = {1, (int)floor(log10(least))};
    for (int k = 0; k < 4; ++k) {
        s.digit = digits[k];
        if (step_value(s, 1.0) >= least * (1.0 - 1e-9)) break;
    }
    if (s.digit == 10) s = (step){1, s.exponent + 1};
    return s;
}

/// printf's text of `value` with `decimals`, with a proper minus sign.
static void format_tick(double value, int decimals, char* text, size_t size)
{
    char digits[PKM_TICK_SIZE];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    const bool is_zero = strspn(digits, "0.,") == strlen(digits);
    for (char* c = digits; *c; ++c)
        if (*c == ',') *c = '.'; // whatever the locale
    snprintf(text, size, "%s%s", value < 0.0 && !is_zero ? PKM_SVG_MINUS : "", digits);
}

/// The power of ten to take out of labels up to `largest`: none when they are short anyway.
static int common_power(double largest)
{
    if (largest == 0.0 || (largest >= 0.01 && largest < 1e5)) return 0;
    return 3 * (int)floor(log10(largest) / 3.0);
}

/// About `count` ticks, at 1, 2 or 5 times a power of ten.
static pkm_ticks linear_ticks(const pkm_scale* scale, int count)
{
    pkm_ticks ticks = {.n = 0};
    const step s = find_step((scale->high - scale->low) / (1.5 * count));
    const double width = step_value(s, 1.0);
    // the ends count, rounding aside
    const double first = ceil(scale->low / width - 1e-9), last = floor(scale->high / width + 1e-9);
    for (double k = first; k <= last && ticks.n < PKM_MAX_TICK; ++k)
        ticks.value[ticks.n++] = k == 0.0 ? 0.0 : step_value(s, k);

    ticks.power = common_power(fmax(fabs(scale->low), fabs(scale->high)));
    const int decimals = ticks.power > s.exponent ? ticks.power - s.exponent : 0;
    for (int k = 0; k < ticks.n; ++k)
        format_tick(ticks.value[k] / pow(10.0, ticks.power), decimals, ticks.label[k],
                    sizeof ticks.label[k]);
    return ticks;
}

/// Plain numbers near 1, powers of ten elsewhere.
static void add_log_tick(pkm_ticks* ticks, const pkm_scale* scale, int digit, int exponent)
{
    const double value = step_value((step){digit, exponent}, 1.0);
    const bool inside = value >= scale->low * (1.0 - 1e-9) && value <= scale->high * (1.0 + 1e-9);
    if (!inside || ticks->n >= PKM_MAX_TICK) return;
    char* label = ticks->label[ticks->n];
    if (exponent >= -3 && exponent <= 4)
        format_tick(value, exponent < 0 ? -exponent : 0, label, PKM_TICK_SIZE);
    else
        snprintf(label, PKM_TICK_SIZE, "%s10" PKM_SVG_UP "%s%d" PKM_SVG_DOWN,
                 digit == 1   ? ""
                 : digit == 2 ? "2\xC2\xB7"
                              : "5\xC2\xB7",
                 exponent < 0 ? PKM_SVG_MINUS : "", exponent < 0 ? -exponent : exponent);
    ticks->value[ticks->n++] = value;
}

/// Below a decade linear steps serve better; up to `count` / 3 decades 1, 2, 5;
/// beyond that whole decades.
static pkm_ticks log_ticks(const pkm_scale* scale, int count)
{
    const double decades = log10(scale->high / scale->low);
    if (decades < 1.0) return linear_ticks(scale, count);
    pkm_ticks ticks = {.n = 0};
    const int first = (int)floor(log10(scale->low)), last = (int)ceil(log10(scale->high));
    const bool fine = 3.0 * decades <= 1.2 * count;
    const int stride = 1 + (int)(decades / (count + 1));
    for (int e = first; e <= last; ++e) {
        if (!fine && e % stride != 0) continue;
        add_log_tick(&ticks, scale, 1, e);
        if (!fine) continue;
        add_log_tick(&ticks, scale, 2, e);
        add_log_tick(&ticks, scale, 5, e);
    }
    return ticks;
}

pkm_ticks pkm_ticks_make(const pkm_scale* scale, int count)
{
    PKM_ASSERT(scale->low < scale->high);
    count = count < 2 ? 2 : count > 15 ? 15 : count;
    return scale->log ? log_ticks(scale, count) : linear_ticks(scale, count);
}

/// Append `unit` with raised exponents: digits, with their sign, behind a letter.
static void append_unit(const char* unit, char* text, size_t size)
{
    size_t n = strlen(text);
    bool up = false;
    for (const char* c = unit; *c && n + 4 < size; ++c) {
        const bool behind_letter = c > unit && isalpha((unsigned char)c[-1]);
        up = (up || behind_letter) && (isdigit((unsigned char)*c) || *c == '-');
        n += (size_t)snprintf(text + n, size - n, up ? PKM_SVG_UP "%c" PKM_SVG_DOWN : "%c", *c);
    }
}

void pkm_axis_title(const pkm_axis* axis, int power, char* text, size_t size)
{
    const char* label = axis->label ? axis->label : "";
    const char* unit = axis->unit ? axis->unit : "";
    snprintf(text, size, "%s", label);
    if (unit[0] == '\0' && power == 0) return;

    size_t n = strlen(text);
    snprintf(text + n, size - n, "%s[", n > 0 ? " " : "");
    n = strlen(text);
    if (power != 0)
        snprintf(text + n, size - n, "10" PKM_SVG_UP "%s%d" PKM_SVG_DOWN "%s",
                 power < 0 ? PKM_SVG_MINUS : "", power < 0 ? -power : power, unit[0] ? " " : "");
    append_unit(unit, text, size);
    n = strlen(text);
    snprintf(text + n, size - n, "]");
}

/// The prefix that brings `largest` near 1 ... 10,000, for units that take one.
static const char* find_prefix(const char* unit, double largest, double* factor)
{
    static const char* const takes_prefix[] = {"m", "N", "N m", "Nm", "W", "J", "Pa"};
    *factor = 1.0;
    bool takes = false;
    for (size_t k = 0; k < sizeof takes_prefix / sizeof takes_prefix[0]; ++k)
        takes = takes || strcmp(unit, takes_prefix[k]) == 0;
    if (!takes || !(largest > 0.0) || !isfinite(largest)) return "";

    const bool is_length = strcmp(unit, "m") == 0;
    if (largest >= 1e10 && !is_length) return *factor = 1e-9, "G";
    if (largest >= 1e7 && !is_length) return *factor = 1e-6, "M";
    if (largest >= 1e4 && !is_length) return *factor = 1e-3, "k";
    if (largest < 1e-10) return ""; // rounding
    if (largest < 1e-7) return *factor = 1e9, "n";
    if (largest < 1e-4) return *factor = 1e6, "\xC2\xB5";
    if (largest < 0.1) return *factor = 1e3, "m";
    return "";
}

pkm_axis pkm_axis_for(const char* label, const char* unit, double largest, char* text, size_t size)
{
    double factor = 1.0;
    if (strcmp(unit, "rad") == 0 || strncmp(unit, "rad/", 4) == 0) {
        factor = PKM_DEGREES;
        snprintf(text, size, "deg%s", unit + 3);
    } else {
        const char* prefix = find_prefix(unit, largest, &factor);
        snprintf(text, size, "%s%s", prefix, unit);
    }
    return (pkm_axis){.label = label, .unit = text, .factor = factor};
}
