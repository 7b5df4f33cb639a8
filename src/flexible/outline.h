/// The shapes of a body as a beam sees them: bars with a centre line, and lumps.
#ifndef PKM_FLEXIBLE_OUTLINE_H
#define PKM_FLEXIBLE_OUTLINE_H

#include "flexible/spec.h"
#include "model/description.h"
#include "model/mass.h"

/// A straight piece that bends.
typedef struct pkm_flexible_bar {
    pkm_vec3 from, to; ///< ends of the centre line in body axes [m]
    pkm_vec3 y;        ///< y axis of the section
    pkm_beam_section section;
    pkm_beam_material material;
    int shape; ///< index in the body
} pkm_flexible_bar;

typedef struct pkm_flexible_outline {
    int n_bar, n_lump;
    pkm_flexible_bar* bar;
    pkm_mass* lump; ///< shapes that are no bars, with their density
} pkm_flexible_outline;

/// Sort the shapes of `body`: rods, tubes, cylinders and boxes longer than they are wide are bars,
/// all others are lumps, and so are rigid ends.
/// @return PKM_ERR_MODEL for no bar, a bar without material, a section that is not positive.
PKM_NODISCARD pkm_status pkm_flexible_outline_create(const pkm_description* desc, int body,
                                                     const pkm_flexible_spec* spec,
                                                     pkm_flexible_outline* out, pkm_error* err);
void pkm_flexible_outline_free(pkm_flexible_outline* outline);

#endif
