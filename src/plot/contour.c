// Marching squares: each cell gives the segments that cross it, which are then chained over common
// edges into lines. At a saddle the middle of the cell decides which corners belong together.
#include "plot/contour.h"

#include "base/memory.h"
#include "pkm/types.h"

#include <math.h>
#include <string.h>

/// An edge of the grid is 2 * node for the one to the right of the node and 2 * node + 1 for the
/// one above it. A segment joins two edges of a cell; an edge belongs to at most two cells, so it
/// carries at most two segments, and lines are chains of segments that share edges.
typedef struct segment {
    int edge[2];
    bool used;
} segment;

typedef struct marcher {
    const double* value;
    const double* crossing; // of every edge; NULL: interpolate
    int n_x, n_y;
    double level;
    segment* segment;
    int n_segment, segment_room;
    int (*at_edge)[2]; // the segments of each edge, or PKM_NONE
    pkm_contour* out;
} marcher;

static double value_at(const marcher* m, int i, int j)
{
    return m->value[(size_t)i + (size_t)m->n_x * (size_t)j];
}

/// Where the level crosses `edge`, in grid steps.
static void cross_edge(const marcher* m, int edge, double point[2])
{
    const int node = edge / 2, i = node % m->n_x, j = node / m->n_x;
    const bool up = edge % 2 == 1;
    const double a = value_at(m, i, j), b = up ? value_at(m, i, j + 1) : value_at(m, i + 1, j);
    const double given = m->crossing ? m->crossing[edge] : NAN;
    const double s = !isnan(given) ? given : a != b ? (m->level - a) / (b - a) : 0.5;
    point[0] = i + (up ? 0.0 : s);
    point[1] = j + (up ? s : 0.0);
}

static bool add_segment(marcher* m, int edge_a, int edge_b)
{
    if (m->n_segment == m->segment_room) {
        const int room = m->segment_room ? 2 * m->segment_room : 256;
        segment* grown = pkm_realloc(m->segment, (size_t)room, sizeof *grown);
        if (!grown) return false;
        m->segment = grown;
        m->segment_room = room;
    }
    const int edge[2] = {edge_a, edge_b};
    for (int k = 0; k < 2; ++k) {
        int* at = m->at_edge[edge[k]];
        at[at[0] == PKM_NONE ? 0 : 1] = m->n_segment;
    }
    m->segment[m->n_segment++] = (segment){{edge_a, edge_b}, false};
    return true;
}

/// The segments of the cell above and to the right of node (i, j).
static bool march_cell(marcher* m, int i, int j)
{
    const double corner[4] = {value_at(m, i, j), value_at(m, i + 1, j), value_at(m, i + 1, j + 1),
                              value_at(m, i, j + 1)};
    int above = 0; // bit k: corner k, counter-clockwise, is at or above the level
    for (int k = 0; k < 4; ++k) {
        if (!isfinite(corner[k])) return true;
        above |= (corner[k] >= m->level) << k;
    }
    const int node = i + m->n_x * j;
    const int bottom = 2 * node, left = 2 * node + 1, right = 2 * (node + 1) + 1,
              top = 2 * (node + m->n_x);
    const int side[4] = {bottom, right, top, left}; // between corners k and k + 1
    int crossed[4], n = 0;
    for (int k = 0; k < 4; ++k)
        if ((above >> k & 1) != (above >> (k + 1) % 4 & 1)) crossed[n++] = side[k];
    if (n == 0) return true;
    if (n == 2) return add_segment(m, crossed[0], crossed[1]);

    // a saddle: the middle joins the corners of its own side, the lines cut off the others
    const double middle = 0.25 * (corner[0] + corner[1] + corner[2] + corner[3]);
    const bool cut_first = (middle >= m->level) != (above & 1); // corner 0 stands alone
    return cut_first ? add_segment(m, left, bottom) && add_segment(m, right, top)
                     : add_segment(m, bottom, right) && add_segment(m, top, left);
}

static bool march(marcher* m)
{
    for (int j = 0; j + 1 < m->n_y; ++j)
        for (int i = 0; i + 1 < m->n_x; ++i)
            if (!march_cell(m, i, j)) return false;
    return true;
}

/// The other segment at `edge`, or PKM_NONE.
static int next_segment(const marcher* m, int edge, int from)
{
    const int* at = m->at_edge[edge];
    return at[0] == from ? at[1] : at[0];
}

static void put_crossing(marcher* m, int edge)
{
    pkm_contour* out = m->out;
    cross_edge(m, edge, out->point + 2 * out->n_point++);
    out->line[out->n_line].n++;
}

/// Follow the chain that begins with `start` at its edge `from` to its end or around.
static void trace(marcher* m, int start, int from)
{
    pkm_contour_line* line = &m->out->line[m->out->n_line];
    *line = (pkm_contour_line){.first = m->out->n_point};
    put_crossing(m, from);
    int edge = from;
    for (int s = start; s != PKM_NONE && !m->segment[s].used;) {
        m->segment[s].used = true;
        edge = m->segment[s].edge[m->segment[s].edge[0] == edge ? 1 : 0];
        put_crossing(m, edge);
        s = next_segment(m, edge, s);
    }
    line->closed = edge == from;
    m->out->n_line++;
}

/// Lines that end at the border or at a gap first, from their ends; what is left are loops.
static void trace_all(marcher* m)
{
    for (int s = 0; s < m->n_segment; ++s)
        for (int k = 0; k < 2; ++k) {
            const int edge = m->segment[s].edge[k];
            if (!m->segment[s].used && next_segment(m, edge, s) == PKM_NONE) trace(m, s, edge);
        }
    for (int s = 0; s < m->n_segment; ++s)
        if (!m->segment[s].used) trace(m, s, m->segment[s].edge[0]);
}

/// A chain of n segments has n + 1 points, so 2 n points and n lines are room enough.
static bool make_room(marcher* m)
{
    const size_t n = (size_t)m->n_segment;
    m->out = pkm_alloc(1, sizeof *m->out);
    if (!m->out) return false;
    m->out->point = pkm_alloc(4 * n, sizeof(double));
    m->out->line = pkm_alloc(n, sizeof(pkm_contour_line));
    return m->out->point && m->out->line;
}

pkm_status pkm_contour_create(const double* value, int n_x, int n_y, double level,
                              pkm_contour** out)
{
    return pkm_contour_create_at(value, n_x, n_y, level, NULL, out);
}

pkm_status pkm_contour_create_at(const double* value, int n_x, int n_y, double level,
                                 const double* crossing, pkm_contour** out)
{
    *out = NULL;
    marcher m = {.value = value, .crossing = crossing, .n_x = n_x, .n_y = n_y, .level = level};
    const size_t n_edge = 2 * (size_t)n_x * (size_t)n_y;
    m.at_edge = pkm_alloc(n_edge, sizeof *m.at_edge);
    if (m.at_edge) memset(m.at_edge, 0xFF, n_edge * sizeof *m.at_edge); // PKM_NONE is -1
    const bool fine = m.at_edge && march(&m) && make_room(&m);
    if (fine) trace_all(&m);
    pkm_free(m.at_edge);
    pkm_free(m.segment);
    if (!fine) pkm_contour_free(m.out);
    if (fine) *out = m.out;
    return fine ? PKM_OK : PKM_ERR_MEMORY;
}

void pkm_contour_free(pkm_contour* contour)
{
    if (!contour) return;
    pkm_free(contour->point);
    pkm_free(contour->line);
    pkm_free(contour);
}
