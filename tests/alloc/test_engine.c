/// The engine's memory: following a motion takes none, and where there is none, it says so.
#include "base/memory.h"
#include "engine.h"
#include "linkages.h"
#include "pkm/inverse.h"
#include "pkm/kinematics.h"
#include "robot/continuation.h"

enum { MAX_JOINT = 24, N_INSTANT = 60, MAX_ALLOCATION = 4000 };

/// Allocations of everything that a run does at each instant, after its first.
static size_t count_along(pkm_robot* robot, const pkm_motion* motion)
{
    pkm_follower f;
    pkm_reaction reaction[MAX_JOINT];
    double force[PKM_MAX_DRIVE];
    pkm_reactions* work = pkm_reactions_create(robot->state);
    CHECK(work != NULL);
    CHECK(pkm_follow_begin(robot, motion, &f, NULL) == PKM_OK);
    CHECK(pkm_follow_to(&f, 0.0, NULL) == PKM_OK);
    const size_t before = pkm_alloc_count();
    for (int i = 1; i <= N_INSTANT; ++i) {
        const double t = pkm_motion_duration(motion) * i / N_INSTANT;
        CHECK(pkm_follow_to(&f, t, NULL) == PKM_OK);
        pkm_inverse_forces(robot->state);
        pkm_inverse_drive_forces(robot->state, force);
        pkm_reactions_solve(work, robot->state, reaction, NULL);
    }
    const size_t after = pkm_alloc_count();
    pkm_reactions_free(work);
    return after - before;
}

static void nothing_is_allocated_along_a_motion(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (!robot) continue;
        for (int m = 0; m < robot->desc->n_motion; ++m) {
            const size_t n = count_along(robot, robot->desc->motion[m].motion);
            if (n > 0) printf("    %s, motion %d: %zu allocations\n", engine_robots[i], m, n);
            CHECK(n == 0);
        }
        pkm_robot_free(robot);
    }
}

/// Load `name` with the n-th allocation failing.
static pkm_status load_with(const char* name, size_t n, pkm_robot** out, pkm_error* err)
{
    char path[512];
    snprintf(path, sizeof path, "%s/robots/%s.yaml", PKM_SOURCE_DIR, name);
    pkm_alloc_fail_at(n);
    const pkm_status status = pkm_robot_load(path, NULL, 0, out, err);
    pkm_alloc_fail_at(0);
    return status;
}

// The sanitizers see leaks and crashes.
static void loading_survives_every_failing_allocation(void)
{
    static const char* const names[] = {"five-bar", "kuo"};
    for (int i = 0; i < 2; ++i) {
        size_t n = 1;
        for (; n < MAX_ALLOCATION; ++n) {
            pkm_robot* robot = NULL;
            pkm_error err = {0};
            const pkm_status status = load_with(names[i], n, &robot, &err);
            if (status == PKM_OK) {
                pkm_robot_free(robot);
                break;
            }
            if (status != PKM_ERR_MEMORY || robot || err.status != PKM_ERR_MEMORY)
                printf("    %s, allocation %zu: %s\n", names[i], n, err.text);
            CHECK(status == PKM_ERR_MEMORY && !robot && err.status == PKM_ERR_MEMORY);
        }
        CHECK(n > 100 && n < MAX_ALLOCATION);
    }
}

static void runs_survive_every_failing_allocation(void)
{
    static const char* const names[] = {"five-bar", "kuo"};
    for (int i = 0; i < 4; ++i) {
        pkm_robot* robot = engine_load(names[i % 2]);
        if (!robot) continue;
        pkm_inverse_settings settings = pkm_inverse_settings_defaults();
        settings.n_instant = 12;
        settings.reactions = i < 2;
        settings.method = i == 3 ? PKM_METHOD_CLOSED : PKM_METHOD_ENGINE;
        size_t n = 1;
        for (; n < MAX_ALLOCATION; ++n) {
            pkm_table* table = pkm_table_create();
            pkm_inverse_report report;
            pkm_error err = {0};
            pkm_alloc_fail_at(n);
            const pkm_status status = pkm_inverse_run(robot, 0, &settings, table, &report, &err);
            pkm_alloc_fail_at(0);
            pkm_table_free(table);
            if (status == PKM_OK) break;
            if (status != PKM_ERR_MEMORY) printf("    allocation %zu: %s\n", n, err.text);
            CHECK(status == PKM_ERR_MEMORY);
        }
        CHECK(n > 1 && n < MAX_ALLOCATION);
        pkm_robot_free(robot);
    }
}

// Rows are chosen anew on the way round; that may need memory.
static void choosing_rows_anew_survives_failing_allocations(void)
{
    for (size_t n = 1; n < 200; ++n) {
        pkm_robot* robot = engine_from(three_cranks);
        if (!robot) return;
        pkm_follower f;
        pkm_error err = {0};
        CHECK(pkm_follow_begin(robot, robot->desc->motion[0].motion, &f, &err) == PKM_OK);
        pkm_alloc_fail_at(n);
        pkm_status status = PKM_OK;
        for (int i = 0; status == PKM_OK && i <= 50; ++i)
            status = pkm_follow_to(&f, i / 50.0, &err);
        pkm_alloc_fail_at(0);
        if (status != PKM_OK && status != PKM_ERR_MEMORY)
            printf("    allocation %zu: %s\n", n, err.text);
        CHECK(status == PKM_OK || status == PKM_ERR_MEMORY);
        pkm_robot_free(robot);
        if (status == PKM_OK) return;
    }
}

static void analyses_survive_every_failing_allocation(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    for (size_t n = 1; n < 200; ++n) {
        pkm_dexterity d;
        pkm_alloc_fail_at(n);
        const pkm_status status = pkm_dexterity_at(robot, &d, NULL);
        pkm_alloc_fail_at(0);
        if (status == PKM_OK) break;
        CHECK(status == PKM_ERR_MEMORY);
    }
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(nothing_is_allocated_along_a_motion);
    RUN(loading_survives_every_failing_allocation);
    RUN(runs_survive_every_failing_allocation);
    RUN(choosing_rows_anew_survives_failing_allocations);
    RUN(analyses_survive_every_failing_allocation);
    return check_report();
}
