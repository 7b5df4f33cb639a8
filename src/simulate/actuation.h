/// What the drives do in a simulation.
#ifndef PKM_SIMULATE_ACTUATION_H
#define PKM_SIMULATE_ACTUATION_H

#include "base/memo.h"
#include "run/settings.h"

/// References and forces along a motion.
typedef struct pkm_actuator pkm_actuator;

typedef struct pkm_actuator_spec {
    int motion;                       ///< index; PKM_NONE: none, references stay at home
    double end_time;                  ///< [s]
    const pkm_drive_plan* plan;       ///< [n_drive]; copied, what signals borrow is lent
    pkm_program_plan program;         ///< a controller of a program
    pkm_vec3 tool_force, tool_torque; ///< known to the forces that are played back
    const double* added_force;        ///< [n_drive] lent; NULL: none
    const pkm_target* given;          ///< lent; NULL: none, see pkm_sim_settings
    pkm_robot* model;                 ///< of the controllers; NULL: an exact one is made
    bool may_bend; ///< links give way: drives for which rigid links leave no freedom are none too
                   ///< many
} pkm_actuator_spec;

/// Plan the drives.
///
/// Motions of the tool are turned into motions of the drives, see reference.h.
/// @return what inverse dynamics along the motion returns; PKM_ERR_ARGUMENT for motors and
///         controllers out of range.
PKM_NODISCARD pkm_status pkm_actuator_create(pkm_robot* robot, const pkm_actuator_spec* spec,
                                             pkm_actuator** out, pkm_error* err);
void pkm_actuator_free(pkm_actuator* actuator);

/// Callbacks for a plant; lent.
const pkm_actuation* pkm_actuator_get(const pkm_actuator* actuator);
/// [n_drive] which drives follow a prescribed motion.
const bool* pkm_actuator_prescribed(const pkm_actuator* actuator);
/// [n_drive] inertia of the motors at the drives [kg, kg m2].
const double* pkm_actuator_rotor(const pkm_actuator* actuator);

/// Drive references at time t (also of drives that are not prescribed).
void pkm_actuator_reference(const pkm_actuator* actuator, double t, pkm_target* target);

/// The first time > t at which a force jumps: samples of controllers, breaks of given forces.
double pkm_actuator_next_break(const pkm_actuator* actuator, double t);
/// At t = 0 and at every break: take the samples that are due, at the present state.
PKM_NODISCARD pkm_status pkm_actuator_pass_break(pkm_actuator* actuator, double t,
                                                 const pkm_state* state);

/// What a drive does at one instant, beside its force.
typedef struct pkm_drive_point {
    double demand;           ///< force that controller or signal ask for, before limits [N, N m]
    bool is_saturated;       ///< controller or motor is at a limit
    double motor_torque;     ///< between rotor and stator [N m]; 0 without a motor
    double shaft_speed;      ///< of the motor [rad/s]
    double lead;             ///< of the motor before the drive [m, rad]; 0 where they are one
    double electrical_power; ///< into the motor; without one force times velocity [W]
} pkm_drive_point;

/// After an evaluation of the plant with force `force` on drive d, which moves at v, a.
pkm_drive_point pkm_actuator_point(const pkm_actuator* actuator, int d, double force, double v,
                                   double a);

/// What controllers remember: see base/memo.h.
void pkm_actuator_memo(pkm_actuator* actuator, pkm_memo* memo);

#endif
