// A frame with ticks and labels outside, shared by line plots and heat maps. All lengths are points
// (1/72 inch), y downwards.
#include "plot/frame.h"

#include <math.h>

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v; // NaN passes
}

double pkm_frame_x(const pkm_frame* frame, const pkm_scale* scale, double value)
{
    // far outside is cut: readers of SVG differ in what they do with huge coordinates
    return frame->x + clamp(pkm_scale_at(scale, value), -10.0, 11.0) * frame->w;
}

double pkm_frame_y(const pkm_frame* frame, const pkm_scale* scale, double value)
{
    return frame->y + frame->h - clamp(pkm_scale_at(scale, value), -10.0, 11.0) * frame->h;
}

void pkm_frame_outline(pkm_stream* stream, const pkm_frame* frame)
{
    pkm_stream_format(stream,
                      "<path d=\"M%.2f %.2fh%.2fv%.2fh%.2fz\" stroke=\"#404040\" "
                      "stroke-width=\"0.6\" fill=\"none\"/>\n",
                      frame->x, frame->y, frame->w, frame->h, -frame->w);
}

/// Begin of a tick on the frame.
static void tick_place(const pkm_frame* frame, pkm_side side, const pkm_scale* scale, double value,
                       double at[2])
{
    at[0] = side == PKM_SIDE_BOTTOM ? pkm_frame_x(frame, scale, value)
                                    : frame->x + (side == PKM_SIDE_RIGHT ? frame->w : 0.0);
    at[1] = side == PKM_SIDE_BOTTOM ? frame->y + frame->h : pkm_frame_y(frame, scale, value);
}

static void put_label(pkm_stream* stream, pkm_side side, const double at[2], const char* label)
{
    static const pkm_anchor anchor[] = {PKM_ANCHOR_MIDDLE, PKM_ANCHOR_END, PKM_ANCHOR_START};
    const pkm_text_style style = {.size = PKM_FRAME_TICK, .anchor = anchor[side]};
    const double away = PKM_FRAME_DASH + PKM_FRAME_GAP;
    if (side == PKM_SIDE_BOTTOM)
        pkm_svg_text(stream, at[0], at[1] + away + 0.75 * PKM_FRAME_TICK, style, label);
    else
        pkm_svg_text(stream, at[0] + (side == PKM_SIDE_LEFT ? -away : away),
                     at[1] + 0.36 * PKM_FRAME_TICK, style, label);
}

void pkm_frame_ticks(pkm_stream* stream, const pkm_frame* frame, pkm_side side,
                     const pkm_scale* scale, const pkm_ticks* ticks, bool labels)
{
    double at[2];
    pkm_stream_text(stream, "<path d=\"");
    for (int k = 0; k < ticks->n; ++k) {
        tick_place(frame, side, scale, ticks->value[k], at);
        pkm_stream_format(stream, "M%.2f %.2f%c%.2f", at[0], at[1],
                          side == PKM_SIDE_BOTTOM ? 'v' : 'h',
                          side == PKM_SIDE_LEFT ? -PKM_FRAME_DASH : PKM_FRAME_DASH);
    }
    pkm_stream_text(stream, "\" stroke=\"#404040\" stroke-width=\"0.6\" fill=\"none\"/>\n");
    for (int k = 0; labels && k < ticks->n; ++k) {
        tick_place(frame, side, scale, ticks->value[k], at);
        put_label(stream, side, at, ticks->label[k]);
    }
}

double pkm_frame_label_width(const pkm_ticks* ticks)
{
    double widest = 0.0;
    for (int k = 0; k < ticks->n; ++k)
        widest = fmax(widest, pkm_svg_text_width(ticks->label[k], PKM_FRAME_TICK));
    return widest;
}

double pkm_frame_bottom_room(void)
{
    return PKM_FRAME_DASH + 2.0 * PKM_FRAME_GAP + PKM_FRAME_TICK + 1.3 * PKM_FRAME_LABEL +
           PKM_FRAME_MARGIN;
}

void pkm_frame_side_title(pkm_stream* stream, const pkm_frame* frame, double x,
                          const pkm_text_lines* title)
{
    const double room = frame->h + 8.0;
    // set smaller where the panel is lower than its title is long
    const double size = PKM_FRAME_LABEL * (title->width > room ? room / title->width : 1.0);
    const pkm_text_style style = {.size = size, .anchor = PKM_ANCHOR_MIDDLE, .angle = -90.0};
    for (int k = 0; k < title->n; ++k) {
        const pkm_text_lines line = {
            .n = 1, .start = {title->start[k]}, .length = {title->length[k]}};
        pkm_svg_lines(stream, x - (title->n - 1 - k) * 1.25 * PKM_FRAME_LABEL,
                      frame->y + 0.5 * frame->h, 0.0, style, &line);
    }
}
