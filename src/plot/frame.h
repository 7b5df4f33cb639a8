/// The frame of a picture: where its axes, ticks and turned titles stand.
#ifndef PKM_PLOT_FRAME_H
#define PKM_PLOT_FRAME_H

#include "plot/axis.h"
#include "plot/svg.h"

// Type sizes and distances [pt] of all pictures.
#define PKM_FRAME_TITLE  10.0 ///< type of the title
#define PKM_FRAME_LABEL  8.5  ///< of axis titles
#define PKM_FRAME_TICK   7.5  ///< of numbers at ticks and of the legend
#define PKM_FRAME_NOTE   7.0  ///< of notes at lines and markers
#define PKM_FRAME_MARGIN 4.0  ///< around the page
#define PKM_FRAME_GAP    3.0  ///< between text and what it belongs to
#define PKM_FRAME_DASH   3.0  ///< length of a tick

/// A rectangle of the page [pt].
typedef struct pkm_frame {
    double x, y, w, h;
} pkm_frame;

typedef enum pkm_side {
    PKM_SIDE_BOTTOM,
    PKM_SIDE_LEFT,
    PKM_SIDE_RIGHT,
} pkm_side;

/// Where numbers shown stand on the page [pt]; far outside is cut to what SVG can hold.
double pkm_frame_x(const pkm_frame* frame, const pkm_scale* scale, double value);
double pkm_frame_y(const pkm_frame* frame, const pkm_scale* scale, double value);

void pkm_frame_outline(pkm_stream* stream, const pkm_frame* frame);
/// Ticks outside the frame, with or without their labels.
void pkm_frame_ticks(pkm_stream* stream, const pkm_frame* frame, pkm_side side,
                     const pkm_scale* scale, const pkm_ticks* ticks, bool labels);
/// The width of the widest label [pt].
double pkm_frame_label_width(const pkm_ticks* ticks);
/// Room under a frame for ticks, labels and title [pt].
double pkm_frame_bottom_room(void);

/// `title` in lines, turned to run upwards along `frame`; the last line has its baseline at `x`.
/// Type becomes smaller where a line is longer than the frame.
void pkm_frame_side_title(pkm_stream* stream, const pkm_frame* frame, double x,
                          const pkm_text_lines* title);

#endif
