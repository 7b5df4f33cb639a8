/// Servo controllers of one drive: from reference and measurement to the force on the drive.
///
/// Pure functions; the integral of a PID is a state of the caller, whose rate they give. Equations:
/// docs/theory/forces.md, section 6.
#ifndef PKM_FORCE_CONTROLLER_H
#define PKM_FORCE_CONTROLLER_H

#include "pkm/status.h"

#include <stdbool.h>

typedef enum pkm_controller_kind {
    PKM_CONTROLLER_PD,
    PKM_CONTROLLER_PID,
    PKM_CONTROLLER_PD_GRAVITY,      ///< plus the force that holds the weight
    PKM_CONTROLLER_COMPUTED_TORQUE, ///< inverse dynamics of the commanded acceleration
} pkm_controller_kind;

/// What keeps the integral from growing while the force is at its limit.
typedef enum pkm_anti_windup {
    PKM_WINDUP_FREE,             ///< nothing
    PKM_WINDUP_CLAMPING,         ///< it stops while it would push further into the limit
    PKM_WINDUP_BACK_CALCULATION, ///< it is driven back by what the limit cuts off
} pkm_anti_windup;

/// Gains act on metres or radians and give N or N m; those of the computed torque give m/s2 or
/// rad/s2.
typedef struct pkm_controller {
    pkm_controller_kind kind;
    double kp, kd, ki;               ///< ki: PID and computed torque
    double velocity_feedforward;     ///< force per reference velocity; not with computed torque
    double acceleration_feedforward; ///< force per reference acceleration; likewise
    double force_limit;              ///< [N, N m]; infinite: none
    pkm_anti_windup anti_windup;
    double tracking_time; ///< back-calculation: T_t [s]
} pkm_controller;

/// No gains, no limit, clamping.
pkm_controller pkm_controller_defaults(pkm_controller_kind kind);

/// Gains that put the poles of a drive of constant `mass` [kg, kg m2] at the angular frequency
/// `frequency` [rad/s] with damping ratio `damping` (6.3); the integral of a PID adds a real pole
/// at -frequency (6.4). For the computed torque the mass is 1.
pkm_controller pkm_controller_tune(pkm_controller_kind kind, double mass, double frequency,
                                   double damping);

/// @return PKM_ERR_ARGUMENT for gains or limits out of range.
PKM_NODISCARD pkm_status pkm_controller_check(const pkm_controller* controller, const char* name,
                                              pkm_error* err);

/// True when the controller has an integral.
bool pkm_controller_has_state(const pkm_controller* controller);

/// Reference, measurement, and what the model of the robot says.
typedef struct pkm_control_input {
    double q_ref, v_ref, a_ref; ///< reference
    double q, v;                ///< measured
    double integral;            ///< state: force, for the computed torque acceleration
    bool is_sampled;            ///< what it says now is held until the next sample
    double gravity;             ///< PD with gravity: force that holds the weight at the measured q
    double model_force;         ///< computed torque: inverse dynamics at the measured q, v with the
                                ///< accelerations of pkm_controller_acceleration
} pkm_control_input;

typedef struct pkm_control_output {
    double force;         ///< within the limit
    double demand;        ///< before the limit
    double integral_rate; ///< rate of the state
    bool is_saturated;
} pkm_control_output;

/// Computed torque: the acceleration to put into the inverse dynamics (6.5).
double pkm_controller_acceleration(const pkm_controller* controller, const pkm_control_input* in);

/// The force on the drive and the rate of the integral (6.1), (6.2). A sampled controller adds
/// integral_rate times its period to the integral at each sample.
pkm_control_output pkm_controller_evaluate(const pkm_controller* controller,
                                           const pkm_control_input* in);

#endif
