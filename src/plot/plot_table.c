#include "plot/plot.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A column name in two parts: the quantity, which names the panel, and the item, which names the
/// curve. "q1.force" is the force of q1; "E.x" the x of E; "energy" an item without a quantity.
typedef struct column_name {
    char quantity[PKM_MAX_NAME];
    char item[PKM_MAX_NAME];
} column_name;

/// What tables of others may call a column, with the unit that makes it so: tables of pkm's own
/// analyses say what their columns are.
static const struct {
    const char *suffix, *unit, *words;
} quantities[] = {
    {"q", "m", "position"},
    {"q", "rad", "angle"},
    {"v", "m/s", "velocity"},
    {"v", "rad/s", "angular velocity"},
    {"a", "m/s2", "acceleration"},
    {"a", "rad/s2", "angular acceleration"},
    {"j", "m/s3", "jerk"},
    {"force", "N", "force"},
    {"force", "N m", "torque"},
    {"torque", "N m", "torque"},
    {"power", "W", "power"},
    {"work", "J", "work"},
    {"x y z", "m", "position of *"},
    {"roll pitch yaw", "rad", "orientation of *"},
    {"vx vy vz speed", "m/s", "velocity of *"},
    {"wx wy wz", "rad/s", "angular velocity of *"},
    {"ax ay az acc", "m/s2", "acceleration of *"},
};

/// Is `word` one of those in `list`?
static bool is_among(const char* word, const char* list)
{
    const size_t length = strlen(word);
    for (const char* at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' ')) return true;
    return false;
}

static const char* words_for(const char* suffix, const char* unit)
{
    for (size_t k = 0; *suffix && k < sizeof quantities / sizeof quantities[0]; ++k)
        if (is_among(suffix, quantities[k].suffix) && strcmp(unit, quantities[k].unit) == 0)
            return quantities[k].words;
    return "*";
}

/// What a column is (see pkm_column), and what its curve is called.
static column_name split_name(const pkm_table* table, int column)
{
    column_name out = {"", ""};
    const char *name = pkm_table_name(table, column), *unit = pkm_table_unit(table, column);
    const char *title = pkm_table_title(table, column), *dot = strrchr(name, '.');
    const int before = dot ? (int)(dot - name) : 0;
    if (!*title && dot) title = words_for(dot + 1, unit);
    const char* star = strchr(title, '*');
    if (!dot)
        snprintf(out.item, sizeof out.item, "%s", *title ? title : name);
    else if (!star)
        snprintf(out.item, sizeof out.item, "%.*s", before, name);
    else
        snprintf(out.item, sizeof out.item, "%s", dot + 1);
    if (dot && star)
        snprintf(out.quantity, sizeof out.quantity, "%.*s%.*s", (int)(star - title), title, before,
                 name);
    else if (dot)
        snprintf(out.quantity, sizeof out.quantity, "%s", title);
    return out;
}

/// A figure in the making; all memory is in the arena.
typedef struct table_plot {
    pkm_arena* arena;
    const pkm_table* table;
    const int* column;
    int n_column;
    column_name* name; // per column
    int* panel_of;     // per column
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
        tp->name[k] = split_name(tp->table, tp->column[k]);
    assign_panels(tp);
    for (int p = 0; p < tp->n_panel; ++p) {
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
