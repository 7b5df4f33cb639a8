// What is said of a run in time, in the order in which people read it. Values come from the table,
// bars from its repetitions, verdicts from one rule (run/verify.h).
#include "api/account_impl.h"

#include "base/error.h"
#include "math/angle.h"
#include "robot/inverse_result.h"
#include "table/column.h"
#include "table/suited.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char* pkm_account_motion(const pkm_account* a)
{
    const int m = a->run->settings.motion;
    return m == PKM_NONE ? "none" : pkm_motion_name(a->robot->desc->motion[m].motion);
}

pkm_verify_kind pkm_account_kind(const pkm_account* a)
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
        // seated runs have the two `held` ones, others have not: columns decide
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
    return pkm_account_judge(&a->spread[p->column], pkm_account_kind(a), a->table, p->column,
                             p->value);
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
    // of smooth runs nothing is chaotic, and their parameters are not varied
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

// ---- elastodynamics ---------------------------------------------------------------------------

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
    pkm_result_number(out, "lowest_frequency", "Hz", r->omega / PKM_TURN);
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
