/// Inverse dynamics: forces of inertia and weight, their projection on the drives, reactions.
#ifndef PKM_DYNAMICS_INVERSE_H
#define PKM_DYNAMICS_INVERSE_H

#include "dynamics/state.h"

/// Generalised forces state->force = M a + h - loads, by the recursion of Newton and Euler from the
/// bodies inwards; needs positions, velocities, accelerations.
void pkm_inverse_forces(pkm_state* state);
/// The same where only accelerations and loads have changed since: elastic forces and those of the
/// velocities of bodies that bend are kept.
void pkm_inverse_forces_again(pkm_state* state);

/// Generalised forces [n_v] of wrenches on the bodies (about the world origin).
void pkm_inverse_load_forces(pkm_state* state, const pkm_wrench* load, double* out);

/// force [n_v] += those of one wrench on body `i` (about the world origin).
void pkm_inverse_add_load(const pkm_state* state, int i, pkm_wrench load, double* force);

/// M x [n_v], the forces that accelerations `x` [n_v] alone need; the bodies' A and f are used as
/// work.
void pkm_inverse_inertia_forces(pkm_state* state, const double* x, double* out);

/// Drive forces [N, N m] and the multipliers of the closures: A' x = force (4.3). The factors of
/// PKM_GIVEN_DRIVES must belong to the present positions.
void pkm_inverse_drive_forces(pkm_state* state, double* drive_force);

/// The wrench that joint j passes to body b, at the origin of frame b, in the axes of frame a.
typedef struct pkm_reaction {
    pkm_vec3 force, moment;
} pkm_reaction;

/// Work memory for reactions.
typedef struct pkm_reactions pkm_reactions;
pkm_reactions* pkm_reactions_create(const pkm_state* state);
/// The same on the multipliers of another system (PKM_GIVEN_FORCES after pkm_forward_multipliers).
pkm_reactions* pkm_reactions_create_for(const pkm_state* state, pkm_given given);
void pkm_reactions_free(pkm_reactions* work);

/// Reactions in all joints (out[n_joint]); after pkm_inverse_drive_forces. Where redundant
/// constraints leave them open, those with the least sum of squares over all joints (force, and
/// moment over the robot's size) are given, which does not depend on where the loops are cut (4.6);
/// unique[j] (may be NULL) says which joints that concerns.
void pkm_reactions_solve(pkm_reactions* work, pkm_state* state, pkm_reaction* out, bool* unique);

/// Redundant constraints leave self-stresses open: reactions that balance without loads, each with
/// multiplier 1 on one redundant row. Their number, and the k-th of the last pkm_reactions_solve:
/// out[n_joint] and that row of the mechanism.
int pkm_reactions_n_free(const pkm_reactions* work);
/// Find them alone, with the factors of the present positions.
void pkm_reactions_find_self_stress(pkm_reactions* work, pkm_state* state);
int pkm_reactions_self_stress(const pkm_reactions* work, const pkm_state* state, int k,
                              pkm_reaction* out);

/// Kinetic, potential and strain energy of bending bodies [J], and the rate of their sum [W] from
/// the accelerations.
typedef struct pkm_energy {
    double kinetic, potential, strain, rate;
} pkm_energy;
pkm_energy pkm_energy_now(const pkm_state* state);

#endif
