/// How large a set of grid points is, by the border located between them.
#ifndef PKM_WORKSPACE_WORKSPACE_SIZE_H
#define PKM_WORKSPACE_WORKSPACE_SIZE_H

#include <stdbool.h>

/// A set on a grid, x running fastest. All is borrowed.
typedef struct pkm_size_field {
    int n[3];                    ///< points along x, y, z
    double h[3];                 ///< their spacing [m]
    const unsigned char* inside; ///< [n_point] 1: belongs to the set, 0: does not, 2: not known
    const double* edge; ///< [3 per point] where the border is on the way to the next point, 0 to 1
    double edge_error;  ///< how well that is known, of the spacing
} pkm_size_field;

/// Length, area or volume of the set [m^dimension], and an estimate of its error: what grids of
/// two and three times the spacing change (docs/theory/workspace.md, (4) and (5)). A set on a
/// single point has the size 0.
void pkm_size_measure(const pkm_size_field* field, double* size, double* error);

#endif
