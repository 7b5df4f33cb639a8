/// Bodies that bend: kinematics of their frames, inertia, elastic forces and energy.
/// docs/theory/flexible.md, sections 2 and 3.
#ifndef PKM_DYNAMICS_MODAL_H
#define PKM_DYNAMICS_MODAL_H

#include "dynamics/inverse.h"
#include "mechanism/modal_body.h"

/// Integrals of a bent body at the present z, and its modal accelerations; in body axes.
struct pkm_modal_state {
    pkm_vec3 first;  ///< integral of rho r [kg m]
    pkm_mat3 J;      ///< inertia about the origin [kg m2]
    double* D;       ///< [9 n_mode] integral of rho r phi_j'
    pkm_vec3* c;     ///< [n_mode] integral of rho r x phi_j, with the spin of the sections
    double* rate2;   ///< [n_mode] z''
    double* work;    ///< [4 n_mode]
    double* element; ///< [2 n_element] shortenings and axial forces
    int n_slope;     ///< of all elements
    double* by_mode; ///< [n_mode x (n_slope + n_element)] slopes and stretches that each mode makes
    double* slope;   ///< [n_slope + n_element] slopes and stretches of all elements
    double* slope_rate; ///< [n_slope + n_element] their rates
    double damped;      ///< power that damping takes [W], of the last pkm_modal_needed

    // of a frame on such a body, in body axes
    pkm_vec3 theta, place;           ///< its turn and place, deformed; with the positions
    pkm_mat3 turn;                   ///< R L (2.4), world axes
    pkm_vec3 theta_rate, shift_rate; ///< theta' and the rate of its shift; with the velocities
};

/// Memory for all bodies that bend; state->modal is NULL when there are none.
PKM_NODISCARD pkm_status pkm_modal_allocate(pkm_state* state);
void pkm_modal_release(pkm_state* state);

/// Pose, columns, twist and its derivative of frame body `i` from those of the body it sits on.
void pkm_modal_frame_position(pkm_state* state, int i);
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
/// c C + c^2 K [n_mode x n_mode], damping and stiffness of the modes without stiffening: what an
/// implicit step of length c adds to their mass.
void pkm_modal_step_matrix(const pkm_modal_body* modal, double c, double* out);
/// What it leaves on the right: out [n_mode] = -(c C + c^2 K) v - c K x; v NULL: 0.
void pkm_modal_step_force(const pkm_modal_body* modal, double c, const double* v, const double* x,
                          double* out);
/// Axial forces [N] in the elements of body `i`, tension positive, lent until the next call for it;
/// NULL: it has none.
const double* pkm_modal_axial_forces(const pkm_state* state, int i);

#endif
