// Which analysis makes the table of a case. A closed form takes the place of the engine where it
// serves with the same columns: some ten times as fast.
#include "study/compute.h"

#include "api/rows.h"
#include "clearance/seated.h"
#include "robot/joint_limits.h"
#include "robot/motion_table.h"
#include "study/frequencies.h"
#include "table/column.h"

#include <string.h>

/// A case and what it is made of.
typedef struct job {
    const pkm_study* study;
    int case_id;
    pkm_prepared* prepared;
    const pkm_sim_settings* settings;
} job;

// ---- the rigid robot: no integration ----------------------------------------------------------

/// Does the table of a closed form have every column that the study keeps? It knows the sum of the
/// energies only.
static bool has_columns(const pkm_study* study, const pkm_table* table)
{
    if (study->n_signal > 0) return false; // patterns may mean columns of the engine
    for (int k = 0; k < study->n_output; ++k) {
        const char* name = study->output[k].column;
        if (pkm_table_find(table, name) == PKM_NONE || strncmp(name, "energy.", 7) == 0)
            return false;
    }
    return true;
}

/// Will the closed form of the robot, some ten times as fast, do for this case? It takes no
/// effects, knows no joints but the drives, holds nothing that is idle, and draws nothing.
static bool closed_form_serves(const job* j)
{
    const pkm_robot* robot = j->prepared->robot;
    const pkm_structure* s = &robot->structure;
    return robot->closed && s->n_lock <= s->n_harmless && !j->settings->snapshots &&
           !j->settings->reactions && j->settings->idle != PKM_IDLE_INTEGRATE &&
           !pkm_joint_limits_passive(robot) &&
           pkm_run_require(j->prepared->run, PKM_ANALYSIS_INVERSE_CLOSED, NULL) == PKM_OK;
}

/// By the closed form; false: it does not serve, or has no answer. Then the engine is asked.
static bool compute_closed(const job* j, pkm_table* table, pkm_sim_report* report)
{
    if (!closed_form_serves(j)) return false;
    const pkm_status status =
        pkm_rows_inverse(j->prepared->robot, PKM_METHOD_CLOSED, j->settings, table, report, NULL);
    if (status == PKM_OK && has_columns(j->study, table)) return true;
    pkm_table_clear(table);
    return false;
}

static pkm_status compute_inverse(const job* j, pkm_table* table, pkm_sim_report* report,
                                  pkm_error* err)
{
    if (compute_closed(j, table, report)) return PKM_OK;
    return pkm_rows_inverse(j->prepared->robot, PKM_METHOD_ENGINE, j->settings, table, report, err);
}

static pkm_status inverse_columns(const job* j, pkm_table* table, pkm_error* err)
{
    const pkm_inverse_settings inverse = pkm_rows_inverse_settings(j->settings);
    return pkm_inverse_columns(j->prepared->robot, j->settings->motion, &inverse, table, err);
}

// ---- natural frequencies ----------------------------------------------------------------------

static pkm_status compute_frequencies(const job* j, pkm_table* table, pkm_sim_report* report,
                                      pkm_error* err)
{
    const pkm_settings layers = pkm_study_settings(j->study, j->case_id);
    *report = (pkm_sim_report){.n_done = 1, .ledger = pkm_ledger_unknown()};
    return pkm_study_frequencies(j->study, &layers, j->prepared, table, err);
}

static pkm_status frequency_columns(const job* j, pkm_table* table, pkm_error* err)
{
    const pkm_settings layers = pkm_study_settings(j->study, j->case_id);
    return pkm_study_frequency_columns(j->study, &layers, j->prepared, table, err);
}

static pkm_analysis asks_published(const pkm_run* run)
{
    (void)run;
    return PKM_ANALYSIS_KUO;
}

/// With static forces modes take more than without: pkm_study_frequencies asks again.
static pkm_analysis asks_modes(const pkm_run* run)
{
    (void)run;
    return PKM_ANALYSIS_MODES_WEIGHTED;
}

// ---- simulation -------------------------------------------------------------------------------

/// True when all joints with clearance of the run are to be seated.
static bool is_seated(const pkm_run* run)
{
    return pkm_analysis_of(PKM_TASK_SIMULATE, run) == PKM_ANALYSIS_SEATED;
}

static pkm_status compute_simulation(const job* j, pkm_table* table, pkm_sim_report* report,
                                     pkm_error* err)
{
    return pkm_rows_simulate(j->prepared->robot, &j->prepared->run->effects, j->settings, table,
                             report, NULL, err);
}

static pkm_status simulation_columns(const job* j, pkm_table* table, pkm_error* err)
{
    const pkm_effects* effects = &j->prepared->run->effects;
    if (is_seated(j->prepared->run))
        return pkm_seated_columns(j->prepared->robot, j->settings, effects->clearance,
                                  effects->n_clearance, table, err);
    return pkm_simulate_columns(j->prepared->robot, j->settings, table, err);
}

// ---- the table of analyses --------------------------------------------------------------------

/// What a study can ask of every case; a further analysis is a line here.
static const struct {
    pkm_task_kind task;
    pkm_analysis (*asks)(const pkm_run* run); ///< what takes or refuses effects; NULL: by the task
    pkm_status (*columns)(const job* j, pkm_table* table, pkm_error* err);
    pkm_status (*compute)(const job* j, pkm_table* table, pkm_sim_report* report, pkm_error* err);
} analysis[] = {
    [PKM_STUDY_SIMULATE] = {PKM_TASK_SIMULATE, NULL, simulation_columns, compute_simulation},
    [PKM_STUDY_INVERSE] = {PKM_TASK_INVERSE, NULL, inverse_columns, compute_inverse},
    [PKM_STUDY_ELASTODYNAMICS] = {PKM_TASK_ELASTODYNAMICS, asks_published, frequency_columns,
                                  compute_frequencies},
    [PKM_STUDY_MODES] = {PKM_TASK_MODES, asks_modes, frequency_columns, compute_frequencies},
};

const char* const pkm_study_analysis_name[] = {[PKM_STUDY_SIMULATE] = "simulate",
                                               [PKM_STUDY_INVERSE] = "inverse",
                                               [PKM_STUDY_ELASTODYNAMICS] = "elastodynamics",
                                               [PKM_STUDY_MODES] = "modes",
                                               NULL};

pkm_analysis pkm_study_asks(const pkm_study* study, const pkm_run* run)
{
    return analysis[study->analysis].asks ? analysis[study->analysis].asks(run)
                                          : pkm_analysis_of(analysis[study->analysis].task, run);
}

pkm_status pkm_study_compute(const pkm_study* study, int case_id, pkm_prepared* prepared,
                             const pkm_sim_settings* settings, pkm_table* table,
                             pkm_sim_report* report, pkm_error* err)
{
    const job j = {study, case_id, prepared, settings};
    return analysis[study->analysis].compute(&j, table, report, err);
}

pkm_status pkm_study_columns(const pkm_study* study, int case_id, pkm_prepared* prepared,
                             pkm_table* table, pkm_error* err)
{
    pkm_sim_settings settings = prepared->run->settings;
    settings.n_instant = 2;
    const job j = {study, case_id, prepared, &settings};
    return analysis[study->analysis].columns(&j, table, err);
}
