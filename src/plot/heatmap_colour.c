// The map as pixels: values between nodes by bilinear interpolation over those that have one, one
// rectangle for equal runs of pixels, so that the file stays small and sharp.
#include "plot/heatmap_impl.h"

#include "base/memory.h"

#include <math.h>

/// The value between nodes at (u, v) in grid steps: bilinear over the nodes that have one. The
/// nearest node decides whether there is one at all.
static double sample(const pkm_map_page* page, double u, double v)
{
    const int n_x = page->map->n_x, n_y = page->map->n_y;
    if (isnan(page->at[(size_t)lround(u) + (size_t)n_x * (size_t)lround(v)])) return NAN;

    const int i = u < n_x - 1 ? (int)u : n_x - 2, j = v < n_y - 1 ? (int)v : n_y - 2;
    double sum = 0.0, weight = 0.0;
    for (int k = 0; k < 4; ++k) {
        const int di = k % 2, dj = k / 2;
        const double w = (di ? u - i : 1.0 - u + i) * (dj ? v - j : 1.0 - v + j);
        const double at = page->at[(size_t)(i + di) + (size_t)n_x * (size_t)(j + dj)];
        if (isnan(at) || w <= 0.0) continue;
        sum += w * at;
        weight += w;
    }
    return sum / weight;
}

/// Pixels between `n` nodes: an even number per step on coarse grids, so that the border between
/// two nodes falls between pixels; fewer than nodes on very fine grids.
static int pixels_for(int n)
{
    enum { USUAL = 200, MANY = 300 };
    const int steps = n - 1;
    if (steps >= USUAL) return steps < MANY ? steps : MANY;
    const int pairs = (int)lround(0.5 * USUAL / steps);
    return 2 * steps * (pairs > 1 ? pairs : 1);
}

pkm_status pkm_map_make_raster(pkm_map_page* page)
{
    page->n_px = pixels_for(page->map->n_x);
    page->n_py = pixels_for(page->map->n_y);
    page->pixel = pkm_alloc((size_t)page->n_px * (size_t)page->n_py, 1);
    if (!page->pixel) return PKM_ERR_MEMORY;
    unsigned char* pixel = page->pixel;
    for (int b = 0; b < page->n_py; ++b)
        for (int a = 0; a < page->n_px; ++a) {
            const double u = (a + 0.5) * (page->map->n_x - 1) / page->n_px;
            const double v = (b + 0.5) * (page->map->n_y - 1) / page->n_py;
            const double at = sample(page, u, v);
            const double k =
                fmin(fmax(floor(at * PKM_HEATMAP_COLOURS), 0.0), PKM_HEATMAP_COLOURS - 1.0);
            *pixel++ = isnan(at) ? PKM_HEATMAP_MASKED : (unsigned char)k;
        }
    return PKM_OK;
}

/// The end of the run of pixels from `a` on in row `b` whose colour is `least` or beyond.
static int run_end(const pkm_map_page* page, int b, int a, int least)
{
    const unsigned char* pixel = page->pixel + (size_t)b * (size_t)page->n_px;
    while (a < page->n_px && pixel[a] >= least && pixel[a] != PKM_HEATMAP_MASKED)
        ++a;
    return a;
}

/// Whether row `b` has a run from `a` to `end` as well.
static bool has_run(const pkm_map_page* page, int b, int a, int end, int least)
{
    if (b < 0 || b >= page->n_py) return false;
    return (a == 0 || run_end(page, b, a - 1, least) == a - 1) && run_end(page, b, a, least) == end;
}

/// One rectangle per run of pixels that reach the colour `least`; equal runs of rows are one.
static void draw_runs(pkm_stream* stream, const pkm_map_page* page, int least)
{
    for (int b = 0; b < page->n_py; ++b)
        for (int a = 0, end; a < page->n_px; a = end + 1) {
            end = run_end(page, b, a, least);
            if (end == a || has_run(page, b - 1, a, end, least)) continue;
            int top = b + 1;
            while (has_run(page, top, a, end, least))
                ++top;
            pkm_stream_format(stream, "M%d %dh%dv%dh%dz", a, page->n_py - top, end - a, top - b,
                              a - end);
        }
}

/// Colours are painted over each other from low to high, each where the value reaches it, so that
/// no seams open between them.
void pkm_map_draw_raster(pkm_stream* stream, const pkm_map_page* page)
{
    bool present[256] = {false};
    for (int k = 0; k < page->n_px * page->n_py; ++k)
        present[page->pixel[k]] = true;

    pkm_stream_format(
        stream,
        "<g shape-rendering=\"crispEdges\" transform=\"translate(%.2f %.2f) scale(%.6f %.6f)\">\n",
        page->frame.x, page->frame.y, page->frame.w / page->n_px, page->frame.h / page->n_py);
    for (int c = 0; c < PKM_HEATMAP_COLOURS; ++c) {
        if (!present[c]) continue;
        char colour[8];
        pkm_svg_viridis((c + 0.5) / PKM_HEATMAP_COLOURS, colour);
        pkm_stream_format(stream, "<path fill=\"%s\" d=\"", colour);
        draw_runs(stream, page, c);
        pkm_stream_text(stream, "\"/>\n");
    }
    pkm_stream_text(stream, "</g>\n");
}

/// The point of the bar that says "and beyond", in the colour of that end.
static void draw_bar_end(pkm_stream* stream, const pkm_frame* bar, double t)
{
    const double y = t > 0.5 ? bar->y : bar->y + bar->h;
    char colour[8];
    pkm_svg_viridis(t, colour);
    pkm_stream_format(stream,
                      "<path d=\"M%.2f %.2fh%.2fl%.2f %.2fz\" fill=\"%s\" stroke=\"#404040\" "
                      "stroke-width=\"0.6\"/>\n",
                      bar->x, y, bar->w, -0.5 * bar->w, t > 0.5 ? -6.0 : 6.0, colour);
}

void pkm_map_draw_bar(pkm_stream* stream, const pkm_map_page* page)
{
    const pkm_frame* bar = &page->bar;
    pkm_stream_text(stream, "<linearGradient id=\"viridis\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">");
    for (int k = 0; k <= 16; ++k) {
        char colour[8];
        pkm_svg_viridis(k / 16.0, colour);
        pkm_stream_format(stream, "<stop offset=\"%.4f\" stop-color=\"%s\"/>", k / 16.0, colour);
    }
    pkm_stream_format(stream,
                      "</linearGradient>\n<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                      "height=\"%.2f\" fill=\"url(#viridis)\"/>\n",
                      bar->x, bar->y, bar->w, bar->h);
    if (page->has_above) draw_bar_end(stream, bar, 1.0);
    if (page->has_below) draw_bar_end(stream, bar, 0.0);
    pkm_frame_outline(stream, bar);
    pkm_frame_ticks(stream, bar, PKM_SIDE_RIGHT, &page->colour, &page->colour_ticks, true);

    char text[256];
    pkm_axis_title(&page->map->colour, page->colour_ticks.power, text, sizeof text);
    const pkm_text_lines title = pkm_svg_break(text, PKM_FRAME_LABEL, 1e9);
    pkm_frame_side_title(stream, bar,
                         bar->x + bar->w + PKM_FRAME_DASH + 2.0 * PKM_FRAME_GAP + PKM_FRAME_LABEL +
                             pkm_frame_label_width(&page->colour_ticks),
                         &title);
}
