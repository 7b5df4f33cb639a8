/// The insides of pkm_fronts; only fronts*.c include this.
#ifndef PKM_SOLVER_FRONTS_IMPL_H
#define PKM_SOLVER_FRONTS_IMPL_H

#include "solver/fronts.h"

/// A dense matrix whose first rows are eliminated in it.
typedef struct pkm_front {
    int n, width, stride;
    int* row;   ///< [width] of S: its own n first, then others in the order of their elimination
    int next;   ///< the front that eliminates the first of the others
    int* place; ///< [width - n] of the others in that front
    double* U;  ///< [width x stride] rows; upper part
} pkm_front;

/// Where a part goes.
typedef struct pkm_fronts_target {
    int n, front;
    int* place; ///< [n]
} pkm_fronts_target;

struct pkm_fronts {
    int n, n_front;
    pkm_front* front;          ///< in the order of elimination
    pkm_fronts_target* target; ///< [parts]
    size_t n_value;
    double* value;    ///< U of all fronts
    double* diagonal; ///< [n] of S, against which pivots are measured
};

#endif
