/// Where the parts of a line plot stand on the page. Shared by plot_layout.c and plot.c.
#ifndef PKM_PLOT_PLOT_LAYOUT_H
#define PKM_PLOT_PLOT_LAYOUT_H

#include "plot/frame.h"
#include "plot/plot.h"

/// An axis title turned along its axis, in lines.
typedef struct pkm_side_title {
    char text[256];
    pkm_text_lines lines;
} pkm_side_title;

typedef struct pkm_plot_layout {
    double width, height;                     ///< of the page [pt]
    double legend_height[PKM_PLOT_MAX_PANEL]; ///< 0: the panel has none
    double legend_width;
    pkm_frame frame[PKM_PLOT_MAX_PANEL]; ///< where curves are drawn
    pkm_text_lines title;
    double y_title_x; ///< baseline of the last line of the turned titles
    pkm_side_title y_title[PKM_PLOT_MAX_PANEL];
    pkm_scale x, y[PKM_PLOT_MAX_PANEL];
    pkm_ticks x_ticks, y_ticks[PKM_PLOT_MAX_PANEL];
} pkm_plot_layout;

/// Arrange the page. `layout` points into itself and into `plot`.
void pkm_plot_lay_out(const pkm_plot* plot, pkm_plot_layout* layout);

/// The width of curve `s` [pt]: later ones are thinner, so that curves under them can be seen where
/// they coincide.
double pkm_plot_line_width(int s);

/// Write the legend of `panel` in rows of at most `width` from (x, y) downwards; without a stream
/// nothing is written. Returns its height [pt].
double pkm_plot_legend(pkm_stream* stream, const pkm_plot_panel* panel, double x, double y,
                       double width);

/// The label of a published value, broken into lines.
pkm_text_lines pkm_plot_level_lines(const pkm_plot_level* level);

#endif
