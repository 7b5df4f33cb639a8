/// The lowest natural frequencies of a linear system: K x = lambda M x with symmetric matrices.
///
/// The pencil is turned around, M x = mu (K + s M) x with lambda = 1/mu - s, so that the lowest
/// lambda come with full relative accuracy although the largest may be 1e12 times larger
/// (docs/theory/beams.md, section 5).
#ifndef PKM_MATH_EIGEN_H
#define PKM_MATH_EIGEN_H

#include "pkm/status.h"

/// Work memory for systems of up to `n_max` coordinates.
typedef struct pkm_eigen pkm_eigen;

/// @return PKM_ERR_MEMORY; PKM_ERR_ARGUMENT for n_max < 1.
PKM_NODISCARD pkm_status pkm_eigen_create(int n_max, pkm_eigen** out);
void pkm_eigen_free(pkm_eigen* eigen);

/// The `n_mode` lowest solutions of K x = lambda M x, lambda rising.
///
/// K and M are n x n, column-major, symmetric (both triangles set) and semi-definite; K + M is
/// positive definite. Motions without stiffness (K singular) give lambda = 0 within rounding;
/// coordinates without mass make some lambda infinite. `X` (n x n_mode, may be NULL) receives the
/// modes with x'Mx = 1, those of infinite lambda with x'Kx = 1. Allocates nothing.
///
/// @return PKM_ERR_ARGUMENT for sizes out of range or entries that are not finite;
///         PKM_ERR_SINGULAR when a coordinate has neither mass nor stiffness or K is indefinite;
///         PKM_ERR_CONVERGENCE.
PKM_NODISCARD pkm_status pkm_eigen_lowest(pkm_eigen* eigen, int n, const double* K, const double* M,
                                          int n_mode, double* lambda, double* X);

#endif
