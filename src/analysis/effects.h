/// Effects beside the rigid motion, as a run chooses them: friction, loads.
#ifndef PKM_ANALYSIS_EFFECTS_H
#define PKM_ANALYSIS_EFFECTS_H

#include "dynamics/plant.h"
#include "pkm/inverse.h"

struct pkm_effects {
    int n_friction;
    pkm_plant_friction* friction; ///< one per joint at most
};

#endif
