/// Heat maps with contour lines for papers, written as SVG.
#ifndef PKM_PLOT_HEATMAP_H
#define PKM_PLOT_HEATMAP_H

#include "pkm/status.h"
#include "plot/axis.h"

enum { PKM_HEATMAP_MAX_LEVEL = 16 }; ///< contour lines asked for

/// A point of interest with a short label.
typedef struct pkm_map_marker {
    double x, y;
    const char* label; ///< NULL: none
} pkm_map_marker;

/// Values on the nodes of a grid; everything is borrowed.
typedef struct pkm_heatmap {
    const char* title;
    double width, height; ///< [mm]; 0: 120 wide, as high as the map needs

    pkm_axis x, y; ///< names, units and factors; their ranges are those of the grid
    int n_x, n_y;  ///< nodes, at least 2 each way
    double x_first, x_last, y_first, y_last; ///< of the outermost nodes, ascending
    const double* value; ///< value[i + n_x * j]; NaN: masked, for example out of reach

    pkm_axis colour;     ///< the quantity; its range cuts the colours, `log` spreads large ratios
    const double* level; ///< contour lines, in numbers shown; NULL: at the ticks of the colour bar
    int n_level;
    const char* mask_label; ///< what masked nodes are: "out of reach"; NULL: not said
    /// NULL, or where the mask begins between nodes, see pkm_contour_create_at.
    const double* mask_edge;

    const double* region; ///< 1 in a region whose border is drawn, 0 outside; NULL: none
    const char* region_label;
    const double* region_edge; ///< NULL, or where the region ends between nodes
    const pkm_map_marker* marker;
    int n_marker;
} pkm_heatmap;

/// Write `map` to `path`. Colours are smooth between nodes; masked parts are hatched in grey, with
/// a smooth border that runs between the nodes. Both axes have the same scale when their units and
/// factors agree.
/// @return PKM_ERR_ARGUMENT for a grid below 2 x 2, a range that is not ascending, too many levels
///         or a page too small to draw on; PKM_ERR_FILE with the reason; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_heatmap_write(const pkm_heatmap* map, const char* path,
                                           pkm_error* err);

#endif
