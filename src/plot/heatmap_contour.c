// Contour lines of a heat map with their values: a label stands where its line is straightest and
// least tilted, clear of the border, of other labels and of markers.
#include "math/angle.h"
#include "plot/heatmap_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LABEL = 48 };

/// A label on a line: it takes the line's length from `from` to `to`.
typedef struct label_place {
    double x, y, angle, from, to;
    double width;
} label_place;

/// What is placed so far [pt].
typedef struct labels {
    int n;
    label_place place[MAX_LABEL];
} labels;

/// From grid steps to points of the page.
static void move_to_page(const pkm_map_page* page, pkm_contour* contour)
{
    const pkm_frame* f = &page->frame;
    for (int k = 0; k < contour->n_point; ++k) {
        double* p = contour->point + 2 * k;
        p[0] = f->x + p[0] / (page->map->n_x - 1) * f->w;
        p[1] = f->y + f->h - p[1] / (page->map->n_y - 1) * f->h;
    }
}

static void name_level(const pkm_map_page* page, int k, char* label)
{
    if (!page->map->level) {
        memcpy(label, page->colour_ticks.label[k], PKM_TICK_SIZE);
        return;
    }
    const double shown = page->map->level[k] / pow(10.0, page->colour_ticks.power);
    snprintf(label, PKM_TICK_SIZE, "%s%.4g", shown < 0.0 ? PKM_SVG_MINUS : "", fabs(shown));
}

pkm_status pkm_map_make_contours(const pkm_map_page* page, pkm_map_contours* contours)
{
    contours->n = 0;
    const int n = page->map->level ? page->map->n_level : page->colour_ticks.n;
    for (int k = 0; k < n && contours->n < PKM_HEATMAP_MAX_LEVEL; ++k) {
        const double level = page->map->level ? page->map->level[k] : page->colour_ticks.value[k];
        const double at = pkm_scale_at(&page->colour, level);
        if (!isfinite(at)) continue;
        pkm_contour** contour = &contours->contour[contours->n];
        const pkm_status status =
            pkm_contour_create(page->steady, page->map->n_x, page->map->n_y, at, contour);
        if (status != PKM_OK) return status;
        move_to_page(page, *contour);
        name_level(page, k, contours->label[contours->n]);
        contours->at[contours->n++] = at;
    }
    return PKM_OK;
}

void pkm_map_free_contours(pkm_map_contours* contours)
{
    for (int k = 0; k < contours->n; ++k)
        pkm_contour_free(contours->contour[k]);
    contours->n = 0;
}

/// A place on a line `s` points of length from its begin.
static void point_at(const double* point, int n, double s, double out[2])
{
    for (int k = 0; k + 1 < n; ++k) {
        const double* p = point + 2 * k;
        const double d = hypot(p[2] - p[0], p[3] - p[1]);
        if (s <= d && d > 0.0) {
            out[0] = p[0] + s / d * (p[2] - p[0]);
            out[1] = p[1] + s / d * (p[3] - p[1]);
            return;
        }
        s -= d;
    }
    memcpy(out, point + 2 * (n - 1), 2 * sizeof out[0]);
}

static double line_length(const double* point, int n)
{
    double length = 0.0;
    for (int k = 0; k + 1 < n; ++k)
        length += hypot(point[2 * k + 2] - point[2 * k], point[2 * k + 3] - point[2 * k + 1]);
    return length;
}

/// Whether a point lies in the box of a label, `grow` wider and higher.
static bool in_box(const label_place* label, const double p[2], double grow)
{
    const double c = cos(label->angle), s = sin(label->angle);
    const double dx = p[0] - label->x, dy = p[1] - label->y;
    return fabs(c * dx + s * dy) < 0.5 * label->width + grow &&
           fabs(c * dy - s * dx) < 0.55 * PKM_FRAME_NOTE + grow;
}

/// Whether the label keeps clear of the frame's border, of other labels, markers and other levels.
static bool is_free(const pkm_map_page* page, const pkm_map_contours* contours, int own,
                    const labels* placed, const label_place* label)
{
    const double half_x = 0.5 * label->width * fabs(cos(label->angle)) + 5.0;
    const double half_y = 0.5 * label->width * fabs(sin(label->angle)) + 5.0;
    if (!pkm_map_is_inside(page, label->x - half_x, label->y - half_y) ||
        !pkm_map_is_inside(page, label->x + half_x, label->y - half_y) ||
        !pkm_map_is_inside(page, label->x - half_x, label->y + half_y) ||
        !pkm_map_is_inside(page, label->x + half_x, label->y + half_y))
        return false;
    for (int k = 0; k < placed->n; ++k) {
        const double apart = hypot(placed->place[k].x - label->x, placed->place[k].y - label->y);
        if (apart < 0.5 * (placed->place[k].width + label->width) + 6.0) return false;
    }
    for (int c = 0; c < contours->n; ++c)
        for (int k = 0; c != own && k < contours->contour[c]->n_point; ++k)
            if (in_box(label, contours->contour[c]->point + 2 * k, 0.5)) return false;
    return true;
}

/// The label at length `s` of a line; its straightness is chord over arc.
static label_place place_at(const double* point, int n, double s, double width, double* straight)
{
    double a[2], b[2];
    const double from = s - 0.5 * width - 1.5, to = s + 0.5 * width + 1.5;
    point_at(point, n, from, a);
    point_at(point, n, to, b);
    *straight = hypot(b[0] - a[0], b[1] - a[1]) / (to - from);
    double angle = atan2(b[1] - a[1], b[0] - a[0]);
    if (angle > 1.4) angle -= PKM_PI; // never upside down, and upwards when upright
    if (angle < 1.4 - PKM_PI) angle += PKM_PI;
    double middle[2];
    point_at(point, n, s, middle);
    return (label_place){.x = 0.25 * (a[0] + b[0]) + 0.5 * middle[0],
                         .y = 0.25 * (a[1] + b[1]) + 0.5 * middle[1],
                         .angle = angle,
                         .from = from,
                         .to = to,
                         .width = width};
}

/// The straightest and least tilted free place on a line; false when there is none.
static bool find_place(const pkm_map_page* page, const pkm_map_contours* contours, int c, int line,
                       const labels* placed, label_place* best)
{
    const pkm_contour* contour = contours->contour[c];
    const pkm_contour_line l = contour->line[line];
    const double* point = contour->point + 2 * l.first;
    const double width = pkm_svg_text_width(contours->label[c], PKM_FRAME_NOTE);
    const double length = line_length(point, l.n);
    if (length < 2.5 * width + 6.0) return false;

    enum { TRIES = 60 };
    double best_score = 0.0;
    for (int k = 1; k < TRIES; ++k) {
        const double room = 0.5 * width + 3.0;
        const double s = room + (length - 2.0 * room) * k / TRIES;
        double straight;
        const label_place place = place_at(point, l.n, s, width, &straight);
        const double score = straight - 0.03 * fabs(place.angle) - 0.02 * fabs(2.0 * k / TRIES - 1);
        if (straight < 0.94 || score <= best_score) continue;
        if (!is_free(page, contours, c, placed, &place)) continue;
        best_score = score;
        *best = place;
    }
    return best_score > 0.0;
}

/// Write the part of a line from length `from` to `to`, leaving out what is too short to see.
static void draw_part(pkm_stream* stream, const double* point, int n, double from, double to)
{
    if (to - from < 0.5) return;
    double last[2], s = 0.0;
    point_at(point, n, from, last);
    pkm_stream_format(stream, "M%.2f %.2fL", last[0], last[1]);
    for (int k = 1; k < n; ++k) {
        const double* p = point + 2 * k;
        s += hypot(p[0] - p[-2], p[1] - p[-1]);
        if (s <= from || s >= to || hypot(p[0] - last[0], p[1] - last[1]) < 0.8) continue;
        pkm_stream_format(stream, "%.2f %.2f ", p[0], p[1]);
        memcpy(last, p, sizeof last);
    }
    point_at(point, n, to, last);
    pkm_stream_format(stream, "%.2f %.2f", last[0], last[1]);
}

static void draw_label(pkm_stream* stream, const label_place* place, const char* colour,
                       const char* text)
{
    // the baseline lies a third of the type size beside the line
    const double down = 0.35 * PKM_FRAME_NOTE;
    const pkm_text_style style = {.size = PKM_FRAME_NOTE,
                                  .anchor = PKM_ANCHOR_MIDDLE,
                                  .angle = place->angle * 180.0 / PKM_PI,
                                  .colour = colour};
    pkm_svg_text(stream, place->x - down * sin(place->angle), place->y + down * cos(place->angle),
                 style, text);
}

// Along the border of masked nodes lines fall into crumbs, which tell nothing [pt].
static const double shortest = 20.0;

/// One level: its lines, white on dark colours and black on light ones, and its labels.
static void draw_level(pkm_stream* stream, const pkm_map_page* page,
                       const pkm_map_contours* contours, int c, labels* placed)
{
    const pkm_contour* contour = contours->contour[c];
    const char* colour = pkm_svg_viridis_is_dark(contours->at[c]) ? "#ffffff" : "#000000";
    const int first = placed->n;
    pkm_stream_format(stream,
                      "<path stroke=\"%s\" stroke-width=\"0.6\" stroke-linejoin=\"round\" "
                      "fill=\"none\" d=\"",
                      colour);
    for (int k = 0; k < contour->n_line; ++k) {
        const double* point = contour->point + 2 * contour->line[k].first;
        const int n = contour->line[k].n;
        const double length = line_length(point, n);
        if (length < shortest && !contour->line[k].closed) continue;
        label_place* place = &placed->place[placed->n];
        if (placed->n < MAX_LABEL && find_place(page, contours, c, k, placed, place)) {
            draw_part(stream, point, n, 0.0, place->from);
            draw_part(stream, point, n, place->to, length);
            placed->n++;
        } else {
            draw_part(stream, point, n, 0.0, length);
        }
    }
    pkm_stream_text(stream, "\"/>\n");
    for (int k = first; k < placed->n; ++k)
        draw_label(stream, &placed->place[k], colour, contours->label[c]);
}

void pkm_map_draw_contours(pkm_stream* stream, const pkm_map_page* page,
                           const pkm_map_contours* contours)
{
    labels placed = {.n = 0};
    // markers and their labels count as placed
    for (int k = 0; k < page->map->n_marker && placed.n < MAX_LABEL / 2; ++k) {
        const pkm_map_marker* marker = &page->map->marker[k];
        placed.place[placed.n++] = (label_place){
            .x = pkm_frame_x(&page->frame, &page->x, pkm_axis_factor(&page->map->x) * marker->x),
            .y = pkm_frame_y(&page->frame, &page->y, pkm_axis_factor(&page->map->y) * marker->y),
            .width = 2.0 * pkm_svg_text_width(marker->label ? marker->label : "", PKM_FRAME_NOTE)};
    }
    for (int c = 0; c < contours->n; ++c)
        draw_level(stream, page, contours, c, &placed);
}
