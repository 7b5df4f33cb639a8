/// Writers: a table in, a file out. A file appears only when it is complete, so a failed write
/// leaves nothing half-written.
#ifndef PKM_OUTPUT_H
#define PKM_OUTPUT_H

#include "pkm/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Write `table` to `path` as comma-separated values: one line of names with units,
/// `t [s],q1.q [m],ratio`, then one line per row. Numbers carry the fewest digits that read back as
/// the same double. Names with commas, quotes or line ends are quoted.
///
/// @return PKM_ERR_ARGUMENT for a NaN or an infinity, naming row and column, for a table without
///         columns, for NULL; PKM_ERR_FILE with the reason; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_csv_write(const pkm_table* table, const char* path,
                                               pkm_error* err);

/// A text kept beside the table, for example {"manifest", "{...}"}.
typedef struct pkm_hdf5_attribute {
    const char* name;
    const char* text; ///< UTF-8
} pkm_hdf5_attribute;

/// Write `table` to `path` as HDF5: group /table with one dataset of doubles per column under the
/// column's name, each with the attribute "unit"; the group's attribute "columns" lists the names
/// in order. The `n_attribute` texts become attributes of the root. The file is built in a child
/// process, by libhdf5, which is loaded on first use: where it is not installed this is
/// PKM_ERR_FILE.
///
/// @return PKM_ERR_ARGUMENT for a NaN or an infinity, for a table without columns, for two columns
///         of one name, for NULL; PKM_ERR_FILE with the reason; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_hdf5_write(const pkm_table* table, const char* path,
                                                const pkm_hdf5_attribute* attribute,
                                                int n_attribute, pkm_error* err);

/// Plot `column[0 ... n_column-1]` of `table` over `x_column` as SVG: columns with the same unit
/// and the same quantity (q1.force, q2.force) share a panel. Radians are shown as degrees, and
/// lengths and forces with the SI prefix that fits. Curves are thinned to what the page can show
/// (extremes are kept), so a file stays small for any number of rows. `title` may be NULL.
///
/// @return PKM_ERR_ARGUMENT for a column that is not there, for more panels than fit, for NULL;
///         PKM_ERR_FILE with the reason; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_plot_table(const pkm_table* table, int x_column,
                                                const int* column, int n_column, const char* title,
                                                const char* path, pkm_error* err);

/// A published value of a table's column, in the unit of the column.
typedef struct pkm_table_level {
    int column;
    double value;
    const char* label;
} pkm_table_level;

/// The same with published values as dashed lines.
PKM_API PKM_NODISCARD pkm_status pkm_plot_table_levels(const pkm_table* table, int x_column,
                                                       const int* column, int n_column,
                                                       const pkm_table_level* level, int n_level,
                                                       const char* title, const char* path,
                                                       pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
