#include "closed.h"
#include "workspace/workspace.h"

#include "base/memory.h"
#include "check.h"
#include "math/vec3.h"

#include <lapacke.h>
#include <time.h>

static const double PI = 3.14159265358979323846;

static pkm_workspace_settings box(double size, int nx, int ny, int nz)
{
    pkm_workspace_settings s = pkm_workspace_settings_defaults();
    s.grid.from = pkm_vec3_make(nx > 1 ? -size : 0.0, ny > 1 ? -size : 0.0, nz > 1 ? -size : 0.0);
    s.grid.to = pkm_vec3_make(size, size, size);
    s.grid.n[0] = nx;
    s.grid.n[1] = ny;
    s.grid.n[2] = nz;
    return s;
}

/// A ball of radius 1 around (0.05, 0, 0) whose condition grows with the distance from its centre.
static pkm_status ball(void* user, const pkm_vec3* p, pkm_workspace_sample* out)
{
    const double r = pkm_vec3_norm(pkm_vec3_sub(*p, pkm_vec3_make(0.05, 0.0, 0.0)));
    (void)user;
    out->reachable = r <= 1.0;
    out->in_limits = p->x >= 0.0;
    out->condition = 1.0 + r;
    out->sigma_min = 1.0;
    out->sigma_max = 1.0 + r;
    out->det_B = out->det_A = 1.0;
    return PKM_OK;
}

static pkm_workspace_report map_of(const pkm_workspace_settings* s, pkm_workspace_sampler sampler,
                                   void* user, pkm_table** table)
{
    pkm_workspace_report report = {0};
    pkm_error err = {0};
    pkm_table* t = pkm_table_create();
    CHECK(pkm_workspace_map(s, sampler, user, t, &report, &err) == PKM_OK);
    if (table)
        *table = t;
    else
        pkm_table_free(t);
    return report;
}

// The stated error holds, and it falls: from 15 to 63 points by the square of the spacing, with a
// factor of two for where the grid happens to lie.
static void size_of_a_ball_converges(void)
{
    const double exact[4] = {0.0, 2.0, PI, 4.0 * PI / 3.0};
    for (int dimension = 1; dimension <= 3; ++dimension) {
        double first = 0.0;
        for (int n = 15; n <= 127; n = 2 * n + 1) {
            if (dimension == 3 && n > 70) break;
            const pkm_workspace_settings s =
                box(1.2, n, dimension > 1 ? n : 1, dimension > 2 ? n : 1);
            const pkm_workspace_report r = map_of(&s, ball, NULL, NULL);
            CHECK(r.dimension == dimension);
            CHECK_NEAR(r.size, exact[dimension], r.size_error);
            if (n == 15) first = r.size_error;
            CHECK(r.size_error < 0.05 * exact[dimension]);
            if (n == 63) CHECK(dimension == 1 || r.size_error < first / 8.0);
            if (n == 63) CHECK_NEAR(r.size, exact[dimension], 1e-3 * exact[dimension]);
        }
    }
}

// A box within the ball is known exactly; its edge is no boundary.
static void box_within_reach_has_its_own_size(void)
{
    const pkm_workspace_settings s = box(0.4, 5, 6, 7);
    pkm_table* table;
    const pkm_workspace_report r = map_of(&s, ball, NULL, &table);
    CHECK_NEAR(r.size, 0.512, 1e-15);
    CHECK(r.size_error == 0.0);
    CHECK(r.n_point == 210 && r.n_reachable == 210 && r.n_singular == 0);
    CHECK(isinf(r.least_distance) && isinf(r.largest_distance));
    const int distance = pkm_table_find(table, "distance");
    CHECK_NEAR(pkm_table_get(table, 0, distance), -1.0, 0.0);
    pkm_table_free(table);
}

/// The row of a place on the grid of `rows_follow_the_grid`.
static int row_of(pkm_vec3 p)
{
    const long x = lround((p.x + 1.2) / 0.06), y = lround((p.y + 1.2) / 0.08);
    return (int)(x + 41 * (y + 31 * lround((p.z + 1.2) / 0.12)));
}

/// Each extreme stands in the row of its place; no reachable row goes beyond it.
static void check_places(const pkm_workspace_report* r, const pkm_table* table)
{
    CHECK_NEAR(pkm_table_get(table, row_of(r->best_position), 4), r->best_condition, 0.0);
    CHECK_NEAR(pkm_table_get(table, row_of(r->worst_position), 4), r->worst_condition, 0.0);
    CHECK_NEAR(pkm_table_get(table, row_of(r->least_position), 7), r->least_distance, 0.0);
    CHECK_NEAR(pkm_table_get(table, row_of(r->largest_position), 7), r->largest_distance, 0.0);
    for (int row = 0; row < pkm_table_n_row(table); ++row) {
        const double condition = pkm_table_get(table, row, 4), far = pkm_table_get(table, row, 7);
        if (pkm_table_get(table, row, 3) == 0.0) continue;
        CHECK(condition >= r->best_condition && condition <= r->worst_condition);
        CHECK(far >= r->least_distance && far <= r->largest_distance);
    }
}

static void rows_follow_the_grid(void)
{
    const pkm_workspace_settings s = box(1.2, 41, 31, 21);
    pkm_table* table;
    const pkm_workspace_report r = map_of(&s, ball, NULL, &table);
    CHECK(pkm_table_n_row(table) == 41 * 31 * 21);
    CHECK(pkm_table_n_column(table) == 9);
    CHECK_TEXT(pkm_table_unit(table, 0), "m");
    const double diagonal = sqrt(0.06 * 0.06 + 0.08 * 0.08 + 0.12 * 0.12);
    int n_reachable = 0;
    for (int row = 0; row < pkm_table_n_row(table); ++row) {
        const pkm_vec3 p = {pkm_table_get(table, row, 0), pkm_table_get(table, row, 1),
                            pkm_table_get(table, row, 2)};
        CHECK_NEAR(p.x, -1.2 + 0.06 * (row % 41), 1e-15);
        CHECK_NEAR(p.y, -1.2 + 0.08 * (row / 41 % 31), 1e-15);
        CHECK_NEAR(p.z, -1.2 + 0.12 * (row / 41 / 31), 1e-15);
        const double radius = pkm_vec3_norm(pkm_vec3_sub(p, pkm_vec3_make(0.05, 0.0, 0.0)));
        const bool in = radius <= 1.0;
        n_reachable += in;
        CHECK_NEAR(pkm_table_get(table, row, 3), in ? 1.0 : 0.0, 0.0);
        CHECK_NEAR(pkm_table_get(table, row, 4), in ? 1.0 + radius : 0.0, 1e-15);
        CHECK_NEAR(pkm_table_get(table, row, 8), in && p.x >= 0.0 ? 1.0 : 0.0, 0.0);
        // The nearest unreachable grid point is outside, at most a cell beyond the sphere.
        const double distance = pkm_table_get(table, row, 7), depth = in ? 1.0 - radius : 0.0;
        CHECK(distance >= depth && distance <= depth + diagonal);
    }
    CHECK(r.n_reachable == n_reachable);
    CHECK_NEAR(r.best_condition, 1.01, 1e-15); // at x = 0.06, the nearest to 0.05
    CHECK_NEAR(r.best_position.x, 0.06, 1e-15);
    CHECK_NEAR(r.best_position.y, 0.0, 1e-15);
    CHECK(r.worst_condition > 1.9 && r.worst_condition <= 2.0);
    CHECK(r.largest_distance > 0.95 && r.largest_distance < 1.0 + diagonal);
    check_places(&r, table);
    CHECK_NEAR(r.mean_dexterity, 1.0 / 1.75, 0.02); // mean of 1/(1 + r) over a ball is 0.574
    pkm_table_free(table);
}

/// Between neighbours the ball ends where its sphere crosses, and its limits at x = 0.
static void edges_are_found_between_points(void)
{
    static double reach[3 * 9 * 9 * 9], limits[3 * 9 * 9 * 9];
    pkm_workspace_settings s = box(1.2, 9, 9, 9);
    s.grid.from.x += 0.01; // off the plane x = 0
    s.reach_edge = reach;
    s.limits_edge = limits;
    map_of(&s, ball, NULL, NULL);
    const int stride[3] = {1, 9, 81};
    const double h = 0.3, precision = h / 512.0 + 1e-12; // eight bisections, the middle of the last
    int n_reach = 0, n_limits = 0;
    for (int k = 0; k < 729; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            if (isnan(reach[3 * k + axis])) continue;
            const pkm_vec3 a = pkm_workspace_grid_point(&s.grid, k);
            const pkm_vec3 b = pkm_workspace_grid_point(&s.grid, k + stride[axis]);
            const pkm_vec3 p = pkm_vec3_axpy(a, reach[3 * k + axis], pkm_vec3_sub(b, a));
            const pkm_vec3 r = pkm_vec3_sub(p, pkm_vec3_make(0.05, 0.0, 0.0));
            CHECK_NEAR(pkm_vec3_norm(r), 1.0, precision);
            ++n_reach;
        }
        for (int axis = 0; axis < 3; ++axis) {
            if (isnan(limits[3 * k + axis]) || !isnan(reach[3 * k + axis])) continue;
            const double x = pkm_workspace_grid_point(&s.grid, k).x;
            CHECK(axis == 0);
            CHECK_NEAR(x + limits[3 * k] * (2.39 / 8.0), 0.0, precision);
            ++n_limits;
        }
    }
    CHECK(n_reach > 100 && n_limits > 20);
}

/// Everything is reachable; B is singular on the plane z = 0.03 and A on x = -0.52.
static pkm_status planes(void* user, const pkm_vec3* p, pkm_workspace_sample* out)
{
    (void)user;
    out->reachable = out->in_limits = true;
    out->condition = 2.0;
    out->sigma_min = 1.0;
    out->sigma_max = 2.0;
    out->det_B = p->z - 0.03;
    out->det_A = p->x + 0.52;
    return PKM_OK;
}

static void singularities_between_points_are_found(void)
{
    const pkm_workspace_settings s = box(1.0, 21, 5, 21);
    pkm_table* table;
    const pkm_workspace_report r = map_of(&s, planes, NULL, &table);
    CHECK(r.n_singular == 21 * 5 + 21 * 5 - 5); // two planes of grid points that cross
    for (int row = 0; row < pkm_table_n_row(table); ++row) {
        const double x = pkm_table_get(table, row, 0), z = pkm_table_get(table, row, 2);
        const double distance = fmin(fabs(z - 0.0), fabs(x + 0.5)); // the nearest grid planes
        CHECK_NEAR(pkm_table_get(table, row, 7), distance, 1e-14);
    }
    pkm_table_free(table);
}

/// A singularity of even order on the plane x = place, where no determinant changes its sign: its
/// measure falls to `least` from both sides.
typedef struct valley {
    double place, least;
    bool serial;
    int n_asked;
} valley;

static pkm_status falls(void* user, const pkm_vec3* p, pkm_workspace_sample* out)
{
    valley* v = user;
    ++v->n_asked;
    const double measure = v->least + fabs(p->x - v->place);
    out->reachable = out->in_limits = true;
    out->sigma_min = v->serial ? measure : 0.1;
    out->sigma_max = v->serial ? 2.0 : 1.0 / measure;
    out->condition = out->sigma_max / out->sigma_min;
    out->det_B = out->det_A = 1.0;
    return PKM_OK;
}

// Wherever it lies in its cell of 0.1, the nearer grid point is marked; a valley whose ground is a
// fiftieth of a cell high is none.
static void singularities_of_even_order_are_found_between_points(void)
{
    const pkm_workspace_settings s = box(1.0, 21, 1, 1);
    for (int k = 0; k < 40; ++k) {
        const double share = 0.0125 + 0.025 * (k / 2); // never at the middle
        valley v = {0.3 + 0.1 * share, 0.0, k % 2 == 0, 0};
        pkm_table* table;
        const pkm_workspace_report r = map_of(&s, falls, &v, &table);
        CHECK(r.n_singular == 1);
        CHECK_NEAR(r.least_distance, 0.0, 0.0);
        CHECK_NEAR(r.least_position.x, share < 0.5 ? 0.3 : 0.4, 1e-15);
        pkm_table_free(table);
        CHECK(v.n_asked <= 21 + 12); // points, and looks between two of them
        v.least = 0.002;
        CHECK(map_of(&s, falls, &v, NULL).n_singular == 0);
    }
}

/// A singularity of even order in the first cell of 0.1, where the measure falls more than twice as
/// fast as the two points of the cell and the one behind them tell.
static pkm_status drops(void* user, const pkm_vec3* p, pkm_workspace_sample* out)
{
    (void)user;
    out->reachable = out->in_limits = true;
    out->sigma_min = 0.05 * fabs(5.4 * exp(-30.0 * (p->x + 1.0)) - 1.7);
    out->sigma_max = 1.0;
    out->condition = out->sigma_max / out->sigma_min;
    out->det_B = out->det_A = 1.0;
    return PKM_OK;
}

static void steep_measures_are_not_missed(void)
{
    const pkm_workspace_settings s = box(1.0, 21, 1, 1);
    const pkm_workspace_report r = map_of(&s, drops, NULL, NULL);
    CHECK(r.n_singular == 1);
    CHECK_NEAR(r.least_position.x, -1.0, 0.0); // it vanishes at 0.385 of the cell
}

/// Infinite condition at one point.
static pkm_status pole(void* user, const pkm_vec3* p, pkm_workspace_sample* out)
{
    CHECK(planes(user, p, out) == PKM_OK);
    out->det_A = out->det_B = 1.0;
    if (pkm_vec3_norm(*p) < 1e-9) out->condition = out->sigma_max = INFINITY;
    return PKM_OK;
}

static void infinity_is_large_in_the_table(void)
{
    pkm_workspace_settings s = box(1.0, 3, 3, 1);
    s.sigma_unit = "m/rad";
    pkm_table* table;
    const pkm_workspace_report r = map_of(&s, pole, NULL, &table);
    CHECK(r.n_singular == 1);
    CHECK_NEAR(pkm_table_get(table, 4, 4), PKM_WORKSPACE_LARGE, 0.0);
    CHECK_NEAR(pkm_table_get(table, 4, 6), PKM_WORKSPACE_LARGE, 0.0);
    CHECK_NEAR(pkm_table_get(table, 0, 7), sqrt(2.0), 1e-15);
    CHECK_TEXT(pkm_table_unit(table, 6), "m/rad");
    pkm_table_free(table);
}

static pkm_status fails_at_three(void* user, const pkm_vec3* p, pkm_workspace_sample* out)
{
    int* count = user;
    CHECK(planes(NULL, p, out) == PKM_OK);
    return ++*count == 3 ? PKM_ERR_CONVERGENCE : PKM_OK;
}

static pkm_status gives_nan(void* user, const pkm_vec3* p, pkm_workspace_sample* out)
{
    CHECK(planes(NULL, p, out) == PKM_OK);
    *(double*)((char*)out + *(size_t*)user) = NAN;
    return PKM_OK;
}

static void refuses(const pkm_workspace_settings* s, const char* part)
{
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    CHECK(pkm_workspace_map(s, ball, NULL, table, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, part);
    pkm_table_free(table);
}

static void bad_input_is_named(void)
{
    pkm_workspace_settings s = box(1.0, 3, 0, 3);
    refuses(&s, "0 points along y");
    s = box(1.0, 3, 3, 3);
    s.grid.to.z = -1.0;
    refuses(&s, "z from -1 m to -1 m");
    s.grid.to.z = NAN;
    refuses(&s, "z from -1 m to nan m");
    s = box(1.0, 100000, 100000, 100000);
    refuses(&s, "1000000000000000 points");
    s = box(1.0, 3, 3, 3);
    s.singular_condition = 1.0;
    refuses(&s, "singular_condition 1");

    pkm_error err = {0};
    int count = 0;
    s = box(1.0, 3, 3, 3);
    pkm_table* table = pkm_table_create();
    CHECK(pkm_workspace_map(&s, fails_at_three, &count, table, NULL, &err) == PKM_ERR_CONVERGENCE);
    CHECK_CONTAINS(err.text, "did not converge at (1, -1, -1) m");
    const size_t at[3] = {offsetof(pkm_workspace_sample, condition),
                          offsetof(pkm_workspace_sample, sigma_max),
                          offsetof(pkm_workspace_sample, det_A)};
    for (int k = 0; k < 3; ++k) {
        size_t offset = at[k];
        CHECK(pkm_workspace_map(&s, gives_nan, &offset, table, NULL, &err) == PKM_ERR_ARGUMENT);
        CHECK_CONTAINS(err.text, "bad sample at (-1, -1, -1) m");
    }
    pkm_table_free(table);
}

static void memory_that_fails_is_reported(void)
{
    const pkm_workspace_settings s = box(1.0, 4, 4, 4);
    for (size_t n = 1; n < 100; ++n) {
        pkm_error err = {0};
        pkm_table* table = pkm_table_create();
        pkm_alloc_fail_at(n);
        const pkm_status status = pkm_workspace_map(&s, ball, NULL, table, NULL, &err);
        pkm_alloc_fail_at(0);
        pkm_table_free(table);
        if (status == PKM_OK) {
            CHECK(n > 10); // two arrays, one line, nine columns, the rows
            return;
        }
        CHECK(status == PKM_ERR_MEMORY);
        CHECK_CONTAINS(err.text, "out of memory");
    }
    CHECK(false);
}

// Singular values of a 3 x 5 and a 3 x 2 Jacobian, by LAPACK.
static void jacobian_gives_its_singular_values(void)
{
    double J[15], W[15], s[3];
    for (int k = 0; k < 15; ++k)
        J[k] = W[k] = sin(3.7 * k * k + 1.0);
    CHECK(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', 3, 5, W, 3, s, NULL, 3, NULL, 5) == 0);
    pkm_workspace_sample sample = {0};
    pkm_workspace_set_jacobian(&sample, J, 3, 5);
    CHECK_NEAR(sample.sigma_max, s[0], 1e-14);
    CHECK_NEAR(sample.sigma_min, s[2], 1e-14);
    CHECK_NEAR(sample.condition, s[0] / s[2], 1e-13);
    pkm_workspace_set_jacobian(&sample, J, 3, 2);
    CHECK(sample.sigma_min == 0.0 && isinf(sample.condition));
}

/// SIAX D3-1600: base 0.25, platform 0.097, crank 0.5, rod 1.106 m.
static pkm_closed* siax(void)
{
    const pkm_closed_family* family = pkm_closed_find("delta");
    CHECK(family != NULL);
    if (!family) return NULL;
    double value[PKM_CLOSED_MAX_PARAMETER];
    for (int k = 0; k < family->n_parameter; ++k) {
        const char* name = family->parameter[k].name;
        value[k] = family->parameter[k].required ? 1.0 : NAN;
        if (strcmp(name, "base_radius") == 0) value[k] = 0.25;
        if (strcmp(name, "platform_radius") == 0) value[k] = 0.097;
        if (strcmp(name, "crank_length") == 0) value[k] = 0.5;
        if (strcmp(name, "rod_length") == 0) value[k] = 1.106;
    }
    pkm_closed* closed = NULL;
    CHECK(pkm_closed_create(family, value, &closed, NULL) == PKM_OK);
    return closed;
}

/// Drive angle of limb i with the elbow out, written down a second time: the angle in the plane of
/// the crank from the direction to P and the law of cosines.
static double crank_angle(int i, pkm_vec3 p)
{
    const double c = cos(2.0 * PI * i / 3.0), s = sin(2.0 * PI * i / 3.0);
    const double x = p.x * c + p.y * s + 0.097 - 0.25, t = p.y * c - p.x * s, r = hypot(x, p.z);
    const double projected = 1.106 * 1.106 - t * t;
    return atan2(-p.z, x) - acos((r * r + 0.25 - projected) / (2.0 * 0.5 * r));
}

// J is the inverse of dq/dp, here by central differences of the second geometry: 1e-9 relative.
static void closed_sampler_meets_finite_differences(void)
{
    pkm_closed* closed = siax();
    pkm_workspace_closed data = {
        .closed = closed, .orientation = {1.0, 0.0, 0.0, 0.0}, .branch = PKM_NONE, .rotary = 7u};
    const pkm_vec3 place[3] = {{0.1, 0.2, -1.0}, {-0.3, 0.1, -0.9}, {0.0, -0.4, -1.1}};
    for (int n = 0; n < 3; ++n) {
        pkm_workspace_sample out = {0};
        CHECK(pkm_workspace_sample_closed(&data, &place[n], &out) == PKM_OK);
        CHECK(out.reachable && out.in_limits && out.n_drive == 3);
        double K[9], s[3];
        const double h = 1e-5;
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(out.q[i], crank_angle(i, place[n]), 1e-13);
            for (int j = 0; j < 3; ++j) {
                const pkm_vec3 e = {j == 0 ? h : 0.0, j == 1 ? h : 0.0, j == 2 ? h : 0.0};
                const double b = crank_angle(i, pkm_vec3_add(place[n], e));
                const double a = crank_angle(i, pkm_vec3_sub(place[n], e));
                K[i + 3 * j] = (b - a) / (2 * h);
            }
        }
        CHECK(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', 3, 3, K, 3, s, NULL, 3, NULL, 3) == 0);
        CHECK_NEAR(out.sigma_max, 1.0 / s[2], 1e-9);
        CHECK_NEAR(out.sigma_min, 1.0 / s[0], 1e-9);
        CHECK_NEAR(out.condition, s[0] / s[2], 1e-8);
    }
    pkm_closed_free(closed);
}

// Singular values by the Jacobian of the closed form and LAPACK, also next to the border, where
// cranks and rods fall into line: the short cuts for three drives hold to 1e-8 of each value.
static void closed_sampler_meets_a_decomposition_up_to_the_border(void)
{
    pkm_closed* closed = siax();
    pkm_workspace_closed data = {
        .closed = closed, .orientation = {1.0, 0.0, 0.0, 0.0}, .branch = PKM_NONE, .rotary = 7u};
    int n_near = 0, n_inside = 0;
    for (int k = 0; k < 4000; ++k) {
        const double r = 1e-3 * (k % 40) + (k % 40 > 30 ? 1.0 : 0.5), turn = 0.37 * k;
        const pkm_vec3 p = {r * cos(turn), r * sin(turn), -0.3 - 1.2 * (k / 40) / 100.0};
        pkm_workspace_sample out = {0};
        pkm_closed_config config;
        const pkm_pose pose = {p, data.orientation};
        CHECK(pkm_workspace_sample_closed(&data, &p, &out) == PKM_OK);
        if (!out.reachable) continue;
        double J[9], s[3];
        CHECK(pkm_closed_inverse_geometry(closed, &pose, &config, 1, NULL) == 1);
        if (closed_jacobian(closed, &config, J) != PKM_OK) continue;
        CHECK(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', 3, 3, J, 3, s, NULL, 3, NULL, 3,
                             (double[3]){0}) == 0);
        CHECK_NEAR(out.sigma_max, s[0], 1e-8 * s[0]);
        CHECK_NEAR(out.sigma_min, s[2], 1e-8 * s[2]);
        ++n_inside;
        n_near += s[0] > 50.0 * s[2];
    }
    CHECK(n_inside > 500 && n_near > 5);
    pkm_closed_free(closed);
}

static void closed_sampler_chooses_branch_and_keeps_limits(void)
{
    pkm_closed* closed = siax();
    const pkm_vec3 p = {0.1, 0.2, -1.0}, far = {0.0, 0.0, -3.0};
    pkm_closed_config all[PKM_CLOSED_MAX_BRANCH];
    const pkm_pose pose = {p, {1.0, 0.0, 0.0, 0.0}};
    const int n = pkm_closed_inverse_geometry(closed, &pose, all, PKM_CLOSED_MAX_BRANCH, NULL);
    CHECK(n == 8);
    pkm_workspace_closed data = {
        .closed = closed, .orientation = pose.q, .branch = PKM_NONE, .rotary = 0u};
    for (int k = 0; k < n; ++k) {
        pkm_workspace_sample out = {0};
        data.branch = all[k].branch;
        CHECK(pkm_workspace_sample_closed(&data, &p, &out) == PKM_OK);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(out.q[i], all[k].q[i], 0.0);
    }
    pkm_workspace_sample out = {0};
    data.branch = 1000; // there is no such branch
    CHECK(pkm_workspace_sample_closed(&data, &p, &out) == PKM_OK);
    CHECK(!out.reachable);
    data.branch = PKM_NONE;
    CHECK(pkm_workspace_sample_closed(&data, &far, &out) == PKM_OK);
    CHECK(!out.reachable);

    const double q0 = all[0].q[0];
    double lower[3] = {q0 - 0.1, -10.0, -10.0}, upper[3] = {q0 + 0.1, 10.0, 10.0};
    data.lower = lower;
    data.upper = upper;
    CHECK(pkm_workspace_sample_closed(&data, &p, &out) == PKM_OK);
    CHECK(out.in_limits);
    lower[0] += 2.0 * PI; // the same limits a turn further
    upper[0] += 2.0 * PI;
    CHECK(pkm_workspace_sample_closed(&data, &p, &out) == PKM_OK);
    CHECK(!out.in_limits);
    data.rotary = 1u;
    CHECK(pkm_workspace_sample_closed(&data, &p, &out) == PKM_OK);
    CHECK(out.in_limits);
    upper[0] = lower[0] + 0.05;
    CHECK(pkm_workspace_sample_closed(&data, &p, &out) == PKM_OK);
    CHECK(!out.in_limits);
    pkm_closed_free(closed);
}

// Reach by search: a limb reaches P where the distance of P from the crank's end passes the rod's
// length on the way around. The grid avoids tangencies of less than one of 3600 steps.
static bool reachable_by_search(pkm_vec3 p)
{
    for (int i = 0; i < 3; ++i) {
        const double c = cos(2.0 * PI * i / 3.0), s = sin(2.0 * PI * i / 3.0);
        const double x = p.x * c + p.y * s + 0.097 - 0.25, t = p.y * c - p.x * s;
        bool below = false, above = false;
        for (int k = 0; k < 3600; ++k) {
            const double q = 2.0 * PI * k / 3600.0;
            const double a = x - 0.5 * cos(q), b = p.z + 0.5 * sin(q);
            if (sqrt(a * a + b * b + t * t) < 1.106)
                below = true;
            else
                above = true;
        }
        if (!below || !above) return false;
    }
    return true;
}

static void delta_reaches_what_a_search_reaches(void)
{
    pkm_closed* closed = siax();
    pkm_workspace_closed data = {
        .closed = closed, .orientation = {1.0, 0.0, 0.0, 0.0}, .branch = PKM_NONE, .rotary = 7u};
    pkm_workspace_settings s = pkm_workspace_settings_defaults();
    s.grid = (pkm_workspace_grid){{-1.31, -1.27, -1.7}, {1.3, 1.3, -0.1}, {14, 13, 12}};
    pkm_table* table;
    const pkm_workspace_report r = map_of(&s, pkm_workspace_sample_closed, &data, &table);
    int n_reachable = 0;
    for (int row = 0; row < pkm_table_n_row(table); ++row) {
        const pkm_vec3 p = {pkm_table_get(table, row, 0), pkm_table_get(table, row, 1),
                            pkm_table_get(table, row, 2)};
        const bool in = reachable_by_search(p);
        n_reachable += in;
        CHECK_NEAR(pkm_table_get(table, row, 3), in ? 1.0 : 0.0, 0.0);
    }
    CHECK(n_reachable == r.n_reachable && n_reachable > 200);
    pkm_table_free(table);
    pkm_closed_free(closed);
}

// The time is printed, not judged: it depends on the machine and on the build.
static void million_points_of_the_delta(void)
{
    pkm_closed* closed = siax();
    pkm_workspace_closed data = {
        .closed = closed, .orientation = {1.0, 0.0, 0.0, 0.0}, .branch = PKM_NONE, .rotary = 7u};
    pkm_workspace_settings s = pkm_workspace_settings_defaults();
    s.grid = (pkm_workspace_grid){{-0.8, -0.8, -1.4}, {0.8, 0.8, -0.7}, {100, 100, 100}};
    const clock_t start = clock();
    const pkm_workspace_report r = map_of(&s, pkm_workspace_sample_closed, &data, NULL);
    const double time = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("    %d points, %d reachable, %.3f m3 +- %.3f, best condition %.4f at z = %.3f m: "
           "%.2f s\n",
           r.n_point, r.n_reachable, r.size, r.size_error, r.best_condition, r.best_position.z,
           time);
    CHECK(r.n_point == 1000000);
    CHECK(r.n_reachable > 500000);
    CHECK(r.best_condition >= 1.0);
    pkm_closed_free(closed);
}

int main(void)
{
    RUN(size_of_a_ball_converges);
    RUN(box_within_reach_has_its_own_size);
    RUN(rows_follow_the_grid);
    RUN(edges_are_found_between_points);
    RUN(singularities_between_points_are_found);
    RUN(singularities_of_even_order_are_found_between_points);
    RUN(steep_measures_are_not_missed);
    RUN(infinity_is_large_in_the_table);
    RUN(bad_input_is_named);
    RUN(memory_that_fails_is_reported);
    RUN(jacobian_gives_its_singular_values);
    RUN(closed_sampler_meets_finite_differences);
    RUN(closed_sampler_meets_a_decomposition_up_to_the_border);
    RUN(closed_sampler_chooses_branch_and_keeps_limits);
    RUN(delta_reaches_what_a_search_reaches);
    RUN(million_points_of_the_delta);
    return check_report();
}
