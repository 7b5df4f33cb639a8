/// The parts of a heat map. Shared by heatmap.c, heatmap_colour.c, heatmap_contour.c and
/// heatmap_edge.c.
#ifndef PKM_PLOT_HEATMAP_IMPL_H
#define PKM_PLOT_HEATMAP_IMPL_H

#include "plot/contour.h"
#include "plot/frame.h"
#include "plot/heatmap.h"

enum { PKM_HEATMAP_COLOURS = 96, PKM_HEATMAP_MASKED = 255 };

/// A map on its way to the page.
typedef struct pkm_map_page {
    const pkm_heatmap* map;
    pkm_frame frame, bar; ///< the map and the colour bar [pt]
    double width, height; ///< of the page [pt]
    pkm_scale x, y, colour;
    pkm_ticks x_ticks, y_ticks, colour_ticks;
    bool has_mask, has_above, has_below; ///< masked nodes; values beyond the colours
    double* at;     ///< n_x * n_y: 0 ... 1 through the colours, NaN masked; owned
    double* steady; ///< n_x * n_y: the same for contour lines, NaN next to the mask too; owned
    double* inside; ///< n_x * n_y: share that is there, the border at 1/2; NULL: no mask; owned
    pkm_contour *edge, *region; ///< borders of mask and region [pt]; NULL: none; owned
    unsigned char* pixel;       ///< colours of the raster, row 0 at the bottom; owned
    int n_px, n_py;             ///< its size
} pkm_map_page;

/// Colour the raster from the nodes. PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_map_make_raster(pkm_map_page* page);
void pkm_map_draw_raster(pkm_stream* stream, const pkm_map_page* page);
void pkm_map_draw_bar(pkm_stream* stream, const pkm_map_page* page);

#define PKM_MAP_REGION_COLOUR "#d55e00"

/// The smooth borders of the mask and of the region; values grow a little over the border of the
/// mask, where the drawing is cut. PKM_ERR_MEMORY leaves `page` so that it can be freed.
PKM_NODISCARD pkm_status pkm_map_make_edges(pkm_map_page* page);
void pkm_map_free_edges(pkm_map_page* page);
/// Is this place of the page [pt] on the map and not masked?
bool pkm_map_is_inside(const pkm_map_page* page, double x, double y);
/// What is drawn between these two is cut at the border of the mask.
void pkm_map_begin_clip(pkm_stream* stream, const pkm_map_page* page);
void pkm_map_end_clip(pkm_stream* stream);
void pkm_map_draw_region(pkm_stream* stream, const pkm_map_page* page);
void pkm_map_draw_edge(pkm_stream* stream, const pkm_map_page* page);

/// All contour lines of the map, in points of the page.
typedef struct pkm_map_contours {
    int n;
    pkm_contour* contour[PKM_HEATMAP_MAX_LEVEL];
    double at[PKM_HEATMAP_MAX_LEVEL]; ///< place of the level in the colours
    char label[PKM_HEATMAP_MAX_LEVEL][PKM_TICK_SIZE];
} pkm_map_contours;

/// PKM_ERR_MEMORY leaves `contours` so that it can be freed.
PKM_NODISCARD pkm_status pkm_map_make_contours(const pkm_map_page* page,
                                               pkm_map_contours* contours);
void pkm_map_free_contours(pkm_map_contours* contours);
/// Lines with gaps for their labels.
void pkm_map_draw_contours(pkm_stream* stream, const pkm_map_page* page,
                           const pkm_map_contours* contours);

#endif
