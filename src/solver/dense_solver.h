/// The dense linear solver of SUNDIALS with loops that take four columns at a time, for IDA's
/// Newton iterations: factors and solutions are those of the library, bit for bit.
#ifndef PKM_SOLVER_DENSE_SOLVER_H
#define PKM_SOLVER_DENSE_SOLVER_H

#include <sundials/sundials_linearsolver.h>

/// Give a solver that SUNLinSol_Dense has made these operations.
void pkm_dense_solver_use_own(SUNLinearSolver solver);

#endif
