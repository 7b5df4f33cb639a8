/// SVG pictures: the page, text that knows its width, and colours.
///
/// Lengths are points (1/72 inch), x to the right, y downwards. Elements are written in drawing
/// order; what has no function here is written with pkm_stream_format.
#ifndef PKM_PLOT_SVG_H
#define PKM_PLOT_SVG_H

#include "write/stream.h"

#include <stdbool.h>

/// In a text: what follows is raised and small, until PKM_SVG_DOWN. "10" PKM_SVG_UP "3" is 10^3.
#define PKM_SVG_UP    "\x01"
#define PKM_SVG_DOWN  "\x02"
#define PKM_SVG_MINUS "\xE2\x88\x92" ///< the minus sign, as wide as a digit

enum { PKM_SVG_MAX_LINE = 4 }; ///< lines a text may be broken into

/// Points per millimetre.
#define PKM_SVG_MM (72.0 / 25.4)

typedef enum pkm_anchor {
    PKM_ANCHOR_START,
    PKM_ANCHOR_MIDDLE,
    PKM_ANCHOR_END,
} pkm_anchor;

typedef struct pkm_text_style {
    double size; ///< font size [pt]
    pkm_anchor anchor;
    double angle;       ///< [deg], clockwise
    const char* colour; ///< NULL: nearly black
    bool bold;
} pkm_text_style;

/// Begin a white page of `width` by `height` points; `title` may be NULL.
void pkm_svg_begin(pkm_stream* stream, double width, double height, const char* title);
void pkm_svg_end(pkm_stream* stream);

/// `text` with its baseline at (x, y).
void pkm_svg_text(pkm_stream* stream, double x, double y, pkm_text_style style, const char* text);

/// `text` as XML character data: markup escaped, control characters and broken UTF-8 replaced.
void pkm_svg_escape(pkm_stream* stream, const char* text);

/// The width [pt] of `text` in a common sans-serif font, rather too large than too small.
double pkm_svg_text_width(const char* text, double size);

/// Lines of a text: where they begin in it and how long they are.
typedef struct pkm_text_lines {
    int n;
    const char* start[PKM_SVG_MAX_LINE];
    int length[PKM_SVG_MAX_LINE]; ///< bytes
    double width;                 ///< of the widest line [pt]
} pkm_text_lines;

/// Break `text` at spaces into lines of at most `width` where that is possible.
pkm_text_lines pkm_svg_break(const char* text, double size, double width);
/// Write the lines, the first baseline at (x, y), `leading` apart.
void pkm_svg_lines(pkm_stream* stream, double x, double y, double leading, pkm_text_style style,
                   const pkm_text_lines* lines);

/// Colour `k` of a palette that the colour-blind can tell apart (Okabe and Ito), "#0072b2".
const char* pkm_svg_colour(int k);
/// A dash pattern for line `k`, "" for a solid one; with the colours it makes 42 different lines.
const char* pkm_svg_dash(int k);

/// The colour map viridis at `t` in 0 ... 1 as "#rrggbb": even steps of `t` look evenly spaced,
/// also in grey.
void pkm_svg_viridis(double t, char text[8]);
/// Whether white, rather than black, can be read on that colour.
bool pkm_svg_viridis_is_dark(double t);

#endif
