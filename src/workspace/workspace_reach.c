// Which points of a grid are in reach: by closed forms asked one by one and remembered, by the
// engine flooded at once.
#include "workspace/workspace_reach.h"

#include "base/error.h"
#include "base/memory.h"
#include "robot/robot.h"
#include "workspace/workspace_engine.h"

/// What is known of a point.
enum { KNOWN = 1, REACHABLE = 2, IN_LIMITS = 4 };

struct pkm_workspace_reach {
    pkm_workspace_grid grid;
    pkm_workspace_closed closed;
    double lower[PKM_MAX_DRIVE], upper[PKM_MAX_DRIVE];
    unsigned char* at; ///< [n_point] a sum of the above
};

static unsigned char state_of(const pkm_workspace_sample* sample)
{
    return (unsigned char)(KNOWN + (sample->reachable ? REACHABLE : 0) +
                           (sample->in_limits ? IN_LIMITS : 0));
}

static pkm_status ask_engine(const pkm_workspace_plan* plan, pkm_workspace_reach* reach,
                             int n_point, pkm_error* err)
{
    pkm_workspace_engine* engine = NULL;
    PKM_TRY(
        pkm_workspace_engine_create(plan->robot, &reach->grid, plan->orientation, &engine, err));
    const pkm_status status = pkm_workspace_engine_run_reach(engine, err);
    for (int k = 0; status == PKM_OK && k < n_point; ++k) {
        bool in_limits;
        const bool reachable = pkm_workspace_engine_has(engine, k, &in_limits);
        reach->at[k] =
            state_of(&(pkm_workspace_sample){.reachable = reachable, .in_limits = in_limits});
    }
    pkm_workspace_engine_free(engine);
    return status;
}

pkm_status pkm_workspace_reach_create(const pkm_workspace_plan* plan,
                                      const pkm_workspace_grid* grid, pkm_workspace_reach** out,
                                      pkm_error* err)
{
    *out = NULL;
    PKM_TRY(pkm_workspace_plan_check(plan, grid, err));
    const int n_point = grid->n[0] * grid->n[1] * grid->n[2];
    pkm_workspace_reach* reach = pkm_alloc(1, sizeof *reach);
    if (reach) reach->at = pkm_alloc((size_t)n_point, sizeof *reach->at);
    if (!reach || !reach->at) {
        pkm_workspace_reach_free(reach);
        return pkm_fail(err, PKM_ERR_MEMORY, "workspace: out of memory");
    }
    reach->grid = *grid;
    pkm_status status = PKM_OK;
    if (plan->method == PKM_METHOD_CLOSED)
        pkm_workspace_plan_closed(plan, &reach->closed, reach->lower, reach->upper);
    else
        status = ask_engine(plan, reach, n_point, err);
    if (status == PKM_OK)
        *out = reach;
    else
        pkm_workspace_reach_free(reach);
    return status;
}

void pkm_workspace_reach_free(pkm_workspace_reach* reach)
{
    if (!reach) return;
    pkm_free(reach->at);
    pkm_free(reach);
}

bool pkm_workspace_reach_has(pkm_workspace_reach* reach, int index, bool limits)
{
    unsigned char* at = &reach->at[index];
    if (!*at) {
        const pkm_vec3 position = pkm_workspace_grid_point(&reach->grid, index);
        pkm_workspace_sample sample = {0};
        pkm_workspace_reach_closed(&reach->closed, &position, &sample);
        *at = state_of(&sample);
    }
    return *at & (limits ? IN_LIMITS : REACHABLE);
}
