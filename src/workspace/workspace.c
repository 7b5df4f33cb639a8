// A workspace map: every point of a grid is asked of a sampler, singularities and borders between
// neighbours are located, distances and sizes follow. It knows no robot; workspace_closed.c and
// workspace_engine.c are the samplers. Equations: docs/theory/workspace.md, sections 1 and 3, and
// distances of section 2.
#include "workspace/workspace.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "workspace/distance.h"
#include "workspace/workspace_map.h"
#include "workspace/workspace_size.h"

#include <math.h>

enum { N_BISECTION = 12 };
static const double EDGE_ERROR = 1.0 / 128.0; // of edges that are told, of the spacing

pkm_workspace_settings pkm_workspace_settings_defaults(void)
{
    return (pkm_workspace_settings){.singular_condition = 1e6, .sigma_unit = ""};
}

static pkm_status check_axis(double from, double to, int n, char axis, pkm_error* err)
{
    if (n < 1) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "workspace: %d points along %c, expected >= 1", n,
                        axis);
    }
    if (!isfinite(from) || (n > 1 && !(isfinite(to) && to > from))) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "workspace: %c from %g m to %g m, expected finite and increasing", axis,
                        from, to);
    }
    return PKM_OK;
}

pkm_status pkm_workspace_grid_check(const pkm_workspace_grid* g, pkm_error* err)
{
    PKM_TRY(check_axis(g->from.x, g->to.x, g->n[0], 'x', err));
    PKM_TRY(check_axis(g->from.y, g->to.y, g->n[1], 'y', err));
    PKM_TRY(check_axis(g->from.z, g->to.z, g->n[2], 'z', err));
    const double total = (double)g->n[0] * g->n[1] * g->n[2];
    if (total <= PKM_WORKSPACE_MAX_POINT) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "workspace: a map of %.0f points, expected at most %d",
                    total, PKM_WORKSPACE_MAX_POINT);
}

static double spacing(double from, double to, int n)
{
    return n > 1 ? (to - from) / (n - 1) : 0.0;
}

static pkm_status take_settings(pkm_map* m, pkm_error* err)
{
    const pkm_workspace_grid* g = &m->settings->grid;
    PKM_TRY(pkm_workspace_grid_check(g, err));
    if (!(m->settings->singular_condition > 1.0)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "workspace: singular_condition %g, expected > 1",
                        m->settings->singular_condition);
    }
    m->h[0] = spacing(g->from.x, g->to.x, g->n[0]);
    m->h[1] = spacing(g->from.y, g->to.y, g->n[1]);
    m->h[2] = spacing(g->from.z, g->to.z, g->n[2]);
    m->n_point = 1;
    for (int k = 0; k < 3; ++k) {
        m->n[k] = g->n[k];
        m->n_point *= g->n[k];
    }
    return PKM_OK;
}

/// Point i of n between two ends, exact at both of them and at zero between them.
static double point_of_axis(double from, double to, int i, int n)
{
    if (n == 1) return from;
    const double x = (from * (n - 1 - i) + to * i) / (n - 1);
    return fabs(x) < 1e-12 * (to - from) ? 0.0 : x;
}

static bool is_grid(const pkm_workspace_grid* grid)
{
    return grid && grid->n[0] > 0 && grid->n[1] > 0 && grid->n[2] > 0;
}

double pkm_workspace_grid_place(const pkm_workspace_grid* grid, int axis, int i)
{
    const double from[3] = {grid->from.x, grid->from.y, grid->from.z};
    const double to[3] = {grid->to.x, grid->to.y, grid->to.z};
    return point_of_axis(from[axis], to[axis], i, grid->n[axis]);
}

pkm_vec3 pkm_workspace_grid_point(const pkm_workspace_grid* grid, int index)
{
    if (!is_grid(grid) || index < 0) return (pkm_vec3){NAN, NAN, NAN};
    const int* n = grid->n;
    // index = i + n_x (j + n_y k)
    const int i = index % n[0], j = index / n[0] % n[1], k = index / n[0] / n[1];
    return (pkm_vec3){point_of_axis(grid->from.x, grid->to.x, i, n[0]),
                      point_of_axis(grid->from.y, grid->to.y, j, n[1]),
                      point_of_axis(grid->from.z, grid->to.z, k, n[2])};
}

static int nearest_node(double x, double from, double to, int n)
{
    if (n == 1) return 0;
    const double at = (x - from) / (to - from) * (n - 1);
    return at <= 0.0 ? 0 : at >= n - 1 ? n - 1 : (int)lround(at);
}

int pkm_workspace_grid_nearest(const pkm_workspace_grid* grid, pkm_vec3 position)
{
    if (!is_grid(grid) || isnan(position.x + position.y + position.z)) return PKM_NONE;
    const int i = nearest_node(position.x, grid->from.x, grid->to.x, grid->n[0]);
    const int j = nearest_node(position.y, grid->from.y, grid->to.y, grid->n[1]);
    const int k = nearest_node(position.z, grid->from.z, grid->to.z, grid->n[2]);
    return i + grid->n[0] * (j + grid->n[1] * k);
}

pkm_vec3 pkm_map_position(const pkm_map* m, int index)
{
    return pkm_workspace_grid_point(&m->settings->grid, index);
}

/// Infinity, for files.
static double at_most_large(double x)
{
    return x < PKM_WORKSPACE_LARGE ? x : PKM_WORKSPACE_LARGE;
}

/// A NaN would spread into sizes and means: a sampler that returns one is refused by its place.
static pkm_status take_sample(const pkm_map* m, const pkm_workspace_sample* sample,
                              pkm_vec3 position, pkm_map_point* out, pkm_error* err)
{
    // unreachable points are known to be so; those that a sampler skips stay unknown
    *out = (pkm_map_point){.known = true};
    if (!sample->reachable) return PKM_OK;
    const double sum = sample->sigma_min + sample->sigma_max + sample->det_A + sample->det_B;
    if (isnan(sum) || !(sample->condition >= 1.0 - 1e-9)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "workspace: bad sample at (%.9g, %.9g, %.9g) m: condition %g, singular "
                        "values %g and %g, determinants %g and %g",
                        position.x, position.y, position.z, sample->condition, sample->sigma_min,
                        sample->sigma_max, sample->det_B, sample->det_A);
    }
    out->reachable = true;
    out->in_limits = sample->in_limits;
    // condition = s1/s3 of (2)
    out->singular = sample->condition > m->settings->singular_condition;
    out->condition = at_most_large(sample->condition);
    out->sigma_min = at_most_large(sample->sigma_min);
    out->sigma_max = at_most_large(sample->sigma_max);
    out->det_B = sample->det_B;
    out->det_A = sample->det_A;
    return PKM_OK;
}

static pkm_status sample_all(pkm_map* m, pkm_workspace_sampler sample, void* user, pkm_error* err)
{
    for (int index = 0; index < m->n_point; ++index) {
        pkm_workspace_sample s = {0};
        const pkm_vec3 position = pkm_map_position(m, index);
        const pkm_status status = sample(user, &position, &s);
        if (status == PKM_RETRY) continue; // left out, as it was allocated
        if (status != PKM_OK) {
            return pkm_fail(err, status, "workspace: %s at (%.9g, %.9g, %.9g) m",
                            pkm_status_text(status), position.x, position.y, position.z);
        }
        PKM_TRY(take_sample(m, &s, position, &m->at[index], err));
    }
    return PKM_OK;
}

// ---- distances and borders
// -----------------------------------------------------------------------

static pkm_status find_distances(pkm_map* m)
{
    for (int k = 0; k < m->n_point; ++k) {
        // (3): zero at trouble; points that are not known are no trouble
        const bool trouble = m->at[k].known && (!m->at[k].reachable || m->at[k].singular);
        m->distance[k] = trouble ? 0.0 : INFINITY;
    }
    return pkm_distance_transform(m->distance, m->n, m->h);
}

/// Does a point belong to the reachable set, or to its part in limits?
static bool belongs(const pkm_map_point* p, bool limits)
{
    return limits ? p->in_limits : p->reachable;
}

/// Halve the way between two neighbours of which the upper one belongs as `upper` says.
static pkm_status bisect_edge(const pkm_map* m, int lower, int next, bool upper, bool limits,
                              pkm_workspace_sampler sample, void* user, double* out)
{
    const pkm_vec3 from = pkm_map_position(m, lower);
    const pkm_vec3 way = pkm_vec3_sub(pkm_map_position(m, next), from);
    double low = 0.0, high = 1.0;
    for (int n = 0; n < N_BISECTION; ++n) {
        const double middle = 0.5 * (low + high);
        const pkm_vec3 position = pkm_vec3_axpy(from, middle, way);
        pkm_workspace_sample s = {0};
        const pkm_status status = sample(user, &position, &s);
        if (status != PKM_OK && status != PKM_RETRY) return status;
        const pkm_map_point p = {.reachable = s.reachable, .in_limits = s.reachable && s.in_limits};
        // 2^-12 of the spacing
        *(belongs(&p, limits) == upper ? &high : &low) = middle;
    }
    *out = 0.5 * (low + high);
    return PKM_OK;
}

/// Where the set ends between neighbours, to 1/2^N_BISECTION of their distance.
static pkm_status find_edges(const pkm_map* m, bool limits, pkm_workspace_sampler sample,
                             void* user, double* out)
{
    const int stride[3] = {1, m->n[0], m->n[0] * m->n[1]};
    for (int index = 0; out && index < m->n_point; ++index) {
        const int at[3] = {index % m->n[0], index / m->n[0] % m->n[1], index / m->n[0] / m->n[1]};
        for (int axis = 0; axis < 3; ++axis) {
            double* edge = &out[3 * (size_t)index + (size_t)axis];
            *edge = NAN;
            if (at[axis] + 1 == m->n[axis]) continue;
            const int next = index + stride[axis];
            const bool upper = belongs(&m->at[next], limits);
            if (!m->at[index].known || !m->at[next].known) continue;
            if (belongs(&m->at[index], limits) == upper) continue;
            if (m->settings->edge)
                *edge = m->settings->edge(user, index, axis, limits);
            else
                PKM_TRY(bisect_edge(m, index, next, upper, limits, sample, user, edge));
        }
    }
    return PKM_OK;
}

static pkm_status write_table(const pkm_map* m, pkm_table* table)
{
    const char* sigma = m->settings->sigma_unit ? m->settings->sigma_unit : "";
    const char* const column[9][2] = {
        {"x", "m"},           {"y", "m"},        {"z", "m"},
        {"reachable", ""},    {"condition", ""}, {"sigma_min", sigma},
        {"sigma_max", sigma}, {"distance", "m"}, {"in_limits", ""},
    };
    for (int k = 0; k < 9; ++k) {
        if (pkm_table_add_column(table, column[k][0], column[k][1]) == PKM_NONE) {
            return PKM_ERR_MEMORY;
        }
    }
    PKM_TRY(pkm_table_reserve(table, m->n_point));
    for (int k = 0; k < m->n_point; ++k) {
        const pkm_map_point* p = &m->at[k];
        if (!p->known) continue;
        const pkm_vec3 position = pkm_map_position(m, k);
        double* row = pkm_table_append(table);
        if (!row) return PKM_ERR_MEMORY;
        row[0] = position.x;
        row[1] = position.y;
        row[2] = position.z;
        row[3] = p->reachable ? 1.0 : 0.0;
        row[4] = p->condition;
        row[5] = p->sigma_min;
        row[6] = p->sigma_max;
        row[7] = isinf(m->distance[k]) ? -1.0 : m->distance[k];
        row[8] = p->in_limits ? 1.0 : 0.0;
    }
    return PKM_OK;
}

/// Size of the reachable set, or of its part in limits: docs/theory/workspace.md, (4) and (5).
static pkm_status measure(const pkm_map* m, bool limits, const double* edge, double* size,
                          double* error)
{
    unsigned char* inside = pkm_alloc((size_t)m->n_point, 1);
    if (!inside) return PKM_ERR_MEMORY;
    for (int k = 0; k < m->n_point; ++k)
        inside[k] = m->at[k].known ? belongs(&m->at[k], limits) : 2;
    const pkm_size_field field = {.n = {m->n[0], m->n[1], m->n[2]},
                                  .h = {m->h[0], m->h[1], m->h[2]},
                                  .inside = inside,
                                  .edge = edge,
                                  .edge_error =
                                      m->settings->edge ? EDGE_ERROR : ldexp(1.0, -N_BISECTION)};
    pkm_size_measure(&field, size, error);
    pkm_free(inside);
    return PKM_OK;
}

static void count_point(const pkm_map* m, int k, pkm_workspace_report* report)
{
    const pkm_map_point* p = &m->at[k];
    report->n_point += p->known;
    if (!p->reachable) return;
    const bool first = report->n_reachable == 0;
    report->n_reachable += 1;
    report->n_singular += p->singular;
    report->n_in_limits += p->in_limits;
    report->mean_dexterity += 1.0 / p->condition;
    if (first || p->condition < report->best_condition) {
        report->best_condition = p->condition;
        report->best_position = pkm_map_position(m, k);
    }
    if (first || p->condition > report->worst_condition) {
        report->worst_condition = p->condition;
        report->worst_position = pkm_map_position(m, k);
    }
    if (first || m->distance[k] < report->least_distance) {
        report->least_distance = m->distance[k];
        report->least_position = pkm_map_position(m, k);
    }
    if (first || m->distance[k] > report->largest_distance) {
        report->largest_distance = m->distance[k];
        report->largest_position = pkm_map_position(m, k);
    }
}

static pkm_status write_report(const pkm_map* m, pkm_workspace_report* report)
{
    *report = (pkm_workspace_report){0};
    for (int k = 0; k < m->n_point; ++k)
        count_point(m, k, report);
    if (report->n_reachable > 0) report->mean_dexterity /= report->n_reachable;
    for (int axis = 0; axis < 3; ++axis)
        report->dimension += m->n[axis] > 1;
    PKM_TRY(measure(m, false, m->reach_edge, &report->size, &report->size_error));
    return measure(m, true, m->limits_edge ? m->limits_edge : m->reach_edge, &report->limits_size,
                   &report->limits_size_error);
}

/// Room for the edges that the caller has none for: sizes need them. Where all that is reached is
/// in limits, there is one border.
static pkm_status take_edges(pkm_map* m)
{
    const size_t n = 3 * (size_t)m->n_point;
    bool has_limits = false;
    for (int k = 0; k < m->n_point; ++k)
        has_limits = has_limits || (m->at[k].reachable && !m->at[k].in_limits);
    m->reach_edge = m->settings->reach_edge;
    m->limits_edge = m->settings->limits_edge;
    const bool own_reach = !m->reach_edge, own_limits = !m->limits_edge && has_limits;
    m->own_edges = pkm_alloc(n * ((size_t)own_reach + (size_t)own_limits) + 1, sizeof(double));
    if (!m->own_edges) return PKM_ERR_MEMORY;
    if (own_reach) m->reach_edge = m->own_edges;
    if (own_limits) m->limits_edge = m->own_edges + (own_reach ? n : 0);
    return PKM_OK;
}

static pkm_status run(pkm_map* m, pkm_workspace_sampler sample, void* user, pkm_error* err)
{
    m->at = pkm_alloc((size_t)m->n_point, sizeof *m->at);
    m->distance = pkm_alloc((size_t)m->n_point, sizeof *m->distance);
    if (!m->at || !m->distance) return PKM_ERR_MEMORY;
    PKM_TRY(sample_all(m, sample, user, err));
    pkm_map_mark_crossings(m, sample, user);
    PKM_TRY(take_edges(m));
    const pkm_workspace_sampler reach = m->settings->reach ? m->settings->reach : sample;
    PKM_TRY(find_edges(m, false, reach, user, m->reach_edge));
    PKM_TRY(find_edges(m, true, reach, user, m->limits_edge));
    return find_distances(m);
}

pkm_status pkm_workspace_map(const pkm_workspace_settings* settings, pkm_workspace_sampler sample,
                             void* user, pkm_table* table, pkm_workspace_report* report,
                             pkm_error* err)
{
    pkm_map m = {.settings = settings};
    PKM_TRY(take_settings(&m, err));
    pkm_status status = run(&m, sample, user, err);
    if (status == PKM_OK) status = write_table(&m, table);
    if (status == PKM_OK && report) status = write_report(&m, report);
    pkm_free(m.own_edges);
    pkm_free(m.at);
    pkm_free(m.distance);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "workspace: out of memory");
    return status;
}
