/// An expression of time, compiled once and evaluated often: "=50 N * sin(2*pi*t/0.5 s)".
///
/// The language is that of model/expression.h with the name `t` for the time [s], and one function
/// more, `step(x, x0, h0, x1, h1)`: h0 below x0, h1 above x1, a cubic between.
#ifndef PKM_MODEL_FORMULA_H
#define PKM_MODEL_FORMULA_H

#include "math/jet.h"
#include "model/expression.h"

typedef struct pkm_formula pkm_formula;

/// Compile `text`: a number with a unit, or `=` and an expression of `t` and of the parameters that
/// `lookup` knows (their values are taken now; a parameter called t is not seen).
///
/// @return PKM_OK; PKM_ERR_MODEL with `fault` filled, also when the value is not of dimension
///         `want`; the status of `lookup` when that failed; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_formula_create(const char* text, pkm_lookup lookup, void* user,
                                            pkm_dimension want, pkm_formula** out,
                                            pkm_fault* fault);
/// Names that stand for numbers which are given at every evaluation: columns of a table, "A.vx".
typedef struct pkm_formula_columns {
    /// Index of `name` and its dimension; PKM_NONE: there is none.
    int (*find)(void* user, const char* name, pkm_dimension* out);
    void* user;
} pkm_formula_columns;

/// Compile an expression of such names, too (they rule over parameters); names may have dots and
/// `@`. `value` receives what is known of the dimension of the result.
/// @return as pkm_formula_create.
PKM_NODISCARD pkm_status pkm_formula_create_of(const char* text, pkm_lookup lookup, void* user,
                                               const pkm_formula_columns* columns,
                                               pkm_quantity* value, pkm_formula** out,
                                               pkm_fault* fault);
/// The value at time `t`, with `given` by index.
double pkm_formula_of(const pkm_formula* formula, double t, const double* given);

void pkm_formula_free(pkm_formula* formula);

/// The value [SI] at time `t` [s]. Not finite where the formula is not defined (1/t at 0).
double pkm_formula_at(const pkm_formula* formula, double t);

/// The value and its derivatives in time, exact; of a formula of `t` alone. `side` changes where
/// the formula has a kink or a jump.
pkm_jet pkm_formula_jet(const pkm_formula* formula, double t);
/// Look over [0, end] for the times at which the formula of `t` alone must not be stepped over:
/// kinks and jumps, and both ends of what is short against the smooth piece that it lies in (a
/// bump). Those of `step`, `abs`, `min`, `max` of t itself are found at any time; others where they
/// are apart by more than 1/4096 of the run.
PKM_NODISCARD pkm_status pkm_formula_find_breaks(pkm_formula* formula, double end);
/// The first of them after t; infinite when there is none, and before they were looked for.
double pkm_formula_next_break(const pkm_formula* formula, double t);

/// How many bytes a copy takes, which has no breaks: a formula is flat.
size_t pkm_formula_size(const pkm_formula* formula);

/// True when the value does not depend on time.
bool pkm_formula_is_constant(const pkm_formula* formula);

#endif
