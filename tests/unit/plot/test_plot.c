#include "plot/plot.h"

#include "base/memory.h"
#include "check.h"
#include "plot/svg.h"
#include "table/column.h"
#include "unit/plot/xml.h"
#include "unit/write/scratch_folder.h"

#include <stddef.h>

enum { MANY = 200000 };

static double x[MANY], y[MANY], z[MANY];

static void fill_data(void)
{
    for (int k = 0; k < MANY; ++k) {
        x[k] = 1e-5 * k;
        y[k] = sin(20.0 * x[k]);
        z[k] = 1e5 * cos(7.0 * x[k]);
    }
}

/// The text of the plot, freed by the caller; it is checked to be well formed.
static char* plotted(const pkm_plot* plot)
{
    const char* path = scratch_path("plot.svg");
    pkm_error err = {0};
    CHECK(pkm_plot_write(plot, path, &err) == PKM_OK);
    CHECK_TEXT(err.text, "");
    char* text = scratch_read(path);
    CHECK(text && xml_is_well_formed(text));
    CHECK(text && !xml_has_nan(text));
    return text;
}

/// The extremes of the page coordinates of all polylines; returns the number of points.
static int polyline_range(const char* text, double low[2], double high[2])
{
    int n = 0;
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (const char* s = text; (s = strstr(s, "<polyline points=\"")); ++s) {
        const char* p = s + strlen("<polyline points=\"");
        for (double at[2]; *p != '"'; ++n) {
            int used = 0;
            if (sscanf(p, "%lf,%lf%n", &at[0], &at[1], &used) != 2) break;
            p += used + (p[used] == ' ');
            for (int c = 0; c < 2; ++c) {
                if (at[c] < low[c]) low[c] = at[c];
                if (at[c] > high[c]) high[c] = at[c];
            }
        }
    }
    return n;
}

/// The frame of the only panel [pt].
static void read_frame(const char* text, double frame[4])
{
    const char* s = strstr(text, "<clipPath id=\"panel0\"><rect ");
    CHECK(s && sscanf(s,
                      "<clipPath id=\"panel0\"><rect x=\"%lf\" y=\"%lf\" width=\"%lf\" "
                      "height=\"%lf\"",
                      &frame[0], &frame[1], &frame[2], &frame[3]) == 4);
}

static void many_points_make_a_small_file_that_keeps_peaks(void)
{
    fill_data();
    y[123456] = 3.0; // one sample
    const pkm_plot_series series = {.name = "y", .x = x, .y = y, .n = MANY};
    const pkm_plot_panel panel = {
        .y = {.low = -2.0, .high = 4.0}, .series = &series, .n_series = 1};
    const pkm_plot plot = {.panel = &panel, .n_panel = 1};
    char* text = plotted(&plot);
    CHECK(strlen(text) < 100000);

    double frame[4], low[2], high[2];
    read_frame(text, frame);
    const int n = polyline_range(text, low, high);
    CHECK(n > 1000 && n < 5000);
    // 3 stands at 5/6 of the height; the file has two digits behind the point
    CHECK_NEAR(low[1], frame[1] + frame[3] / 6.0, 0.011);
    CHECK_NEAR(high[1], frame[1] + frame[3] * 5.0 / 6.0, 0.011);
    CHECK_NEAR(low[0], frame[0], 0.011);
    CHECK_NEAR(high[0], frame[0] + frame[2], 0.011);
    free(text);
}

static void few_points_are_drawn_as_they_are(void)
{
    const double tx[] = {0.0, 1.0, 2.0, 4.0}, ty[] = {0.0, 2.0, 1.0, 4.0};
    const pkm_plot_series series = {.name = "a", .x = tx, .y = ty, .n = 4};
    const pkm_plot_panel panel = {.y = {.low = 0.0, .high = 4.0}, .series = &series, .n_series = 1};
    const pkm_plot plot = {.panel = &panel, .n_panel = 1};
    char* text = plotted(&plot);
    double f[4];
    read_frame(text, f);
    char expected[200];
    snprintf(expected, sizeof expected,
             "<polyline points=\"%.2f,%.2f %.2f,%.2f %.2f,%.2f %.2f,%.2f\"", f[0], f[1] + f[3],
             f[0] + 0.25 * f[2], f[1] + 0.5 * f[3], f[0] + 0.5 * f[2], f[1] + 0.75 * f[3],
             f[0] + f[2], f[1]);
    CHECK_CONTAINS(text, expected);
    free(text);
}

static void a_nan_interrupts_the_line(void)
{
    double ty[] = {0.0, 1.0, NAN, 1.0, INFINITY, 2.0, 3.0};
    const double tx[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, NAN};
    const pkm_plot_series series = {.name = "a", .x = tx, .y = ty, .n = 7};
    const pkm_plot_panel panel = {.series = &series, .n_series = 1};
    const pkm_plot plot = {.panel = &panel, .n_panel = 1};
    char* text = plotted(&plot);
    CHECK(xml_count(text, "<polyline") == 3);
    free(text);
    for (int k = 0; k < 7; ++k)
        ty[k] = NAN;
    text = plotted(&plot); // nothing to draw is not an error
    CHECK(xml_count(text, "<polyline") == 0);
    free(text);
}

static void axes_show_factors_units_and_texts(void)
{
    fill_data();
    const pkm_plot_series series[] = {{.name = "q1 <a>", .x = x, .y = y, .n = MANY},
                                      {.name = "q2 & b", .x = x, .y = y, .n = 10, .points = true}};
    const pkm_plot_panel panel = {
        .y = {.label = "angle", .unit = "deg", .factor = 57.29577951308232},
        .series = series,
        .n_series = 2};
    const pkm_plot plot = {.title = "A \"title\" & more",
                           .x = {.label = "time", .unit = "ms", .factor = 1000.0},
                           .panel = &panel,
                           .n_panel = 1};
    char* text = plotted(&plot);
    CHECK_CONTAINS(text, ">A &quot;title&quot; &amp; more</text>");
    CHECK_CONTAINS(text, ">time [ms]</text>");
    CHECK_CONTAINS(text, ">angle [deg]</text>");
    CHECK_CONTAINS(text, ">q1 &lt;a&gt;</text>");
    CHECK_CONTAINS(text, ">500</text>"); // milliseconds
    CHECK_CONTAINS(text, ">40</text>");  // degrees
    CHECK(xml_count(text, "<circle") == 11);
    free(text);
}

static void stacked_panels_share_the_time_axis_and_the_legend(void)
{
    fill_data();
    const pkm_plot_series a[] = {{.name = "q1", .x = x, .y = y, .n = MANY},
                                 {.name = "q2", .x = x, .y = z, .n = MANY}};
    const pkm_plot_series b[] = {{.name = "other", .x = x, .y = z, .n = MANY}};
    const pkm_plot_panel panel[] = {{.y = {.label = "one"}, .series = a, .n_series = 2},
                                    {.y = {.label = "two"}, .series = a, .n_series = 2},
                                    {.y = {.label = "three"}, .series = b, .n_series = 1}};
    const pkm_plot plot = {.x = {.label = "time", .unit = "s"}, .panel = panel, .n_panel = 3};
    char* text = plotted(&plot);
    CHECK(xml_count(text, ">q1</text>") == 1);
    CHECK(xml_count(text, ">other</text>") == 1);
    CHECK(xml_count(text, ">time [s]</text>") == 1);
    CHECK(xml_count(text, "<clipPath") == 3);
    CHECK(strlen(text) < 200000);
    free(text);
}

/// The y of the text element that holds `part`, NaN when there is none.
static double text_y(const char* text, const char* part)
{
    const char* s = strstr(text, part);
    while (s && s > text && strncmp(s, "<text ", 6) != 0)
        --s;
    double at_x, at_y = NAN;
    if (s) sscanf(s, "<text x=\"%lf\" y=\"%lf\"", &at_x, &at_y);
    return at_y;
}

static void published_values_are_lines_with_separate_labels(void)
{
    fill_data();
    const pkm_plot_series series = {.name = "force", .x = x, .y = y, .n = MANY};
    const pkm_plot_level level[] = {
        {0.500, "alpha"}, {0.505, "beta"}, {0.495, "gamma"}, {2.0, "delta"}, {-1.0, NULL}};
    const pkm_plot_panel panel = {.series = &series, .n_series = 1, .level = level, .n_level = 5};
    const pkm_plot plot = {.panel = &panel, .n_panel = 1};
    char* text = plotted(&plot);
    CHECK(xml_count(text, "stroke-dasharray=\"4 2.5\"") == 5);
    // from top to bottom, at least a line of type apart
    const double at[] = {text_y(text, ">delta<"), text_y(text, ">beta<"), text_y(text, ">alpha<"),
                         text_y(text, ">gamma<")};
    for (int k = 1; k < 4; ++k)
        CHECK(at[k] - at[k - 1] > 7.0);
    double frame[4];
    read_frame(text, frame);
    CHECK(at[0] > frame[1] && at[3] < frame[1] + frame[3]);
    // labels stand right of the frame, and the page has room for them
    double px, page = 0.0;
    const char* s = strstr(text, "viewBox=\"0 0 ");
    CHECK(s && sscanf(s, "viewBox=\"0 0 %lf", &page) == 1);
    s = strstr(text, ">gamma<");
    while (s && strncmp(s, "<text ", 6) != 0)
        --s;
    CHECK(s && sscanf(s, "<text x=\"%lf\"", &px) == 1);
    CHECK(px > frame[0] + frame[2] && px + pkm_svg_text_width("gamma", 7.0) < page);
    free(text);
}

static void sizes_are_as_asked(void)
{
    fill_data();
    const pkm_plot_series series = {.name = "a", .x = x, .y = y, .n = 100};
    const pkm_plot_panel panel = {.series = &series, .n_series = 1};
    pkm_plot plot = {.width = 85.0, .height = 60.0, .panel = &panel, .n_panel = 1};
    char* text = plotted(&plot);
    CHECK_CONTAINS(text, "width=\"85.00mm\" height=\"60.00mm\"");
    free(text);

    scratch_clear();
    pkm_error err = {0};
    plot.height = 15.0;
    CHECK(pkm_plot_write(&plot, scratch_path("small.svg"), &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "too small");
    plot.height = 60.0;
    plot.n_panel = 0;
    CHECK(pkm_plot_write(&plot, scratch_path("none.svg"), &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "0 panels");
    const pkm_plot_panel crowded = {.n_level = 99};
    const pkm_plot many = {.panel = &crowded, .n_panel = 1};
    CHECK(pkm_plot_write(&many, scratch_path("many.svg"), &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "99 levels");
    CHECK(scratch_count() == 0);
}

static void log_axes_leave_out_what_has_no_logarithm(void)
{
    const double tx[] = {0.0, 1.0, 2.0, 3.0}, ty[] = {1.0, -5.0, 100.0, 1000.0};
    const pkm_plot_series series = {.name = "a", .x = tx, .y = ty, .n = 4};
    const pkm_plot_panel panel = {.y = {.log = true}, .series = &series, .n_series = 1};
    const pkm_plot plot = {.panel = &panel, .n_panel = 1};
    char* text = plotted(&plot);
    CHECK(xml_count(text, "<polyline") == 2);
    CHECK_CONTAINS(text, ">100</text>");
    free(text);
}

/// t, two drives with position and force, a point, and a lone column.
static pkm_table* run_table(void)
{
    const char* const column[][2] = {{"t", "s"},          {"q1.q", "rad"},     {"q2.q", "rad"},
                                     {"q1.force", "N m"}, {"q2.force", "N m"}, {"E.x", "m"},
                                     {"E.y", "m"},        {"energy", "J"}};
    pkm_table* table = pkm_table_create();
    for (int c = 0; c < 8; ++c)
        pkm_table_add_column(table, column[c][0], column[c][1]);
    for (int r = 0; r < 200; ++r) {
        double* row = pkm_table_append(table);
        row[0] = 0.01 * r;
        for (int c = 1; c < 8; ++c)
            row[c] = 0.05 * sin(row[0] * c);
    }
    return table;
}

static void a_table_is_plotted_by_quantity(void)
{
    pkm_table* table = run_table();
    const int column[] = {1, 2, 3, 4, 5, 6, 7};
    const pkm_table_level level[] = {{3, 0.04, "published 0.04 N m"}, {7, 0.01, "other"}};
    const char* path = scratch_path("table.svg");
    CHECK(pkm_plot_table_levels(table, 0, column, 7, level, 2, "Run", path, NULL) == PKM_OK);
    char* text = scratch_read(path);
    CHECK(text && xml_is_well_formed(text));
    CHECK(xml_count(text, "<clipPath") == 4);
    CHECK_CONTAINS(text, ">time [s]</text>");
    CHECK_CONTAINS(text, ">angle [deg]</text>");
    CHECK_CONTAINS(text, ">torque [mN m]</text>");
    CHECK_CONTAINS(text, ">position of E [mm]</text>");
    CHECK_CONTAINS(text, ">energy [mJ]</text>");
    CHECK(xml_count(text, ">q1</text>") == 1 && xml_count(text, ">y</text>") == 1);
    CHECK(xml_count(text, ">published 0.04 N m</text>") == 1);
    CHECK(xml_count(text, "stroke-dasharray=\"4 2.5\"") == 2);
    free(text);
    pkm_table_free(table);
}

typedef struct link_values {
    double v, w, speed;
} link_values;

/// An axis says what its columns are: by their declaration, else by name and unit together. A
/// deflection that is called v is no velocity, nor a length that is no coordinate a position.
static void axes_say_what_columns_are(void)
{
    static const pkm_column declared[] = {
        {"v", "m", offsetof(link_values, v), .title = "deflection of *"},
        {"w", "m", offsetof(link_values, w), .title = "deflection of *"},
        {"speed", "m/s", offsetof(link_values, speed), .title = "slip"},
    };
    scratch_clear();
    pkm_table* table = pkm_table_create();
    pkm_layout to = {.table = table};
    pkm_table_add_column(table, "t", "s");
    pkm_layout_put(&to, "rod", declared, 3, NULL);
    pkm_table_add_column(table, "other.v", "m");
    for (int i = 0; i < 3; ++i) {
        double* row = pkm_table_append(table);
        row[0] = i;
        pkm_layout values = {.out = row + 1};
        pkm_layout_put(&values, "rod", declared, 3, &(link_values){1e-6 * i, -1e-6 * i, 1.0});
        row[4] = 1.0;
    }
    const int column[] = {1, 2, 3, 4};
    const char* path = scratch_path("what.svg");
    CHECK(pkm_plot_table(table, 0, column, 4, "Run", path, NULL) == PKM_OK);
    char* text = scratch_read(path);
    CHECK_CONTAINS(text, ">deflection of rod [\xc2\xb5m]</text>");
    CHECK_CONTAINS(text, ">slip [m/s]</text>");
    CHECK_CONTAINS(text, ">other [m]</text>");
    CHECK(xml_count(text, "velocity") == 0 && xml_count(text, "position") == 0);
    free(text);
    pkm_table_free(table);
}

static void wrong_columns_and_folders_are_refused(void)
{
    scratch_clear();
    pkm_table* table = run_table();
    pkm_error err = {0};
    const int wrong = 99, right = 1;
    CHECK(pkm_plot_table(table, 0, &wrong, 1, NULL, scratch_path("a.svg"), &err) ==
          PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "no such column");
    CHECK(pkm_plot_table(table, -1, &right, 1, NULL, scratch_path("a.svg"), NULL) ==
          PKM_ERR_ARGUMENT);
    CHECK(pkm_plot_table(table, 0, &right, 0, NULL, scratch_path("a.svg"), NULL) ==
          PKM_ERR_ARGUMENT);
    CHECK(pkm_plot_table(table, 0, &right, 1, NULL, scratch_path("no/a.svg"), &err) ==
          PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "no/a.svg: cannot write: No such file");
    CHECK(pkm_plot_table(table, 0, &right, 1, NULL, "/dev/full", &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "No space left");
    CHECK(scratch_count() == 0);
    pkm_table_free(table);
}

static void failing_memory_is_reported(void)
{
    scratch_clear();
    pkm_table* table = run_table();
    const int column[] = {1, 2, 3, 4, 5, 6, 7};
    pkm_status status = PKM_ERR_MEMORY;
    for (size_t n = 1; status == PKM_ERR_MEMORY && n < 100; ++n) {
        CHECK(scratch_count() == 0);
        pkm_alloc_fail_at(n);
        status = pkm_plot_table(table, 0, column, 7, "title", scratch_path("m.svg"), NULL);
        pkm_alloc_fail_at(0);
    }
    CHECK(status == PKM_OK);
    pkm_table_free(table);
}

int main(void)
{
    if (!scratch_create()) return 1;
    RUN(many_points_make_a_small_file_that_keeps_peaks);
    RUN(few_points_are_drawn_as_they_are);
    RUN(a_nan_interrupts_the_line);
    RUN(axes_show_factors_units_and_texts);
    RUN(stacked_panels_share_the_time_axis_and_the_legend);
    RUN(published_values_are_lines_with_separate_labels);
    RUN(sizes_are_as_asked);
    RUN(log_axes_leave_out_what_has_no_logarithm);
    RUN(a_table_is_plotted_by_quantity);
    RUN(axes_say_what_columns_are);
    RUN(wrong_columns_and_folders_are_refused);
    RUN(failing_memory_is_reported);
    scratch_remove();
    return check_report();
}
