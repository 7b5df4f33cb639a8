/// Mean squares over time of the columns of a table whose peaks are located, from the samples that
/// an analysis takes for them (docs/theory/engine.md, 4.8): rms values do not hang on the number of
/// rows. Other quantities of the same samples are integrated beside them.
#ifndef PKM_ROBOT_COLUMN_SUMS_H
#define PKM_ROBOT_COLUMN_SUMS_H

#include "pkm/table.h"

typedef struct pkm_column_sums pkm_column_sums;

/// Of the columns that `table` has now, with the integrals of `n_other` quantities and of the two
/// parts of `n_part` more (robot/sums.h). NULL: memory is out.
pkm_column_sums* pkm_column_sums_create(const pkm_table* table, int n_other, int n_part);
void pkm_column_sums_free(pkm_column_sums* sums);

/// The next sample in the order of time, the first column [s]: other[n_other], part[n_part].
void pkm_column_sums_sample(pkm_column_sums* sums, const double* row, const double* other,
                            const double* part);
/// What follows does not continue smoothly what was before. Also asked for before reading.
void pkm_column_sums_break(pkm_column_sums* sums);
/// The rms values to their columns.
void pkm_column_sums_put(const pkm_column_sums* sums, pkm_table* table);

/// Integral of other quantity k, and those of the positive and the negative part of quantity k.
double pkm_column_sums_get(const pkm_column_sums* sums, int k);
void pkm_column_sums_get_parts(const pkm_column_sums* sums, int k, double* up, double* down);

#endif
