/// A flexible body made by another program: stiffness, mass and damping over the coordinates of its
/// interface frames and, behind these, of anything inside (modes, nodes).
///
/// Coordinates of a frame: displacement x y z [m] and small rotation rx ry rz [rad] of that point
/// of the body, in body axes. The body is free: K lets it move as a whole. Format of the files:
/// docs/reference/run-file.md, theory: docs/theory/modes.md, section 1.
#ifndef PKM_FLEXIBLE_IMPORTED_H
#define PKM_FLEXIBLE_IMPORTED_H

#include "flexible/spec.h"
#include "model/description.h"

typedef struct pkm_flexible_imported {
    int body; ///< of the description
    int n;    ///< coordinates, six per frame and those inside
    int n_frame;
    int* marker;       ///< [n_frame] points of the body
    double *K, *M, *D; ///< n x n, column-major, symmetric; D may be NULL: no damping
    double* rigid; ///< n x 6: the body moved by 1 along and turned by 1 about x, y, z of its axes
} pkm_flexible_imported;

/// Read the file `path` for the body `body`: HDF5 when it ends with .h5 or .hdf5, else text. All of
/// it lives in `arena`.
///
/// @return PKM_ERR_FILE; PKM_ERR_MODEL naming file and fault: unknown points, sizes that do not
/// fit,
///         matrices that are not symmetric or not positive, a body that is held, a mass that is not
///         that of the body; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_flexible_imported_read(const char* path, const pkm_description* desc,
                                                    int body, pkm_arena* arena,
                                                    pkm_flexible_imported** out, pkm_error* err);

/// Interface frame nearest to a place of the body [m, body axes].
int pkm_flexible_imported_frame(const pkm_flexible_imported* outside, const pkm_description* desc,
                                pkm_vec3 place);

#endif
