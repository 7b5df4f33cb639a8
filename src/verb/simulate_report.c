#include "verb/simulate_report.h"

#include "report/render.h"
#include "robot/inverse_result.h"
#include "table/column.h"
#include "table/suited.h"
#include "verb/deflection_report.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char* pkm_verb_sim_motion(const pkm_verb_sim* sim)
{
    const int m = sim->run->settings.motion;
    return m == PKM_NONE ? "none" : pkm_motion_name(sim->robot->desc->motion[m].motion);
}

// ---- peaks ------------------------------------------------------------------------------------

static void add_peak(pkm_verb_sim* sim, const char* item, const char* quantity)
{
    const int column = pkm_table_find_item(sim->table, item, quantity);
    if (column == PKM_NONE || sim->n_peak == VERB_MAX_PEAK) return;
    int row = 0;
    const double value = pkm_table_reduce(sim->table, column, PKM_REDUCE_ABSMAX, &row);
    pkm_verb_peak* peak = &sim->peak[sim->n_peak++];
    *peak = (pkm_verb_peak){.column = column,
                            .value = value,
                            .t = pkm_table_get(sim->table, row, 0),
                            .spread = pkm_spread_none()};
}

static bool is_prescribed(const pkm_verb_sim* sim, int d)
{
    return pkm_drive_is_prescribed(&sim->run->settings.drive[d]);
}

void pkm_verb_sim_find_peaks(pkm_verb_sim* sim)
{
    const pkm_mechanism* mech = sim->robot->mech;
    sim->n_peak = 0;
    for (int d = 0; d < mech->n_drive; ++d)
        add_peak(sim, mech->drive[d].name, "force");
    for (int d = 0; d < mech->n_drive; ++d)
        add_peak(sim, mech->drive[d].name, "dforce");
    for (int d = 0; d < mech->n_drive; ++d)
        if (!is_prescribed(sim, d)) add_peak(sim, mech->drive[d].name, "dq");
    if (mech->tool == PKM_NONE) return;
    static const char* const quantity[] = {"dp",      "dv",      "da",    "turn",
                                           "dv_held", "da_held", "speed", "acc"};
    const char* tool = pkm_short_name(mech->marker[mech->tool].name);
    for (size_t i = 0; i < sizeof quantity / sizeof quantity[0]; ++i)
        add_peak(sim, tool, quantity[i]);
}

void pkm_verb_sim_compare_peaks(pkm_verb_sim* sim, pkm_verify_means means, const char* words,
                                const pkm_table* other)
{
    const pkm_verify_kind kind = sim->is_ked ? PKM_VERIFY_LINEAR : pkm_verify_kind_of(sim->run);
    for (int i = 0; i < sim->n_peak; ++i) {
        pkm_verb_peak* p = &sim->peak[i];
        const double value = pkm_table_reduce(other, p->column, PKM_REDUCE_ABSMAX, NULL);
        pkm_spread_add(&p->spread, p->value, means, value);
        p->verdict = pkm_spread_judge(&p->spread, kind, p->value,
                                      pkm_table_size(sim->table, p->column), PKM_CHAOTIC_ABOVE);
    }
    sim->means[sim->n_verify] = means;
    snprintf(sim->verify[sim->n_verify++], sizeof sim->verify[0], "%s", words);
}

/// That smooth runs repeat is no news: only of impacts it is said in words, and only these have
/// parameters that are changed.
static void put_spread(pkm_result* in, const pkm_verb_peak* p, bool impacts)
{
    const char* unit = "";
    pkm_result_number(in, "low", unit, p->spread.low);
    pkm_result_number(in, "high", unit, p->spread.high);
    pkm_result_text(in, "verdict", pkm_verdict_name(p->verdict));
    pkm_result_bool(in, "_repeatable", impacts && p->verdict == PKM_VERDICT_REPEATABLE);
    pkm_result_bool(in, "_apart", pkm_verdict_is_apart(p->verdict));
    if (!impacts) return;
    pkm_result_number(in, "sensitivity", unit, p->spread.sensitivity);
    pkm_result_text(in, "sensitive_to",
                    isnan(p->spread.sensitivity) ? NULL
                                                 : pkm_verify_parameter(p->spread.most_moving));
}

/// The same numbers in the unit that suits the value.
static void put_for_people(pkm_result* in, const pkm_verb_peak* p, const char* unit)
{
    const pkm_suited s = pkm_suited_make(unit, p->value);
    pkm_result_text(in, "_unit", s.unit);
    pkm_result_number(in, "_value", "", s.factor * p->value);
    pkm_result_number(in, "_error_bar", "", s.factor * p->spread.error_bar);
    pkm_result_number(in, "_sensitivity", "", s.factor * p->spread.sensitivity);
    pkm_result_number(in, "_low", "", s.factor * p->spread.low);
    pkm_result_number(in, "_high", "", s.factor * p->spread.high);
}

void pkm_verb_peaks_result(const pkm_verb_sim* sim, pkm_result* out)
{
    const bool bars = sim->n_verify > 0;
    pkm_result *list = pkm_result_list(out, "peaks"), *lines = pkm_result_list(out, "_headlines");
    if (!sim->is_seated && !sim->is_ked)
        pkm_headline_result(lines, "energy residual",
                            pkm_result_value(pkm_result_find(out, "energy.relative_residual"), 0),
                            "");
    pkm_result_bool(out, "_bars", bars);
    pkm_result_bool(out, "_sensitive", bars && sim->record);
    for (int i = 0; i < sim->n_peak; ++i) {
        const pkm_verb_peak* p = &sim->peak[i];
        const char *name = pkm_table_name(sim->table, p->column),
                   *unit = pkm_table_unit(sim->table, p->column);
        char headline[2 * PKM_MAX_NAME];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", name);
        pkm_result_text(item, "unit", unit);
        pkm_result_number(item, "value", unit, p->value);
        pkm_result_number(item, "t", "s", p->t);
        pkm_result_number(item, "error_bar", unit, p->spread.error_bar);
        if (bars) put_spread(item, p, sim->record != NULL);
        put_for_people(item, p, unit);
        snprintf(headline, sizeof headline, "absmax %s", name);
        pkm_headline_result(lines, headline, p->value, unit);
    }
}

/// The repetitions of one sort: those of the error bars, those of the sensitivities.
static void put_means(pkm_result* in, const pkm_verb_sim* sim, const char* key, bool numerical)
{
    pkm_result* list = pkm_result_list(in, key);
    for (int i = 0; i < sim->n_verify; ++i)
        if (pkm_verify_is_numerical(sim->means[i]) == numerical)
            pkm_result_text(list, NULL, sim->verify[i]);
}

void pkm_verb_verified_result(const pkm_verb_sim* sim, pkm_result* out)
{
    put_means(out, sim, "verified_with", true);
    if (sim->record && sim->n_verify > 0) put_means(out, sim, "sensitivity_with", false);
}

// ---- drives -----------------------------------------------------------------------------------

static const char* kind_name(const pkm_sim_settings* settings, int d)
{
    static const char* const name[] = {"prescribed", "locked", "free", "playback", "given force"};
    static const char* const servo[] = {"pd", "pid", "pd with gravity", "computed torque"};
    const pkm_drive_plan* plan = &settings->drive[d];
    return plan->kind == PKM_DRIVE_SERVO ? servo[plan->controller.kind] : name[plan->kind];
}

/// Time for which a column that is 0 or 1 is 1 [s]: its mean square times that of the table.
static double time_of(const pkm_table* table, int column)
{
    const int last = pkm_table_n_row(table) - 1;
    const double rms = pkm_table_reduce(table, column, PKM_REDUCE_RMS, NULL);
    return last > 0 ? rms * rms * (pkm_table_get(table, last, 0) - pkm_table_get(table, 0, 0))
                    : 0.0;
}

static void put_drive(pkm_result* in, const pkm_verb_sim* sim, int d)
{
    const char* name = sim->robot->mech->drive[d].name;
    const char* unit = pkm_robot_drive_unit(sim->robot, d, 0);
    const pkm_table* table = sim->table;
    const int off = pkm_table_find_item(table, name, "dq");
    const bool has_more = pkm_table_find_item(table, name, "electric") != PKM_NONE;
    const bool tracks = has_more && off != PKM_NONE;
    int row = 0;
    const double error = tracks ? pkm_table_reduce(table, off, PKM_REDUCE_ABSMAX, &row) : NAN;
    const double rms = tracks ? pkm_table_reduce(table, off, PKM_REDUCE_RMS, NULL) : NAN;
    const double limited =
        has_more ? time_of(table, pkm_table_find_item(table, name, "saturated")) : NAN;
    pkm_result_text(in, "name", name);
    pkm_result_text(in, "mode", kind_name(&sim->run->settings, d));
    pkm_result_number(in, "tracking_error", unit, error);
    pkm_result_number(in, "tracking_error_time", "s", tracks ? pkm_table_get(table, row, 0) : NAN);
    pkm_result_number(in, "tracking_error_rms", unit, rms);
    pkm_result_number(in, "saturated_time", "s", limited);
    pkm_result_number(in, "energy_use", "J", has_more ? sim->report.energy_use[d] : NAN);
    const pkm_suited s = pkm_suited_make(unit, error);
    pkm_result_number(in, "_error", "", s.factor * error);
    pkm_result_number(in, "_error_rms", "", s.factor * rms);
    pkm_result_text(in, "_unit", s.unit);
    pkm_suited_result(in, "_use", "J", has_more ? sim->report.energy_use[d] : NAN);
    pkm_result_bool(in, "_has_more", has_more);
}

static void put_drives(pkm_result* in, const pkm_verb_sim* sim)
{
    pkm_result *list = pkm_result_list(in, "drives"), *motors = pkm_result_list(in, "_motors");
    bool any = false;
    for (int d = 0; d < sim->robot->mech->n_drive; ++d) {
        pkm_result* item = pkm_result_group(list, NULL);
        put_drive(item, sim, d);
        pkm_motor_result(sim->table, sim->robot->mech->drive[d].name, item, motors);
        any = any || pkm_table_find_item(sim->table, sim->robot->mech->drive[d].name, "electric") !=
                         PKM_NONE;
    }
    pkm_result_bool(in, "_uses", any);
}

// ---- heading ----------------------------------------------------------------------------------

static void add_words(char* out, size_t size, const char* before, const char* what)
{
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", before, what);
}

static void add_count(char* out, size_t size, const char* before, int n, const char* what)
{
    char words[64];
    if (n == 0) return;
    snprintf(words, sizeof words, "%d %s%s", n, what, n == 1 ? "" : "s");
    add_words(out, size, before, words);
}

/// "drives prescribed", or one by one where they differ; then what acts.
static void put_heading(pkm_result* in, const pkm_verb_sim* sim)
{
    char words[1000] = "";
    const pkm_mechanism* mech = sim->robot->mech;
    const pkm_sim_settings* s = &sim->run->settings;
    const pkm_effects* effects = &sim->run->effects;
    bool same = true;
    for (int d = 1; d < mech->n_drive; ++d)
        same = same && strcmp(kind_name(s, d), kind_name(s, 0)) == 0;
    if (same && mech->n_drive > 0) add_words(words, sizeof words, ", drives ", kind_name(s, 0));
    for (int d = 0; !same && d < mech->n_drive; ++d) {
        add_words(words, sizeof words, ", ", mech->drive[d].name);
        add_words(words, sizeof words, " ", kind_name(s, d));
    }
    add_count(words, sizeof words, ", friction in ", effects->n_friction, "joint");
    if (sim->record)
        add_count(words, sizeof words, ", clearance in ", effects->n_clearance, "joint");
    add_count(words, sizeof words, ", ", effects->n_flexible, "flexible link");
    add_count(words, sizeof words, ", ", effects->n_element, "load");
    add_count(words, sizeof words, ", ", effects->n_carried, "payload");
    pkm_result_text(in, "_heading", words);
}

// ---- energy and integration -------------------------------------------------------------------

static void put_ledger(pkm_result* in, const pkm_ledger* l)
{
    pkm_result *out = pkm_result_group(in, "energy"), *lines = pkm_result_list(in, "_ledger");
    pkm_result_number(out, "residual", "J", l->residual);
    pkm_result_number(out, "relative_residual", "", pkm_ledger_share(l));
    pkm_result_number(out, "exchanged", "J", l->exchanged);
    pkm_suited_result(out, "_exchanged", "J", l->exchanged);
    const pkm_ledger_term* term;
    for (int k = 0; (term = pkm_ledger_term_at(k)); ++k) {
        const double value = pkm_ledger_get(l, term);
        pkm_result_number(out, term->key, "J", value);
        if (value == 0.0) continue;
        pkm_result* line = pkm_result_group(lines, NULL);
        pkm_result_text(line, "what", term->words);
        const pkm_suited s = pkm_suited_make("J", value);
        pkm_result_number(line, "value", "", s.factor * value);
        pkm_result_text(line, "unit", s.unit);
    }
}

static void put_integration(pkm_result* in, const pkm_verb_sim* sim)
{
    const pkm_sim_report* r = &sim->report;
    pkm_result* out = pkm_result_group(in, "integration");
    char why[120];
    snprintf(why, sizeof why,
             "stability, not accuracy, set the steps of the explicit one (t = %.4g s)",
             r->t_change);
    pkm_result_text(out, "integrator", pkm_integrator_name[r->integrator]);
    pkm_result_text(out, "chosen_since", isfinite(r->t_change) ? why : sim->run->chosen);
    pkm_result_number(out, "changed_at", "s", r->t_change);
    pkm_result_number(out, "tolerance", "", r->tolerance);
    pkm_result_integer(out, "steps", r->steps);
    pkm_result_integer(out, "rejected", r->rejected);
    pkm_result_integer(out, "evaluations", r->rates);
    pkm_result_integer(out, "factorisations", r->factors);
    pkm_result_number(out, "drift_position", "m", r->drift_position);
    pkm_result_number(out, "drift_velocity", "m/s", r->drift_velocity);
    pkm_result_number(out, "wall_time", "s", sim->wall_time);
}

// ---- all --------------------------------------------------------------------------------------

void pkm_verb_sim_result(const pkm_verb_sim* sim, pkm_result* out)
{
    pkm_result_text(out, "name", sim->robot->desc->name);
    pkm_result_text(out, "motion", pkm_verb_sim_motion(sim));
    pkm_result_integer(out, "instants", sim->report.n_done);
    pkm_result_number(out, "duration", "s", sim->report.t_end);
    pkm_cycle_result(pkm_robot_get_motion(sim->robot, sim->run->settings.motion), sim->report.t_end,
                     out);
    put_heading(out, sim);
    put_drives(out, sim);
    pkm_result_integer(out, "friction_joints", sim->run->effects.n_friction);
    pkm_result_integer(out, "loads", sim->run->effects.n_element);
    pkm_result_integer(out, "payloads", sim->run->effects.n_carried);
    put_ledger(out, &sim->report.ledger);
    pkm_verb_peaks_result(sim, out);
    pkm_verb_deflection_result(sim, out);
    if (sim->record) pkm_verb_contact_result(sim, out);
    pkm_result_warnings(out, pkm_table_get_warnings(sim->table));
    pkm_verb_verified_result(sim, out);
    put_integration(out, sim);
    if (sim->record && sim->wall_time > VERB_LONG_WAIT)
        pkm_result_text(out, "_hint", VERB_SEATED_HINT);
}

const char pkm_verb_sim_text[] =
    "{name}, motion {motion}: {instants:d} instants over {duration:.6g} "
    "s{_heading}\n" PKM_CYCLE_TEXT "\n"
    "energy residual {energy.residual:.2e} J: {energy.relative_residual:.1e} of the "
    "{energy._exchanged:.6g} {energy._exchanged_unit} exchanged\n"
    "{*_ledger}  {what:-28s} {value:14.7g} {unit}\n{/}" VERB_PEAKS_TEXT VERB_FLEXIBLE_TEXT
    "[{?clearance_joints}"
    "\njoint with clearance touches  fastest m/s  deepest um  largest N  at t \\[s\\]   slides J "
    " flight impact contact\n]"
    "{*contacts}  {_name:-20s} {touches:5d} {fastest.value:12.4g} {deepest.value:11.4g|1e6} "
    "{largest_force.value:10.4g}  {largest_force.t:8.4g} {sliding_work:10.4g} {_flight:6.0f}% "
    "{_impact:5.0f}% {_contact:6.0f}%\n{/}[  {_moved}\n]" PKM_RENDER_WARNINGS
    "[{?_uses}\ndrive        tracking error  at t \\[s\\]          rms       at limits   "
    "energy use\n]"
    "{*drives}[{?_has_more}  {name:-12s} {_error:12.4g}  {tracking_error_time:8.4g} "
    "{_error_rms:12.4g} {_unit:-4s} {saturated_time:8.4g} s {_use:10.5g} "
    "{_use_unit}\n]{/}" PKM_MOTORS_TEXT
    "\n{integration.integrator} integrator, tolerance {integration.tolerance:.1e}: "
    "{integration.steps:d} steps, {integration.rejected:d} rejected; closures off by at most "
    "{integration.drift_position:.1e} m, {integration.drift_velocity:.1e} m/s\n"
    "[  chosen since {integration.chosen_since}; --integrator names another\n]"
    "[  {_hint}\n]"
    "[results in {folder}\n]";
