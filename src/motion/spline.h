/// Interpolating quintic splines: through every sample, continuous to the fourth derivative.
#ifndef PKM_MOTION_SPLINE_H
#define PKM_MOTION_SPLINE_H

#include "pkm/status.h"

#include <stdbool.h>
#include <stddef.h>

/// Splines of several columns on the same knots. The caller owns the memory of both arrays.
typedef struct pkm_spline {
    int n_knot, n_column;
    const double* t; ///< [n_knot], increasing
    /// Per column 3 n_knot values: y at the knots, then y', y'' at each knot in turn.
    double* data;
} pkm_spline;

/// Value and derivatives 1 to 4.
typedef struct pkm_spline_point {
    double d[5];
} pkm_spline_point;

/// Find the derivatives at the knots. On entry `data` has y at the knots and y', y'' at the first
/// and the last knot (which stay: clamped ends); on return all of it. Allocates work memory and
/// frees it.
/// @return PKM_ERR_MEMORY; PKM_ERR_SINGULAR when knots are too close for double precision.
PKM_NODISCARD pkm_status pkm_spline_fit(pkm_spline* spline);

/// Set y', y'' at the first and the last knot from the polynomials through the (up to) six samples
/// next to them, for data that do not rest at their ends.
void pkm_spline_estimate_ends(pkm_spline* spline);

/// Column `column` at `t`, which is taken into [t[0], t[n_knot - 1]].
void pkm_spline_at(const pkm_spline* spline, int column, double t, pkm_spline_point* out);

#endif
