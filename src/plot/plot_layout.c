// Arranges a line plot before anything is drawn: panels share the horizontal axis and their left
// edge, so that one instant stands above itself in all of them.
#include "plot/plot_layout.h"

#include <math.h>
#include <string.h>

static const double legend_row = 11.0, legend_sample = 20.0, panel_gap = 9.0;

static pkm_scale fit_x(const pkm_plot* plot)
{
    const double factor = pkm_axis_factor(&plot->x);
    double low = INFINITY, high = -INFINITY;
    for (int p = 0; p < plot->n_panel; ++p)
        for (int s = 0; s < plot->panel[p].n_series; ++s) {
            const pkm_plot_series* series = &plot->panel[p].series[s];
            for (int k = 0; k < series->n; ++k)
                pkm_range_add(&low, &high, factor * series->x[k]);
        }
    return pkm_scale_fit(&plot->x, low, high, 0.0);
}

static pkm_scale fit_y(const pkm_plot_panel* panel)
{
    const double factor = pkm_axis_factor(&panel->y);
    double low = INFINITY, high = -INFINITY;
    for (int s = 0; s < panel->n_series; ++s)
        for (int k = 0; k < panel->series[s].n; ++k) {
            const double v = factor * panel->series[s].y[k];
            if (!panel->y.log || v > 0.0) pkm_range_add(&low, &high, v);
        }
    for (int k = 0; k < panel->n_level; ++k)
        pkm_range_add(&low, &high, factor * panel->level[k].value);
    return pkm_scale_fit(&panel->y, low, high, 0.06);
}

/// A legend that says what the one above says is left out; so is one of a single curve without
/// name.
static bool has_legend(const pkm_plot* plot, int p)
{
    const pkm_plot_panel* panel = &plot->panel[p];
    bool named = false, same = p > 0 && panel->n_series == plot->panel[0].n_series;
    for (int s = 0; s < panel->n_series; ++s) {
        const char* name = panel->series[s].name;
        named = named || (name && *name);
        const char* above = same ? plot->panel[0].series[s].name : NULL;
        same = same && name && above && strcmp(name, above) == 0;
    }
    return named && !same;
}

double pkm_plot_line_width(int s)
{
    return fmax(1.5 - 0.12 * s, 0.9);
}

static double legend_entry_width(const pkm_plot_series* series)
{
    return legend_sample + 4.0 +
           pkm_svg_text_width(series->name ? series->name : "", PKM_FRAME_TICK) + 10.0;
}

/// One legend entry: the line and its name, its left end at (x, y).
static void draw_legend_entry(pkm_stream* stream, const pkm_plot_series* series, int s, double x,
                              double y)
{
    const char* colour = pkm_svg_colour(s);
    if (series->points)
        pkm_stream_format(stream,
                          "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"1.8\" fill=\"#ffffff\" "
                          "stroke=\"%s\"/>\n",
                          x + 0.5 * legend_sample, y, colour);
    else
        pkm_stream_format(stream,
                          "<path d=\"M%.2f %.2fh%.2f\" stroke=\"%s\" stroke-width=\"%.2f\" "
                          "stroke-dasharray=\"%s\" fill=\"none\"/>\n",
                          x, y, legend_sample, colour, pkm_plot_line_width(s),
                          *pkm_svg_dash(s) ? pkm_svg_dash(s) : "none");
    pkm_svg_text(stream, x + legend_sample + 4.0, y + 0.35 * PKM_FRAME_TICK,
                 (pkm_text_style){.size = PKM_FRAME_TICK}, series->name ? series->name : "");
}

double pkm_plot_legend(pkm_stream* stream, const pkm_plot_panel* panel, double x, double y,
                       double width)
{
    double at = 0.0;
    int row = 0;
    for (int s = 0; s < panel->n_series; ++s) {
        const double w = legend_entry_width(&panel->series[s]);
        if (at > 0.0 && at + w > width + 10.0) {
            at = 0.0;
            ++row;
        }
        if (stream)
            draw_legend_entry(stream, &panel->series[s], panel->first + s, x + at,
                              y + row * legend_row + 0.5 * legend_row);
        at += w;
    }
    return (row + 1) * legend_row + 2.0;
}

pkm_text_lines pkm_plot_level_lines(const pkm_plot_level* level)
{
    return pkm_svg_break(level->label ? level->label : "", PKM_FRAME_NOTE, 92.0);
}

/// Room left of the panels: the turned titles, the widest tick label, gaps.
static double left_margin(const pkm_plot* plot, pkm_plot_layout* lay)
{
    double widest = 0.0;
    int lines = 1;
    for (int p = 0; p < plot->n_panel; ++p) {
        if (lay->y_title[p].lines.n > lines) lines = lay->y_title[p].lines.n;
        widest = fmax(widest, pkm_frame_label_width(&lay->y_ticks[p]));
    }
    lay->y_title_x = PKM_FRAME_MARGIN + (1.25 * lines - 0.25) * PKM_FRAME_LABEL;
    return lay->y_title_x + 0.25 * PKM_FRAME_LABEL + 2.0 * PKM_FRAME_GAP + widest + PKM_FRAME_DASH;
}

/// Room right of the panels: half the last tick label, or the labels of published values.
static double right_margin(const pkm_plot* plot, const pkm_plot_layout* lay)
{
    double room = 0.0;
    if (lay->x_ticks.n > 0)
        room = 0.5 * pkm_svg_text_width(lay->x_ticks.label[lay->x_ticks.n - 1], PKM_FRAME_TICK);
    for (int p = 0; p < plot->n_panel; ++p)
        for (int k = 0; k < plot->panel[p].n_level; ++k)
            room = fmax(room, pkm_plot_level_lines(&plot->panel[p].level[k]).width + 8.0);
    return PKM_FRAME_MARGIN + room;
}

/// Heights of page and panels and where the panels begin; their left and right come later.
static void lay_heights(const pkm_plot* plot, pkm_plot_layout* lay)
{
    const double title = lay->title.n > 0 ? 1.25 * PKM_FRAME_TITLE * lay->title.n + 3.0 : 0.0;
    const double top = PKM_FRAME_MARGIN + title + 2.0;
    double rest = top + pkm_frame_bottom_room() + (plot->n_panel - 1) * panel_gap;
    for (int p = 0; p < plot->n_panel; ++p)
        rest += lay->legend_height[p];

    const double usual = (plot->n_panel == 1 ? 60.0 : 38.0) * PKM_SVG_MM;
    const double given = (plot->height * PKM_SVG_MM - rest) / plot->n_panel;
    const double panel = plot->height > 0.0 ? given : usual;
    lay->height = rest + plot->n_panel * panel;
    double y = top;
    for (int p = 0; p < plot->n_panel; ++p) {
        lay->frame[p].y = y + lay->legend_height[p];
        lay->frame[p].h = panel;
        y = lay->frame[p].y + panel + panel_gap;
    }
}

/// The title of a vertical axis, in two lines where one would be longer than the panel.
static void lay_y_title(const pkm_plot* plot, pkm_plot_layout* lay, int p)
{
    pkm_side_title* title = &lay->y_title[p];
    pkm_axis_title(&plot->panel[p].y, lay->y_ticks[p].power, title->text, sizeof title->text);
    title->lines = pkm_svg_break(title->text, PKM_FRAME_LABEL, lay->frame[p].h + 0.9 * panel_gap);
}

/// Widen the axis that has more room about its middle.
static void widen(pkm_scale* scale, double span)
{
    const double middle = 0.5 * (scale->low + scale->high);
    scale->low = middle - 0.5 * span;
    scale->high = middle + 0.5 * span;
}

/// As many units per point across as up; both axes show the same unit.
static void equal_scales(const pkm_plot* plot, pkm_plot_layout* lay)
{
    const pkm_frame* f = &lay->frame[0];
    const double factor = pkm_axis_factor(&plot->panel[0].y) / pkm_axis_factor(&plot->x);
    const double x = (lay->x.high - lay->x.low) * 1.06, y = lay->y[0].high - lay->y[0].low;
    const double per_point = fmax(x / f->w, y / factor / f->h);
    widen(&lay->x, per_point * f->w);
    widen(&lay->y[0], per_point * factor * f->h);
    lay->y_ticks[0] = pkm_ticks_make(&lay->y[0], (int)(f->h / 42.0));
    lay->x_ticks = pkm_ticks_make(&lay->x, (int)(f->w / 57.0));
}

void pkm_plot_lay_out(const pkm_plot* plot, pkm_plot_layout* lay)
{
    memset(lay, 0, sizeof *lay);
    lay->width = (plot->width > 0.0 ? plot->width : 160.0) * PKM_SVG_MM;
    // the exact width of the panels follows from the tick labels; 80 pt beside them are enough
    lay->legend_width = lay->width - 80.0;
    if (plot->title)
        lay->title =
            pkm_svg_break(plot->title, 1.1 * PKM_FRAME_TITLE, lay->width - 40.0 - PKM_FRAME_MARGIN);
    for (int p = 0; p < plot->n_panel; ++p)
        if (has_legend(plot, p))
            lay->legend_height[p] =
                pkm_plot_legend(NULL, &plot->panel[p], 0.0, 0.0, lay->legend_width);
    lay_heights(plot, lay);

    for (int p = 0; p < plot->n_panel; ++p) {
        lay->y[p] = fit_y(&plot->panel[p]);
        lay->y_ticks[p] = pkm_ticks_make(&lay->y[p], (int)(lay->frame[p].h / 21.0));
        lay_y_title(plot, lay, p);
    }
    lay->x = fit_x(plot);
    lay->x_ticks = pkm_ticks_make(&lay->x, (int)(lay->legend_width / 57.0));

    const double left = left_margin(plot, lay), right = lay->width - right_margin(plot, lay);
    for (int p = 0; p < plot->n_panel; ++p) {
        lay->frame[p].x = left;
        lay->frame[p].w = right - left;
    }
    if (plot->is_equal) equal_scales(plot, lay);
}
