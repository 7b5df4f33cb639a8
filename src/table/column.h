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

/// What a column is: see pkm_column. "" when it was not said.
void pkm_table_describe(pkm_table* table, int column, const char* meaning, const char* of);
const char* pkm_table_meaning(const pkm_table* table, int column);
const char* pkm_table_of(const pkm_table* table, int column);

/// The magnitude of what a column is a difference of, else its own: differences far smaller are
/// rounding. NaN for an empty table.
double pkm_table_size(const pkm_table* table, int column);

#endif
