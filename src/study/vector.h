/// Columns that are magnitudes of vectors: deviations of several causes add as vectors, not as
/// magnitudes.
#ifndef PKM_STUDY_VECTOR_H
#define PKM_STUDY_VECTOR_H

#include "pkm/types.h"

#include <stdbool.h>

typedef struct pkm_vector_columns {
    char name[3][2 * PKM_MAX_NAME];
} pkm_vector_columns;

/// The columns of the vector whose deviation from the ideal `column` is the magnitude of: P.dp has
/// P.x, P.y, P.z; P.dv has P.vx ...; P.da has P.ax ... False for other columns.
bool pkm_vector_of(const char* column, pkm_vector_columns* out);

#endif
