// Frequencies and stiffness through pkm/modes.h: a run is made of the choice of flexible links, the
// linear model of the run, and what was asked of it.
#include "base/error.h"
#include "flexible/link.h"
#include "linear/modes_report.h"
#include "linear/stiffness.h"
#include "pkm/modes.h"
#include "robot/guard.h"
#include "run/takes.h"

#include <math.h>
#include <string.h>

pkm_status pkm_run_flexible_all(pkm_run* run, pkm_error* err)
{
    const pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    const pkm_description* desc = run->robot->desc;
    bool is_any = false;
    for (int k = 1; k < desc->n_body; ++k)
        is_any = is_any || pkm_flexible_possible(desc, k, &spec);
    return is_any ? pkm_run_set(run, "flexible", "'*': {}", "--flexible", err) : PKM_OK;
}

static pkm_status take_choice(pkm_run* run, const pkm_flexible_choice* choice, pkm_error* err)
{
    const char* const key[] = {"flexible", "hold", "loads"};
    const char* const text[] = {choice->flexible, choice->hold, choice->loads};
    for (int k = 0; k < 3; ++k)
        // the same texts as in run files, with the same messages
        if (text[k]) PKM_TRY(pkm_run_set(run, key[k], text[k], key[k], err));
    return choice->flexible ? PKM_OK : pkm_run_flexible_all(run, err);
}

/// A run with the choice, and the elastic model where the robot stands.
static pkm_status make_elastic(pkm_robot* robot, const pkm_flexible_choice* choice,
                               pkm_analysis plain, pkm_analysis weighted, pkm_run** run,
                               pkm_elastic** elastic, pkm_error* err)
{
    const pkm_flexible_choice none = {0};
    const pkm_flexible_choice* c = choice ? choice : &none;
    const pkm_vec3 f = c->tool_force, t = c->tool_torque;
    if (!isfinite(f.x + f.y + f.z + t.x + t.y + t.z))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "the force on the tool is not finite");
    PKM_TRY(pkm_run_create(robot, run, err));
    PKM_TRY(take_choice(*run, c, err));
    (*run)->settings.tool_force = f;
    (*run)->settings.tool_torque = t;
    // what the analysis cannot take is refused
    PKM_TRY(pkm_run_require(*run, c->weight ? weighted : plain, err));
    pkm_elastic_settings settings = {
        .effects = &(*run)->effects, .is_weighted = c->weight, .tool_force = f, .tool_torque = t};
    memcpy(settings.drive, (*run)->hold, sizeof settings.drive);
    PKM_TRY(pkm_elastic_create(robot, &settings, elastic, err));
    return pkm_elastic_place(*elastic, robot->state, err);
}

pkm_status pkm_frequencies_at(pkm_robot* robot, const pkm_flexible_choice* choice, int n_mode,
                              pkm_table* table, pkm_error* err)
{
    if (!robot || !table || n_mode < 1 || pkm_table_n_column(table) > 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "pkm_frequencies_at: expected a robot, an empty table and n_mode > 0");
    PKM_HOLD(robot, err);
    pkm_run* run = NULL;
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    pkm_status status = make_elastic(robot, choice, PKM_ANALYSIS_MODES, PKM_ANALYSIS_MODES_WEIGHTED,
                                     &run, &elastic, err);
    if (status == PKM_OK && pkm_modes_create(elastic, n_mode, &modes) != PKM_OK)
        status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = pkm_modes_solve(elastic, modes, err);
    if (status == PKM_OK) status = pkm_modes_report(elastic, modes, table, err);
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
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
    pkm_status status = make_elastic(robot, choice, PKM_ANALYSIS_STIFFNESS,
                                     PKM_ANALYSIS_STIFFNESS_WEIGHTED, &run, &elastic, err);
    if (status == PKM_OK)
        status = pkm_stiffness_at(elastic, pkm_elastic_settings_of(elastic)->tool_force,
                                  pkm_elastic_settings_of(elastic)->tool_torque, &s, err);
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
