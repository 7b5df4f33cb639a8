/// Parts of the compiler; only src/mechanism includes this.
#ifndef PKM_MECHANISM_COMPILE_IMPL_H
#define PKM_MECHANISM_COMPILE_IMPL_H

#include "mechanism/variant.h"
#include "model/description.h"

/// Is the body, with the rigid bodies that are welded to it, held by two ball joints without
/// clearance and nothing else, and the first of those with a ball? Then it can spin about the line
/// between them; `out` (may be NULL) receives that line.
bool pkm_can_spin(const pkm_description* desc, const pkm_variant* variant, int body,
                  pkm_rod_line* out);

/// Fill mech->q_guess from the guessed poses; `pose` [n_body of the description] is work.
void pkm_guess_coordinates(const pkm_description* desc, pkm_pose* pose, pkm_mechanism* mech);

/// Fill mech->row and mech->column: closures, drives, tool, spins, holds.
void pkm_fill_rows(const pkm_description* desc, const pkm_variant* variant, pkm_mechanism* mech);

/// Fill q_unit and v_unit; after that the weights of all rows.
void pkm_fill_units(pkm_mechanism* mech);
void pkm_fill_weights(pkm_mechanism* mech);

#endif
