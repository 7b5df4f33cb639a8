// What is left of a vibration after a motion, and what shaping the motion removes.
#include "base/clock.h"
#include "base/error.h"
#include "linear/linear_result.h"
#include "math/angle.h"
#include "motion/breaks.h"
#include "motion/events.h"
#include "motion/match.h"
#include "plot/plot.h"
#include "report/render.h"
#include "robot/continuation.h"
#include "robot/inverse_result.h"
#include "run/takes.h"
#include "simulate/simulation.h"
#include "table/column.h"
#include "verb/commands.h"
#include "verb/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {.name = "--motion"},
    {"--frequency", "F",
     .text = "of the vibration [Hz] (the lowest mode at the end of the motion)"},
    {"--modes", "N", .text = "how many of the lowest frequencies are shaped, 1 (default) to 3"},
    {"--damping", "D", .text = "its ratio of critical damping (that of the mode)"},
    {.name = "--flexible"},
    {.name = "--load"},
    {.name = "--drive"},
    {.name = "--payload"},
    {.name = "--tool-force"},
    {.name = "--run"},
    {.name = "--tolerance"},
    {"-o", "DIR", .text = "folder for residual.svg, table.csv, summary.json and manifest.json"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_shape = {
    .name = "shape",
    .operand = "MODEL",
    .text = "vibration left after a motion, before and after shaping it",
    .help = "Simulates the motion as it is written and five periods of its lowest vibration\n"
            "behind it; then with zero-vibration shapers (zv, zvd, zvdd) and stretched to the\n"
            "next duration at which its law leaves none (matched). The vibration is half of what\n"
            "the tool and the other points of the model swing there. Without springs or\n"
            "--flexible all links that can bend do so.",
    .example = "pkm shape robots/siax.yaml --motion paper -o siax-shape",
    .another = "pkm shape robots/siax.yaml --motion paper --flexible 'left: {}' --damping 0.01",
    VERB_OPTIONS(options),
    .run = run,
};

static const char text[] =
    "{name}, motion {motion}: {frequency:.6g} Hz[{?damping}, damping {damping:.3g|100} %] "
    "{_from}\n"
    "\nmotion            stops after s    added s   vibration mm    of it left   at\n"
    "{*variants}  {name:-16s} {stop:12.6g} {added:10.4g} {residual:14.6g|1e3} {share:13.3e}   "
    "{point}\n{/}"
    "[\nbest: {best}\n]" PKM_RENDER_WARNINGS "[\nresults in {folder}\n]";

enum { N_VARIANT = 5, PERIODS = 5, PER_PERIOD = 40, MOST_INSTANTS = 200001 };
static const char* const variant_name[N_VARIANT] = {"as written", "zv", "zvd", "zvdd", "matched"};

/// One way to make the motion, and what is left behind it.
typedef struct variant {
    int motion; ///< of the robot
    double stop, residual;
    const char* point; ///< that swings most
    int column;        ///< of its coordinate that swings most
    int n;             ///< rows behind the stop
    double *t, *y;     ///< [n] time since the stop, and the coordinate without its mean
} variant;

/// All of one answer.
typedef struct shape {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    pkm_run* run;
    int n_shaped;
    double shaped[PKM_MAX_SHAPED]; ///< frequencies [Hz]
    double frequency, damping;     ///< the lowest of them [Hz]; ratio
    bool found;                    ///< they come from a mode
    variant variant[N_VARIANT];
    pkm_result* result;
    double start;
    char folder[1024];
} shape;

// ---- choices ----------------------------------------------------------------------------------

static const pkm_motion* motion_of(const shape* s, int i)
{
    return s->robot->desc->motion[s->variant[i].motion].motion;
}

/// Shaping takes vibration away behind a stop: the motion must have one, and one mass to move.
static pkm_status check_motion(const shape* s, pkm_error* err)
{
    const char* name = s->robot->desc->name;
    if (s->run->settings.motion == PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: shaping needs a motion", name);
    const pkm_motion* motion = s->robot->desc->motion[s->run->settings.motion].motion;
    double speed;
    // a mass that changes changes the frequency, and a shaper has one
    if (pkm_motion_events(motion, NULL, 0) > 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "motion %s picks payloads up or drops them, expected one that carries the "
                        "same all the time; shape the motions of its sequence",
                        pkm_motion_name(motion));
    if (pkm_motion_rests(motion, pkm_motion_duration(motion), pkm_motion_top_speed(motion), &speed))
        return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "motion %s ends with a speed of %.4g, expected a stop",
                    pkm_motion_name(motion), speed);
}

/// An option that is not given keeps its default; ratios are in [0, 1), others at least `least`.
static pkm_status read_number(const shape* s, const char* option, const char* unit, double least,
                              double* out, pkm_error* err)
{
    const char* given = pkm_verb_get(s->args, option);
    if (!given) return PKM_OK;
    PKM_TRY(pkm_verb_number(given, unit, option, out, err));
    const bool is_ratio = unit[0] == '1';
    if (*out >= least && (!is_ratio || *out < 1.0)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %g, expected %s", option, *out,
                    is_ratio ? "from 0 to below 1" : "> 0");
}

static pkm_status read_run(shape* s, pkm_error* err)
{
    PKM_TRY(pkm_run_create_contacts(s->robot, &s->run, err));
    PKM_TRY(pkm_verb_choose(s->run, s->args, err));
    // without a choice of what gives way, every bar bends
    if (s->run->effects.n_flexible == 0 && s->run->effects.n_element == 0)
        PKM_TRY(pkm_run_flexible_all(s->run, err));
    PKM_TRY(pkm_run_complete(s->run, err));
    PKM_TRY(pkm_run_require(s->run, PKM_ANALYSIS_SIMULATE, err));
    return check_motion(s, err);
}

// ---- the frequency ----------------------------------------------------------------------------

/// The lowest mode with a stiffness where the motion ends.
static pkm_status find_mode(shape* s, pkm_error* err)
{
    enum { LOOKS = 12 };
    const pkm_motion* motion = s->robot->desc->motion[s->run->settings.motion].motion;
    // frequencies of the pose in which the motion ends, drives held as the run says
    const pkm_elastic_settings settings = pkm_elastic_settings_for(s->run);
    pkm_follower follower;
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    PKM_TRY(pkm_run_require(s->run, PKM_ANALYSIS_MODES, err));
    PKM_TRY(pkm_follow_begin(s->robot, motion, &follower, err));
    PKM_TRY(pkm_follow_to(&follower, pkm_motion_duration(motion), err));
    const pkm_status status = pkm_modes_at(s->robot, &settings, LOOKS, &elastic, &modes, err);
    // modes without stiffness do not ring
    int n = 0;
    for (int k = 0; status == PKM_OK && k < modes->n_mode && n < s->n_shaped; ++k)
        if (modes->omega[k] > 0.0) s->shaped[n++] = modes->omega[k] / PKM_TURN;
    s->n_shaped = n;
    s->frequency = s->shaped[0];
    // a ratio that was given rules over that of the mode
    if (status == PKM_OK && modes->n_damped > 0 && isnan(s->damping)) s->damping = modes->ratio[0];
    s->found = true;
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
    PKM_TRY(status);
    if (s->frequency > 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_UNDETERMINED,
                    "%s: nothing vibrates at the end of motion %s, expected --flexible, a spring "
                    "or --frequency",
                    s->robot->desc->name, pkm_motion_name(motion));
}

static pkm_status find_frequency(shape* s, pkm_error* err)
{
    const char* modes = pkm_verb_get(s->args, "--modes");
    s->damping = NAN;
    PKM_TRY(read_number(s, "--damping", "1", 0.0, &s->damping, err));
    PKM_TRY(read_number(s, "--frequency", "Hz", 1e-9, &s->frequency, err));
    s->n_shaped = 1;
    s->shaped[0] = s->frequency;
    if (modes && s->frequency > 0.0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--modes and --frequency: expected one of them");
    if (modes) PKM_TRY(pkm_verb_integer(modes, 1, "--modes", &s->n_shaped, err));
    if (s->n_shaped > PKM_MAX_SHAPED)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--modes: %d, expected 1 to %d", s->n_shaped,
                        PKM_MAX_SHAPED);
    // without a frequency the robot is asked for its own
    if (s->frequency == 0.0) PKM_TRY(find_mode(s, err));
    if (isnan(s->damping)) s->damping = 0.0;
    if (s->damping < 1.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_UNDETERMINED,
                    "the lowest mode is damped by %.3g of the critical damping: nothing rings",
                    s->damping);
}

// ---- the motions ------------------------------------------------------------------------------

/// The motion as variant `i`, as a further motion of the robot.
static pkm_status add_variant(shape* s, int i, pkm_error* err)
{
    const int given = s->run->settings.motion;
    const pkm_motion* const part[] = {s->robot->desc->motion[given].motion};
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    pkm_desc_motion add = s->robot->desc->motion[given];
    add.arena = NULL; // what it points to is the given one's
    s->variant[i].motion = given;
    if (i == 0) return PKM_OK;
    // a sequence of one part: shapers and stretching work on sequences
    spec.name = variant_name[i];
    spec.path = PKM_PATH_SEQUENCE;
    spec.part = part;
    spec.n_part = 1;
    if (i < N_VARIANT - 1) {
        // variants: as written, the shapers from ZV on, and the law stretched to match last
        spec.shaper = (pkm_shaper_kind)(PKM_SHAPER_ZV + i - 1);
        memcpy(spec.shaper_frequency, s->shaped, sizeof s->shaped);
        spec.n_shaper_frequency = s->n_shaped;
        spec.shaper_damping = s->damping;
    } else {
        // the frequency that rings, w sqrt(1 - zeta^2)
        const double damped = s->frequency * sqrt(1.0 - s->damping * s->damping);
        double stretch;
        const pkm_status status = pkm_motion_match(part[0], PKM_TURN * damped, &stretch);
        if (status == PKM_ERR_MEMORY) return pkm_out_of_memory(err);
        if (status != PKM_OK)
            return pkm_fail(err, status, "motion %s does not move", pkm_motion_name(part[0]));
        spec.stretch = stretch;
    }
    PKM_TRY(pkm_motion_create(&spec, &add.motion, err));
    s->variant[i].motion = s->robot->desc->n_motion;
    if (pkm_description_add_motion(s->robot->desc, &add) != PKM_OK) {
        pkm_motion_free(add.motion);
        return pkm_out_of_memory(err);
    }
    return pkm_robot_place_motion(s->robot, s->variant[i].motion, s->robot->desc->file, err);
}

// ---- the simulations --------------------------------------------------------------------------

/// Half of what a column swings behind the stop.
static double swing(const pkm_table* table, int column, int first)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = first; i < pkm_table_n_row(table); ++i) {
        low = fmin(low, pkm_table_get(table, i, column));
        high = fmax(high, pkm_table_get(table, i, column));
    }
    return 0.5 * (high - low);
}

/// Does this point swing more than those before?
static void note_point(const pkm_table* table, const char* full, int first, variant* v)
{
    static const char* const axis[] = {"x", "y", "z"};
    const char* name = pkm_short_name(full);
    if (pkm_table_find_item(table, name, "x") == PKM_NONE) name = full;
    double square = 0.0, most = 0.0;
    int worst = PKM_NONE;
    for (int k = 0; k < 3; ++k) {
        const int c = pkm_table_find_item(table, name, axis[k]);
        if (c == PKM_NONE) return;
        const double half = swing(table, c, first);
        square += half * half;
        if (worst == PKM_NONE || half > most) worst = c, most = half;
    }
    // the length of half the swings along three axes: a bound of what the point is off
    if (v->point && !(sqrt(square) > v->residual)) return;
    v->residual = sqrt(square);
    v->point = name;
    v->column = worst;
}

/// Behind the stop, about its mean: the tool need not stop where the ideal one does.
static pkm_status keep_curve(const pkm_table* table, int first, variant* v, pkm_error* err)
{
    double mean = 0.0;
    v->n = pkm_table_n_row(table) - first;
    v->t = pkm_alloc(2 * (size_t)v->n, sizeof *v->t);
    if (!v->t) return pkm_out_of_memory(err);
    // both curves in one block, for one thing to free
    v->y = v->t + v->n;
    for (int i = 0; i < v->n; ++i) {
        v->t[i] = pkm_table_get(table, first + i, 0) - v->stop;
        v->y[i] = pkm_table_get(table, first + i, v->column);
        mean += v->y[i] / v->n;
    }
    for (int i = 0; i < v->n; ++i)
        v->y[i] -= mean;
    return PKM_OK;
}

/// The tool and the outputs of the model: whichever swings most.
static pkm_status measure(const shape* s, const pkm_table* table, variant* v, pkm_error* err)
{
    const pkm_mechanism* mech = s->robot->mech;
    int first = 0;
    // what the robot does before its stop is the motion, not vibration
    while (first < pkm_table_n_row(table) && pkm_table_get(table, first, 0) < v->stop)
        ++first;
    if (mech->tool != PKM_NONE) note_point(table, mech->marker[mech->tool].name, first, v);
    for (int k = 0; k < mech->n_output; ++k)
        note_point(table, mech->marker[mech->output[k]].name, first, v);
    if (v->point) return keep_curve(table, first, v, err);
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s has neither a tool nor outputs that could swing",
                    s->robot->desc->name);
}

static pkm_status simulate(shape* s, int i, pkm_error* err)
{
    variant* v = &s->variant[i];
    pkm_sim_settings settings = s->run->settings;
    pkm_sim_report report;
    pkm_table* table = pkm_table_create();
    if (!table) return pkm_out_of_memory(err);
    v->stop = pkm_motion_last_stop(motion_of(s, i));
    settings.motion = v->motion;
    // shaped motions stop later: each is watched equally long behind its own stop
    settings.end_time = v->stop + PERIODS / s->frequency;
    // PER_PERIOD rows per period of the lowest mode, from the start to PERIODS behind the stop
    const double n = ceil(settings.end_time * s->frequency * PER_PERIOD);
    settings.n_instant = 1 + (int)fmin(fmax(n, 400.0), MOST_INSTANTS - 1);
    pkm_verb_progress progress = pkm_verb_progress_begin(s->args, variant_name[i]);
    settings.progress = pkm_verb_progress_tick;
    settings.user = &progress;
    pkm_status status = pkm_simulate(s->robot, &settings, table, &report, err);
    pkm_verb_progress_end(&progress);
    // a run that ended early has no vibration to compare
    if (status == PKM_OK && report.stop != PKM_STOP_END_TIME)
        status = pkm_fail(err, pkm_stop_status(report.stop), "motion %s: t = %.6g s: %s",
                          variant_name[i], report.t_stop, pkm_stop_reason(report.stop));
    if (status == PKM_OK) status = measure(s, table, v, err);
    pkm_table_free(table);
    return status;
}

// ---- the answer -------------------------------------------------------------------------------

static void put_all(shape* s)
{
    pkm_result *out = s->result, *list;
    pkm_result_text(out, "name", s->robot->desc->name);
    pkm_result_text(out, "motion", pkm_motion_name(motion_of(s, 0)));
    pkm_result_number(out, "frequency", "Hz", s->frequency);
    pkm_result* shaped = pkm_result_list(out, "shaped");
    for (int k = 0; k < s->n_shaped; ++k)
        pkm_result_number(shaped, NULL, "Hz", s->shaped[k]);
    pkm_result_number(out, "damping", "", s->damping);
    pkm_result_text(out, "_from", s->found ? "(lowest mode where the motion ends)" : "(as given)");
    list = pkm_result_list(out, "variants");
    int best = 0;
    for (int i = 0; i < N_VARIANT; ++i) {
        const variant* v = &s->variant[i];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", variant_name[i]);
        pkm_result_number(item, "stop", "s", v->stop);
        pkm_result_number(item, "added", "s", v->stop - s->variant[0].stop);
        pkm_result_number(item, "residual", "m", v->residual);
        pkm_result_number(item, "share", "", v->residual / s->variant[0].residual);
        pkm_result_text(item, "point", v->point);
        // of equal ones the first: the shorter shaper
        if (v->residual < s->variant[best].residual) best = i;
    }
    pkm_result_text(out, "best", variant_name[best]);
    pkm_headline_result(pkm_result_list(out, "_headlines"), "vibration as written",
                        s->variant[0].residual, "m");
}

/// Before and after together, and after alone.
static pkm_status draw(const void* user, pkm_verb_files* files, pkm_error* err)
{
    const shape* s = user;
    char title[300], unit[2][32];
    pkm_plot_series series[N_VARIANT];
    double most[2] = {s->variant[0].residual, 0.0};
    for (int i = 0; i < N_VARIANT; ++i) {
        const variant* v = &s->variant[i];
        series[i] = (pkm_plot_series){.name = variant_name[i], .x = v->t, .y = v->y, .n = v->n};
        if (i > 0) most[1] = fmax(most[1], v->residual);
    }
    // the first curve is so large that the others are seen alone, in a panel of their own
    most[0] = fmax(most[0], most[1]);
    const pkm_plot_panel panel[] = {
        {.y = pkm_axis_for("before and after", "m", most[0], unit[0], sizeof unit[0]),
         .series = series,
         .n_series = N_VARIANT},
        {.y = pkm_axis_for("after", "m", most[1], unit[1], sizeof unit[1]),
         .series = series + 1,
         .n_series = N_VARIANT - 1,
         .first = 1}};
    snprintf(title, sizeof title, "%.100s, motion %.60s: vibration of %.5g Hz behind the stop",
             s->robot->desc->name, pkm_motion_name(motion_of(s, 0)), s->frequency);
    const pkm_plot plot = {.title = title,
                           .x = {.label = "time since the stop", .unit = "s"},
                           .panel = panel,
                           .n_panel = 2};
    return pkm_plot_write(&plot, pkm_verb_file(files, "residual.svg"), err);
}

/// A variant as a row.
typedef struct variant_row {
    double number, stop, added, residual, share;
} variant_row;

static const pkm_column columns[] = {{"variant", "", .at = offsetof(variant_row, number)},
                                     {"stop", "s", .at = offsetof(variant_row, stop)},
                                     {"added", "s", .at = offsetof(variant_row, added)},
                                     {"residual", "m", .at = offsetof(variant_row, residual)},
                                     {"share", "", .at = offsetof(variant_row, share)}};
enum { N_COLUMN = sizeof columns / sizeof columns[0] };

/// In the order of the text.
static void put_row(const void* user, int i, pkm_layout* to)
{
    const variant *v = &((const shape*)user)->variant[i],
                  *first = &((const shape*)user)->variant[0];
    const variant_row at = {i, v->stop, v->stop - first->stop, v->residual,
                            v->residual / first->residual};
    pkm_layout_put(to, "", columns, N_COLUMN, &at);
}

static pkm_status write_folder(shape* s, pkm_error* err)
{
    pkm_table* table = pkm_verb_table(s->args, "variants");
    const pkm_verb_run out = {.args = s->args,
                              .robot = s->robot,
                              .motion = pkm_motion_name(motion_of(s, 0)),
                              .ending = "-shape",
                              .table = table,
                              .complete = true,
                              .wall_time = pkm_clock() - s->start,
                              .draw = draw,
                              .user = s,
                              .tree = s->result};
    if (!pkm_layout_fill(table, N_VARIANT, 1, put_row, s)) return pkm_out_of_memory(err);
    return pkm_verb_run_write(&out, s->folder, sizeof s->folder, err);
}

/// Shaping removes a part of what is there: nothing has no parts.
static pkm_status check_swing(const shape* s, pkm_error* err)
{
    static const double ROUNDING = 1e-13; // of the robot's size
    if (s->variant[0].residual > ROUNDING * s->robot->mech->size) return PKM_OK;
    return pkm_fail(err, PKM_ERR_UNDETERMINED,
                    "%s: nothing swings behind motion %s, expected flexible links or drives and "
                    "springs that give way",
                    s->robot->desc->name, pkm_motion_name(motion_of(s, 0)));
}

static pkm_status answer(shape* s, pkm_error* err)
{
    s->start = pkm_clock();
    PKM_TRY(read_run(s, err));
    PKM_TRY(find_frequency(s, err));
    for (int i = 0; i < N_VARIANT; ++i) {
        // each variant is a motion of its own, simulated with all effects of the run
        PKM_TRY(add_variant(s, i, err));
        PKM_TRY(simulate(s, i, err));
        if (i == 0) PKM_TRY(check_swing(s, err));
    }
    put_all(s);
    return pkm_verb_has(s->args, "-o") ? write_folder(s, err) : PKM_OK;
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    shape* s = pkm_verb_work(args, sizeof *s, err);
    if (!s) return PKM_ERR_MEMORY;
    s->args = args;
    s->result = pkm_verb_result(args);
    PKM_TRY(pkm_verb_begin(args, &s->robot, err));
    pkm_status status = answer(s, err);
    if (status == PKM_OK) status = pkm_verb_show(args, text, err);
    for (int i = 0; i < N_VARIANT; ++i)
        pkm_free(s->variant[i].t);
    pkm_run_free(s->run);
    return status;
}
