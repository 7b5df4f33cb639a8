/// What the parts of an instance share; only this module includes it.
#ifndef PKM_FMU_COMPONENT_IMPL_H
#define PKM_FMU_COMPONENT_IMPL_H

#include "base/error.h"
#include "base/memo.h"
#include "base/memory.h"
#include "fmu/component.h"
#include "fmu/seed_data.h"
#include "model/tree.h"
#include "write/number.h"

#include <stdlib.h>

/// Tell the log of an error of the library; returns ERROR.
component_status component_complain(component* c, const pkm_error* err);
/// Let the simulation know the inputs that were set.
PKM_NODISCARD pkm_status component_hand_over(component* c, pkm_error* err);
/// Assemble the robot with parameters that were set in initialisation mode.
component_status component_refresh(component* c);
void component_end_simulation(component* c);

/// Let somebody else integrate; go on with what was restored.
PKM_NODISCARD pkm_status component_begin_exchange(component* c, pkm_error* err);
component_status component_resume_exchange(component* c);
/// Let the simulation stand where time and states are set. DISCARD: the loops do not close there.
component_status component_stand(component* c);
/// States, rates, indicators.
component_status component_get_exchange(component* c, pkm_reference_class kind, int at,
                                        double* value);
/// As component_set, and states too.
component_status component_put(component* c, unsigned reference, double value);

#endif
