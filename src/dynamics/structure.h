/// The structure of an assembled robot: mobility, idle freedoms, redundant constraints, what the
/// tool can do; and the choice of rows for the two modes that follows from it.
#ifndef PKM_DYNAMICS_STRUCTURE_H
#define PKM_DYNAMICS_STRUCTURE_H

#include "dynamics/rows.h"

typedef struct pkm_structure {
    int gruebler;       ///< 6 bodies - constraints of the joints
    int mobility;       ///< from the rank of the closures, idle freedoms included
    int n_idle;         ///< freedoms that move neither drives nor tool
    int n_redundant;    ///< closures that follow from the others
    int n_uncontrolled; ///< freedoms that move the tool while the drives are locked
    bool singular_here; ///< mobility is larger here than nearby: a constraint singularity
    bool drives_unique; ///< the drive forces are unique
    unsigned moves;     ///< tool components that move, bits x y z rx ry rz
    bool tool_turns;    ///< its orientation changes, whether that is among `moves` or not
    bool tool_mode;     ///< the tool can be prescribed
    double rank_gap[2]; ///< smallest singular value counted, largest not counted (closures)
    int n_lock;
    int n_harmless;  ///< of them, first in `lock`: spins of symmetric rods, whose locks carry
                     ///< nothing
    int n_held;      ///< first in `lock`: those that forward dynamics holds
    bool tool_spins; ///< the tool sits on a rod that spins: a force on it may turn it
    int* lock;       ///< rows (spin, hold) that hold the idle freedoms
    int* redundant;  ///< [n_redundant] closure rows
} pkm_structure;

/// Analyse the structure at the present, assembled positions, and set up the systems of `state`.
/// @return PKM_OK also for robots that cannot be driven (see n_uncontrolled); PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_structure_find(pkm_state* state, pkm_structure* out, pkm_error* err);
void pkm_structure_free(pkm_structure* structure);

#endif
