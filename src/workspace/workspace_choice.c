// Grids that nobody chose: around all that the legs or drives can reach, with equal steps.
#include "workspace/workspace_choice.h"

#include "base/error.h"
#include "math/quat.h"
#include "robot/robot.h"

enum { ALL_AXES = 7, VOLUME_POINTS = 61 };

pkm_status pkm_workspace_choose_grid(const pkm_workspace_plan* plan,
                                     const pkm_workspace_choice* choice, pkm_workspace_grid* out,
                                     pkm_error* err)
{
    unsigned axes = pkm_workspace_plan_axes(plan);
    pkm_vec3 through = pkm_robot_tool_home(plan->robot).p;
    double* const coordinate[] = {&through.x, &through.y, &through.z};
    if (choice->slice != PKM_NONE) {
        if (!(axes >> choice->slice & 1u))
            return pkm_fail(err, PKM_ERR_ARGUMENT, "slice: the tool point does not move along %c",
                            'x' + choice->slice);
        *coordinate[choice->slice] = choice->slice_at;
        axes &= ~(1u << choice->slice);
    } else if (axes == ALL_AXES && !choice->volume) {
        axes = 3u;
    }
    int n = choice->n_point;
    if (n == 0) n = axes == ALL_AXES ? VOLUME_POINTS : choice->n_plane;
    if (axes != 0u) return pkm_workspace_plan_grid(plan, axes, through, n, out, err);
    *out = (pkm_workspace_grid){through, through, {1, 1, 1}}; // a slice of a line
    return PKM_OK;
}

pkm_status pkm_workspace_choose_plan(pkm_robot* robot, const pkm_asked* asked,
                                     pkm_workspace_plan* out, pkm_error* err)
{
    const double* o = asked->orientation;
    PKM_TRY(pkm_workspace_plan_make(robot, out, err));
    // the branch is one of the closed form, so the method comes first
    if (asked->has_method) PKM_TRY(pkm_workspace_plan_set_method(out, asked->method, err));
    if (asked->branch > 0) PKM_TRY(pkm_workspace_plan_set_branch(out, asked->branch, err));
    if (!asked->has_orientation) return PKM_OK;
    return pkm_workspace_plan_set_orientation(out, pkm_quat_from_rpy((pkm_vec3){o[0], o[1], o[2]}),
                                              err);
}
