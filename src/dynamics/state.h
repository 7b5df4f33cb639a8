/// What changes: coordinates, their rates, and all that follows from them at one instant. One state
/// per thread; the mechanism is shared.
#ifndef PKM_DYNAMICS_STATE_H
#define PKM_DYNAMICS_STATE_H

#include "math/spatial.h"
#include "mechanism/mechanism.h"
#include "model/mass.h"
#include "solver/sparse_lu.h"

/// A body at one instant, in world axes.
typedef struct pkm_body_state {
    pkm_mat3 R;   ///< body axes
    pkm_vec3 p;   ///< origin
    pkm_twist V;  ///< twist about the world origin
    pkm_twist A;  ///< its derivative
    pkm_wrench f; ///< wrench the parent must pass on (inverse dynamics)
} pkm_body_state;

/// Which rows, beside the closures, fix the motion.
typedef enum pkm_given {
    PKM_GIVEN_DRIVES, ///< the drives are prescribed
    PKM_GIVEN_TOOL,   ///< the tool is prescribed
    PKM_GIVEN_FORCES, ///< forces act: independent velocities are held beside prescribed drives
    PKM_N_GIVEN,
} pkm_given;

/// A square (or over-determined) set of rows with its factors.
typedef struct pkm_system {
    int n_row;
    int* row;           ///< mechanism rows, in the order of the factor's rows
    int* entry_at;      ///< [n_row + 1] starts of the rows in `value`
    int* column;        ///< velocities of the entries
    double* value;      ///< Jacobian entries
    double* rhs;        ///< [n_row]
    double* multiplier; ///< [n_row]
    pkm_sparse_lu* lu;  ///< NULL: this system is not available
} pkm_system;

typedef struct pkm_state {
    const pkm_mechanism* mech;
    double *q, *v, *a;             ///< n_q, n_v, n_v
    double* force;                 ///< [n_v] generalised forces of inertia and weight, M a + h
    double* step;                  ///< [n_v] work
    double* q_saved;               ///< [n_q] work: last good positions
    double newton_first;           ///< first step of the last Newton's method [robot sizes, rad]
    double newton_second;          ///< its second step; 0 when one was enough
    pkm_body_state* body;          ///< [n_body]
    pkm_twist* S;                  ///< [n_motion] motion columns about the world origin
    pkm_wrench* wrench;            ///< [n_row] of each row
    double* residual;              ///< [n_row] c(q)
    double* bias;                  ///< [n_row] c'' at a = 0
    double* jacobian;              ///< [n_column] entries of the rows, as mech->column
    pkm_wrench* load;              ///< [n_body] external wrenches, about the world origin
    pkm_mass* own;                 ///< [n_body] of rigid bodies by themselves, body axes
    pkm_mass* mass;                ///< [n_body] with what they carry at present
    struct pkm_modal_state* modal; ///< [n_body] of bodies that bend; NULL: there are none
    double* modal_block;
    struct pkm_arena* arena; ///< work of ranks of rows
    pkm_system system[PKM_N_GIVEN];
} pkm_state;

/// A state at the guessed coordinates, at rest, without factors; NULL when memory is out.
pkm_state* pkm_state_create(const pkm_mechanism* mech);
void pkm_state_free(pkm_state* state);

/// All bodies by themselves: state->mass is state->own.
void pkm_state_unload(pkm_state* state);

/// Set up a system with these rows of the mechanism (copied).
PKM_NODISCARD pkm_status pkm_state_set_system(pkm_state* state, pkm_given given, const int* row,
                                              int n_row);

/// Move the coordinates by the velocity-like step `dx` [n_v]: q <- q + dx on the group.
void pkm_state_move(const pkm_mechanism* mech, double* q, const double* dx);

/// Make the quaternions in `q` unit again.
void pkm_state_normalise(const pkm_mechanism* mech, double* q);

/// Rates of the coordinates: dq = q' at velocities `v`; quaternions need not be unit.
void pkm_state_position_rates(const pkm_mechanism* mech, const double* q, const double* v,
                              double* dq);

/// The other way round: the velocity-like step dx [n_v] that small changes `dq` [n_q] of the
/// coordinates mean.
void pkm_state_position_step(const pkm_mechanism* mech, const double* q, const double* dq,
                             double* dx);

/// Position of drive `d` [m, rad].
double pkm_state_drive_position(const pkm_state* state, int d);

/// Where a marker is; its frame; its motion (velocity, acceleration) as far as they have been
/// computed.
pkm_vec3 pkm_state_marker_point(const pkm_state* state, int marker);
pkm_pose pkm_state_marker_pose(const pkm_state* state, int marker);
pkm_frame_motion pkm_state_marker_motion(const pkm_state* state, int marker);

#endif
