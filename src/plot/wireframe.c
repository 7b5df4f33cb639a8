// The displacement of a mode is drawn so that its largest is a fixed part of the robot: only the
// shape of a mode means something. Grey lines are the robot at rest.
#include "plot/wireframe.h"

#include "base/error.h"
#include "math/vec3.h"
#include "plot/frame.h"
#include "plot/solid.h"
#include "plot/svg.h"

#include <math.h>
#include <string.h>

// Largest displacement drawn, as part of the robot's extent.
static const double AMPLITUDE = 0.09;
// Phases: the grey ones are still, the last one moves.
static const double PHASES[] = {-1.0, -0.5, 0.5, 1.0};
enum { N_PHASE = sizeof PHASES / sizeof PHASES[0], PER_ROW = 3 };

/// Panels and the way from space to the page.
typedef struct page {
    const pkm_wireframe* frame;
    pkm_stream* stream;
    pkm_vec3 right, upward; ///< unit vectors of the page in space
    double low[2], scale;   ///< of the projected extent; points per metre
    double extent;          ///< [m]
    double cell_w, cell_h, picture_w, picture_h;
    int columns, rows;
} page;

// ---- projection -------------------------------------------------------------------------------

static void project(const page* p, pkm_vec3 at, double out[2])
{
    out[0] = pkm_vec3_dot(p->right, at);
    out[1] = pkm_vec3_dot(p->upward, at);
}

/// Room for the largest displacement on all sides.
static void measure(page* p)
{
    double high[2] = {-INFINITY, -INFINITY};
    p->low[0] = p->low[1] = INFINITY;
    for (int l = 0; l < p->frame->n_line; ++l) {
        for (int i = 0; i < p->frame->line[l].n; ++i) {
            double at[2];
            project(p, p->frame->line[l].at[i], at);
            for (int k = 0; k < 2; ++k) {
                p->low[k] = fmin(p->low[k], at[k]);
                high[k] = fmax(high[k], at[k]);
            }
        }
    }
    const double w = high[0] - p->low[0], h = high[1] - p->low[1];
    p->extent = fmax(fmax(w, h), 1e-9);
    const double margin = 1.2 * AMPLITUDE * p->extent;
    for (int k = 0; k < 2; ++k)
        p->low[k] -= margin;
    p->picture_w = 50.0 * PKM_SVG_MM;
    p->scale = p->picture_w / (w + 2.0 * margin);
    p->picture_h = p->scale * (h + 2.0 * margin);
    const double most = 70.0 * PKM_SVG_MM;
    if (p->picture_h > most) { // tall robots: narrower
        p->scale *= most / p->picture_h;
        p->picture_h = most;
    }
}

static void to_page(const page* p, const double origin[2], pkm_vec3 at, double out[2])
{
    double flat[2];
    project(p, at, flat);
    out[0] = origin[0] + p->scale * (flat[0] - p->low[0]);
    out[1] = origin[1] + p->picture_h - p->scale * (flat[1] - p->low[1]);
}

// ---- drawing ----------------------------------------------------------------------------------

/// Of all points of a mode: it is drawn AMPLITUDE long.
static double largest_motion(const page* p, const pkm_vec3* motion)
{
    double most = 0.0;
    int at = 0;
    for (int l = 0; l < p->frame->n_line; ++l)
        for (int i = 0; i < p->frame->line[l].n; ++i)
            most = fmax(most, pkm_vec3_norm(motion[at++]));
    return most;
}

static void write_points(const page* p, const double origin[2], const pkm_wire_line* line,
                         const pkm_vec3* motion, double amount)
{
    for (int i = 0; i < line->n; ++i) {
        double at[2];
        to_page(p, origin, pkm_vec3_axpy(line->at[i], amount, motion[i]), at);
        pkm_stream_format(p->stream, "%s%.1f,%.1f", i ? " " : "", at[0], at[1]);
    }
}

/// A moving line has its key frames: out, to the other side, and out.
static void draw_line(const page* p, const double origin[2], const pkm_wire_line* line,
                      const pkm_vec3* motion, double amount, const char* style, bool moves)
{
    pkm_stream_text(p->stream, "<polyline points=\"");
    write_points(p, origin, line, motion, amount);
    pkm_stream_format(p->stream, "\" %s%s>", style, moves ? "" : "/");
    if (moves) {
        pkm_stream_text(p->stream, "<animate attributeName=\"points\" dur=\"1.6s\" "
                                   "repeatCount=\"indefinite\" calcMode=\"spline\" "
                                   "keySplines=\".37 0 .63 1;.37 0 .63 1\" values=\"");
        for (int k = 0; k < 3; ++k) {
            if (k) pkm_stream_text(p->stream, ";");
            write_points(p, origin, line, motion, k == 1 ? -amount : amount);
        }
        pkm_stream_text(p->stream, "\"/></polyline>");
    }
    pkm_stream_text(p->stream, "\n");
}

static void draw_lines(const page* p, const double origin[2], const pkm_vec3* motion, double amount,
                       const char* soft, const char* stiff, bool moves)
{
    int at = 0;
    for (int l = 0; l < p->frame->n_line; ++l) {
        const pkm_wire_line* line = &p->frame->line[l];
        draw_line(p, origin, line, motion + at, amount, line->is_soft ? soft : stiff, moves);
        at += line->n;
    }
}

static void draw_supports(const page* p, const double origin[2])
{
    for (int k = 0; k < p->frame->n_support; ++k) {
        double at[2];
        to_page(p, origin, p->frame->support[k], at);
        pkm_stream_format(p->stream,
                          "<rect x=\"%.1f\" y=\"%.1f\" width=\"4\" height=\"4\" fill=\"#333\"/>\n",
                          at[0] - 2.0, at[1] - 2.0);
    }
}

static void draw_panel(const page* p, int k)
{
    const pkm_wire_panel* panel = &p->frame->panel[k];
    const double x = PKM_FRAME_MARGIN + (k % p->columns) * p->cell_w;
    const double y = PKM_FRAME_MARGIN + 18.0 + (k / p->columns) * p->cell_h;
    const double origin[2] = {x + 0.5 * (p->cell_w - p->picture_w), y + 26.0};
    const double most = largest_motion(p, panel->motion);
    const double unit = most > 0.0 ? AMPLITUDE * p->extent / most : 0.0;
    const pkm_text_style title = {
        .size = PKM_FRAME_LABEL, .anchor = PKM_ANCHOR_MIDDLE, .bold = true};
    const pkm_text_style note = {
        .size = PKM_FRAME_NOTE, .anchor = PKM_ANCHOR_MIDDLE, .colour = "#555555"};
    pkm_svg_text(p->stream, x + 0.5 * p->cell_w, y + 10.0, title, panel->title);
    if (panel->note) pkm_svg_text(p->stream, x + 0.5 * p->cell_w, y + 19.0, note, panel->note);
    draw_lines(p, origin, panel->motion, 0.0,
               "fill=\"none\" stroke=\"#999999\" stroke-width=\"0.7\"",
               "fill=\"none\" stroke=\"#cccccc\" stroke-width=\"0.7\"", false);
    for (int i = 0; i + 1 < N_PHASE; ++i)
        draw_lines(p, origin, panel->motion, PHASES[i] * unit,
                   "fill=\"none\" stroke=\"#56b4e9\" stroke-width=\"0.7\" stroke-opacity=\"0.55\"",
                   "fill=\"none\" stroke=\"#bbbbbb\" stroke-width=\"0.5\" stroke-opacity=\"0.55\"",
                   false);
    draw_lines(p, origin, panel->motion, unit,
               "fill=\"none\" stroke=\"#0072b2\" stroke-width=\"1.6\" stroke-linejoin=\"round\"",
               "fill=\"none\" stroke=\"#d55e00\" stroke-width=\"1.1\" stroke-linejoin=\"round\"",
               true);
    draw_supports(p, origin);
}

static void lay_out(page* p)
{
    // seen from the side and a little from above: 30 degrees round, 20 degrees up
    pkm_view_turned(p->frame->up, 0.5235987755982988, 0.3490658503988659, &p->right, &p->upward);
    measure(p);
    p->columns = p->frame->n_panel < PER_ROW ? p->frame->n_panel : PER_ROW;
    p->rows = (p->frame->n_panel + p->columns - 1) / p->columns;
    p->cell_w = p->picture_w + 4.0 * PKM_SVG_MM;
    p->cell_h = p->picture_h + 34.0;
}

pkm_status pkm_wireframe_write(const pkm_wireframe* frame, const char* path, pkm_error* err)
{
    if (frame->n_line < 1 || frame->n_panel < 1 || frame->n_panel > PKM_WIREFRAME_MAX_PANEL)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %d lines and %d panels, expected some", path,
                        frame->n_line, frame->n_panel);
    page p = {.frame = frame};
    lay_out(&p);
    PKM_TRY(pkm_stream_open(path, &p.stream, err));
    const double w = 2.0 * PKM_FRAME_MARGIN + p.columns * p.cell_w;
    const double h = 2.0 * PKM_FRAME_MARGIN + 18.0 + p.rows * p.cell_h;
    const pkm_text_style title = {
        .size = PKM_FRAME_TITLE, .anchor = PKM_ANCHOR_MIDDLE, .bold = true};
    pkm_svg_begin(p.stream, w, h, frame->title);
    if (frame->title) pkm_svg_text(p.stream, 0.5 * w, PKM_FRAME_MARGIN + 10.0, title, frame->title);
    for (int k = 0; k < frame->n_panel; ++k)
        draw_panel(&p, k);
    pkm_svg_end(p.stream);
    return pkm_stream_close(p.stream, err);
}
