// Of a run of points that share a column of pixels only the first, the last and the extremes are
// written: a million rows and their peaks look as all of them would.
#include "plot/curve.h"

#include <math.h>
#include <string.h>

static const double pixel = 0.4; // [pt], 180 per inch

pkm_curve pkm_curve_make(pkm_stream* stream)
{
    return (pkm_curve){.stream = stream};
}

static void put_point(pkm_curve* curve, const double at[2])
{
    pkm_stream_text(curve->stream, curve->has_begun ? " " : "<polyline points=\"");
    pkm_stream_format(curve->stream, "%.2f,%.2f", at[0], at[1]);
    curve->has_begun = true;
}

/// Write the extreme that came `when`-th, unless it is the first or last point of the run anyway.
static void put_extreme(pkm_curve* curve, const double at[2], int when)
{
    if (when > 0 && when < curve->n - 1) put_point(curve, at);
}

static void end_run(pkm_curve* curve)
{
    if (curve->n == 0) return;
    put_point(curve, curve->first);
    // in the order in which they came, or the line would fold back
    if (curve->when_top < curve->when_bottom) {
        put_extreme(curve, curve->top, curve->when_top);
        put_extreme(curve, curve->bottom, curve->when_bottom);
    } else {
        put_extreme(curve, curve->bottom, curve->when_bottom);
        put_extreme(curve, curve->top, curve->when_top);
    }
    if (curve->n > 1) put_point(curve, curve->last);
    curve->n = 0;
}

static void begin_run(pkm_curve* curve, const double at[2], double column)
{
    memcpy(curve->first, at, sizeof curve->first);
    memcpy(curve->top, at, sizeof curve->top);
    memcpy(curve->bottom, at, sizeof curve->bottom);
    curve->when_top = curve->when_bottom = 0;
    curve->column = column;
}

void pkm_curve_add(pkm_curve* curve, const double at[2])
{
    const double column = floor(at[0] / pixel);
    // of a column of pixels first, highest, lowest and last point draw what all of them would: 10
    // 000 rows cost as much as a few hundred
    if (curve->n > 0 && column != curve->column) end_run(curve);
    if (curve->n == 0) begin_run(curve, at, column);
    if (at[1] < curve->top[1]) {
        memcpy(curve->top, at, sizeof curve->top);
        curve->when_top = curve->n;
    }
    if (at[1] > curve->bottom[1]) {
        memcpy(curve->bottom, at, sizeof curve->bottom);
        curve->when_bottom = curve->n;
    }
    memcpy(curve->last, at, sizeof curve->last);
    curve->n++;
}

void pkm_curve_end(pkm_curve* curve)
{
    end_run(curve);
    if (curve->has_begun) pkm_stream_text(curve->stream, "\"/>\n");
    curve->has_begun = false;
}
