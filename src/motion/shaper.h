/// Input shapers: a motion that leaves no vibration of known frequency behind.
#ifndef PKM_MOTION_SHAPER_H
#define PKM_MOTION_SHAPER_H

#include "pkm/motion.h"

enum { PKM_MAX_IMPULSE = 64 };

/// The motion is made several times, later and smaller each time (docs/theory/motion.md, 5):
/// x(t) = sum of share x0(t - at). n = 0: as it is.
typedef struct pkm_shaper {
    int n;
    double at[PKM_MAX_IMPULSE];    ///< [s], ascending within each mode; at[0] = 0
    double share[PKM_MAX_IMPULSE]; ///< sum 1
    double tail;                   ///< the last of them [s]
} pkm_shaper;

/// The shaper that `spec` asks for. `name` begins the error sentence.
/// @return PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_shaper_make(const pkm_motion_spec* spec, const char* name,
                                         pkm_shaper* out, pkm_error* err);

#endif
