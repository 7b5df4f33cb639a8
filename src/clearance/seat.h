/// A robot whose journals lie where the load presses them, at one instant: quasi-static clearance.
///
/// Offsets of the joints follow from the reactions, the pose from the loops closed with these
/// offsets, the reactions from inverse dynamics there (docs/theory/clearance.md, section 3).
#ifndef PKM_CLEARANCE_SEAT_H
#define PKM_CLEARANCE_SEAT_H

#include "clearance/regions.h"

typedef struct pkm_seat {
    pkm_robot* ideal;
    pkm_robot* moved; ///< its twin with displaced joints; its state is the result
    pkm_regions regions;
    pkm_share share;
    pkm_reactions* reactions;
    pkm_reaction* reaction; ///< [n_joint] with the self-stress that clearance allows
    pkm_reaction* stress;   ///< [n_joint] work
    double *y, *f;          ///< [n_y] present offsets, loads
    double force[PKM_MAX_DRIVE];
    int iterations;
    double change; ///< of the offsets in the last iteration [m]
    double gap;    ///< largest residual of a redundant closure [m, rad]
} pkm_seat;

/// What presses, beside inertia and weight.
typedef struct pkm_seat_loads {
    double t;                   ///< of the loads [s]
    const pkm_effects* effects; ///< NULL: none
    pkm_vec3 tool_force, tool_torque;
} pkm_seat_loads;

/// A seat for `robot` (lent) with clearance in these joints.
PKM_NODISCARD pkm_status pkm_seat_create(pkm_robot* robot, const pkm_joint_clearance* clearance,
                                         int n_clearance, pkm_seat* out, pkm_error* err);
void pkm_seat_free(pkm_seat* seat);

/// Start anew from centred journals where the ideal robot stands now.
void pkm_seat_reset(pkm_seat* seat);

/// Seat the journals with the drives at `target` (q, v, a) under `loads`, from the present offsets.
/// seat->moved->state has positions, and velocities and accelerations with the offsets held;
/// seat->force the driving forces.
/// @return PKM_ERR_CONVERGENCE, PKM_ERR_SINGULAR when the loops cannot be closed. Offsets that do
///         not settle (a load that passes zero) are left with seat->change above the tolerance.
PKM_NODISCARD pkm_status pkm_seat_solve(pkm_seat* seat, const pkm_target* target,
                                        const pkm_seat_loads* loads);

/// Close the loops with given offsets `y`: positions only.
PKM_NODISCARD pkm_status pkm_seat_close(pkm_seat* seat, const pkm_target* target, const double* y);

/// What is left of the redundant closures after closing says how the displacements must change:
/// seat->gap, and the g of seat->share (docs/theory/clearance.md, (3.8)).
void pkm_seat_note_gaps(pkm_seat* seat);

#endif
