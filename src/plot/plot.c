// Draws what plot_layout.c has arranged, from back to front: grid, curves, levels, frame. A value
// that is missing leaves a gap, never a line across it.
#include "plot/plot.h"

#include "base/error.h"
#include "plot/curve.h"
#include "plot/plot_layout.h"

#include <math.h>
#include <string.h>

/// Distance of the lines of a published value's label [pt].
static const double level_leading = 8.4;

/// A line per tick, and the line of zero where the axis crosses it.
static void draw_grid(pkm_stream* out, const pkm_plot_layout* lay, int p)
{
    const pkm_frame* f = &lay->frame[p];
    const pkm_scale* y = &lay->y[p];
    pkm_stream_text(out, "<path d=\"");
    for (int k = 0; k < lay->x_ticks.n; ++k)
        pkm_stream_format(out, "M%.2f %.2fv%.2f", pkm_frame_x(f, &lay->x, lay->x_ticks.value[k]),
                          f->y, f->h);
    for (int k = 0; k < lay->y_ticks[p].n; ++k)
        pkm_stream_format(out, "M%.2f %.2fh%.2f", f->x, pkm_frame_y(f, y, lay->y_ticks[p].value[k]),
                          f->w);
    pkm_stream_text(out, "\" stroke=\"#e2e2e2\" stroke-width=\"0.5\" fill=\"none\"/>\n");
    if (!y->log && y->low < 0.0 && y->high > 0.0)
        pkm_stream_format(out,
                          "<path d=\"M%.2f %.2fh%.2f\" stroke=\"#9a9a9a\" "
                          "stroke-width=\"0.5\" fill=\"none\"/>\n",
                          f->x, pkm_frame_y(f, y, 0.0), f->w);
}

/// The `k`-th point of a curve on the page; false for a NaN or a point without a place.
static bool series_point(const pkm_plot* plot, const pkm_plot_layout* lay, int p,
                         const pkm_plot_series* series, int k, double at[2])
{
    const double x = pkm_axis_factor(&plot->x) * series->x[k];
    const double y = pkm_axis_factor(&plot->panel[p].y) * series->y[k];
    at[0] = pkm_frame_x(&lay->frame[p], &lay->x, x);
    at[1] = pkm_frame_y(&lay->frame[p], &lay->y[p], y);
    return isfinite(x) && isfinite(y) && isfinite(at[0]) && isfinite(at[1]);
}

/// A gap where a value is missing.
static void draw_line(pkm_stream* out, const pkm_plot* plot, const pkm_plot_layout* lay, int p,
                      const pkm_plot_series* series)
{
    pkm_curve curve = pkm_curve_make(out);
    double at[2];
    for (int k = 0; k < series->n; ++k) {
        if (series_point(plot, lay, p, series, k, at))
            pkm_curve_add(&curve, at);
        else
            pkm_curve_end(&curve);
    }
    pkm_curve_end(&curve);
}

static void draw_points(pkm_stream* out, const pkm_plot* plot, const pkm_plot_layout* lay, int p,
                        const pkm_plot_series* series)
{
    double at[2];
    for (int k = 0; k < series->n; ++k)
        if (series_point(plot, lay, p, series, k, at))
            pkm_stream_format(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"1.8\"/>\n", at[0], at[1]);
}

/// Within the frame: curves may leave the range that was asked for.
static void draw_curves(pkm_stream* out, const pkm_plot* plot, const pkm_plot_layout* lay, int p)
{
    const pkm_plot_panel* panel = &plot->panel[p];
    const pkm_frame* f = &lay->frame[p];
    pkm_stream_format(out,
                      "<clipPath id=\"panel%d\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                      "height=\"%.2f\"/></clipPath>\n<g clip-path=\"url(#panel%d)\">\n",
                      p, f->x, f->y, f->w, f->h, p);
    for (int s = 0; s < panel->n_series; ++s) {
        const bool points = panel->series[s].points;
        // panels that share a legend go on with its colours
        const int style = panel->first + s;
        const char* dash = points || !*pkm_svg_dash(style) ? "none" : pkm_svg_dash(style);
        pkm_stream_format(out,
                          "<g stroke=\"%s\" stroke-width=\"%.2f\" stroke-dasharray=\"%s\" "
                          "stroke-linejoin=\"round\" fill=\"%s\">\n",
                          pkm_svg_colour(style), points ? 1.0 : pkm_plot_line_width(style), dash,
                          points ? "#ffffff" : "none");
        (points ? draw_points : draw_line)(out, plot, lay, p, &panel->series[s]);
        pkm_stream_text(out, "</g>\n");
    }
    pkm_stream_text(out, "</g>\n");
}

/// A published value with the place of its line and of its label [pt].
typedef struct level_place {
    pkm_text_lines lines;
    double line_y, label_y, height;
} level_place;

/// Sort by height on the page and push labels apart, first downwards, then up from the bottom.
static void spread_labels(level_place* place, int n, const pkm_frame* f)
{
    for (int k = 1; k < n; ++k)
        for (int j = k; j > 0 && place[j].line_y < place[j - 1].line_y; --j) {
            // by insertion: there are a dozen at most
            const level_place swap = place[j];
            place[j] = place[j - 1];
            place[j - 1] = swap;
        }
    double free_y = f->y;
    for (int k = 0; k < n; ++k) {
        place[k].label_y = fmax(place[k].line_y - 0.5 * place[k].height, free_y);
        free_y = place[k].label_y + place[k].height + 1.0;
    }
    // what was pushed below the frame comes up again, those above it too
    double bottom = f->y + f->h + 2.0;
    for (int k = n - 1; k >= 0; --k) {
        place[k].label_y = fmin(place[k].label_y, bottom - place[k].height);
        bottom = place[k].label_y - 1.0;
    }
}

/// A dashed line through the panel; its label stands outside, joined by a thin line.
static void draw_level(pkm_stream* out, const level_place* place, const pkm_frame* f)
{
    const double right = f->x + f->w, middle = place->label_y + 0.5 * place->height;
    pkm_stream_format(out,
                      "<path d=\"M%.2f %.2fh%.2f\" stroke=\"#555555\" stroke-width=\"0.8\" "
                      "stroke-dasharray=\"4 2.5\" fill=\"none\"/>\n",
                      f->x, place->line_y, f->w);
    if (!(place->lines.width > 0.0)) return; // a line without a label
    pkm_stream_format(out,
                      "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"#555555\" stroke-width=\"0.5\" "
                      "fill=\"none\"/>\n",
                      right, place->line_y, right + 5.0, middle);
    pkm_svg_lines(out, right + 7.0, place->label_y + 0.85 * PKM_FRAME_NOTE, level_leading,
                  (pkm_text_style){.size = PKM_FRAME_NOTE, .colour = "#444444"}, &place->lines);
}

static void draw_levels(pkm_stream* out, const pkm_plot_panel* panel, const pkm_scale* scale,
                        const pkm_frame* f)
{
    level_place place[PKM_PLOT_MAX_LEVEL];
    int n = 0;
    for (int k = 0; k < panel->n_level; ++k) {
        const double value = pkm_axis_factor(&panel->y) * panel->level[k].value;
        const double at = pkm_scale_at(scale, value);
        // levels beyond the range are not drawn at its edge
        if (!(at >= 0.0 && at <= 1.0)) continue;
        place[n].lines = pkm_plot_level_lines(&panel->level[k]);
        place[n].height = place[n].lines.n * level_leading;
        place[n++].line_y = pkm_frame_y(f, scale, value);
    }
    spread_labels(place, n, f);
    for (int k = 0; k < n; ++k)
        draw_level(out, &place[k], f);
}

/// From back to front: grid, curves, levels, frame.
static void draw_panel(pkm_stream* out, const pkm_plot* plot, const pkm_plot_layout* lay, int p)
{
    const pkm_frame* f = &lay->frame[p];
    if (lay->legend_height[p] > 0.0)
        pkm_plot_legend(out, &plot->panel[p], f->x, f->y - lay->legend_height[p],
                        lay->legend_width);
    draw_grid(out, lay, p);
    draw_curves(out, plot, lay, p);
    draw_levels(out, &plot->panel[p], &lay->y[p], f);
    pkm_frame_outline(out, f);
    pkm_frame_ticks(out, f, PKM_SIDE_BOTTOM, &lay->x, &lay->x_ticks, p + 1 == plot->n_panel);
    pkm_frame_ticks(out, f, PKM_SIDE_LEFT, &lay->y[p], &lay->y_ticks[p], true);
    pkm_frame_side_title(out, f, lay->y_title_x, &lay->y_title[p].lines);
}

static void draw_plot(pkm_stream* out, const pkm_plot* plot, const pkm_plot_layout* lay)
{
    pkm_svg_begin(out, lay->width, lay->height, plot->title);
    pkm_svg_lines(out, lay->frame[0].x, PKM_FRAME_MARGIN + PKM_FRAME_TITLE, 1.25 * PKM_FRAME_TITLE,
                  (pkm_text_style){.size = PKM_FRAME_TITLE, .bold = true}, &lay->title);
    for (int p = 0; p < plot->n_panel; ++p)
        draw_panel(out, plot, lay, p);

    char title[256];
    pkm_axis_title(&plot->x, lay->x_ticks.power, title, sizeof title);
    pkm_svg_text(out, lay->frame[0].x + 0.5 * lay->frame[0].w,
                 lay->height - PKM_FRAME_MARGIN - 0.2 * PKM_FRAME_LABEL,
                 (pkm_text_style){.size = PKM_FRAME_LABEL, .anchor = PKM_ANCHOR_MIDDLE}, title);
    pkm_svg_end(out);
}

static pkm_status check_plot(const pkm_plot* plot, const char* path, pkm_error* err)
{
    if (plot->n_panel < 1 || plot->n_panel > PKM_PLOT_MAX_PANEL)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %d panels, expected 1 to %d", path,
                        plot->n_panel, PKM_PLOT_MAX_PANEL);
    for (int p = 0; p < plot->n_panel; ++p)
        if (plot->panel[p].n_level > PKM_PLOT_MAX_LEVEL)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %d levels in panel %d, expected up to %d",
                            path, plot->panel[p].n_level, p + 1, PKM_PLOT_MAX_LEVEL);
    return PKM_OK;
}

pkm_status pkm_plot_write(const pkm_plot* plot, const char* path, pkm_error* err)
{
    PKM_TRY(check_plot(plot, path, err));
    pkm_plot_layout lay;
    pkm_plot_lay_out(plot, &lay);
    // [pt]; below that ticks and titles meet
    if (!(lay.frame[0].h >= 20.0 && lay.frame[0].w >= 40.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %g x %g mm is too small for this plot", path,
                        lay.width / PKM_SVG_MM, plot->height);

    pkm_stream* stream;
    PKM_TRY(pkm_stream_open(path, &stream, err));
    draw_plot(stream, plot, &lay);
    return pkm_stream_close(stream, err);
}
