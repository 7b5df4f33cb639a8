// A case from its settings to bytes that another process can send: prepare, compute, measure, and
// repeat where ranges or error bars are asked for. Failures are results, too, with their reason.
#include "study/case.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pattern.h"
#include "flexible/link_readings.h"
#include "model/source.h"
#include "robot/snapshots.h"
#include "study/compute.h"
#include "study/vector.h"
#include "table/column.h"
#include "write/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- one run ----------------------------------------------------------------------------------

/// A case on its way.
typedef struct job {
    const pkm_study* study;
    int case_id;
    pkm_prepared prepared;
    pkm_case_tick tick;
    void* user;
    bool is_ended; ///< by the tick
} job;

/// The scheduler hears of the case and may end it.
static bool tick(void* user, double fraction)
{
    job* j = user;
    (void)fraction;
    if (j->tick && !j->tick(j->user)) j->is_ended = true;
    return !j->is_ended;
}

/// The analysis of the study, with settings that may be those of a repetition.
static pkm_status compute(job* j, const pkm_sim_settings* settings, pkm_table* table,
                          pkm_sim_report* report, pkm_error* err)
{
    pkm_sim_settings s = *settings;
    s.progress = tick;
    s.user = j;
    return pkm_study_compute(j->study, j->case_id, &j->prepared, &s, table, report, err);
}

/// Without computing a row: for checks of what outputs name.
pkm_status pkm_case_columns(const pkm_study* study, int id, pkm_table* table, pkm_error* err)
{
    pkm_prepared prepared;
    const pkm_settings settings = pkm_study_settings(study, id);
    pkm_status status = pkm_study_prepare(study, &settings, &prepared, err);
    if (status == PKM_OK) status = pkm_study_columns(study, id, &prepared, table, err);
    pkm_prepared_free(&prepared);
    return status;
}

// ---- what is kept -----------------------------------------------------------------------------

static void add_ledger(pkm_case_result* out, const char* name, double value)
{
    if (isnan(value) || out->n_ledger == PKM_MAX_LEDGER) return; // unknown: no entry
    pkm_case_ledger* entry = &out->ledger[out->n_ledger++];
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->value = value;
}

static void keep_report(pkm_case_result* out, const pkm_sim_settings* s, const pkm_sim_report* r)
{
    const pkm_ledger* l = &r->ledger;
    out->t_end = r->t_end;
    out->steps = r->steps;
    // of what was integrated the tolerance and method that were used, else those chosen
    const bool was_stepped = r->tolerance > 0.0; // or ended before, or nothing is integrated
    out->tolerance = was_stepped ? r->tolerance : s->tolerance;
    snprintf(out->integrator, sizeof out->integrator, "%s",
             pkm_integrator_name[was_stepped ? r->integrator : s->integrator]);
    const pkm_ledger_term* term;
    for (int i = 0; (term = pkm_ledger_term_at(i)); ++i)
        add_ledger(out, term->name, pkm_ledger_get(l, term));
    add_ledger(out, "residual", l->residual);
    add_ledger(out, "exchanged", l->exchanged);
}

/// Notes are one text in the database, parted by semicolons.
static void add_note(pkm_case_result* out, const char* text)
{
    const size_t used = strlen(out->notes);
    snprintf(out->notes + used, sizeof out->notes - used, "%s%s", used > 0 ? "; " : "", text);
}

static void keep_warnings(pkm_case_result* out, const pkm_warnings* warnings)
{
    for (int k = 0; k < warnings->n; ++k)
        add_note(out, warnings->item[k].text);
    if (warnings->lost == 0) return;
    char more[60];
    snprintf(more, sizeof more, "%d more warnings found no room", warnings->lost);
    add_note(out, more);
}

static const char REPEATED[] = "repeated for its error bars";

/// Links that are rigid in this case do not bend: their tables have no column for it.
static bool is_of_rigid_link(const job* j, const char* column)
{
    const pkm_description* desc = j->prepared.robot->desc;
    for (int b = 0; b < desc->n_body; ++b)
        if (pkm_deflection_is_displacement(desc->body[b].name, column)) return true;
    return false;
}

/// Output k of a table; NaN where it has no such column.
static pkm_status measure(const job* j, const pkm_table* table, int k, double* value, double* t,
                          pkm_error* err)
{
    const pkm_study_output* output = &j->study->output[k];
    const int column = pkm_table_find(table, output->column);
    *value = *t = NAN;
    if (column == PKM_NONE) {
        if (is_of_rigid_link(j, output->column)) *value = pkm_measure_of_nothing(output->measure);
        return PKM_OK;
    }
    return pkm_measure_column(table, column, output->measure, value, t, err);
}

static pkm_status keep_values(const job* j, const pkm_table* table, pkm_case_result* out,
                              pkm_error* err)
{
    for (int k = 0; k < j->study->n_output; ++k) {
        pkm_case_value* v = &out->value[k];
        *v = (pkm_case_value){.spread = pkm_spread_none()};
        PKM_TRY(measure(j, table, k, &v->value, &v->t, err));
        // what the value is small against: differences below it are rounding
        v->size = pkm_table_size(table, pkm_table_find(table, j->study->output[k].column));
    }
    return PKM_OK;
}

/// Large sweeps are about their values: 13 kB of signals for each case are more than pages draw.
static bool keeps_only_named(const pkm_study* study)
{
    return study->is_sweep && study->n_case > PKM_STUDY_MAX_SIGNALS;
}

/// Signals that the study names, columns of outputs, and all three parts of those that are vectors,
/// which coupled deviations need.
static bool is_kept(const pkm_study* study, const char* name)
{
    for (int i = 0; i < study->n_signal; ++i)
        if (pkm_pattern_matches(study->signal[i], name)) return true;
    if (keeps_only_named(study)) return false;
    for (int k = 0; k < study->n_output; ++k) {
        pkm_vector_columns parts;
        if (strcmp(study->output[k].column, name) == 0) return true;
        if (study->is_sweep || !pkm_vector_of(study->output[k].column, &parts)) continue;
        for (int i = 0; i < 3; ++i)
            if (strcmp(parts.name[i], name) == 0) return true;
    }
    return false;
}

static pkm_status keep_signals(const pkm_study* study, const pkm_table* table, pkm_case_result* out)
{
    const int n_row = pkm_table_n_row(table), n_column = pkm_table_n_column(table);
    if (keeps_only_named(study) && study->n_signal == 0) return PKM_OK;
    out->signals = pkm_table_create();
    int* kept = pkm_alloc((size_t)n_column, sizeof *kept);
    bool is_good = out->signals && kept;
    int n = 0;
    for (int c = 0; c < n_column && is_good; ++c) {
        const char* name = pkm_table_name(table, c);
        // column 0 is the time
        if (c > 0 && !is_kept(study, name)) continue;
        kept[n++] = c;
        is_good = pkm_table_add_column(out->signals, name, pkm_table_unit(table, c)) != PKM_NONE;
    }
    for (int r = 0; r < n_row && is_good; ++r) {
        double* row = pkm_table_append(out->signals);
        is_good = row != NULL;
        for (int i = 0; i < n && is_good; ++i)
            row[i] = pkm_table_get(table, r, kept[i]);
    }
    pkm_free(kept);
    return is_good ? PKM_OK : PKM_ERR_MEMORY;
}

// ---- for drawing ------------------------------------------------------------------------------

/// Snapshotss of the case, in studies of few cases. Not having them is no fault.
static void begin_snapshots(const job* j, pkm_sim_settings* s)
{
    const int n_body = j->prepared.robot->desc->n_body;
    if (j->study->n_case > PKM_STUDY_MAX_SNAPSHOTS) return;
    s->snapshots = pkm_snapshots_create(n_body, s->n_instant, PKM_STUDY_MAX_FRAME);
    if (j->study->analysis == PKM_STUDY_SIMULATE)
        s->ideal_snapshots = pkm_snapshots_create(n_body, s->n_instant, PKM_STUDY_MAX_FRAME);
}

static void keep_snapshots(const job* j, const pkm_sim_settings* s, pkm_case_result* out)
{
    const pkm_scene scene = {
        .desc = j->prepared.robot->desc, .snapshots = s->snapshots, .ideal = s->ideal_snapshots};
    for (int k = 0; k < 3 && s->snapshots; ++k)
        out->scene[k] = pkm_scene_text(&scene, (pkm_scene_part)k);
}

// ---- failures ---------------------------------------------------------------------------------

static void keep_reason(pkm_case_result* out, const pkm_error* err)
{
    out->is_done = false;
    if (err->line > 0)
        snprintf(out->reason, sizeof out->reason, "%s:%d:%d: %s", err->file, err->line, err->column,
                 err->text);
    else
        snprintf(out->reason, sizeof out->reason, "%s", err->text);
}

static void keep_early_end(pkm_case_result* out, const pkm_sim_report* r)
{
    out->is_done = false;
    snprintf(out->reason, sizeof out->reason, "it ends at t = %.6g s: %s", r->t_stop,
             pkm_stop_reason(r->stop));
}

// ---- repeating --------------------------------------------------------------------------------

/// The repetitions of the case, which tell how far its values can be relied on.
static int plan_repeats(const job* j, pkm_verify_means* means)
{
    if (!j->study->verify || j->study->analysis != PKM_STUDY_SIMULATE) return 0;
    return pkm_verify_plan(pkm_verify_kind_of(j->prepared.run), false, means);
}

static pkm_status repeat(job* j, pkm_table* table, pkm_case_result* out, pkm_error* err)
{
    pkm_sim_report report;
    pkm_verify_run other;
    pkm_verify_means means[PKM_MAX_REPEAT];
    const int n = plan_repeats(j, means);
    PKM_ASSERT(out->part <= n);
    (void)n;
    // part 0 is the case itself, k its k-th repetition
    out->means = means[out->part - 1];
    PKM_TRY(pkm_verify_run_make(j->prepared.run, out->means, &other, err));
    const pkm_status status = compute(j, &other.settings, table, &report, err);
    pkm_verify_run_free(&other);
    PKM_TRY(status);
    out->is_done = report.stop == PKM_STOP_END_TIME;
    if (!out->is_done) keep_early_end(out, &report);
    return out->is_done ? keep_values(j, table, out, err) : PKM_OK;
}

/// Widen ranges and error bars by the values of another run of the same case.
void pkm_case_add_repeat(pkm_case_result* result, const pkm_case_result* repeated)
{
    result->wall_time += repeated->wall_time;
    if (!repeated->is_done && !strstr(result->notes, REPEATED)) {
        char text[512];
        snprintf(text, sizeof text, "%s: %.400s", REPEATED, repeated->reason);
        add_note(result, text);
    }
    for (int k = 0; k < result->n_value && k < repeated->n_value; ++k) {
        pkm_case_value* v = &result->value[k];
        // of a repetition that failed it is NaN, which widens nothing
        pkm_spread_add(&v->spread, v->value, repeated->means, repeated->value[k].value);
        v->verdict =
            pkm_spread_judge(&v->spread, result->kind, v->value, v->size, result->chaotic_above);
    }
}

// ---- the case ---------------------------------------------------------------------------------

/// Prepare, compute, keep: an end before its time is a failed case with its reason, not an error of
/// the study.
static pkm_status work(job* j, pkm_table* table, pkm_case_result* out, pkm_error* err)
{
    pkm_sim_report report;
    pkm_verify_means means[PKM_MAX_REPEAT];
    const pkm_settings settings = pkm_study_settings(j->study, out->case_id);
    PKM_TRY(pkm_study_prepare(j->study, &settings, &j->prepared, err));
    if (out->part > 0) return repeat(j, table, out, err);
    pkm_sim_settings taken = j->prepared.run->settings;
    begin_snapshots(j, &taken);
    const pkm_status status = compute(j, &taken, table, &report, err);
    if (status == PKM_OK && report.stop == PKM_STOP_END_TIME) keep_snapshots(j, &taken, out);
    pkm_snapshots_free(taken.snapshots);
    pkm_snapshots_free(taken.ideal_snapshots);
    PKM_TRY(status);
    keep_report(out, &j->prepared.run->settings, &report);
    keep_warnings(out, pkm_table_get_warnings(table));
    if (report.stop != PKM_STOP_END_TIME) {
        keep_early_end(out, &report);
        return PKM_OK;
    }
    out->is_done = true;
    out->n_repeat = plan_repeats(j, means);
    out->kind = pkm_verify_kind_of(j->prepared.run);
    PKM_TRY(keep_values(j, table, out, err));
    return keep_signals(j->study, table, out);
}

static pkm_case_result* create(const pkm_study* study, pkm_task task)
{
    pkm_case_result* out = pkm_alloc(1, sizeof *out);
    if (!out) return NULL;
    out->case_id = task.case_id;
    out->part = task.part;
    out->n_value = study->n_output;
    out->chaotic_above = study->chaotic_above;
    out->t_end = out->tolerance = NAN;
    out->value = pkm_alloc((size_t)study->n_output + 1, sizeof *out->value);
    for (int k = 0; out->value && k < study->n_output; ++k)
        out->value[k] =
            (pkm_case_value){.value = NAN, .t = NAN, .size = NAN, .spread = pkm_spread_none()};
    return out;
}

pkm_status pkm_case_run(const pkm_study* study, pkm_task task, pkm_case_tick ask, void* user,
                        pkm_case_result** out, pkm_error* err)
{
    job j = {.study = study, .case_id = task.case_id, .tick = ask, .user = user};
    pkm_error why = {0};
    pkm_table* table = pkm_table_create();
    pkm_case_result* result = *out = create(study, task);
    pkm_status status = PKM_ERR_MEMORY;
    const double start = pkm_clock();
    if (table && result && result->value) status = work(&j, table, result, &why);
    if (result) result->wall_time = pkm_clock() - start;
    if (result) result->sources = pkm_sources_text();
    pkm_prepared_free(&j.prepared);
    pkm_table_free(table);
    if (j.is_ended) status = PKM_RETRY;
    // a case that cannot be computed is an answer, too
    if (status != PKM_OK && status != PKM_ERR_MEMORY && status != PKM_RETRY) {
        keep_reason(result, &why);
        status = PKM_OK;
    }
    if (status == PKM_OK) return PKM_OK;
    pkm_case_free(result);
    *out = NULL;
    return pkm_fail(err, status, status == PKM_RETRY ? "interrupted" : "out of memory");
}

void pkm_case_free(pkm_case_result* result)
{
    if (!result) return;
    pkm_table_free(result->signals);
    for (int k = 0; k < 3; ++k)
        pkm_free(result->scene[k]);
    pkm_free(result->sources);
    pkm_free(result->value);
    pkm_free(result);
}
