/// Friction and slip of joints as columns of tables.
#ifndef PKM_DYNAMICS_PLANT_FRICTION_COLUMNS_H
#define PKM_DYNAMICS_PLANT_FRICTION_COLUMNS_H

#include "dynamics/plant.h"
#include "table/column.h"

/// Lay out friction and slip of each joint that has friction, as the plant was evaluated last.
/// Where redundant constraints leave friction open, the range of its loss comes first.
void pkm_plant_put_friction(pkm_plant* plant, pkm_layout* to);

/// Tell that friction is left open, with the range of its loss over the rows of the table.
void pkm_plant_warn_range(const pkm_plant* plant, pkm_table* table);
/// The same for a table of a robot with `n_free` self-stresses: why the range is not told, where it
/// is not.
void pkm_friction_warn_range(pkm_table* table, int n_free);

#endif
