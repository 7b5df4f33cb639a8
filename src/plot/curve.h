/// A curve on its way to the page: thinned to what a reader can see.
#ifndef PKM_PLOT_CURVE_H
#define PKM_PLOT_CURVE_H

#include "write/stream.h"

#include <stdbool.h>

/// Points arrive one by one. The run of points in one column of pixels is written as first,
/// lowest, highest and last, so that peaks survive: at most four points per pixel.
typedef struct pkm_curve {
    pkm_stream* stream; ///< borrowed
    bool has_begun;     ///< a polyline is open
    int n;              ///< points in the run
    int when_top, when_bottom;
    double column; ///< of the run
    double first[2], last[2], top[2], bottom[2];
} pkm_curve;

pkm_curve pkm_curve_make(pkm_stream* stream);
/// The next point of the line, on the page [pt].
void pkm_curve_add(pkm_curve* curve, const double at[2]);
/// End the line; the next point begins another one.
void pkm_curve_end(pkm_curve* curve);

#endif
