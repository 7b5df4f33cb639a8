/// Cartesian stiffness of a robot at a pose: how the tool yields to forces, and where.
#ifndef PKM_LINEAR_STIFFNESS_H
#define PKM_LINEAR_STIFFNESS_H

#include "linear/elastic.h"
#include "linear/modes_sweep.h"

/// How the tool yields in one kind of motion, forces of the other kind being absent: principal
/// directions, most yielding first.
typedef struct pkm_yield {
    double compliance[3]; ///< [m/N] or [rad/(N m)]
    pkm_vec3 axis[3];     ///< unit, world axes
} pkm_yield;

/// Where the energy of a deflection is; shares sum to 1.
typedef struct pkm_yield_share {
    int part; ///< of the elastic model; PKM_NONE: drives, or springs
    int kind; ///< PKM_STRAIN_AXIAL ...; of no part 0: drives, 1: springs
    double share;
} pkm_yield_share;

enum { PKM_YIELD_SHARES = 8 };

typedef struct pkm_stiffness {
    double C[36]; ///< compliance at the tool, 6 x 6: x y z rx ry rz from force and torque
    double K[36]; ///< its inverse
    bool has_K;   ///< false: some direction does not yield at all
    pkm_yield shift, turn;
    double deflection[6]; ///< of the tool under the force asked for [m, rad]
    double sag[6];        ///< of the tool under the robot's weight [m, rad]
    int n_share;          ///< largest shares of the energy under that force, falling
    pkm_yield_share share[PKM_YIELD_SHARES];
} pkm_stiffness;

/// The stiffness where `elastic` is placed. `force` and `torque` act on the tool, world axes; with
/// none the shares are those of a force in the most yielding direction.
/// @return PKM_ERR_ARGUMENT for a robot without tool, PKM_ERR_SINGULAR when it is not held,
///         PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_stiffness_at(pkm_elastic* elastic, pkm_vec3 force, pkm_vec3 torque,
                                          pkm_stiffness* out, pkm_error* err);

/// The stiffness where the robot stands, under the tool force of the settings; the elastic model is
/// freed by the caller. @return statuses of pkm_elastic_create, pkm_elastic_place,
/// pkm_stiffness_at.
PKM_NODISCARD pkm_status pkm_stiffness_here(pkm_robot* robot, const pkm_elastic_settings* settings,
                                            pkm_elastic** elastic, pkm_stiffness* out,
                                            pkm_error* err);

/// A 6 x 6 matrix of these as a table: a row per direction of the answer, columns PREFIX.x ... .rz
/// (x ... rz without a prefix) with the units of shifts and of turns. @return false: memory is out.
bool pkm_stiffness_table(const double* A, const char* prefix, const char* shift_unit,
                         const char* turn_unit, pkm_table* table);

/// Over a grid. Columns: x y z [m], reachable 0 or 1, k_min k_max: least and largest stiffness of
/// shifts [N/m], turn_min turn_max: of turns [N m/rad] (0 out of reach, at most 1e15), dx dy dz
/// [m]: deflection under the tool force of the settings.
PKM_NODISCARD pkm_status pkm_stiffness_map(pkm_robot* robot, const pkm_modes_sweep* sweep,
                                           const pkm_workspace_grid* grid, pkm_table* table,
                                           pkm_error* err);

#endif
