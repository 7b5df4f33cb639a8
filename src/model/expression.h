/// Numbers with units, and expressions of them with dimensions carried along.
#ifndef PKM_MODEL_EXPRESSION_H
#define PKM_MODEL_EXPRESSION_H

#include "model/nearest.h"
#include "model/units.h"
#include "pkm/status.h"

/// What is known of the unit of a number.
///
/// A bare number in an expression has no unit: it counts as 1 in products and takes the unit of
/// its neighbour in sums. A parameter that was written without a unit is in SI, but of what is not
/// told: it fits everywhere, and so does every product with it.
typedef enum pkm_unit_kind {
    PKM_UNIT_NONE,   ///< a bare number: 2, pi, sin(...)
    PKM_UNIT_UNTOLD, ///< a parameter without a unit, SI
    PKM_UNIT_KNOWN,  ///< a unit was written, or follows from one
} pkm_unit_kind;

/// A number in SI with what is known of its dimension.
typedef struct pkm_quantity {
    double value;
    pkm_unit_kind kind;
    pkm_dimension dimension; ///< where the unit is known, else none
} pkm_quantity;

/// True when `x` may stand where `want` is expected.
bool pkm_quantity_fits(pkm_quantity x, pkm_dimension want);

/// Look up a parameter for an expression.
///
/// @return PKM_OK; PKM_RETRY when there is no such name (then the evaluator offers `near` the names
/// it
///         knows); anything else when its own value is at fault, which has been reported.
typedef pkm_status (*pkm_lookup)(void* user, const char* name, pkm_quantity* out,
                                 pkm_nearest* near);

/// The value of `text`: a number with an optional unit, or `=` and an expression.
///
/// @return PKM_OK; PKM_ERR_MODEL with `fault` filled; the status of `lookup` when that failed.
PKM_NODISCARD pkm_status pkm_expression_evaluate(const char* text, pkm_lookup lookup, void* user,
                                                 pkm_quantity* out, pkm_fault* fault);

/// True for names an expression keeps for itself: `pi` and the functions.
bool pkm_expression_is_reserved(const char* name);

/// The unit behind the number in `text` ("4.3 N" gives "N"), or "" for none and for expressions.
const char* pkm_expression_unit(const char* text);

#endif
