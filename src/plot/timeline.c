// Each row is cut into pieces of equal state; colours have their words in a legend, since prints
// have none.
#include "plot/timeline.h"

#include "base/error.h"
#include "plot/frame.h"

#include <math.h>

// Distances on the page [pt].
static const double page_width = 160.0 * PKM_SVG_MM;
static const double row_height = 14.0;
static const double bar_height = 10.0;
static const double legend_height = 14.0;
static const double thinnest = 0.25; ///< of a bar

static const char* const colour[PKM_TIMELINE_MAX_STATE] = {"#ffffff", "#d55e00", "#56b4e9",
                                                           "#0b3d66", "#009e73", "#cc79a7"};

typedef struct layout {
    pkm_frame frame;
    double height, title_height;
    pkm_text_lines title, note;
} layout;

static layout lay_out(const pkm_timeline* tl)
{
    layout l = {.height = 0.0};
    const double width = page_width - 2.0 * PKM_FRAME_MARGIN;
    double name = 0.0;
    for (int i = 0; i < tl->n_row; ++i)
        // names to the left, as wide as the longest, 40 mm at most
        name = fmax(name, pkm_svg_text_width(tl->row[i], PKM_FRAME_TICK));
    name = fmin(name, 40.0 * PKM_SVG_MM) + 2.0 * PKM_FRAME_GAP;
    l.title = pkm_svg_break(tl->title ? tl->title : "", PKM_FRAME_TITLE, width);
    l.note = pkm_svg_break(tl->note ? tl->note : "", PKM_FRAME_NOTE, width);
    l.title_height = PKM_FRAME_MARGIN + 1.25 * PKM_FRAME_TITLE * l.title.n + 4.0;
    l.frame = (pkm_frame){.x = PKM_FRAME_MARGIN + name,
                          .y = l.title_height + legend_height,
                          .w = width - name - 10.0,
                          .h = row_height * tl->n_row};
    l.height = l.frame.y + l.frame.h + pkm_frame_bottom_room() +
               (tl->note ? 9.0 * l.note.n + 4.0 : 0.0) + PKM_FRAME_MARGIN;
    return l;
}

static void draw_legend(pkm_stream* out, const pkm_timeline* tl, const layout* l)
{
    const pkm_text_style style = {.size = PKM_FRAME_TICK};
    double x = l->frame.x;
    for (int s = 0; s < tl->n_state; ++s) {
        pkm_stream_format(out,
                          "<rect x=\"%.2f\" y=\"%.2f\" width=\"12\" height=\"7\" fill=\"%s\" "
                          "stroke=\"#8a8a8a\" stroke-width=\"0.5\"/>\n",
                          x, l->title_height, colour[s]);
        pkm_svg_text(out, x + 15.0, l->title_height + 6.5, style, tl->state[s]);
        x += 15.0 + pkm_svg_text_width(tl->state[s], PKM_FRAME_TICK) + 14.0;
    }
}

static void draw_piece(pkm_stream* out, const layout* l, const pkm_scale* scale, int row, int state,
                       double from, double to)
{
    // state 0 is the line itself: nothing is drawn
    if (state == 0 || !(to > from)) return;
    const double x = pkm_frame_x(&l->frame, scale, from), end = pkm_frame_x(&l->frame, scale, to);
    pkm_stream_format(out,
                      "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
                      x, l->frame.y + row * row_height + 0.5 * (row_height - bar_height),
                      fmax(end - x, thinnest), bar_height, colour[state]);
}

static void draw_row(pkm_stream* out, const pkm_timeline* tl, const layout* l,
                     const pkm_scale* scale, int row)
{
    const pkm_text_style style = {.size = PKM_FRAME_TICK, .anchor = PKM_ANCHOR_END};
    const double middle = l->frame.y + (row + 0.5) * row_height;
    double since = 0.0;
    int state = 0;
    pkm_svg_text(out, l->frame.x - PKM_FRAME_GAP, middle + 0.35 * PKM_FRAME_TICK, style,
                 tl->row[row]);
    pkm_stream_format(out,
                      "<path d=\"M%.2f %.2fh%.2f\" stroke=\"#d9d9d9\" stroke-width=\"0.5\"/>\n",
                      l->frame.x, middle, l->frame.w);
    for (int i = 0; i < tl->n_change; ++i) {
        // changes come in the order of time, of all rows mixed
        if (tl->change[i].row != row) continue;
        draw_piece(out, l, scale, row, state, since, tl->change[i].t);
        since = tl->change[i].t;
        state = tl->change[i].state;
    }
    draw_piece(out, l, scale, row, state, since, tl->end);
}

pkm_status pkm_timeline_write(const pkm_timeline* tl, const char* path, pkm_error* err)
{
    if (tl->n_row < 1 || tl->n_row > PKM_TIMELINE_MAX_ROW || tl->n_state < 1 ||
        tl->n_state > PKM_TIMELINE_MAX_STATE || !(tl->end > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "timeline: %d rows, %d states, expected 1 to %d, %d",
                        tl->n_row, tl->n_state, PKM_TIMELINE_MAX_ROW, PKM_TIMELINE_MAX_STATE);
    const layout l = lay_out(tl);
    char unit[32], title[64];
    const pkm_axis axis = pkm_axis_for("time", "s", tl->end, unit, sizeof unit);
    const double factor = pkm_axis_factor(&axis);
    // bars are placed by seconds, ticks are labelled in the unit that suits the run
    const pkm_scale shown = {.low = 0.0, .high = factor * tl->end};
    const pkm_scale scale = {.low = 0.0, .high = tl->end};
    const pkm_ticks ticks = pkm_ticks_make(&shown, 8);
    const pkm_text_style bold = {.size = PKM_FRAME_TITLE, .bold = true};
    const pkm_text_style label = {.size = PKM_FRAME_LABEL, .anchor = PKM_ANCHOR_MIDDLE};
    const pkm_text_style small = {.size = PKM_FRAME_NOTE};
    pkm_stream* out = NULL;
    PKM_TRY(pkm_stream_open(path, &out, err));
    pkm_svg_begin(out, page_width, l.height, tl->title);
    pkm_svg_lines(out, PKM_FRAME_MARGIN, PKM_FRAME_MARGIN + PKM_FRAME_TITLE, 1.25 * PKM_FRAME_TITLE,
                  bold, &l.title);
    draw_legend(out, tl, &l);
    for (int row = 0; row < tl->n_row; ++row)
        draw_row(out, tl, &l, &scale, row);
    pkm_frame_outline(out, &l.frame);
    pkm_frame_ticks(out, &l.frame, PKM_SIDE_BOTTOM, &shown, &ticks, true);
    pkm_axis_title(&axis, ticks.power, title, sizeof title);
    pkm_svg_text(out, l.frame.x + 0.5 * l.frame.w, l.frame.y + l.frame.h + pkm_frame_bottom_room(),
                 label, title);
    if (tl->note)
        pkm_svg_lines(out, PKM_FRAME_MARGIN, l.height - PKM_FRAME_MARGIN - 9.0 * (l.note.n - 1),
                      9.0, small, &l.note);
    pkm_svg_end(out);
    return pkm_stream_close(out, err);
}
