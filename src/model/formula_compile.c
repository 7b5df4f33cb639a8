#include "model/formula_code.h"
#include "model/quantity.h"
#include "pkm/types.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 64,    // nested parentheses and signs
    MAX_ARGUMENT = 8,  // of a function
    LONGEST_NAME = 64, // of a parameter, of a number with its unit
};

// ---- functions ---------------------------------------------------------------------------------

static double smallest(double a, double b)
{
    return b < a ? b : a;
}

static double largest(double a, double b)
{
    return b > a ? b : a;
}

/// What pkm_quantity_call calls, by name; dimensions are checked there.
static const struct {
    const char* name;
    double (*one)(double);
    double (*two)(double, double);
} function[] = {
    {"sqrt", sqrt, NULL},   {"sin", sin, NULL},      {"cos", cos, NULL},     {"tan", tan, NULL},
    {"asin", asin, NULL},   {"acos", acos, NULL},    {"atan", atan, NULL},   {"atan2", NULL, atan2},
    {"abs", fabs, NULL},    {"exp", exp, NULL},      {"log", log, NULL},     {"floor", floor, NULL},
    {"hypot", NULL, hypot}, {"min", NULL, smallest}, {"max", NULL, largest},
};
enum { N_FUNCTION = sizeof function / sizeof function[0] };

static int find_function(const char* name)
{
    for (int i = 0; i < N_FUNCTION; ++i)
        if (strcmp(function[i].name, name) == 0) return i;
    return PKM_NONE;
}

// ---- compiler ----------------------------------------------------------------------------------

/// A recursive descent with the grammar of expression.c that writes instructions instead of
/// computing; the first fault stops it.
typedef struct compiler {
    const char* text;
    int at, depth;
    pkm_lookup lookup;
    void* user;
    pkm_status status;
    pkm_fault* fault;
    int n, stack; ///< instructions, numbers on the stack after them
    pkm_instruction* code;
} compiler;

/// What is known of a part: its dimension, and its value where it does not vary with time.
typedef struct term {
    pkm_quantity x;
    bool varies;
} term;

static const term nothing = {{0.0, PKM_UNIT_NONE, {0, 0, 0, 0}}, false};

static term parse_sum(compiler* c);
static term parse_signed(compiler* c);

static term stop(compiler* c, int at, const char* why)
{
    if (c->status == PKM_OK) {
        c->status = PKM_ERR_MODEL;
        c->fault->at = at;
        snprintf(c->fault->text, sizeof c->fault->text, "%s", why);
    }
    return nothing;
}

/// Append an instruction that takes `taken` numbers from the stack and leaves one.
static void emit(compiler* c, pkm_instruction i, int taken)
{
    c->stack += 1 - taken;
    if (c->n == PKM_FORMULA_CODE || c->stack > PKM_FORMULA_STACK) {
        stop(c, c->at, "the expression is too long");
        return;
    }
    c->code[c->n++] = i;
}

/// Replace the instructions from `from` on, which do not vary with time, by their value.
static void fold(compiler* c, int from, int at, term* out)
{
    if (c->status != PKM_OK || out->varies) return;
    out->x.value = pkm_formula_run(c->code + from, c->n - from, 0.0);
    if (!isfinite(out->x.value)) {
        stop(c, at, "the result is not a finite number");
        return;
    }
    c->n = from;
    c->code[c->n++] = (pkm_instruction){PKM_OP_PUSH, {.value = out->x.value}};
}

static void skip_blanks(compiler* c)
{
    while (isspace((unsigned char)c->text[c->at]))
        ++c->at;
}

static bool accept(compiler* c, char sign)
{
    skip_blanks(c);
    if (c->status != PKM_OK || c->text[c->at] != sign) return false;
    ++c->at;
    return true;
}

static term unexpected(compiler* c)
{
    skip_blanks(c);
    char why[64] = "unexpected character";
    const char s = c->text[c->at];
    if (s == '\0') return stop(c, c->at, "the expression ends too early");
    if (isprint((unsigned char)s)) snprintf(why, sizeof why, "unexpected '%c'", s);
    return stop(c, c->at, why);
}

static term push(compiler* c, pkm_quantity x)
{
    emit(c, (pkm_instruction){PKM_OP_PUSH, {.value = x.value}}, 0);
    return (term){x, false};
}

/// A number with an optional unit is an expression of its own: cut it out and have it read.
static term parse_number(compiler* c)
{
    char number[LONGEST_NAME] = "";
    const char* s = c->text + c->at;
    char* end = NULL;
    strtod(s, &end);
    size_t length = (size_t)(end - s);
    size_t unit_at = length + strspn(s + length, " ");
    const unsigned char first = (unsigned char)s[unit_at];
    if (isalpha(first) || first == '%' || first >= 0x80) {
        pkm_unit unit;
        const size_t used = pkm_unit_scan(s + unit_at, true, &unit, c->fault);
        if (used == 0) {
            c->status = PKM_ERR_MODEL;
            c->fault->at += c->at + (int)unit_at;
            return nothing;
        }
        length = unit_at + used;
    }
    if (length >= sizeof number) return stop(c, c->at, "the number is too long");
    memcpy(number, s, length);
    pkm_quantity x = nothing.x;
    const pkm_status status = pkm_expression_evaluate(number, c->lookup, c->user, &x, c->fault);
    if (status != PKM_OK) {
        c->status = status;
        c->fault->at += c->at;
        return nothing;
    }
    c->at += (int)length;
    return push(c, x);
}

static term call_step(compiler* c, const term* x, int n, int at)
{
    char why[PKM_QUANTITY_TEXT];
    if (n != 5) return stop(c, at, "step has 5 arguments: x, x0, h0, x1, h1");
    pkm_quantity argument = x[0].x, height;
    bool fits = pkm_quantity_sum(argument, x[1].x, 0.0, "take step of", &argument, why);
    fits = fits && pkm_quantity_sum(argument, x[3].x, 0.0, "take step of", &argument, why);
    fits = fits && pkm_quantity_sum(x[2].x, x[4].x, 0.0, "step between", &height, why);
    if (!fits) return stop(c, at, why);
    emit(c, (pkm_instruction){PKM_OP_STEP, {0}}, 5);
    return (term){height, true};
}

static term call_function(compiler* c, const char* name, const term* x, int n, int at)
{
    pkm_quantity argument[MAX_ARGUMENT], out = nothing.x;
    char why[PKM_QUANTITY_TEXT] = "unknown function";
    for (int i = 0; i < n; ++i)
        argument[i] = x[i].x;
    const int f = find_function(name);
    if (f == PKM_NONE || !pkm_quantity_call(name, argument, n, &out, why)) return stop(c, at, why);
    if (function[f].one) {
        emit(c, (pkm_instruction){PKM_OP_ONE, {.one = function[f].one}}, 1);
    } else {
        // min(a, b, c) = min(a, min(b, c)): the last two first
        for (int i = 1; i < n; ++i)
            emit(c, (pkm_instruction){PKM_OP_TWO, {.two = function[f].two}}, 2);
    }
    return (term){out, true};
}

static term parse_call(compiler* c, const char* name, int at)
{
    term x[MAX_ARGUMENT];
    int n = 0;
    const int from = c->n;
    bool varies = false;
    do {
        if (n == MAX_ARGUMENT) return stop(c, c->at, "too many arguments");
        x[n] = parse_sum(c);
        varies = varies || x[n].varies;
        ++n;
    } while (accept(c, ','));
    if (c->status != PKM_OK) return nothing;
    if (!accept(c, ')')) return unexpected(c);
    term out =
        strcmp(name, "step") == 0 ? call_step(c, x, n, at) : call_function(c, name, x, n, at);
    out.varies = varies;
    fold(c, from, at, &out);
    return out;
}

static term look_up(compiler* c, const char* name, int at)
{
    pkm_quantity x = nothing.x;
    pkm_nearest near = pkm_nearest_make(name);
    const pkm_status status = c->lookup(c->user, name, &x, &near);
    if (status == PKM_OK) return push(c, x);
    if (status == PKM_RETRY) {
        char why[sizeof c->fault->text];
        for (int i = 0; i < N_FUNCTION; ++i)
            pkm_nearest_offer(&near, function[i].name);
        snprintf(why, sizeof why, "unknown parameter '%s'%s", name, pkm_nearest_hint(&near).text);
        return stop(c, at, why);
    }
    c->status = status;
    c->fault->is_reported = true;
    return nothing;
}

static term parse_name(compiler* c)
{
    char name[LONGEST_NAME];
    const int start = c->at;
    int n = 0;
    while (isalnum((unsigned char)c->text[c->at]) || c->text[c->at] == '_') {
        if (n == LONGEST_NAME - 1) return stop(c, start, "the name is too long");
        name[n++] = c->text[c->at++];
    }
    name[n] = '\0';
    if (strcmp(name, "t") == 0) {
        emit(c, (pkm_instruction){PKM_OP_TIME, {0}}, 0);
        return (term){{1.0, PKM_UNIT_KNOWN, pkm_dim_time}, true};
    }
    if (strcmp(name, "pi") == 0)
        return push(c, (pkm_quantity){acos(-1.0), PKM_UNIT_NONE, pkm_dim_one});
    if (strcmp(name, "step") != 0 && find_function(name) == PKM_NONE)
        return look_up(c, name, start);
    return accept(c, '(') ? parse_call(c, name, start) : unexpected(c);
}

static term parse_primary(compiler* c)
{
    skip_blanks(c);
    const char* s = c->text + c->at;
    if (isdigit((unsigned char)s[0]) || (s[0] == '.' && isdigit((unsigned char)s[1])))
        return parse_number(c);
    if (isalpha((unsigned char)s[0]) || s[0] == '_') return parse_name(c);
    if (!accept(c, '(')) return unexpected(c);
    const term x = parse_sum(c);
    if (c->status == PKM_OK && !accept(c, ')')) return unexpected(c);
    return x;
}

static term parse_power(compiler* c)
{
    const int from = c->n;
    const term base = parse_primary(c);
    const int at = c->at;
    if (!accept(c, '^')) return base;
    const term exponent = parse_signed(c);
    if (c->status != PKM_OK) return nothing;
    term out = {.varies = base.varies || exponent.varies};
    char why[PKM_QUANTITY_TEXT];
    const bool has_unit = !pkm_dimension_equal(base.x.dimension, pkm_dim_one);
    if (exponent.varies && has_unit) return stop(c, at, "the exponent varies, the base has a unit");
    if (!pkm_quantity_power(base.x, exponent.x, &out.x, why)) return stop(c, at, why);
    emit(c, (pkm_instruction){PKM_OP_POWER, {0}}, 2);
    fold(c, from, at, &out);
    return out;
}

static term parse_signed(compiler* c)
{
    if (++c->depth > MAX_DEPTH) return stop(c, c->at, "the expression is nested too deeply");
    term x;
    if (accept(c, '-')) {
        const int from = c->n, at = c->at;
        x = parse_signed(c);
        if (c->status == PKM_OK) emit(c, (pkm_instruction){PKM_OP_NEGATE, {0}}, 1);
        fold(c, from, at, &x);
    } else {
        x = accept(c, '+') ? parse_signed(c) : parse_power(c);
    }
    --c->depth;
    return x;
}

static term parse_product(compiler* c)
{
    const int from = c->n;
    term x = parse_signed(c);
    while (c->status == PKM_OK) {
        const int at = c->at;
        const bool times = accept(c, '*');
        if (!times && !accept(c, '/')) break;
        const term y = parse_signed(c);
        if (c->status != PKM_OK) break;
        x.x = pkm_quantity_product(x.x, y.x, 0.0, times ? 1 : -1);
        x.varies = x.varies || y.varies;
        emit(c, (pkm_instruction){times ? PKM_OP_MULTIPLY : PKM_OP_DIVIDE, {0}}, 2);
        fold(c, from, at, &x);
    }
    return x;
}

static term parse_sum(compiler* c)
{
    const int from = c->n;
    term x = parse_product(c);
    while (c->status == PKM_OK) {
        const int at = c->at;
        const bool plus = accept(c, '+');
        if (!plus && !accept(c, '-')) break;
        const term y = parse_product(c);
        if (c->status != PKM_OK) break;
        char why[PKM_QUANTITY_TEXT];
        if (!pkm_quantity_sum(x.x, y.x, 0.0, plus ? "add" : "subtract", &x.x, why))
            return stop(c, at, why);
        x.varies = x.varies || y.varies;
        emit(c, (pkm_instruction){plus ? PKM_OP_ADD : PKM_OP_SUBTRACT, {0}}, 2);
        fold(c, from, at, &x);
    }
    return x;
}

pkm_status pkm_formula_compile(const char* text, pkm_lookup lookup, void* user,
                               pkm_instruction* code, int* n, pkm_quantity* value, pkm_fault* fault)
{
    compiler c = {.text = text, .at = 1, .lookup = lookup, .user = user, .fault = fault};
    c.code = code;
    *value = parse_sum(&c).x;
    skip_blanks(&c);
    if (c.status == PKM_OK && c.text[c.at] != '\0') unexpected(&c);
    *n = c.n;
    return c.status;
}
