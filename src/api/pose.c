/// Analyses at a pose and over a grid: modes, stiffness, envelope, workspace.
#include "api/work.h"

#include "base/error.h"
#include "clearance/envelope_result.h"
#include "linear/linear_result.h"
#include "linear/modes_report.h"
#include "math/quat.h"
#include "workspace/workspace_choice.h"
#include "workspace/workspace_result.h"

#include <math.h>

// ---- flexible links about a pose --------------------------------------------------------------

static pkm_status modes(const pkm_work* work, pkm_error* err)
{
    const int n = work->run->asked.n_mode > 0 ? work->run->asked.n_mode : PKM_MODES_WANTED;
    const pkm_elastic_settings settings = pkm_elastic_settings_for(work->run);
    pkm_elastic* elastic = NULL;
    pkm_modes* found = NULL;
    pkm_table* table = pkm_answer_add_table(work->answer, "modes");
    if (!table) return pkm_out_of_memory(err);
    PKM_TRY(pkm_work_go(work, err));
    PKM_TRY(pkm_modes_at(work->robot, &settings, n, &elastic, &found, err));
    const pkm_status status = pkm_modes_report(elastic, found, table, err);
    pkm_modes_result(work->robot, &settings, elastic, found, work->answer->tree);
    pkm_modes_free(found);
    pkm_elastic_free(elastic);
    return status;
}

pkm_status pkm_run_modes(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_MODES, robot, run, out, &work, err);
    if (status == PKM_OK) status = modes(&work, err);
    return pkm_work_end(&work, status, out, err);
}

static void add_matrix(pkm_answer* to, const char* name, const double* A, const char* shift_unit,
                       const char* turn_unit)
{
    pkm_table* table = pkm_answer_add_table(to, name);
    if (table && !pkm_stiffness_table(A, "", shift_unit, turn_unit, table)) to->is_short = true;
}

static pkm_status stiffness(const pkm_work* work, pkm_elastic** elastic, pkm_error* err)
{
    const pkm_elastic_settings settings = pkm_elastic_settings_for(work->run);
    pkm_stiffness s = {0};
    PKM_TRY(pkm_work_go(work, err));
    PKM_TRY(pkm_stiffness_here(work->robot, &settings, elastic, &s, err));
    add_matrix(work->answer, "compliance", s.C, "1/N", "1/(N m)");
    if (s.has_K) add_matrix(work->answer, "stiffness", s.K, "N/m", "N/rad");
    pkm_stiffness_result(work->robot, &settings, *elastic, &s, work->answer->tree);
    return PKM_OK;
}

pkm_status pkm_run_stiffness(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_elastic* elastic = NULL;
    pkm_status status = pkm_work_begin(PKM_TASK_STIFFNESS, robot, run, out, &work, err);
    if (status == PKM_OK) status = stiffness(&work, &elastic, err);
    pkm_elastic_free(elastic);
    return pkm_work_end(&work, status, out, err);
}

// ---- envelope ---------------------------------------------------------------------------------

static pkm_status envelope(pkm_work* work, pkm_envelope_work* env, pkm_error* err)
{
    PKM_TRY(pkm_envelope_work_begin(env, work->run, err));
    env->table = pkm_answer_add_table(work->answer, "rows");
    if (!env->table) return pkm_out_of_memory(err);
    if (!env->along_motion) PKM_TRY(pkm_work_go(work, err));
    const pkm_status status = pkm_envelope_work_run(env, work->run, err);
    if (pkm_table_n_row(env->table) > 0) pkm_envelope_result(env, work->answer->tree);
    if (status != PKM_OK || !env->report.interrupted) return status;
    return pkm_work_interrupted(work, env->report.t_end, err);
}

pkm_status pkm_run_envelope(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_ENVELOPE, robot, run, out, &work, err);
    pkm_envelope_work env = {.robot = robot, .wall_time = NAN};
    if (status == PKM_OK) status = envelope(&work, &env, err);
    pkm_envelope_work_free(&env);
    return pkm_work_end(&work, status, out, err);
}

// ---- workspace --------------------------------------------------------------------------------

/// The grid that was asked for: as written, a slice, all of it, or the slice through home.
static pkm_status make_grid(const pkm_asked* t, const pkm_workspace_plan* plan,
                            pkm_workspace_grid* out, pkm_error* err)
{
    const pkm_workspace_choice choice = {.slice = t->slice > 0 ? t->slice - 1 : PKM_NONE,
                                         .slice_at = t->slice_at,
                                         .volume = t->volume,
                                         .n_point = t->n_point,
                                         .n_plane = PKM_WORKSPACE_PLANE_POINTS};
    if (t->has_grid + (t->slice > 0) + t->volume > 1)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "workspace: expected one of grid, slice, volume");
    *out = t->grid;
    return t->has_grid ? PKM_OK : pkm_workspace_choose_grid(plan, &choice, out, err);
}

static pkm_status workspace(pkm_work* work, pkm_error* err)
{
    pkm_workspace_plan plan;
    pkm_workspace_work map = {.plan = &plan};
    const pkm_run* run = work->run;
    pkm_robot_go_home(work->robot);
    PKM_TRY(pkm_workspace_choose_plan(work->robot, &run->asked, &plan, err));
    PKM_TRY(make_grid(&run->asked, &plan, &map.grid, err));
    plan.progress = run->progress;
    plan.user = run->user;
    pkm_table* table = pkm_answer_add_table(work->answer, "points");
    if (!table) return pkm_out_of_memory(err);
    const pkm_status status = pkm_workspace_work_run(&map, table, err);
    if (map.report.n_point > 0) pkm_workspace_result(&map, work->answer->tree);
    if (status != PKM_OK || map.complete) return status;
    return pkm_fail(err, PKM_ERR_INTERRUPTED, "workspace: stopped after %d points",
                    map.report.n_point);
}

pkm_status pkm_run_workspace(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_WORKSPACE, robot, run, out, &work, err);
    if (status == PKM_OK) status = workspace(&work, err);
    return pkm_work_end(&work, status, out, err);
}
