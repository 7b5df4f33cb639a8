/// Exact Euclidean distances on a grid.
#ifndef PKM_WORKSPACE_DISTANCE_H
#define PKM_WORKSPACE_DISTANCE_H

#include "pkm/status.h"

/// For every point of a grid of n[0] x n[1] x n[2] points with the spacings h [m], the distance [m]
/// to the nearest marked point. On entry `field` (x runs fastest) is 0 at marked points and
/// INFINITY elsewhere; on return it has the distances, INFINITY everywhere if nothing was marked.
/// Linear time (Felzenszwalb and Huttenlocher, 2012). Allocates work memory for one line.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_distance_transform(double* field, const int n[3], const double h[3]);

#endif
