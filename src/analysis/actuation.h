/// What the drives do in a simulation.
#ifndef PKM_ANALYSIS_ACTUATION_H
#define PKM_ANALYSIS_ACTUATION_H

#include "analysis/robot.h"
#include "dynamics/plant.h"

typedef enum pkm_drive_mode {
    PKM_DRIVE_PRESCRIBED, ///< follows the motion exactly; its force is a result
    PKM_DRIVE_LOCKED,     ///< stays where it is at the start
    PKM_DRIVE_FREE,       ///< no force
    PKM_DRIVE_PLAYBACK,   ///< the force of inverse dynamics for the motion, open loop
} pkm_drive_mode;

typedef struct pkm_drive_plan {
    pkm_drive_mode mode;
} pkm_drive_plan;

/// References and forces along a motion.
typedef struct pkm_actuator pkm_actuator;

/// Plan the drives for `motion` (index; PKM_NONE: none, drives are free or locked) up to
/// `end_time`.
///
/// Motions of the tool are turned into motions of the drives by splines through fine samples.
/// @return what inverse dynamics along the motion returns.
PKM_NODISCARD pkm_status pkm_actuator_create(pkm_robot* robot, int motion, double end_time,
                                             const pkm_drive_plan* plan, pkm_actuator** out,
                                             pkm_error* err);
void pkm_actuator_free(pkm_actuator* actuator);

/// Callbacks for a plant; lent.
const pkm_actuation* pkm_actuator_get(const pkm_actuator* actuator);
/// [n_drive] which drives follow a prescribed motion.
const bool* pkm_actuator_prescribed(const pkm_actuator* actuator);

/// Drive references at time t (also of drives that are not prescribed).
void pkm_actuator_reference(const pkm_actuator* actuator, double t, pkm_target* target);

#endif
