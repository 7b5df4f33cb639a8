/// How near a robot is to singularities: what looks elsewhere leave as it was.
#include "engine.h"
#include "robot/continuation.h"
#include "robot/nearness.h"

#include <math.h>

/// The tool `x` robot sizes beside a place above home, and what is read there.
static double distance_at(pkm_robot* robot, pkm_nearness* near, double x)
{
    pkm_target target = {.tool.pose = robot->tool_home};
    target.tool.pose.p.x += x * robot->mech->size;
    target.tool.pose.p.z += 0.05 * robot->mech->size;
    pkm_error err;
    CHECK(pkm_follow_near(robot, PKM_GIVEN_TOOL, &target, "way", &err) == PKM_OK);
    CHECK(pkm_nearness_look(near));
    return near->distance;
}

// Between places of their own derivatives distances follow the singular values. Who has looked
// elsewhere and goes back reads what was read before, not the estimate of new derivatives.
static void who_goes_back_reads_the_same(void)
{
    static const char* const name[] = {"siax", "irb340", "kuo"};
    double least = HUGE_VAL, most = 0.0; // of the largest singular values
    for (int k = 0; k < 3; ++k) {
        pkm_robot* robot = engine_load(name[k]);
        if (!robot) continue;
        pkm_nearness near, fresh;
        double place[PKM_NEARNESS_N_PLACE];
        pkm_nearness_begin(robot, NULL, &near);
        pkm_nearness_begin(robot, NULL, &fresh);
        distance_at(robot, &near, 0.0);
        const double before = distance_at(robot, &near, 0.01);
        pkm_nearness_save(&near, place);
        CHECK(fabs(distance_at(robot, &near, 0.15) / before - 1.0) > 1e-3);
        CHECK(fabs(distance_at(robot, &fresh, 0.01) / before - 1.0) > 1e-5);
        pkm_nearness_go_back(&near, place);
        CHECK_NEAR(distance_at(robot, &near, 0.01), before, 1e-8 * before);
        least = fmin(least, near.largest);
        most = fmax(most, near.largest);
        pkm_robot_free(robot);
    }
    CHECK(least < 0.5 && most > 0.5);
}

int main(void)
{
    RUN(who_goes_back_reads_the_same);
    return check_report();
}
