/// Modes as a table.
#ifndef PKM_LINEAR_MODES_REPORT_H
#define PKM_LINEAR_MODES_REPORT_H

#include "linear/modes.h"
#include "pkm/table.h"

/// Share of a kind of strain over all links in mode k.
double pkm_modes_share(const pkm_modes* modes, int k, int kind);

/// One row per mode; the columns of pkm_frequencies_at (pkm/modes.h). @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_modes_report(const pkm_elastic* elastic, const pkm_modes* modes,
                                          pkm_table* table, pkm_error* err);

#endif
