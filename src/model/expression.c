// Recursive descent with one token of look-ahead. Dimensions are computed along with values, so
// that a sum of metres and seconds is refused where it stands. What depends on names given later
// becomes a list of instructions (formula.c).
#include "model/expression.h"

#include "math/angle.h"
#include "model/formula_code.h"
#include "model/quantity.h"
#include "pkm/types.h"

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
///
/// Values are computed on the way. Where there is `code`, the name t is the time, step() is known,
/// and what varies with time becomes instructions.
typedef struct parser {
    const char* text;
    int at;
    int depth;
    pkm_lookup lookup;
    void* user;
    pkm_status status;
    pkm_fault* fault;
    pkm_instruction* code;              ///< [PKM_FORMULA_CODE]; NULL: the value alone is asked for
    int n, stack;                       ///< instructions, numbers on the stack after them
    const pkm_formula_columns* columns; ///< names of numbers given later; NULL: none
} parser;

/// A part: its dimension, and its value where it does not vary with time.
typedef struct term {
    pkm_quantity x;
    bool varies;
} term;

static const term nothing = {{0.0, PKM_UNIT_NONE, {0, 0, 0, 0}}, false};

static term parse_sum(parser* p);

/// The first fault counts: what comes after it is only its consequence.
static term stop(parser* p, int at, const char* why)
{
    if (p->status == PKM_OK) {
        p->status = PKM_ERR_MODEL;
        p->fault->at = at;
        snprintf(p->fault->text, sizeof p->fault->text, "%s", why);
    }
    return nothing;
}

/// Append an instruction that takes `taken` numbers from the stack and leaves one.
static void emit(parser* p, pkm_instruction i, int taken)
{
    p->stack += 1 - taken;
    if (p->n == PKM_FORMULA_CODE || p->stack > PKM_FORMULA_STACK)
        stop(p, p->at, "the expression is too long");
    else
        p->code[p->n++] = i;
}

/// A number of the text goes to the stack where instructions are made.
static term push(parser* p, pkm_quantity x)
{
    if (p->code) emit(p, (pkm_instruction){PKM_OP_PUSH, {.value = x.value}}, 0);
    return (term){x, false};
}

/// What an operation on the numbers since instruction `from` has left: a value, or, where it
/// varies, the instruction that computes it. A value that is not finite stops with `why`.
static term leave(parser* p, int from, term out, pkm_instruction i, int taken, int at,
                  const char* why)
{
    if (!out.varies && !isfinite(out.x.value)) return stop(p, at, why);
    if (!p->code || p->status != PKM_OK) return out;
    emit(p, i, taken);
    if (out.varies || p->status != PKM_OK) return out;
    // constant folding: the instructions of a part that does not vary become one number
    p->n = from;
    p->code[p->n++] = (pkm_instruction){PKM_OP_PUSH, {.value = out.x.value}};
    return out;
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

static term decimal_comma(parser* p, int at)
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

/// The fault at the next sign, in words that name it.
static term unexpected(parser* p)
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

static term parse_number(parser* p, bool inside)
{
    const int start = p->at;
    pkm_quantity x = nothing.x;
    char* end = NULL;
    x.value = strtod(p->text + start, &end);
    p->at += number_length(p->text + start);
    if (!isfinite(x.value)) return stop(p, start, "the number is too large");
    if (end < p->text + p->at) // a library's host may have set one
        return stop(p, start, "the locale of the program has another decimal point");

    // a unit stands behind the number, with or without a blank: "500 mm", "70deg"
    int unit_at = p->at;
    while (p->text[unit_at] == ' ')
        ++unit_at;
    const unsigned char c = (unsigned char)p->text[unit_at];
    const bool has_unit = isalpha(c) || c == '%' || c >= 0x80 || (!inside && c != '\0');
    if (!has_unit) return push(p, x);
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
    return isfinite(x.value) ? push(p, x) : stop(p, start, "the number is too large");
}

bool pkm_expression_is_reserved(const char* name)
{
    if (strcmp(name, "pi") == 0) return true;
    for (int i = 0; pkm_quantity_function(i); ++i)
        if (strcmp(pkm_quantity_function(i), name) == 0) return true;
    return false;
}

static term unknown_name(parser* p, int at, const char* name, pkm_nearest* near)
{
    char why[sizeof p->fault->text];
    for (int i = 0; pkm_quantity_function(i); ++i)
        pkm_nearest_offer(near, pkm_quantity_function(i));
    snprintf(why, sizeof why, "unknown parameter '%s'%s", name, pkm_nearest_hint(near).text);
    return stop(p, at, why);
}

/// sqrt, asin, acos and log outside of their range: mostly a triangle whose sides do not meet.
static term no_value(parser* p, const char* name, int at, pkm_quantity x)
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

/// step(x, x0, h0, x1, h1): from h0 to h1 while x goes from x0 to x1, by a cubic; x and h have
/// units of their own.
static term call_step(parser* p, int from, const pkm_quantity* x, int n, bool varies, int at)
{
    char why[PKM_QUANTITY_TEXT];
    if (n != 5) return stop(p, at, "step has 5 arguments: x, x0, h0, x1, h1");
    pkm_quantity argument = x[0], height;
    bool fits = pkm_quantity_sum(argument, x[1], 0.0, "take step of", &argument, why);
    fits = fits && pkm_quantity_sum(argument, x[3], 0.0, "take step of", &argument, why);
    const double value =
        pkm_formula_step(x[0].value, x[1].value, x[2].value, x[3].value, x[4].value);
    fits = fits && pkm_quantity_sum(x[2], x[4], value, "step between", &height, why);
    if (!fits) return stop(p, at, why);
    return leave(p, from, (term){height, varies}, (pkm_instruction){PKM_OP_STEP, {0}}, 5, at,
                 "the result is not a finite number");
}

/// A function of one or more numbers, whose units it checks.
static term call(parser* p, int from, const char* name, const pkm_quantity* x, int n, bool varies,
                 int at)
{
    char why[PKM_QUANTITY_TEXT] = "unknown function";
    term out = {.varies = varies};
    if (!pkm_quantity_call(name, x, n, &out.x, why)) return stop(p, at, why);
    if (!varies && !isfinite(out.x.value)) return no_value(p, name, at, x[0]);
    if (!varies && pkm_quantity_takes_angle(name) && pkm_quantity_is_loose_angle(x[0]))
        p->fault->loose_angle = x[0].value;
    const pkm_function* function = pkm_quantity_function_of(name);
    const pkm_instruction i = {PKM_OP_CALL, {.function = function}};
    if (function->one) return leave(p, from, out, i, 1, at, "");
    // min(a, b, c) = min(a, min(b, c)): the last two first
    for (int k = 2; k < n && p->code; ++k)
        emit(p, i, 2);
    return leave(p, from, out, i, 2, at, "");
}

/// Arguments up to the closing parenthesis; the opening one has been read.
static term parse_call(parser* p, const char* name, int at)
{
    pkm_quantity argument[MAX_ARGUMENT];
    const int from = p->n;
    bool varies = false;
    int n = 0;
    do {
        if (n == MAX_ARGUMENT) return stop(p, p->at, "too many arguments");
        const term x = parse_sum(p);
        argument[n++] = x.x;
        varies = varies || x.varies;
    } while (accept(p, ','));
    if (p->status != PKM_OK) return nothing;
    if (!accept(p, ')')) return unexpected(p);
    return strcmp(name, "step") == 0 ? call_step(p, from, argument, n, varies, at)
                                     : call(p, from, name, argument, n, varies, at);
}

/// A parameter, by the caller's function.
static term look_up(parser* p, const char* name, int at)
{
    pkm_quantity x = nothing.x;
    pkm_nearest near = pkm_nearest_make(name);
    const pkm_status status = p->lookup(p->user, name, &x, &near);
    if (status == PKM_OK) return push(p, x);
    if (status == PKM_RETRY) return unknown_name(p, at, name, &near);
    p->status = status;
    p->fault->is_reported = true;
    return nothing;
}

/// Names of columns have dots, and @ for a point.
static bool is_of_name(const parser* p, char letter)
{
    if (isalnum((unsigned char)letter) || letter == '_') return true;
    return p->columns && (letter == '.' || letter == '@');
}

/// A number given at every evaluation; false: the name means none.
static bool parse_given(parser* p, const char* name, term* out)
{
    *out = (term){{1.0, PKM_UNIT_KNOWN, pkm_dim_one}, true};
    const int index =
        p->columns ? p->columns->find(p->columns->user, name, &out->x.dimension) : PKM_NONE;
    if (index == PKM_NONE) return false;
    emit(p, (pkm_instruction){PKM_OP_GIVEN, {.index = index}}, 0);
    return true;
}

static term parse_name(parser* p)
{
    char name[LONGEST_NAME];
    const int start = p->at;
    int n = 0;
    while (is_of_name(p, p->text[p->at])) {
        if (n == LONGEST_NAME - 1) return stop(p, start, "the name is too long");
        name[n++] = p->text[p->at++];
    }
    name[n] = '\0';
    if (p->code && strcmp(name, "t") == 0) {
        emit(p, (pkm_instruction){PKM_OP_TIME, {0}}, 0);
        return (term){{1.0, PKM_UNIT_KNOWN, pkm_dim_time}, true};
    }
    term given;
    if (parse_given(p, name, &given)) return given;
    if (strcmp(name, "pi") == 0) return push(p, (pkm_quantity){PKM_PI, PKM_UNIT_NONE, pkm_dim_one});
    const bool is_step = p->code && strcmp(name, "step") == 0;
    if (!is_step && !pkm_expression_is_reserved(name)) return look_up(p, name, start);
    return accept(p, '(') ? parse_call(p, name, start) : unexpected(p);
}

static term parse_primary(parser* p)
{
    skip_blanks(p);
    const char c = p->text[p->at];
    if (number_length(p->text + p->at) > 0) return parse_number(p, true);
    if (isalpha((unsigned char)c) || c == '_') return parse_name(p);
    if (!accept(p, '(')) return unexpected(p);
    const term x = parse_sum(p);
    if (p->status == PKM_OK && !accept(p, ')')) return unexpected(p);
    return x;
}

static term parse_signed(parser* p);

/// Right to left: 2^3^2 is 2^9, and 2^-1 a half.
static term parse_power(parser* p)
{
    const int from = p->n;
    const term base = parse_primary(p);
    const int at = p->at;
    if (!accept(p, '^')) return base;
    const term exponent = parse_signed(p);
    if (p->status != PKM_OK) return nothing;
    term out = {.varies = base.varies || exponent.varies};
    char why[PKM_QUANTITY_TEXT];
    if (exponent.varies && !pkm_dimension_equal(base.x.dimension, pkm_dim_one))
        return stop(p, at, "the exponent varies, the base has a unit");
    if (!pkm_quantity_power(base.x, exponent.x, &out.x, why)) return stop(p, at, why);
    return leave(p, from, out, (pkm_instruction){PKM_OP_POWER, {0}}, 2, at,
                 "the power is not a finite number");
}

static term parse_signed(parser* p)
{
    if (++p->depth > MAX_DEPTH) return stop(p, p->at, "the expression is nested too deeply");
    const int from = p->n;
    term x;
    if (accept(p, '-')) {
        x = parse_signed(p);
        x.x.value = -x.x.value;
        if (p->status == PKM_OK)
            x = leave(p, from, x, (pkm_instruction){PKM_OP_NEGATE, {0}}, 1, p->at, "");
    } else {
        x = accept(p, '+') ? parse_signed(p) : parse_power(p);
    }
    --p->depth;
    return x;
}

static term parse_product(parser* p)
{
    const int from = p->n;
    term x = parse_signed(p);
    while (p->status == PKM_OK) {
        const int at = p->at;
        const bool times = accept(p, '*');
        if (!times && !accept(p, '/')) break;
        const term y = parse_signed(p);
        if (p->status != PKM_OK) break;
        if (!times && !y.varies && y.x.value == 0.0) return stop(p, at, "division by zero");
        const double value = times ? x.x.value * y.x.value : x.x.value / y.x.value;
        x = (term){pkm_quantity_product(x.x, y.x, value, times ? 1 : -1), x.varies || y.varies};
        x = leave(p, from, x, (pkm_instruction){times ? PKM_OP_MULTIPLY : PKM_OP_DIVIDE, {0}}, 2,
                  at, "the result is not a finite number");
    }
    return x;
}

static term parse_sum(parser* p)
{
    const int from = p->n;
    term x = parse_product(p);
    while (p->status == PKM_OK) {
        const int at = p->at;
        const bool plus = accept(p, '+');
        if (!plus && !accept(p, '-')) break;
        const term y = parse_product(p);
        if (p->status != PKM_OK) break;
        const double value = plus ? x.x.value + y.x.value : x.x.value - y.x.value;
        char why[PKM_QUANTITY_TEXT];
        if (!pkm_quantity_sum(x.x, y.x, value, plus ? "add" : "subtract", &x.x, why))
            return stop(p, at, why);
        x.varies = x.varies || y.varies;
        x = leave(p, from, x, (pkm_instruction){plus ? PKM_OP_ADD : PKM_OP_SUBTRACT, {0}}, 2, at,
                  "the result is not a finite number");
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
static term parse_plain(parser* p)
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
    term x = parse_number(p, false);
    if (minus) x.x.value = -x.x.value;
    return x;
}

/// The whole text, which starts with '=' or is a plain number.
static pkm_status parse(parser* p, pkm_quantity* out)
{
    *p->fault = (pkm_fault){0};
    p->at = p->text[0] == '=';
    *out = (p->at ? parse_sum(p) : parse_plain(p)).x;
    skip_blanks(p);
    if (p->status == PKM_OK && p->text[p->at] != '\0') unexpected(p);
    return p->status;
}

pkm_status pkm_expression_evaluate(const char* text, pkm_lookup lookup, void* user,
                                   pkm_quantity* out, pkm_fault* fault)
{
    parser p = {.text = text, .lookup = lookup, .user = user, .fault = fault};
    return parse(&p, out);
}

pkm_status pkm_formula_compile(const char* text, pkm_lookup lookup, void* user,
                               const pkm_formula_columns* columns, pkm_instruction* code, int* n,
                               pkm_quantity* value, pkm_fault* fault)
{
    parser p = {.text = text, .lookup = lookup, .user = user, .fault = fault, .code = code};
    p.columns = columns;
    const pkm_status status = parse(&p, value);
    *n = p.n;
    return status;
}

const char* pkm_expression_unit(const char* text)
{
    if (text[0] == '=') return "";
    const char* s = text + strspn(text, " \t+-");
    s += number_length(s);
    return s + strspn(s, " ");
}
