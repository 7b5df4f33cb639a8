/// A table as comma-separated values.
#ifndef PKM_OUTPUT_CSV_H
#define PKM_OUTPUT_CSV_H

#include "pkm/status.h"
#include "result/table.h"

/// Write `table` to `path`: one line of names with units, `t [s],q1.q [m],ratio`, then one line per
/// row. Numbers carry the fewest digits that read back as the same double. Names with commas,
/// quotes or line ends are quoted. The file appears only when it is complete.
///
/// @return PKM_ERR_ARGUMENT for a NaN or an infinity, naming row and column, and for a table
///         without columns; PKM_ERR_FILE with the reason; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_csv_write(const pkm_table* table, const char* path, pkm_error* err);

#endif
