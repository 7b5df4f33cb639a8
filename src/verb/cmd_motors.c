#include "verb/commands.h"

#include "api/rows.h"
#include "base/error.h"
#include "plot/plot.h"
#include "report/render.h"
#include "robot/inverse_result.h"
#include "run/motor_table.h"
#include "run/takes.h"
#include "table/column.h"
#include "verb/result_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {"--motors", "FILE", .text = "a table of motors, with gears or screws (needed)"},
    {.name = "--motion"},
    {.name = "--for"},
    {.name = "--instants"},
    {.name = "--tool-force"},
    {.name = "--friction"},
    {.name = "--load"},
    {.name = "--payload"},
    {.name = "--run"},
    {"--show", "MOTOR",
     .text = "whose torque and speed are drawn (default: the smallest that serves)"},
    {"-o", "DIR", .text = "folder for torque-speed.svg"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_motors = {
    .name = "motors",
    .operand = "MODEL",
    .text = "which motors of a table serve a motion, with which margin",
    .help = "Inverse dynamics gives force, speed and acceleration of each drive; with the gear or\n"
            "screw of the table and the rotor's inertia these are torque and speed of the shaft.\n"
            "A motor serves when its rated torque covers the rms torque over the cycle, its peak\n"
            "torque every instant, its largest speed all speeds. Rows are taken until rms forces\n"
            "hold to 0.1 %. -o draws torque over speed with these limits.",
    .example = "pkm motors robots/siax.yaml --motors motors/servo.yaml -o siax-motors",
    .another = "pkm motors robots/lindelta.yaml --motors motors/screw.yaml",
    .option = options,
    .n_option = sizeof options / sizeof options[0],
    .run = run,
};

static const char text[] =
    "{name}, motion {motion}: {duration:.6g} s, {cycles:.5g} cycles per minute\n" PKM_CYCLE_TEXT
    "\nmotor               gear   rms / rated N m     peak N m    speed rpm    power W   margin  "
    "limited by\n"
    "{*motors}  {name:-16s} {gear_ratio:6.4g} {rms_torque:8.3g} / {rated_torque:-8.3g} "
    "{peak_torque:8.3g} / {_peak_limit:-7.3g} {_rpm:6.0f} / {_max_rpm:-6.0f} {peak_power:8.4g} "
    "{margin:7.3g}  {_verdict}\n{/}"
    "\n[smallest that serves: {best}[ with gear {best_gear_ratio:.4g}]\n]"
    "[{!best}none of them serves\n]"
    "[{?best}\ndrive            rms N m     peak N m    speed rpm    power W  taken J  given back "
    "J   margin\n"
    "{*_drives}  {name:-12s} {rms_torque:10.4g}   {peak_torque:10.4g} {_rpm:12.0f} "
    "{peak_power:10.4g} {consumed:8.4g} {regenerated:12.4g} {margin:8.3g}\n{/}]"
    "[\ntorque over speed in {picture}\n]" PKM_RENDER_WARNINGS;

/// All of one answer.
typedef struct motors {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    pkm_run* run;
    pkm_table* table;
    pkm_motor_table offers;
    pkm_result* result;
    int best; ///< PKM_NONE: none serves
    char picture[1100];
} motors;

// ---- the motion -------------------------------------------------------------------------------

static pkm_status read_run(motors* m, pkm_error* err)
{
    const pkm_verb_arguments* args = m->args;
    PKM_TRY(pkm_run_create(m->robot, &m->run, err));
    PKM_TRY(pkm_verb_choose(m->run, args, err));
    PKM_TRY(pkm_run_complete(m->run, args->set, args->n_set, err));
    return pkm_run_require(m->run, PKM_ANALYSIS_MOTORS, err);
}

/// Mean square of a column over the time of its rows, and the largest magnitude at them.
static double mean_square(const pkm_table* table, int column, double* largest)
{
    double sum = 0.0, last = 0.0;
    const int n = pkm_table_n_row(table);
    *largest = 0.0;
    for (int i = 0; i < n; ++i) {
        const double x = pkm_table_get(table, i, column);
        const double h = i > 0 ? pkm_table_get(table, i, 0) - pkm_table_get(table, i - 1, 0) : 0.0;
        sum += 0.5 * h * (x * x + last * last);
        *largest = fmax(*largest, fabs(x));
        last = x;
    }
    return sum / (pkm_table_get(table, n - 1, 0) - pkm_table_get(table, 0, 0));
}

/// Do twice as many rows tell the same of forces and accelerations? Rows that do not see the
/// located peaks tell nothing: a short motion in a long cycle lies between them.
static bool is_settled(const motors* m, const pkm_table* rows, const pkm_table* finer)
{
    static const char* const quantity[] = {"force", "a"};
    static const double SAME = 1e-3, SEEN = 0.8; // of a mean square; of a peak
    for (int d = 0; d < m->robot->mech->n_drive; ++d)
        for (int k = 0; k < 2; ++k) {
            double seen, largest;
            const int c = pkm_table_find_item(finer, m->robot->mech->drive[d].name, quantity[k]);
            const double now = mean_square(finer, c, &largest), then = mean_square(rows, c, &seen);
            if (fabs(now - then) > SAME * now) return false;
            if (seen < SEEN * pkm_table_reduce(finer, c, PKM_REDUCE_ABSMAX, NULL)) return false;
        }
    return true;
}

static pkm_status take_rows(const motors* m, int n, pkm_table** out, pkm_error* err)
{
    const pkm_sim_settings* s = &m->run->settings;
    pkm_inverse_settings settings = pkm_rows_inverse_of(m->run);
    settings.n_instant = n;
    settings.reactions = false;
    *out = pkm_table_create();
    if (!*out) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return pkm_inverse_run(m->robot, s->motion, &settings, *out, NULL, err);
}

/// The motion at as many rows as the rms values over the cycle need, those asked for at least.
static pkm_status move(motors* m, pkm_error* err)
{
    enum { LEAST = 101, MOST = 1000000 };
    int n = m->run->settings.n_instant > LEAST ? m->run->settings.n_instant : LEAST;
    if (m->run->settings.motion == PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: motors need a motion", m->robot->desc->name);
    PKM_TRY(take_rows(m, n, &m->table, err));
    for (bool settled = false; !settled;) {
        pkm_table* finer = NULL;
        if (n > MOST)
            return pkm_fail(err, PKM_ERR_CONVERGENCE,
                            "%d rows do not tell the rms torques over the cycle to 0.1 %%; try a "
                            "shorter cycle (--for)",
                            n);
        const pkm_status status = take_rows(m, n = 2 * n - 1, &finer, err);
        settled = status == PKM_OK && is_settled(m, m->table, finer);
        pkm_table_free(m->table);
        m->table = finer;
        if (status != PKM_OK) return status;
    }
    return PKM_OK;
}

// ---- the answer -------------------------------------------------------------------------------

static const char* const limit_word[] = {"rated torque", "peak torque", "speed"};
static const double RPM = 9.549296585513721; // per rad/s

static void put_fit(pkm_result* in, const pkm_motor_fit* fit)
{
    pkm_result_number(in, "rms_torque", "N m", fit->rms_torque);
    pkm_result_number(in, "peak_torque", "N m", fit->peak_torque);
    pkm_result_number(in, "peak_speed", "rad/s", fit->peak_speed);
    pkm_result_number(in, "_rpm", "", RPM * fit->peak_speed);
    pkm_result_number(in, "peak_power", "W", fit->peak_power);
    pkm_result_number(in, "consumed", "J", fit->consumed);
    pkm_result_number(in, "regenerated", "J", fit->regenerated);
    pkm_result_number(in, "margin", "", fit->margin);
    pkm_result_text(in, "limit", limit_word[fit->limit]);
}

/// The drive that asks most of the motor, the first of those that ask the same but for rounding.
static pkm_motor_fit worst_of(const motors* m, const pkm_motor_offer* offer)
{
    pkm_motor_fit worst = {.margin = HUGE_VAL};
    for (int d = 0; d < m->robot->mech->n_drive; ++d) {
        const pkm_motor_fit fit =
            pkm_motor_fit_drive(offer, m->table, m->robot->mech->drive[d].name);
        if (fit.margin < (1.0 - 1e-9) * worst.margin) worst = fit;
    }
    return worst;
}

static void put_drives(const motors* m, const pkm_motor_offer* offer, pkm_result* list)
{
    for (int d = 0; d < m->robot->mech->n_drive; ++d) {
        const char* name = m->robot->mech->drive[d].name;
        const pkm_motor_fit fit = pkm_motor_fit_drive(offer, m->table, name);
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", name);
        put_fit(item, &fit);
    }
}

static void put_offer(const motors* m, const pkm_motor_offer* o, pkm_result* list)
{
    const pkm_motor_fit fit = worst_of(m, o);
    pkm_result* item = pkm_result_group(list, NULL);
    pkm_result_text(item, "name", o->name);
    pkm_result_number(item, "gear_ratio", "", o->motor.gear_ratio);
    pkm_result_number(item, "rated_torque", "N m", o->rated_torque);
    pkm_result_number(item, "_peak_limit", "N m", o->peak_torque);
    pkm_result_number(item, "_max_rpm", "", RPM * o->max_speed);
    pkm_result_bool(item, "serves", fit.margin >= 1.0);
    pkm_result_format(item, "_verdict", "%s%s", limit_word[fit.limit],
                      fit.margin >= 1.0 ? "" : ", too small");
    put_fit(item, &fit);
    put_drives(m, o, pkm_result_list(item, "drives"));
}

/// The one with the smallest rated torque; of equal ones that with the larger margin.
static int find_best(const motors* m)
{
    int best = PKM_NONE;
    double margin = 0.0;
    for (int i = 0; i < m->offers.n; ++i) {
        const pkm_motor_fit fit = worst_of(m, &m->offers.offer[i]);
        if (fit.margin < 1.0) continue;
        const double now = m->offers.offer[i].rated_torque;
        const double so_far = best == PKM_NONE ? HUGE_VAL : m->offers.offer[best].rated_torque;
        if (now > so_far || (now == so_far && fit.margin <= margin)) continue;
        best = i;
        margin = fit.margin;
    }
    return best;
}

static void put_all(motors* m)
{
    const double end = pkm_table_get(m->table, pkm_table_n_row(m->table) - 1, 0);
    const pkm_description* desc = m->robot->desc;
    pkm_result_text(m->result, "name", desc->name);
    pkm_result_text(m->result, "motion",
                    pkm_motion_name(desc->motion[m->run->settings.motion].motion));
    pkm_result_number(m->result, "duration", "s", end);
    pkm_result_number(m->result, "cycles", "1/min", 60.0 / end);
    pkm_cycle_result(desc->motion[m->run->settings.motion].motion, end, m->result);
    pkm_result_warnings(m->result, pkm_table_get_warnings(m->table));
    pkm_result* list = pkm_result_list(m->result, "motors");
    for (int i = 0; i < m->offers.n; ++i)
        put_offer(m, &m->offers.offer[i], list);
    m->best = find_best(m);
    if (m->best == PKM_NONE) return;
    const pkm_motor_offer* best = &m->offers.offer[m->best];
    pkm_result_text(m->result, "best", best->name);
    pkm_result_number(m->result, "best_gear_ratio", "", best->motor.gear_ratio);
    put_drives(m, best, pkm_result_list(m->result, "_drives"));
}

// ---- the picture ------------------------------------------------------------------------------

enum { N_LIMIT = 6 };

/// The corners of a limit: driving from no speed to the largest, braking back.
static void limit_line(const pkm_motor_offer* o, bool peak, double* x, double* y)
{
    const double at[] = {0.0, o->knee_speed, o->max_speed};
    for (int k = 0; k < N_LIMIT; ++k) {
        const double speed = at[k < 3 ? k : N_LIMIT - 1 - k];
        const double most = peak ? pkm_motor_peak_at(o, speed) : o->rated_torque;
        x[k] = RPM * speed;
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
static void trace(const motors* m, const pkm_motor_offer* o, int d, double* x, double* y)
{
    const pkm_motor_columns c = pkm_motor_columns_of(m->table, m->robot->mech->drive[d].name);
    for (int i = 0; i < pkm_table_n_row(m->table); ++i) {
        const pkm_motor_point p = pkm_motor_at(o, m->table, &c, i);
        x[i] = RPM * fabs(p.shaft_speed);
        y[i] = p.shaft_speed < 0.0 ? -p.torque : p.torque;
    }
}

static int fill_series(const motors* m, const pkm_motor_offer* o, diagram* out)
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

static pkm_status draw(motors* m, const pkm_motor_offer* o, pkm_error* err)
{
    diagram d = {.memory = NULL};
    const size_t n = (size_t)pkm_table_n_row(m->table);
    char title[400];
    d.memory = pkm_alloc(2 * n * PKM_MAX_DRIVE, sizeof(double));
    if (!d.memory) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
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
    const pkm_status status = pkm_plot_write(&plot, m->picture, err);
    pkm_free(d.memory);
    return status;
}

static pkm_status find_shown(const motors* m, int* out, pkm_error* err)
{
    const char* name = pkm_verb_get(m->args, "--show");
    *out = m->best == PKM_NONE ? 0 : m->best;
    if (!name) return PKM_OK;
    for (int i = 0; i < m->offers.n; ++i) {
        *out = i;
        if (strcmp(m->offers.offer[i].name, name) == 0) return PKM_OK;
    }
    return pkm_fail(err, PKM_ERR_ARGUMENT, "--show: the table has no motor '%.60s'", name);
}

static pkm_status answer(motors* m, pkm_error* err)
{
    const char *file = pkm_verb_get(m->args, "--motors"), *folder = pkm_verb_get(m->args, "-o");
    int shown;
    if (!file) return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm motors: expected --motors FILE");
    PKM_TRY(pkm_motor_table_read(file, &m->offers, err));
    PKM_TRY(read_run(m, err));
    PKM_TRY(move(m, err));
    put_all(m);
    PKM_TRY(find_shown(m, &shown, err));
    if (!folder) return PKM_OK;
    PKM_TRY(pkm_verb_make_folder(folder, err));
    snprintf(m->picture, sizeof m->picture, "%.1000s/torque-speed.svg", folder);
    pkm_result_text(m->result, "picture", m->picture);
    pkm_verb_wrote(m->args, NULL, m->picture);
    return draw(m, &m->offers.offer[shown], err);
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    motors* m = pkm_verb_work(args, sizeof *m, err);
    if (!m) return PKM_ERR_MEMORY;
    m->args = args;
    m->result = pkm_verb_result(args);
    PKM_TRY(pkm_verb_begin(args, &m->robot, err));
    const pkm_status status = answer(m, err);
    pkm_motor_table_free(&m->offers);
    pkm_table_free(m->table);
    pkm_run_free(m->run);
    return status == PKM_OK ? pkm_verb_show(args, text, err) : status;
}
