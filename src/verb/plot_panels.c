// Curves of several runs are sorted into panels by what they are, then copied in the unit that the
// panel has; located peaks are drawn as the rows are.
#include "verb/plot_panels.h"

#include "base/error.h"
#include "base/pattern.h"
#include "model/nearest.h"
#include "model/units.h"
#include "table/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- which columns -----------------------------------------------------------------------------

/// A column that two patterns match is drawn once.
static pkm_status add_curve(pkm_verb_figure* f, int run, int column, pkm_error* err)
{
    for (int k = 0; k < f->n_curve; ++k)
        if (f->curve[k].run == run && f->curve[k].column == column) return PKM_OK;
    if (f->n_curve == VERB_MAX_CURVE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--column: more than %d curves", VERB_MAX_CURVE);
    f->curve[f->n_curve++] = (pkm_verb_curve){.run = run, .column = column, .factor = 1.0};
    return PKM_OK;
}

pkm_status pkm_verb_figure_add(pkm_verb_figure* f, const char* pattern, pkm_error* err)
{
    // column 0 is the axis below
    pkm_nearest near = pkm_nearest_make(pattern);
    const int before = f->n_curve;
    for (int r = 0; r < f->n_run; ++r)
        for (int c = 1; c < pkm_table_n_column(f->run[r].table); ++c) {
            const char* name = pkm_table_name(f->run[r].table, c);
            pkm_nearest_offer(&near, name);
            if (pkm_pattern_matches(pattern, name)) PKM_TRY(add_curve(f, r, c, err));
        }
    if (f->n_curve > before) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "--column: no run has a column '%.80s'%s", pattern,
                    pkm_nearest_hint(&near).text);
}

// ---- units -------------------------------------------------------------------------------------

static const char* unit_of(const pkm_verb_figure* f, const pkm_verb_curve* curve)
{
    return pkm_table_unit(f->run[curve->run].table, curve->column);
}

// ---- panels ------------------------------------------------------------------------------------

/// The words of quantities of one unit when several share a panel.
static const char* common_word(const char* unit)
{
    static const struct {
        const char *unit, *word;
    } words[] = {{"m", "displacement"}, {"rad", "angle"},         {"m/s", "velocity"},
                 {"N", "force"},        {"N m", "torque"},        {"rad/s", "angular velocity"},
                 {"J", "energy"},       {"m/s2", "acceleration"}, {"W", "power"}};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k)
        if (pkm_unit_ratio(unit, words[k].unit) != 0.0) return words[k].word;
    return "";
}

pkm_verb_run_name pkm_verb_figure_name(const pkm_verb_figure* f, int run)
{
    pkm_verb_run_name name;
    memcpy(name.text, f->run[run].name, sizeof name.text);
    return name;
}

/// The item names a curve, the quantity its panel; the run too where there are several.
static void name_curve(const pkm_verb_figure* f, pkm_verb_curve* c)
{
    const pkm_verb_run_table* run = &f->run[c->run];
    const pkm_verb_run_name name = pkm_verb_figure_name(f, c->run);
    c->words = pkm_table_words(run->table, c->column);
    const char* item = f->together ? pkm_table_name(run->table, c->column) : c->words.item;
    if (f->together)
        snprintf(c->words.quantity, sizeof c->words.quantity, "%s", common_word(unit_of(f, c)));
    if (f->n_run > 1)
        snprintf(c->label, sizeof c->label, "%.180s, %s", item, name.text);
    else
        snprintf(c->label, sizeof c->label, "%.180s", item);
}

/// By default the first column: time, or what the table runs over.
static int x_column(const pkm_verb_figure* f, int run)
{
    return f->over ? pkm_table_find(f->run[run].table, f->over) : 0;
}

/// Every run must have the column of the axis, in units that can be matched.
static pkm_status check_axis(const pkm_verb_figure* f, pkm_error* err)
{
    const pkm_table* first = f->run[f->curve[0].run].table;
    for (int k = 0; k < f->n_curve; ++k) {
        const pkm_verb_run_table* run = &f->run[f->curve[k].run];
        const int x = x_column(f, f->curve[k].run);
        if (x == PKM_NONE)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "--over: %s has no column '%.80s'", run->name,
                            f->over);
        const char *unit = pkm_table_unit(run->table, x),
                   *want = pkm_table_unit(first, x_column(f, f->curve[0].run));
        if (pkm_unit_ratio(unit, want) == 0.0)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %s is in [%s], expected [%s]", run->name,
                            pkm_table_name(run->table, x), unit, want);
    }
    return PKM_OK;
}

/// The same words, or the same name: tables of others have names alone.
static bool is_same_quantity(const pkm_verb_figure* f, const pkm_verb_curve* a,
                             const pkm_verb_curve* b)
{
    return strcmp(a->words.quantity, b->words.quantity) == 0 ||
           strcmp(pkm_table_name(f->run[a->run].table, a->column),
                  pkm_table_name(f->run[b->run].table, b->column)) == 0;
}

/// The panel of an earlier curve of the same quantity, whose unit may be another one.
static void find_panel(pkm_verb_figure* f, pkm_verb_curve* c)
{
    for (const pkm_verb_curve* other = f->curve; other < c; ++other) {
        const double factor = pkm_unit_ratio(unit_of(f, c), unit_of(f, other)) * other->factor;
        if (factor == 0.0 || !is_same_quantity(f, other, c)) continue;
        c->words = other->words;
        c->panel = other->panel;
        c->factor = factor;
        return;
    }
    c->panel = f->n_panel++;
}

pkm_status pkm_verb_figure_arrange(pkm_verb_figure* f, pkm_error* err)
{
    f->n_panel = 0;
    PKM_TRY(check_axis(f, err));
    for (int k = 0; k < f->n_curve; ++k) {
        pkm_verb_curve* c = &f->curve[k];
        name_curve(f, c);
        find_panel(f, c);
        // --change: less the value at the start
        if (f->is_change) c->offset = pkm_table_get(f->run[c->run].table, 0, c->column);
    }
    if (f->n_panel <= PKM_PLOT_MAX_PANEL) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "--column: %d diagrams, expected at most %d; --together puts columns of one "
                    "unit into one",
                    f->n_panel, PKM_PLOT_MAX_PANEL);
}

// ---- drawing -----------------------------------------------------------------------------------

enum { X_LABEL = 2 * VERB_PLOT_WORDS + 4 };

/// What is drawn, in one arena.
typedef struct drawing {
    const pkm_verb_figure* f;
    pkm_arena* arena;
    pkm_plot_series* series; ///< of all panels, panel by panel
    pkm_plot_panel* panel;
    const char* x_unit;
    double x_most;
} drawing;

bool pkm_verb_figure_shows(const pkm_verb_figure* f, const pkm_table* table, int row)
{
    const double factor = pkm_unit_ratio(pkm_table_unit(table, 0), "s");
    const double t = (factor > 0.0 ? factor : 1.0) * pkm_table_get(table, row, 0);
    return t >= f->from && t <= f->to;
}

/// The points of a curve within the chosen times, located ones too.
static pkm_status copy_points(drawing* d, const pkm_verb_curve* c, pkm_plot_series* out,
                              pkm_error* err)
{
    const pkm_table* table = d->f->run[c->run].table;
    const int x_at = x_column(d->f, c->run);
    const int most = pkm_table_n_row(table) + pkm_table_n_located(table);
    double* x = pkm_arena_alloc(d->arena, 2 * (size_t)most, sizeof *x);
    if (!x) return pkm_out_of_memory(err);
    const double factor = pkm_unit_ratio(pkm_table_unit(table, x_at), d->x_unit);
    double* y = x + most;
    int n = 0;
    pkm_table_walk walk;
    pkm_table_walk_begin(&walk, table);
    for (int i = pkm_table_walk_next(&walk); i != PKM_NONE; i = pkm_table_walk_next(&walk)) {
        if (!pkm_verb_figure_shows(d->f, table, i)) continue;
        x[n] = factor * pkm_table_get(table, i, x_at);
        y[n] = c->factor * (pkm_table_get(table, i, c->column) - c->offset);
        d->x_most = fmax(d->x_most, fabs(x[n]));
        ++n;
    }
    *out = (pkm_plot_series){.name = c->label, .x = x, .y = y, .n = n};
    return PKM_OK;
}

/// The text of a unit with a prefix ("kN") lives as long as the drawing.
static pkm_axis axis_of(drawing* d, const char* label, const char* unit, double most)
{
    enum { SIZE = 64 };
    char* text = pkm_arena_alloc(d->arena, SIZE, 1);
    return text ? pkm_axis_for(label, unit, most, text, SIZE) : (pkm_axis){.label = label};
}

/// The curves of a panel, and its axis.
static pkm_status fill_panel(drawing* d, int p, pkm_plot_series* series, pkm_error* err)
{
    const pkm_verb_curve* first = NULL;
    double most = 0.0;
    pkm_plot_panel* panel = &d->panel[p];
    panel->series = series;
    for (int k = 0; k < d->f->n_curve; ++k) {
        const pkm_verb_curve* c = &d->f->curve[k];
        if (c->panel != p) continue;
        if (!first) first = c;
        pkm_plot_series* s = &series[panel->n_series++];
        PKM_TRY(copy_points(d, c, s, err));
        for (int i = 0; i < s->n; ++i)
            most = fmax(most, fabs(s->y[i]));
    }
    // columns without a quantity ("energy") are called by their item, and need no name beside
    const bool is_named = first->words.quantity[0] != '\0';
    const char* label = is_named ? first->words.quantity : first->words.item;
    const char* unit = unit_of(d->f, first);
    panel->y = axis_of(d, label, unit, most);
    if (panel->n_series == 1 && (!is_named || d->f->is_equal)) series[0].name = NULL;
    return PKM_OK;
}

static pkm_status fill(drawing* d, pkm_error* err)
{
    const pkm_verb_figure* f = d->f;
    d->series = pkm_arena_alloc(d->arena, (size_t)f->n_curve, sizeof *d->series);
    d->panel = pkm_arena_alloc(d->arena, (size_t)f->n_panel, sizeof *d->panel);
    if (!d->series || !d->panel) return pkm_out_of_memory(err);
    const int run = f->curve[0].run, x = x_column(f, run);
    d->x_unit = pkm_table_unit(f->run[run].table, x);
    pkm_plot_series* next = d->series;
    for (int p = 0; p < f->n_panel; ++p) {
        PKM_TRY(fill_panel(d, p, next, err));
        next += d->panel[p].n_series;
    }
    return PKM_OK;
}

/// What the axis below is called: "time", or quantity and item of a column.
static const char* x_label(const drawing* d, char out[X_LABEL])
{
    const pkm_verb_figure* f = d->f;
    const pkm_table* table = f->run[f->curve[0].run].table;
    const int x = x_column(f, f->curve[0].run);
    if (x == 0)
        return strcmp(pkm_table_name(table, 0), "t") == 0 ? "time" : pkm_table_name(table, 0);
    const pkm_column_words words = pkm_table_words(table, x);
    snprintf(out, X_LABEL, "%s%s%s", words.quantity, *words.quantity ? ", " : "", words.item);
    return out;
}

pkm_status pkm_verb_figure_write(const pkm_verb_figure* f, const char* title, const char* path,
                                 pkm_error* err)
{
    drawing d = {.f = f, .arena = pkm_arena_create()};
    char label[X_LABEL];
    pkm_status status = d.arena ? fill(&d, err) : pkm_out_of_memory(err);
    if (status == PKM_OK) {
        double most = f->over ? d.x_most : 1.0;
        if (f->is_equal) { // one unit for both axes
            for (int i = 0; i < d.panel[0].series[0].n; ++i)
                most = fmax(most, fabs(d.panel[0].series[0].y[i]));
            d.panel[0].y = axis_of(&d, d.panel[0].y.label, unit_of(f, &f->curve[0]), most);
        }
        const pkm_plot plot = {.title = title,
                               .x = axis_of(&d, x_label(&d, label), d.x_unit, most),
                               .height = f->is_equal ? 130.0 : 0.0,
                               .panel = d.panel,
                               .n_panel = f->n_panel,
                               .is_equal = f->is_equal};
        status = pkm_plot_write(&plot, path, err);
    }
    pkm_arena_free(d.arena);
    return status;
}

void pkm_verb_figure_free(pkm_verb_figure* f)
{
    for (int r = 0; r < f->n_run; ++r)
        pkm_verb_run_table_free(&f->run[r]);
}
