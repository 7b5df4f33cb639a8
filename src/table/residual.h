/// What is left of a motion after it stops: how long a signal takes to settle, and how it rings.
#ifndef PKM_TABLE_RESIDUAL_H
#define PKM_TABLE_RESIDUAL_H

#include "pkm/status.h"

typedef struct pkm_residual {
    double final;     ///< what it settles to: the mean of the last tenth after the stop
    double swing;     ///< largest |y - final| after the stop
    double band;      ///< within which it counts as settled
    double settling;  ///< time from the stop on, after which it stays in the band [s]; NaN: it does
                      ///< not within the record
    double rms;       ///< of y - final after the stop
    double frequency; ///< dominant after the stop [Hz]; NaN: none
    double damping;   ///< ratio, from the decay of the peaks; NaN: fewer than three of them
} pkm_residual;

/// Of y[n] at the evenly spaced times t[n], from `stop` on. The band is `share` of the swing, or
/// `width` when that is above 0.
/// @return PKM_ERR_ARGUMENT with fewer than 8 samples after the stop; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_residual_find(const double* t, const double* y, int n, double stop,
                                           double share, double width, pkm_residual* out,
                                           pkm_error* err);

#endif
