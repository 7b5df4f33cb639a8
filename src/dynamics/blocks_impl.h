/// The insides of pkm_blocks; only blocks*.c include this.
#ifndef PKM_DYNAMICS_BLOCKS_IMPL_H
#define PKM_DYNAMICS_BLOCKS_IMPL_H

#include "dynamics/blocks.h"
#include "dynamics/modal.h"

/// A tree on the ground: its velocities, unknown ones first (modes before the rest, since their
/// block is often diagonal), then the prescribed ones.
typedef struct pkm_block {
    int n, n_held;
    int* v;         ///< [n + n_held] velocities
    int* first;     ///< [n] first column of each row of M that is not zero
    const int* now; ///< the same for what M holds now
    double* M;      ///< [(n + n_held) x (n + n_held)] rows; lower part
    double* L;      ///< [n x n] rows
    int n_row;      ///< constraints that touch it
    int* row;       ///< [n_row] which
    double* Z;      ///< [n_row x n] L^-1 of each row's entries
    int row_room;
} pkm_block;

/// A way from a body to the ground: velocities as places in the block, and their motion columns.
typedef struct pkm_block_path {
    int block, n;
    int* place;
    int* motion;
} pkm_block_path;

struct pkm_blocks {
    int n_block, n_row;
    pkm_block* block;
    pkm_block_path* path; ///< [n_body]
    int* place;           ///< [n_v] place of each velocity in its block
    int* owner;           ///< [n_v] block of each velocity
    bool* held;           ///< [n_v] prescribed
    int* row;             ///< [n_v] mechanism rows of the constraints
    int* source;          ///< [n_v] their place in the list they came from
    int* first;           ///< [n_v] skyline of S
    int* dense;           ///< [n_v] zeros: the skyline of full blocks
    double* stiffness;    ///< [n_mode x n_mode] of the largest body that bends
    double* S;            ///< [n_row x n_row] rows; lower part, then its factor
    double* y;            ///< [n_v]
    pkm_wrench* push;     ///< [n_v] work: their momenta
};

static inline int pkm_block_modes(const pkm_body* body)
{
    return body->modal ? body->modal->n_mode : 0;
}

#endif
