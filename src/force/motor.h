/// A motor with belt, gear and screw between its shaft and the coordinate of a drive.
///
/// The shaft turns by N q [rad] for a drive coordinate q in m or rad. Limits, friction and rotor
/// inertia are those of the shaft. Equations: docs/theory/forces.md, section 5.
#ifndef PKM_FORCE_MOTOR_H
#define PKM_FORCE_MOTOR_H

#include "pkm/status.h"

#include <stdbool.h>

typedef struct pkm_motor {
    double rotor_inertia; ///< [kg m2]
    double gear_ratio;    ///< turns of the shaft per turn of the gear's output
    double efficiency;    ///< of the gear when the motor drives, (0, 1]
    /// Of the gear when the load drives, up to 1; 0: 2 - 1/efficiency, the same loss torque.
    double backdrive_efficiency;
    double belt_ratio;       ///< turns of the shaft per turn of the gear's input
    double belt_efficiency;  ///< of the belt, (0, 1]; backwards 2 - 1/it
    double screw_lead;       ///< way per turn of the screw [m]; 0: no screw
    double screw_efficiency; ///< of the screw when the motor drives, (0, 1]; backwards 2 - 1/it
    double viscous;          ///< [N m s/rad]
    double coulomb;          ///< [N m]
    double transition_speed; ///< speed at which dry friction is fully developed [rad/s]
    double torque_limit;     ///< [N m]; infinite: none
    double speed_limit;      ///< [rad/s]; infinite: none
    double winding_loss;     ///< resistance over torque constant squared, R/k^2 [W/(N m)^2]
} pkm_motor;

/// An ideal direct drive: ratio 1, no losses, no limits.
pkm_motor pkm_motor_defaults(void);

/// @return PKM_ERR_ARGUMENT for parameters out of range.
PKM_NODISCARD pkm_status pkm_motor_check(const pkm_motor* motor, const char* name, pkm_error* err);

/// True when no load can turn the shaft (backward efficiency <= 0). Such a drive has no
/// pkm_motor_drive: prescribe its motion.
bool pkm_motor_is_self_locking(const pkm_motor* motor);

/// N, shaft angle per drive coordinate [rad/m, rad/rad] (5.1).
double pkm_motor_ratio(const pkm_motor* motor);

/// Inertia of the rotor seen at the drive coordinate, N^2 J [kg, kg m2] (5.2).
double pkm_motor_inertia(const pkm_motor* motor);

/// The torque nearest to `torque` that the motor can give at shaft speed `speed` (5.3).
double pkm_motor_limit(const pkm_motor* motor, double torque, double speed);

/// What a motor does at one instant. Powers balance (5.8):
/// electrical = winding_loss + friction_loss + transmission_loss + rotor + output.
typedef struct pkm_motor_point {
    double torque;      ///< between rotor and stator [N m]
    double force;       ///< on the drive coordinate [N, N m]
    double shaft_speed; ///< [rad/s]
    bool is_saturated;  ///< the torque asked for was beyond the limits
    double output_power, rotor_power, electrical_power;    ///< [W]
    double friction_loss, transmission_loss, winding_loss; ///< [W], >= 0
} pkm_motor_point;

/// Force on the drive from the torque asked for, at velocity `v` and acceleration `a` of the drive
/// coordinate. The rotor's inertia is subtracted; a caller that adds pkm_motor_inertia to the
/// robot's mass instead passes a = 0 (then losses in the transmission of the rotor's inertia are
/// left out).
pkm_motor_point pkm_motor_drive(const pkm_motor* motor, double torque, double v, double a);

/// Torque that makes the force `force` on the drive, for sizing: the inverse of pkm_motor_drive.
/// Beyond the limits is_saturated is set and the torque is given as needed.
pkm_motor_point pkm_motor_require(const pkm_motor* motor, double force, double v, double a);
/// The same for a force that makes the rotor follow too, pkm_motor_inertia times `a`, as plants and
/// inverse dynamics give it.
pkm_motor_point pkm_motor_require_all(const pkm_motor* motor, double force, double v, double a);

#endif
