/// What a map and a pose ask of the engine and of closed forms. The linker leads calls of the
/// functions below here, where they are counted.
#include "engine.h"
#include "pkm/kinematics.h"
#include "robot/continuation.h"
#include "robot/instant.h"
#include "robot/singularity.h"
#include "workspace/workspace.h"
#include "workspace/workspace_choice.h"

/// tests/CMakeLists.txt has the same list.
static int n_factor, n_sample, n_reach, n_read;

pkm_status __real_pkm_sparse_lu_factor(pkm_sparse_lu* lu, const double* value);
pkm_status __wrap_pkm_sparse_lu_factor(pkm_sparse_lu* lu, const double* value);
pkm_status __wrap_pkm_sparse_lu_factor(pkm_sparse_lu* lu, const double* value)
{
    ++n_factor;
    return __real_pkm_sparse_lu_factor(lu, value);
}

pkm_status __real_pkm_workspace_sample_closed(void* user, const pkm_vec3* position,
                                              pkm_workspace_sample* out);
pkm_status __wrap_pkm_workspace_sample_closed(void* user, const pkm_vec3* position,
                                              pkm_workspace_sample* out);
pkm_status __wrap_pkm_workspace_sample_closed(void* user, const pkm_vec3* position,
                                              pkm_workspace_sample* out)
{
    ++n_sample;
    return __real_pkm_workspace_sample_closed(user, position, out);
}

void __real_pkm_workspace_reach_closed(const pkm_workspace_closed* closed, const pkm_vec3* position,
                                       pkm_workspace_sample* out);
void __wrap_pkm_workspace_reach_closed(const pkm_workspace_closed* closed, const pkm_vec3* position,
                                       pkm_workspace_sample* out);
void __wrap_pkm_workspace_reach_closed(const pkm_workspace_closed* closed, const pkm_vec3* position,
                                       pkm_workspace_sample* out)
{
    ++n_reach;
    __real_pkm_workspace_reach_closed(closed, position, out);
}

pkm_status __real_pkm_singularity_read(pkm_state* state, const pkm_structure* structure,
                                       double limit, pkm_singularity* out);
pkm_status __wrap_pkm_singularity_read(pkm_state* state, const pkm_structure* structure,
                                       double limit, pkm_singularity* out);
pkm_status __wrap_pkm_singularity_read(pkm_state* state, const pkm_structure* structure,
                                       double limit, pkm_singularity* out)
{
    ++n_read;
    return __real_pkm_singularity_read(state, structure, limit, out);
}

/// A slice with so many points along its longer side, and the grid for it, as `workspace` does it.
static void map_slice(const char* name, pkm_method method, pkm_workspace_choice choice)
{
    pkm_robot* robot = engine_load(name);
    pkm_workspace_plan plan;
    pkm_workspace_grid grid;
    pkm_table* table = pkm_table_create();
    CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
    CHECK(pkm_workspace_plan_set_method(&plan, method, NULL) == PKM_OK);
    n_factor = n_sample = n_reach = 0;
    CHECK(pkm_workspace_choose_grid(&plan, &choice, &grid, NULL) == PKM_OK);
    CHECK(pkm_workspace_plan_map(&plan, &grid, table, NULL, NULL) == PKM_OK);
    printf("    %s: %d factors, %d samples, %d of the reach\n", name, n_factor, n_sample, n_reach);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

static const pkm_workspace_choice deep = {.slice = 2, .slice_at = -0.9, .n_point = 15};

// The grid is looked for from outside; it and borders are found by the reach alone. It were 25 549
// samples before.
static void closed_forms_are_asked_where_the_map_needs_them(void)
{
    pkm_workspace_choice choice = deep;
    choice.n_point = 31; // 992 points
    map_slice("siax", PKM_METHOD_CLOSED, choice);
    CHECK(n_factor <= 2);
    CHECK(n_sample > 992 && n_sample < 1350);
    CHECK(n_reach > 250 && n_reach < 2800);
}

// Points are predicted from behind and by tangents, ends of ways found by how these grow, limits by
// false position. Halving them took 835 000, 73 000 and 307 000.
static void floods_take_few_factors(void)
{
    map_slice("siax", PKM_METHOD_ENGINE, deep);
    CHECK(n_factor > 10000 && n_factor < 110000);
    map_slice("gough-stewart", PKM_METHOD_ENGINE,
              (pkm_workspace_choice){.slice = PKM_NONE, .n_point = 15});
    CHECK(n_factor > 5000 && n_factor < 19500);
    map_slice("five-bar", PKM_METHOD_ENGINE,
              (pkm_workspace_choice){.slice = PKM_NONE, .n_point = 41});
    CHECK(n_factor > 5000 && n_factor < 41000);
}

/// Factors on the way from home to a target and for what is told there.
static int pose_factors(pkm_robot* robot, pkm_given given, const pkm_target* target)
{
    pkm_dexterity dexterity;
    pkm_robot_go_home(robot);
    n_factor = n_read = 0;
    CHECK(pkm_go_to_target(robot, given, target, "target", NULL) == PKM_OK);
    CHECK(pkm_dexterity_at(robot, &dexterity, NULL) == PKM_OK);
    CHECK(!dexterity.serial && !dexterity.parallel && !dexterity.constraint);
    return n_factor;
}

// Predicted to second order, two evaluations a step; steps as long as the watch allows. Far from
// singularities no singular values are asked for. It were 254, 199 and 107 before.
static void poses_take_few_factors(void)
{
    pkm_robot *siax = engine_load("siax"), *stewart = engine_load("gough-stewart");
    const pkm_target drives = {
        .q = {0.52359877559829882, 0.34906585039886592, 0.17453292519943295}};
    pkm_target tool = {.tool.pose = {{0.02, 0.01, 0.6}, stewart->tool_home.q}};
    CHECK(pose_factors(siax, PKM_GIVEN_DRIVES, &drives) < 90);
    CHECK(n_read == 0);
    CHECK(pose_factors(stewart, PKM_GIVEN_TOOL, &tool) < 80);
    CHECK(n_read == 0);
    tool.tool.pose = (pkm_pose){{0.1, 0.0, -0.9}, siax->tool_home.q};
    CHECK(pose_factors(siax, PKM_GIVEN_TOOL, &tool) < 55);
    CHECK(n_read == 0);
    pkm_robot_free(siax);
    pkm_robot_free(stewart);
}

int main(void)
{
    RUN(closed_forms_are_asked_where_the_map_needs_them);
    RUN(floods_take_few_factors);
    RUN(poses_take_few_factors);
    return check_report();
}
