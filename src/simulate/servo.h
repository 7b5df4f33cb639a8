/// Controllers with the model they know, continuous or sampled; used by actuation.c.
#ifndef PKM_SIMULATE_SERVO_H
#define PKM_SIMULATE_SERVO_H

#include "force/sampler.h"
#include "simulate/actuation.h"

/// All controllers of a robot.
typedef struct pkm_servo {
    const pkm_mechanism* mech;
    const pkm_drive_plan* plan; ///< [n_drive]
    pkm_robot* model;           ///< what the controllers know of the robot; NULL: nothing needed
    bool owns_model;
    int n_state;                         ///< integrals of continuous controllers
    int state_at[PKM_MAX_DRIVE];         ///< PKM_NONE: no state
    pkm_sampler* sampler[PKM_MAX_DRIVE]; ///< NULL: continuous
    /// Drives whose motor moves by itself: controllers measure there.
    bool has_shaft[PKM_MAX_DRIVE];
    double shaft_q[PKM_MAX_DRIVE], shaft_v[PKM_MAX_DRIVE]; ///< at the drive coordinate
    double integral[PKM_MAX_DRIVE];                        ///< of sampled controllers
    pkm_control_output last[PKM_MAX_DRIVE];
} pkm_servo;

/// Prepare; `model` NULL: an exact one is made where a controller needs one.
PKM_NODISCARD pkm_status pkm_servo_begin(pkm_servo* servo, pkm_robot* robot,
                                         const pkm_drive_plan* plan, pkm_robot* model,
                                         pkm_error* err);
void pkm_servo_end(pkm_servo* servo);

/// Forces that the controllers ask for (force[d] of servo drives only) and the rates of their
/// integrals, at the references `target`.
/// @return PKM_RETRY where the model cannot follow (singular, out of its reach).
PKM_NODISCARD pkm_status pkm_servo_forces(pkm_servo* servo, const pkm_state* state,
                                          const pkm_target* target, const double* z, double* force,
                                          double* z_rate);

/// The first time > t at which a sample is due or starts to act.
double pkm_servo_next_event(const pkm_servo* servo);
/// Take the samples that are due at time t.
PKM_NODISCARD pkm_status pkm_servo_sample(pkm_servo* servo, double t, const pkm_state* state,
                                          const pkm_target* target);

/// What they remember between samples: see base/memo.h.
void pkm_servo_memo(pkm_servo* servo, pkm_memo* memo);

#endif
