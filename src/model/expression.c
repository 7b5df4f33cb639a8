#include "model/expression.h"

#include "model/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MAX_DEPTH = 64,    // nested parentheses and signs
    MAX_ARGUMENT = 8,  // of a function
    LONGEST_NAME = 64, // of a parameter
};

/// A recursive descent over the text; the first fault stops it.
///
///     sum     = product { ("+" | "-") product }
///     product = signed { ("*" | "/") signed }
///     signed  = { "+" | "-" } power
///     power   = primary [ "^" signed ]
///     primary = number [unit] | name | function "(" sum { "," sum } ")" | "(" sum ")"
typedef struct parser {
    const char* text;
    int at;
    int depth;
    pkm_lookup lookup;
    void* user;
    pkm_status status;
    pkm_fault* fault;
} parser;

static const pkm_quantity nothing = {0.0, PKM_UNIT_NONE, {0, 0, 0, 0}};

static pkm_quantity parse_sum(parser* p);

static pkm_quantity stop(parser* p, int at, const char* why)
{
    if (p->status == PKM_OK) {
        p->status = PKM_ERR_MODEL;
        p->fault->at = at;
        snprintf(p->fault->text, sizeof p->fault->text, "%s", why);
    }
    return nothing;
}

static void skip_blanks(parser* p)
{
    while (isspace((unsigned char)p->text[p->at]))
        ++p->at;
}

/// Step over `sign` when it comes next.
static bool accept(parser* p, char sign)
{
    skip_blanks(p);
    if (p->status != PKM_OK || p->text[p->at] != sign) return false;
    ++p->at;
    return true;
}

/// `0,8`: in many countries a decimal number, here the end of one. `at` is that of the comma.
static bool is_decimal_comma(const char* text, int at)
{
    return at > 0 && text[at] == ',' && isdigit((unsigned char)text[at - 1]) &&
           isdigit((unsigned char)text[at + 1]);
}

static pkm_quantity decimal_comma(parser* p, int at)
{
    int from = at, to = at + 1;
    while (from > 0 && isdigit((unsigned char)p->text[from - 1]))
        --from;
    while (isdigit((unsigned char)p->text[to]))
        ++to;
    char why[96];
    snprintf(why, sizeof why, "a decimal comma, expected a point: %.*s.%.*s", at - from,
             p->text + from, to - at - 1, p->text + at + 1);
    return stop(p, at, why);
}

static pkm_quantity unexpected(parser* p)
{
    skip_blanks(p);
    char why[64];
    const char c = p->text[p->at];
    if (is_decimal_comma(p->text, p->at)) return decimal_comma(p, p->at);
    if (c == '\0') return stop(p, p->at, "the expression ends too early");
    if (isprint((unsigned char)c)) {
        snprintf(why, sizeof why, "unexpected '%c'", c);
    } else {
        snprintf(why, sizeof why, "unexpected character");
    }
    return stop(p, p->at, why);
}

/// Digits with an optional point and exponent; 0 when there is no number. strtod alone would also
/// read hexadecimal, inf and nan.
static int number_length(const char* s)
{
    int n = 0, digits = 0;
    for (; isdigit((unsigned char)s[n]); ++n)
        ++digits;
    if (s[n] == '.') ++n;
    for (; isdigit((unsigned char)s[n]); ++n)
        ++digits;
    if (digits == 0) return 0;
    if (s[n] == 'e' || s[n] == 'E') {
        int e = n + 1;
        if (s[e] == '+' || s[e] == '-') ++e;
        if (isdigit((unsigned char)s[e])) {
            while (isdigit((unsigned char)s[e]))
                ++e;
            n = e;
        }
    }
    return n;
}

static pkm_quantity parse_number(parser* p, bool inside)
{
    const int start = p->at;
    pkm_quantity x = nothing;
    char* end = NULL;
    x.value = strtod(p->text + start, &end);
    p->at += number_length(p->text + start);
    if (!isfinite(x.value)) return stop(p, start, "the number is too large");
    if (end < p->text + p->at) // a library's host may have set one
        return stop(p, start, "the locale of the program has another decimal point");

    int unit_at = p->at;
    while (p->text[unit_at] == ' ')
        ++unit_at;
    const unsigned char c = (unsigned char)p->text[unit_at];
    const bool has_unit = isalpha(c) || c == '%' || c >= 0x80 || (!inside && c != '\0');
    if (!has_unit) return x;
    if (!inside && is_decimal_comma(p->text, unit_at)) return decimal_comma(p, unit_at);
    if (!inside && strchr("+-*/^(", c)) return stop(p, unit_at, "an expression starts with '='");

    pkm_unit unit;
    const size_t used = pkm_unit_scan(p->text + unit_at, inside, &unit, p->fault);
    if (used == 0) {
        p->status = PKM_ERR_MODEL;
        p->fault->at += unit_at;
        return nothing;
    }
    p->at = unit_at + (int)used;
    x.value = x.value * unit.numerator / unit.denominator;
    x.kind = PKM_UNIT_KNOWN;
    x.dimension = unit.dimension;
    return isfinite(x.value) ? x : stop(p, start, "the number is too large");
}

bool pkm_expression_is_reserved(const char* name)
{
    if (strcmp(name, "pi") == 0) return true;
    for (int i = 0; pkm_quantity_function(i); ++i)
        if (strcmp(pkm_quantity_function(i), name) == 0) return true;
    return false;
}

static pkm_quantity unknown_name(parser* p, int at, const char* name, pkm_nearest* near)
{
    char why[sizeof p->fault->text];
    for (int i = 0; pkm_quantity_function(i); ++i)
        pkm_nearest_offer(near, pkm_quantity_function(i));
    snprintf(why, sizeof why, "unknown parameter '%s'%s", name, pkm_nearest_hint(near).text);
    return stop(p, at, why);
}

/// sqrt, asin, acos and log outside of their range: mostly a triangle whose sides do not meet.
static pkm_quantity no_value(parser* p, const char* name, int at, pkm_quantity x)
{
    static const char* const bounded[] = {"sqrt", "asin", "acos"};
    char why[sizeof p->fault->text];
    bool is_bounded = false;
    for (int i = 0; i < 3; ++i)
        is_bounded = is_bounded || strcmp(name, bounded[i]) == 0;
    snprintf(why, sizeof why, "%s(%g) is not a finite number%s", name, x.value,
             is_bounded ? ": with these dimensions no such triangle exists; a guessed pose may be "
                          "given by plain numbers instead"
                        : "");
    return stop(p, at, why);
}

static pkm_quantity parse_call(parser* p, const char* name, int name_at)
{
    pkm_quantity argument[MAX_ARGUMENT], out = nothing;
    char why[PKM_QUANTITY_TEXT] = "unknown function";
    int n = 0;
    do {
        if (n == MAX_ARGUMENT) return stop(p, p->at, "too many arguments");
        argument[n++] = parse_sum(p);
    } while (accept(p, ','));
    if (p->status != PKM_OK) return nothing;
    if (!accept(p, ')')) return unexpected(p);
    if (!pkm_quantity_call(name, argument, n, &out, why)) return stop(p, name_at, why);
    if (!isfinite(out.value)) return no_value(p, name, name_at, argument[0]);
    if (pkm_quantity_takes_angle(name) && pkm_quantity_is_loose_angle(argument[0]))
        p->fault->loose_angle = argument[0].value;
    return out;
}

static pkm_quantity parse_name(parser* p)
{
    char name[LONGEST_NAME];
    const int start = p->at;
    int n = 0;
    while (isalnum((unsigned char)p->text[p->at]) || p->text[p->at] == '_') {
        if (n == LONGEST_NAME - 1) return stop(p, start, "the name is too long");
        name[n++] = p->text[p->at++];
    }
    name[n] = '\0';
    if (strcmp(name, "pi") == 0) return (pkm_quantity){acos(-1.0), PKM_UNIT_NONE, pkm_dim_one};
    if (pkm_expression_is_reserved(name)) {
        if (!accept(p, '(')) return unexpected(p);
        return parse_call(p, name, start);
    }
    pkm_quantity out = nothing;
    pkm_nearest near = pkm_nearest_make(name);
    const pkm_status status = p->lookup(p->user, name, &out, &near);
    if (status == PKM_RETRY) return unknown_name(p, start, name, &near);
    if (status != PKM_OK) {
        p->status = status;
        p->fault->is_reported = true;
    }
    return out;
}

static pkm_quantity parse_primary(parser* p)
{
    skip_blanks(p);
    const char c = p->text[p->at];
    if (number_length(p->text + p->at) > 0) return parse_number(p, true);
    if (isalpha((unsigned char)c) || c == '_') return parse_name(p);
    if (!accept(p, '(')) return unexpected(p);
    const pkm_quantity x = parse_sum(p);
    if (p->status == PKM_OK && !accept(p, ')')) return unexpected(p);
    return x;
}

static pkm_quantity parse_signed(parser* p);

static pkm_quantity parse_power(parser* p)
{
    const pkm_quantity base = parse_primary(p);
    const int at = p->at;
    if (!accept(p, '^')) return base;
    const pkm_quantity exponent = parse_signed(p);
    if (p->status != PKM_OK) return nothing;
    pkm_quantity out;
    char why[PKM_QUANTITY_TEXT];
    if (!pkm_quantity_power(base, exponent, &out, why)) return stop(p, at, why);
    return isfinite(out.value) ? out : stop(p, at, "the power is not a finite number");
}

static pkm_quantity parse_signed(parser* p)
{
    if (++p->depth > MAX_DEPTH) return stop(p, p->at, "the expression is nested too deeply");
    pkm_quantity x;
    if (accept(p, '-')) {
        x = parse_signed(p);
        x.value = -x.value;
    } else {
        x = accept(p, '+') ? parse_signed(p) : parse_power(p);
    }
    --p->depth;
    return x;
}

static pkm_quantity parse_product(parser* p)
{
    pkm_quantity x = parse_signed(p);
    while (p->status == PKM_OK) {
        const int at = p->at;
        const bool times = accept(p, '*');
        if (!times && !accept(p, '/')) break;
        const pkm_quantity y = parse_signed(p);
        if (p->status != PKM_OK) break;
        if (!times && y.value == 0.0) return stop(p, at, "division by zero");
        x = times ? pkm_quantity_product(x, y, x.value * y.value, 1)
                  : pkm_quantity_product(x, y, x.value / y.value, -1);
        if (!isfinite(x.value)) return stop(p, at, "the result is not a finite number");
    }
    return x;
}

static pkm_quantity parse_sum(parser* p)
{
    pkm_quantity x = parse_product(p);
    while (p->status == PKM_OK) {
        const int at = p->at;
        const bool plus = accept(p, '+');
        if (!plus && !accept(p, '-')) break;
        const pkm_quantity y = parse_product(p);
        if (p->status != PKM_OK) break;
        const double value = plus ? x.value + y.value : x.value - y.value;
        char why[PKM_QUANTITY_TEXT];
        if (!pkm_quantity_sum(x, y, value, plus ? "add" : "subtract", &x, why))
            return stop(p, at, why);
        if (!isfinite(x.value)) return stop(p, at, "the result is not a finite number");
    }
    return x;
}

/// True for what YAML and C call infinities and NaN.
static bool names_infinity(const char* s)
{
    static const char* const words[] = {"inf", "infinity", "nan"};
    if (s[0] == '.') ++s;
    for (int i = 0; i < 3; ++i)
        if (strcasecmp(s, words[i]) == 0) return true;
    return false;
}

/// A plain number with an optional sign and unit.
static pkm_quantity parse_plain(parser* p)
{
    skip_blanks(p);
    const bool minus = p->text[p->at] == '-';
    if (minus || p->text[p->at] == '+') ++p->at;
    if (number_length(p->text + p->at) == 0) {
        if (names_infinity(p->text + p->at)) return stop(p, 0, "not a finite number");
        const bool has_sign = strpbrk(p->text + p->at, "+*/^(") != NULL;
        return stop(p, 0,
                    has_sign ? "not a number; an expression starts with '='" : "not a number");
    }
    pkm_quantity x = parse_number(p, false);
    if (minus) x.value = -x.value;
    return x;
}

pkm_status pkm_expression_evaluate(const char* text, pkm_lookup lookup, void* user,
                                   pkm_quantity* out, pkm_fault* fault)
{
    *fault = (pkm_fault){0};
    parser p = {text, 0, 0, lookup, user, PKM_OK, fault};
    if (text[0] == '=') {
        p.at = 1;
        *out = parse_sum(&p);
    } else {
        *out = parse_plain(&p);
    }
    skip_blanks(&p);
    if (p.status == PKM_OK && p.text[p.at] != '\0') unexpected(&p);
    return p.status;
}

const char* pkm_expression_unit(const char* text)
{
    if (text[0] == '=') return "";
    const char* s = text + strspn(text, " \t+-");
    s += number_length(s);
    return s + strspn(s, " ");
}
