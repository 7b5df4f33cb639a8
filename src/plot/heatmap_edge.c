// The border of what can be reached: the share of each node that lies inside is smoothed and its
// line 1/2 traced, so that the border does not run in steps of the grid.
#include "plot/heatmap_impl.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// Nodes are there or not: a border is the contour line 1/2 of the share 1 or 0. Where nobody knows
// its place between two nodes it is a staircase; then the share is softened, which keeps the border
// between the same nodes.
static const double half = 0.5;
static const double clear = 0.05; // of every node from that line

enum { N_SOFTEN = 2, N_EXTEND = 3 };

/// One round of the weights 1 2 1 along one direction, over the nodes that have a value.
static void soften_line(const double* from, double* to, int n, int stride)
{
    for (int i = 0; i < n; ++i) {
        double sum = 0.0, weight = 0.0;
        for (int k = -1; k <= 1; ++k) {
            if (i + k < 0 || i + k >= n || isnan(from[(i + k) * stride])) continue;
            sum += (k == 0 ? 2.0 : 1.0) * from[(i + k) * stride];
            weight += k == 0 ? 2.0 : 1.0;
        }
        to[i * stride] = isnan(from[i * stride]) ? NAN : sum / weight;
    }
}

/// Soften `share` (`work` has as many numbers); every node stays on its side of 1/2.
static void soften(double* share, double* work, int n_x, int n_y)
{
    const size_t n = (size_t)n_x * (size_t)n_y;
    double* side = work + n;
    memcpy(side, share, n * sizeof *side);
    for (int round = 0; round < N_SOFTEN; ++round) {
        for (int j = 0; j < n_y; ++j)
            soften_line(share + (size_t)j * (size_t)n_x, work + (size_t)j * (size_t)n_x, n_x, 1);
        for (int i = 0; i < n_x; ++i)
            soften_line(work + i, share + i, n_y, n_x);
    }
    for (size_t k = 0; k < n; ++k)
        if (!isnan(side[k]))
            share[k] =
                side[k] >= half ? fmax(share[k], half + clear) : fmin(share[k], half - clear);
}

/// Nodes without a value take the mean of the eight around them that have one: a few rows beyond
/// the border, so that colours and lines reach it.
static void extend(double* value, double* work, int n_x, int n_y)
{
    const size_t n = (size_t)n_x * (size_t)n_y;
    for (int round = 0; round < N_EXTEND; ++round) {
        memcpy(work, value, n * sizeof *work);
        for (int k = 0; k < n_x * n_y; ++k) {
            if (!isnan(work[k])) continue;
            double sum = 0.0;
            int count = 0;
            for (int j = k / n_x - 1; j <= k / n_x + 1; ++j)
                for (int i = k % n_x - 1; i <= k % n_x + 1; ++i) {
                    if (i < 0 || j < 0 || i >= n_x || j >= n_y || isnan(work[i + n_x * j]))
                        continue;
                    sum += work[i + n_x * j];
                    ++count;
                }
            if (count > 0) value[k] = sum / count;
        }
    }
}

/// Next to the border values often run away, and lines drawn from one node there to the next are
/// chance: nodes with a masked neighbour have no lines.
static void make_steady(const double* at, double* steady, int n_x, int n_y)
{
    for (int j = 0; j < n_y; ++j)
        for (int i = 0; i < n_x; ++i) {
            const double* here = at + i + n_x * j;
            const bool left = i > 0 && isnan(here[-1]), right = i + 1 < n_x && isnan(here[1]);
            const bool below = j > 0 && isnan(here[-n_x]);
            const bool above = j + 1 < n_y && isnan(here[n_x]);
            steady[i + n_x * j] = left || right || below || above ? NAN : *here;
        }
}

/// Copy the rows of nodes, `width` numbers each, into a grid with one more node all around.
static void put_frame(const double* from, double* to, int n_x, int n_y, int width)
{
    const size_t row = (size_t)n_x * (size_t)width, framed = (size_t)(n_x + 2) * (size_t)width;
    for (int j = 0; j < n_y; ++j)
        memcpy(to + (size_t)(j + 1) * framed + width, from + (size_t)j * row, row * sizeof *to);
}

/// The line 1/2 of `share`, in points of the page. A row of nothing all around closes its loops
/// outside the map.
static pkm_status trace(const pkm_map_page* page, const double* share, const double* crossing,
                        pkm_contour** out)
{
    const int n_x = page->map->n_x, n_y = page->map->n_y;
    const size_t n = (size_t)(n_x + 2) * (size_t)(n_y + 2);
    double* framed = pkm_alloc(3 * n, sizeof *framed);
    if (!framed) return PKM_ERR_MEMORY;
    double* at = framed + n;
    for (size_t k = 0; k < 2 * n; ++k)
        at[k] = NAN;
    put_frame(share, framed, n_x, n_y, 1);
    if (crossing) put_frame(crossing, at, n_x, n_y, 2);
    const pkm_status status = pkm_contour_create_at(framed, n_x + 2, n_y + 2, half, at, out);
    pkm_free(framed);
    if (status != PKM_OK) return status;
    const pkm_frame* f = &page->frame;
    for (int k = 0; k < (*out)->n_point; ++k) {
        double* p = (*out)->point + 2 * k;
        p[0] = f->x + (p[0] - 1.0) / (n_x - 1) * f->w;
        p[1] = f->y + f->h - (p[1] - 1.0) / (n_y - 1) * f->h;
    }
    return PKM_OK;
}

static pkm_status make_edge(pkm_map_page* page, double* work)
{
    const int n_x = page->map->n_x, n_y = page->map->n_y;
    page->steady = pkm_alloc((size_t)n_x * (size_t)n_y, sizeof *page->steady);
    if (!page->steady) return PKM_ERR_MEMORY;
    make_steady(page->at, page->steady, n_x, n_y);
    if (!page->has_mask) return PKM_OK;
    page->inside = pkm_alloc((size_t)n_x * (size_t)n_y, sizeof *page->inside);
    if (!page->inside) return PKM_ERR_MEMORY;
    for (int k = 0; k < n_x * n_y; ++k)
        page->inside[k] = isnan(page->at[k]) ? 0.0 : 1.0;
    if (!page->map->mask_edge) soften(page->inside, work, n_x, n_y);
    extend(page->at, work, n_x, n_y);
    return trace(page, page->inside, page->map->mask_edge, &page->edge);
}

/// The region goes on a little where nodes are masked, so that its border meets theirs.
static pkm_status make_region(pkm_map_page* page, double* work)
{
    const int n_x = page->map->n_x, n_y = page->map->n_y;
    if (!page->map->region) return PKM_OK;
    double* share = pkm_alloc((size_t)n_x * (size_t)n_y, sizeof *share);
    if (!share) return PKM_ERR_MEMORY;
    for (int k = 0; k < n_x * n_y; ++k)
        share[k] = isnan(page->map->value[k]) ? NAN : page->map->region[k];
    extend(share, work, n_x, n_y);
    if (!page->map->region_edge) soften(share, work, n_x, n_y);
    const pkm_status status = trace(page, share, page->map->region_edge, &page->region);
    pkm_free(share);
    return status;
}

pkm_status pkm_map_make_edges(pkm_map_page* page)
{
    const size_t n = (size_t)page->map->n_x * (size_t)page->map->n_y;
    double* work = pkm_alloc(2 * n, sizeof *work);
    pkm_status status = work ? make_region(page, work) : PKM_ERR_MEMORY;
    if (status == PKM_OK) status = make_edge(page, work);
    pkm_free(work);
    return status;
}

void pkm_map_free_edges(pkm_map_page* page)
{
    pkm_free(page->steady);
    pkm_free(page->inside);
    pkm_contour_free(page->edge);
    pkm_contour_free(page->region);
}

bool pkm_map_is_inside(const pkm_map_page* page, double x, double y)
{
    const int n_x = page->map->n_x, n_y = page->map->n_y;
    const double u = (x - page->frame.x) / page->frame.w * (n_x - 1);
    const double v = (page->frame.y + page->frame.h - y) / page->frame.h * (n_y - 1);
    if (!(u >= 0.0 && v >= 0.0 && u <= n_x - 1 && v <= n_y - 1)) return false;
    return !page->inside || page->inside[lround(u) + n_x * lround(v)] >= half;
}

// ---- drawing ----------------------------------------------------------------------------------

static void draw_lines(pkm_stream* stream, const pkm_contour* contour)
{
    for (int k = 0; k < contour->n_line; ++k) {
        const pkm_contour_line* line = &contour->line[k];
        for (int i = 0; i < line->n; ++i) {
            const double* p = contour->point + 2 * (line->first + i);
            pkm_stream_format(stream, "%s%.2f %.2f", i == 0 ? "M" : i == 1 ? "L" : " ", p[0], p[1]);
        }
        if (line->closed) pkm_stream_text(stream, "z");
    }
}

void pkm_map_begin_clip(pkm_stream* stream, const pkm_map_page* page)
{
    const pkm_frame* f = &page->frame;
    pkm_stream_text(stream, "<clipPath id=\"edge\"><path clip-rule=\"evenodd\" d=\"");
    if (page->edge)
        draw_lines(stream, page->edge);
    else
        pkm_stream_format(stream, "M%.2f %.2fh%.2fv%.2fh%.2fz", f->x, f->y, f->w, f->h, -f->w);
    pkm_stream_text(stream, "\"/></clipPath>\n<g clip-path=\"url(#edge)\">\n");
}

void pkm_map_end_clip(pkm_stream* stream)
{
    pkm_stream_text(stream, "</g>\n");
}

static void stroke(pkm_stream* stream, const pkm_contour* contour, const char* colour, double width)
{
    pkm_stream_format(stream,
                      "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" "
                      "stroke-linejoin=\"round\" d=\"",
                      colour, width);
    draw_lines(stream, contour);
    pkm_stream_text(stream, "\"/>\n");
}

void pkm_map_draw_region(pkm_stream* stream, const pkm_map_page* page)
{
    if (!page->region) return;
    stroke(stream, page->region, "#ffffff", 2.4); // a white edge shows it on every colour
    stroke(stream, page->region, PKM_MAP_REGION_COLOUR, 1.2);
}

void pkm_map_draw_edge(pkm_stream* stream, const pkm_map_page* page)
{
    const pkm_frame* f = &page->frame;
    if (!page->edge) return;
    pkm_stream_format(stream,
                      "<clipPath id=\"frame\"><path d=\"M%.2f %.2fh%.2fv%.2fh%.2fz\"/></clipPath>\n"
                      "<g clip-path=\"url(#frame)\">\n",
                      f->x, f->y, f->w, f->h, -f->w);
    stroke(stream, page->edge, "#404040", 0.6);
    pkm_stream_text(stream, "</g>\n");
}
