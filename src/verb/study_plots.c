// Pictures of a study: effects and interactions as bars, couplings and responses as curves, all
// read from its database.
#include "verb/study_plots.h"

#include "base/error.h"
#include "base/memory.h"
#include "plot/bars.h"
#include "plot/plot.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 600, MAX_ROW = 40, MAX_COUPLING_PLOT = 12, UNIT_SIZE = 32, MAX_CURVE = 7 };

/// A name that can be that of a file: letters, digits and dashes.
static void file_name(const char* text, char* out, size_t size)
{
    size_t n = 0;
    for (; *text && n + 1 < size; ++text) {
        const bool is_plain = isalnum((unsigned char)*text) || *text == '.';
        if (is_plain)
            out[n++] = *text;
        else if (n > 0 && out[n - 1] != '-')
            out[n++] = '-';
    }
    while (n > 0 && out[n - 1] == '-')
        --n;
    out[n] = '\0';
}

/// A place for a picture called `name`, or false when there are too many.
static bool add_file(pkm_verb_study_work* work, const char* name, char* path, size_t size)
{
    if (work->n_file == VERB_STUDY_MAX_FILE) return false;
    snprintf(work->file[work->n_file], sizeof work->file[0], "%.120s.svg", name);
    snprintf(path, size, "%s/%s", work->folder, work->file[work->n_file]);
    ++work->n_file;
    return true;
}

// ---- bars of effects --------------------------------------------------------------------------

/// One term of an output, in a panel of bars.
typedef struct bar_chart {
    pkm_arena* arena;
    int n_row, n_panel;
    const char** row;
    pkm_bars_panel* panel;
} bar_chart;

/// With its error bar where runs were verified; pale where no claim is made.
static pkm_bar bar_of(const pkm_effect* e, bool is_verified)
{
    pkm_bar bar = {.value = e->value, .low = NAN, .high = NAN, .pale = e->claim != PKM_CLAIM_YES};
    if (is_verified && e->claim != PKM_CLAIM_MISSING) {
        bar.low = e->value - e->error_bar;
        bar.high = e->value + e->error_bar;
    }
    return bar;
}

/// Factors of two levels say all by their names; of more, which levels are compared.
static bool fill_rows(bar_chart* chart, const pkm_verb_study_work* work)
{
    chart->row = pkm_arena_alloc(chart->arena, (size_t)chart->n_row, sizeof *chart->row);
    for (int i = 0; chart->row && i < chart->n_row; ++i) {
        char factors[NAME_SIZE], levels[NAME_SIZE], name[2 * NAME_SIZE + 8];
        const pkm_term* term = &work->findings->effect[i].term;
        bool is_two_level = true;
        for (int f = 0; f < work->study->n_factor; ++f)
            is_two_level = is_two_level && work->study->factor[f].n_level == 2;
        pkm_effect_names(work->study, term, factors, levels, NAME_SIZE);
        snprintf(name, sizeof name, is_two_level ? "%s" : "%s (%s)", factors, levels);
        chart->row[i] = pkm_arena_text(chart->arena, name, strlen(name));
        if (!chart->row[i]) return false;
    }
    return chart->row != NULL;
}

/// A panel per output, a bar per term: effects lie output by output.
static bool fill_panel(bar_chart* chart, const pkm_verb_study_work* work, int k, int n_term)
{
    const pkm_findings* f = work->findings;
    pkm_bar* bar = pkm_arena_alloc(chart->arena, (size_t)chart->n_row, sizeof *bar);
    char* unit = pkm_arena_alloc(chart->arena, UNIT_SIZE, 1);
    double largest = 0.0;
    if (!bar || !unit) return false;
    for (int i = 0; i < chart->n_row; ++i) {
        bar[i] = bar_of(&f->effect[k * n_term + i], work->study->verify);
        largest = fmax(largest, fabs(bar[i].value));
    }
    const pkm_study_output* o = &work->study->output[k];
    chart->panel[k] = (pkm_bars_panel){
        .x = pkm_axis_for(o->label, o->unit, largest, unit, UNIT_SIZE), .bar = bar};
    return true;
}

static pkm_status plot_effects(pkm_verb_study_work* work, pkm_arena* arena, pkm_error* err)
{
    const pkm_findings* f = work->findings;
    const int n_term = f->n_output > 0 ? f->n_effect / f->n_output : 0;
    bar_chart chart = {.arena = arena, .n_row = n_term < MAX_ROW ? n_term : MAX_ROW};
    char path[1200];
    if (n_term == 0) return PKM_OK;
    chart.n_panel = f->n_output < PKM_BARS_MAX_PANEL ? f->n_output : PKM_BARS_MAX_PANEL;
    chart.panel = pkm_arena_alloc(arena, (size_t)chart.n_panel, sizeof *chart.panel);
    bool has_memory = chart.panel && fill_rows(&chart, work);
    for (int k = 0; k < chart.n_panel && has_memory; ++k)
        has_memory = fill_panel(&chart, work, k, n_term);
    if (!has_memory) return pkm_out_of_memory(err);
    const pkm_bars bars = {.title = "Effects, each alone, and by how much they interact",
                           .note = "Hollow bars make no claim: within their error bar, chaotic, "
                                   "not converged, or with a failed case.",
                           .row = chart.row,
                           .n_row = chart.n_row,
                           .panel = chart.panel,
                           .n_panel = chart.n_panel};
    if (!add_file(work, "effects", path, sizeof path)) return PKM_OK;
    return pkm_bars_write(&bars, path, err);
}

// ---- coupled against sum ----------------------------------------------------------------------

/// Doubles of a row of the database, in the arena.
typedef struct blob {
    pkm_arena* arena;
    double* data;
    int n;
} blob;

/// The first row is the one asked for: false ends the query.
static bool take_blob(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    blob* b = user;
    b->n = (int)(cell[0].size / sizeof(double));
    b->data = pkm_arena_alloc(b->arena, (size_t)b->n + 1, sizeof(double));
    if (b->data) memcpy(b->data, cell[0].bytes, cell[0].size);
    return false;
}

/// The deviation of an output over time in a case, or the sum of single ones.
static pkm_status read_deviation(pkm_verb_study_work* work, int output, int id, const char* kind,
                                 blob* out, pkm_error* err)
{
    const pkm_cell cell[] = {pkm_cell_integer(output), pkm_cell_integer(id), pkm_cell_text(kind)};
    out->data = NULL;
    out->n = 0;
    return pkm_store_query(
        work->store, "select data from deviations where output_id = ? and case_id = ? and kind = ?",
        cell, 3, take_blob, out, err);
}

/// What the database does not have, or has for another number of rows, is left out.
static pkm_status add_series(pkm_verb_study_work* work, pkm_arena* arena, int output, int id,
                             const char* kind, const char* name, const blob* t,
                             pkm_plot_series* series, int* n, pkm_error* err)
{
    blob y = {.arena = arena};
    PKM_TRY(read_deviation(work, output, id, kind, &y, err));
    if (!y.data || y.n != t->n) return PKM_OK;
    series[(*n)++] = (pkm_plot_series){
        .name = pkm_arena_text(arena, name, strlen(name)), .x = t->data, .y = y.data, .n = y.n};
    return PKM_OK;
}

/// Coupled, sum, and each factor alone.
static pkm_status coupling_panel(pkm_verb_study_work* work, pkm_arena* arena, int output, int id,
                                 const blob* t, pkm_plot_panel* panel, pkm_error* err)
{
    const pkm_study* s = work->study;
    int level[PKM_MAX_FACTOR], n = 0;
    pkm_plot_series* series = pkm_arena_alloc(arena, PKM_MAX_FACTOR + 2, sizeof *series);
    char* unit = pkm_arena_alloc(arena, UNIT_SIZE, 1);
    if (!series || !unit) return pkm_out_of_memory(err);
    PKM_TRY(add_series(work, arena, output, id, "case", "together", t, series, &n, err));
    PKM_TRY(add_series(work, arena, output, id, "sum", "sum of single ones", t, series, &n, err));
    pkm_study_levels(s, id, level);
    for (int f = 0; f < s->n_factor; ++f) {
        // the case in which this factor alone is not at its first level
        int single[PKM_MAX_FACTOR] = {0};
        single[f] = level[f];
        if (level[f] == 0) continue;
        char name[NAME_SIZE];
        const int one = pkm_study_find_case(s, single);
        pkm_study_case_name(s, one, name, sizeof name);
        PKM_TRY(add_series(work, arena, output, one, "case", name, t, series, &n, err));
    }
    double largest = 0.0;
    for (int i = 0; i < n; ++i)
        for (int r = 0; r < series[i].n; ++r)
            largest = fmax(largest, fabs(series[i].y[r]));
    const pkm_study_output* o = &s->output[output];
    *panel = (pkm_plot_panel){.y = pkm_axis_for(o->column, o->unit, largest, unit, UNIT_SIZE),
                              .series = series,
                              .n_series = n};
    return PKM_OK;
}

static bool has_coupling(const pkm_findings* f, int output, int id)
{
    for (int i = 0; i < f->n_coupling; ++i)
        if (f->coupling[i].output == output && f->coupling[i].case_id == id) return true;
    return false;
}

/// One picture per case: its outputs below each other.
static pkm_status plot_coupling(pkm_verb_study_work* work, pkm_arena* arena, int id, const blob* t,
                                pkm_error* err)
{
    pkm_plot_panel* panel = pkm_arena_alloc(arena, PKM_PLOT_MAX_PANEL, sizeof *panel);
    char name[NAME_SIZE], plain[NAME_SIZE], file[NAME_SIZE + 16], title[NAME_SIZE + 64], path[1200];
    int n = 0;
    if (!panel) return pkm_out_of_memory(err);
    for (int k = 0; k < work->study->n_output && n < 6; ++k)
        if (has_coupling(work->findings, k, id))
            PKM_TRY(coupling_panel(work, arena, k, id, t, &panel[n++], err));
    pkm_study_case_name(work->study, id, name, sizeof name);
    file_name(name, plain, 90);
    snprintf(file, sizeof file, "coupling-%s", plain);
    snprintf(title, sizeof title, "Deviations: %s", name);
    if (n == 0 || !add_file(work, file, path, sizeof path)) return PKM_OK;
    const pkm_plot plot = {
        .title = title, .x = {.label = "time", .unit = "s"}, .panel = panel, .n_panel = n};
    return pkm_plot_write(&plot, path, err);
}

/// From the last case down, in which every factor is at its last level.
static pkm_status plot_couplings(pkm_verb_study_work* work, pkm_arena* arena, pkm_error* err)
{
    const pkm_findings* f = work->findings;
    blob t = {.arena = arena};
    PKM_TRY(pkm_store_query(work->store,
                            "select data from signals where name = 't' order by case_id limit 1",
                            NULL, 0, take_blob, &t, err));
    int n = 0;
    for (int id = f->n_case - 1; id >= 0 && t.data && n < MAX_COUPLING_PLOT; --id) {
        bool is_coupled = false;
        for (int k = 0; k < f->n_output; ++k)
            is_coupled = is_coupled || has_coupling(f, k, id);
        if (!is_coupled) continue;
        PKM_TRY(plot_coupling(work, arena, id, &t, err));
        ++n;
    }
    return PKM_OK;
}

// ---- response curves --------------------------------------------------------------------------

/// The parameter along the axis: the one with the most values; others make curves.
static int axis_of(const pkm_study* s)
{
    int best = 0;
    for (int f = 1; f < s->n_factor; ++f)
        if (s->factor[f].n_level > s->factor[best].n_level) best = f;
    return best;
}

/// One curve: the output over parameter `axis`, the others as in case `first`.
static bool fill_curve(const pkm_verb_study_work* work, pkm_arena* arena, int output, int axis,
                       int first, pkm_plot_series* out)
{
    const pkm_study* s = work->study;
    const int n = s->factor[axis].n_level;
    double* x = pkm_arena_alloc(arena, (size_t)n, sizeof *x);
    double* y = pkm_arena_alloc(arena, (size_t)n, sizeof *y);
    char name[NAME_SIZE] = "";
    int level[PKM_MAX_FACTOR];
    if (!x || !y) return false;
    pkm_study_levels(s, first, level);
    for (int f = 0; f < s->n_factor; ++f) {
        const size_t used = strlen(name);
        if (f != axis)
            snprintf(name + used, sizeof name - used, "%s%s = %s", used ? ", " : "",
                     s->factor[f].name, s->factor[f].level[level[f]].name);
    }
    for (int i = 0; i < n; ++i) {
        level[axis] = i;
        x[i] = s->factor[axis].level[i].value;
        y[i] = pkm_findings_value(work->findings, output, pkm_study_find_case(s, level))->value;
    }
    if (!name[0]) snprintf(name, sizeof name, "%s", s->output[output].label);
    *out = (pkm_plot_series){
        .name = pkm_arena_text(arena, name, strlen(name)), .x = x, .y = y, .n = n, .points = false};
    return out->name != NULL;
}

/// Curves spread over the values of the other parameters, at most MAX_CURVE.
static int choose_curves(const pkm_study* s, int axis, int first[MAX_CURVE])
{
    const int n_level = s->factor[axis].n_level, n_all = s->n_case / n_level;
    const int n = n_all < MAX_CURVE ? n_all : MAX_CURVE;
    for (int c = 0; c < n; ++c) {
        // digits of a mixed number: one per factor but that of the axis
        int rest = n > 1 ? (int)((long long)c * (n_all - 1) / (n - 1)) : 0;
        int level[PKM_MAX_FACTOR] = {0};
        for (int f = s->n_factor - 1; f >= 0; --f) {
            if (f == axis) continue;
            level[f] = rest % s->factor[f].n_level;
            rest /= s->factor[f].n_level;
        }
        first[c] = pkm_study_find_case(s, level);
    }
    return n;
}

static bool response_panel(const pkm_verb_study_work* work, pkm_arena* arena, int k, int axis,
                           pkm_plot_panel* out)
{
    const pkm_study* s = work->study;
    int first[MAX_CURVE];
    const int n = choose_curves(s, axis, first);
    const bool few = s->factor[axis].n_level <= 25;
    pkm_plot_series* series = pkm_arena_alloc(arena, 2 * MAX_CURVE, sizeof *series);
    char* unit = pkm_arena_alloc(arena, UNIT_SIZE, 1);
    double largest = 0.0;
    if (!series || !unit) return false;
    for (int c = 0; c < n; ++c) {
        if (!fill_curve(work, arena, k, axis, first[c], &series[c])) return false;
        for (int i = 0; i < series[c].n; ++i)
            if (isfinite(series[c].y[i])) largest = fmax(largest, fabs(series[c].y[i]));
    }
    // two points make no curve
    if (n == 1 && few) series[0].points = s->factor[axis].n_level < 3;
    const pkm_study_output* o = &s->output[k];
    *out = (pkm_plot_panel){.y = pkm_axis_for(o->label, o->unit, largest, unit, UNIT_SIZE),
                            .series = series,
                            .n_series = n};
    return true;
}

static pkm_status plot_responses(pkm_verb_study_work* work, pkm_arena* arena, pkm_error* err)
{
    const pkm_study* s = work->study;
    const int axis = axis_of(s);
    const int n = s->n_output < 6 ? s->n_output : 6;
    char title[NAME_SIZE], path[1200], unit[UNIT_SIZE];
    double largest = 0.0;
    pkm_plot_panel* panel = pkm_arena_alloc(arena, (size_t)n, sizeof *panel);
    bool has_memory = panel != NULL;
    if (s->factor[axis].n_level < 2) return PKM_OK;
    for (int k = 0; k < n && has_memory; ++k)
        has_memory = response_panel(work, arena, k, axis, &panel[k]);
    if (!has_memory) return pkm_out_of_memory(err);
    for (int l = 0; l < s->factor[axis].n_level; ++l)
        largest = fmax(largest, fabs(s->factor[axis].level[l].value));
    snprintf(title, sizeof title, "%s over %s", s->robot_name, s->factor[axis].name);
    if (!add_file(work, "response", path, sizeof path)) return PKM_OK;
    const pkm_plot plot = {
        .title = title,
        .x = pkm_axis_for(s->factor[axis].name, s->factor[axis].unit, largest, unit, sizeof unit),
        .panel = panel,
        .n_panel = n};
    return pkm_plot_write(&plot, path, err);
}

// ---- all --------------------------------------------------------------------------------------

pkm_status pkm_verb_study_plot(pkm_verb_study_work* work, pkm_error* err)
{
    pkm_arena* arena = pkm_arena_create();
    if (!arena) return pkm_out_of_memory(err);
    pkm_status status = PKM_OK;
    if (work->study->is_sweep) {
        status = plot_responses(work, arena, err);
    } else {
        status = plot_effects(work, arena, err);
        if (status == PKM_OK) status = plot_couplings(work, arena, err);
    }
    pkm_arena_free(arena);
    return status;
}
