// Workspaces whose shape is known: every point and the size, through the general engine.
#include "pkm/workspace.h"

#include "engine.h"

static const double PI = 3.14159265358979323846;

/// A map by the engine around `middle`.
typedef struct known_map {
    pkm_robot* robot;
    pkm_workspace_grid grid;
    pkm_workspace_report report;
    pkm_table* table;
} known_map;

static known_map map_of(const char* name, pkm_vec3 middle, pkm_vec3 half, int n)
{
    known_map m = {.robot = engine_load(name), .table = pkm_table_create()};
    pkm_workspace_plan plan;
    m.grid = (pkm_workspace_grid){
        pkm_vec3_sub(middle, half), pkm_vec3_add(middle, half), {n, n, half.z > 0.0 ? n : 1}};
    CHECK(pkm_workspace_plan_make(m.robot, &plan, NULL) == PKM_OK);
    CHECK(pkm_workspace_plan_set_method(&plan, PKM_METHOD_ENGINE, NULL) == PKM_OK);
    CHECK(pkm_workspace_plan_map(&plan, &m.grid, m.table, &m.report, NULL) == PKM_OK);
    return m;
}

static void free_map(known_map* m)
{
    pkm_table_free(m->table);
    pkm_robot_free(m->robot);
}

/// How far [m] a point is inside (> 0) the known shape.
typedef double (*known_shape)(pkm_vec3 p);

/// Points within a micrometre of the edge are not judged.
static void check_points(const known_map* m, known_shape depth)
{
    int n_wrong = 0;
    for (int row = 0; row < pkm_table_n_row(m->table); ++row) {
        const double inside = depth(pkm_workspace_grid_point(&m->grid, row));
        const bool reachable = pkm_table_get(m->table, row, 3) > 0.0;
        if (fabs(inside) > 1e-6) n_wrong += reachable != (inside > 0.0);
    }
    CHECK(n_wrong == 0);
}

// ---- five-bar: both limbs reach a disc of two links, the workspace is the lens of both ----------

static double lens(pkm_vec3 p)
{
    const double left = 0.18 - hypot(p.x + 0.059, p.y), right = 0.18 - hypot(p.x - 0.059, p.y);
    return left < right ? left : right;
}

static void five_bar_reaches_a_lens(void)
{
    const double r = 0.18, d = 0.118;
    const double area = 2.0 * r * r * acos(0.5 * d / r) - 0.5 * d * sqrt(4.0 * r * r - d * d);
    double error[2];
    for (int k = 0; k < 2; ++k) {
        known_map m = map_of("five-bar", pkm_vec3_make(0.001, 0.002, 0.0),
                             pkm_vec3_make(0.14, 0.19, 0.0), k ? 81 : 21);
        check_points(&m, lens);
        CHECK_NEAR(m.report.size, area, m.report.size_error);
        CHECK_NEAR(m.report.limits_size, m.report.size, 0.0); // no limits
        error[k] = fabs(m.report.size - area);
        free_map(&m);
    }
    CHECK(error[0] < 5e-3 * area && error[1] < 5e-4 * area); // the border is located between points
}

// Where the way to an unreachable neighbour ends is known to 1/128 of the spacing.
static void edges_lie_on_the_lens(void)
{
    enum { N = 31 };
    static double edge[3 * N * N];
    pkm_workspace_plan plan;
    pkm_robot* robot = engine_load("five-bar");
    pkm_table* table = pkm_table_create();
    const pkm_workspace_grid grid = {{-0.141, -0.191, 0.0}, {0.142, 0.192, 0.0}, {N, N, 1}};
    CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
    plan.reach_edge = edge;
    CHECK(pkm_workspace_plan_map(&plan, &grid, table, NULL, NULL) == PKM_OK);
    int n_edge = 0;
    for (int k = 0; k < 3 * N * N; ++k) {
        if (isnan(edge[k])) continue;
        const pkm_vec3 a = pkm_workspace_grid_point(&grid, k / 3);
        const pkm_vec3 b = pkm_workspace_grid_point(&grid, k / 3 + (k % 3 == 0 ? 1 : N));
        const pkm_vec3 way = pkm_vec3_sub(b, a);
        CHECK_NEAR(lens(pkm_vec3_axpy(a, edge[k], way)), 0.0, pkm_vec3_norm(way) / 128.0);
        ++n_edge;
    }
    CHECK(n_edge > 60);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// ---- planar 3-RRR: three discs of two links around the motors less the platform's radius --------

static double three_discs(pkm_vec3 p)
{
    double depth = INFINITY;
    for (int i = 0; i < 3; ++i) {
        const double a = PI / 2.0 + 2.0 * PI * i / 3.0;
        depth = fmin(depth, 0.4 - hypot(p.x - 0.22 * cos(a), p.y - 0.22 * sin(a)));
    }
    return depth;
}

static void planar_3rrr_reaches_three_discs(void)
{
    known_map m =
        map_of("planar-3rrr", pkm_vec3_make(0.0, 0.0, 0.0), pkm_vec3_make(0.25, 0.28, 0.0), 61);
    check_points(&m, three_discs);
    // In the middle the three limbs pull evenly: the translations are isotropic.
    CHECK_NEAR(m.report.best_condition, 1.0, 1e-12);
    CHECK_NEAR(pkm_vec3_norm(m.report.best_position), 0.0, 1e-12);
    free_map(&m);
}

// ---- Isoglide T3: each limb reaches a cylinder of two links around its rail ---------------------

static double three_cylinders(pkm_vec3 p)
{
    const double r = 2.0 * 0.63;
    return fmin(r - hypot(p.y, p.z), fmin(r - hypot(p.z, p.x), r - hypot(p.x, p.y)));
}

// Three crossing cylinders have the volume 8 (2 - sqrt 2) r^3 (Steinmetz). J is the identity.
static void isoglide_reaches_three_cylinders(void)
{
    known_map m =
        map_of("isoglideT3", pkm_vec3_make(0.003, 0.005, 0.007), pkm_vec3_make(1.4, 1.4, 1.4), 21);
    check_points(&m, three_cylinders);
    CHECK_NEAR(m.report.size, 8.0 * (2.0 - sqrt(2.0)) * pow(1.26, 3.0), m.report.size_error);
    CHECK_NEAR(m.report.size, 8.0 * (2.0 - sqrt(2.0)) * pow(1.26, 3.0),
               0.06); // chords of 21 points
    CHECK_NEAR(m.report.worst_condition, 1.0, 1e-9);
    CHECK_NEAR(m.report.mean_dexterity, 1.0, 1e-9);
    CHECK(m.report.n_singular == 0);
    free_map(&m);
}

// ---- symmetry ---------------------------------------------------------------------------------

// Arm A lies in the plane y = 0: left and right of it are alike.
static void delta_map_is_symmetric(void)
{
    known_map m = map_of("siax", pkm_vec3_make(0.05, 0.0, -0.95), pkm_vec3_make(1.1, 1.1, 0.0), 31);
    const int n = m.grid.n[0];
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const int row = i + n * j, mirrored = i + n * (n - 1 - j);
            const double condition = pkm_table_get(m.table, row, 4);
            CHECK_NEAR(pkm_table_get(m.table, mirrored, 3), pkm_table_get(m.table, row, 3), 0.0);
            CHECK_NEAR(pkm_table_get(m.table, mirrored, 4), condition,
                       1e-10 * condition * condition);
        }
    }
    free_map(&m);
}

int main(void)
{
    RUN(five_bar_reaches_a_lens);
    RUN(edges_lie_on_the_lens);
    RUN(planar_3rrr_reaches_three_discs);
    RUN(isoglide_reaches_three_cylinders);
    RUN(delta_map_is_symmetric);
    return check_report();
}
