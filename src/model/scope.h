/// The parameters of a model with their values; a copy of a limb may see other values.
#ifndef PKM_MODEL_SCOPE_H
#define PKM_MODEL_SCOPE_H

#include "model/expression.h"
#include "model/yaml.h"
#include "table/warnings.h"

enum { PKM_MAX_PARAMETER = 2000 }; ///< of a file

/// One parameter: how it is written and, once evaluated, its value.
typedef struct pkm_parameter {
    const char* name;
    const char* text;     ///< "14 mm" or "=2*l1"
    const pkm_yaml* node; ///< where it stands in the file, NULL: on the command line
    enum { PKM_PARAMETER_NEW, PKM_PARAMETER_BUSY, PKM_PARAMETER_DONE } state;
    pkm_quantity value;
    bool is_derived; ///< its expression asked for another one
} pkm_parameter;

enum { PKM_SCOPE_CHAIN = 200 }; ///< parameters that wait for one another; bounds the stack

/// All parameters as one part of the model sees them.
typedef struct pkm_scope {
    const char* file;
    pkm_error* err;
    int n_parameter;
    pkm_parameter* parameter;
    pkm_warnings* warnings; ///< may be NULL
    int n_chain;            ///< parameters being evaluated, each waiting for the next
    pkm_parameter* chain[PKM_SCOPE_CHAIN];
} pkm_scope;

/// Read the map `parameters` (NULL: none), without evaluating it.
PKM_NODISCARD pkm_status pkm_scope_read(const pkm_yaml* node, const char* file, pkm_arena* arena,
                                        pkm_scope* out, pkm_error* err);

/// The same parameters, not yet evaluated, ready to be set to other values.
PKM_NODISCARD pkm_status pkm_scope_copy(const pkm_scope* scope, pkm_arena* arena, pkm_scope* out);

/// Evaluate every parameter; they may depend on each other in any order.
PKM_NODISCARD pkm_status pkm_scope_evaluate(pkm_scope* scope);

/// The parameter called `name`, or NULL.
pkm_parameter* pkm_scope_find(pkm_scope* scope, const char* name);
/// Offer all names as "did you mean".
void pkm_scope_offer(const pkm_scope* scope, pkm_nearest* near);

/// A pkm_lookup whose `user` is a pkm_scope*. What has no unit is in SI (PKM_UNIT_UNTOLD).
pkm_status pkm_scope_lookup(void* user, const char* name, pkm_quantity* out, pkm_nearest* near);

/// Apply `--set name=value`. The dimension must stay that of the file.
/// @return PKM_ERR_ARGUMENT for an unknown name, PKM_ERR_MODEL for a value that does not fit.
PKM_NODISCARD pkm_status pkm_scope_override(const pkm_scope* original, const pkm_override* set,
                                            int n_set, pkm_scope* scope, pkm_error* err);

#endif
