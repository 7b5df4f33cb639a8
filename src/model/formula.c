#include "model/formula.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/formula_code.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct pkm_formula {
    int n;
    pkm_instruction code[];
};

double pkm_formula_step(double x, double x0, double h0, double x1, double h1)
{
    if (x <= x0) return h0;
    if (x >= x1) return h1;
    const double d = (x - x0) / (x1 - x0);
    return h0 + (h1 - h0) * d * d * (3.0 - 2.0 * d);
}

// ---- evaluation --------------------------------------------------------------------------------

/// Carry out one instruction on the stack that ends before `top`; returns the new end.
static double* carry_out(const pkm_instruction* i, double* top, double t, const double* given)
{
    switch (i->op) {
    case PKM_OP_PUSH:
        *top = i->with.value;
        return top + 1;
    case PKM_OP_TIME:
        *top = t;
        return top + 1;
    case PKM_OP_GIVEN:
        *top = given[i->with.index];
        return top + 1;
    case PKM_OP_ADD:
        top[-2] += top[-1];
        return top - 1;
    case PKM_OP_SUBTRACT:
        top[-2] -= top[-1];
        return top - 1;
    case PKM_OP_MULTIPLY:
        top[-2] *= top[-1];
        return top - 1;
    case PKM_OP_DIVIDE:
        top[-2] /= top[-1];
        return top - 1;
    case PKM_OP_POWER:
        top[-2] = pow(top[-2], top[-1]);
        return top - 1;
    case PKM_OP_NEGATE:
        top[-1] = -top[-1];
        return top;
    case PKM_OP_ONE:
        top[-1] = i->with.function->one(top[-1]);
        return top;
    case PKM_OP_TWO:
        top[-2] = i->with.function->two(top[-2], top[-1]);
        return top - 1;
    case PKM_OP_STEP:
        top[-5] = pkm_formula_step(top[-5], top[-4], top[-3], top[-2], top[-1]);
        return top - 4;
    }
    return top;
}

double pkm_formula_run(const pkm_instruction* code, int n, double t, const double* given)
{
    double stack[PKM_FORMULA_STACK] = {0.0}, *top = stack;
    for (int i = 0; i < n; ++i)
        top = carry_out(&code[i], top, t, given);
    return stack[0];
}

double pkm_formula_at(const pkm_formula* formula, double t)
{
    if (formula->n == 1 && formula->code[0].op == PKM_OP_PUSH) return formula->code[0].with.value;
    return pkm_formula_run(formula->code, formula->n, t, NULL);
}

double pkm_formula_of(const pkm_formula* formula, double t, const double* given)
{
    return pkm_formula_run(formula->code, formula->n, t, given);
}

// ---- with derivatives --------------------------------------------------------------------------

/// carry_out with derivatives in time; those of what is given at every evaluation are not known.
static pkm_jet* carry_out_jet(const pkm_instruction* i, pkm_jet* top, double t)
{
    switch (i->op) {
    case PKM_OP_PUSH:
        *top = pkm_jet_constant(i->with.value);
        return top + 1;
    case PKM_OP_TIME:
        *top = pkm_jet_time(t);
        return top + 1;
    case PKM_OP_GIVEN:
        *top = pkm_jet_constant(NAN);
        return top + 1;
    case PKM_OP_ADD:
        top[-2] = pkm_jet_add(top[-2], top[-1]);
        return top - 1;
    case PKM_OP_SUBTRACT:
        top[-2] = pkm_jet_subtract(top[-2], top[-1]);
        return top - 1;
    case PKM_OP_MULTIPLY:
        top[-2] = pkm_jet_multiply(top[-2], top[-1]);
        return top - 1;
    case PKM_OP_DIVIDE:
        top[-2] = pkm_jet_divide(top[-2], top[-1]);
        return top - 1;
    case PKM_OP_POWER:
        top[-2] = pkm_jet_power(top[-2], top[-1]);
        return top - 1;
    case PKM_OP_NEGATE:
        top[-1] = pkm_jet_negate(top[-1]);
        return top;
    case PKM_OP_ONE:
        top[-1] = i->with.function->jet_one(top[-1]);
        return top;
    case PKM_OP_TWO:
        top[-2] = i->with.function->jet_two(top[-2], top[-1]);
        return top - 1;
    case PKM_OP_STEP:
        top[-5] = pkm_jet_step(top - 5);
        return top - 4;
    }
    return top;
}

pkm_jet pkm_formula_jet(const pkm_formula* formula, double t)
{
    pkm_jet stack[PKM_FORMULA_STACK], *top = stack;
    stack[0] = pkm_jet_constant(0.0);
    for (int i = 0; i < formula->n; ++i)
        top = carry_out_jet(&formula->code[i], top, t);
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
    pkm_free(formula);
}
