// Columns as data: a line of a record's array gives name, unit and place of a value, and one walk
// makes the columns and fills the rows. Nobody counts positions.
#include "table/column.h"

#include "base/error.h"
#include "pkm/types.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct column_name {
    char text[2 * PKM_MAX_NAME];
} column_name;

/// The name of a column: "item.quantity", or the quantity alone.
static column_name join(const char* item, const char* quantity)
{
    column_name out;
    snprintf(out.text, sizeof out.text, "%s%s%s", item, *item ? "." : "", quantity);
    return out;
}

bool pkm_table_add_item(pkm_table* table, const char* item, const char* quantity, const char* unit)
{
    return pkm_table_add_column(table, join(item, quantity).text, unit) != PKM_NONE;
}

int pkm_table_find_item(const pkm_table* table, const char* item, const char* quantity)
{
    return pkm_table_find(table, join(item, quantity).text);
}

static double value_of(const pkm_column* column, const void* record)
{
    double value;
    // offsetof tells bytes; a cast would not know how they are aligned
    memcpy(&value, (const char*)record + column->at, sizeof value);
    return value;
}

static void add_columns(pkm_layout* to, const char* item, const pkm_column* column, int n)
{
    for (int k = 0; k < n && !to->failed; ++k) {
        to->failed = !pkm_table_add_item(to->table, item, column[k].quantity, column[k].unit);
        pkm_table_describe(to->table, pkm_table_n_column(to->table) - 1, &column[k]);
    }
}

void pkm_layout_put(pkm_layout* to, const char* item, const pkm_column* column, int n,
                    const void* record)
{
    if (to->table) {
        add_columns(to, item, column, n);
        return;
    }
    PKM_ASSERT(n == 0 || (to->out && record));
    for (int k = 0; k < n; ++k)
        *to->out++ = value_of(&column[k], record);
}

void pkm_layout_put_list(pkm_layout* to, const char* item, const pkm_column_list* list,
                         const void* record)
{
    pkm_layout_put(to, item, list->column, list->n, record);
}

void pkm_layout_put_value(pkm_layout* to, const pkm_column* column, double value)
{
    pkm_layout_put(to, "", column, 1, &value);
}

bool pkm_layout_fill(pkm_table* table, int n, int every, pkm_layout_walk walk, const void* user)
{
    pkm_layout columns = {.table = table};
    if (table) walk(user, 0, &columns);
    bool is_there = table && !columns.failed;
    for (int i = 0; i < n && is_there; i += every) {
        double* row = pkm_table_append(table);
        is_there = row != NULL;
        if (is_there) walk(user, i, &(pkm_layout){.out = row});
    }
    return is_there;
}

void pkm_table_put(const pkm_table* table, double* row, const char* item, const pkm_column* column,
                   int n, const void* record)
{
    for (int k = 0; k < n; ++k) {
        const int c = pkm_table_find_item(table, item, column[k].quantity);
        if (c != PKM_NONE) row[c] = value_of(&column[k], record);
    }
}

/// Largest magnitude of the column "item.quantity"; 0 when there is none.
static double size_of(const pkm_table* table, const char* item, size_t item_length,
                      const char* quantity, size_t length)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%.*s.%.*s", (int)item_length, item, (int)length, quantity);
    const int column = pkm_table_find(table, name);
    return column == PKM_NONE ? 0.0 : pkm_table_reduce(table, column, PKM_REDUCE_ABSMAX, NULL);
}

double pkm_table_size(const pkm_table* table, int column)
{
    const char *of = pkm_table_of(table, column), *name = pkm_table_name(table, column);
    const char* dot = name ? strrchr(name, '.') : NULL;
    double size = pkm_table_reduce(table, column, PKM_REDUCE_ABSMAX, NULL);
    // a small difference of something of size 1, an angle
    if (strcmp(of, "1") == 0) return fmax(size, 1.0);
    for (of += strspn(of, " "); *of && dot; of += strspn(of, " ")) {
        const size_t length = strcspn(of, " ");
        size = fmax(size, size_of(table, name, (size_t)(dot - name), of, length));
        of += length;
    }
    return size;
}
