#include "analysis/workspace.h"

#include "analysis/distance.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

/// Grid points of one map: a table of them has to fit into memory, and its rows into an int.
enum { MAX_POINT = 200 * 1000 * 1000 };

/// What is kept of a sample until all points are known.
typedef struct point {
    double condition, sigma_min, sigma_max, det_B, det_A;
    bool reachable, in_limits, singular;
} point;

/// A map in the making.
typedef struct map {
    const pkm_workspace_settings* settings;
    int n[3], n_point;
    double h[3];      ///< spacing [m]; 0 along an axis with one point
    point* at;        ///< [n_point]
    double* distance; ///< [n_point]
} map;

pkm_workspace_settings pkm_workspace_settings_defaults(void)
{
    return (pkm_workspace_settings){.singular_condition = 1e6, .sigma_unit = ""};
}

/// Check one axis of the grid and find its spacing.
static pkm_status check_axis(double from, double to, int n, char axis, double* h, pkm_error* err)
{
    *h = 0.0;
    if (n < 1) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "workspace: %d points along %c, expected >= 1", n,
                        axis);
    }
    if (!isfinite(from) || (n > 1 && !(isfinite(to) && to > from))) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "workspace: %c from %g m to %g m, expected finite and increasing", axis,
                        from, to);
    }
    if (n > 1) *h = (to - from) / (n - 1);
    return PKM_OK;
}

static pkm_status check_grid(map* m, pkm_error* err)
{
    const pkm_workspace_grid* g = &m->settings->grid;
    PKM_TRY(check_axis(g->from.x, g->to.x, g->n[0], 'x', &m->h[0], err));
    PKM_TRY(check_axis(g->from.y, g->to.y, g->n[1], 'y', &m->h[1], err));
    PKM_TRY(check_axis(g->from.z, g->to.z, g->n[2], 'z', &m->h[2], err));
    const double total = (double)g->n[0] * g->n[1] * g->n[2];
    if (total > MAX_POINT) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "workspace: %.0f points, expected at most %d", total,
                        MAX_POINT);
    }
    if (!(m->settings->singular_condition > 1.0)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "workspace: singular_condition %g, expected > 1",
                        m->settings->singular_condition);
    }
    for (int k = 0; k < 3; ++k)
        m->n[k] = g->n[k];
    m->n_point = (int)total;
    return PKM_OK;
}

static pkm_vec3 position_of(const map* m, int index)
{
    const pkm_vec3 from = m->settings->grid.from;
    const int i = index % m->n[0], j = index / m->n[0] % m->n[1], k = index / m->n[0] / m->n[1];
    return (pkm_vec3){from.x + i * m->h[0], from.y + j * m->h[1], from.z + k * m->h[2]};
}

/// Infinity, for files.
static double at_most_large(double x)
{
    return x < PKM_WORKSPACE_LARGE ? x : PKM_WORKSPACE_LARGE;
}

static pkm_status take_sample(const map* m, const pkm_workspace_sample* sample, pkm_vec3 position,
                              point* out, pkm_error* err)
{
    *out = (point){0};
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
    out->singular = sample->condition > m->settings->singular_condition;
    out->condition = at_most_large(sample->condition);
    out->sigma_min = at_most_large(sample->sigma_min);
    out->sigma_max = at_most_large(sample->sigma_max);
    out->det_B = sample->det_B;
    out->det_A = sample->det_A;
    return PKM_OK;
}

static pkm_status sample_all(map* m, pkm_workspace_sampler sample, void* user, pkm_error* err)
{
    for (int index = 0; index < m->n_point; ++index) {
        pkm_workspace_sample s = {0};
        const pkm_vec3 position = position_of(m, index);
        const pkm_status status = sample(user, &position, &s);
        if (status != PKM_OK) {
            return pkm_fail(err, status, "workspace: %s at (%.9g, %.9g, %.9g) m",
                            pkm_status_text(status), position.x, position.y, position.z);
        }
        PKM_TRY(take_sample(m, &s, position, &m->at[index], err));
    }
    return PKM_OK;
}

/// A singularity lies between reachable neighbours whose determinants differ in sign: the one
/// nearer to it, with the smaller determinant, is marked.
static void mark_between(point* a, point* b)
{
    if (!a->reachable || !b->reachable) return;
    if (a->det_B * b->det_B < 0.0) {
        *(fabs(a->det_B) < fabs(b->det_B) ? &a->singular : &b->singular) = true;
    }
    if (a->det_A * b->det_A < 0.0) {
        *(fabs(a->det_A) < fabs(b->det_A) ? &a->singular : &b->singular) = true;
    }
}

static void mark_crossings(map* m)
{
    const int stride[3] = {1, m->n[0], m->n[0] * m->n[1]};
    for (int index = 0; index < m->n_point; ++index) {
        const int at[3] = {index % m->n[0], index / m->n[0] % m->n[1], index / m->n[0] / m->n[1]};
        for (int axis = 0; axis < 3; ++axis) {
            if (at[axis] + 1 < m->n[axis])
                mark_between(&m->at[index], &m->at[index + stride[axis]]);
        }
    }
}

static pkm_status find_distances(map* m)
{
    for (int k = 0; k < m->n_point; ++k) {
        m->distance[k] = m->at[k].reachable && !m->at[k].singular ? INFINITY : 0.0;
    }
    return pkm_distance_transform(m->distance, m->n, m->h);
}

static pkm_status write_table(const map* m, pkm_table* table)
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
        const point* p = &m->at[k];
        const pkm_vec3 position = position_of(m, k);
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

/// The corners of a cell as steps from its lowest one; an axis with one point has no second corner.
/// Returns how many: 2^dimension.
static int cell_corners(const map* m, int corner[8])
{
    const int step[3] = {1, m->n[0], m->n[0] * m->n[1]};
    int n = 1;
    corner[0] = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (m->n[axis] == 1) continue;
        for (int k = 0; k < n; ++k)
            corner[n + k] = corner[k] + step[axis];
        n *= 2;
    }
    return n;
}

/// How many cells have 0, 1 ... 8 reachable corners.
static void count_cells(const map* m, const int* corner, int n_corner, int n_cell[9])
{
    int count[3];
    for (int axis = 0; axis < 3; ++axis)
        count[axis] = m->n[axis] > 1 ? m->n[axis] - 1 : 1;
    for (int k = 0; k < count[2]; ++k) {
        for (int j = 0; j < count[1]; ++j) {
            const point* at = m->at + (ptrdiff_t)m->n[0] * (j + (ptrdiff_t)m->n[1] * k);
            for (int i = 0; i < count[0]; ++i) {
                int reachable = 0;
                for (int c = 0; c < n_corner; ++c)
                    reachable += at[i + corner[c]].reachable;
                ++n_cell[reachable];
            }
        }
    }
}

/// Size of the reachable set, docs/theory/workspace.md, (4) and (5): a cell counts by the share of
/// its corners that are reachable; where they differ the share is uncertain.
static void measure(const map* m, pkm_workspace_report* report)
{
    int corner[8], n_cell[9] = {0};
    const int n_corner = cell_corners(m, corner);
    count_cells(m, corner, n_corner, n_cell);

    double cell = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        if (m->n[axis] == 1) continue;
        cell *= m->h[axis];
        ++report->dimension;
    }
    for (int c = 1; c <= n_corner; ++c) {
        const int doubt = c == n_corner ? 0 : (2 * c > n_corner ? c : n_corner - c);
        report->size += cell * n_cell[c] * c / n_corner;
        report->size_error += cell * n_cell[c] * doubt / n_corner;
    }
}

static void count_point(const map* m, int k, pkm_workspace_report* report)
{
    const point* p = &m->at[k];
    if (!p->reachable) return;
    const bool first = report->n_reachable == 0;
    report->n_reachable += 1;
    report->n_singular += p->singular;
    report->n_in_limits += p->in_limits;
    report->mean_dexterity += 1.0 / p->condition;
    if (first || p->condition < report->best_condition) {
        report->best_condition = p->condition;
        report->best_position = position_of(m, k);
    }
    if (first || p->condition > report->worst_condition) {
        report->worst_condition = p->condition;
        report->worst_position = position_of(m, k);
    }
    if (first || m->distance[k] < report->least_distance) {
        report->least_distance = m->distance[k];
        report->least_position = position_of(m, k);
    }
    if (first || m->distance[k] > report->largest_distance) {
        report->largest_distance = m->distance[k];
        report->largest_position = position_of(m, k);
    }
}

static void write_report(const map* m, pkm_workspace_report* report)
{
    *report = (pkm_workspace_report){.n_point = m->n_point};
    for (int k = 0; k < m->n_point; ++k)
        count_point(m, k, report);
    if (report->n_reachable > 0) report->mean_dexterity /= report->n_reachable;
    measure(m, report);
}

static pkm_status run(map* m, pkm_workspace_sampler sample, void* user, pkm_error* err)
{
    m->at = pkm_alloc((size_t)m->n_point, sizeof *m->at);
    m->distance = pkm_alloc((size_t)m->n_point, sizeof *m->distance);
    if (!m->at || !m->distance) return PKM_ERR_MEMORY;
    PKM_TRY(sample_all(m, sample, user, err));
    mark_crossings(m);
    return find_distances(m);
}

pkm_status pkm_workspace_map(const pkm_workspace_settings* settings, pkm_workspace_sampler sample,
                             void* user, pkm_table* table, pkm_workspace_report* report,
                             pkm_error* err)
{
    map m = {.settings = settings};
    PKM_TRY(check_grid(&m, err));
    pkm_status status = run(&m, sample, user, err);
    if (status == PKM_OK) status = write_table(&m, table);
    if (status == PKM_OK && report) write_report(&m, report);
    pkm_free(m.at);
    pkm_free(m.distance);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "workspace: out of memory");
    return status;
}
