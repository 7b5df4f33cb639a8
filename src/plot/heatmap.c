// Layout of a heat map: map and colour bar side by side, hatching where there is no value, border
// and contour lines over it. Colours: heatmap_colour.c, lines: heatmap_contour.c, borders:
// heatmap_edge.c.
#include "plot/heatmap.h"

#include "base/error.h"
#include "base/memory.h"
#include "plot/heatmap_impl.h"

#include <math.h>
#include <string.h>

static const double bar_gap = 12.0, bar_width = 9.0; // [pt]

static const char* unit_of(const pkm_axis* axis)
{
    return axis->unit ? axis->unit : "";
}

static pkm_scale grid_scale(const pkm_axis* axis, double first, double last)
{
    const double factor = pkm_axis_factor(axis);
    return (pkm_scale){factor * first, factor * last, false};
}

/// The range of the colours, and the place of every node in it.
static pkm_status place_values(pkm_map_page* page)
{
    const pkm_heatmap* map = page->map;
    const size_t n = (size_t)map->n_x * (size_t)map->n_y;
    const double factor = pkm_axis_factor(&map->colour);
    page->at = pkm_alloc(n, sizeof *page->at);
    if (!page->at) return PKM_ERR_MEMORY;

    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < n; ++k)
        // what is not positive has no place among decades; it is hatched
        if (!map->colour.log || factor * map->value[k] > 0.0)
            pkm_range_add(&low, &high, factor * map->value[k]);
    page->colour = pkm_scale_fit(&map->colour, low, high, 0.0);
    for (size_t k = 0; k < n; ++k) {
        const double at = pkm_scale_at(&page->colour, factor * map->value[k]);
        // colours end a little beyond the range; far values keep finite places for contours
        page->at[k] = isnan(at) ? NAN : fmin(fmax(at, -1.0), 2.0);
        page->has_mask = page->has_mask || isnan(at);
        page->has_above = page->has_above || at > 1.0 + 1e-9;
        page->has_below = page->has_below || at < -1e-9;
    }
    return PKM_OK;
}

/// The largest frame of the map's shape in `width` by `height`; free shape when the units differ.
static void shape_frame(pkm_map_page* page, double width, double height)
{
    const pkm_heatmap* map = page->map;
    const bool equal = strcmp(unit_of(&map->x), unit_of(&map->y)) == 0 &&
                       pkm_axis_factor(&map->x) == pkm_axis_factor(&map->y);
    // lengths are equal on both axes where the units are
    const double shape = equal ? (page->y.high - page->y.low) / (page->x.high - page->x.low) : 0.75;
    // the larger of width and height that fits
    page->frame.w = fmin(width, height / shape);
    page->frame.h = fmin(height, width * shape);
}

/// What is explained at the foot of the page.
static const char* mask_text(const pkm_map_page* page)
{
    return page->has_mask && page->map->mask_label ? page->map->mask_label : "";
}

static const char* region_text(const pkm_map_page* page)
{
    return page->map->region && page->map->region_label ? page->map->region_label : "";
}

/// The width of an entry of the legend: swatch, text, gap; 0 for no text.
static double entry_width(const char* text)
{
    return *text ? 16.0 + pkm_svg_text_width(text, PKM_FRAME_NOTE) + 10.0 : 0.0;
}

/// Whether the title of the x axis leaves room for the legend to its right.
static bool has_room_for_legend(const pkm_map_page* page)
{
    const double legend = entry_width(mask_text(page)) + entry_width(region_text(page));
    if (legend == 0.0) return true;
    char title[256];
    pkm_axis_title(&page->map->x, page->x_ticks.power, title, sizeof title);
    const double title_end =
        page->frame.x + 0.5 * page->frame.w + 0.5 * pkm_svg_text_width(title, PKM_FRAME_LABEL);
    return title_end + legend < page->width;
}

/// Arrange the page: title, map, colour bar with its ticks and title, axes.
static void lay_out(pkm_map_page* page, const pkm_text_lines* title)
{
    const pkm_heatmap* map = page->map;
    const double line = 1.25 * PKM_FRAME_LABEL;
    page->width = (map->width > 0.0 ? map->width : 120.0) * PKM_SVG_MM;
    page->x = grid_scale(&map->x, map->x_first, map->x_last);
    page->y = grid_scale(&map->y, map->y_first, map->y_last);
    // a first guess of the ticks tells how wide their numbers are
    page->y_ticks = pkm_ticks_make(&page->y, 7);
    page->colour_ticks = pkm_ticks_make(&page->colour, 6);

    const double away = PKM_FRAME_DASH + PKM_FRAME_GAP;
    const double left =
        PKM_FRAME_MARGIN + line + PKM_FRAME_GAP + away + pkm_frame_label_width(&page->y_ticks);
    const double right = bar_gap + bar_width + away + pkm_frame_label_width(&page->colour_ticks) +
                         PKM_FRAME_GAP + line + PKM_FRAME_MARGIN;
    const double top =
        PKM_FRAME_MARGIN + 8.0 + (title->n > 0 ? 1.25 * PKM_FRAME_TITLE * title->n + 2.0 : 0.0);
    const double bottom = pkm_frame_bottom_room();
    const double room =
        map->height > 0.0 ? map->height * PKM_SVG_MM - top - bottom : 1.1 * page->width;
    shape_frame(page, page->width - left - right, room);

    page->frame.x = left;
    page->frame.y = top;
    // a map that is narrower than the page was asked for makes a narrower page
    page->width = left + page->frame.w + right;
    page->bar = (pkm_frame){left + page->frame.w + bar_gap, top, bar_width, page->frame.h};
    // now as many as the frame has room for
    page->x_ticks = pkm_ticks_make(&page->x, (int)(page->frame.w / 45.0));
    page->y_ticks = pkm_ticks_make(&page->y, (int)(page->frame.h / 36.0));
    page->colour_ticks = pkm_ticks_make(&page->colour, (int)fmin(page->frame.h / 27.0, 6.0));
    page->height = map->height > 0.0
                       ? map->height * PKM_SVG_MM
                       : top + page->frame.h + bottom + (has_room_for_legend(page) ? 0.0 : 11.0);
}

/// Grey hatching under the map shows wherever no colour is painted.
static void draw_hatch(pkm_stream* stream, const pkm_frame* f)
{
    pkm_stream_text(stream, "<pattern id=\"hatch\" width=\"4\" height=\"4\" "
                            "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                            "<rect width=\"4\" height=\"4\" fill=\"#f2f2f2\"/>"
                            "<path d=\"M0 0v4\" stroke=\"#c8c8c8\" stroke-width=\"1.2\"/>"
                            "</pattern>\n");
    pkm_stream_format(stream,
                      "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                      "fill=\"url(#hatch)\"/>\n",
                      f->x, f->y, f->w, f->h);
}

/// What hatching and border mean, at the foot of the page from the right.
static void draw_legend(pkm_stream* stream, const pkm_map_page* page)
{
    const char *mask = mask_text(page), *region = region_text(page);
    const pkm_text_style style = {.size = PKM_FRAME_NOTE};
    const double y = page->height - PKM_FRAME_MARGIN - 7.0;
    // from the right end: the title of the axis stands in the middle
    double x = page->width - PKM_FRAME_MARGIN + 10.0 - entry_width(mask);
    if (*mask) {
        pkm_stream_format(stream,
                          "<rect x=\"%.2f\" y=\"%.2f\" width=\"12\" height=\"7\" "
                          "fill=\"url(#hatch)\" stroke=\"#909090\" stroke-width=\"0.4\"/>\n",
                          x, y);
        pkm_svg_text(stream, x + 16.0, y + 6.2, style, mask);
    }
    if (!*region) return;
    x -= entry_width(region);
    pkm_stream_format(stream,
                      "<path d=\"M%.2f %.2fh12\" stroke=\"" PKM_MAP_REGION_COLOUR
                      "\" stroke-width=\"1.2\"/>\n",
                      x, y + 3.5);
    pkm_svg_text(stream, x + 16.0, y + 6.2, style, region);
}

/// A cross on a white disc, its label beside it on the side with room.
static void draw_marker(pkm_stream* stream, const pkm_map_page* page, const pkm_map_marker* marker)
{
    const double x =
        pkm_frame_x(&page->frame, &page->x, pkm_axis_factor(&page->map->x) * marker->x);
    const double y =
        pkm_frame_y(&page->frame, &page->y, pkm_axis_factor(&page->map->y) * marker->y);
    if (!isfinite(x) || !isfinite(y)) return;
    pkm_stream_format(stream,
                      "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.6\" fill=\"#ffffff\" "
                      "stroke=\"#000000\" stroke-width=\"0.7\"/>\n"
                      "<path d=\"M%.2f %.2fh3.6m-1.8 -1.8v3.6\" stroke=\"#000000\" "
                      "stroke-width=\"0.7\"/>\n",
                      x, y, x - 1.8, y);
    if (!marker->label || !*marker->label) return;
    const double width = pkm_svg_text_width(marker->label, PKM_FRAME_NOTE);
    // a label that would leave the map goes to the left of its cross
    const bool right = x + 5.0 + width < page->frame.x + page->frame.w;
    const pkm_text_style style = {.size = PKM_FRAME_NOTE,
                                  .anchor = right ? PKM_ANCHOR_START : PKM_ANCHOR_END};
    // a white edge keeps the text readable on every colour
    pkm_stream_text(stream,
                    "<g stroke=\"#ffffff\" stroke-width=\"2\" stroke-linejoin=\"round\">\n");
    pkm_svg_text(stream, x + (right ? 5.0 : -5.0), y + 0.35 * PKM_FRAME_NOTE, style, marker->label);
    pkm_stream_text(stream, "</g>\n");
    pkm_svg_text(stream, x + (right ? 5.0 : -5.0), y + 0.35 * PKM_FRAME_NOTE, style, marker->label);
}

static void draw_axes(pkm_stream* stream, const pkm_map_page* page)
{
    const pkm_frame* f = &page->frame;
    pkm_frame_outline(stream, f);
    pkm_frame_ticks(stream, f, PKM_SIDE_BOTTOM, &page->x, &page->x_ticks, true);
    pkm_frame_ticks(stream, f, PKM_SIDE_LEFT, &page->y, &page->y_ticks, true);

    char text[256];
    pkm_axis_title(&page->map->x, page->x_ticks.power, text, sizeof text);
    pkm_svg_text(stream, f->x + 0.5 * f->w,
                 f->y + f->h + pkm_frame_bottom_room() - PKM_FRAME_MARGIN - 0.2 * PKM_FRAME_LABEL,
                 (pkm_text_style){.size = PKM_FRAME_LABEL, .anchor = PKM_ANCHOR_MIDDLE}, text);
    pkm_axis_title(&page->map->y, page->y_ticks.power, text, sizeof text);
    const pkm_text_lines title = pkm_svg_break(text, PKM_FRAME_LABEL, 1e9);
    pkm_frame_side_title(stream, f,
                         f->x - PKM_FRAME_DASH - 2.0 * PKM_FRAME_GAP - 0.25 * PKM_FRAME_LABEL -
                             pkm_frame_label_width(&page->y_ticks),
                         &title);
}

static void draw_map(pkm_stream* stream, const pkm_map_page* page, const pkm_text_lines* title,
                     const pkm_map_contours* contours)
{
    const pkm_frame* f = &page->frame;
    pkm_svg_begin(stream, page->width, page->height, page->map->title);
    pkm_svg_lines(stream, f->x, PKM_FRAME_MARGIN + PKM_FRAME_TITLE, 1.25 * PKM_FRAME_TITLE,
                  (pkm_text_style){.size = PKM_FRAME_TITLE, .bold = true}, title);
    // from back to front: hatching, colours, lines, marks, axes over all
    draw_hatch(stream, f);
    pkm_map_begin_clip(stream, page);
    pkm_map_draw_raster(stream, page);
    pkm_map_draw_contours(stream, page, contours);
    pkm_map_draw_region(stream, page);
    pkm_map_end_clip(stream);
    pkm_map_draw_edge(stream, page);
    for (int k = 0; k < page->map->n_marker; ++k)
        draw_marker(stream, page, &page->map->marker[k]);
    draw_axes(stream, page);
    pkm_map_draw_bar(stream, page);
    draw_legend(stream, page);
    pkm_svg_end(stream);
}

static pkm_status check_map(const pkm_heatmap* map, const char* path, pkm_error* err)
{
    if (map->n_x < 2 || map->n_y < 2)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: grid of %d x %d nodes, expected 2 x 2 or more",
                        path, map->n_x, map->n_y);
    const double dx = map->x_last - map->x_first, dy = map->y_last - map->y_first;
    if (!(dx > 0.0 && dy > 0.0 && isfinite(dx) && isfinite(dy)))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: a grid %g wide and %g high, expected both > 0",
                        path, dx, dy);
    if (map->n_level > PKM_HEATMAP_MAX_LEVEL)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %d contour lines, expected up to %d", path,
                        map->n_level, PKM_HEATMAP_MAX_LEVEL);
    return PKM_OK;
}

/// Draw to the stream once all memory is had.
static pkm_status save(const pkm_map_page* page, const pkm_text_lines* title,
                       const pkm_map_contours* contours, const char* path, pkm_error* err)
{
    pkm_stream* stream;
    PKM_TRY(pkm_stream_open(path, &stream, err));
    draw_map(stream, page, title, contours);
    return pkm_stream_close(stream, err);
}

pkm_status pkm_heatmap_write(const pkm_heatmap* map, const char* path, pkm_error* err)
{
    PKM_TRY(check_map(map, path, err));
    pkm_map_page page = {.map = map};
    pkm_map_contours contours = {.n = 0};
    const double width = (map->width > 0.0 ? map->width : 120.0) * PKM_SVG_MM;
    const pkm_text_lines title =
        pkm_svg_break(map->title ? map->title : "", 1.1 * PKM_FRAME_TITLE, width - 44.0);

    pkm_status status = place_values(&page);
    if (status == PKM_OK) {
        lay_out(&page, &title);
        // the border first: colours and contour lines end there
        status = pkm_map_make_edges(&page);
    }
    if (status == PKM_OK) status = pkm_map_make_raster(&page);
    if (status == PKM_OK) status = pkm_map_make_contours(&page, &contours);
    if (status != PKM_OK) pkm_fail(err, status, "%s: out of memory", path);
    // below some 14 mm nothing can be read off a map
    else if (!(page.frame.w >= 40.0 && page.frame.h >= 40.0))
        status = pkm_fail(err, PKM_ERR_ARGUMENT, "%s: the page is too small for this map", path);
    else
        status = save(&page, &title, &contours, path, err);
    pkm_map_free_contours(&contours);
    pkm_map_free_edges(&page);
    pkm_free(page.at);
    pkm_free(page.pixel);
    return status;
}
