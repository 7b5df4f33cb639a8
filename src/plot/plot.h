/// Line plots for papers: stacked panels over one axis, written as SVG.
#ifndef PKM_PLOT_PLOT_H
#define PKM_PLOT_PLOT_H

#include "pkm/output.h"
#include "plot/axis.h"

enum {
    PKM_PLOT_MAX_PANEL = 12,
    PKM_PLOT_MAX_LEVEL = 12, ///< published values in one panel
};

/// One curve. A NaN interrupts it. Colour and dash follow from its place in the panel.
typedef struct pkm_plot_series {
    const char* name; ///< in the legend
    const double* x;
    const double* y;
    int n;
    bool points; ///< circles instead of a line
} pkm_plot_series;

/// A published value: a dashed horizontal line with a label beside the panel.
typedef struct pkm_plot_level {
    double value;
    const char* label;
} pkm_plot_level;

typedef struct pkm_plot_panel {
    pkm_axis y;
    const pkm_plot_series* series;
    int n_series;
    int first; ///< place of its first series in the order of colours: as in another panel
    const pkm_plot_level* level;
    int n_level;
} pkm_plot_panel;

/// A figure; everything is borrowed.
typedef struct pkm_plot {
    const char* title;
    double width, height; ///< [mm]; 0: 160 wide, as high as the panels need
    pkm_axis x;           ///< shared by the panels
    const pkm_plot_panel* panel;
    int n_panel;
    bool is_equal; ///< one panel: as long per unit across as up, for paths in a plane
} pkm_plot;

/// Write `plot` to `path`. Curves are thinned to what the page can show (extremes are kept), so a
/// file stays small for any number of points.
/// @return PKM_ERR_ARGUMENT for too many panels or levels or a page too small to draw on;
///         PKM_ERR_FILE with the reason; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_plot_write(const pkm_plot* plot, const char* path, pkm_error* err);

#endif
