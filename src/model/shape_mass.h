/// What the shapes of a body weigh.
#ifndef PKM_MODEL_SHAPE_MASS_H
#define PKM_MODEL_SHAPE_MASS_H

#include "model/description.h"
#include "model/mass.h"

/// Mass, centre and inertia of one shape; a shape without a density counts with 1 kg/m3.
pkm_mass pkm_shape_mass(const pkm_desc_shape* shape);

/// The same of all own shapes of a body together, payloads left out; no mass where there are none.
pkm_mass pkm_shapes_mass(const pkm_desc_body* body);

/// Have all own shapes of the body a density, so that their mass is one? False without shapes.
bool pkm_shapes_have_density(const pkm_desc_body* body);

#endif
