/// Contour lines of values on a grid.
#ifndef PKM_PLOT_CONTOUR_H
#define PKM_PLOT_CONTOUR_H

#include "pkm/status.h"

#include <stdbool.h>

/// One line: `n` points from `first` on in the list of points.
typedef struct pkm_contour_line {
    int first, n;
    bool closed; ///< the last point repeats the first
} pkm_contour_line;

/// All lines of one level. Coordinates count grid steps: (0, 0) is the first node.
typedef struct pkm_contour {
    double* point; ///< x, y, x, y ...
    int n_point;
    pkm_contour_line* line;
    int n_line;
} pkm_contour;

/// The lines where the values on an `n_x` by `n_y` grid, `value[i + n_x * j]`, cross `level`, by
/// marching squares with linear interpolation along the edges; saddles are decided by the mean of
/// the four corners. Cells with a NaN corner have no line.
/// @return PKM_ERR_MEMORY, then `*out` is NULL. Free with pkm_contour_free.
PKM_NODISCARD pkm_status pkm_contour_create(const double* value, int n_x, int n_y, double level,
                                            pkm_contour** out);
/// The same where the crossings are known better than by interpolation: crossing[2 * node] between
/// a node and the one to its right, crossing[2 * node + 1] between it and the one above, 0 at the
/// node to 1 at the other; NaN: interpolate.
PKM_NODISCARD pkm_status pkm_contour_create_at(const double* value, int n_x, int n_y, double level,
                                               const double* crossing, pkm_contour** out);
void pkm_contour_free(pkm_contour* contour);

#endif
