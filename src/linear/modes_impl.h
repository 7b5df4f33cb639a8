/// The inside of pkm_modes, shared by modes.c and modes_response.c.
#ifndef PKM_LINEAR_MODES_IMPL_H
#define PKM_LINEAR_MODES_IMPL_H

#include "linear/modes.h"
#include "math/eigen.h"

/// Work memory, and what solving leaves behind for responses.
struct pkm_modes_work {
    int n_calc; ///< room: modes that are computed
    int n_used; ///< modes of the last solution
    bool is_damped;
    pkm_eigen* eigen;
    double *lambda, *Y; ///< n_calc, n x n_calc
    double* x;          ///< n_all x n_calc: all coordinates
    double* C;          ///< n_used x n_used: damping of the modes
    double *A, *re, *im, *lapack;
    int n_lapack;
    int* pivot;
    double* block;
};

#endif
