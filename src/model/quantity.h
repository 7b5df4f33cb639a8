/// Arithmetic of quantities: value and dimension together.
#ifndef PKM_MODEL_QUANTITY_H
#define PKM_MODEL_QUANTITY_H

#include "math/jet.h"
#include "model/expression.h"

enum { PKM_QUANTITY_TEXT = 200 };

/// Each returns false and says why in `why` [PKM_QUANTITY_TEXT] when the dimensions do not allow
/// it.
bool pkm_quantity_sum(pkm_quantity a, pkm_quantity b, double value, const char* verb,
                      pkm_quantity* out, char* why);
pkm_quantity pkm_quantity_product(pkm_quantity a, pkm_quantity b, double value, int sign);
bool pkm_quantity_power(pkm_quantity base, pkm_quantity exponent, pkm_quantity* out, char* why);

/// Call the function `name` with `n` arguments. `why` is filled on failure.
/// @return false for a wrong number of arguments or a wrong dimension.
bool pkm_quantity_call(const char* name, const pkm_quantity* x, int n, pkm_quantity* out,
                       char* why);
/// What a function computes: of one number, or of two (which more are folded by); and the same with
/// derivatives in time.
typedef struct pkm_function {
    double (*one)(double);
    double (*two)(double, double);
    pkm_jet (*jet_one)(pkm_jet);
    pkm_jet (*jet_two)(pkm_jet, pkm_jet);
} pkm_function;
/// The known function `name`.
const pkm_function* pkm_quantity_function_of(const char* name);
/// Does the function `name` take an angle?
bool pkm_quantity_takes_angle(const char* name);
/// An angle beyond two turns whose unit nobody wrote: mostly degrees that are read as radians.
bool pkm_quantity_is_loose_angle(pkm_quantity x);
/// The i-th function's name, or NULL past the last.
const char* pkm_quantity_function(int i);

#endif
