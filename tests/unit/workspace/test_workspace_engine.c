#include "workspace/workspace_engine.h"

#include "base/memory.h"
#include "engine.h"

static const double PI = 3.14159265358979323846;

/// A map by the engine: table and report.
typedef struct engine_map {
    pkm_workspace_settings settings;
    pkm_workspace_report report;
    pkm_table* table;
} engine_map;

static pkm_status map_with(pkm_robot* robot, const pkm_workspace_grid* grid, pkm_progress_fn tick,
                           void* user, engine_map* out)
{
    *out = (engine_map){.settings = pkm_workspace_settings_defaults()};
    out->settings.grid = *grid;
    out->table = pkm_table_create();
    pkm_workspace_engine* engine = NULL;
    pkm_status status = out->table ? PKM_OK : PKM_ERR_MEMORY;
    if (status == PKM_OK)
        status = pkm_workspace_engine_create(robot, grid, robot->tool_home.q, &engine, NULL);
    if (status == PKM_OK) status = pkm_workspace_engine_run(engine, tick, user, NULL);
    if (status == PKM_OK)
        status = pkm_workspace_map(&out->settings, pkm_workspace_sample_engine, engine, out->table,
                                   &out->report, NULL);
    pkm_workspace_engine_free(engine);
    return status;
}

static pkm_workspace_grid plane_at(pkm_vec3 middle, double half, int n)
{
    return (pkm_workspace_grid){{middle.x - half, middle.y - half, middle.z},
                                {middle.x + half, middle.y + half, middle.z},
                                {n, n, 1}};
}

// ---- against closed forms ---------------------------------------------------------------------

/// Condition numbers carry an error of their own size times that of the Jacobian, 1e-12 or so.
static void compare_sample(pkm_workspace_engine* engine, pkm_workspace_closed* closed, pkm_vec3 p,
                           const pkm_robot* robot, int count[2])
{
    pkm_workspace_sample a = {0}, b = {0};
    CHECK(pkm_workspace_sample_engine(engine, &p, &a) == PKM_OK);
    CHECK(pkm_workspace_sample_closed(closed, &p, &b) == PKM_OK);
    CHECK(a.reachable == b.reachable);
    ++count[a.reachable];
    if (!a.reachable || !b.reachable) return;
    CHECK_NEAR(a.condition / b.condition, 1.0, 1e-10 * b.condition);
    CHECK_NEAR(a.sigma_min, b.sigma_min, 1e-10);
    CHECK(a.n_drive == b.n_drive && a.in_limits);
    CHECK((a.det_B > 0.0) == (b.det_B / b.det_A > 0.0));
    for (int d = 0; d < a.n_drive; ++d) {
        const double off = robot->mech->drive[d].is_rotary ? remainder(a.q[d] - b.q[d], 2.0 * PI)
                                                           : a.q[d] - b.q[d];
        CHECK_NEAR(off, 0.0, 1e-9);
    }
}

/// Grids beside the axes of symmetry, on which tangencies lie.
static void agree_on(const char* name, pkm_vec3 shift, double half, int n, int n_z)
{
    pkm_robot* robot = engine_load(name);
    if (!robot) return;
    const pkm_vec3 middle = pkm_vec3_add(robot->tool_home.p, shift);
    pkm_workspace_grid grid = plane_at(middle, half, n);
    grid.n[2] = n_z;
    if (n_z > 1) grid.to.z += 0.4 * half;
    pkm_workspace_closed closed = {
        .closed = robot->closed, .orientation = robot->tool_home.q, .branch = PKM_NONE};
    pkm_workspace_engine* engine = NULL;
    CHECK(pkm_workspace_engine_create(robot, &grid, robot->tool_home.q, &engine, NULL) == PKM_OK);
    CHECK(pkm_workspace_engine_run(engine, NULL, NULL, NULL) == PKM_OK);
    int count[2] = {0, 0};
    for (int k = 0; k < n * n * n_z; ++k)
        compare_sample(engine, &closed, pkm_workspace_grid_point(&grid, k), robot, count);
    printf("    %s: %d of %d points reachable\n", name, count[1], n * n * n_z);
    CHECK(count[0] > n && count[1] > n); // both kinds were seen
    pkm_workspace_engine_free(engine);
    pkm_robot_free(robot);
}

static void engine_agrees_with_the_closed_forms(void)
{
    agree_on("siax", pkm_vec3_make(0.003, 0.007, -0.31), 1.1, 31, 1);
    agree_on("siax", pkm_vec3_make(0.003, 0.007, -0.31), 1.1, 13, 5);
    agree_on("kuo", pkm_vec3_make(0.003, 0.007, 0.0), 0.8, 31, 1);
    agree_on("lindelta", pkm_vec3_make(0.003, 0.007, 0.0), 0.6, 31, 1);
    agree_on("triglide", pkm_vec3_make(0.003, 0.007, 0.1), 0.5, 31, 1);
    agree_on("isoglide4", pkm_vec3_make(0.003, 0.007, 0.0), 2.1, 31, 1);
    agree_on("prrr2prpar", pkm_vec3_make(0.003, 0.007, 0.0), 1.9, 31, 1);
    agree_on("3pprs", pkm_vec3_make(0.0003, 0.0007, 0.0), 0.1, 31, 1);
}

// The slice lies beyond the void between the motors: the straight way from home is barred.
static void grid_behind_an_obstacle_is_found(void)
{
    agree_on("siax", pkm_vec3_make(0.003, 0.007, 1.19), 1.3, 31, 1);
}

// Home lies 9 mm above the deepest point; the grid point nearest to it is out of reach.
static void flood_starts_at_the_edge_of_reach(void)
{
    pkm_robot* robot = engine_load("triglide");
    if (!robot) return;
    const pkm_vec3 home = robot->tool_home.p;
    const pkm_workspace_grid grid = {
        {home.x - 0.5, home.y, home.z - 0.54}, {home.x + 0.5, home.y, home.z + 0.46}, {11, 1, 11}};
    engine_map map;
    CHECK(map_with(robot, &grid, NULL, NULL, &map) == PKM_OK);
    CHECK(map.report.n_reachable > 20);
    pkm_table_free(map.table);
    pkm_robot_free(robot);
}

// ---- edges --------------------------------------------------------------------------------------

/// By how much [m] the legs of robots/gough-stewart.yaml are within 450 to 620 mm.
static double leg_margin(pkm_vec3 p)
{
    static const double a[6][2] = {{-97, 91},  {97, 91},    {127.6, 39},
                                   {30, -130}, {-30, -130}, {-127.6, 39}};
    static const double b[6][2] = {{-30, 73},       {30, 73},         {78.22, -10.52},
                                   {48.22, -62.48}, {-48.22, -62.48}, {-78.22, -10.52}};
    double margin = INFINITY;
    for (int i = 0; i < 6; ++i) {
        const double x = p.x + 1e-3 * (b[i][0] - a[i][0]), y = p.y + 1e-3 * (b[i][1] - a[i][1]);
        const double length = sqrt(x * x + y * y + p.z * p.z);
        margin = fmin(margin, fmin(length - 0.45, 0.62 - length));
    }
    return margin;
}

// Eight bisections of the spacing; a leg changes by no more than the tool moves.
static void edges_of_limits_lie_where_legs_end(void)
{
    enum { N = 31 };
    pkm_robot* robot = engine_load("gough-stewart");
    if (!robot) return;
    const pkm_workspace_grid grid = plane_at(robot->tool_home.p, 0.3, N);
    pkm_workspace_engine* engine = NULL;
    CHECK(pkm_workspace_engine_create(robot, &grid, robot->tool_home.q, &engine, NULL) == PKM_OK);
    CHECK(pkm_workspace_engine_run(engine, NULL, NULL, NULL) == PKM_OK);
    int n_edge = 0;
    for (int k = 0; k + N < N * N; ++k) {
        for (int axis = 0; axis < 2; ++axis) {
            const int next = k + (axis == 0 ? 1 : N);
            if (next / N != k / N && axis == 0) continue;
            const pkm_vec3 p = pkm_workspace_grid_point(&grid, k);
            const pkm_vec3 to = pkm_workspace_grid_point(&grid, next);
            pkm_workspace_sample a = {0}, b = {0};
            CHECK(pkm_workspace_sample_engine(engine, &p, &a) == PKM_OK);
            CHECK(pkm_workspace_sample_engine(engine, &to, &b) == PKM_OK);
            CHECK(a.in_limits == (leg_margin(p) >= 0.0));
            if (a.in_limits == b.in_limits) continue;
            const double share = pkm_workspace_engine_edge(engine, k, axis, true);
            const pkm_vec3 end = pkm_vec3_axpy(p, share, pkm_vec3_sub(to, p));
            CHECK_NEAR(leg_margin(end), 0.0, 0.02 / 256.0);
            ++n_edge;
        }
    }
    CHECK(n_edge > 50);
    pkm_workspace_engine_free(engine);
    pkm_robot_free(robot);
}

// ---- what can be stopped, refused, run out -----------------------------------------------------

static bool stop_at_half(void* user, double fraction)
{
    ++*(int*)user;
    return fraction < 0.2;
}

static void stopped_flood_keeps_what_it_has(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    const pkm_workspace_grid grid = plane_at(pkm_vec3_make(0.0, 0.0, 0.0), 0.2, 61);
    engine_map whole, part;
    int calls = 0;
    CHECK(map_with(robot, &grid, NULL, NULL, &whole) == PKM_OK);
    CHECK(map_with(robot, &grid, stop_at_half, &calls, &part) == PKM_OK);
    CHECK(calls > 1);
    CHECK(whole.report.n_point == 61 * 61);
    CHECK(part.report.n_point == part.report.n_reachable);
    CHECK(part.report.n_reachable > 100 && part.report.n_reachable < whole.report.n_reachable);
    CHECK(pkm_table_n_row(part.table) == part.report.n_point);
    CHECK(part.report.size < whole.report.size);
    pkm_table_free(whole.table);
    pkm_table_free(part.table);
    pkm_robot_free(robot);
}

static void tool_that_cannot_turn_is_refused(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    pkm_error err = {0};
    pkm_workspace_engine* engine = NULL;
    const pkm_workspace_grid grid = plane_at(robot->tool_home.p, 0.1, 3);
    const pkm_quat turned = pkm_quat_from_rpy(pkm_vec3_make(0.0, 0.0, 0.1));
    CHECK(pkm_workspace_engine_create(robot, &grid, turned, &engine, &err) == PKM_ERR_ARGUMENT);
    CHECK(engine == NULL);
    CHECK_CONTAINS(err.text, "cannot turn");
    pkm_robot_free(robot);
}

// The queue doubles now and then; nothing else grows with the number of points.
static void points_are_sampled_without_allocation(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    size_t used[2];
    for (int k = 0; k < 2; ++k) {
        const pkm_workspace_grid grid = plane_at(robot->tool_home.p, 0.5, k ? 41 : 21);
        pkm_workspace_engine* engine = NULL;
        CHECK(pkm_workspace_engine_create(robot, &grid, robot->tool_home.q, &engine, NULL) ==
              PKM_OK);
        const size_t before = pkm_alloc_count();
        CHECK(pkm_workspace_engine_run(engine, NULL, NULL, NULL) == PKM_OK);
        used[k] = pkm_alloc_count() - before;
        pkm_workspace_engine_free(engine);
    }
    CHECK(used[0] <= 3 && used[1] <= 5);
    pkm_robot_free(robot);
}

static void memory_that_fails_is_reported(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    pkm_workspace_grid grid = plane_at(pkm_vec3_make(0.0, 0.0, 0.0), 0.2, 9);
    pkm_status status = PKM_ERR_MEMORY;
    int n_failed = 0;
    for (size_t n = 1; status == PKM_ERR_MEMORY && n < 400; ++n) {
        engine_map map;
        pkm_alloc_fail_at(n);
        status = map_with(robot, &grid, NULL, NULL, &map);
        pkm_alloc_fail_at(0);
        pkm_table_free(map.table);
        n_failed += status == PKM_ERR_MEMORY;
    }
    CHECK(status == PKM_OK);
    CHECK(n_failed > 10);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(engine_agrees_with_the_closed_forms);
    RUN(grid_behind_an_obstacle_is_found);
    RUN(flood_starts_at_the_edge_of_reach);
    RUN(edges_of_limits_lie_where_legs_end);
    RUN(stopped_flood_keeps_what_it_has);
    RUN(tool_that_cannot_turn_is_refused);
    RUN(points_are_sampled_without_allocation);
    RUN(memory_that_fails_is_reported);
    return check_report();
}
