/// How far a run is from the converged one.
#ifndef PKM_BENCH_TOOL_ERROR_H
#define PKM_BENCH_TOOL_ERROR_H

#include "bench.h"
#include "pkm/table.h"

#include <math.h>
#include <stdio.h>

/// Largest distance of the tool in `table` from `exact`, which has the same rows [m].
static inline double bench_tool_error(const pkm_table* table, const pkm_table* exact,
                                      const char* tool)
{
    double most = 0.0;
    for (int i = 0; i < pkm_table_n_row(exact); ++i) {
        double sum = 0.0;
        for (char axis = 'x'; axis <= 'z'; ++axis) {
            char name[40];
            snprintf(name, sizeof name, "%s.%c", tool, axis);
            const double d = pkm_table_get(table, i, pkm_table_find(table, name)) -
                             pkm_table_get(exact, i, pkm_table_find(exact, name));
            sum += d * d;
        }
        most = bench_larger(most, sqrt(sum), 0.0);
    }
    return most;
}

#endif
