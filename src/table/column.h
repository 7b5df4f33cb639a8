/// Columns with names made of an item and a quantity.
#ifndef PKM_TABLE_COLUMN_H
#define PKM_TABLE_COLUMN_H

#include "pkm/table.h"

#include <stdbool.h>

/// Add the column "item.quantity" (or "quantity" when `item` is ""); false: memory is out.
bool pkm_table_add_item(pkm_table* table, const char* item, const char* quantity, const char* unit);

#endif
