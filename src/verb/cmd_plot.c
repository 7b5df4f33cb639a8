// pkm plot: columns of runs over time or over each other, and paths of points in a plane or in
// space.
#include "verb/commands.h"

#include "base/error.h"
#include "model/text_table.h"
#include "plot/solid.h"
#include "plot/svg.h"
#include "table/column.h"
#include "verb/plot_panels.h"
#include "verb/result_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {"--with", "RUN", .text = "another folder or table, laid over the first", .repeats = true},
    {"--column", "NAME", .text = "a column by name or pattern", .repeats = true},
    {"--together",
     .text = "columns of one unit share a diagram, whatever they are: drives and tool"},
    {"--change", .text = "changes since the first row instead of values"},
    {"--over", "NAME", .text = "another column than the time below"},
    {"--path", "space|x|y|z",
     .text = "the path of a point instead: in space, or in the plane across an axis, with equal "
             "scales"},
    {"--point", "NAME",
     .text = "of --path: whose columns `.x`, `.y`, `.z`; the first that has them",
     .with = "--path"},
    {"--from", "TIME", .text = "start of the part that is drawn"},
    {"--to", "TIME", .text = "its end"},
    {"--title", "TEXT", .text = "of the picture; the names of the runs when not given"},
    {"-o", "DIR", .text = "folder for `plot.svg` or `path.svg` (default `pkm-out`)"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_plot_verb = {
    .name = "plot",
    .operand = "RUN",
    .text = "chosen columns of one or several runs in one picture; paths in plane and space",
    .help =
        "RUN is the folder of a run or a table (CSV or HDF5), a measured one too. Columns of one\n"
        "quantity share a diagram, with the curves of all runs; units are matched (mm beside m).\n"
        "Axes are called by what a column is, as the run said in its manifest.json.",
    .example = "pkm plot pkm-out/siax-paper-simulate --column 'P.d?'",
    .another = "pkm plot siax --with pkm-out/siax-paper-simulate --column 'q*.force' -o both",
    VERB_OPTIONS(options),
    .writes = true,
    .run = run,
};

static const char text[] =
    "{*curves}{_label:-36s} {least:12.6g} to {largest:12.6g} {unit}\n{/}\npicture in {file}\n";

typedef struct plotting {
    const pkm_verb_arguments* args;
    pkm_verb_figure figure;
    char title[600], file[1100];
    char over[VERB_PLOT_WORDS + 4]; ///< of a path: the column below
    pkm_result* result;
} plotting;

// ---- choices -----------------------------------------------------------------------------------

/// The operand first, then each --with.
static pkm_status read_runs(plotting* g, pkm_error* err)
{
    pkm_verb_figure* f = &g->figure;
    const char* path = g->args->model;
    const bool has_times = pkm_verb_has(g->args, "--from") || pkm_verb_has(g->args, "--to");
    for (int k = 0; path; path = pkm_verb_get_nth(g->args, "--with", k++)) {
        if (f->n_run == VERB_MAX_RUN)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "--with: more than %d runs", VERB_MAX_RUN);
        pkm_verb_run_table* run = &f->run[f->n_run++];
        PKM_TRY(pkm_verb_run_table_read(path, run, err));
        // seconds of the option are compared with the first column: its unit must be known
        if (has_times) PKM_TRY(pkm_table_require_unit(run->table, 0, path, err));
    }
    return PKM_OK;
}

/// The names of the runs, unless --title says otherwise.
static void name_picture(plotting* g)
{
    const char* given = pkm_verb_get(g->args, "--title");
    size_t used = 0;
    snprintf(g->title, sizeof g->title, "%.500s", given ? given : "");
    for (int r = 0; !given && r < g->figure.n_run && used < 400; ++r)
        // a title of many runs ends where the page does
        used += (size_t)snprintf(g->title + used, sizeof g->title - used, "%s%s", r ? ", " : "",
                                 g->figure.run[r].name);
}

static pkm_status read_times(plotting* g, pkm_error* err)
{
    const char *from = pkm_verb_get(g->args, "--from"), *to = pkm_verb_get(g->args, "--to");
    // all times, until an option says otherwise
    g->figure.from = -HUGE_VAL;
    g->figure.to = HUGE_VAL;
    if (from) PKM_TRY(pkm_verb_number(from, "s", "--from", &g->figure.from, err));
    if (to) PKM_TRY(pkm_verb_number(to, "s", "--to", &g->figure.to, err));
    if (g->figure.from < g->figure.to) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "--from, --to: %g to %g s, expected rising times",
                    g->figure.from, g->figure.to);
}

static pkm_status place_file(plotting* g, const char* name, pkm_error* err)
{
    const char* folder = pkm_verb_get(g->args, "-o");
    PKM_TRY(pkm_verb_make_folder(folder ? folder : "pkm-out", err));
    snprintf(g->file, sizeof g->file, "%.1000s/%s", folder ? folder : "pkm-out", name);
    return PKM_OK;
}

// ---- columns -----------------------------------------------------------------------------------

/// Least and largest of what is drawn of a curve; false: nothing is.
static bool find_range(const pkm_verb_figure* f, const pkm_verb_curve* c, double range[2])
{
    const pkm_table* table = f->run[c->run].table;
    // located peaks among the rows, in the order of time
    pkm_table_walk walk;
    pkm_table_walk_begin(&walk, table);
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (int i = pkm_table_walk_next(&walk); i != PKM_NONE; i = pkm_table_walk_next(&walk)) {
        if (!pkm_verb_figure_shows(f, table, i)) continue;
        // as it is drawn: --change takes the first value away
        const double y = pkm_table_get(table, i, c->column) - c->offset;
        range[0] = fmin(range[0], y);
        range[1] = fmax(range[1], y);
    }
    return range[0] <= range[1];
}

/// In the words of the options that were given.
static pkm_status fail_empty(const pkm_verb_figure* f, int run, pkm_error* err)
{
    if (isinf(f->to))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--from: %s has no row from %g s on",
                        f->run[run].name, f->from);
    if (isinf(f->from))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--to: %s has no row up to %g s", f->run[run].name,
                        f->to);
    return pkm_fail(err, PKM_ERR_ARGUMENT, "--from, --to: %s has no row within %g to %g s",
                    f->run[run].name, f->from, f->to);
}

/// What is drawn, with its range, for those who do not look.
static pkm_status tell_curves(plotting* g, pkm_error* err)
{
    const pkm_verb_figure* f = &g->figure;
    pkm_result* list = pkm_result_list(g->result, "curves");
    for (int k = 0; k < f->n_curve; ++k) {
        const pkm_verb_curve* c = &f->curve[k];
        const pkm_table* table = f->run[c->run].table;
        const char* unit = pkm_table_unit(table, c->column);
        double range[2];
        if (!find_range(f, c, range)) return fail_empty(f, c->run, err);
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "run", f->run[c->run].name);
        pkm_result_text(item, "column", pkm_table_name(table, c->column));
        // counted from 1, as people count what stands below each other
        pkm_result_integer(item, "diagram", c->panel + 1);
        pkm_result_text(item, "quantity", c->words.quantity);
        pkm_result_format(item, "_label", "%s%s%s", pkm_table_name(table, c->column),
                          f->n_run > 1 ? ", " : "", f->n_run > 1 ? f->run[c->run].name : "");
        pkm_result_text(item, "unit", unit);
        pkm_result_number(item, "least", unit, range[0]);
        pkm_result_number(item, "largest", unit, range[1]);
    }
    return PKM_OK;
}

static pkm_status plot_columns(plotting* g, pkm_error* err)
{
    const char* pattern;
    pkm_verb_figure* f = &g->figure;
    for (int k = 0; (pattern = pkm_verb_get_nth(g->args, "--column", k)); ++k)
        PKM_TRY(pkm_verb_figure_add(f, pattern, err));
    if (f->n_curve == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "plot: expected --column NAME or --path VIEW");
    f->over = pkm_verb_get(g->args, "--over");
    f->together = pkm_verb_has(g->args, "--together");
    f->is_change = pkm_verb_has(g->args, "--change");
    PKM_TRY(pkm_verb_figure_arrange(f, err));
    PKM_TRY(tell_curves(g, err));
    PKM_TRY(place_file(g, "plot.svg", err));
    return pkm_verb_figure_write(f, g->title, g->file, err);
}

// ---- paths -------------------------------------------------------------------------------------

/// The columns x, y, z of a point in a run.
static bool find_point(const pkm_table* table, const char* point, int column[3])
{
    static const char* const axis[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
        column[k] = pkm_table_find_item(table, point, axis[k]);
        if (column[k] == PKM_NONE) return false;
    }
    return true;
}

/// The first point of the table that has a path; false: none has.
static bool first_point(const pkm_table* table, char out[VERB_PLOT_WORDS])
{
    int column[3];
    for (int c = 1; c < pkm_table_n_column(table); ++c) {
        const char *name = pkm_table_name(table, c), *dot = strrchr(name, '.');
        if (!dot || strcmp(dot, ".x") != 0) continue;
        snprintf(out, VERB_PLOT_WORDS, "%.*s", (int)(dot - name), name);
        // a column .x alone is no point: .y and .z must stand beside it
        if (find_point(table, out, column)) return true;
    }
    return false;
}

/// The point that was asked for, or the first of the first run; every run must have it.
static pkm_status choose_point(const plotting* g, char out[VERB_PLOT_WORDS], pkm_error* err)
{
    const pkm_verb_figure* f = &g->figure;
    const char* given = pkm_verb_get(g->args, "--point");
    int column[3];
    snprintf(out, VERB_PLOT_WORDS, "%.150s", given ? given : "");
    if (!given && !first_point(f->run[0].table, out))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--path: %s has no point with columns .x, .y, .z",
                        f->run[0].name);
    for (int r = 0; r < f->n_run; ++r)
        if (!find_point(f->run[r].table, out, column))
            return pkm_fail(err, PKM_ERR_ARGUMENT, "--point: %s has no columns %.80s.x, .y, .z",
                            f->run[r].name, out);
    return PKM_OK;
}

/// In the plane across an axis: one column over another, with equal scales.
static pkm_status plot_plane(plotting* g, char view, const char* point, pkm_error* err)
{
    char* over = g->over;
    char up[VERB_PLOT_WORDS + 4];
    // across x: z over y; across y: z over x; across z: y over x
    snprintf(over, sizeof g->over, "%s.%c", point, view == 'x' ? 'y' : 'x');
    snprintf(up, sizeof up, "%s.%c", point, view == 'z' ? 'y' : 'z');
    g->figure.over = over;
    // a circle must look like one: one scale for both axes
    g->figure.is_equal = true;
    PKM_TRY(pkm_verb_figure_add(&g->figure, up, err));
    PKM_TRY(pkm_verb_figure_arrange(&g->figure, err));
    // the axis tells the component, the curves their runs
    for (int k = 0; k < g->figure.n_curve; ++k) {
        pkm_verb_curve* c = &g->figure.curve[k];
        const pkm_verb_run_name name = pkm_verb_figure_name(&g->figure, c->run);
        snprintf(c->label, sizeof c->label, "%s", name.text);
        const size_t used = strlen(c->words.quantity);
        snprintf(c->words.quantity + used, sizeof c->words.quantity - used, ", %c",
                 view == 'z' ? 'y' : 'z');
    }
    PKM_TRY(tell_curves(g, err));
    PKM_TRY(place_file(g, "path.svg", err));
    return pkm_verb_figure_write(&g->figure, g->title, g->file, err);
}

/// The path of a point that the run has; how many rows are within the times.
static int read_path(const pkm_verb_figure* f, int r, const char* point, pkm_vec3* at)
{
    const pkm_table* table = f->run[r].table;
    int column[3], n = 0;
    // every run has it: choose_point has looked
    find_point(table, point, column);
    for (int i = 0; i < pkm_table_n_row(table); ++i) {
        if (!pkm_verb_figure_shows(f, table, i)) continue;
        at[n++] = (pkm_vec3){pkm_table_get(table, i, column[0]), pkm_table_get(table, i, column[1]),
                             pkm_table_get(table, i, column[2])};
    }
    return n;
}

/// The paths in space, one colour per run.
static pkm_status plot_space(plotting* g, const char* point, pkm_error* err)
{
    const pkm_verb_figure* f = &g->figure;
    pkm_solid_line line[VERB_MAX_RUN];
    pkm_vec3* at[VERB_MAX_RUN] = {NULL};
    pkm_solid_picture picture = {.title = g->title, .line = line, .n_line = f->n_run};
    pkm_status status = PKM_OK;
    for (int r = 0; r < f->n_run && status == PKM_OK; ++r) {
        line[r] = (pkm_solid_line){.colour = pkm_svg_colour(r),
                                   .name = f->n_run > 1 ? f->run[r].name : NULL};
        at[r] = pkm_alloc((size_t)pkm_table_n_row(f->run[r].table), sizeof *at[r]);
        line[r].at = at[r];
        if (at[r])
            line[r].n = read_path(f, r, point, at[r]);
        else
            status = pkm_out_of_memory(err);
        // a run that shows nothing would be missed in the picture
        if (at[r] && line[r].n == 0) status = fail_empty(f, r, err);
    }
    if (status == PKM_OK) status = place_file(g, "path.svg", err);
    // seen from the front, the right and above
    pkm_solid_view("space", (pkm_vec3){0.0, 0.0, 1.0}, &picture.right, &picture.up);
    if (status == PKM_OK) status = pkm_solid_write(&picture, g->file, err);
    for (int r = 0; r < f->n_run; ++r)
        pkm_free(at[r]);
    return status;
}

static pkm_status plot_path(plotting* g, const char* view, pkm_error* err)
{
    char point[VERB_PLOT_WORDS];
    const bool is_axis = strlen(view) == 1 && strchr("xyz", view[0]);
    if (!is_axis && strcmp(view, "space") != 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--path: '%.40s', expected space, x, y or z", view);
    static const char* const of_columns[] = {"--over", "--together", "--change"};
    bool has = pkm_verb_get_nth(g->args, "--column", 0);
    for (int k = 0; k < 3; ++k)
        has = has || pkm_verb_has(g->args, of_columns[k]);
    if (has)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "--path: expected no --column, --over, --together or --change");
    PKM_TRY(choose_point(g, point, err));
    pkm_result_text(g->result, "point", point);
    return is_axis ? plot_plane(g, view[0], point, err) : plot_space(g, point, err);
}

// ---- all ---------------------------------------------------------------------------------------

static pkm_status answer(plotting* g, pkm_error* err)
{
    const char* view = pkm_verb_get(g->args, "--path");
    PKM_TRY(read_times(g, err));
    PKM_TRY(read_runs(g, err));
    name_picture(g);
    PKM_TRY(view ? plot_path(g, view, err) : plot_columns(g, err));
    pkm_result_text(g->result, "file", g->file);
    pkm_verb_wrote(g->args, NULL, g->file);
    return PKM_OK;
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    plotting* g = pkm_verb_work(args, sizeof *g, err);
    if (!g) return PKM_ERR_MEMORY;
    g->args = args;
    g->result = pkm_verb_result(args);
    const pkm_status status = answer(g, err);
    pkm_verb_figure_free(&g->figure);
    return status == PKM_OK ? pkm_verb_show(args, text, err) : status;
}
