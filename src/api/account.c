#include "api/account_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "robot/inverse_result.h"
#include "table/column.h"
#include "table/suited.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586477;

const char* pkm_account_motion(const pkm_account* a)
{
    const int m = a->run->settings.motion;
    return m == PKM_NONE ? "none" : pkm_motion_name(a->robot->desc->motion[m].motion);
}

bool pkm_account_has_contacts(const pkm_account* a)
{
    return pkm_verify_kind_of(a->run) == PKM_VERIFY_CONTACT;
}

static pkm_verify_kind kind_of(const pkm_account* a)
{
    return a->is_ked ? PKM_VERIFY_LINEAR : pkm_verify_kind_of(a->run);
}

// ---- peaks ------------------------------------------------------------------------------------

/// Columns that the table has not are passed over.
static void add_peak(pkm_account* a, const char* item, const char* quantity)
{
    const int column = pkm_table_find_item(a->table, item, quantity);
    if (column == PKM_NONE || a->n_peak == PKM_MAX_PEAK) return;
    int row = 0;
    const double value = pkm_table_reduce(a->table, column, PKM_REDUCE_ABSMAX, &row);
    a->peak[a->n_peak++] =
        (pkm_account_peak){.column = column, .value = value, .t = pkm_table_get(a->table, row, 0)};
}

static bool is_prescribed(const pkm_account* a, int d)
{
    return pkm_drive_is_prescribed(&a->run->settings.drive[d]);
}

/// In the order of the text: drives, what they are off, the tool.
static void find_peaks(pkm_account* a)
{
    const pkm_mechanism* mech = a->robot->mech;
    a->n_peak = 0;
    for (int d = 0; d < mech->n_drive; ++d)
        add_peak(a, mech->drive[d].name, "force");
    for (int d = 0; d < mech->n_drive; ++d)
        add_peak(a, mech->drive[d].name, "dforce");
    for (int d = 0; d < mech->n_drive; ++d)
        if (!is_prescribed(a, d)) add_peak(a, mech->drive[d].name, "dq");
    if (mech->tool == PKM_NONE) return;
    static const char* const quantity[] = {"dp",      "dv",      "da",    "turn",
                                           "dv_held", "da_held", "speed", "acc"};
    const char* tool = pkm_short_name(mech->marker[mech->tool].name);
    for (size_t i = 0; i < sizeof quantity / sizeof quantity[0]; ++i)
        add_peak(a, tool, quantity[i]);
}

/// How far repetitions moved the value of a peak, and whether it repeats.
static pkm_spread spread_of(const pkm_account* a, const pkm_account_peak* p)
{
    return a->spread ? a->spread[p->column] : pkm_spread_none();
}

static pkm_verdict verdict_of(const pkm_account* a, const pkm_account_peak* p)
{
    if (!a->spread) return PKM_VERDICT_NONE;
    return pkm_account_judge(&a->spread[p->column], kind_of(a), a->table, p->column, p->value);
}

/// That smooth runs repeat is no news: only of impacts it is said in words, and only these have
/// parameters that are changed.
static void put_spread(pkm_result* in, const pkm_account* a, const pkm_account_peak* p)
{
    const bool impacts = a->record != NULL;
    const pkm_spread spread = spread_of(a, p);
    const pkm_verdict verdict = verdict_of(a, p);
    const char* unit = "";
    pkm_result_number(in, "low", unit, spread.low);
    pkm_result_number(in, "high", unit, spread.high);
    pkm_result_text(in, "verdict", pkm_verdict_name(verdict));
    pkm_result_bool(in, "_repeatable", impacts && verdict == PKM_VERDICT_REPEATABLE);
    pkm_result_bool(in, "_apart", pkm_verdict_is_apart(verdict));
    if (!impacts) return;
    pkm_result_number(in, "sensitivity", unit, spread.sensitivity);
    pkm_result_text(in, "sensitive_to",
                    isnan(spread.sensitivity) ? NULL : pkm_verify_parameter(spread.most_moving));
}

/// The same numbers in the unit that suits the value.
static void put_for_people(pkm_result* in, const pkm_account_peak* p, const pkm_spread* spread,
                           const char* unit)
{
    const pkm_suited s = pkm_suited_make(unit, p->value);
    pkm_result_text(in, "_unit", s.unit);
    pkm_result_number(in, "_value", "", s.factor * p->value);
    pkm_result_number(in, "_error_bar", "", s.factor * spread->error_bar);
    pkm_result_number(in, "_sensitivity", "", s.factor * spread->sensitivity);
    pkm_result_number(in, "_low", "", s.factor * spread->low);
    pkm_result_number(in, "_high", "", s.factor * spread->high);
}

void pkm_account_peaks_result(const pkm_account* a, pkm_result* out)
{
    const bool bars = a->n_verify > 0;
    pkm_result *list = pkm_result_list(out, "peaks"), *lines = pkm_result_list(out, "_headlines");
    if (!a->is_seated && !a->is_ked)
        pkm_headline_result(lines, "energy residual",
                            pkm_result_value(pkm_result_find(out, "energy.relative_residual"), 0),
                            "");
    pkm_result_bool(out, "_bars", bars);
    pkm_result_bool(out, "_sensitive", bars && a->record);
    for (int i = 0; i < a->n_peak; ++i) {
        const pkm_account_peak* p = &a->peak[i];
        const char *name = pkm_table_name(a->table, p->column),
                   *unit = pkm_table_unit(a->table, p->column);
        const pkm_spread spread = spread_of(a, p);
        char headline[2 * PKM_MAX_NAME];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", name);
        pkm_result_text(item, "unit", unit);
        pkm_result_number(item, "value", unit, p->value);
        pkm_result_number(item, "t", "s", p->t);
        pkm_result_number(item, "error_bar", unit, spread.error_bar);
        if (bars) put_spread(item, a, p);
        put_for_people(item, p, &spread, unit);
        snprintf(headline, sizeof headline, "absmax %s", name);
        pkm_headline_result(lines, headline, p->value, unit);
    }
}

/// The repetitions of one sort: those of the error bars, those of the sensitivities.
static void put_means(pkm_result* in, const pkm_account* a, const char* key, bool numerical)
{
    pkm_result* list = pkm_result_list(in, key);
    for (int i = 0; i < a->n_verify; ++i)
        if (pkm_verify_is_numerical(a->means[i]) == numerical)
            pkm_result_text(list, NULL, a->verify[i]);
}

void pkm_account_verified_result(const pkm_account* a, pkm_result* out)
{
    put_means(out, a, "verified_with", true);
    if (a->record && a->n_verify > 0) put_means(out, a, "sensitivity_with", false);
}

// ---- repetitions ------------------------------------------------------------------------------

pkm_verdict pkm_account_judge(const pkm_spread* spread, pkm_verify_kind kind,
                              const pkm_table* table, int column, double value)
{
    return pkm_spread_judge(spread, kind, value, pkm_table_size(table, column), PKM_CHAOTIC_ABOVE);
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

static pkm_status repeat(pkm_account* a, pkm_verify_means means, const pkm_verify_run* other,
                         pkm_account_runner run, void* user, pkm_error* err)
{
    pkm_sim_report* r = pkm_alloc(1, sizeof *r); // too large for the stack
    pkm_table* table = pkm_table_create();
    pkm_status status =
        r && table ? run(user, &other->settings, table, r, err) : pkm_out_of_memory(err);
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

pkm_status pkm_account_verify(pkm_account* a, pkm_account_runner run, void* user, pkm_error* err)
{
    pkm_verify_means means[PKM_MAX_REPEAT];
    const int n = pkm_verify_plan(kind_of(a), true, means);
    PKM_TRY(make_spreads(a, err));
    for (int k = 0; k < n && !a->is_cut; ++k) {
        pkm_verify_run other;
        pkm_status status = pkm_verify_run_make(a->run, means[k], &other, err);
        if (status == PKM_OK) status = repeat(a, means[k], &other, run, user, err);
        pkm_verify_run_free(&other);
        PKM_TRY(status);
    }
    return PKM_OK;
}

// ---- elastodynamics ---------------------------------------------------------------------------

pkm_ked_settings pkm_account_ked_settings(const pkm_run* run)
{
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
    out.progress = run->progress;
    out.user = run->user;
    return out;
}

pkm_status pkm_account_halve(pkm_account* a, const pkm_ked_settings* settings, pkm_error* err)
{
    pkm_ked_settings half = *settings;
    pkm_ked_report r = {0};
    pkm_verify_run words;
    PKM_TRY(pkm_verify_run_make(a->run, PKM_VERIFY_STEPS, &words, err));
    PKM_TRY(make_spreads(a, err));
    pkm_table* table = pkm_table_create();
    half.step = 0.5 * a->ked.step;
    const pkm_status status =
        table ? pkm_ked_run(a->robot, &half, table, &r, err) : pkm_out_of_memory(err);
    a->is_cut = status == PKM_OK && r.interrupted;
    if (status == PKM_OK && !a->is_cut) compare(a, PKM_VERIFY_STEPS, words.words, table);
    pkm_table_free(table);
    return status;
}

static void put_linear(const pkm_account* a, pkm_result* out)
{
    const pkm_ked_report* r = &a->ked;
    pkm_result_text(out, "name", a->robot->desc->name);
    pkm_result_text(out, "motion", pkm_account_motion(a));
    pkm_result_integer(out, "instants", r->n_done);
    pkm_result_number(out, "duration", "s", r->t_end);
    pkm_result_integer(out, "coordinates", r->n_coordinate);
    pkm_result_integer(out, "steps", r->n_step);
    pkm_result_number(out, "step", "s", r->step);
    pkm_result_number(out, "lowest_frequency", "Hz", r->omega / TWO_PI);
    pkm_result_integer(out, "_links", r->n_link);
    pkm_result_bool(out, "_one", r->n_link == 1);
    pkm_account_peaks_result(a, out);
    pkm_account_deflection_result(a, out);
    pkm_result_warnings(out, pkm_table_get_warnings(a->table));
    pkm_account_verified_result(a, out);
    pkm_result_number(out, "wall_time", "s", a->wall_time);
}

// ---- all --------------------------------------------------------------------------------------

void pkm_account_result(pkm_account* a, pkm_result* out)
{
    PKM_ASSERT(pkm_table_n_row(a->table) > 0);
    find_peaks(a);
    if (a->is_ked)
        put_linear(a, out);
    else if (a->is_seated)
        pkm_account_seated_result(a, out);
    else
        pkm_account_sim_result(a, out);
}
