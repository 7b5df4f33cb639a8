/// Which joints of a link hold it, for Euler's load and for damping, and what hangs on the others:
/// docs/theory/flexible.md, sections 6 and 7.
#ifndef PKM_FLEXIBLE_HELD_H
#define PKM_FLEXIBLE_HELD_H

#include "flexible/link.h"

/// Fill `is_held`, `is_clamped`, `hangs` of the link's joint frames. Where no joint leads to the
/// ground, as in a robot that floats, those hold that lead back to the link. @return
/// PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_flexible_mark_held(const pkm_description* desc,
                                                pkm_flexible_link* link);

#endif
