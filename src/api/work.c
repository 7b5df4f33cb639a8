// What every call of pkm/answer.h does first and last: make the run for the task, free it, and hand
// over the answer or the error.
#include "api/work.h"

#include "base/error.h"
#include "math/quat.h"
#include "robot/guard.h"
#include "robot/instant.h"

pkm_status pkm_work_begin(pkm_task_kind kind, pkm_robot* robot, const pkm_run* run,
                          pkm_answer** out, pkm_work* work, pkm_error* err)
{
    *work = (pkm_work){.robot = robot};
    if (out) *out = NULL;
    if (!robot || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: a robot or `out` is NULL", pkm_task_name(kind));
    PKM_TRY(pkm_robot_hold(robot, err));
    work->held = robot;
    PKM_TRY(pkm_run_repeat(run, robot, kind, &work->run, err));
    PKM_TRY(pkm_run_complete_for(work->run, kind, err));
    work->answer = pkm_answer_create(kind);
    return work->answer ? PKM_OK : pkm_out_of_memory(err);
}

pkm_status pkm_work_end(pkm_work* work, pkm_status status, pkm_answer** out, pkm_error* err)
{
    pkm_run_free(work->run);
    pkm_robot_release(&work->held);
    return pkm_answer_finish(work->answer, status, out, err);
}

pkm_status pkm_work_go(const pkm_work* work, pkm_error* err)
{
    const pkm_asked* t = &work->run->asked;
    pkm_robot_go_home(work->robot);
    if (!t->has_at) return PKM_OK;
    pkm_target target = {.tool.pose = {{t->at[0], t->at[1], t->at[2]}, work->robot->tool_home.q}};
    if (t->has_rpy)
        target.tool.pose.q = pkm_quat_from_rpy((pkm_vec3){t->at[3], t->at[4], t->at[5]});
    return pkm_go_to_target(work->robot, PKM_GIVEN_TOOL, &target, "at", err);
}

pkm_status pkm_work_interrupted(const pkm_work* work, double t, pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_INTERRUPTED, "%s: stopped at t = %.6g s",
                    pkm_task_name(work->answer->kind), t);
}
