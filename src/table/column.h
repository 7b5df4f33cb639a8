/// Columns with names made of an item and a quantity, and what they are.
#ifndef PKM_TABLE_COLUMN_H
#define PKM_TABLE_COLUMN_H

#include "pkm/table.h"
#include "pkm/types.h"

#include <stdbool.h>
#include <stddef.h>

/// How the largest value of a column is found.
typedef enum pkm_peak_rule {
    PKM_PEAK_AT_ROWS, ///< at the rows of the table
    PKM_PEAK_LOCATED, ///< between them, too, where the analysis can
} pkm_peak_rule;

/// What a column is. The texts live for ever: they are written in the source.
typedef struct pkm_column {
    const char* quantity; ///< the second part of its name
    const char* unit;
    size_t at; ///< where its value stands in the record of an item: offsetof(record, field)
    /// What it is, for axes: "force" is shared by the items that have one; the star in "position of
    /// *" stands for the item, whose components share the axis. NULL: its name has to do.
    const char* title;
    /// Quantities of the same item that it is a small difference of, "x y z"; "1": of something of
    /// the size of its unit; NULL: of nothing.
    const char* of;
    pkm_peak_rule peak;
} pkm_column;

/// Columns that several tables have, with their number: nobody else counts them.
typedef struct pkm_column_list {
    int n;
    const pkm_column* column;
} pkm_column_list;
#define PKM_COLUMN_LIST(array)                                                                     \
    {                                                                                              \
        (int)(sizeof(array) / sizeof(array)[0]), array                                             \
    }

/// A table is laid out by one walk over its items. The walk is done once to add the columns and
/// once per row to write the values: names and values cannot part.
typedef struct pkm_layout {
    pkm_table* table; ///< columns are added to it; NULL: values are written
    double* out;      ///< the next value of the row
    bool failed;      ///< memory is out
} pkm_layout;

/// The `n` columns of `item` ("": of none), or their values in `record`, a structure of doubles
/// that is not looked at while columns are added.
void pkm_layout_put(pkm_layout* to, const char* item, const pkm_column* column, int n,
                    const void* record);
/// The same for a list.
void pkm_layout_put_list(pkm_layout* to, const char* item, const pkm_column_list* list,
                         const void* record);
/// One column that belongs to no item.
void pkm_layout_put_value(pkm_layout* to, const pkm_column* column, double value);

/// One walk over the items of a row: columns are added while `to->table` is there.
typedef void (*pkm_layout_walk)(const void* user, int row, pkm_layout* to);
/// Lay out the empty `table` and fill it with the rows 0, every, 2 every ... below `n`; false:
/// memory is out, or `table` is NULL.
bool pkm_layout_fill(pkm_table* table, int n, int every, pkm_layout_walk walk, const void* user);

/// Write the values of a record into a row of a finished table, by the names of the columns.
void pkm_table_put(const pkm_table* table, double* row, const char* item, const pkm_column* column,
                   int n, const void* record);

/// The column "item.quantity" (or "quantity" when `item` is ""), or PKM_NONE.
int pkm_table_find_item(const pkm_table* table, const char* item, const char* quantity);

/// Add the column "item.quantity" (or "quantity" when `item` is ""); false: memory is out.
bool pkm_table_add_item(pkm_table* table, const char* item, const char* quantity, const char* unit);

/// The values of all rows, row by row, for loops over many: lent until a row is added; NULL without
/// rows.
const double* pkm_table_rows(const pkm_table* table);

/// Add a row of n_column values where a peak was located; false: memory is out.
bool pkm_table_add_located(pkm_table* table, const double* row);

/// What an analysis has integrated between the rows, too: the rms value of a column over time,
/// which pkm_table_reduce then gives instead of that of the rows, and the integrals over time of
/// its positive and its negative part.
void pkm_table_set_rms(pkm_table* table, int column, double rms);
bool pkm_table_has_rms(const pkm_table* table, int column);
/// The rms value of a column over time: what was set, else that of the rows; NaN where these are
/// too few to tell (they miss a located peak by more than a tenth, or half of them would say
/// something else).
double pkm_table_rms(const pkm_table* table, int column);
void pkm_table_set_parts(pkm_table* table, int column, double up, double down);
bool pkm_table_get_parts(const pkm_table* table, int column, double* up, double* down);

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

/// Take away all columns, rows and warnings.
void pkm_table_clear(pkm_table* table);

/// What a column is: see pkm_column; "" where it was not said.
void pkm_table_describe(pkm_table* table, int column, const pkm_column* what);
const char* pkm_table_title(const pkm_table* table, int column);
const char* pkm_table_of(const pkm_table* table, int column);
/// Its largest value is found between the rows, too, where the analysis can.
void pkm_table_locate(pkm_table* table, int column);
pkm_peak_rule pkm_table_peak_rule(const pkm_table* table, int column);

/// A column in words: the quantity, which names an axis, and the item, which names a curve.
/// "q1.force" is the force of q1; "E.x" the x of E; "energy" an item without a quantity, unless its
/// title ends with a star: then the title is its quantity.
typedef struct pkm_column_words {
    char quantity[PKM_MAX_NAME];
    char item[PKM_MAX_NAME];
} pkm_column_words;
pkm_column_words pkm_table_words(const pkm_table* table, int column);

/// The magnitude of what a column is a difference of, else its own: differences far smaller are
/// rounding. NaN for an empty table.
double pkm_table_size(const pkm_table* table, int column);

#endif
