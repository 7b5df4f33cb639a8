/// The database of a study: one SQLite file, written by one process, one commit per finished case.
/// Its tables are those of docs/reference/study-file.md.
#ifndef PKM_STUDY_STORE_H
#define PKM_STUDY_STORE_H

#include "pkm/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct pkm_store pkm_store;

/// A new database at `path`, where no file is, with all its tables.
/// @return PKM_ERR_FILE with file and reason.
PKM_NODISCARD pkm_status pkm_store_create(const char* path, pkm_store** out, pkm_error* err);

/// The database at `path` as it was left, also after a killed process.
/// @return PKM_ERR_FILE for a file that is missing, of another kind, or in use by another study.
PKM_NODISCARD pkm_status pkm_store_open(const char* path, pkm_store** out, pkm_error* err);

/// The database at `path` to read from: also one that cannot be written, that a study is writing
/// just now (then as it is at this moment), or whose writer was killed.
PKM_NODISCARD pkm_status pkm_store_read(const char* path, pkm_store** out, pkm_error* err);

/// Empty a database that is open: all tables anew.
PKM_NODISCARD pkm_status pkm_store_clear(pkm_store* store, pkm_error* err);

/// Remove a database that cannot be opened, when its first bytes say that it is one of ours.
/// @return PKM_ERR_FILE: it is not, or cannot be removed.
PKM_NODISCARD pkm_status pkm_store_remove_damaged(const char* path, pkm_error* err);

/// Close; what was not committed is gone. `store` may be NULL.
void pkm_store_free(pkm_store* store);

/// Everything between begin and commit stays or goes together.
PKM_NODISCARD pkm_status pkm_store_begin(pkm_store* store, pkm_error* err);
PKM_NODISCARD pkm_status pkm_store_commit(pkm_store* store, pkm_error* err);
void pkm_store_roll_back(pkm_store* store);

/// One value for a `?` of a statement, or of a row.
typedef enum pkm_cell_kind {
    PKM_CELL_NULL,
    PKM_CELL_INTEGER,
    PKM_CELL_NUMBER, ///< NaN is stored as NULL
    PKM_CELL_TEXT,
    PKM_CELL_BYTES,
} pkm_cell_kind;

typedef struct pkm_cell {
    pkm_cell_kind kind;
    long long integer;
    double number;
    const void* bytes; ///< text is terminated
    size_t size;
} pkm_cell;

pkm_cell pkm_cell_integer(long long value);
pkm_cell pkm_cell_number(double value);
pkm_cell pkm_cell_text(const char* text); ///< NULL for NULL
/// The text of a cell, "" for one of another kind.
const char* pkm_cell_get_text(const pkm_cell* cell);
pkm_cell pkm_cell_numbers(const double* value, int n);

/// Run one statement; its `?` take the `n` cells in order.
PKM_NODISCARD pkm_status pkm_store_run(pkm_store* store, const char* sql, const pkm_cell* cell,
                                       int n, pkm_error* err);

/// Take a row of a query: `cell` lasts for the call only. False ends the query.
typedef bool (*pkm_store_row)(void* user, const pkm_cell* cell, int n);

/// Run a query and give each row to `row`.
PKM_NODISCARD pkm_status pkm_store_query(pkm_store* store, const char* sql, const pkm_cell* cell,
                                         int n, pkm_store_row row, void* user, pkm_error* err);

/// A text of the table `about`, copied; "" when there is none.
PKM_NODISCARD pkm_status pkm_store_get_about(pkm_store* store, const char* key, char* out,
                                             size_t size, pkm_error* err);
PKM_NODISCARD pkm_status pkm_store_put_about(pkm_store* store, const char* key, const char* value,
                                             pkm_error* err);

#endif
