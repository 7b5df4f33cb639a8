/// The insides of pkm_forward; only forward*.c include this.
#ifndef PKM_DYNAMICS_FORWARD_IMPL_H
#define PKM_DYNAMICS_FORWARD_IMPL_H

#include "dynamics/blocks.h"
#include "dynamics/forward.h"

struct pkm_forward {
    const pkm_structure* structure;
    bool prescribed[PKM_MAX_DRIVE];
    double rotor[PKM_MAX_DRIVE];
    int preferred[PKM_MAX_DRIVE], n_preferred;
    int n_base; ///< rows that do not depend on the choice of u
    int n_free;
    int* row;        ///< [n_base + n_free] closures, prescribed drives, idle locks, held velocities
    double* N;       ///< [n_v x n_free] motions of the independent velocities
    double* MN;      ///< [n_v x n_free] M N
    double* units;   ///< [PKM_SPARSE_MAX_UNIT n_v] work: solutions for several freedoms at once
    double* mass;    ///< [n_free x n_free] N' M N, then its Cholesky factor
    double* rate;    ///< [n_free] u'
    double* a0;      ///< [n_v]
    double* f0;      ///< [n_v]
    double* missing; ///< [n_v]
    double* dense;   ///< [n_base x n_v]; NULL for large mechanisms
    double* null;    ///< [n_v x n_v]; NULL for large mechanisms
    double* null_work; ///< of the null space; NULL for large mechanisms
    bool* used;        ///< [n_v] velocities that have a pivot
    bool* plain;       ///< [n_v] rates of single coordinates; NULL: u may be any velocities

    pkm_blocks*
        blocks;        ///< for flexible links and joints with clearance; NULL: the freedoms u serve
    bool lu_waits;     ///< factors of the rows are older than the rows
    int* kept;         ///< [n_v] rows of the free system behind its constraints
    double* lambda;    ///< [n_v] their multipliers
    double* left;      ///< [n_v] accelerations that they lack
    double* stiffness; ///< [n_mode x n_mode] of the largest body that bends

    // implicit steps; NULL without pkm_forward_step_create
    pkm_blocks* step_blocks;        ///< NULL: the freedoms u serve
    int* step_row;                  ///< [n_v] work
    double* step_N;                 ///< [n_v x n_free] N and
    double* step_mass;              ///< [n_free x n_free] the factor of N' (M + c C + c^2 K) N
    double *step_zero, *step_work;  ///< [n_v]
    double* step_y;                 ///< [2 n_v] a solution half way
    int* step_base;                 ///< [n_v] place of its rows among the base rows
    double *step_left, *step_delta; ///< [n_v] work
};

/// Choose u anew at the present positions: preferred velocities, the free drives, or any.
PKM_NODISCARD pkm_status pkm_forward_choose(pkm_forward* f, pkm_state* state);
/// Any velocities, whatever is preferred.
PKM_NODISCARD pkm_status pkm_forward_choose_any(pkm_forward* f, pkm_state* state);

#endif
