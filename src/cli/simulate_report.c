#include "cli/simulate_report.h"

#include "cli/contact_report.h"
#include "cli/deflection_report.h"
#include "table/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char* cli_sim_motion(const cli_sim* sim)
{
    const int m = sim->run->settings.motion;
    return m == PKM_NONE ? "none" : pkm_motion_name(sim->robot->desc->motion[m].motion);
}

double cli_sim_residual(const cli_sim* sim)
{
    const pkm_ledger* l = &sim->report.ledger;
    return l->exchanged > 0.0 ? fabs(l->residual) / l->exchanged : 0.0;
}

// ---- peaks ------------------------------------------------------------------------------------

static void add_peak(cli_sim* sim, const char* item, const char* quantity)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.%s", item, quantity);
    const int column = pkm_table_find(sim->table, name);
    if (column == PKM_NONE || sim->n_peak == CLI_MAX_PEAK) return;
    int row = 0;
    const double value = pkm_table_reduce(sim->table, column, PKM_REDUCE_ABSMAX, &row);
    cli_peak* peak = &sim->peak[sim->n_peak++];
    *peak = (cli_peak){.column = column,
                       .value = value,
                       .t = pkm_table_get(sim->table, row, 0),
                       .spread = pkm_spread_none()};
}

static bool is_prescribed(const cli_sim* sim, int d)
{
    const pkm_drive_mode mode = sim->run->settings.drive[d].mode;
    return mode == PKM_DRIVE_PRESCRIBED || mode == PKM_DRIVE_LOCKED;
}

void cli_sim_find_peaks(cli_sim* sim)
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

void cli_sim_compare_peaks(cli_sim* sim, pkm_verify_means means, const char* words,
                           const pkm_table* other)
{
    for (int i = 0; i < sim->n_peak; ++i) {
        cli_peak* p = &sim->peak[i];
        const double value = pkm_table_reduce(other, p->column, PKM_REDUCE_ABSMAX, NULL);
        pkm_spread_add(&p->spread, p->value, means, value);
        if (!sim->record) continue;
        p->verdict = pkm_spread_judge(&p->spread, p->value, pkm_table_size(sim->table, p->column),
                                      PKM_CHAOTIC_ABOVE);
    }
    sim->means[sim->n_verify] = means;
    snprintf(sim->verify[sim->n_verify++], sizeof sim->verify[0], "%s", words);
}

// ---- for people -------------------------------------------------------------------------------

static const char* mode_name(const pkm_sim_settings* settings, int d)
{
    static const char* const name[] = {"prescribed", "locked", "free", "playback", "given force"};
    static const char* const servo[] = {"pd", "pid", "pd with gravity", "computed torque"};
    const pkm_drive_plan* plan = &settings->drive[d];
    return plan->mode == PKM_DRIVE_SERVO ? servo[plan->controller.kind] : name[plan->mode];
}

/// "drives prescribed", or one by one where they differ.
static void print_drive_modes(const cli_sim* sim)
{
    const pkm_mechanism* mech = sim->robot->mech;
    const pkm_sim_settings* s = &sim->run->settings;
    bool same = true;
    for (int d = 1; d < mech->n_drive; ++d)
        same = same && strcmp(mode_name(s, d), mode_name(s, 0)) == 0;
    if (mech->n_drive == 0) return;
    if (same) {
        printf(", drives %s", mode_name(s, 0));
        return;
    }
    for (int d = 0; d < mech->n_drive; ++d)
        printf(", %s %s", mech->drive[d].name, mode_name(s, d));
}

static void print_count(const char* before, int n, const char* what)
{
    if (n > 0) printf("%s%d %s%s", before, n, what, n == 1 ? "" : "s");
}

static void print_heading(const cli_sim* sim)
{
    printf("%s, motion %s: %d instants over %.6g s", sim->robot->desc->name, cli_sim_motion(sim),
           sim->report.n_done, sim->report.t_end);
    print_drive_modes(sim);
    print_count(", friction in ", sim->run->effects.n_friction, "joint");
    if (sim->record) print_count(", clearance in ", sim->run->effects.n_clearance, "joint");
    print_count(", ", sim->run->effects.n_flexible, "flexible link");
    print_count(", ", sim->run->effects.n_element, "load");
    print_count(", ", sim->run->effects.n_carried, "payload");
    printf("\n\n");
}

/// The repetitions of one sort in words: those of the error bars, those of the sensitivities.
static void print_means(const cli_sim* sim, bool numerical, const char* before)
{
    bool any = false;
    for (int i = 0; i < sim->n_verify; ++i) {
        if (pkm_verify_is_numerical(sim->means[i]) != numerical) continue;
        printf("%s%s", any ? ", " : before, sim->verify[i]);
        any = true;
    }
    if (any) printf("\n");
}

static void print_peak(const cli_sim* sim, const cli_peak* p)
{
    printf("  %-20s %15.6g  %8.4g ", pkm_table_name(sim->table, p->column), p->value, p->t);
    if (sim->n_verify > 0) printf(" %9.1e ", p->spread.error_bar);
    if (sim->n_verify > 0 && sim->record) printf(" %9.1e ", p->spread.sensitivity);
    printf(" %s", pkm_table_unit(sim->table, p->column));
    if (p->verdict == PKM_VERDICT_REPEATABLE) printf("  repeatable");
    if (p->verdict == PKM_VERDICT_CHAOTIC)
        printf("  chaotic, %.4g to %.4g", p->spread.low, p->spread.high);
    printf("\n");
}

void cli_sim_print_peaks(const cli_sim* sim)
{
    const bool bars = sim->n_verify > 0;
    printf("\nlargest values                 |value|  at t [s]%s%s\n", bars ? "  +- (numer.)" : "",
           bars && sim->record ? "  sensitiv." : "");
    for (int i = 0; i < sim->n_peak; ++i)
        print_peak(sim, &sim->peak[i]);
    print_means(sim, true, "  +- : the largest difference from the same run with ");
    print_means(sim, false, "  sensitivity: the largest change with ");
}

/// Of drives with a controller or a motor.
typedef struct drive_use {
    double error, error_t, rms; ///< tracking error [m, rad]; NaN: not known
    double saturated;           ///< time at a limit [s]
    double energy;              ///< taken from the supply [J]
} drive_use;

/// Integral of a column over time, by the trapezoidal rule.
static double integral_of(const pkm_table* table, int column)
{
    double sum = 0.0;
    for (int i = 1; i < pkm_table_n_row(table); ++i) {
        const double h = pkm_table_get(table, i, 0) - pkm_table_get(table, i - 1, 0);
        sum += 0.5 * h * (pkm_table_get(table, i - 1, column) + pkm_table_get(table, i, column));
    }
    return sum;
}

static int drive_column(const cli_sim* sim, int d, const char* quantity)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.%s", sim->robot->mech->drive[d].name, quantity);
    return pkm_table_find(sim->table, name);
}

/// False for drives without controller and motor.
static bool find_use(const cli_sim* sim, int d, drive_use* out)
{
    const int electric = drive_column(sim, d, "electric"), off = drive_column(sim, d, "dq");
    if (electric == PKM_NONE) return false;
    *out = (drive_use){.error = NAN, .error_t = NAN, .rms = NAN};
    out->saturated = integral_of(sim->table, drive_column(sim, d, "saturated"));
    out->energy = sim->report.energy_use[d];
    if (off == PKM_NONE) return true;
    int row = 0;
    out->error = pkm_table_reduce(sim->table, off, PKM_REDUCE_ABSMAX, &row);
    out->error_t = pkm_table_get(sim->table, row, 0);
    out->rms = pkm_table_reduce(sim->table, off, PKM_REDUCE_RMS, NULL);
    return true;
}

static void print_uses(const cli_sim* sim)
{
    bool is_first = true;
    for (int d = 0; d < sim->robot->mech->n_drive; ++d) {
        drive_use use;
        if (!find_use(sim, d, &use)) continue;
        if (is_first)
            printf("\ndrive        tracking error  at t [s]          rms       at limits   "
                   "energy use\n");
        is_first = false;
        printf("  %-12s %12.4g  %8.4g %12.4g %-4s %8.4g s %10.5g J\n",
               sim->robot->mech->drive[d].name, use.error, use.error_t, use.rms,
               pkm_robot_drive_unit(sim->robot, d, 0), use.saturated, use.energy);
    }
}

static void print_entry(const char* what, double value)
{
    if (value != 0.0) printf("  %-28s %14.7g J\n", what, value);
}

static void print_ledger(const cli_sim* sim)
{
    const pkm_ledger* l = &sim->report.ledger;
    printf("energy residual %.2e J: %.1e of the %.6g J exchanged\n", l->residual,
           cli_sim_residual(sim), l->exchanged);
    print_entry("work of the drives", l->drive);
    print_entry("work of loads", l->load);
    print_entry("brought by payloads", l->payload);
    print_entry("change of kinetic energy", l->kinetic);
    print_entry("change of potential energy", l->potential);
    print_entry("change of spring energy", l->spring);
    print_entry("change of strain energy", l->strain);
    print_entry("lost in friction", l->friction);
    print_entry("lost in contacts", l->contact);
    print_entry("lost in damping", l->damping);
}

void cli_sim_print(const cli_sim* sim)
{
    const pkm_sim_report* r = &sim->report;
    print_heading(sim);
    print_ledger(sim);
    cli_sim_print_peaks(sim);
    cli_deflection_print(sim);
    if (sim->record) cli_contact_print(sim);
    cli_print_warnings(pkm_table_get_warnings(sim->table));
    print_uses(sim);
    printf("\n%s integrator, tolerance %.1e: %d steps, %d rejected; closures off by at most "
           "%.1e m, %.1e m/s\n",
           pkm_integrator_name[sim->run->settings.integrator], sim->run->settings.tolerance,
           r->steps, r->rejected, r->drift_position, r->drift_velocity);
    if (sim->run->chosen)
        printf("  chosen since %s; --integrator names another\n", sim->run->chosen);
    printf("results in %s\n", sim->folder);
}

// ---- for machines -----------------------------------------------------------------------------

static void put_ledger(pkm_json* json, const cli_sim* sim)
{
    const pkm_ledger* l = &sim->report.ledger;
    pkm_json_key(json, "energy");
    pkm_json_object_begin(json);
    pkm_json_put_number(json, "residual", l->residual);
    pkm_json_put_number(json, "relative_residual", cli_sim_residual(sim));
    pkm_json_put_number(json, "exchanged", l->exchanged);
    pkm_json_put_number(json, "drive_work", l->drive);
    pkm_json_put_number(json, "load_work", l->load);
    pkm_json_put_number(json, "payload", l->payload);
    pkm_json_put_number(json, "friction_loss", l->friction);
    pkm_json_put_number(json, "damping_loss", l->damping);
    pkm_json_put_number(json, "contact_loss", l->contact);
    pkm_json_put_number(json, "kinetic_change", l->kinetic);
    pkm_json_put_number(json, "potential_change", l->potential);
    pkm_json_put_number(json, "spring_change", l->spring);
    pkm_json_put_number(json, "strain_change", l->strain);
    pkm_json_object_end(json);
}

static void put_spread(pkm_json* json, const cli_peak* p)
{
    pkm_json_put_number(json, "low", p->spread.low);
    pkm_json_put_number(json, "high", p->spread.high);
    pkm_json_put_string(json, "verdict", pkm_verdict_name(p->verdict));
    pkm_json_put_number(json, "sensitivity", p->spread.sensitivity);
    pkm_json_put_string(json, "sensitive_to",
                        isnan(p->spread.sensitivity) ? NULL
                                                     : pkm_verify_parameter(p->spread.most_moving));
}

void cli_sim_put_peaks(pkm_json* json, const cli_sim* sim)
{
    pkm_json_key(json, "peaks");
    pkm_json_array_begin(json);
    for (int i = 0; i < sim->n_peak; ++i) {
        const cli_peak* p = &sim->peak[i];
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", pkm_table_name(sim->table, p->column));
        pkm_json_put_string(json, "unit", pkm_table_unit(sim->table, p->column));
        pkm_json_put_number(json, "value", p->value);
        pkm_json_put_number(json, "t", p->t);
        pkm_json_put_number(json, "error_bar", p->spread.error_bar);
        if (sim->record && sim->n_verify > 0) put_spread(json, p);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_drives(pkm_json* json, const cli_sim* sim)
{
    pkm_json_key(json, "drives");
    pkm_json_array_begin(json);
    for (int d = 0; d < sim->robot->mech->n_drive; ++d) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", sim->robot->mech->drive[d].name);
        pkm_json_put_string(json, "mode", mode_name(&sim->run->settings, d));
        drive_use use = {NAN, NAN, NAN, NAN, NAN};
        find_use(sim, d, &use);
        pkm_json_put_number(json, "tracking_error", use.error);
        pkm_json_put_number(json, "tracking_error_time", use.error_t);
        pkm_json_put_number(json, "tracking_error_rms", use.rms);
        pkm_json_put_number(json, "saturated_time", use.saturated);
        pkm_json_put_number(json, "energy_use", use.energy);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_integration(pkm_json* json, const cli_sim* sim)
{
    const pkm_sim_report* r = &sim->report;
    pkm_json_key(json, "integration");
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "integrator", pkm_integrator_name[sim->run->settings.integrator]);
    pkm_json_put_string(json, "chosen_since", sim->run->chosen);
    pkm_json_put_number(json, "tolerance", sim->run->settings.tolerance);
    pkm_json_put_integer(json, "steps", r->steps);
    pkm_json_put_integer(json, "rejected", r->rejected);
    pkm_json_put_integer(json, "evaluations", r->rates);
    pkm_json_put_number(json, "drift_position", r->drift_position);
    pkm_json_put_number(json, "drift_velocity", r->drift_velocity);
    pkm_json_put_number(json, "wall_time", sim->wall_time);
    pkm_json_object_end(json);
}

static void put_means(pkm_json* json, const cli_sim* sim, const char* key, bool numerical)
{
    pkm_json_key(json, key);
    pkm_json_array_begin(json);
    for (int i = 0; i < sim->n_verify; ++i)
        if (pkm_verify_is_numerical(sim->means[i]) == numerical)
            pkm_json_string(json, sim->verify[i]);
    pkm_json_array_end(json);
}

void cli_sim_put_verified(pkm_json* json, const cli_sim* sim)
{
    put_means(json, sim, "verified_with", true);
    if (sim->record && sim->n_verify > 0) put_means(json, sim, "sensitivity_with", false);
}

int cli_sim_list_peaks(const cli_sim* sim, cli_peak_name* name, pkm_manifest_result* out)
{
    for (int i = 0; i < sim->n_peak; ++i) {
        const int column = sim->peak[i].column;
        snprintf(name[i], sizeof name[i], "absmax %s", pkm_table_name(sim->table, column));
        out[i] =
            (pkm_manifest_result){name[i], sim->peak[i].value, pkm_table_unit(sim->table, column)};
    }
    return sim->n_peak;
}

void cli_sim_put(const void* user, pkm_json* json)
{
    const cli_sim* sim = user;
    pkm_json_put_string(json, "name", sim->robot->desc->name);
    pkm_json_put_string(json, "motion", cli_sim_motion(sim));
    pkm_json_put_integer(json, "instants", sim->report.n_done);
    pkm_json_put_number(json, "duration", sim->report.t_end);
    put_drives(json, sim);
    pkm_json_put_integer(json, "friction_joints", sim->run->effects.n_friction);
    pkm_json_put_integer(json, "loads", sim->run->effects.n_element);
    pkm_json_put_integer(json, "payloads", sim->run->effects.n_carried);
    put_ledger(json, sim);
    cli_sim_put_peaks(json, sim);
    cli_deflection_put(json, sim);
    if (sim->record) cli_contact_put(json, sim);
    cli_put_warnings(json, pkm_table_get_warnings(sim->table));
    cli_sim_put_verified(json, sim);
    put_integration(json, sim);
    pkm_json_put_string(json, "folder", sim->folder);
}

int cli_sim_print_json(const cli_sim* sim)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    cli_sim_put(sim, &out.json);
    return cli_json_end(&out);
}
