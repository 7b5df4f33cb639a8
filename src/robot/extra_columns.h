/// Columns that a run asks for beside those of every run: angular rates of bodies, coordinates and
/// rates of joints, and expressions of other columns.
#ifndef PKM_ROBOT_EXTRA_COLUMNS_H
#define PKM_ROBOT_EXTRA_COLUMNS_H

#include "robot/variant.h"
#include "table/column.h"

/// One wish: columns by name or pattern, or a new column by an expression.
typedef struct pkm_column_wish {
    const char* name;    ///< name or pattern; of an expression the name of its column
    const char* formula; ///< "=hypot(A.vx, A.vy)"; NULL: a pattern
} pkm_column_wish;

typedef struct pkm_column_request {
    int n;
    pkm_column_wish* wish;
} pkm_column_request;

typedef struct pkm_extra_columns pkm_extra_columns;

/// Find what `request` asks for and add it behind the columns of `table`, where there are some:
///
///     body    .wx .wy .wz .alx .aly .alz .omega .alpha    world axes
///     joint   .q .v                                       of one freedom
///             .rx .ry .rz .wx .wy .wz                     of others: turn of side b, in axes of a
///
/// (of the tool's body under the tool's name, too). Expressions know the columns before them, t,
/// and the parameters of the robot. `request` NULL or empty: `*out` is NULL.
/// @return PKM_ERR_ARGUMENT for a pattern without columns or a faulty expression; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_extra_columns_create(const pkm_machine* of,
                                                  const pkm_column_request* request,
                                                  pkm_table* table, pkm_extra_columns** out,
                                                  pkm_error* err);
void pkm_extra_columns_free(pkm_extra_columns* extra);

/// Add the same columns to another table with the same columns before them; false: memory is out.
bool pkm_extra_columns_repeat(const pkm_extra_columns* extra, pkm_table* table);

/// Write their values at `state`, whose accelerations are known, into a row whose other values are
/// there. `extra` may be NULL.
void pkm_extra_columns_put(const pkm_extra_columns* extra, const pkm_state* state, double* row);

#endif
