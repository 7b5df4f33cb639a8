// What `inverse` and `compare` answer, as result trees: extremes and rms of drives and motors,
// energies, limits, published values beside ours.
#include "robot/inverse_result.h"

#include "closed/closed.h"
#include "motion/events.h"
#include "robot/motion_table.h"
#include "table/suited.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- parts that runs share --------------------------------------------------------------------

void pkm_limits_result(const pkm_limit_report* limit, int n, pkm_result* in)
{
    pkm_result* list = pkm_result_list(in, "limits_broken");
    for (int i = 0; i < n; ++i) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "what", limit[i].what);
        pkm_result_number(item, "value", limit[i].unit, limit[i].value);
        pkm_result_number(item, "limit", limit[i].unit, limit[i].limit);
        pkm_result_text(item, "unit", limit[i].unit);
        pkm_result_number(item, "t", "s", limit[i].t);
        pkm_result_number(item, "from", "s", limit[i].from);
    }
}

/// An extreme of a column and its time; not known where the robot has not the column.
static void put_extreme(pkm_result* in, const pkm_table* table, const char* column,
                        pkm_reduction reduce, const char* value, const char* time)
{
    const int c = pkm_table_find(table, column);
    const bool known = c != PKM_NONE && pkm_table_n_row(table) > 0;
    int row = 0;
    pkm_result_number(in, value, "", known ? pkm_table_reduce(table, c, reduce, &row) : NAN);
    pkm_result_number(in, time, "s", known ? pkm_table_get(table, row, 0) : NAN);
}

static void put_nearness(pkm_result* in, const pkm_table* table)
{
    pkm_result* out = pkm_result_group(in, "nearness");
    put_extreme(out, table, "condition", PKM_REDUCE_MAX, "condition", "condition_time");
    put_extreme(out, table, "singularity", PKM_REDUCE_MIN, "singularity", "singularity_time");
}

/// A published value beside ours, in the unit it was printed in.
static void put_published(pkm_result* in, const pkm_desc_published* from, const pkm_table* table)
{
    static const char* const bound[] = {NULL, "above", "below"};
    static const char* const side[] = {" ", ">", "<"};
    double value = NAN;
    const bool known =
        from->quantity && pkm_table_evaluate(table, from->quantity, &value, NULL) == PKM_OK;
    const double computed = known ? value / from->unit_factor : NAN;
    const bool met = known && pkm_published_agrees(from, value);
    pkm_result_text(in, "text", from->text);
    pkm_result_text(in, "where", from->where);
    pkm_result_number(in, "value", "", from->value / from->unit_factor);
    pkm_result_number(in, "computed", "", computed);
    pkm_result_text(in, "unit", from->unit);
    pkm_result_text(in, "bound", bound[from->bound]);
    pkm_result_bool(in, "met", met);
    pkm_result_bool(in, "chosen", from->chosen);
    pkm_result_number(in, "tolerance", "", from->tolerance);
    pkm_result_text(in, "note", from->note ? from->note : "");
    pkm_result_text(in, "_side", side[from->bound]);
    if (isnan(computed))
        pkm_result_text(in, "_computed", "-");
    else
        pkm_result_format(in, "_computed", "%.6g", computed);
    pkm_result_text(in, "_verdict", pkm_published_verdict(from, known ? value : NAN));
    pkm_result_text(in, "_note", met ? NULL : from->note);
}

/// The list "published": values of the robot's file for this motion beside those of the table.
static void list_published(pkm_result* in, const pkm_robot* robot, const char* motion,
                           const pkm_table* table)
{
    pkm_result* list = pkm_result_list(in, "published");
    for (int p = 0; p < robot->desc->n_published; ++p) {
        const pkm_desc_published* from = &robot->desc->published[p];
        // values that name no motion are those of any
        if (from->motion && strcmp(from->motion, motion) != 0) continue;
        put_published(pkm_result_group(list, NULL), from, table);
    }
}

/// A value for people in the unit that suits it, or, where it is smaller, `least`.
static void put_suited(pkm_result* in, const char* key, const char* unit, double value,
                       double least)
{
    char name[64];
    const pkm_suited s = pkm_suited_make(unit, fmax(fabs(value), least));
    snprintf(name, sizeof name, "%s_unit", key);
    pkm_result_number(in, key, "", s.factor * value);
    pkm_result_text(in, name, s.unit);
}

void pkm_suited_result(pkm_result* in, const char* key, const char* unit, double value)
{
    put_suited(in, key, unit, value, 0.0);
}

void pkm_headline_result(pkm_result* in, const char* name, double value, const char* unit)
{
    pkm_result* item = pkm_result_group(in, NULL);
    pkm_result_text(item, "name", name);
    pkm_result_number(item, "value", unit, value);
}

// ---- inverse dynamics -------------------------------------------------------------------------

double pkm_inverse_residual(const pkm_inverse_report* r)
{
    return r->drive_work + r->load_work - r->friction_loss - r->damping_loss - r->energy_change -
           r->spring_change;
}

/// What is left of the balance, against the energy that the drives exchanged with the robot.
static double energy_residual(const pkm_inverse_report* r)
{
    if (!r->is_summed) return NAN;
    return r->exchanged > 0.0 ? fabs(pkm_inverse_residual(r)) / r->exchanged : 0.0;
}

/// Works that the samples of the motion tell, see pkm_inverse_report.
static void put_energy(pkm_result* in, const pkm_inverse_report* r, pkm_method method)
{
    // what is far below the energy exchanged is rounding and gets no unit of its own
    static const double ROUNDING = 1e-6;
    const double power = r->power_scale > 0.0 ? r->power_error / r->power_scale : 0.0;
    const double all[] = {r->drive_work,   r->load_work,     r->friction_loss,
                          r->damping_loss, r->energy_change, r->spring_change};
    static const char* const key[] = {"drive_work",   "load_work", "friction_loss",
                                      "damping_loss", "change",    "spring_change"};
    static const char* const shown[] = {"_drive_work",   "_load_work", "_friction_loss",
                                        "_damping_loss", "_change",    "_spring_change"};
    pkm_result* out = pkm_result_group(in, "energy");
    for (int k = 0; k < 6; ++k) {
        pkm_result_number(out, key[k], "J", r->is_summed ? all[k] : NAN);
        put_suited(out, shown[k], "J", r->is_summed ? all[k] : NAN, ROUNDING * r->exchanged);
    }
    pkm_result_number(out, "residual", "J", r->is_summed ? pkm_inverse_residual(r) : NAN);
    pkm_result_number(out, "relative_residual", "", energy_residual(r));
    pkm_result_number(out, "exchanged", "J", r->is_summed ? r->exchanged : NAN);
    pkm_result_number(out, "power_residual", "", power);
    pkm_result_number(out, "largest_power", "W", r->power_scale);
    pkm_suited_result(out, "_exchanged", "J", r->exchanged);
    pkm_result_bool(in, "_summed", r->is_summed);
    pkm_result_bool(in, "_has_power", method == PKM_METHOD_ENGINE && r->power_scale > 0.0);
}

/// The integral over time of f(value of a column), by trapezoids over every `step`-th row and the
/// last one.
static double integral(const pkm_table* table, int column, double (*f)(double), int step)
{
    const int n = pkm_table_n_row(table);
    double sum = 0.0;
    // trapezoids; the last one may be shorter
    for (int i = 0, next; i < n - 1; i = next) {
        next = i + step < n ? i + step : n - 1;
        const double h = pkm_table_get(table, next, 0) - pkm_table_get(table, i, 0);
        sum +=
            0.5 * h * (f(pkm_table_get(table, i, column)) + f(pkm_table_get(table, next, column)));
    }
    return sum;
}

static double rising(double x)
{
    return fmax(x, 0.0);
}

static double falling(double x)
{
    return fmax(-x, 0.0);
}

/// Would half of the rows give another integral? Then they are too few; the error is about a third
/// of the difference. `whole`: what is all of it.
static bool is_coarse(const pkm_table* table, int column, double (*f)(double), double whole)
{
    static const double SAME = 0.02;
    const double off = integral(table, column, f, 1) - integral(table, column, f, 2);
    return !(fabs(off) <= SAME * whole);
}

static void put_motor(pkm_result* out, const double value[6])
{
    static const char* const key[] = {"rms_torque", "peak_torque", "peak_speed",
                                      "peak_power", "consumed",    "regenerated"};
    static const char* const unit[] = {"N m", "N m", "rad/s", "W", "J", "J"};
    for (int k = 0; k < 6; ++k)
        pkm_result_number(out, key[k], unit[k], value[k]);
}

/// Electrical energy taken and given back [J]: of the motion where it is known, else by trapezoids
/// over the rows (powers taken and given back have kinks); NaN: they are too few.
static void energies_of(const pkm_table* table, int electric, double* taken, double* given)
{
    if (pkm_table_get_parts(table, electric, taken, given)) return;
    *taken = integral(table, electric, rising, 1);
    *given = integral(table, electric, falling, 1);
    const double whole = *taken + *given;
    if (is_coarse(table, electric, rising, whole) || is_coarse(table, electric, falling, whole))
        *taken = *given = NAN;
}

void pkm_motor_result(const pkm_table* table, const char* drive, pkm_result* item,
                      pkm_result* lines)
{
    static const double RPM = 9.549296585513721; // per rad/s
    const int torque = pkm_table_find_item(table, drive, "torque");
    const int shaft = pkm_table_find_item(table, drive, "shaft");
    const int mechanical = pkm_table_find_item(table, drive, "mechanical");
    const int electric = pkm_table_find_item(table, drive, "electric");
    if (torque == PKM_NONE || shaft == PKM_NONE || mechanical == PKM_NONE || electric == PKM_NONE)
        return;
    const double most = pkm_table_reduce(table, torque, PKM_REDUCE_ABSMAX, NULL);
    // root mean square [N m], peaks of torque, speed and power, energies taken and given back [J]
    double value[6] = {pkm_table_rms(table, torque), most,
                       pkm_table_reduce(table, shaft, PKM_REDUCE_ABSMAX, NULL),
                       pkm_table_reduce(table, mechanical, PKM_REDUCE_ABSMAX, NULL)};
    energies_of(table, electric, &value[4], &value[5]);
    if (isnan(value[0])) value[4] = value[5] = NAN; // of too few rows, too
    put_motor(pkm_result_group(item, "motor"), value);
    pkm_result* line = pkm_result_group(lines, NULL);
    pkm_result_text(line, "name", drive);
    pkm_result_number(line, "_rpm", "", RPM * value[2]);
    put_motor(line, value);
}

/// The forces of a drive in the unit that suits the largest.
static void put_for_people(pkm_result* in, const char* unit, double most)
{
    static const char* const key[] = {"min_force", "max_force", "absmax_force", "rms_force"};
    static const char* const shown[] = {"_min", "_max", "_absmax", "_rms"};
    const pkm_suited s = pkm_suited_make(unit, most);
    for (int k = 0; k < 4; ++k)
        pkm_result_number(in, shown[k], "",
                          s.factor * pkm_result_value(pkm_result_find(in, key[k]), 0));
    pkm_result_text(in, "_unit", s.unit);
}

static void put_drives(pkm_result* in, pkm_result* headlines, const pkm_robot* robot,
                       const pkm_table* table)
{
    pkm_result *list = pkm_result_list(in, "drives"), *motors = pkm_result_list(in, "_motors");
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const char* name = robot->mech->drive[d].name;
        const int c = pkm_table_find_item(table, name, "force");
        const char* unit = pkm_table_unit(table, c);
        char headline[2 * PKM_MAX_NAME];
        int row = 0;
        const double most = pkm_table_reduce(table, c, PKM_REDUCE_ABSMAX, &row);
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", name);
        pkm_result_text(item, "unit", unit);
        pkm_result_number(item, "min_force", unit,
                          pkm_table_reduce(table, c, PKM_REDUCE_MIN, NULL));
        pkm_result_number(item, "max_force", unit,
                          pkm_table_reduce(table, c, PKM_REDUCE_MAX, NULL));
        pkm_result_number(item, "absmax_force", unit, most);
        pkm_result_number(item, "absmax_time", "s", pkm_table_get(table, row, 0));
        pkm_result_number(item, "rms_force", unit, pkm_table_rms(table, c));
        put_for_people(item, unit, most);
        pkm_motor_result(table, name, item, motors);
        snprintf(headline, sizeof headline, "absmax %s.force", name);
        pkm_headline_result(headlines, headline, most, unit);
    }
}

void pkm_cycle_result(const pkm_motion* motion, double end, pkm_result* out)
{
    const int picks = motion ? pkm_motion_n_pick(motion, end) : 0;
    if (picks == 0 || !(end > 0.0)) return;
    pkm_result_integer(out, "picks", picks);
    pkm_result_number(out, "picks_per_minute", "1/min", 60.0 * picks / end);
}

void pkm_inverse_result(const pkm_robot* robot, int motion, pkm_method method,
                        const pkm_inverse_report* report, const pkm_table* table, pkm_result* out)
{
    const char* name = pkm_motion_name(robot->desc->motion[motion].motion);
    pkm_result_text(out, "name", robot->desc->name);
    pkm_result_text(out, "motion", name);
    pkm_result_text(out, "method", method == PKM_METHOD_ENGINE ? "engine" : "closed");
    pkm_result_text(out, "_method", method == PKM_METHOD_ENGINE ? "general engine" : "closed form");
    pkm_result_integer(out, "instants", report->n_done);
    pkm_result_number(out, "duration", "s", report->t_end);
    pkm_cycle_result(robot->desc->motion[motion].motion, report->t_end, out);
    pkm_result* headlines = pkm_result_list(out, "_headlines");
    put_drives(out, headlines, robot, table);
    put_energy(out, report, method);
    pkm_headline_result(headlines, "energy residual", energy_residual(report), "");
    pkm_limits_result(report->limit, report->n_limit, out);
    put_nearness(out, table);
    pkm_result_warnings(out, pkm_table_get_warnings(table));
    list_published(out, robot, name, table);
}

// ---- comparison -------------------------------------------------------------------------------

void pkm_compare_result(const pkm_robot* robot, const char* motion, int n_instant,
                        const pkm_compare_row* row, bool generated, pkm_result* out)
{
    double largest = 0.0, difference = 0.0;
    pkm_result_text(out, "name", robot->desc->name);
    pkm_result_text(out, "motion", motion);
    pkm_result_integer(out, "instants", n_instant);
    pkm_result_text(out, "against", generated ? "generated code" : "closed form");
    if (!generated) pkm_result_text(out, "closed_form", pkm_closed_get_family(robot->closed)->name);
    pkm_result* list = pkm_result_list(out, "drives");
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const char* unit = pkm_robot_drive_unit(robot, d, -1);
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", robot->mech->drive[d].name);
        pkm_result_number(item, "largest_force", unit, row[d].largest_force);
        const pkm_suited s = pkm_suited_make(unit, row[d].largest_force);
        const pkm_suited off = pkm_suited_make(unit, row[d].difference);
        pkm_result_number(item, "_largest", "", s.factor * row[d].largest_force);
        pkm_result_text(item, "_unit", s.unit);
        pkm_result_number(item, "_difference", "", off.factor * row[d].difference);
        pkm_result_text(item, "_difference_unit", off.unit);
        pkm_result_number(item, "difference", unit, row[d].difference);
        pkm_result_number(item, "t", "s", row[d].t);
        largest = fmax(largest, row[d].largest_force);
        difference = fmax(difference, row[d].difference);
    }
    pkm_result_number(out, "relative_difference", "",
                      largest > 0.0 ? difference / largest : difference);
}
