// What a simulation answers: drives, energy, integration.
#include "api/account_impl.h"

#include "robot/inverse_result.h"
#include "table/column.h"
#include "table/suited.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- drives -----------------------------------------------------------------------------------

/// In the order of pkm_drive_kind, of servos in that of pkm_controller_kind.
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

/// Tracking and energy of drives with a controller or motor; others have mode and name.
static void put_drive(pkm_result* in, const pkm_account* a, int d)
{
    const char* name = a->robot->mech->drive[d].name;
    const char* unit = pkm_robot_drive_unit(a->robot, d, 0);
    const pkm_table* table = a->table;
    const int off = pkm_table_find_item(table, name, "dq");
    const bool has_more = pkm_table_find_item(table, name, "electric") != PKM_NONE;
    const bool tracks = has_more && off != PKM_NONE;
    int row = 0;
    const double error = tracks ? pkm_table_reduce(table, off, PKM_REDUCE_ABSMAX, &row) : NAN;
    const double rms = tracks ? pkm_table_reduce(table, off, PKM_REDUCE_RMS, NULL) : NAN;
    const double limited =
        has_more ? time_of(table, pkm_table_find_item(table, name, "saturated")) : NAN;
    pkm_result_text(in, "name", name);
    pkm_result_text(in, "mode", kind_name(&a->run->settings, d));
    pkm_result_number(in, "tracking_error", unit, error);
    pkm_result_number(in, "tracking_error_time", "s", tracks ? pkm_table_get(table, row, 0) : NAN);
    pkm_result_number(in, "tracking_error_rms", unit, rms);
    pkm_result_number(in, "saturated_time", "s", limited);
    pkm_result_number(in, "energy_use", "J", has_more ? a->report.energy_use[d] : NAN);
    const pkm_suited s = pkm_suited_make(unit, error);
    pkm_result_number(in, "_error", "", s.factor * error);
    pkm_result_number(in, "_error_rms", "", s.factor * rms);
    pkm_result_text(in, "_unit", s.unit);
    pkm_suited_result(in, "_use", "J", has_more ? a->report.energy_use[d] : NAN);
    pkm_result_bool(in, "_has_more", has_more);
}

static void put_drives(pkm_result* in, const pkm_account* a)
{
    pkm_result *list = pkm_result_list(in, "drives"), *motors = pkm_result_list(in, "_motors");
    bool any = false;
    for (int d = 0; d < a->robot->mech->n_drive; ++d) {
        pkm_result* item = pkm_result_group(list, NULL);
        put_drive(item, a, d);
        pkm_motor_result(a->table, a->robot->mech->drive[d].name, item, motors);
        any = any ||
              pkm_table_find_item(a->table, a->robot->mech->drive[d].name, "electric") != PKM_NONE;
    }
    pkm_result_bool(in, "_uses", any);
}

// ---- heading ----------------------------------------------------------------------------------

static void add_words(char* out, size_t size, const char* before, const char* what)
{
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", before, what);
}

/// None is not told.
static void add_count(char* out, size_t size, const char* before, int n, const char* what)
{
    char words[64];
    if (n == 0) return;
    snprintf(words, sizeof words, "%d %s%s", n, what, n == 1 ? "" : "s");
    add_words(out, size, before, words);
}

/// "drives prescribed", or one by one where they differ; then what acts.
static void put_heading(pkm_result* in, const pkm_account* a)
{
    char words[1000] = "";
    const pkm_mechanism* mech = a->robot->mech;
    const pkm_sim_settings* s = &a->run->settings;
    const pkm_effects* effects = &a->run->effects;
    bool same = true;
    for (int d = 1; d < mech->n_drive; ++d)
        same = same && strcmp(kind_name(s, d), kind_name(s, 0)) == 0;
    if (same && mech->n_drive > 0) add_words(words, sizeof words, ", drives ", kind_name(s, 0));
    for (int d = 0; !same && d < mech->n_drive; ++d) {
        add_words(words, sizeof words, ", ", mech->drive[d].name);
        add_words(words, sizeof words, " ", kind_name(s, d));
    }
    add_count(words, sizeof words, ", friction in ", effects->n_friction, "joint");
    if (a->record) add_count(words, sizeof words, ", clearance in ", effects->n_clearance, "joint");
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
        // people read the terms that took part
        if (value == 0.0) continue;
        pkm_result* line = pkm_result_group(lines, NULL);
        pkm_result_text(line, "what", term->words);
        const pkm_suited s = pkm_suited_make("J", value);
        pkm_result_number(line, "value", "", s.factor * value);
        pkm_result_text(line, "unit", s.unit);
    }
}

static void put_integration(pkm_result* in, const pkm_account* a)
{
    const pkm_sim_report* r = &a->report;
    pkm_result* out = pkm_result_group(in, "integration");
    char why[120];
    snprintf(why, sizeof why,
             "stability, not accuracy, set the steps of the explicit one (t = %.4g s)",
             r->t_change);
    pkm_result_text(out, "integrator", pkm_integrator_name[r->integrator]);
    pkm_result_text(out, "chosen_since", isfinite(r->t_change) ? why : a->run->chosen);
    pkm_result_number(out, "changed_at", "s", r->t_change);
    pkm_result_number(out, "tolerance", "", r->tolerance);
    pkm_result_integer(out, "steps", r->steps);
    pkm_result_integer(out, "rejected", r->rejected);
    pkm_result_integer(out, "evaluations", r->rates);
    pkm_result_integer(out, "factorisations", r->factors);
    pkm_result_number(out, "drift_position", "m", r->drift_position);
    pkm_result_number(out, "drift_velocity", "m/s", r->drift_velocity);
    pkm_result_number(out, "wall_time", "s", a->wall_time);
}

// ---- all --------------------------------------------------------------------------------------

void pkm_account_sim_result(const pkm_account* a, pkm_result* out)
{
    pkm_result_text(out, "name", a->robot->desc->name);
    pkm_result_text(out, "motion", pkm_account_motion(a));
    pkm_result_integer(out, "instants", a->report.n_done);
    pkm_result_number(out, "duration", "s", a->report.t_end);
    pkm_cycle_result(pkm_robot_get_motion(a->robot, a->run->settings.motion), a->report.t_end, out);
    put_heading(out, a);
    put_drives(out, a);
    pkm_result_integer(out, "friction_joints", a->run->effects.n_friction);
    pkm_result_integer(out, "loads", a->run->effects.n_element);
    pkm_result_integer(out, "payloads", a->run->effects.n_carried);
    put_ledger(out, &a->report.ledger);
    pkm_limits_result(a->report.limits.item, a->report.limits.n, out);
    pkm_account_peaks_result(a, out);
    pkm_account_deflection_result(a, out);
    if (a->record) pkm_account_contact_result(a, out);
    pkm_result_warnings(out, pkm_table_get_warnings(a->table));
    pkm_account_verified_result(a, out);
    put_integration(out, a);
}
