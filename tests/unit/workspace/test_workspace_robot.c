#include "pkm/workspace.h"

#include "base/memory.h"
#include "engine.h"
#include "workspace/workspace_reach.h"

static pkm_vec3 home_of(const pkm_robot* robot)
{
    return pkm_robot_tool_home(robot).p;
}

/// A table of the map, freed by the caller.
static pkm_table* map_of(const pkm_workspace_plan* plan, const pkm_workspace_grid* grid,
                         pkm_workspace_report* report)
{
    pkm_table* table = pkm_table_create();
    pkm_error err = {0};
    const pkm_status status = pkm_workspace_plan_map(plan, grid, table, report, &err);
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK);
    return table;
}

// ---- the plan ---------------------------------------------------------------------------------

static void closed_form_is_taken_where_it_knows_all_limits(void)
{
    static const struct {
        const char* name;
        pkm_method method;
        bool limits;
        unsigned axes;
    } known[] = {{"siax", PKM_METHOD_CLOSED, false, 7u},
                 {"3pprs", PKM_METHOD_CLOSED, false, 7u},
                 {"five-bar", PKM_METHOD_ENGINE, false, 3u},
                 {"gough-stewart", PKM_METHOD_ENGINE, true, 7u}};
    for (int k = 0; k < 4; ++k) {
        pkm_robot* robot = engine_load(known[k].name);
        pkm_workspace_plan plan;
        CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
        CHECK(plan.method == known[k].method);
        CHECK((plan.label[0] != '\0') == (plan.method == PKM_METHOD_CLOSED));
        CHECK(pkm_workspace_plan_has_limits(&plan) == known[k].limits);
        CHECK(pkm_workspace_plan_axes(&plan) == known[k].axes);
        pkm_robot_free(robot);
    }
}

static void joints_with_limits_need_the_engine(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    pkm_workspace_plan plan;
    pkm_error err = {0};
    const int ball = pkm_mechanism_find_joint(robot->mech, "A.left2");
    CHECK(ball != PKM_NONE);
    robot->mech->joint[ball].swing = 1.0;
    CHECK(pkm_workspace_plan_make(robot, &plan, &err) == PKM_OK);
    CHECK(plan.method == PKM_METHOD_ENGINE);
    CHECK(pkm_workspace_plan_set_method(&plan, PKM_METHOD_CLOSED, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "joints without a drive have limits");
    CHECK(plan.method == PKM_METHOD_ENGINE);
    pkm_robot_free(robot);
}

// Two elbows out and one in leave another set; both share the outline of reach, as every limb
// reaches the same points with either elbow.
static void branches_have_maps_of_their_own(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    pkm_workspace_plan plan;
    pkm_workspace_report first, second;
    pkm_error err = {0};
    const pkm_workspace_grid grid = {{-0.5, -0.5, -0.9}, {0.5, 0.5, -0.9}, {7, 7, 1}};
    CHECK(pkm_workspace_plan_make(robot, &plan, &err) == PKM_OK);
    CHECK_CONTAINS(plan.label, "out/out/out");
    pkm_table_free(map_of(&plan, &grid, &first));
    CHECK(pkm_workspace_plan_set_branch(&plan, 2, &err) == PKM_OK);
    CHECK_CONTAINS(plan.label, "in/out/out");
    pkm_table_free(map_of(&plan, &grid, &second));
    CHECK(first.n_reachable == second.n_reachable);
    CHECK(fabs(first.best_condition - second.best_condition) > 0.01);
    CHECK(pkm_workspace_plan_set_branch(&plan, 9, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "expected 1 to 8");
    CHECK(pkm_workspace_plan_set_branch(&plan, 0, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_set_method(&plan, PKM_METHOD_ENGINE, &err) == PKM_OK);
    CHECK(pkm_workspace_plan_set_branch(&plan, 1, &err) == PKM_ERR_ARGUMENT);
    pkm_robot_free(robot);
}

// The tool of Isoglide4 turns about y: turned, the same grid is reached differently, and both
// routes agree on how.
static void turned_tools_reach_other_points(void)
{
    pkm_robot* robot = engine_load("isoglide4");
    if (!robot) return;
    pkm_workspace_plan plan;
    pkm_error err = {0};
    pkm_workspace_report straight, closed, engine;
    const pkm_vec3 home = home_of(robot);
    const pkm_workspace_grid grid = {{-1.503, -1.507, home.z}, {1.703, 1.507, home.z}, {31, 31, 1}};
    CHECK(pkm_workspace_plan_make(robot, &plan, &err) == PKM_OK);
    pkm_table_free(map_of(&plan, &grid, &straight));
    const pkm_quat turn = pkm_quat_from_rpy(pkm_vec3_make(0.0, 0.5, 0.0));
    const pkm_quat tilt = pkm_quat_from_rpy(pkm_vec3_make(0.5, 0.0, 0.0));
    CHECK(pkm_workspace_plan_set_orientation(&plan, pkm_quat_mul(tilt, plan.orientation), &err) ==
          PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "does not turn about x");
    CHECK(pkm_workspace_plan_set_orientation(&plan, pkm_quat_mul(turn, plan.orientation), &err) ==
          PKM_OK);
    pkm_table_free(map_of(&plan, &grid, &closed));
    CHECK(pkm_workspace_plan_set_method(&plan, PKM_METHOD_ENGINE, &err) == PKM_OK);
    pkm_table_free(map_of(&plan, &grid, &engine));
    CHECK(closed.n_reachable != straight.n_reachable);
    CHECK(engine.n_reachable == closed.n_reachable);
    CHECK_NEAR(engine.best_condition, closed.best_condition, 1e-9);
    pkm_robot_free(robot);
}

// ---- singularities between points --------------------------------------------------------------

// Arm A lies in the plane y = 0. Between (0, 0, 0.6) and (0, 0.3, 0.6) m reach ends and begins
// again, and behind that the rods become parallel, without a change of sign, 0.044 m before the
// second point.
static void singular_points_of_the_delta_are_symmetric(void)
{
    enum { N_X = 13, N_Y = 9, N_Z = 13 };
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    pkm_workspace_plan plan;
    pkm_workspace_report report;
    const pkm_workspace_grid grid = {{-1.8, -1.2, -1.8}, {1.8, 1.2, 1.8}, {N_X, N_Y, N_Z}};
    CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
    pkm_table* table = map_of(&plan, &grid, &report);
    for (int row = 0; row < N_X * N_Y * N_Z; ++row) {
        const int j = row / N_X % N_Y, other = row + N_X * (N_Y - 1 - 2 * j);
        CHECK_NEAR(pkm_table_get(table, row, 7), pkm_table_get(table, other, 7), 1e-12);
    }
    const int k = pkm_workspace_grid_nearest(&grid, (pkm_vec3){0.0, 0.3, 0.6});
    CHECK_NEAR(pkm_table_get(table, k, 7), 0.0, 0.0);
    CHECK(pkm_table_get(table, k, 3) == 1.0);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

static void both_methods_mark_the_same_points(void)
{
    enum { N = 41 };
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    for (int k = 0; k < 2; ++k) {
        const double z = k ? -0.5 : -0.9;
        const pkm_workspace_grid grid = {{-1.26, -1.2, z}, {1.2, 1.2, z}, {N + 1, N, 1}};
        pkm_workspace_plan plan;
        pkm_workspace_report a, b;
        CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
        pkm_table* closed = map_of(&plan, &grid, &a);
        CHECK(pkm_workspace_plan_set_method(&plan, PKM_METHOD_ENGINE, NULL) == PKM_OK);
        pkm_table* engine = map_of(&plan, &grid, &b);
        CHECK(a.n_singular > 5 && a.n_singular == b.n_singular);
        for (int row = 0; row < N * (N + 1); ++row)
            CHECK_NEAR(pkm_table_get(engine, row, 7), pkm_table_get(closed, row, 7), 1e-12);
        // bisection to 1/4096 of the spacing, and the engine's ends
        CHECK_NEAR(a.size, b.size, 1e-4 * a.size);
        pkm_table_free(closed);
        pkm_table_free(engine);
    }
    pkm_robot_free(robot);
}

// ---- the grid ---------------------------------------------------------------------------------

// What looks for the grid sees the set of the map.
static void the_reach_alone_is_that_of_the_map(void)
{
    static const struct {
        const char* name;
        pkm_method method;
    } known[] = {{"siax", PKM_METHOD_CLOSED},
                 {"siax", PKM_METHOD_ENGINE},
                 {"gough-stewart", PKM_METHOD_ENGINE},
                 {"five-bar", PKM_METHOD_ENGINE}};
    for (int k = 0; k < 4; ++k) {
        pkm_robot* robot = engine_load(known[k].name);
        pkm_workspace_plan plan;
        pkm_workspace_grid grid;
        pkm_workspace_reach* reach = NULL;
        CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
        CHECK(pkm_workspace_plan_set_method(&plan, known[k].method, NULL) == PKM_OK);
        CHECK(pkm_workspace_plan_grid(&plan, 3u, home_of(robot), 31, &grid, NULL) == PKM_OK);
        pkm_table* table = map_of(&plan, &grid, NULL);
        CHECK(pkm_workspace_reach_create(&plan, &grid, &reach, NULL) == PKM_OK);
        for (int row = 0; reach && row < pkm_table_n_row(table); ++row) {
            CHECK(pkm_workspace_reach_has(reach, row, false) ==
                  (pkm_table_get(table, row, 3) > 0.0));
            CHECK(pkm_workspace_reach_has(reach, row, true) ==
                  (pkm_table_get(table, row, 8) > 0.0));
        }
        pkm_workspace_reach_free(reach);
        pkm_table_free(table);
        pkm_robot_free(robot);
    }
}

/// The grid holds all that is reachable in its plane, with room around it, but not too much.
static void check_grid(const char* name, unsigned axes)
{
    pkm_robot* robot = engine_load(name);
    if (!robot) return;
    pkm_workspace_plan plan;
    pkm_workspace_grid grid;
    pkm_workspace_report report;
    pkm_error err = {0};
    CHECK(pkm_workspace_plan_make(robot, &plan, &err) == PKM_OK);
    const pkm_status status = pkm_workspace_plan_grid(&plan, axes, home_of(robot), 41, &grid, &err);
    CHECK(status == PKM_OK);
    if (status != PKM_OK) printf("    %s: %s\n", name, err.text);
    pkm_table* table = map_of(&plan, &grid, &report);
    const int* n = grid.n;
    int low[3] = {n[0], n[1], n[2]}, high[3] = {-1, -1, -1};
    const int column = pkm_table_find(table, "in_limits");
    for (int row = 0; row < pkm_table_n_row(table); ++row) {
        const int at[3] = {row % n[0], row / n[0] % n[1], row / n[0] / n[1]};
        for (int k = 0; k < 3 && pkm_table_get(table, row, column) > 0.0; ++k) {
            if (at[k] < low[k]) low[k] = at[k];
            if (at[k] > high[k]) high[k] = at[k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        CHECK((n[k] > 1) == (axes >> k & 1u));
        if (n[k] == 1) continue;
        CHECK(n[k] <= 43);
        CHECK(low[k] >= 1 && high[k] <= n[k] - 2);     // room around
        CHECK(high[k] - low[k] + 1 >= 0.7 * n[k] - 2); // not too much
    }
    pkm_table_free(table);
    pkm_robot_free(robot);
}

static void grids_fit_what_is_reachable(void)
{
    check_grid("siax", 3u);
    check_grid("siax", 7u);
    check_grid("triglide", 3u);
    check_grid("isoglide4", 6u);
    check_grid("five-bar", 3u);
    check_grid("planar-3rrr", 3u);
    check_grid("gough-stewart", 3u); // unbounded but for its limits
}

// The rails of the linear Delta have no end: the grid has, at twice the robot's size.
static void endless_reach_is_cut(void)
{
    pkm_robot* robot = engine_load("lindelta");
    if (!robot) return;
    pkm_workspace_plan plan;
    pkm_workspace_grid grid;
    CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
    CHECK(pkm_workspace_plan_grid(&plan, 5u, home_of(robot), 41, &grid, NULL) == PKM_OK);
    const double height = grid.to.z - grid.from.z, size = robot->mech->size;
    CHECK(height > 4.0 * size && height < 4.6 * size);
    CHECK(grid.to.x - grid.from.x < 1.5 * size);
    pkm_robot_free(robot);
}

static void spacing_is_round(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    pkm_workspace_plan plan;
    pkm_workspace_grid grid;
    CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
    CHECK(pkm_workspace_plan_grid(&plan, 3u, home_of(robot), 101, &grid, NULL) == PKM_OK);
    const double h = (grid.to.x - grid.from.x) / (grid.n[0] - 1);
    CHECK_NEAR(h, 0.025, 1e-15);
    CHECK_NEAR((grid.to.y - grid.from.y) / (grid.n[1] - 1), h, 1e-15);
    const int middle = pkm_workspace_grid_nearest(&grid, pkm_vec3_make(1e-4, -2e-4, 5.0));
    const pkm_vec3 p = pkm_workspace_grid_point(&grid, middle);
    CHECK(p.x == 0.0 && p.y == 0.0); // multiples of the spacing: zero is one of them
    CHECK_NEAR(p.z, home_of(robot).z, 0.0);
    pkm_robot_free(robot);
}

// ---- wrong calls ------------------------------------------------------------------------------

static void wrong_grids_are_refused(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    pkm_workspace_plan plan;
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    pkm_workspace_grid grid = {{-0.1, 0.1, 0.0}, {0.1, 0.2, 0.1}, {5, 5, 5}};
    CHECK(pkm_workspace_plan_make(robot, &plan, &err) == PKM_OK);
    CHECK(pkm_workspace_plan_map(&plan, &grid, table, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "does not move along z");
    grid.n[2] = 1;
    grid.from.z = 0.1;
    CHECK(pkm_workspace_plan_map(&plan, &grid, table, NULL, &err) == PKM_ERR_ARGUMENT);
    grid.from.z = 0.0;
    grid.from.x = 0.2;
    CHECK(pkm_workspace_plan_map(&plan, &grid, table, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "expected finite and increasing");
    grid.from.x = NAN;
    CHECK(pkm_workspace_plan_map(&plan, &grid, table, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_grid(&plan, 4u, home_of(robot), 41, &grid, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_grid(&plan, 0u, home_of(robot), 41, &grid, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_grid(&plan, 3u, home_of(robot), 1, &grid, &err) == PKM_ERR_ARGUMENT);
    const pkm_vec3 nowhere = {NAN, 0.0, 0.0};
    CHECK(pkm_workspace_plan_grid(&plan, 3u, nowhere, 41, &grid, &err) == PKM_ERR_ARGUMENT);
    const pkm_vec3 far = {1e3, 0.0, 0.0};
    CHECK(pkm_workspace_plan_grid(&plan, 3u, far, 41, &grid, &err) == PKM_ERR_UNREACHABLE);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

static void null_is_an_argument_error(void)
{
    pkm_workspace_plan plan = {0};
    pkm_workspace_grid grid = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {1, 1, 1}};
    const pkm_quat one = {1.0, 0.0, 0.0, 0.0};
    CHECK(pkm_workspace_plan_make(NULL, &plan, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_set_method(NULL, PKM_METHOD_ENGINE, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_set_branch(&plan, 1, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_set_orientation(&plan, one, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_map(&plan, &grid, NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_grid(&plan, 3u, grid.from, 9, &grid, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_axes(NULL) == 0u && !pkm_workspace_plan_has_limits(NULL));
}

static bool stop(void* user, double fraction)
{
    ++*(int*)user;
    return fraction < 0.5;
}

static void stopped_map_keeps_its_rows(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    pkm_workspace_plan plan;
    pkm_workspace_report report;
    int calls = 0;
    const pkm_workspace_grid grid = {{-0.5, -0.5, -1.0}, {0.5, 0.5, -0.9}, {61, 61, 7}};
    CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
    plan.progress = stop;
    plan.user = &calls;
    pkm_table* table = map_of(&plan, &grid, &report);
    CHECK(calls > 1);
    CHECK(report.n_point > 61 * 61 && report.n_point < 5 * 61 * 61);
    CHECK(pkm_table_n_row(table) == report.n_point);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

static void memory_that_fails_is_reported(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    pkm_workspace_plan plan;
    pkm_workspace_grid grid;
    CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
    pkm_status status = PKM_ERR_MEMORY;
    for (size_t n = 1; status == PKM_ERR_MEMORY && n < 400; ++n) {
        pkm_alloc_fail_at(n);
        status = pkm_workspace_plan_grid(&plan, 3u, home_of(robot), 11, &grid, NULL);
        pkm_alloc_fail_at(0);
    }
    CHECK(status == PKM_OK);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(closed_form_is_taken_where_it_knows_all_limits);
    RUN(joints_with_limits_need_the_engine);
    RUN(branches_have_maps_of_their_own);
    RUN(turned_tools_reach_other_points);
    RUN(singular_points_of_the_delta_are_symmetric);
    RUN(both_methods_mark_the_same_points);
    RUN(the_reach_alone_is_that_of_the_map);
    RUN(grids_fit_what_is_reachable);
    RUN(endless_reach_is_cut);
    RUN(spacing_is_round);
    RUN(wrong_grids_are_refused);
    RUN(null_is_an_argument_error);
    RUN(stopped_map_keeps_its_rows);
    RUN(memory_that_fails_is_reported);
    return check_report();
}
