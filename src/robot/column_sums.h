/// Mean squares over time of the columns of a table whose peaks are located, from the samples that
/// an analysis takes for them (docs/theory/engine.md, 4.8): rms values do not hang on the number of
/// rows.
#ifndef PKM_ROBOT_COLUMN_SUMS_H
#define PKM_ROBOT_COLUMN_SUMS_H

#include "pkm/table.h"

typedef struct pkm_column_sums pkm_column_sums;

/// Of the columns that `table` has now. NULL: memory is out.
pkm_column_sums* pkm_column_sums_create(const pkm_table* table);
void pkm_column_sums_free(pkm_column_sums* sums);

/// The next sample in the order of time, the first column [s].
void pkm_column_sums_sample(pkm_column_sums* sums, const double* row);
/// What follows does not continue smoothly what was before. Also asked for before putting.
void pkm_column_sums_break(pkm_column_sums* sums);
/// The rms values to their columns.
void pkm_column_sums_put(const pkm_column_sums* sums, pkm_table* table);

#endif
