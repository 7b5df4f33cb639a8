// Frequencies and stiffness through pkm/modes.h: a run is made of the choice of flexible links, the
// linear model of the run, and what was asked of it.
#include "base/error.h"
#include "linear/linear_result.h"
#include "linear/modes_report.h"
#include "pkm/modes.h"
#include "robot/guard.h"
#include "run/takes.h"

#include <math.h>
#include <string.h>

static pkm_status take_choice(pkm_run* run, const pkm_flexible_choice* choice, pkm_error* err)
{
    const char* const key[] = {"flexible", "hold", "loads"};
    const char* const text[] = {choice->flexible, choice->hold, choice->loads};
    for (int k = 0; k < 3; ++k)
        // the same texts as in run files, with the same messages
        if (text[k]) PKM_TRY(pkm_run_set(run, key[k], text[k], key[k], err));
    run->settings.tool_force = choice->tool_force;
    run->settings.tool_torque = choice->tool_torque;
    run->asked.weight = choice->weight;
    return PKM_OK;
}

/// The run of a task with the choice.
static pkm_status make_run(pkm_robot* robot, pkm_task_kind kind, const pkm_flexible_choice* choice,
                           pkm_run** run, pkm_error* err)
{
    const pkm_flexible_choice none = {0};
    const pkm_flexible_choice* c = choice ? choice : &none;
    const pkm_vec3 f = c->tool_force, t = c->tool_torque;
    if (!isfinite(f.x + f.y + f.z + t.x + t.y + t.z))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "the force on the tool is not finite");
    PKM_TRY(pkm_run_create_for(robot, kind, run, err));
    PKM_TRY(take_choice(*run, c, err));
    return pkm_run_complete_for(*run, kind, err);
}

static pkm_status frequencies(pkm_robot* robot, const pkm_run* run, int n_mode, pkm_table* table,
                              pkm_error* err)
{
    const pkm_elastic_settings settings = pkm_elastic_settings_for(run);
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    PKM_TRY(pkm_modes_at(robot, &settings, n_mode, &elastic, &modes, err));
    const pkm_status status = pkm_modes_report(elastic, modes, table, err);
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
    return status;
}

pkm_status pkm_frequencies_at(pkm_robot* robot, const pkm_flexible_choice* choice, int n_mode,
                              pkm_table* table, pkm_error* err)
{
    if (!robot || !table || n_mode < 1 || pkm_table_n_column(table) > 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "pkm_frequencies_at: expected a robot, an empty table and n_mode > 0");
    PKM_HOLD(robot, err);
    pkm_run* run = NULL;
    pkm_status status = make_run(robot, PKM_TASK_MODES, choice, &run, err);
    if (status == PKM_OK) status = frequencies(robot, run, n_mode, table, err);
    pkm_run_free(run);
    return status;
}

pkm_status pkm_tool_stiffness_at(pkm_robot* robot, const pkm_flexible_choice* choice,
                                 pkm_tool_stiffness* out, pkm_error* err)
{
    if (!robot || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm_tool_stiffness_at: expected a robot");
    PKM_HOLD(robot, err);
    pkm_run* run = NULL;
    pkm_elastic* elastic = NULL;
    pkm_stiffness s = {0};
    pkm_status status = make_run(robot, PKM_TASK_STIFFNESS, choice, &run, err);
    if (status == PKM_OK) {
        const pkm_elastic_settings settings = pkm_elastic_settings_for(run);
        status = pkm_stiffness_here(robot, &settings, &elastic, &s, err);
    }
    if (status == PKM_OK) {
        memcpy(out->compliance, s.C, sizeof s.C);
        memcpy(out->stiffness, s.K, sizeof s.K);
        memcpy(out->deflection, s.deflection, sizeof s.deflection);
        memcpy(out->sag, s.sag, sizeof s.sag);
        out->is_rigid = !s.has_K;
    }
    pkm_elastic_free(elastic);
    pkm_run_free(run);
    return status;
}
