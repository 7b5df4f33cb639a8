/// A table as an HDF5 file.
#ifndef PKM_OUTPUT_HDF5_H
#define PKM_OUTPUT_HDF5_H

#include "pkm/status.h"
#include "result/table.h"

/// A text kept beside the table, for example {"manifest", "{...}"}.
typedef struct pkm_hdf5_attribute {
    const char* name;
    const char* text; ///< UTF-8
} pkm_hdf5_attribute;

/// Write `table` to `path`: group /table with one dataset of doubles per column under the column's
/// name, each with the attribute "unit"; the group's attribute "columns" lists the names in order.
/// The `n_attribute` texts become attributes of the root. The file is built in memory and appears
/// only when it is complete. HDF5 prints nothing; its own error handler is left as it was.
///
/// @return PKM_ERR_ARGUMENT for a NaN or an infinity, for a table without columns, or for two
///         columns of one name; PKM_ERR_FILE with the reason; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_hdf5_write(const pkm_table* table, const char* path,
                                        const pkm_hdf5_attribute* attribute, int n_attribute,
                                        pkm_error* err);

#endif
