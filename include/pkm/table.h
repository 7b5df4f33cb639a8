/// Tables: named columns with units, one row per instant or case. Every analysis writes into one.
#ifndef PKM_TABLE_H
#define PKM_TABLE_H

#include "pkm/status.h"
#include "pkm/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pkm_table pkm_table;

/// An empty table, or NULL when memory is out.
PKM_API pkm_table* pkm_table_create(void);
/// Free `table`, which may be NULL.
PKM_API void pkm_table_free(pkm_table* table);

/// Add a column; only while the table has no rows. `name` and `unit` are copied ("" is "no unit").
/// @return its index; PKM_NONE when memory is out, the table has rows or an argument is NULL.
PKM_API int pkm_table_add_column(pkm_table* table, const char* name, const char* unit);

/// Make room for `n_row` rows, so that appending them does not allocate.
/// @return PKM_ERR_ARGUMENT for n_row < 0; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_table_reserve(pkm_table* table, int n_row);

/// Append one row of `n_column` values and return where to write them (zeroed), NULL: memory is
/// out. The pointer is good until the next row is added.
PKM_API double* pkm_table_append(pkm_table* table);

/// Size of the table; 0 for NULL.
PKM_API int pkm_table_n_row(const pkm_table* table);
PKM_API int pkm_table_n_column(const pkm_table* table);

/// Name and unit of a column, lent until the table is freed; NULL when there is no such column.
PKM_API const char* pkm_table_name(const pkm_table* table, int column);
PKM_API const char* pkm_table_unit(const pkm_table* table, int column);

/// Rows beside the others: the instants of peaks that fall between evenly spaced rows, in their
/// order. They are read as rows n_row, n_row + 1, ... and are found by the reductions max, min,
/// absmax and range, so that a peak has one value wherever it is shown.
PKM_API int pkm_table_n_located(const pkm_table* table);

/// One value; NaN when there is no such row or column.
PKM_API double pkm_table_get(const pkm_table* table, int row, int column);

/// The values of a column without copying: that of row i is at p[i * stride], i < n_row. Good until
/// rows are added or the table is freed; NULL for a table without rows and for no such column.
PKM_API const double* pkm_table_column(const pkm_table* table, int column, int* stride);

/// The column called `name`, or PKM_NONE.
PKM_API int pkm_table_find(const pkm_table* table, const char* name);

/// PKM_ERR_ARGUMENT naming row (from 1) and column of the first value that is NaN or infinite.
PKM_API PKM_NODISCARD pkm_status pkm_table_check_finite(const pkm_table* table, pkm_error* err);

/// What a table says of one column in one number.
typedef enum pkm_reduction {
    PKM_REDUCE_MAX,
    PKM_REDUCE_MIN,
    PKM_REDUCE_ABSMAX, ///< largest magnitude
    PKM_REDUCE_START,
    PKM_REDUCE_END,
    PKM_REDUCE_CHANGE, ///< end - start
    PKM_REDUCE_RANGE,  ///< max - min
    PKM_REDUCE_RMS,
} pkm_reduction;

/// Reduce column `column`; `row` (may be NULL) receives the row of the extreme (which
/// may be a located one), PKM_NONE otherwise.
/// NaN for an empty table or a column that is not there.
PKM_API double pkm_table_reduce(const pkm_table* table, int column, pkm_reduction how, int* row);

/// Reduce by words: "max q1.force", "absmax q2.force", "change E.x" ... The words are those of the
/// enum in lower case.
/// @return PKM_ERR_ARGUMENT naming an unknown word or column, or for a table without rows.
PKM_API PKM_NODISCARD pkm_status pkm_table_evaluate(const pkm_table* table, const char* quantity,
                                                    double* value, pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
