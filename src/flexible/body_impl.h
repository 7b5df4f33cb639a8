/// The inside of flexible bodies, shared by body.c and body_imported.c.
#ifndef PKM_FLEXIBLE_BODY_IMPL_H
#define PKM_FLEXIBLE_BODY_IMPL_H

#include "flexible/body.h"

/// A body in one block with room for the counts of `counts`, zeroed otherwise; NULL: memory is out.
pkm_flexible_body* pkm_flexible_body_alloc(const pkm_flexible_body* counts);

/// A body made by another program, spec->outside. Statuses as pkm_flexible_body_create.
PKM_NODISCARD pkm_status pkm_flexible_body_imported(const pkm_description* desc,
                                                    const pkm_flexible_spec* spec,
                                                    pkm_flexible_body** out, pkm_error* err);

#endif
