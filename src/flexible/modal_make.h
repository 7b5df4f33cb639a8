/// A reduced link as the mechanism wants it.
#ifndef PKM_FLEXIBLE_MODAL_MAKE_H
#define PKM_FLEXIBLE_MODAL_MAKE_H

#include "base/memory.h"
#include "flexible/body.h"
#include "mechanism/modal_body.h"

/// Fill `out` from the reduced link, whose arrays it shares; others live in `arena`. `clamped` (may
/// be NULL) is a place from which the modes are seen, where a drive carries the link; its integrals
/// are then put into `integrals`, whose block belongs to the caller.
/// @return PKM_ERR_MEMORY, PKM_ERR_CONVERGENCE.
PKM_NODISCARD pkm_status pkm_modal_make(pkm_arena* arena, const pkm_description* desc,
                                        const pkm_flexible_body* from,
                                        const pkm_flexible_spec* spec, const pkm_vec3* clamped,
                                        pkm_beam_integrals* integrals, pkm_modal_body* out);

#endif
