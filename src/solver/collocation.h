/// One long step of y' = f(t, y) by collocation at twelve Gauss points (order 24), every stage on
/// the constraints (docs/theory/integrators.md, section 6).
///
/// It evaluates f at these instants only: with an instant at which f does not exist (a rank
/// that drops) in the middle of the step it steps across, provided that the solution is smooth
/// there. Not for stiff systems: the stages are found by fixed-point iteration.
#ifndef PKM_SOLVER_COLLOCATION_H
#define PKM_SOLVER_COLLOCATION_H

#include "solver/explicit_rk.h"

enum { PKM_COLLOCATION_STAGES = 12 };

typedef struct pkm_collocation pkm_collocation;

/// For `n` >= 1 equations. @return PKM_ERR_MEMORY, PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_collocation_create(int n, pkm_collocation** out);
void pkm_collocation_free(pkm_collocation* c);

/// Where a step begins: the state, its rate, and the rate of that, from which stages are guessed.
typedef struct pkm_collocation_start {
    double t;
    const double *y, *rate, *second; ///< [n]; second may be NULL: zero
} pkm_collocation_start;

/// Step by `h`; `scale` [n] is what 1 means for each component, and stages settle to `tolerance`
/// (or rounding) of it (and of their own size). `off` receives the most by which the projection
/// moves a stage or the end from the polynomial, in the same measure: small on a smooth solution.
/// Allocates nothing.
/// @return PKM_ERR_CONVERGENCE when the stages do not settle; failures of the callbacks.
PKM_NODISCARD pkm_status pkm_collocation_step(pkm_collocation* c, const pkm_ode* ode,
                                              const pkm_collocation_start* start, double h,
                                              const double* scale, double tolerance, double* off);

/// Stage k: its time and projected state, lent until the next step.
const double* pkm_collocation_stage(const pkm_collocation* c, int k, double* t);
/// The polynomial of the last step at time t, not projected.
void pkm_collocation_dense(const pkm_collocation* c, double t, double* y);
/// The end of the last step, projected; lent.
const double* pkm_collocation_end(const pkm_collocation* c);
/// Weights with which values at the stages give that of their polynomial at time t.
void pkm_collocation_weights(const pkm_collocation* c, double t, double* weight);

#endif
