/// What gives way between a motor and its drive: a belt or shaft that is elastic, teeth with
/// backlash.
///
/// All at the drive coordinate. The lead e is how far the motor, behind its gear, is ahead of the
/// drive. Equations: docs/theory/forces.md, section 5.
#ifndef PKM_FORCE_SHAFT_COUPLING_H
#define PKM_FORCE_SHAFT_COUPLING_H

#include "pkm/status.h"

typedef struct pkm_shaft_coupling {
    double play;      ///< way of the motor from one flank to the other, the drive held [m, rad]
    double stiffness; ///< of the flanks or the belt [N/m, N m/rad]; 0: there is no coupling
    double damping;   ///< [N s/m, N m s/rad]
} pkm_shaft_coupling;

/// @return PKM_ERR_ARGUMENT for parameters out of range.
PKM_NODISCARD pkm_status pkm_shaft_coupling_check(const pkm_shaft_coupling* coupling,
                                                  const char* name, pkm_error* err);

/// Force on the drive [N, N m] at lead `e` and its rate (5.9). Without play both ways; with play
/// flanks push and never pull.
double pkm_shaft_coupling_force(const pkm_shaft_coupling* coupling, double e, double e_rate);

/// Energy in it [J].
double pkm_shaft_coupling_energy(const pkm_shaft_coupling* coupling, double e);

#endif
