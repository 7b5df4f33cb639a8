// Frequency response of the tool: table and Bode plot.
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/angle.h"
#include "plot/plot.h"
#include "verb/modes_task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const direction[6] = {"x", "y", "z", "rx", "ry", "rz"};

enum { TAKEN = 48 }; // modes in the sum; what is left yields statically

/// What was asked.
typedef struct bode {
    pkm_verb_modes* m;
    double from, to; ///< [Hz]
    int n;
    pkm_shaker shaker;
    const char *name, *force; ///< of the shaker, and the unit of its force
    pkm_table* table;
    bool is_damped;
    int peak[6]; ///< row of the largest amplitude
} bode;

static pkm_status read_shaker(bode* b, pkm_error* err)
{
    const char* text = pkm_verb_get(b->m->args, "--shake");
    b->name = text ? text : "z";
    b->shaker = (pkm_shaker){PKM_NONE, PKM_NONE};
    for (int k = 0; k < 6; ++k)
        if (strcmp(b->name, direction[k]) == 0) b->shaker.direction = k;
    b->force = b->shaker.direction < 3 ? "N" : "N m";
    if (b->shaker.direction != PKM_NONE) return PKM_OK;
    b->shaker.drive = pkm_mechanism_find_drive(b->m->robot->mech, b->name);
    if (b->shaker.drive == PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "--shake: '%s', expected a drive or x, y, z, rx, ry, rz", b->name);
    b->force = b->m->robot->mech->drive[b->shaker.drive].is_rotary ? "N m" : "N";
    return PKM_OK;
}

static pkm_status read_bode(bode* b, pkm_error* err)
{
    const char *text = pkm_verb_get(b->m->args, "--response"),
               *points = pkm_verb_get(b->m->args, "--points");
    const char* dots = strstr(text, "..");
    char first[64];
    if (!dots || (size_t)(dots - text) >= sizeof first)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--response: '%s', expected F1..F2 [Hz]", text);
    memcpy(first, text, (size_t)(dots - text));
    first[dots - text] = '\0';
    PKM_TRY(pkm_verb_number(first, "Hz", "--response", &b->from, err));
    PKM_TRY(pkm_verb_number(dots + 2, "Hz", "--response", &b->to, err));
    if (!(b->from > 0.0 && b->to > b->from))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--response: '%s', expected 0 < F1 < F2", text);
    b->n = 400;
    if (points) PKM_TRY(pkm_verb_integer(points, 2, "--points", &b->n, err));
    return read_shaker(b, err);
}

// ---- table ------------------------------------------------------------------------------------

static pkm_status make_columns(bode* b, pkm_error* err)
{
    bool is_there = pkm_table_add_column(b->table, "f", "Hz") != PKM_NONE;
    for (int k = 0; k < 12; ++k) {
        char name[24], unit[24];
        snprintf(name, sizeof name, "%s.%s", direction[k / 2], k % 2 ? "phase" : "amplitude");
        snprintf(unit, sizeof unit, "%s/%s%s%s", k < 6 ? "m" : "rad",
                 strchr(b->force, ' ') ? "(" : "", b->force, strchr(b->force, ' ') ? ")" : "");
        is_there =
            is_there && pkm_table_add_column(b->table, name, k % 2 ? "rad" : unit) != PKM_NONE;
    }
    return is_there ? PKM_OK : pkm_out_of_memory(err);
}

/// Phases run on instead of jumping at half a turn.
static double unwrap(double phase, double before)
{
    return phase - PKM_TURN * round((phase - before) / PKM_TURN);
}

static int by_size(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/// Evenly spaced frequencies of the logarithmic axis [Hz], and nine more across each damped
/// resonance, so that its peak is seen; how many. `f` has room for n + 9 n_damped.
static int choose_frequencies(const bode* b, const pkm_modes* modes, double* f)
{
    static const double LEAST_RATIO = 1e-6; // what is damped less has no peak to speak of
    static const double across[] = {-4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0};
    int n = 0;
    for (; n < b->n; ++n)
        // equal ratios from one to the next
        f[n] = b->from * pow(b->to / b->from, (double)n / (b->n - 1));
    for (int k = 0; k < modes->n_damped; ++k)
        for (int i = 0; i < 9; ++i) {
            const double at = modes->damped[k] / PKM_TURN * (1.0 + across[i] * modes->ratio[k]);
            const bool has_peak = modes->ratio[k] > LEAST_RATIO && modes->ratio[k] < 0.1;
            if (has_peak && at > b->from && at < b->to) f[n++] = at;
        }
    qsort(f, (size_t)n, sizeof *f, by_size);
    return n;
}

/// Amplitude and phase of the tool in each direction; the phase goes on from the last frequency.
static pkm_status add_row(bode* b, const pkm_modes* modes, const pkm_response* r, double f,
                          double last[6], pkm_error* err)
{
    double H[12], *row = pkm_table_append(b->table);
    if (!row) return pkm_out_of_memory(err);
    PKM_TRY(pkm_response_at(modes, r, PKM_TURN * f, H, err));
    row[0] = f;
    for (int k = 0; k < 6; ++k) {
        row[1 + 2 * k] = hypot(H[2 * k], H[2 * k + 1]);
        last[k] = unwrap(atan2(H[2 * k + 1], H[2 * k]), last[k]);
        row[2 + 2 * k] = last[k];
    }
    return PKM_OK;
}

static pkm_status add_rows(bode* b, const pkm_modes* modes, const pkm_response* r, pkm_error* err)
{
    double last[6] = {0};
    double* f = pkm_alloc((size_t)(b->n + 9 * modes->n_damped), sizeof *f);
    if (!f) return pkm_out_of_memory(err);
    pkm_status status = PKM_OK;
    const int n = choose_frequencies(b, modes, f);
    for (int i = 0; i < n && status == PKM_OK; ++i)
        status = add_row(b, modes, r, f[i], last, err);
    pkm_free(f);
    PKM_TRY(status);
    b->n = n;
    for (int k = 0; k < 6; ++k)
        pkm_table_reduce(b->table, 1 + 2 * k, PKM_REDUCE_MAX, &b->peak[k]);
    return PKM_OK;
}

static pkm_status compute(bode* b, pkm_error* err)
{
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    pkm_response r;
    pkm_status status = pkm_modes_at(b->m->robot, &b->m->settings, TAKEN, &elastic, &modes, err);
    if (status == PKM_OK) status = pkm_response_begin(elastic, modes, b->shaker, &r, err);
    if (status == PKM_OK) status = make_columns(b, err);
    if (status == PKM_OK) status = add_rows(b, modes, &r, err);
    if (status == PKM_OK) b->is_damped = pkm_elastic_is_damped(elastic);
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
    return status;
}

// ---- picture ----------------------------------------------------------------------------------

/// The largest answer along a direction as a length: turns times the size of the robot.
static double largest_length(const bode* b, int k)
{
    const double value = pkm_table_get(b->table, b->peak[k], 1 + 2 * k);
    return k < 3 ? value : value * b->m->robot->mech->size;
}

/// Directions with an answer worth a curve: at least a millionth of the largest. Symmetric robots
/// leave rounding in the others, some 1e-10 of it.
static bool is_shown(const bode* b, int k)
{
    double most = 0.0;
    for (int i = 0; i < 6; ++i)
        most = fmax(most, largest_length(b, i));
    return largest_length(b, k) > 1e-6 * most;
}

static pkm_status draw(const void* user, pkm_verb_files* files, pkm_error* err)
{
    const bode* b = user;
    const size_t n = (size_t)b->n;
    pkm_plot_series amplitude[6], phase[6];
    int n_series[2] = {0, 0}, at = 0;
    char title[160], unit[2][24];
    double* block = pkm_alloc(13 * n, sizeof *block);
    if (!block) return pkm_out_of_memory(err);
    for (size_t i = 0; i < 13 * n; ++i)
        block[i] = pkm_table_get(b->table, (int)(i % n), (int)(i / n));
    for (int k = 0; k < 6; ++k) { // shifts first, then turns
        if (!is_shown(b, k)) continue;
        amplitude[at] = (pkm_plot_series){
            .name = direction[k], .x = block, .y = block + (size_t)(1 + 2 * k) * n, .n = b->n};
        phase[at] = (pkm_plot_series){
            .name = direction[k], .x = block, .y = block + (size_t)(2 + 2 * k) * n, .n = b->n};
        ++n_series[k / 3];
        ++at;
    }
    snprintf(unit[0], sizeof unit[0], "%s", pkm_table_unit(b->table, 1));
    snprintf(unit[1], sizeof unit[1], "%s", pkm_table_unit(b->table, 7));
    pkm_plot_panel panel[3];
    int n_panel = 0;
    for (int kind = 0; kind < 2; ++kind)
        if (n_series[kind] > 0)
            panel[n_panel++] = (pkm_plot_panel){
                .y = {.label = kind ? "turn" : "shift", .unit = unit[kind], .log = true},
                .series = amplitude + (kind ? n_series[0] : 0),
                .n_series = n_series[kind]};
    panel[n_panel++] =
        (pkm_plot_panel){.y = {.label = "phase", .unit = "deg", .factor = 360.0 / PKM_TURN},
                         .series = phase,
                         .n_series = at};
    const bool is_drive = b->shaker.drive != PKM_NONE;
    snprintf(title, sizeof title, "%s, response of the tool to %s %s", b->m->robot->desc->name,
             is_drive                  ? "the drive"
             : b->shaker.direction < 3 ? "a force along"
                                       : "a torque about",
             is_drive || b->shaker.direction < 3 ? b->name : b->name + 1);
    const pkm_plot plot = {
        .title = title,
        .x = {.label = "frequency", .unit = "Hz", .log = true, .low = b->from, .high = b->to},
        .panel = panel,
        .n_panel = n_panel};
    const pkm_status status = pkm_plot_write(&plot, pkm_verb_file(files, "response.svg"), err);
    pkm_free(block);
    return status;
}

// ---- answers ----------------------------------------------------------------------------------

static const char text[] =
    "{name}, frequency response of the tool to {shaker}, {_from:.6g} to {_to:.6g} Hz\n\n"
    "           at the start          largest      at \\[Hz\\]\n"
    "{*_peaks}  {name:-4s} {start:16.6g} {largest:16.6g} {at:12.5f} {unit}\n{/}"
    "[{!has_damping}\nno damping: peaks are as high as the points happen to be near; "
    "try --flexible '*: \\{damping: 1 %\\}'\n][\nresults in {folder}\n]";

static void put_bode(const bode* b, pkm_result* out)
{
    pkm_result_text(out, "name", b->m->robot->desc->name);
    pkm_result_text(out, "shaker", b->name);
    pkm_result_bool(out, "has_damping", b->is_damped);
    pkm_result_number(out, "_from", "Hz", b->from);
    pkm_result_number(out, "_to", "Hz", b->to);
    pkm_result *peaks = pkm_result_group(out, "peaks"), *shown = pkm_result_list(out, "_peaks");
    for (int k = 0; k < 6; ++k) {
        const int c = 1 + 2 * k; // behind the frequency: amplitude and phase of each direction
        const double pair[2] = {pkm_table_get(b->table, b->peak[k], 0),
                                pkm_table_get(b->table, b->peak[k], c)};
        pkm_result* item = pkm_result_group(shown, NULL);
        pkm_result_numbers(peaks, direction[k], "", pair, 2);
        pkm_result_text(item, "name", direction[k]);
        pkm_result_number(item, "start", "", pkm_table_get(b->table, 0, c));
        pkm_result_number(item, "largest", "", pair[1]);
        pkm_result_number(item, "at", "Hz", pair[0]);
        pkm_result_text(item, "unit", pkm_table_unit(b->table, c));
    }
}

pkm_status pkm_verb_modes_response(pkm_verb_modes* m, pkm_error* err)
{
    bode b = {.m = m};
    PKM_TRY(read_bode(&b, err));
    b.table = pkm_verb_table(m->args, "rows");
    pkm_status status = b.table ? compute(&b, err) : pkm_out_of_memory(err);
    const pkm_verb_run out = {.args = m->args,
                              .robot = m->robot,
                              .stands = m->robot->state->q,
                              .motion = "response",
                              .table = b.table,
                              .complete = true,
                              .wall_time = pkm_clock() - m->start,
                              .draw = draw,
                              .user = &b,
                              .tree = m->result};
    m->form = text;
    if (status != PKM_OK) return status;
    put_bode(&b, m->result);
    return pkm_verb_run_write(&out, m->folder, sizeof m->folder, err);
}
