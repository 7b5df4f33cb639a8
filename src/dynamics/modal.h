/// Bodies that bend: kinematics of their frames, inertia, elastic forces and energy.
/// docs/theory/flexible.md, sections 2 and 3.
#ifndef PKM_DYNAMICS_MODAL_H
#define PKM_DYNAMICS_MODAL_H

#include "dynamics/inverse.h"
#include "mechanism/modal_body.h"

/// Integrals of a bent body at the present z, and its modal accelerations; in body axes.
struct pkm_modal_state {
    pkm_vec3 first;     ///< integral of rho r [kg m]
    pkm_mat3 J;         ///< inertia about the origin [kg m2]
    double* D;          ///< [9 x n_mode] integrals of rho r phi_j', by entries
    double* c;          ///< [3 x n_mode] of rho r x phi_j, with the spin of the sections, by axes
    double* rate2;      ///< [n_mode] z''
    double* work;       ///< [4 n_mode]
    double* needed;     ///< [2 n_mode] modal forces of the last pkm_modal_needed: all, of inertia
    pkm_vec3 need[4];   ///< its force and moment in body axes: all, of inertia
    double* element;    ///< [3 n_element] shortenings, axial forces, push of damping
    double* slope;      ///< [n_slope + n_element] slopes and stretches of all elements
    double* slope_rate; ///< [n_slope + n_element] their rates
    double* pull;       ///< [n_slope + n_element] forces on them
    double* bent;       ///< [2 n_element x n_mode] work of the tangent
    double damped;      ///< power that damping takes [W], of the last pkm_modal_needed
    double* tangent;    ///< [n_mode x n_mode] of the stiffening, of the last pkm_modal_find_tangent
    bool is_stiffened;  ///< it counts in implicit steps

    // of a frame on such a body, in body axes
    pkm_vec3 theta, place;           ///< its turn and place, deformed; with the positions
    pkm_mat3 turn;                   ///< R L (2.4), world axes
    pkm_vec3 theta_rate, shift_rate; ///< theta' and the rate of its shift; with the velocities
};

/// Vector j of `n`, which stand by axes.
static inline pkm_vec3 pkm_modal_column(const double* x, int n, int j)
{
    return (pkm_vec3){x[j], x[n + j], x[2 * n + j]};
}

/// Memory for all bodies that bend; state->modal is NULL when there are none.
PKM_NODISCARD pkm_status pkm_modal_allocate(pkm_state* state);
void pkm_modal_release(pkm_state* state);

/// Pose, columns, twist and its derivative of frame body `i` from those of the body it sits on.
void pkm_modal_frame_position(pkm_state* state, int i);
void pkm_modal_frame_columns(pkm_state* state, int i);
void pkm_modal_frame_velocity(pkm_state* state, int i);
void pkm_modal_frame_acceleration(pkm_state* state, int i, const double* a);
/// A += what the modal accelerations in `x` [n_v] give the frame.
void pkm_modal_frame_add(const pkm_state* state, int i, const double* x, pkm_twist* A);
/// force [n_v] += what the wrench `f` on frame body `i` does on the modes.
void pkm_modal_frame_force(const pkm_state* state, int i, pkm_wrench f, double* force);

/// The integrals at the present deformation of body `i`; with the velocities.
void pkm_modal_update(pkm_state* state, int i);

/// Wrench about the world origin and modal forces [n_mode] that body `i` needs for its motion,
/// weight, elastic and damping forces included (3.1)-(3.3).
pkm_wrench pkm_modal_needed(pkm_state* state, int i, double* force);
/// The same where only accelerations have changed since.
pkm_wrench pkm_modal_needed_again(pkm_state* state, int i, double* force);
/// The part of it that comes from the twist derivative A of the body and modal accelerations `x`.
pkm_wrench pkm_modal_inertia(const pkm_state* state, int i, const double* x, double* force);
/// Wrench about the world origin [n_mode] that a unit acceleration of each mode needs.
void pkm_modal_momenta(const pkm_state* state, int i, pkm_wrench* out);
/// Inertia of body `i` as a rigid one in its present shape: force and moment about the world origin
/// for a twist derivative.
pkm_wrench pkm_modal_rigid_inertia(const pkm_state* state, int i, pkm_twist A);

void pkm_modal_energy(const pkm_state* state, int i, pkm_energy* sum);
/// Power that the damping of all modes takes [W], at the last pkm_modal_needed of each.
double pkm_modal_damping(const pkm_state* state);
/// Row k of the damping matrix times rates of the modes.
double pkm_modal_damping_force(const pkm_modal_body* modal, int k, const double* rate);

/// Second derivative of the energy of stiffening (3.8) of body `i` at its present shape, and
/// whether an implicit step of length c needs it: K of its step then has it.
void pkm_modal_find_tangent(pkm_state* state, int i, double c);
/// c C + c^2 K [n_mode x n_mode], damping and stiffness of the modes of body `i`: what an implicit
/// step of length c adds to their mass.
void pkm_modal_step_matrix(const pkm_state* state, int i, double c, double* out);
/// Is it more than a diagonal?
bool pkm_modal_step_couples(const pkm_state* state, int i);
/// What it leaves on the right: out [n_mode] = -(c C + c^2 K) v - c K x; v NULL: 0.
void pkm_modal_step_force(const pkm_state* state, int i, double c, const double* v, const double* x,
                          double* out);
/// Axial forces in the elements of body `i`, lent until the next call for it.
pkm_modal_axial pkm_modal_axial_forces(const pkm_state* state, int i);

// Along an element the axial force changes evenly: what that does to sums over slopes, (3.9),
// (3.10). Both leave their results in the body's work.
void pkm_modal_gather(const pkm_modal_body* modal, const struct pkm_modal_state* m, const double* x,
                      const double* y, const int range[2], double* out);
const double* pkm_modal_rises(const pkm_modal_body* modal, const struct pkm_modal_state* m,
                              const double* N, const double* more);

#endif
