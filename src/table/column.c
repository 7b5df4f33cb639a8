#include "table/column.h"

#include "pkm/types.h"

#include <stdio.h>

bool pkm_table_add_item(pkm_table* table, const char* item, const char* quantity, const char* unit)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s%s%s", item, *item ? "." : "", quantity);
    return pkm_table_add_column(table, name, unit) != PKM_NONE;
}
