/// The inside of the reduction: reduce.c goes through a Craig-Bampton basis with dense matrices,
/// reduce_large.c finds the few modes of a fine mesh by iteration.
#ifndef PKM_BEAM_REDUCE_IMPL_H
#define PKM_BEAM_REDUCE_IMPL_H

#include "beam/reduce.h"
#include "math/eigen.h"

enum { N_RIGID = PKM_BEAM_RIGID_MODES, N_INERTIA = 6 };

/// Everything that is made on the way; b: boundary, i: interior, c: Craig-Bampton coordinates.
typedef struct reduction {
    int n, n_b, n_i, n_fixed, n_c;
    int n_keep;      ///< flexible modes kept for their frequency
    int* order;      ///< coordinate at each place: boundary first, then interior
    double *K, *M;   ///< n x n in that order
    double* T;       ///< n x n_c basis
    double *Kc, *Mc; ///< n_c x n_c
    double* lambda;  ///< n
    double* Y;       ///< n x n modes, first of the interior, then of the reduced system
    double* work;    ///< n x n
    double* block;
    pkm_eigen* eigen;
} reduction;

// Rigid motions have lambda = 0 within rounding; the next ones are far above this part of theirs.
static const double PKM_BEAM_RIGID = 1e-5;
// A direction of the residual flexibility below this part of the largest is rounding.
static const double PKM_BEAM_NO_FLEXIBILITY = 1e-10;

/// Room for the kept modes and those of the static correction.
PKM_NODISCARD pkm_status pkm_beam_modes_create(const reduction* r, pkm_beam_modes** out);
/// Append a mode given in the order of the reduction.
void pkm_beam_modes_add(const reduction* r, pkm_beam_modes* modes, double lambda, const double* x);

/// Does the static correction take the forces of inertia, too?
bool pkm_beam_has_inertia(const reduction* r, const pkm_beam_reduction* s);
/// Scales of `n` loads from the flexibility f_a' K^-1 f_a that each sees: 1 / sqrt of it makes
/// metres and radians equal; 0 for loads that are not wanted.
void pkm_beam_scale_loads(const reduction* r, const unsigned* loaded, int n,
                          const double* flexibility, double* scale);

/// Is the mesh so fine, and are so few of its modes kept, that iteration is the shorter way?
bool pkm_beam_is_large(const reduction* r, const pkm_beam_reduction* s);
/// The kept modes and the static correction of a fine mesh; K and M are set.
/// @return PKM_RETRY when the modes are too many for it or do not come: go the other way.
PKM_NODISCARD pkm_status pkm_beam_reduce_large(reduction* r, const pkm_beam_mesh* mesh,
                                               const pkm_beam_reduction* s, pkm_beam_modes** out,
                                               pkm_error* err);

#endif
