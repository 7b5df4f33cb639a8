/// The motion of the drives in a simulation: what prescribed drives follow, controllers aim at, and
/// the forces that inverse dynamics has found for it (docs/theory/simulation.md, section 1).
///
/// Motions of the drives are evaluated as they are. Those of the tool become splines through fine
/// samples where these reproduce the accelerations (and forces) to PKM_REFERENCE_ERROR; where they
/// do not (corners, ramps), inverse kinematics is solved at each instant. Behind the motion's end
/// everything rests.
#ifndef PKM_SIMULATE_REFERENCE_H
#define PKM_SIMULATE_REFERENCE_H

#include "robot/robot.h"

/// Largest error of a spline's accelerations and forces, of the largest ones.
#define PKM_REFERENCE_ERROR 1e-6

typedef struct pkm_reference pkm_reference;

typedef struct pkm_reference_spec {
    int motion;                       ///< index
    double end_time;                  ///< of the run [s]
    bool is_prescribed;               ///< drives follow it: jumps of its velocity are refused
    bool has_force;                   ///< pkm_reference_force will be asked
    pkm_vec3 tool_force, tool_torque; ///< known to these forces
} pkm_reference_spec;

/// @return PKM_ERR_ARGUMENT for a motion whose velocity jumps inside the run; what following the
///         motion returns; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_reference_create(pkm_robot* robot, const pkm_reference_spec* spec,
                                              pkm_reference** out, pkm_error* err);
void pkm_reference_free(pkm_reference* ref);

/// Positions, velocities, accelerations of the drives at time t, in any order of times.
void pkm_reference_at(pkm_reference* ref, double t, double* q, double* v, double* a);
/// Forces [n_drive] of inverse dynamics at time t.
void pkm_reference_force(pkm_reference* ref, double t, double* force);
/// Did an evaluation fail since the last call? PKM_RETRY then.
PKM_NODISCARD pkm_status pkm_reference_take_failure(pkm_reference* ref);
/// The end of the motion when that lies in (t, end of the run); infinite otherwise.
double pkm_reference_next_break(const pkm_reference* ref, double t);

#endif
