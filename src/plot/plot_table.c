// Columns of a table as panels: those of one quantity and unit share one, titles come from what a
// column is, and the unit's prefix from its largest value.
#include "plot/plot.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/column.h"

#include <math.h>
#include <string.h>

/// A figure in the making; all memory is in the arena.
typedef struct table_plot {
    pkm_arena* arena;
    const pkm_table* table;
    const int* column;
    int n_column;
    pkm_column_words* name; // per column
    int* panel_of;          // per column
    double* x;
    pkm_plot_panel* panel;
    int n_panel;
} table_plot;

/// Give every column a panel: columns of one quantity and one unit share it.
static void assign_panels(table_plot* tp)
{
    tp->n_panel = 0;
    for (int k = 0; k < tp->n_column; ++k) {
        tp->panel_of[k] = PKM_NONE;
        // the panel of the first column before it that is alike
        for (int j = 0; j < k && tp->panel_of[k] == PKM_NONE; ++j)
            if (strcmp(tp->name[j].quantity, tp->name[k].quantity) == 0 &&
                strcmp(pkm_table_unit(tp->table, tp->column[j]),
                       pkm_table_unit(tp->table, tp->column[k])) == 0)
                tp->panel_of[k] = tp->panel_of[j];
        if (tp->panel_of[k] == PKM_NONE) tp->panel_of[k] = tp->n_panel++;
    }
}

/// Points of a curve: all rows, located ones too, so that it reaches its peaks.
static int n_point(const table_plot* tp)
{
    return pkm_table_n_row(tp->table) + pkm_table_n_located(tp->table);
}

/// A copy of one column, or NULL.
static double* copy_column(table_plot* tp, int column)
{
    pkm_table_walk walk;
    double* value = pkm_arena_alloc(tp->arena, (size_t)n_point(tp), sizeof *value);
    pkm_table_walk_begin(&walk, tp->table);
    for (int i = 0; value && i < n_point(tp); ++i)
        value[i] = pkm_table_get(tp->table, pkm_table_walk_next(&walk), column);
    return value;
}

/// The largest magnitude in the panel's columns, for the choice of the unit; 0 when it is not
/// finite.
static double largest_in_panel(const table_plot* tp, int panel)
{
    double largest = 0.0;
    for (int k = 0; k < tp->n_column; ++k) {
        if (tp->panel_of[k] != panel) continue;
        const double v = pkm_table_reduce(tp->table, tp->column[k], PKM_REDUCE_ABSMAX, NULL);
        if (isfinite(v) && v > largest) largest = v;
    }
    return largest;
}

/// The first column of the panel; every panel has one.
static int first_of(const table_plot* tp, int panel)
{
    int k = 0;
    while (tp->panel_of[k] != panel)
        ++k;
    return k;
}

static pkm_status fill_axis(table_plot* tp, int panel)
{
    const int first = first_of(tp, panel);
    const char* unit = pkm_table_unit(tp->table, tp->column[first]);
    const size_t size = strlen(unit) + 8;
    char* text = pkm_arena_alloc(tp->arena, size, 1);
    if (!text) return PKM_ERR_MEMORY;
    const pkm_axis axis =
        // mm or um, kN or N: by the largest value that is drawn
        pkm_axis_for(tp->name[first].quantity, unit, largest_in_panel(tp, panel), text, size);
    // a lone column without a quantity names its axis, and needs no legend
    tp->panel[panel].y = axis;
    if (tp->panel[panel].n_series == 1 && axis.label[0] == '\0')
        tp->panel[panel].y.label = tp->name[first].item;
    return PKM_OK;
}

static pkm_status fill_series(table_plot* tp, int panel)
{
    const int n_row = n_point(tp);
    pkm_plot_series* series =
        pkm_arena_alloc(tp->arena, (size_t)tp->n_column, sizeof(pkm_plot_series));
    if (!series) return PKM_ERR_MEMORY;
    int n = 0;
    for (int k = 0; k < tp->n_column; ++k) {
        if (tp->panel_of[k] != panel) continue;
        double* y = copy_column(tp, tp->column[k]);
        if (!y) return PKM_ERR_MEMORY;
        series[n++] = (pkm_plot_series){.name = tp->name[k].item, .x = tp->x, .y = y, .n = n_row};
    }
    // the axis has that name already
    if (n == 1 && tp->name[first_of(tp, panel)].quantity[0] == '\0') series[0].name = NULL;
    tp->panel[panel].series = series;
    tp->panel[panel].n_series = n;
    return PKM_OK;
}

static pkm_status fill_levels(table_plot* tp, int panel, const pkm_table_level* level, int n_level)
{
    pkm_plot_level* out = pkm_arena_alloc(tp->arena, (size_t)n_level, sizeof(pkm_plot_level));
    if (!out) return PKM_ERR_MEMORY;
    int n = 0;
    for (int k = 0; k < tp->n_column; ++k)
        for (int j = 0; tp->panel_of[k] == panel && j < n_level; ++j)
            if (level[j].column == tp->column[k])
                out[n++] = (pkm_plot_level){level[j].value, level[j].label};
    tp->panel[panel].level = out;
    tp->panel[panel].n_level = n;
    return PKM_OK;
}

static pkm_status build(table_plot* tp, int x_column, const pkm_table_level* level, int n_level)
{
    const size_t n = (size_t)tp->n_column;
    tp->name = pkm_arena_alloc(tp->arena, n, sizeof *tp->name);
    tp->panel_of = pkm_arena_alloc(tp->arena, n, sizeof *tp->panel_of);
    tp->panel = pkm_arena_alloc(tp->arena, n, sizeof *tp->panel);
    tp->x = copy_column(tp, x_column);
    if (!tp->name || !tp->panel_of || !tp->panel || !tp->x) return PKM_ERR_MEMORY;

    for (int k = 0; k < tp->n_column; ++k)
        tp->name[k] = pkm_table_words(tp->table, tp->column[k]);
    assign_panels(tp);
    for (int p = 0; p < tp->n_panel; ++p) {
        // series before the axis, whose title asks how many there are
        PKM_TRY(fill_series(tp, p));
        PKM_TRY(fill_axis(tp, p));
        PKM_TRY(fill_levels(tp, p, level, n_level));
    }
    return PKM_OK;
}

/// Every column must exist; a plot needs one.
static pkm_status check_columns(const pkm_table* table, int x_column, const int* column,
                                int n_column, const char* path, pkm_error* err)
{
    const int n = pkm_table_n_column(table);
    bool fine = n_column > 0 && x_column >= 0 && x_column < n;
    for (int k = 0; fine && k < n_column; ++k)
        fine = column[k] >= 0 && column[k] < n;
    if (fine) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: no such column to plot", path);
}

pkm_status pkm_plot_table_levels(const pkm_table* table, int x_column, const int* column,
                                 int n_column, const pkm_table_level* level, int n_level,
                                 const char* title, const char* path, pkm_error* err)
{
    if (!table || !column || !path || n_level < 0 || (n_level > 0 && !level))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "plot: an argument is NULL");
    PKM_TRY(check_columns(table, x_column, column, n_column, path, err));
    table_plot tp = {.table = table, .column = column, .n_column = n_column};
    tp.arena = pkm_arena_create();
    pkm_status status = tp.arena ? build(&tp, x_column, level, n_level) : PKM_ERR_MEMORY;
    if (status == PKM_OK) {
        const char* x_name = pkm_table_name(table, x_column);
        const char* x_unit = pkm_table_unit(table, x_column);
        char x_text[PKM_MAX_NAME];
        pkm_axis x = pkm_axis_for(strcmp(x_name, "t") == 0 ? "time" : x_name, x_unit, 1.0, x_text,
                                  sizeof x_text);
        const pkm_plot plot = {.title = title, .x = x, .panel = tp.panel, .n_panel = tp.n_panel};
        status = pkm_plot_write(&plot, path, err);
    } else {
        pkm_fail(err, status, "%s: out of memory", path);
    }
    pkm_arena_free(tp.arena);
    return status;
}

pkm_status pkm_plot_table(const pkm_table* table, int x_column, const int* column, int n_column,
                          const char* title, const char* path, pkm_error* err)
{
    return pkm_plot_table_levels(table, x_column, column, n_column, NULL, 0, title, path, err);
}
