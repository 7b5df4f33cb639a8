/// Tables of runs read back, with what the runs said of their columns and peaks.
#ifndef PKM_VERB_RUN_TABLE_H
#define PKM_VERB_RUN_TABLE_H

#include "base/memory.h"
#include "pkm/table.h"

enum { VERB_RUN_NAME = 96 };

typedef struct pkm_verb_run_table {
    char name[VERB_RUN_NAME]; ///< of the run: its folder or file, for legends
    pkm_table* table;         ///< with located rows where the folder has them
    pkm_arena* arena;         ///< texts of the table
} pkm_verb_run_table;

/// Read the folder of a run (table.csv, peaks.csv, titles of columns from manifest.json) or any
/// table.
/// @return statuses of pkm_table_read; PKM_ERR_FILE for a folder without a table.
PKM_NODISCARD pkm_status pkm_verb_run_table_read(const char* path, pkm_verb_run_table* out,
                                                 pkm_error* err);
void pkm_verb_run_table_free(pkm_verb_run_table* run);

#endif
