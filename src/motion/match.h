/// Durations that leave no vibration of a known frequency behind.
#ifndef PKM_MOTION_MATCH_H
#define PKM_MOTION_MATCH_H

#include "pkm/motion.h"

/// The smallest factor >= 1 of its times at which the vibration of the angular frequency `omega`
/// [rad/s] behind the motion has a minimum (docs/theory/motion.md, (29)): zero for motions whose
/// coordinates run one law, since these are symmetric about their middle.
/// @return PKM_ERR_ARGUMENT for a motion that does not move; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_motion_match(const pkm_motion* motion, double omega, double* stretch);

#endif
