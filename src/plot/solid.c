// Painter's algorithm: solids are sorted by the depth of their middle and drawn from the back. It
// errs where long solids cross, which bars between joints do only at their ends.
#include "plot/solid.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/angle.h"
#include "math/vec3.h"
#include "plot/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double page_width = 120.0 * PKM_SVG_MM, most_height = 150.0 * PKM_SVG_MM;
static const double foot = 34.0; ///< room for the bar of length and the axes [pt]

/// The way from space to the page.
typedef struct page {
    const pkm_solid_picture* picture;
    pkm_stream* out;
    double low[2], high[2]; ///< of what is seen [m]
    double scale, top;      ///< points per metre, where the picture begins
    double height;          ///< of the page
} page;

// ---- views ------------------------------------------------------------------------------------

void pkm_view_turned(pkm_vec3 up, double round, double rise, pkm_vec3* right, pkm_vec3* upward)
{
    const pkm_vec3 ex = {1.0, 0.0, 0.0}, top = pkm_vec3_unit(up);
    pkm_vec3 x = pkm_vec3_axpy(ex, -pkm_vec3_dot(ex, top), top);
    if (pkm_vec3_norm(x) < 0.1) x = pkm_vec3_perpendicular(top); // up is along x
    x = pkm_vec3_unit(x);
    const pkm_vec3 y = pkm_vec3_cross(top, x);
    *right = pkm_vec3_add(pkm_vec3_scale(cos(round), x), pkm_vec3_scale(sin(round), y));
    const pkm_vec3 back = pkm_vec3_cross(top, *right);
    *upward = pkm_vec3_add(pkm_vec3_scale(cos(rise), top), pkm_vec3_scale(sin(rise), back));
}

bool pkm_solid_view(const char* name, pkm_vec3 up, pkm_vec3* right, pkm_vec3* upward)
{
    static const pkm_vec3 ex = {1.0, 0.0, 0.0}, ey = {0.0, 1.0, 0.0}, ez = {0.0, 0.0, 1.0};
    if (strcmp(name, "z") == 0) return *right = ex, *upward = ey, true;
    if (strcmp(name, "y") == 0) return *right = ex, *upward = ez, true;
    if (strcmp(name, "x") == 0) return *right = ey, *upward = ez, true;
    if (strcmp(name, "space") != 0) return false;
    pkm_view_turned(up, 0.6, 0.35, right, upward);
    return true;
}

// ---- sizes ------------------------------------------------------------------------------------

/// What is seen grows by a disc round `at`.
static void widen(page* p, pkm_vec3 at, double radius)
{
    const double flat[2] = {pkm_vec3_dot(p->picture->right, at), pkm_vec3_dot(p->picture->up, at)};
    for (int k = 0; k < 2; ++k) {
        p->low[k] = fmin(p->low[k], flat[k] - radius);
        p->high[k] = fmax(p->high[k], flat[k] + radius);
    }
}

static int corners_of(const pkm_solid* s)
{
    return s->kind == PKM_SOLID_BAR ? 2 : s->kind == PKM_SOLID_BALL ? 1 : s->n;
}

/// As large as the page allows in both directions.
static void measure(page* p)
{
    p->low[0] = p->low[1] = INFINITY;
    p->high[0] = p->high[1] = -INFINITY;
    for (int i = 0; i < p->picture->n_solid; ++i)
        for (int c = 0; c < corners_of(&p->picture->solid[i]); ++c)
            widen(p, p->picture->solid[i].at[c], p->picture->solid[i].radius);
    for (int l = 0; l < p->picture->n_line; ++l)
        for (int i = 0; i < p->picture->line[l].n; ++i)
            widen(p, p->picture->line[l].at[i], 0.0);
    const double w = fmax(p->high[0] - p->low[0], 1e-9), h = fmax(p->high[1] - p->low[1], 1e-9);
    const double room = page_width - 4.0 * PKM_FRAME_MARGIN;
    p->scale = fmin(room / w, most_height / h);
    bool has_names = false;
    for (int l = 0; l < p->picture->n_line; ++l)
        has_names = has_names || p->picture->line[l].name;
    p->top = 2.0 * PKM_FRAME_MARGIN + (has_names ? 2.9 : 1.5) * PKM_FRAME_TITLE;
    p->height = p->top + p->scale * h + foot;
}

/// The page counts downwards.
static void to_page(const page* p, pkm_vec3 at, double out[2])
{
    const double middle = 0.5 * (p->low[0] + p->high[0]);
    out[0] = 0.5 * page_width + p->scale * (pkm_vec3_dot(p->picture->right, at) - middle);
    out[1] = p->top + p->scale * (p->high[1] - pkm_vec3_dot(p->picture->up, at));
}

// ---- drawing ----------------------------------------------------------------------------------

static void draw_bar(const page* p, const pkm_solid* s)
{
    double a[2], b[2];
    const double width = fmax(2.0 * s->radius * p->scale, 1.0);
    to_page(p, s->at[0], a);
    to_page(p, s->at[1], b);
    // a dark edge under the colour tells bars that cross apart
    for (int k = 0; k < 2; ++k)
        pkm_stream_format(p->out,
                          "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"%s\" stroke-width=\"%.2f\" "
                          "stroke-linecap=\"round\" stroke-opacity=\"%.3g\"/>\n",
                          a[0], a[1], b[0], b[1], k ? s->colour : "#ffffff",
                          k ? width : width + 1.2, s->opacity);
}

/// A bar that is wider than long is a disc: its side, round both ends, and the end that is seen.
static void draw_disc(const page* p, const pkm_solid* s)
{
    double a[2], b[2];
    const pkm_vec3 nearer = pkm_vec3_cross(p->picture->right, p->picture->up);
    const pkm_vec3 axis = pkm_vec3_sub(s->at[1], s->at[0]);
    const bool is_second = pkm_vec3_dot(nearer, axis) > 0.0;
    to_page(p, s->at[is_second], a); // the end that is seen
    to_page(p, s->at[!is_second], b);
    const double r = s->radius * p->scale, length = hypot(b[0] - a[0], b[1] - a[1]);
    const double flat = r * fabs(pkm_vec3_dot(nearer, pkm_vec3_unit(axis)));
    const double e[2] = {length > 0.0 ? (b[0] - a[0]) / length : 1.0,
                         length > 0.0 ? (b[1] - a[1]) / length : 0.0};
    const double f[2] = {-e[1] * r, e[0] * r}, turn = atan2(e[1], e[0]) * PKM_DEGREES;
    pkm_stream_format(p->out,
                      "<path d=\"M%.2f %.2fL%.2f %.2fA%.2f %.2f %.1f 0 0 %.2f %.2fL%.2f "
                      "%.2fA%.2f %.2f %.1f 0 0 %.2f %.2fz\" fill=\"%s\" stroke=\"#ffffff\" "
                      "stroke-width=\"0.6\" fill-opacity=\"%.3g\"/>\n",
                      a[0] + f[0], a[1] + f[1], b[0] + f[0], b[1] + f[1], flat, r, turn,
                      b[0] - f[0], b[1] - f[1], a[0] - f[0], a[1] - f[1], flat, r, turn,
                      a[0] + f[0], a[1] + f[1], s->colour, s->opacity);
    pkm_stream_format(p->out,
                      "<ellipse rx=\"%.2f\" ry=\"%.2f\" transform=\"translate(%.2f %.2f) "
                      "rotate(%.1f)\" fill=\"#ffffff\" fill-opacity=\"%.3g\"/>\n",
                      flat, r, a[0], a[1], turn, 0.3 * s->opacity);
}

/// Wider than long.
static bool is_disc(const pkm_solid* s)
{
    return pkm_vec3_norm(pkm_vec3_sub(s->at[1], s->at[0])) < 2.0 * s->radius;
}

static void draw_face(const page* p, const pkm_solid* s)
{
    pkm_stream_text(p->out, "<polygon points=\"");
    for (int c = 0; c < s->n; ++c) {
        double at[2];
        to_page(p, s->at[c], at);
        pkm_stream_format(p->out, "%s%.2f,%.2f", c ? " " : "", at[0], at[1]);
    }
    pkm_stream_format(
        p->out,
        "\" fill=\"%s\" fill-opacity=\"%.3g\" stroke=\"#3c3c3c\" stroke-width=\"0.3\" "
        "stroke-opacity=\"%.3g\" stroke-linejoin=\"round\"/>\n",
        s->colour, 0.75 * s->opacity, 0.6 * s->opacity);
}

static void draw_ball(const page* p, const pkm_solid* s)
{
    double at[2];
    to_page(p, s->at[0], at);
    pkm_stream_format(p->out,
                      "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\" "
                      "fill-opacity=\"%.3g\"/>\n",
                      at[0], at[1], fmax(s->radius * p->scale, 1.2), s->colour, s->opacity);
}

/// The names of the lines, under the title.
static void draw_names(const page* p)
{
    const pkm_text_style style = {.size = PKM_FRAME_TICK};
    double x = 2.0 * PKM_FRAME_MARGIN;
    const double y = PKM_FRAME_MARGIN + 2.2 * PKM_FRAME_TITLE;
    for (int l = 0; l < p->picture->n_line; ++l) {
        const pkm_solid_line* line = &p->picture->line[l];
        if (!line->name) continue;
        pkm_stream_format(p->out,
                          "<path d=\"M%.2f %.2fh14\" stroke=\"%s\" stroke-width=\"1.2\"/>\n", x,
                          y - 2.5, line->colour);
        pkm_svg_text(p->out, x + 17.0, y, style, line->name);
        x += 27.0 + pkm_svg_text_width(line->name, PKM_FRAME_TICK);
    }
}

/// Later lines are dashed, so that those under them can be seen.
static void draw_line(const page* p, const pkm_solid_line* line, int l)
{
    double at[2];
    pkm_stream_format(p->out,
                      "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\" "
                      "stroke-linejoin=\"round\" stroke-dasharray=\"%s\" points=\"",
                      line->colour, *pkm_svg_dash(l) ? pkm_svg_dash(l) : "none");
    for (int i = 0; i < line->n; ++i) {
        to_page(p, line->at[i], at);
        pkm_stream_format(p->out, "%s%.2f,%.2f", i ? " " : "", at[0], at[1]);
    }
    pkm_stream_text(p->out, "\"/>\n");
    for (int end = 0; end < 2 && line->n > 0; ++end) { // start open, end full
        to_page(p, line->at[end ? line->n - 1 : 0], at);
        pkm_stream_format(p->out,
                          "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2\" fill=\"%s\" stroke=\"%s\"/>\n",
                          at[0], at[1], end ? line->colour : "#ffffff", line->colour);
    }
}

/// A bar of a round length, about a fifth of the page.
static void draw_scale(const page* p)
{
    const double want = 0.2 * page_width / p->scale, ten = pow(10.0, floor(log10(want)));
    const double length = ten * (want / ten >= 5.0 ? 5.0 : want / ten >= 2.0 ? 2.0 : 1.0);
    const double y = p->height - 14.0, x = 3.0 * PKM_FRAME_MARGIN;
    char text[32];
    if (length >= 1.0)
        snprintf(text, sizeof text, "%g m", length);
    else
        snprintf(text, sizeof text, "%g mm", 1e3 * length);
    pkm_stream_format(p->out,
                      "<path d=\"M%.2f %.2fv-4M%.2f %.2fh%.2fv-4\" fill=\"none\" "
                      "stroke=\"#3c3c3c\" stroke-width=\"0.9\"/>\n",
                      x, y, x, y, length * p->scale);
    pkm_svg_text(p->out, x, y + 9.0, (pkm_text_style){.size = PKM_FRAME_NOTE}, text);
}

static void draw_axes(const page* p)
{
    static const pkm_vec3 axis[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    static const char* const name[] = {"x", "y", "z"};
    const double x = page_width - 30.0, y = p->height - 14.0, length = 16.0;
    for (int k = 0; k < 3; ++k) {
        const double dx = length * pkm_vec3_dot(p->picture->right, axis[k]);
        const double dy = -length * pkm_vec3_dot(p->picture->up, axis[k]);
        if (hypot(dx, dy) < 1.0) continue; // it points at the reader
        pkm_stream_format(p->out,
                          "<path d=\"M%.2f %.2fl%.2f %.2f\" stroke=\"#3c3c3c\" "
                          "stroke-width=\"0.8\"/>\n",
                          x, y, dx, dy);
        pkm_svg_text(p->out, x + 1.3 * dx, y + 1.3 * dy + 2.0,
                     (pkm_text_style){.size = PKM_FRAME_NOTE, .anchor = PKM_ANCHOR_MIDDLE},
                     name[k]);
    }
}

// ---- from back to front -----------------------------------------------------------------------

/// A solid with how near it is to the reader.
typedef struct layered {
    double depth;
    int index;
} layered;

static int compare_depth(const void* a, const void* b)
{
    const layered *x = a, *y = b;
    if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
    // as they were given: qsort keeps no order of its own
    return x->index - y->index;
}

/// The middle of its corners: enough where solids are small against their distances.
static double depth_of(const pkm_solid* s, pkm_vec3 nearer)
{
    double sum = 0.0;
    const int n = corners_of(s);
    for (int c = 0; c < n; ++c)
        sum += pkm_vec3_dot(nearer, s->at[c]);
    return sum / n;
}

static pkm_status draw_solids(const page* p, pkm_error* err)
{
    const pkm_solid_picture* pic = p->picture;
    const pkm_vec3 nearer = pkm_vec3_cross(pic->right, pic->up);
    layered* order = pkm_alloc((size_t)pic->n_solid, sizeof *order);
    if (!order) return pkm_out_of_memory(err);
    for (int i = 0; i < pic->n_solid; ++i)
        order[i] = (layered){depth_of(&pic->solid[i], nearer), i};
    qsort(order, (size_t)pic->n_solid, sizeof *order, compare_depth);
    for (int i = 0; i < pic->n_solid; ++i) {
        const pkm_solid* s = &pic->solid[order[i].index];
        if (s->kind == PKM_SOLID_BAR) (is_disc(s) ? draw_disc : draw_bar)(p, s);
        if (s->kind == PKM_SOLID_FACE) draw_face(p, s);
        if (s->kind == PKM_SOLID_BALL) draw_ball(p, s);
    }
    pkm_free(order);
    return PKM_OK;
}

pkm_status pkm_solid_write(const pkm_solid_picture* picture, const char* path, pkm_error* err)
{
    page p = {.picture = picture};
    if (picture->n_solid == 0 && picture->n_line == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "there is nothing to draw");
    measure(&p);
    PKM_TRY(pkm_stream_open(path, &p.out, err));
    pkm_svg_begin(p.out, page_width, p.height, picture->title);
    pkm_svg_text(p.out, 2.0 * PKM_FRAME_MARGIN, PKM_FRAME_MARGIN + PKM_FRAME_TITLE,
                 (pkm_text_style){.size = PKM_FRAME_TITLE, .bold = true}, picture->title);
    const pkm_status status = draw_solids(&p, err);
    for (int l = 0; l < picture->n_line; ++l)
        draw_line(&p, &picture->line[l], l);
    draw_names(&p);
    draw_scale(&p);
    draw_axes(&p);
    pkm_svg_end(p.out);
    if (status != PKM_OK) {
        pkm_stream_discard(p.out);
        return status;
    }
    return pkm_stream_close(p.out, err);
}
