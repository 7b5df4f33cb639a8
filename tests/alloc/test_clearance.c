/// Seated clearance and envelopes: nothing is allocated from instant to instant, and memory that
/// fails is told.
#include "base/error.h"
#include "base/memory.h"
#include "clearance/envelope.h"
#include "clearance/seated.h"
#include "engine.h"

enum { MAX_ALLOCATION = 4000, MAX_CLEARANCE = 24 };

static int clearance_in(const pkm_robot* robot, pkm_joint_clearance* out)
{
    int n = 0;
    for (int j = 0; j < robot->mech->n_joint; ++j) {
        bool driven = false;
        for (int d = 0; d < robot->mech->n_drive; ++d)
            driven = driven || robot->mech->drive[d].joint == j;
        if (!driven && pkm_clearance_has(robot->mech->joint[j].type))
            out[n++] = (pkm_joint_clearance){j, {.radial = 1e-5, .length = 0.02, .axial = 1e-5}};
    }
    return n;
}

/// An isostatic robot and a redundant one.
static const char* const names[] = {"siax", "five-bar"};

static void instants_allocate_nothing(void)
{
    for (int m = 0; m < 2; ++m) {
        pkm_robot* robot = engine_load(names[m]);
        pkm_joint_clearance clearance[MAX_CLEARANCE];
        pkm_error_set set;
        pkm_envelope envelope;
        pkm_target target = {.q = {0.0}};
        CHECK(pkm_error_set_create(robot, clearance, clearance_in(robot, clearance), &set, NULL) ==
              PKM_OK);
        for (int d = 0; d < robot->mech->n_drive; ++d)
            target.q[d] = robot->drive_home[d];
        CHECK(pkm_error_set_find(&set) == PKM_OK);
        const size_t before = pkm_alloc_count();
        for (int k = 0; k < 3; ++k) {
            target.q[0] += 0.01;
            CHECK(pkm_seat_solve(&set.seat, &target, &(pkm_seat_loads){.t = 0.0}) == PKM_OK);
            CHECK(pkm_error_set_find(&set) == PKM_OK);
            CHECK(pkm_envelope_at(&set, &envelope) == PKM_OK);
        }
        CHECK(pkm_alloc_count() == before);
        pkm_error_set_free(&set);
        pkm_robot_free(robot);
    }
}

static pkm_status seat(pkm_robot* robot, const pkm_joint_clearance* clearance, int n,
                       pkm_error* err)
{
    static pkm_seated_report report;
    pkm_sim_settings settings = pkm_sim_settings_defaults();
    settings.motion = 0;
    settings.end_time = pkm_motion_duration(robot->desc->motion[0].motion);
    settings.n_instant = 2;
    pkm_table* table = pkm_table_create();
    const pkm_status status =
        table ? pkm_seated_run(robot, &settings, clearance, n, table, &report, err)
              : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_table_free(table);
    return status;
}

static pkm_status bound(pkm_robot* robot, const pkm_joint_clearance* clearance, int n,
                        pkm_error* err)
{
    pkm_error_set set;
    pkm_extreme_pose extreme;
    double y[5 * MAX_CLEARANCE];
    const double w[6] = {1.0};
    pkm_robot_go_home(robot);
    pkm_status status = pkm_error_set_create(robot, clearance, n, &set, err);
    if (status == PKM_OK) status = pkm_error_set_find(&set);
    if (status == PKM_OK) status = pkm_extreme_pose_find(&set, w, y, &extreme);
    if (status == PKM_ERR_MEMORY) pkm_fail(err, status, "out of memory");
    pkm_error_set_free(&set);
    return status;
}

static void every_failing_allocation_is_told(void)
{
    pkm_status (*const call[])(pkm_robot*, const pkm_joint_clearance*, int, pkm_error*) = {seat,
                                                                                           bound};
    for (int c = 0; c < 2; ++c) {
        pkm_robot* robot = engine_load("five-bar");
        pkm_joint_clearance clearance[MAX_CLEARANCE];
        const int n_clearance = clearance_in(robot, clearance);
        size_t n = 1;
        for (; n < MAX_ALLOCATION; ++n) {
            pkm_error err = {0};
            pkm_alloc_fail_at(n);
            const pkm_status status = call[c](robot, clearance, n_clearance, &err);
            pkm_alloc_fail_at(0);
            if (status == PKM_OK) break;
            if (status != PKM_ERR_MEMORY) printf("    allocation %zu: %s\n", n, err.text);
            CHECK(status == PKM_ERR_MEMORY && err.status == PKM_ERR_MEMORY);
        }
        CHECK(n > 20 && n < MAX_ALLOCATION);
        pkm_robot_free(robot);
    }
}

int main(void)
{
    RUN(instants_allocate_nothing);
    RUN(every_failing_allocation_is_told);
    return check_report();
}
