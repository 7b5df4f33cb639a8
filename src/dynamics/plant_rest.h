/// The tangent of a plant at rest; only plant_rest*.c include this.
#ifndef PKM_DYNAMICS_PLANT_REST_H
#define PKM_DYNAMICS_PLANT_REST_H

#include "dynamics/equilibrium.h"
#include "dynamics/plant_impl.h"

/// Stiffness over mass [1/s2] of what counts as unheld.
static const double PKM_UNHELD = 1e-2;

/// The plant at rest, its tangent on the freedoms Z that the constraints leave, in the basis V of
/// the eigenvectors: V'Z'KZV = w + what is not symmetric, V'Z'MZV = 1.
typedef struct pkm_rest {
    pkm_plant* p;
    double t;
    const pkm_rest_loads* loads;
    int n, m, f; ///< velocities, constraints, freedoms
    double* by;  ///< [n] one of a velocity x below is so many of its own: all vectors and matrices
                 ///< over velocities are in these units
    double *z, *rate; ///< [n_z] states of controllers and crosses, their rates
    double *K, *M;    ///< [n x n]
    double *Q, *R;    ///< [n x n] orthonormal: constraints, then freedoms; [n x n] triangle
    double *tau, *lambda;
    int *pivot, *pivot_g; ///< of B; of R
    double *phi, *A;      ///< [n] residuals of the constraints; [n x n] work
    bool is_split;        ///< Q and R are there
    bool has_chain;       ///< links are in pieces
    double *V, *B;        ///< [n x n] basis of the freedoms in velocities; tangent in it, factored
    double* w;            ///< [n] eigenvalues of the symmetric part, rising [1/s2]
    double *work, *aux;   ///< [n x n]
    double *r, *r1, *y, *x, *unit, *way;
    double *q, *q0; ///< [n_q] saved
    double* unheld; ///< [n x n_unheld] directions that nothing elastic holds
    int n_unheld, n_tangent;
    double least; ///< smallest eigenvalue on held freedoms
    int lowest;   ///< its number
} pkm_rest;

/// Work memory for `p` at time t, at rest, contacts push; and its end.
PKM_NODISCARD pkm_status pkm_rest_begin(pkm_rest* e, pkm_plant* p, double t);
void pkm_rest_end_work(pkm_rest* e);

/// @return PKM_ERR_INTERRUPTED when the search shall end, by loads->goes_on.
PKM_NODISCARD pkm_status pkm_rest_ask(const pkm_rest* e);

/// r [n] = forces that are missing at rest less those of the constraints (`lambda`; NULL: none).
PKM_NODISCARD pkm_status pkm_rest_missing(pkm_rest* e, const double* lambda, double* r);
/// Back on loops and drives; poses, rows and their choice.
PKM_NODISCARD pkm_status pkm_rest_project(pkm_rest* e);
/// Tangent, basis, eigenvalues at the present positions; e->r are the missing forces.
PKM_NODISCARD pkm_status pkm_rest_tangent(pkm_rest* e);
/// The smallest eigenvalue on what is held without loads: e->least, e->lowest.
void pkm_rest_find_least(pkm_rest* e);
/// Factors of the tangent, with a shift for what nothing holds; downhill with the magnitudes of the
/// eigenvalues. The eigenvalues stay.
PKM_NODISCARD pkm_status pkm_rest_factor(pkm_rest* e, bool downhill);
/// x [n] = -V B^-1 V' r
void pkm_rest_solve(pkm_rest* e, const double* r, double* x);
/// lambda += what balances the missing forces e->r after the step `x`: G' dlambda = r + K x.
PKM_NODISCARD pkm_status pkm_rest_balance(pkm_rest* e, const double* x);
/// Move the positions by the step x [n].
void pkm_rest_move(pkm_rest* e, const double* x);
/// Longest part of a step [robot sizes, rad].
double pkm_rest_length(const pkm_rest* e, const double* x);

#endif
