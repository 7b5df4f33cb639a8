/// Tables as text: the one reader of CSV and of plain numbers.
#ifndef PKM_MODEL_TEXT_TABLE_H
#define PKM_MODEL_TEXT_TABLE_H

#include "pkm/table.h"

/// Read `text` into an empty table: fields between commas, semicolons or tabs, or between blanks
/// where a line has none of them. The first line is a heading ("q1.force [N]", or "q1.force (N)")
/// unless it begins with a number; then the columns are c1, c2, ... Blank lines and comments (#)
/// are passed over; `path` is for messages.
/// @return PKM_ERR_SYNTAX with the line, PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_table_parse(const char* text, const char* path, pkm_table* table,
                                         pkm_error* err);

/// Values without a unit are in SI: refuse a column whose name seems to say another one without
/// brackets, "t/ms", "t_ms" or "t in ms". `path` is for the message, or NULL.
PKM_NODISCARD pkm_status pkm_table_require_unit(const pkm_table* table, int column,
                                                const char* path, pkm_error* err);

#endif
