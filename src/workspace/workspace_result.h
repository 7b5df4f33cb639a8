/// What pkm workspace answers, as a tree of results.
#ifndef PKM_WORKSPACE_WORKSPACE_RESULT_H
#define PKM_WORKSPACE_WORKSPACE_RESULT_H

#include "pkm/workspace.h"
#include "table/result.h"

/// A map that was made.
typedef struct pkm_workspace_work {
    const pkm_workspace_plan* plan;
    pkm_workspace_grid grid;
    const pkm_table* table;
    pkm_workspace_report report;
    bool complete; ///< all points of the grid were looked at
} pkm_workspace_work;

/// Map `work->grid` by `work->plan` into the table, which is the caller's and empty; `complete` and
/// `report` say what there is. @return PKM_ERR_UNREACHABLE: no point of a whole grid is in reach.
PKM_NODISCARD pkm_status pkm_workspace_work_run(pkm_workspace_work* work, pkm_table* table,
                                                pkm_error* err);

/// The tree.
void pkm_workspace_result(const pkm_workspace_work* run, pkm_result* out);

/// "closed form delta, elbows out/out/out", "general engine, from home".
void pkm_workspace_method_name(const pkm_workspace_plan* plan, char* out, size_t size);

/// One axis of the grid: `*from`, `*to` [m] and the number of points.
int pkm_workspace_grid_axis(const pkm_workspace_grid* grid, int axis, double* from, double* to);

#endif
