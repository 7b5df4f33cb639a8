/// Columns with names made of an item and a quantity, and what they are.
#ifndef PKM_TABLE_COLUMN_H
#define PKM_TABLE_COLUMN_H

#include "pkm/table.h"

#include <stdbool.h>

/// What a column is. Texts of `meaning` and `of` live for ever: they are written in the source.
typedef struct pkm_column {
    const char* quantity; ///< the second part of its name
    const char* unit;
    const char* meaning; ///< for titles of axes; NULL: its name has to do
    /// Quantities of the same item that it is a small difference of, "x y z"; "1": of something of
    /// the size of its unit; NULL: of nothing.
    const char* of;
} pkm_column;

/// Add the column "item.quantity" (or "quantity" when `item` is ""); false: memory is out.
bool pkm_table_add_item(pkm_table* table, const char* item, const char* quantity, const char* unit);
/// The same for `n` columns of one item, with what they are.
bool pkm_table_add_columns(pkm_table* table, const char* item, const pkm_column* column, int n);

/// Add a row of n_column values where a peak was located; false: memory is out.
bool pkm_table_add_located(pkm_table* table, const double* row);

/// A table of the located rows alone; NULL: memory is out.
pkm_table* pkm_table_copy_located(const pkm_table* table);

/// All rows in the order of their first column, located ones between the others: for curves that
/// reach their peaks.
typedef struct pkm_table_walk {
    const pkm_table* table;
    int row, located;
} pkm_table_walk;

void pkm_table_walk_begin(pkm_table_walk* walk, const pkm_table* table);
/// The next row; PKM_NONE behind the last.
int pkm_table_walk_next(pkm_table_walk* walk);

/// What a column is: see pkm_column. "" when it was not said.
void pkm_table_describe(pkm_table* table, int column, const char* meaning, const char* of);
const char* pkm_table_meaning(const pkm_table* table, int column);
const char* pkm_table_of(const pkm_table* table, int column);

/// The magnitude of what a column is a difference of, else its own: differences far smaller are
/// rounding. NaN for an empty table.
double pkm_table_size(const pkm_table* table, int column);

#endif
