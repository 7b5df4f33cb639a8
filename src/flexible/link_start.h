/// Modes of a link that begin with a deflection or a rate: docs/theory/flexible.md, section 5.
#ifndef PKM_FLEXIBLE_LINK_START_H
#define PKM_FLEXIBLE_LINK_START_H

#include "flexible/body.h"

/// What a modal coordinate begins with, beside its equilibrium.
typedef struct pkm_modal_start {
    int mode;       ///< of the flexible body
    double z, rate; ///< [kg^1/2 m] and per second
} pkm_modal_start;

/// The modes that `spec` names, scaled from displacements of the free link (5.3).
/// @return PKM_ERR_ARGUMENT for modes that are not kept, and for displacements of torsion or
///         rotations of bending; statuses of pkm_link_modes.
PKM_NODISCARD pkm_status pkm_link_start_find(const pkm_description* desc, int body,
                                             const pkm_flexible_spec* spec,
                                             pkm_modal_start out[PKM_FLEXIBLE_MAX_START],
                                             pkm_error* err);

/// 1 where the end of the link that is drawn last moves along positive axes in this mode, by the
/// larger component of its displacement or, without one, its rotation; else -1.
double pkm_link_start_sign(const pkm_flexible_body* body, int mode);

#endif
