#include "table/column.h"

#include "pkm/types.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool pkm_table_add_item(pkm_table* table, const char* item, const char* quantity, const char* unit)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s%s%s", item, *item ? "." : "", quantity);
    return pkm_table_add_column(table, name, unit) != PKM_NONE;
}

bool pkm_table_add_columns(pkm_table* table, const char* item, const pkm_column* column, int n)
{
    for (int k = 0; k < n; ++k) {
        if (!pkm_table_add_item(table, item, column[k].quantity, column[k].unit)) return false;
        pkm_table_describe(table, pkm_table_n_column(table) - 1, column[k].meaning, column[k].of);
    }
    return true;
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
    if (strcmp(of, "1") == 0) return fmax(size, 1.0);
    for (of += strspn(of, " "); *of && dot; of += strspn(of, " ")) {
        const size_t length = strcspn(of, " ");
        size = fmax(size, size_of(table, name, (size_t)(dot - name), of, length));
        of += length;
    }
    return size;
}
