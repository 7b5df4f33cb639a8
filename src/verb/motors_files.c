// The folder of pkm motors.
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "pkm/output.h"
#include "plot/plot.h"
#include "robot/inverse_result.h"
#include "table/column.h"
#include "verb/motors_task.h"

#include <math.h>
#include <stdio.h>

// ---- torque over speed ------------------------------------------------------------------------

enum { N_LIMIT = 6 };

/// The corners of a limit: driving from no speed to the largest, braking back.
static void limit_line(const pkm_motor_offer* o, bool peak, double* x, double* y)
{
    const double at[] = {0.0, o->knee_speed, o->max_speed};
    for (int k = 0; k < N_LIMIT; ++k) {
        const double speed = at[k < 3 ? k : N_LIMIT - 1 - k];
        const double most = peak ? pkm_motor_peak_at(o, speed) : o->rated_torque;
        x[k] = VERB_RPM * speed;
        y[k] = k < 3 ? most : -most;
    }
}

/// Everything that the plot borrows.
typedef struct diagram {
    double limit[2][2][N_LIMIT];
    pkm_plot_series series[PKM_MAX_DRIVE + 2];
    double* memory;
} diagram;

/// Torque over the magnitude of the speed, positive where the motor drives.
static void trace(const pkm_verb_motor_task* m, const pkm_motor_offer* o, int d, double* x,
                  double* y)
{
    const pkm_motor_columns c = pkm_motor_columns_of(m->table, m->robot->mech->drive[d].name);
    for (int i = 0; i < pkm_table_n_row(m->table); ++i) {
        const pkm_motor_point p = pkm_motor_at(o, m->table, &c, i);
        x[i] = VERB_RPM * fabs(p.shaft_speed);
        y[i] = p.shaft_speed < 0.0 ? -p.torque : p.torque;
    }
}

static int fill_series(const pkm_verb_motor_task* m, const pkm_motor_offer* o, diagram* out)
{
    static const char* const word[] = {"peak limit", "continuous limit"};
    const int n = pkm_table_n_row(m->table), n_drive = m->robot->mech->n_drive;
    for (int d = 0; d < n_drive; ++d) {
        double *x = out->memory + (size_t)(2 * d) * (size_t)n, *y = x + n;
        trace(m, o, d, x, y);
        out->series[d] =
            (pkm_plot_series){.name = m->robot->mech->drive[d].name, .x = x, .y = y, .n = n};
    }
    for (int k = 0; k < 2; ++k) {
        limit_line(o, k == 0, out->limit[k][0], out->limit[k][1]);
        out->series[n_drive + k] = (pkm_plot_series){
            .name = word[k], .x = out->limit[k][0], .y = out->limit[k][1], .n = N_LIMIT};
    }
    return n_drive + 2;
}

static pkm_status draw_diagram(const pkm_verb_motor_task* m, const char* path, pkm_error* err)
{
    const pkm_motor_offer* o = m->shown;
    diagram d = {.memory = NULL};
    const size_t n = (size_t)pkm_table_n_row(m->table);
    char title[400];
    d.memory = pkm_alloc(2 * n * PKM_MAX_DRIVE, sizeof(double));
    if (!d.memory) return pkm_out_of_memory(err);
    const int n_series = fill_series(m, o, &d);
    snprintf(title, sizeof title, "%.120s: %.80s with gear %.4g", m->robot->desc->name, o->name,
             o->motor.gear_ratio);
    const pkm_plot_panel panel = {.y = {.label = "torque of the motor", .unit = "N m"},
                                  .series = d.series,
                                  .n_series = n_series};
    const pkm_plot plot = {.title = title,
                           .height = 110.0,
                           .x = {.label = "speed of the motor", .unit = "rpm"},
                           .panel = &panel,
                           .n_panel = 1};
    const pkm_status status = pkm_plot_write(&plot, path, err);
    pkm_free(d.memory);
    return status;
}

// ---- over time --------------------------------------------------------------------------------

typedef struct shaft {
    double torque, speed, power, electric;
} shaft;

static const pkm_column shaft_columns[] = {
    {"torque", "N m", offsetof(shaft, torque), .title = "torque of the motor"},
    {"shaft", "rad/s", offsetof(shaft, speed), .title = "speed of the motor"},
    {"power", "W", offsetof(shaft, power), .title = "mechanical power of the motor"},
    {"electric", "W", offsetof(shaft, electric), .title = "electrical power"}};
enum { N_SHAFT = sizeof shaft_columns / sizeof shaft_columns[0], MOST_ROWS = 20001 };
static const pkm_column time_column = {.quantity = "t", .unit = "s"};

/// All columns, or their values in row `i` of inverse dynamics.
static void put_row(const void* task, int i, pkm_layout* to)
{
    const pkm_verb_motor_task* m = task;
    pkm_layout_put_value(to, &time_column, to->table ? 0.0 : pkm_table_get(m->table, i, 0));
    for (int d = 0; d < m->robot->mech->n_drive; ++d) {
        const char* name = m->robot->mech->drive[d].name;
        shaft at = {.torque = 0.0};
        if (!to->table) {
            const pkm_motor_columns c = pkm_motor_columns_of(m->table, name);
            const pkm_motor_point p = pkm_motor_at(m->shown, m->table, &c, i);
            at = (shaft){p.torque, p.shaft_speed, p.torque * p.shaft_speed, p.electrical_power};
        }
        pkm_layout_put(to, name, shaft_columns, N_SHAFT, &at);
    }
}

static pkm_status draw_time(const pkm_verb_motor_task* m, const pkm_table* table, const char* path,
                            pkm_error* err)
{
    int column[N_SHAFT * PKM_MAX_DRIVE], n = 0;
    char title[400];
    for (int k = 0; k < N_SHAFT; ++k)
        for (int d = 0; d < m->robot->mech->n_drive; ++d)
            column[n++] = pkm_table_find_item(table, m->robot->mech->drive[d].name,
                                              shaft_columns[k].quantity);
    snprintf(title, sizeof title, "%.120s: %.80s with gear %.4g", m->robot->desc->name,
             m->shown->name, m->shown->motor.gear_ratio);
    return pkm_plot_table_levels(table, 0, column, n, NULL, 0, title, path, err);
}

// ---- the folder -------------------------------------------------------------------------------

/// What is drawn.
typedef struct pictures {
    const pkm_verb_motor_task* m;
    const pkm_table* table;
} pictures;

static pkm_status draw(const void* user, pkm_verb_files* files, pkm_error* err)
{
    const pictures* p = user;
    PKM_TRY(draw_diagram(p->m, pkm_verb_file(files, "torque-speed.svg"), err));
    return draw_time(p->m, p->table, pkm_verb_file(files, "motor.svg"), err);
}

static void put_headlines(const pkm_verb_motor_task* m)
{
    pkm_result* lines = pkm_result_list(m->result, "_headlines");
    const pkm_motor_fit worst = pkm_verb_motors_worst(m, m->shown);
    pkm_headline_result(lines, "margin", worst.margin, "");
    pkm_headline_result(lines, "rms torque", worst.rms_torque, "N m");
    pkm_headline_result(lines, "peak torque", worst.peak_torque, "N m");
}

pkm_status pkm_verb_motors_write(pkm_verb_motor_task* m, pkm_error* err)
{
    pkm_table* table = pkm_verb_table(m->args, "shafts");
    const pictures p = {m, table};
    const pkm_verb_run out = {
        .args = m->args,
        .robot = m->robot,
        .motion = pkm_motion_name(m->robot->desc->motion[m->run->settings.motion].motion),
        .ending = "-motors",
        .table = table,
        .complete = true,
        .wall_time = pkm_clock() - m->start,
        .draw = draw,
        .user = &p,
        .tree = m->result};
    // every row of inverse dynamics, or as many as one reads
    const int n = pkm_table_n_row(m->table), every = 1 + (n - 2) / MOST_ROWS;
    if (!pkm_layout_fill(table, n, every, put_row, m)) return pkm_out_of_memory(err);
    pkm_result_text(m->result, "shown", m->shown->name);
    pkm_result_number(m->result, "shown_gear_ratio", "", m->shown->motor.gear_ratio);
    put_headlines(m);
    return pkm_verb_run_write(&out, m->folder, sizeof m->folder, err);
}
