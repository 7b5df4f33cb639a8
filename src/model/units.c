// Units are products of SI units with prefixes: `N m/rad`, `kg m2`, `1/min`. A dimension is a list
// of exponents, by which sums and keys are checked.
#include "model/units.h"

#include "math/angle.h"
#include "model/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Exponents are stored twice as large, so that square roots of units have whole ones
/// (append_factor).
const pkm_dimension pkm_dim_one = {0, 0, 0, 0};
const pkm_dimension pkm_dim_length = {2, 0, 0, 0};
const pkm_dimension pkm_dim_angle = {0, 0, 0, 2};
const pkm_dimension pkm_dim_mass = {0, 2, 0, 0};
const pkm_dimension pkm_dim_time = {0, 0, 2, 0};
const pkm_dimension pkm_dim_velocity = {2, 0, -2, 0};
const pkm_dimension pkm_dim_acceleration = {2, 0, -4, 0};
const pkm_dimension pkm_dim_jerk = {2, 0, -6, 0};
const pkm_dimension pkm_dim_angular_velocity = {0, 0, -2, 2};
const pkm_dimension pkm_dim_angular_acceleration = {0, 0, -4, 2};
const pkm_dimension pkm_dim_angular_jerk = {0, 0, -6, 2};
const pkm_dimension pkm_dim_force = {2, 2, -4, 0};
const pkm_dimension pkm_dim_torque = {4, 2, -4, 0};
const pkm_dimension pkm_dim_pressure = {-2, 2, -4, 0};
const pkm_dimension pkm_dim_density = {-6, 2, 0, 0};
const pkm_dimension pkm_dim_inertia = {4, 2, 0, 0};

/// A unit by its name; the numerator is a multiple of pi where `turns` says so.
typedef struct named_unit {
    const char* name;
    double numerator, denominator;
    bool turns;
    signed char m, kg, s, rad; // whole exponents
} named_unit;

/// Numerator and denominator apart: 500 mm is 500 / 1000 m with one rounding, 0.5 to the last bit,
/// where 500 * 0.001 would have two.
static const named_unit table[] = {
    {"m", 1, 1, false, 1, 0, 0, 0},           {"km", 1e3, 1, false, 1, 0, 0, 0},
    {"dm", 1, 10, false, 1, 0, 0, 0},         {"cm", 1, 1e2, false, 1, 0, 0, 0},
    {"mm", 1, 1e3, false, 1, 0, 0, 0},        {"um", 1, 1e6, false, 1, 0, 0, 0},
    {"\xc2\xb5m", 1, 1e6, false, 1, 0, 0, 0}, // micro sign
    {"\xce\xbcm", 1, 1e6, false, 1, 0, 0, 0}, // Greek mu
    {"nm", 1, 1e9, false, 1, 0, 0, 0},        {"kg", 1, 1, false, 0, 1, 0, 0},
    {"g", 1, 1e3, false, 0, 1, 0, 0},         {"mg", 1, 1e6, false, 0, 1, 0, 0},
    {"t", 1e3, 1, false, 0, 1, 0, 0},         {"s", 1, 1, false, 0, 0, 1, 0},
    {"ms", 1, 1e3, false, 0, 0, 1, 0},        {"us", 1, 1e6, false, 0, 0, 1, 0},
    {"min", 60, 1, false, 0, 0, 1, 0},        {"h", 3600, 1, false, 0, 0, 1, 0},
    {"rad", 1, 1, false, 0, 0, 0, 1},         {"mrad", 1, 1e3, false, 0, 0, 0, 1},
    {"deg", 1, 180, true, 0, 0, 0, 1},        {"\xc2\xb0", 1, 180, true, 0, 0, 0, 1}, // degree sign
    {"turn", 2, 1, true, 0, 0, 0, 1},         {"rpm", 1, 30, true, 0, 0, -1, 1},
    {"Hz", 1, 1, false, 0, 0, -1, 0},         {"kHz", 1e3, 1, false, 0, 0, -1, 0},
    {"N", 1, 1, false, 1, 1, -2, 0},          {"mN", 1, 1e3, false, 1, 1, -2, 0},
    {"kN", 1e3, 1, false, 1, 1, -2, 0},       {"MN", 1e6, 1, false, 1, 1, -2, 0},
    {"Nm", 1, 1, false, 2, 1, -2, 0},         {"Pa", 1, 1, false, -1, 1, -2, 0},
    {"kPa", 1e3, 1, false, -1, 1, -2, 0},     {"MPa", 1e6, 1, false, -1, 1, -2, 0},
    {"GPa", 1e9, 1, false, -1, 1, -2, 0},     {"bar", 1e5, 1, false, -1, 1, -2, 0},
    {"J", 1, 1, false, 2, 1, -2, 0},          {"mJ", 1, 1e3, false, 2, 1, -2, 0},
    {"kJ", 1e3, 1, false, 2, 1, -2, 0},       {"W", 1, 1, false, 2, 1, -3, 0},
    {"mW", 1, 1e3, false, 2, 1, -3, 0},       {"kW", 1e3, 1, false, 2, 1, -3, 0},
    {"in", 254, 1e4, false, 1, 0, 0, 0},      {"inch", 254, 1e4, false, 1, 0, 0, 0},
    {"ft", 3048, 1e4, false, 1, 0, 0, 0},     {"%", 1, 1e2, false, 0, 0, 0, 0},
};
enum { N_TABLE = sizeof table / sizeof table[0], MAX_POWER = 9 };

bool pkm_dimension_equal(pkm_dimension a, pkm_dimension b)
{
    return a.m == b.m && a.kg == b.kg && a.s == b.s && a.rad == b.rad;
}

pkm_dimension pkm_dimension_mul(pkm_dimension a, pkm_dimension b, int sign)
{
    return (pkm_dimension){a.m + sign * b.m, a.kg + sign * b.kg, a.s + sign * b.s,
                           a.rad + sign * b.rad};
}

bool pkm_dimension_fits(pkm_dimension have, pkm_dimension want)
{
    if (have.m != want.m || have.kg != want.kg || have.s != want.s) return false;
    // radians are no dimension of SI: N m/rad is N m, rad/s beside a length is 1/s. Only where
    // nothing else is left do they tell an angle from a number.
    return have.rad == want.rad || want.m != 0 || want.kg != 0;
}

bool pkm_dimension_fits_derived(pkm_dimension have, pkm_dimension want)
{
    if (pkm_dimension_fits(have, want)) return true;
    // rates of a motion may say 1/s for rad/s
    return have.m == want.m && have.kg == want.kg && have.s == want.s && want.s != 0;
}

/// Dimensions that have a name or a unit of their own.
static const struct {
    const char *name, *unit;
    const pkm_dimension* dimension;
} known[] = {
    {"a number without a unit", "1", &pkm_dim_one},
    {"a length", "m", &pkm_dim_length},
    {"an angle", "rad", &pkm_dim_angle},
    {"a mass", "kg", &pkm_dim_mass},
    {"a time", "s", &pkm_dim_time},
    {"a velocity", "m/s", &pkm_dim_velocity},
    {"an acceleration", "m/s2", &pkm_dim_acceleration},
    {"a jerk", "m/s3", &pkm_dim_jerk},
    {"an angular velocity", "rad/s", &pkm_dim_angular_velocity},
    {"an angular acceleration", "rad/s2", &pkm_dim_angular_acceleration},
    {"an angular jerk", "rad/s3", &pkm_dim_angular_jerk},
    {"a force", "N", &pkm_dim_force},
    {"a torque", "N m", &pkm_dim_torque},
    {"a pressure", "Pa", &pkm_dim_pressure},
    {"a density", "kg/m3", &pkm_dim_density},
    {"a moment of inertia", "kg m2", &pkm_dim_inertia},
};
enum { N_KNOWN = sizeof known / sizeof known[0] };

/// Append "name", "name2" or "name^0.5" for the exponent `half`/2 > 0; `n` counts the factors.
static void append_factor(pkm_unit_text* out, const char* name, int half, int* n, const char* join)
{
    if (half <= 0) return;
    char power[16] = "";
    if (half % 2) {
        snprintf(power, sizeof power, "^%d.5", half / 2);
    } else if (half > 2) {
        snprintf(power, sizeof power, "%d", half / 2);
    }
    const size_t used = strlen(out->text);
    snprintf(out->text + used, sizeof out->text - used, "%s%s%s", *n > 0 ? join : "", name, power);
    ++*n;
}

pkm_unit_text pkm_dimension_unit(pkm_dimension d)
{
    pkm_unit_text out = {""};
    for (int i = 0; i < N_KNOWN; ++i) {
        if (!pkm_dimension_equal(d, *known[i].dimension)) continue;
        snprintf(out.text, sizeof out.text, "%s", known[i].unit);
        return out;
    }
    int n = 0;
    // factors above the line first: "kg m2/s2", never "1/s2 kg m2"
    append_factor(&out, "kg", d.kg, &n, " ");
    append_factor(&out, "m", d.m, &n, " ");
    append_factor(&out, "rad", d.rad, &n, " ");
    append_factor(&out, "s", d.s, &n, " ");
    if (n == 0) snprintf(out.text, sizeof out.text, "1");
    n = 1;
    append_factor(&out, "kg", -d.kg, &n, "/");
    append_factor(&out, "m", -d.m, &n, "/");
    append_factor(&out, "rad", -d.rad, &n, "/");
    append_factor(&out, "s", -d.s, &n, "/");
    return out;
}

pkm_unit_text pkm_dimension_name(pkm_dimension d)
{
    const pkm_unit_text unit = pkm_dimension_unit(d);
    pkm_unit_text out = {""};
    const char* name = NULL;
    for (int i = 0; i < N_KNOWN; ++i)
        if (pkm_dimension_equal(d, *known[i].dimension)) name = known[i].name;
    if (name && strcmp(unit.text, "1") == 0) {
        snprintf(out.text, sizeof out.text, "%s", name);
    } else {
        snprintf(out.text, sizeof out.text, "%s%s[%.*s]", name ? name : "", name ? " " : "",
                 (int)sizeof out.text - 28, unit.text);
    }
    return out;
}

/// Bytes of the superscript 2 or 3 at `s`, with its value; 0 when there is none.
static int superscript(const char* s, int* power)
{
    if (strncmp(s, "\xc2\xb2", 2) != 0 && strncmp(s, "\xc2\xb3", 2) != 0) return 0;
    *power = s[1] == '\xb2' ? 2 : 3;
    return 2;
}

static int middle_dot(const char* s)
{
    return strncmp(s, "\xc2\xb7", 2) == 0 ? 2 : 0;
}

/// Length of the unit name at `s`: letters, `%`, degree and micro signs.
static int name_length(const char* s)
{
    if (s[0] == '%') return 1;
    int n = 0, power;
    while (isalpha((unsigned char)s[n]) ||
           ((unsigned char)s[n] >= 0x80 && !superscript(s + n, &power) && !middle_dot(s + n)))
        ++n;
    return n;
}

static const named_unit* find_unit(const char* s, int length)
{
    for (int i = 0; i < N_TABLE; ++i)
        // units are told by case: mN and MN, mPa
        if ((int)strlen(table[i].name) == length && strncmp(table[i].name, s, (size_t)length) == 0)
            return &table[i];
    return NULL;
}

static size_t unknown_unit(const char* text, int at, int length, pkm_fault* fault)
{
    char word[40];
    snprintf(word, sizeof word, "%.*s", length, text + at);
    pkm_nearest near = pkm_nearest_make(word);
    for (int i = 0; i < N_TABLE; ++i)
        pkm_nearest_offer(&near, table[i].name);
    fault->at = at;
    snprintf(fault->text, sizeof fault->text, "'%s' is not a unit%s", word,
             pkm_nearest_hint(&near).text);
    return 0;
}

static size_t unit_fault(pkm_fault* fault, int at, const char* text)
{
    fault->at = at;
    snprintf(fault->text, sizeof fault->text, "%s", text);
    return 0;
}

/// The power behind a name: `2`, `^2`, `^-2` or a superscript. @return bytes used, power 1 if none.
static int scan_power(const char* s, int* power)
{
    const int raised = superscript(s, power);
    if (raised) return raised;
    const int caret = s[0] == '^';
    const int minus = caret && s[1] == '-';
    const int at = caret + minus;
    *power = 1;
    if (!isdigit((unsigned char)s[at])) return 0;
    int end = at;
    while (isdigit((unsigned char)s[end]))
        ++end;
    // two digits and more are out of range whatever they say, and might not fit an int
    *power = end - at > 1 ? MAX_POWER + 1 : s[at] - '0';
    if (minus) *power = -*power;
    return end;
}

static void multiply(pkm_unit* unit, const named_unit* by, int power)
{
    const double numerator = by->turns ? by->numerator * PKM_PI : by->numerator;
    for (int i = 0; i < abs(power); ++i) {
        unit->numerator *= power > 0 ? numerator : by->denominator;
        unit->denominator *= power > 0 ? by->denominator : numerator;
    }
    const pkm_dimension d = {2 * by->m, 2 * by->kg, 2 * by->s, 2 * by->rad};
    unit->dimension = pkm_dimension_mul(unit->dimension, d, power);
}

/// Spaces, then a joint sign: returns bytes used; `sign` is '/' or '*', or 0 at the end.
static int scan_joint(const char* s, bool inside, char* sign)
{
    int n = 0, blanks = 0;
    while (s[blanks] == ' ')
        ++blanks;
    n = blanks;
    *sign = 0;
    if (s[n] == '/' || (s[n] == '*' && !inside)) {
        *sign = s[n++];
        const int before = n;
        while (s[n] == ' ')
            ++n;
        // inside an expression `/` divides, unless a unit stands right behind: "2 m/s" is a speed,
        // "2 m / t" a quotient
        const bool is_tight = blanks == 0 && n == before && find_unit(s + n, name_length(s + n));
        if (inside && !is_tight) *sign = 0;
    } else if (middle_dot(s + n)) {
        *sign = '*';
        n += 2;
    } else if (blanks > 0 && name_length(s + n) > 0) {
        *sign = ' ';
    }
    return *sign ? n : 0;
}

size_t pkm_unit_scan(const char* text, bool inside, pkm_unit* out, pkm_fault* fault)
{
    *out = (pkm_unit){1.0, 1.0, pkm_dim_one};
    int at = 0;
    bool has_quotient = false;
    char sign = '*';
    // "1/s" begins with the number, not with a unit
    if (text[0] == '1' && text[1] == '/') at = scan_joint(text + 1, false, &sign) + 1;
    for (;;) {
        const int length = name_length(text + at);
        if (length == 0) return unit_fault(fault, at, "expected a unit such as mm or kg m2");
        const named_unit* unit = find_unit(text + at, length);
        if (!unit) return unknown_unit(text, at, length, fault);
        // N/m rad is read as N/(m rad) by some and (N/m) rad by others
        if (has_quotient && sign != '/')
            return unit_fault(fault, at,
                              "a unit behind a quotient is ambiguous, "
                              "write the products first: N m/rad, kg/m/s2");
        at += length;

        int power = 1;
        at += scan_power(text + at, &power);
        if (abs(power) > MAX_POWER || power == 0)
            return unit_fault(fault, at - 1, "the power of a unit is out of range");
        multiply(out, unit, sign == '/' ? -power : power);
        has_quotient = has_quotient || sign == '/';

        const int used = scan_joint(text + at, inside, &sign);
        if (!sign) return (size_t)at;
        at += used;
    }
}

double pkm_unit_ratio(const char* from, const char* to)
{
    pkm_unit a, b;
    pkm_fault fault;
    if (strcmp(from, to) == 0) return 1.0;
    if (!*from || !*to || pkm_unit_scan(from, false, &a, &fault) != strlen(from) ||
        pkm_unit_scan(to, false, &b, &fault) != strlen(to) ||
        !pkm_dimension_equal(a.dimension, b.dimension))
        return 0.0;
    return a.numerator / a.denominator * b.denominator / b.numerator;
}
