/// Reading tables back: the CSV and HDF5 files that runs write, and plain CSV of others.
#ifndef PKM_WRITE_TABLE_READER_H
#define PKM_WRITE_TABLE_READER_H

#include "pkm/table.h"

/// Read the table in `path`, by its ending .h5 or .hdf5 (see pkm_hdf5_write), else as text: numbers
/// separated by commas, semicolons or tabs, one row per line, behind a line of names `q1.force [N]`
/// when there is one. Lines that begin with # are passed over.
/// @return PKM_ERR_FILE; PKM_ERR_SYNTAX with the line; PKM_ERR_MEMORY. `out` is then NULL.
PKM_NODISCARD pkm_status pkm_table_read(const char* path, pkm_table** out, pkm_error* err);

#endif
