/// Where a model of small deflections ends, in words.
#ifndef PKM_ANALYSIS_BEND_WARNING_H
#define PKM_ANALYSIS_BEND_WARNING_H

#include "analysis/simulation.h"

enum { PKM_MAX_BEND_WARNING = 3 };

/// The k-th warning of a run, in `out`; false: there are no more.
bool pkm_bend_warning(const pkm_bend_limits* limits, int k, char* out, size_t size);

#endif
