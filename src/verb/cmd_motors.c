// pkm motors: what a cycle asks of each motor, and which motors of a table serve with which margin.
// Rows are doubled until rms values no longer depend on their number.
#include "verb/commands.h"

#include "api/rows.h"
#include "base/clock.h"
#include "base/error.h"
#include "report/render.h"
#include "robot/inverse_result.h"
#include "run/takes.h"
#include "table/column.h"
#include "verb/motors_task.h"

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
    {"-o", "DIR",
     .text = "folder for torque-speed.svg, the shaft over time (table.csv, motor.svg), "
             "summary.json and manifest.json"},
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
    VERB_OPTIONS(options),
    .run = run,
};

static const char text[] =
    "{name}, motion {motion}: {duration:.6g} s, {cycles:.5g} cycles per minute\n" PKM_CYCLE_TEXT
    "\nmotor               gear   rms / rated N m     peak N m    speed rpm    power W   margin  "
    "limited by\n"
    "{*motors}  {name:-16s} {gear_ratio:6.4g} {rms_torque:8.3g} / {rated_torque:-8.3g} "
    "{peak_torque:8.3g} / {peak_limit:-7.3g} {_rpm:6.0f} / {_max_rpm:-6.0f} {peak_power:8.5g} "
    "{margin:7.3g}  {_verdict}\n{/}"
    "\n[smallest that serves: {best}[ with gear {best_gear_ratio:.4g}]\n]"
    "[{!best}none of them serves\n]"
    "[{?best}\ndrive            rms N m     peak N m    speed rpm    power W  taken J  given back "
    "J   margin\n"
    "{*_drives}  {name:-12s} {rms_torque:10.4g}   {peak_torque:10.4g} {_rpm:12.0f} "
    "{peak_power:10.5g} {consumed:8.4g} {regenerated:12.4g} {margin:8.3g}\n{/}]" PKM_RENDER_WARNINGS
    "[\nresults in {folder}\n]";

// ---- the motion -------------------------------------------------------------------------------

/// The run of inverse dynamics, on which the motors are judged.
static pkm_status read_run(pkm_verb_motor_task* m, pkm_error* err)
{
    const pkm_verb_arguments* args = m->args;
    PKM_TRY(pkm_run_create_contacts(m->robot, &m->run, err));
    PKM_TRY(pkm_verb_choose(m->run, args, err));
    PKM_TRY(pkm_run_complete(m->run, err));
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
        // by trapezoids of the square
        sum += 0.5 * h * (x * x + last * last);
        *largest = fmax(*largest, fabs(x));
        last = x;
    }
    return sum / (pkm_table_get(table, n - 1, 0) - pkm_table_get(table, 0, 0));
}

/// Do twice as many rows tell the same of forces and accelerations? Rows that do not see the
/// located peaks tell nothing: a short motion in a long cycle lies between them.
static bool is_settled(const pkm_verb_motor_task* m, const pkm_table* rows, const pkm_table* finer)
{
    static const char* const quantity[] = {"force", "a"};
    static const double SAME = 1e-3, SEEN = 0.8; // of a mean square; of a peak
    for (int d = 0; d < m->robot->mech->n_drive; ++d)
        for (int k = 0; k < 2; ++k) {
            double seen, largest;
            const int c = pkm_table_find_item(finer, m->robot->mech->drive[d].name, quantity[k]);
            const double now = mean_square(finer, c, &largest), then = mean_square(rows, c, &seen);
            if (fabs(now - then) > SAME * now) return false;
            // the located peak is that of the motion; rows that reach 80 % of it have seen it
            if (seen < SEEN * pkm_table_reduce(finer, c, PKM_REDUCE_ABSMAX, NULL)) return false;
        }
    return true;
}

/// Inverse dynamics along the motion at `n` instants.
static pkm_status take_rows(const pkm_verb_motor_task* m, int n, pkm_table** out, pkm_error* err)
{
    const pkm_sim_settings* s = &m->run->settings;
    pkm_inverse_settings settings = pkm_rows_inverse_of(m->run);
    settings.n_instant = n;
    // motors see drives alone: reactions of all joints would only cost
    settings.reactions = false;
    *out = pkm_table_create();
    if (!*out) return pkm_out_of_memory(err);
    return pkm_inverse_run(m->robot, s->motion, &settings, *out, NULL, err);
}

/// The motion at as many rows as the rms values over the cycle need, those asked for at least.
static pkm_status move(pkm_verb_motor_task* m, pkm_error* err)
{
    enum { LEAST = 101, MOST = 1000000 };
    // 101 rows at least: fewer would pass the test of doubling by chance
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
        // twice as many intervals, the old rows among the new ones
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

/// What a drive asks of a motor; margin < 1: too small, by the limit that is named.
static void put_fit(pkm_result* in, const pkm_motor_fit* fit)
{
    pkm_result_number(in, "rms_torque", "N m", fit->rms_torque);
    pkm_result_number(in, "peak_torque", "N m", fit->peak_torque);
    pkm_result_number(in, "peak_speed", "rad/s", fit->peak_speed);
    pkm_result_number(in, "_rpm", "", VERB_RPM * fit->peak_speed);
    pkm_result_number(in, "peak_power", "W", fit->peak_power);
    pkm_result_number(in, "consumed", "J", fit->consumed);
    pkm_result_number(in, "regenerated", "J", fit->regenerated);
    pkm_result_number(in, "margin", "", fit->margin);
    pkm_result_text(in, "limit", limit_word[fit->limit]);
}

pkm_motor_fit pkm_verb_motors_worst(const pkm_verb_motor_task* m, const pkm_motor_offer* offer)
{
    pkm_motor_fit worst = {.margin = HUGE_VAL};
    for (int d = 0; d < m->robot->mech->n_drive; ++d) {
        const pkm_motor_fit fit =
            pkm_motor_fit_drive(offer, m->table, m->robot->mech->drive[d].name);
        // equal drives of a symmetric robot differ by rounding: the first of them is named
        if (fit.margin < (1.0 - 1e-9) * worst.margin) worst = fit;
    }
    return worst;
}

static void put_drives(const pkm_verb_motor_task* m, const pkm_motor_offer* offer, pkm_result* list)
{
    for (int d = 0; d < m->robot->mech->n_drive; ++d) {
        const char* name = m->robot->mech->drive[d].name;
        const pkm_motor_fit fit = pkm_motor_fit_drive(offer, m->table, name);
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", name);
        put_fit(item, &fit);
    }
}

static void put_offer(const pkm_verb_motor_task* m, const pkm_motor_offer* o, pkm_result* list)
{
    const pkm_motor_fit fit = pkm_verb_motors_worst(m, o);
    pkm_result* item = pkm_result_group(list, NULL);
    pkm_result_text(item, "name", o->name);
    pkm_result_number(item, "gear_ratio", "", o->motor.gear_ratio);
    pkm_result_number(item, "rated_torque", "N m", o->rated_torque);
    pkm_result_number(item, "peak_limit", "N m", o->peak_torque);
    pkm_result_number(item, "max_speed", "rad/s", o->max_speed);
    pkm_result_number(item, "_max_rpm", "", VERB_RPM * o->max_speed);
    // exactly at its limit a motor serves: limits are those of its maker
    pkm_result_bool(item, "serves", fit.margin >= 1.0);
    pkm_result_format(item, "_verdict", "%s%s", limit_word[fit.limit],
                      fit.margin >= 1.0 ? "" : ", too small");
    put_fit(item, &fit);
    put_drives(m, o, pkm_result_list(item, "drives"));
}

/// The one with the smallest rated torque; of equal ones that with the larger margin.
static int find_best(const pkm_verb_motor_task* m)
{
    int best = PKM_NONE;
    double margin = 0.0;
    for (int i = 0; i < m->offers.n; ++i) {
        const pkm_motor_fit fit = pkm_verb_motors_worst(m, &m->offers.offer[i]);
        if (fit.margin < 1.0) continue;
        const double now = m->offers.offer[i].rated_torque;
        // price goes with the rated torque; margins beyond 1 buy nothing but room
        const double so_far = best == PKM_NONE ? HUGE_VAL : m->offers.offer[best].rated_torque;
        if (now > so_far || (now == so_far && fit.margin <= margin)) continue;
        best = i;
        margin = fit.margin;
    }
    return best;
}

static void put_all(pkm_verb_motor_task* m)
{
    const double end = pkm_table_get(m->table, pkm_table_n_row(m->table) - 1, 0);
    const pkm_description* desc = m->robot->desc;
    pkm_result_text(m->result, "name", desc->name);
    pkm_result_text(m->result, "motion",
                    pkm_motion_name(desc->motion[m->run->settings.motion].motion));
    pkm_result_number(m->result, "duration", "s", end);
    // how often a minute when it is repeated without a pause
    pkm_result_number(m->result, "cycles", "1/min", 60.0 / end);
    // a sequence with payloads tells its rounds and waits
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

// ---- the verb ---------------------------------------------------------------------------------

static pkm_status find_shown(const pkm_verb_motor_task* m, int* out, pkm_error* err)
{
    const char* name = pkm_verb_get(m->args, "--show");
    // whose diagram is drawn: the best, or the first when none serves
    *out = m->best == PKM_NONE ? 0 : m->best;
    if (!name) return PKM_OK;
    for (int i = 0; i < m->offers.n; ++i) {
        *out = i;
        if (strcmp(m->offers.offer[i].name, name) == 0) return PKM_OK;
    }
    return pkm_fail(err, PKM_ERR_ARGUMENT, "--show: the table has no motor '%.60s'", name);
}

/// Does the transmission lead from a shaft to each drive? The ratio of a gear says nothing of a
/// way, and a screw does not turn a drive.
static pkm_status check_transmission(const pkm_verb_motor_task* m, const char* file, pkm_error* err)
{
    for (int d = 0; d < m->robot->mech->n_drive && m->offers.n > 0; ++d) {
        const pkm_drive* drive = &m->robot->mech->drive[d];
        // the transmission is that of the whole table
        const bool has_screw = m->offers.offer[0].motor.screw_lead > 0.0;
        if (!drive->is_rotary && !has_screw)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "%s: drive %s slides, and turns of a gear are no way; expected "
                            "transmission: {screw: {lead: WAY PER TURN}} (2 pi r for a pinion or a "
                            "pulley of radius r)",
                            file, drive->name);
        if (drive->is_rotary && has_screw)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "%s: drive %s turns, a screw drives what slides; expected a "
                            "transmission without a screw",
                            file, drive->name);
    }
    return PKM_OK;
}

/// Squares of torques that overflow are no answer.
static pkm_status check_numbers(const pkm_verb_motor_task* m, pkm_error* err)
{
    for (int i = 0; i < m->offers.n; ++i)
        for (int d = 0; d < m->robot->mech->n_drive; ++d) {
            const pkm_motor_offer* o = &m->offers.offer[i];
            const char* name = m->robot->mech->drive[d].name;
            const pkm_motor_fit fit = pkm_motor_fit_drive(o, m->table, name);
            // a table with a ratio of 1e200 is read without complaint: here it is told
            if (isfinite(fit.rms_torque) && isfinite(fit.peak_power) && isfinite(fit.consumed) &&
                isfinite(fit.regenerated))
                continue;
            return pkm_fail(err, PKM_ERR_NUMBERS,
                            "motor %s on drive %s: the computation left the range of numbers; look "
                            "for a gear ratio, lead, inertia or loss of the wrong size",
                            o->name, name);
        }
    return PKM_OK;
}

static pkm_status answer(pkm_verb_motor_task* m, pkm_error* err)
{
    const char* file = pkm_verb_get(m->args, "--motors");
    int shown;
    if (!file) return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm motors: expected --motors FILE");
    PKM_TRY(pkm_motor_table_read(file, &m->offers, err));
    // what is wrong with the table is said before anything is computed
    PKM_TRY(check_transmission(m, file, err));
    PKM_TRY(read_run(m, err));
    PKM_TRY(move(m, err));
    PKM_TRY(check_numbers(m, err));
    put_all(m);
    PKM_TRY(find_shown(m, &shown, err));
    m->shown = &m->offers.offer[shown];
    return pkm_verb_has(m->args, "-o") ? pkm_verb_motors_write(m, err) : PKM_OK;
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    pkm_verb_motor_task* m = pkm_verb_work(args, sizeof *m, err);
    if (!m) return PKM_ERR_MEMORY;
    m->args = args;
    m->result = pkm_verb_result(args);
    m->start = pkm_clock();
    PKM_TRY(pkm_verb_begin(args, &m->robot, err));
    const pkm_status status = answer(m, err);
    pkm_motor_table_free(&m->offers);
    pkm_table_free(m->table);
    pkm_run_free(m->run);
    return status == PKM_OK ? pkm_verb_show(args, text, err) : status;
}
