/// Texts in CSV files: quoted, and harmless in a spreadsheet.
#ifndef PKM_WRITE_CSV_H
#define PKM_WRITE_CSV_H

#include "write/stream.h"

/// One text as a field: in quotes where a reader would split it, and with an apostrophe in front
/// where a spreadsheet would take it for a formula (`=`, `+`, `-`, `@` at the start of what is no
/// number). NULL is empty.
void pkm_csv_text(pkm_stream* stream, const char* text);

/// `name [unit]` as a field; "" or NULL: no unit.
void pkm_csv_heading(pkm_stream* stream, const char* name, const char* unit);

#endif
