/// The inside of variants, shared by run_variant.c and run_variant_pieces.c.
#ifndef PKM_ROBOT_RUN_VARIANT_IMPL_H
#define PKM_ROBOT_RUN_VARIANT_IMPL_H

#include "robot/run_variant.h"

/// The description in which the pieces of links are bodies of their own, welded to each other: put
/// to made->variant.desc, unless no link is in pieces. The bodies are told their indices in it.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_run_variant_split(pkm_run_variant* made, const pkm_description* desc);

/// The description in which massless bodies that clearance sets free have the mass of their shapes:
/// `*out`, that of the robot where there are none. The bodies are listed in `made`.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_run_variant_weigh(pkm_run_variant* made, pkm_description* desc,
                                               const pkm_effects* effects, pkm_description** out);

#endif
