/// Durations that leave no vibration of a known frequency behind.
#ifndef PKM_MOTION_MATCH_H
#define PKM_MOTION_MATCH_H

#include "pkm/motion.h"

/// A motion that takes longer than it was written.
typedef struct pkm_match {
    double stretch;  ///< factor of its times, >= 1
    double residual; ///< vibration behind it over that of a step of its largest coordinate change
} pkm_match;

/// The smallest factor >= 1 at which the vibration of the angular frequency `omega` [rad/s] behind
/// the motion has a minimum (docs/theory/motion.md, (29)): zero for motions whose coordinates run
/// one law, since these are symmetric about their middle.
/// @return PKM_ERR_ARGUMENT for a motion that does not move; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_motion_match(const pkm_motion* motion, double omega, pkm_match* out);

#endif
