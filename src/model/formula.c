// A stack machine over the instructions of expression.c, once for numbers and once for jets, whose
// derivatives in time are exact (math/jet.h).
#include "model/formula.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/formula_code.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double pkm_formula_step(double x, double x0, double h0, double x1, double h1)
{
    if (x <= x0) return h0;
    if (x >= x1) return h1;
    const double d = (x - x0) / (x1 - x0);
    return h0 + (h1 - h0) * d * d * (3.0 - 2.0 * d);
}

// ---- evaluation --------------------------------------------------------------------------------

static double sum(double a, double b)
{
    return a + b;
}

static double difference(double a, double b)
{
    return a - b;
}

static double product(double a, double b)
{
    return a * b;
}

static double quotient(double a, double b)
{
    return a / b;
}

static double negative(double a)
{
    return -a;
}

/// Signs beside the functions that have a name (model/quantity.c): on numbers and on jets.
static const pkm_function sign[] = {
    [PKM_OP_ADD] = {.two = sum, .jet_two = pkm_jet_add},
    [PKM_OP_SUBTRACT] = {.two = difference, .jet_two = pkm_jet_subtract},
    [PKM_OP_MULTIPLY] = {.two = product, .jet_two = pkm_jet_multiply},
    [PKM_OP_DIVIDE] = {.two = quotient, .jet_two = pkm_jet_divide},
    [PKM_OP_POWER] = {.two = pow, .jet_two = pkm_jet_power},
    [PKM_OP_NEGATE] = {.one = negative, .jet_one = pkm_jet_negate},
};

static const pkm_function* function_of(const pkm_instruction* i)
{
    return i->op == PKM_OP_CALL ? i->with.function : &sign[i->op];
}

int pkm_formula_taken(const pkm_instruction* i)
{
    if (i->op <= PKM_OP_GIVEN) return 0;
    if (i->op == PKM_OP_STEP) return 5;
    return function_of(i)->one ? 1 : 2;
}

double pkm_formula_number(const pkm_instruction* i, const double* a, double t, const double* given)
{
    if (i->op == PKM_OP_PUSH) return i->with.value;
    if (i->op == PKM_OP_TIME) return t;
    if (i->op == PKM_OP_GIVEN) return given[i->with.index];
    if (i->op == PKM_OP_STEP) return pkm_formula_step(a[0], a[1], a[2], a[3], a[4]);
    const pkm_function* f = function_of(i);
    return f->one ? f->one(a[0]) : f->two(a[0], a[1]);
}

/// The same with derivatives in time; those of what is given at every evaluation are not known.
static pkm_jet jet(const pkm_instruction* i, const pkm_jet* a, double t)
{
    if (i->op == PKM_OP_PUSH) return pkm_jet_constant(i->with.value);
    if (i->op == PKM_OP_TIME) return pkm_jet_time(t);
    if (i->op == PKM_OP_GIVEN) return pkm_jet_constant(NAN);
    if (i->op == PKM_OP_STEP) return pkm_jet_step(a);
    const pkm_function* f = function_of(i);
    return f->one ? f->jet_one(a[0]) : f->jet_two(a[0], a[1]);
}

double pkm_formula_of(const pkm_formula* formula, double t, const double* given)
{
    double stack[PKM_FORMULA_STACK] = {0.0}, *top = stack;
    for (int i = 0; i < formula->n; ++i) {
        top -= pkm_formula_taken(&formula->code[i]);
        *top = pkm_formula_number(&formula->code[i], top, t, given);
        ++top;
    }
    return stack[0];
}

double pkm_formula_at(const pkm_formula* formula, double t)
{
    return pkm_formula_is_constant(formula) ? formula->code[0].with.value
                                            : pkm_formula_of(formula, t, NULL);
}

pkm_jet pkm_formula_jet(const pkm_formula* formula, double t)
{
    pkm_jet stack[PKM_FORMULA_STACK], *top = stack;
    stack[0] = pkm_jet_constant(0.0);
    for (int i = 0; i < formula->n; ++i) {
        top -= pkm_formula_taken(&formula->code[i]);
        *top = jet(&formula->code[i], top, t);
        ++top;
    }
    return stack[0];
}

bool pkm_formula_is_constant(const pkm_formula* formula)
{
    return formula->n == 1 && formula->code[0].op == PKM_OP_PUSH;
}

/// A result is of the wanted dimension as in the reader of models: radians beside seconds may come
/// and go in expressions.
static pkm_status check_dimension(const char* text, pkm_quantity value, pkm_dimension want,
                                  pkm_fault* fault)
{
    if (pkm_quantity_fits(value, want)) return PKM_OK;
    if (text[0] == '=' && pkm_dimension_fits_derived(value.dimension, want)) return PKM_OK;
    fault->at = 0;
    snprintf(fault->text, sizeof fault->text, "it is %s, expected %s",
             pkm_dimension_name(value.dimension).text, pkm_dimension_name(want).text);
    return PKM_ERR_MODEL;
}

pkm_status pkm_formula_create_of(const char* text, pkm_lookup lookup, void* user,
                                 const pkm_formula_columns* columns, pkm_quantity* value,
                                 pkm_formula** out, pkm_fault* fault)
{
    *out = NULL;
    pkm_instruction code[PKM_FORMULA_CODE];
    int n = 0;
    const pkm_status status =
        pkm_formula_compile(text, lookup, user, columns, code, &n, value, fault);
    if (n == 1 && code[0].op == PKM_OP_PUSH) code[0].with.value = value->value; // a sign before it
    if (status != PKM_OK) return status;

    *out = pkm_alloc(1, sizeof **out + (size_t)n * sizeof code[0]);
    if (!*out) return PKM_ERR_MEMORY;
    (*out)->n = n;
    memcpy((*out)->code, code, (size_t)n * sizeof code[0]);
    return PKM_OK;
}

pkm_status pkm_formula_create(const char* text, pkm_lookup lookup, void* user, pkm_dimension want,
                              pkm_formula** out, pkm_fault* fault)
{
    pkm_quantity value;
    PKM_TRY(pkm_formula_create_of(text, lookup, user, NULL, &value, out, fault));
    const pkm_status status = check_dimension(text, value, want, fault);
    if (status == PKM_OK) return PKM_OK;
    pkm_formula_free(*out);
    *out = NULL;
    return status;
}

size_t pkm_formula_size(const pkm_formula* formula)
{
    return sizeof *formula + (size_t)formula->n * sizeof formula->code[0];
}

void pkm_formula_free(pkm_formula* formula)
{
    if (formula) pkm_free(formula->at);
    pkm_free(formula);
}
