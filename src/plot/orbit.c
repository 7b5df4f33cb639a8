// Cells of equal size, each scaled by its own clearance: a journal that rolls along its bearing
// runs along the circle, whatever the bearing's size.
#include "plot/orbit.h"

#include "base/error.h"
#include "plot/frame.h"

#include <math.h>

// Distances on the page [pt].
static const double full_width = 160.0 * PKM_SVG_MM;
static const double single_width = 90.0 * PKM_SVG_MM; ///< of a figure with one bearing
static const double name_height = 1.5 * PKM_FRAME_LABEL;
static const double cell_gap = 8.0;
static const double edge = 0.08;       ///< free room around the circle, in its radius
static const double least_move = 0.25; ///< points of a path closer than this are left out

typedef struct layout {
    int n_view;           ///< discs beside each other in a cell
    int n_column, n_line; ///< of cells
    double page_width;
    double disc; ///< width of a disc's square
    double cell_width, cell_height, title_height, height;
    pkm_text_lines title, note;
} layout;

static layout lay_out(const pkm_orbits* o)
{
    layout l = {.n_view = 1};
    const bool is_single = o->n_orbit == 1 && !o->orbit[0].is_ball;
    l.page_width = is_single ? single_width : full_width;
    const double width = l.page_width - 2.0 * PKM_FRAME_MARGIN;
    for (int i = 0; i < o->n_orbit; ++i)
        if (o->orbit[i].is_ball) l.n_view = 2;
    const int most = l.n_view == 2 ? 3 : 4;
    l.n_column = o->n_orbit < most ? o->n_orbit : most;
    l.n_line = (o->n_orbit + l.n_column - 1) / l.n_column;
    l.cell_width = (width - (l.n_column - 1) * cell_gap) / l.n_column;
    if (o->n_orbit == 1 && !is_single) l.cell_width *= 0.7;
    l.disc = l.cell_width / l.n_view;
    l.cell_height = name_height + l.disc + PKM_FRAME_NOTE + 8.0;
    l.title = pkm_svg_break(o->title ? o->title : "", PKM_FRAME_TITLE, width);
    l.note = pkm_svg_break(o->note ? o->note : "", PKM_FRAME_NOTE, width);
    l.title_height = PKM_FRAME_MARGIN + 1.25 * PKM_FRAME_TITLE * l.title.n + 4.0;
    l.height = l.title_height + l.n_line * l.cell_height + (o->note ? 9.0 * l.note.n + 4.0 : 0.0) +
               PKM_FRAME_MARGIN;
    return l;
}

/// A disc on the page: its centre, and points per metre.
typedef struct disc {
    double x, y, scale, radius;
} disc;

static void draw_bound(pkm_stream* out, const pkm_orbit* orbit, const disc* d)
{
    static const char* const style = "fill=\"#f7f7f5\" stroke=\"#8a8a8a\" stroke-width=\"0.8\"/>\n";
    if (orbit->is_square)
        pkm_stream_format(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s",
                          d->x - d->radius, d->y - d->radius, 2.0 * d->radius, 2.0 * d->radius,
                          style);
    else
        pkm_stream_format(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" %s", d->x, d->y,
                          d->radius, style);
    pkm_stream_format(out,
                      "<path d=\"M%.2f %.2fh6M%.2f %.2fv6\" stroke=\"#b5b5b5\" "
                      "stroke-width=\"0.6\"/>\n",
                      d->x - 3.0, d->y, d->x, d->y - 3.0);
}

static void draw_path(pkm_stream* out, const pkm_orbit* orbit, int view, const disc* d)
{
    double last_x = HUGE_VAL, last_y = HUGE_VAL, x = d->x, y = d->y;
    pkm_stream_text(out, "<polyline fill=\"none\" stroke-linejoin=\"round\" stroke-width=\"0.5\" "
                         "stroke-opacity=\"0.8\" stroke=\"");
    pkm_stream_format(out, "%s\" points=\"", pkm_svg_colour(view));
    for (int i = 0; i < orbit->n; ++i) {
        const pkm_vec3 p = orbit->path[(size_t)i * (size_t)orbit->stride];
        x = d->x + d->scale * p.x;
        y = d->y - d->scale * (view == 0 ? p.y : p.z);
        if (i < orbit->n - 1 && hypot(x - last_x, y - last_y) < least_move) continue;
        pkm_stream_format(out, "%.1f,%.1f ", x, y);
        last_x = x, last_y = y;
    }
    pkm_stream_format(out, "\"/>\n<circle cx=\"%.2f\" cy=\"%.2f\" r=\"1.5\" fill=\"%s\"/>\n", x, y,
                      pkm_svg_colour(view));
}

static void draw_points(pkm_stream* out, const pkm_orbit* orbit, int view, const disc* d)
{
    pkm_stream_format(out, "<g fill=\"%s\" fill-opacity=\"0.75\">\n", pkm_svg_colour(view));
    for (int i = 0; i < orbit->n; ++i) {
        const pkm_vec3 p = orbit->path[(size_t)i * (size_t)orbit->stride];
        pkm_stream_format(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"1.1\"/>\n",
                          d->x + d->scale * p.x, d->y - d->scale * (view == 0 ? p.y : p.z));
    }
    pkm_stream_text(out, "</g>\n");
}

static void draw_cell(pkm_stream* out, const pkm_orbits* o, const layout* l, int i)
{
    static const char* const side[2] = {"x, y", "x, z"};
    const pkm_orbit* orbit = &o->orbit[i];
    const double left = PKM_FRAME_MARGIN + (i % l->n_column) * (l->cell_width + cell_gap);
    const double top = l->title_height + (i / l->n_column) * l->cell_height;
    const int n_view = orbit->is_ball ? 2 : 1;
    double reach = orbit->clearance;
    char text[64];
    for (int k = 0; k < orbit->n; ++k) {
        const pkm_vec3 p = orbit->path[(size_t)k * (size_t)orbit->stride];
        reach = fmax(reach, fmax(fabs(p.x), fmax(fabs(p.y), orbit->is_ball ? fabs(p.z) : 0.0)));
    }
    if (!(reach > 0.0)) reach = 1e-6;
    const pkm_text_style name = {.size = PKM_FRAME_LABEL, .anchor = PKM_ANCHOR_START, .bold = true};
    const pkm_text_style small = {.size = PKM_FRAME_NOTE, .anchor = PKM_ANCHOR_MIDDLE};
    pkm_svg_text(out, left, top + PKM_FRAME_LABEL, name, orbit->name);
    snprintf(text, sizeof text, "%.4g \xC2\xB5m", 1e6 * orbit->clearance);
    const pkm_text_style end = {.size = PKM_FRAME_NOTE, .anchor = PKM_ANCHOR_END};
    pkm_svg_text(out, left + l->cell_width, top + PKM_FRAME_LABEL, end, text);
    for (int view = 0; view < n_view; ++view) {
        const double half = 0.5 * l->disc, scale = half / (reach * (1.0 + edge));
        const disc d = {.x = left + (view + 0.5) * l->disc,
                        .y = top + name_height + half,
                        .scale = scale,
                        .radius = scale * orbit->clearance};
        draw_bound(out, orbit, &d);
        if (orbit->is_points)
            draw_points(out, orbit, view, &d);
        else
            draw_path(out, orbit, view, &d);
        if (n_view == 2)
            pkm_svg_text(out, d.x, top + name_height + l->disc + PKM_FRAME_NOTE, small, side[view]);
    }
}

pkm_status pkm_orbits_write(const pkm_orbits* o, const char* path, pkm_error* err)
{
    if (o->n_orbit < 1 || o->n_orbit > PKM_ORBITS_MAX)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "orbits: %d bearings, expected 1 to %d", o->n_orbit,
                        PKM_ORBITS_MAX);
    const layout l = lay_out(o);
    const pkm_text_style title = {.size = PKM_FRAME_TITLE, .bold = true};
    const pkm_text_style note = {.size = PKM_FRAME_NOTE};
    pkm_stream* out = NULL;
    PKM_TRY(pkm_stream_open(path, &out, err));
    pkm_svg_begin(out, l.page_width, l.height, o->title);
    pkm_svg_lines(out, PKM_FRAME_MARGIN, PKM_FRAME_MARGIN + PKM_FRAME_TITLE, 1.25 * PKM_FRAME_TITLE,
                  title, &l.title);
    for (int i = 0; i < o->n_orbit; ++i)
        draw_cell(out, o, &l, i);
    if (o->note)
        pkm_svg_lines(out, PKM_FRAME_MARGIN, l.height - PKM_FRAME_MARGIN - 9.0 * (l.note.n - 1),
                      9.0, note, &l.note);
    pkm_svg_end(out);
    return pkm_stream_close(out, err);
}
