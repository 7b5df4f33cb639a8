/// Friction and slip of joints as columns of tables.
#ifndef PKM_DYNAMICS_PLANT_FRICTION_COLUMNS_H
#define PKM_DYNAMICS_PLANT_FRICTION_COLUMNS_H

#include "dynamics/plant.h"
#include "table/column.h"

/// Lay out friction and slip of each joint that has friction, as the plant was evaluated last.
void pkm_plant_put_friction(const pkm_plant* plant, pkm_layout* to);

#endif
