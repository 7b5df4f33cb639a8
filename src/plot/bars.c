// Bars of one sign grow from zero, whiskers show the range of repeated runs; all panels share the
// height of a row, so that a name is read once for all of them.
#include "plot/bars.h"

#include "base/error.h"
#include "plot/frame.h"

#include <math.h>
#include <string.h>

enum { IN_LINE = 3 };

// Distances on the page [pt].
static const double page_width = 160.0 * PKM_SVG_MM;
static const double row_height = 13.0;
static const double bar_height = 7.0;
static const double widest_name = 45.0 * PKM_SVG_MM;
static const double between = 16.0;
static const double leading = 1.25 * PKM_FRAME_LABEL;

typedef struct layout {
    double name_width; ///< of the column of names
    double panel_width, panel_height;
    double title_height, line_height, height;
    int n_line;
    int most_lines; ///< of a panel's title
    pkm_text_lines title, note;
} layout;

static pkm_text_lines panel_title(const pkm_bars_panel* panel, double width)
{
    return pkm_svg_break(panel->x.label ? panel->x.label : "", PKM_FRAME_LABEL, width);
}

static layout lay_out(const pkm_bars* bars)
{
    layout l = {.name_width = 0.0};
    const double width = page_width - 2.0 * PKM_FRAME_MARGIN;
    const int n_column = bars->n_panel < IN_LINE ? bars->n_panel : IN_LINE;
    for (int i = 0; i < bars->n_row; ++i)
        // as wide as the longest name, but for names that would leave no room for bars
        l.name_width = fmax(l.name_width, pkm_svg_text_width(bars->row[i], PKM_FRAME_TICK));
    l.name_width = fmin(l.name_width, widest_name) + 2.0 * PKM_FRAME_GAP;
    l.panel_width = (width - l.name_width - (n_column - 1) * between - 8.0) / n_column;
    l.panel_height = row_height * bars->n_row + 4.0;
    // panels side by side, as many as a line takes
    l.n_line = (bars->n_panel + IN_LINE - 1) / IN_LINE;
    for (int p = 0; p < bars->n_panel; ++p) {
        const int n = panel_title(&bars->panel[p], l.panel_width).n;
        // panels of a line begin at one height, whatever their titles need
        if (n > l.most_lines) l.most_lines = n;
    }
    l.line_height =
        l.most_lines * leading + PKM_FRAME_GAP + l.panel_height + pkm_frame_bottom_room() + 6.0;
    l.title = pkm_svg_break(bars->title ? bars->title : "", PKM_FRAME_TITLE, width);
    l.note = pkm_svg_break(bars->note ? bars->note : "", PKM_FRAME_NOTE, width);
    l.title_height =
        PKM_FRAME_MARGIN + (bars->title ? 1.25 * PKM_FRAME_TITLE * l.title.n : 0.0) + 6.0;
    l.height = l.title_height + l.n_line * l.line_height + (bars->note ? 9.0 * l.note.n : 0.0) +
               PKM_FRAME_MARGIN;
    return l;
}

// ---- one panel --------------------------------------------------------------------------------

static pkm_scale scale_of(const pkm_bars_panel* panel, int n_row)
{
    const double factor = pkm_axis_factor(&panel->x);
    double low = 0.0, high = 0.0;
    for (int i = 0; i < n_row; ++i) {
        const pkm_bar* b = &panel->bar[i];
        pkm_range_add(&low, &high, factor * b->value);
        // whiskers belong to the range; zero always does, since bars begin there
        pkm_range_add(&low, &high, factor * b->low);
        pkm_range_add(&low, &high, factor * b->high);
    }
    return pkm_scale_fit(&panel->x, low, high, 0.06);
}

static void draw_grid(pkm_stream* out, const pkm_frame* f, const pkm_scale* x,
                      const pkm_ticks* ticks)
{
    pkm_stream_text(out, "<path d=\"");
    for (int k = 0; k < ticks->n; ++k)
        pkm_stream_format(out, "M%.2f %.2fv%.2f", pkm_frame_x(f, x, ticks->value[k]), f->y, f->h);
    pkm_stream_text(out, "\" stroke=\"#e2e2e2\" stroke-width=\"0.5\" fill=\"none\"/>\n");
}

static void draw_whisker(pkm_stream* out, double from, double to, double y)
{
    pkm_stream_format(out,
                      "<path d=\"M%.2f %.2fH%.2fM%.2f %.2fv4M%.2f %.2fv4\" stroke=\"#222222\" "
                      "stroke-width=\"0.8\" fill=\"none\"/>\n",
                      from, y, to, from, y - 2.0, to, y - 2.0);
}

static void draw_bar(pkm_stream* out, const pkm_frame* f, const pkm_scale* x, double factor,
                     const pkm_bar* bar, int row)
{
    // negative bars go to the left of zero
    const double y = f->y + 2.0 + (row + 0.5) * row_height;
    const double zero = pkm_frame_x(f, x, 0.0), end = pkm_frame_x(f, x, factor * bar->value);
    if (!isfinite(end)) return;
    pkm_stream_format(out,
                      "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" "
                      "stroke=\"%s\" stroke-width=\"0.7\"%s/>\n",
                      fmin(zero, end), y - 0.5 * bar_height, fabs(end - zero), bar_height,
                      bar->pale ? "#f3f3f3" : pkm_svg_colour(0),
                      bar->pale ? "#8a8a8a" : pkm_svg_colour(0),
                      bar->pale ? " stroke-dasharray=\"2 1.5\"" : "");
    const double low = pkm_frame_x(f, x, factor * bar->low);
    const double high = pkm_frame_x(f, x, factor * bar->high);
    // a whisker shorter than half a point is a smudge
    if (isfinite(low) && isfinite(high) && high - low > 0.5) draw_whisker(out, low, high, y);
}

static void draw_panel(pkm_stream* out, const pkm_bars* bars, const layout* l, int p)
{
    const pkm_bars_panel* panel = &bars->panel[p];
    const int column = p % IN_LINE, line = p / IN_LINE;
    const double top = l->title_height + line * l->line_height;
    const pkm_frame f = {.x =
                             PKM_FRAME_MARGIN + l->name_width + column * (l->panel_width + between),
                         .y = top + l->most_lines * leading + PKM_FRAME_GAP,
                         .w = l->panel_width,
                         .h = l->panel_height};
    // each panel has a scale of its own: outputs have different units
    const pkm_scale x = scale_of(panel, bars->n_row);
    // four labels: panels are narrow
    const pkm_ticks ticks = pkm_ticks_make(&x, 4);
    const pkm_text_lines title = panel_title(panel, l->panel_width);
    char unit[256];
    // the title stands above: below the axis only its unit, with the power of ten
    const pkm_axis bare = {.unit = panel->x.unit};
    pkm_svg_lines(out, f.x, f.y - PKM_FRAME_GAP - (title.n - 1) * leading - 1.0, leading,
                  (pkm_text_style){.size = PKM_FRAME_LABEL, .bold = true}, &title);
    draw_grid(out, &f, &x, &ticks);
    for (int i = 0; i < bars->n_row; ++i)
        draw_bar(out, &f, &x, pkm_axis_factor(&panel->x), &panel->bar[i], i);
    const double zero = pkm_frame_x(&f, &x, 0.0);
    pkm_stream_format(out,
                      "<path d=\"M%.2f %.2fv%.2f\" stroke=\"#404040\" stroke-width=\"0.8\" "
                      "fill=\"none\"/>\n",
                      zero, f.y, f.h);
    pkm_frame_outline(out, &f);
    pkm_frame_ticks(out, &f, PKM_SIDE_BOTTOM, &x, &ticks, true);
    pkm_axis_title(&bare, ticks.power, unit, sizeof unit);
    pkm_svg_text(out, f.x + 0.5 * f.w, f.y + f.h + pkm_frame_bottom_room() - 7.0,
                 (pkm_text_style){.size = PKM_FRAME_TICK, .anchor = PKM_ANCHOR_MIDDLE}, unit);
    for (int i = 0; column == 0 && i < bars->n_row; ++i) {
        const double width = pkm_svg_text_width(bars->row[i], PKM_FRAME_TICK);
        // a name that is longer than its column is set smaller, not cut: names of cases differ at
        // their ends
        const double room = l->name_width - 2.0 * PKM_FRAME_GAP;
        const pkm_text_style style = {.size = PKM_FRAME_TICK * fmin(1.0, room / width),
                                      .anchor = PKM_ANCHOR_END};
        pkm_svg_text(out, f.x - 2.0 * PKM_FRAME_GAP,
                     f.y + 2.0 + (i + 0.5) * row_height + 0.36 * PKM_FRAME_TICK, style,
                     bars->row[i]);
    }
}

static void draw(pkm_stream* out, const pkm_bars* bars, const layout* l)
{
    pkm_svg_begin(out, page_width, l->height, bars->title);
    if (bars->title)
        pkm_svg_lines(out, PKM_FRAME_MARGIN, PKM_FRAME_MARGIN + PKM_FRAME_TITLE,
                      1.25 * PKM_FRAME_TITLE,
                      (pkm_text_style){.size = PKM_FRAME_TITLE, .bold = true}, &l->title);
    for (int p = 0; p < bars->n_panel; ++p)
        draw_panel(out, bars, l, p);
    if (bars->note)
        pkm_svg_lines(out, PKM_FRAME_MARGIN,
                      l->height - PKM_FRAME_MARGIN - 9.0 * (l->note.n - 1) - 2.0, 9.0,
                      (pkm_text_style){.size = PKM_FRAME_NOTE, .colour = "#444444"}, &l->note);
    pkm_svg_end(out);
}

pkm_status pkm_bars_write(const pkm_bars* bars, const char* path, pkm_error* err)
{
    if (bars->n_panel < 1 || bars->n_panel > PKM_BARS_MAX_PANEL || bars->n_row < 1 ||
        bars->n_row > PKM_BARS_MAX_ROW)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %d panels of %d bars, expected up to %d and %d",
                        path, bars->n_panel, bars->n_row, PKM_BARS_MAX_PANEL, PKM_BARS_MAX_ROW);
    const layout l = lay_out(bars);
    pkm_stream* stream;
    PKM_TRY(pkm_stream_open(path, &stream, err));
    draw(stream, bars, &l);
    return pkm_stream_close(stream, err);
}
