// Arithmetic with dimensions. Angles are numbers with a mark: radians may be added to radians and
// vanish in products with lengths.
#include "model/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_EXPONENT = 64, // of a dimension, in halves: beyond it nothing physical is meant
};

static pkm_quantity bare(double value)
{
    return (pkm_quantity){value, PKM_UNIT_NONE, pkm_dim_one};
}

static pkm_quantity angle(double value)
{
    return (pkm_quantity){value, PKM_UNIT_KNOWN, pkm_dim_angle};
}

bool pkm_quantity_fits(pkm_quantity x, pkm_dimension want)
{
    return x.kind != PKM_UNIT_KNOWN || pkm_dimension_fits(x.dimension, want);
}

/// Sums, differences, min, max, hypot, atan2: both sides have one dimension. A bare number takes
/// the other's; a known one beats one that was not told.
bool pkm_quantity_sum(pkm_quantity a, pkm_quantity b, double value, const char* verb,
                      pkm_quantity* out, char* why)
{
    // the kinds rise by what is known: nothing said, said but not told here, known
    const pkm_quantity* leader = a.kind >= b.kind ? &a : &b;
    *out = (pkm_quantity){value, leader->kind, leader->dimension};
    if (a.kind != PKM_UNIT_KNOWN || b.kind != PKM_UNIT_KNOWN) return true;
    if (pkm_dimension_fits_derived(b.dimension, a.dimension)) return true;
    snprintf(why, PKM_QUANTITY_TEXT, "cannot %s %s and %s", verb,
             pkm_dimension_name(a.dimension).text, pkm_dimension_name(b.dimension).text);
    return false;
}

/// a * b^sign with the given value. What is not told makes the product untold; a bare number times
/// a known ratio may still take any unit (0.2 * l1/l2), so it stays bare.
pkm_quantity pkm_quantity_product(pkm_quantity a, pkm_quantity b, double value, int sign)
{
    pkm_quantity out = bare(value);
    if (a.kind == PKM_UNIT_UNTOLD || b.kind == PKM_UNIT_UNTOLD) {
        out.kind = PKM_UNIT_UNTOLD;
        return out;
    }
    out.dimension = pkm_dimension_mul(a.dimension, b.dimension, sign);
    const bool both = a.kind == PKM_UNIT_KNOWN && b.kind == PKM_UNIT_KNOWN;
    if (both || !pkm_dimension_equal(out.dimension, pkm_dim_one)) out.kind = PKM_UNIT_KNOWN;
    return out;
}

static bool raise(pkm_quantity base, double exponent, double value, pkm_quantity* out, char* why)
{
    *out = (pkm_quantity){value, base.kind, base.dimension};
    int* to[] = {&out->dimension.m, &out->dimension.kg, &out->dimension.s, &out->dimension.rad};
    for (int i = 0; i < 4; ++i) {
        const double power = *to[i] * exponent;
        // exponents are kept in halves: what is no multiple of one half has no unit
        if (power != floor(power) || fabs(power) > MAX_EXPONENT) {
            snprintf(why, PKM_QUANTITY_TEXT, "%s to the power %g has no unit",
                     pkm_dimension_name(base.dimension).text, exponent);
            return false;
        }
        *to[i] = (int)power;
    }
    return true;
}

bool pkm_quantity_power(pkm_quantity base, pkm_quantity exponent, pkm_quantity* out, char* why)
{
    if (!pkm_quantity_fits(exponent, pkm_dim_one)) {
        snprintf(why, PKM_QUANTITY_TEXT, "the exponent is %s, expected a number without a unit",
                 pkm_dimension_name(exponent.dimension).text);
        return false;
    }
    return raise(base, exponent.value, pow(base.value, exponent.value), out, why);
}

typedef enum rule {
    RULE_ROOT,    // half the dimension
    RULE_OF_TURN, // of an angle, gives a bare number
    RULE_TO_TURN, // of a bare number, gives an angle
    RULE_BARE,    // of a bare number, gives one
    RULE_KEEP,    // keeps the dimension
    RULE_SAME,    // arguments of one dimension, which is kept
    RULE_ATAN2,   // arguments of one dimension, gives an angle
} rule;

static double smallest(double a, double b)
{
    return b < a ? b : a;
}

static double largest(double a, double b)
{
    return b > a ? b : a;
}

static const struct {
    const char* name;
    rule rule;
    pkm_function is;
} function[] = {
    {"sqrt", RULE_ROOT, {.one = sqrt, .jet_one = pkm_jet_sqrt}},
    {"sin", RULE_OF_TURN, {.one = sin, .jet_one = pkm_jet_sin}},
    {"cos", RULE_OF_TURN, {.one = cos, .jet_one = pkm_jet_cos}},
    {"tan", RULE_OF_TURN, {.one = tan, .jet_one = pkm_jet_tan}},
    {"asin", RULE_TO_TURN, {.one = asin, .jet_one = pkm_jet_asin}},
    {"acos", RULE_TO_TURN, {.one = acos, .jet_one = pkm_jet_acos}},
    {"atan", RULE_TO_TURN, {.one = atan, .jet_one = pkm_jet_atan}},
    {"atan2", RULE_ATAN2, {.two = atan2, .jet_two = pkm_jet_atan2}},
    {"abs", RULE_KEEP, {.one = fabs, .jet_one = pkm_jet_abs}},
    {"min", RULE_SAME, {.two = smallest, .jet_two = pkm_jet_min}},
    {"max", RULE_SAME, {.two = largest, .jet_two = pkm_jet_max}},
    {"exp", RULE_BARE, {.one = exp, .jet_one = pkm_jet_exp}},
    {"log", RULE_BARE, {.one = log, .jet_one = pkm_jet_log}},
    {"floor", RULE_BARE, {.one = floor, .jet_one = pkm_jet_floor}},
    {"hypot", RULE_SAME, {.two = hypot, .jet_two = pkm_jet_hypot}},
};
enum { N_FUNCTION = sizeof function / sizeof function[0] };

const char* pkm_quantity_function(int i)
{
    return i < N_FUNCTION ? function[i].name : NULL;
}

static int find_function(const char* name)
{
    int f = 0;
    while (f < N_FUNCTION && strcmp(function[f].name, name) != 0)
        ++f;
    return f;
}

const pkm_function* pkm_quantity_function_of(const char* name)
{
    return &function[find_function(name)].is;
}

bool pkm_quantity_takes_angle(const char* name)
{
    const int f = find_function(name);
    return f < N_FUNCTION && function[f].rule == RULE_OF_TURN;
}

bool pkm_quantity_is_loose_angle(pkm_quantity x)
{
    static const double two_turns = 12.566370614359172; // [rad]
    // joints turn by less: a larger bare number was meant in degrees
    return x.kind != PKM_UNIT_KNOWN && fabs(x.value) > two_turns;
}

static bool call_one(int f, pkm_quantity x, pkm_quantity* out, char* why)
{
    const double value = function[f].is.one(x.value);
    const rule r = function[f].rule;
    if (r == RULE_ROOT) return raise(x, 0.5, value, out, why);
    const pkm_dimension want = r == RULE_OF_TURN ? pkm_dim_angle : pkm_dim_one;
    // sin(x/l): ratios of lengths serve as angles
    const bool is_ratio = x.kind == PKM_UNIT_KNOWN && pkm_dimension_equal(x.dimension, pkm_dim_one);
    if (r != RULE_KEEP && !is_ratio && !pkm_quantity_fits(x, want)) {
        snprintf(why, PKM_QUANTITY_TEXT, "%s of %s, expected %s", function[f].name,
                 pkm_dimension_name(x.dimension).text, pkm_dimension_name(want).text);
        return false;
    }
    *out = r == RULE_TO_TURN ? angle(value) : bare(value);
    if (r == RULE_KEEP) *out = (pkm_quantity){value, x.kind, x.dimension};
    return true;
}

static bool call_two(int f, const pkm_quantity* x, int n, pkm_quantity* out, char* why)
{
    char verb[24];
    snprintf(verb, sizeof verb, "take %s of", function[f].name);
    *out = x[0];
    for (int i = 1; i < n; ++i) {
        const double value = function[f].is.two(out->value, x[i].value);
        if (!pkm_quantity_sum(*out, x[i], value, verb, out, why)) return false;
    }
    if (function[f].rule == RULE_ATAN2) *out = angle(out->value);
    return true;
}

bool pkm_quantity_call(const char* name, const pkm_quantity* x, int n, pkm_quantity* out, char* why)
{
    const int f = find_function(name);
    if (f == N_FUNCTION) return false; // the parser calls with known names only
    const bool is_open_ended = function[f].rule == RULE_SAME;
    const int want = function[f].is.one ? 1 : 2;
    if (n != want && !(is_open_ended && n > want)) {
        snprintf(why, PKM_QUANTITY_TEXT, "%s has %d argument%s, expected %d%s", name, n,
                 n == 1 ? "" : "s", want, is_open_ended ? " or more" : "");
        return false;
    }
    if (function[f].is.one) return call_one(f, x[0], out, why);
    return call_two(f, x, n, out, why);
}
