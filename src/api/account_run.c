// Runs in time, for the verbs and the calls of pkm/answer.h: what they take of the run, the run
// itself, and its repetitions, from which the error bars come.
#include "api/account_impl.h"
#include "api/rows.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

// ---- repetitions ------------------------------------------------------------------------------

/// One run: those who watch are told of its begin and end.
static void begin(const pkm_account* a, bool again)
{
    if (a->watch.begin) a->watch.begin(a->watch.user, again);
}

static void end(const pkm_account* a, bool again)
{
    if (a->watch.end) a->watch.end(a->watch.user, again);
}

/// Every column, so that whatever is asked for later has its bar.
static pkm_status make_spreads(pkm_account* a, pkm_error* err)
{
    const int n = pkm_table_n_column(a->table);
    a->spread = pkm_alloc((size_t)n, sizeof *a->spread);
    if (!a->spread) return pkm_out_of_memory(err);
    for (int c = 0; c < n; ++c)
        a->spread[c] = pkm_spread_none();
    return PKM_OK;
}

/// Widen the error bars of all columns by what `other`, the same run by other means, has for peaks.
static void compare(pkm_account* a, pkm_verify_means means, const char* words,
                    const pkm_table* other)
{
    for (int c = 0; c < pkm_table_n_column(a->table); ++c)
        pkm_spread_add(&a->spread[c], pkm_table_reduce(a->table, c, PKM_REDUCE_ABSMAX, NULL), means,
                       pkm_table_reduce(other, c, PKM_REDUCE_ABSMAX, NULL));
    a->means[a->n_verify] = means;
    snprintf(a->verify[a->n_verify++], sizeof a->verify[0], "%s", words);
}

static pkm_status simulate(const pkm_account* a, bool again, const pkm_sim_settings* chosen,
                           pkm_table* table, pkm_sim_report* report, pkm_seated_report* seated,
                           pkm_error* err)
{
    pkm_sim_settings settings = *chosen;
    settings.progress = a->watch.progress;
    settings.user = a->watch.user;
    begin(a, again);
    const pkm_status status =
        pkm_rows_simulate(a->robot, settings.effects, &settings, table, report, seated, err);
    end(a, again);
    return status;
}

static pkm_status repeat(pkm_account* a, pkm_verify_means means, const pkm_verify_run* other,
                         pkm_error* err)
{
    pkm_sim_report* r = pkm_alloc(1, sizeof *r); // too large for the stack
    pkm_table* table = pkm_table_create();
    pkm_status status = r && table ? simulate(a, true, &other->settings, table, r, NULL, err)
                                   : pkm_out_of_memory(err);
    if (status == PKM_OK && r->stop == PKM_STOP_END_TIME)
        compare(a, means, other->words, table);
    else if (status == PKM_OK && r->stop == PKM_STOP_INTERRUPTED)
        // what is known so far stands; the caller says that it was stopped
        a->is_cut = true;
    else if (status == PKM_OK)
        pkm_warn(pkm_table_warnings(a->table), "verification", r->t_stop,
                 "verification with %s ends at t = %.6g s: it tells nothing of the error bars",
                 other->words, r->t_stop);
    pkm_table_free(table);
    pkm_free(r);
    return status;
}

/// By all means of the plan (run/verify.h).
static pkm_status verify(pkm_account* a, pkm_error* err)
{
    // the plan is data (run/verify.c): what repeats which kind of run
    pkm_verify_means means[PKM_MAX_REPEAT];
    const int n = pkm_verify_plan(pkm_account_kind(a), true, means);
    PKM_TRY(make_spreads(a, err));
    for (int k = 0; k < n && !a->is_cut; ++k) {
        pkm_verify_run other;
        pkm_status status = pkm_verify_run_make(a->run, means[k], &other, err);
        if (status == PKM_OK) status = repeat(a, means[k], &other, err);
        pkm_verify_run_free(&other);
        PKM_TRY(status);
    }
    return PKM_OK;
}

// ---- simulation -------------------------------------------------------------------------------

pkm_status pkm_account_simulate(pkm_account* a, pkm_error* err)
{
    pkm_sim_settings settings = a->run->settings;
    // loads press loose joints to one side (quasi-static), or impacts are integrated
    a->is_seated = pkm_analysis_of(PKM_TASK_SIMULATE, a->run) == PKM_ANALYSIS_SEATED;
    // repetitions take none: frames are of the run that is answered
    settings.snapshots = a->snapshots;
    settings.ideal_snapshots = a->ideal_snapshots;
    if (pkm_account_kind(a) == PKM_VERIFY_CONTACT) {
        // phases and impacts of each bearing, for orbits and bars
        settings.record = a->record = pkm_contact_record_create();
        if (!a->record) return pkm_out_of_memory(err);
    }
    PKM_TRY(simulate(a, false, &settings, a->table, &a->report, &a->seated, err));
    // runs that ended early have nothing to compare
    if (!a->run->asked.verify || a->report.stop != PKM_STOP_END_TIME) return PKM_OK;
    return verify(a, err);
}

// ---- elastodynamics ---------------------------------------------------------------------------

static pkm_ked_settings ked_settings(const pkm_account* a)
{
    const pkm_run* run = a->run;
    const pkm_sim_settings* s = &run->settings;
    const pkm_asked* t = &run->asked;
    pkm_ked_settings out = pkm_ked_settings_defaults();
    out.effects = &run->effects;
    out.motion = s->motion;
    out.n_instant = s->n_instant;
    out.end_time = run->has_end ? s->end_time : 0.0;
    out.tool_force = s->tool_force;
    out.tool_torque = s->tool_torque;
    if (s->undeformed) out.start = PKM_KED_START_UNDEFORMED;
    if (t->periodic) out.start = PKM_KED_START_PERIODIC;
    out.without_coupling = t->uncoupled;
    out.has_stiffening = t->stiffening;
    if (t->n_repeat > 0) out.n_repeat = t->n_repeat;
    out.step = t->step;
    memcpy(out.drive, run->hold, sizeof out.drive);
    out.progress = a->watch.progress;
    out.user = a->watch.user;
    return out;
}

/// With half the step.
static pkm_status halve(pkm_account* a, const pkm_ked_settings* settings, pkm_error* err)
{
    pkm_ked_settings half = *settings;
    pkm_ked_report r = {0};
    pkm_verify_run words;
    PKM_TRY(pkm_verify_run_make(a->run, PKM_VERIFY_STEPS, &words, err));
    PKM_TRY(make_spreads(a, err));
    pkm_table* table = pkm_table_create();
    half.step = 0.5 * a->ked.step;
    begin(a, true);
    const pkm_status status =
        table ? pkm_ked_run(a->robot, &half, table, &r, err) : pkm_out_of_memory(err);
    end(a, true);
    a->is_cut = status == PKM_OK && r.interrupted;
    if (status == PKM_OK && !a->is_cut) compare(a, PKM_VERIFY_STEPS, words.words, table);
    pkm_table_free(table);
    return status;
}

pkm_status pkm_account_elastodynamics(pkm_account* a, pkm_error* err)
{
    const pkm_ked_settings settings = ked_settings(a);
    a->is_ked = true;
    begin(a, false);
    const pkm_status status = pkm_ked_run(a->robot, &settings, a->table, &a->ked, err);
    end(a, false);
    PKM_TRY(status);
    return a->run->asked.verify && !a->ked.interrupted ? halve(a, &settings, err) : PKM_OK;
}

void pkm_account_free(pkm_account* a)
{
    pkm_contact_record_free(a->record);
    pkm_free(a->spread);
}
