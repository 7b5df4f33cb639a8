/// The insides of pkm_blocks; only blocks*.c include this.
#ifndef PKM_DYNAMICS_BLOCKS_IMPL_H
#define PKM_DYNAMICS_BLOCKS_IMPL_H

#include "dynamics/blocks.h"
#include "dynamics/modal.h"
#include "math/chol.h"
#include "solver/fronts.h"

/// An entry of the Jacobian and its place in Z, or in G of a hub.
typedef struct pkm_block_entry {
    int from, to;
} pkm_block_entry;

/// Factors of a floating body, rigid or with modes that have a diagonal matrix d and no momentum,
/// and nothing else (flexible.md, 4.4).
typedef struct pkm_rod {
    int body;         ///< PKM_NONE: the block is something else
    bool is_now;      ///< do the present factors stand here, not in U?
    int n_mode;       ///< of it
    double* mode;     ///< [n_mode x 4] U of each mode with the three turns, and 1/sqrt(d)
    double shift;     ///< 1/sqrt(m)
    double couple[9]; ///< U of shifts with turns, by rows
    double turn[6];   ///< U of the turns, xx xy xz yy yz zz, reciprocals on its diagonal
} pkm_rod;

/// A tree on the ground: its velocities, unknown ones first (modes before the rest, since their
/// block is often diagonal), then the prescribed ones. Rows of U and Z have the stride of skylines.
typedef struct pkm_block {
    int n, n_held;
    int n_body;           ///< frames not counted
    int at;               ///< of its velocities among those of all blocks
    int* v;               ///< [n + n_held] velocities
    int* first;           ///< [n] first row of each column of M that is not zero
    pkm_chol_shape shape; ///< the same
    pkm_chol_shape now;   ///< of what M holds now
    double* M;            ///< [(n + n_held) x (n + n_held)] rows; upper part
    double* U;            ///< [n x n] rows; M = U' U
    pkm_rod rod;          ///< instead of both
    int n_row;            ///< constraints that touch it
    int* row;             ///< [n_row] which, ascending
    double* Z;   ///< [n x n_row] U'^-1 of the rows' entries, those of a velocity side by side
    double* S;   ///< [n_row x n_row] Z' Z; with a hub its factor
    double* Y;   ///< [n_row x n_hub] U_S'^-1 of the hub's entries of these rows
    double* w;   ///< [n_row] U_S'^-1 of what the rows lack
    int n_entry; ///< of the constraints' Jacobian in it
    pkm_block_entry* entry;
    int row_room, entry_room;
    size_t hub_room;
} pkm_block;

/// A way from a body to the ground: velocities as places in the block, and their motion columns.
typedef struct pkm_block_path {
    int block, n;
    int* place;
    int* motion;
} pkm_block_path;

struct pkm_blocks {
    int n_block, n_row, n_v;
    pkm_block* block;
    pkm_block_path* path; ///< [n_body]
    int* place;           ///< [n_v] place of each velocity in its block
    int* owner;           ///< [n_v] block of each velocity
    bool* held;           ///< [n_v] prescribed
    int* row;             ///< [n_v] mechanism rows of the constraints
    int* source;          ///< [n_v] their place in the list they came from
    int n_held, held_room;
    pkm_block_entry* held_entry; ///< [n_held] entries at prescribed velocities and their rows
    int *given, n_given;         ///< [n_v] that list
    int* first;                  ///< [n_v] skyline of S
    int* reach;                  ///< [n_v] how far its rows reach
    int* zero;                   ///< [n_v] that of full matrices
    pkm_chol_shape shape, full;  ///< both
    double* stiffness;           ///< [n_mode x n_mode] of the largest body that bends
    double* S;                   ///< [n_row x n_row] rows; upper part, then its factor
    size_t S_room;
    int most_row;         ///< for which rows have room
    pkm_fronts* fronts;   ///< instead of S, where that costs much less; NULL
    pkm_arena* of_fronts; ///< where they are
    double* half;         ///< [pkm_blocks_half] work
    double* work;         ///< [n_v]
    pkm_wrench* push;     ///< [n_v] work: their momenta

    // the tree on which all loops end, often the platform: it is solved last, each limb with its
    // own rows before it (4.3)
    int chosen; ///< its block; PKM_NONE: there is none
    int hub;    ///< the same in the present factors; PKM_NONE: the rows are a whole
    int last;   ///< a tree without some inertia: the hub of all rows at once; PKM_NONE
    int lacks;  ///< the tree that had none in the last factors; PKM_NONE
    int* limb;  ///< [n_block] which blocks the rows join without the hub
    int* begin; ///< [2 n_block + 1] work: where rows of each class begin
    double* G;  ///< [n_row x n_hub] its entries of the rows; of a last tree then Y of all rows
    size_t hub_room;
    int n_in_G, G_room;
    pkm_block_entry* in_G; ///< [n_in_G] and where they go
};

/// Mass of body i [kg]; its first moment [kg m] and inertia [kg m2] about its origin, in its axes.
double pkm_block_inertia(const pkm_state* state, int i, pkm_vec3* first, pkm_mat3* J);

/// S = Z'Z of all rows (4.1), but for a tree that is solved last: its layout, when rows are set;
/// its sum and factor; solutions.
PKM_NODISCARD pkm_status pkm_block_rows_lay_out(pkm_blocks* b);
double pkm_block_rows_cost(const pkm_blocks* b);
void pkm_block_rows_clear(pkm_blocks* b);
void pkm_block_rows_add(pkm_blocks* b, int block); ///< its S
bool pkm_block_rows_factor(pkm_blocks* b, double least);
void pkm_block_rows_lower(const pkm_blocks* b, double* x);
void pkm_block_rows_lower_many(const pkm_blocks* b, int width, double* X);
void pkm_block_rows_upper(const pkm_blocks* b, double* x);

/// Does body i float by itself, with modes of the mean axes and nothing that hangs on it?
bool pkm_block_floats(const pkm_blocks* b, const pkm_mechanism* mech, int i);

/// Factors of a rod, of M or, with `more` [n_mode x n_mode], of M and its diagonal.
/// Returns false when a freedom has a pivot of at most `least` of its diagonal.
bool pkm_rod_factor(pkm_block* to, const pkm_state* state, const double* more, double least);
/// X <- U'^-1 X: `width` right hand sides side by side, in rows of their stride.
void pkm_rod_solve_many(const pkm_rod* rod, int width, double* X);
void pkm_rod_solve_lower(const pkm_rod* rod, double* y); ///< y <- U'^-1 y
void pkm_rod_solve_upper(const pkm_rod* rod, double* y); ///< y <- U^-1 y

static inline int pkm_block_modes(const pkm_body* body)
{
    return body->modal ? body->modal->n_mode : 0;
}

#endif
