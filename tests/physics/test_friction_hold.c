// What friction can hold rests, what it cannot hold moves, at default settings.
//
// Friction by preload alone, in the driven joints: the force that holds drive d at rest, Q_d, is
// unique, since nothing else can. So statics decide: friction F_d holds the robot if and only if
// |Q_d| <= F_d for every drive. Where a joint slips it loses F_d times its way.
#include "simulate.h"

#include <time.h>

/// A robot and the run's text of friction in its other joints.
static const struct {
    const char *name, *others;
} robots[] = {
    {"siax", "spherical: {static: 0.3, dynamic: 0.25, radius: 10 mm}"},
    {"irb340", "spherical: {static: 0.1, dynamic: 0.08, radius: 10 mm}"},
    {"lindelta", "spherical: {static: 0.3, dynamic: 0.25, radius: 10 mm}"},
    {"triglide", ""},
    {"isoglide4", ""},
    {"isoglideT3", ""},
    {"3pprs", ""},
    {"3ppsr", ""},
    {"prrr2prpar", ""},
    {"kuo", ""},
    {"gough-stewart", ""},
    {"five-bar", ""},
};

/// Forces Q [n_drive] that hold the robot at home; returns the largest.
static double find_holding(pkm_robot* robot, double* Q)
{
    sim_result r = sim_run_whole(robot, "motion: none\nfor: 1 ms\ninstants: 2\ndrives: locked\n");
    double most = 0.0;
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        char column[100];
        snprintf(column, sizeof column, "%s.force", robot->mech->drive[d].name);
        Q[d] = fabs(sim_get(&r, 0, column));
        most = fmax(most, Q[d]);
    }
    sim_free(&r);
    return most;
}

/// Friction F_d = part |Q_d| and a little in each driven joint, and `others`.
static void write_friction(const pkm_robot* robot, const double* F, const char* others, char* text,
                           size_t size)
{
    size_t n = (size_t)snprintf(text, size, "friction: {%s", others);
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const pkm_joint* joint = &robot->mech->joint[robot->mech->drive[d].joint];
        n += (size_t)snprintf(
            text + n, size - n, "%s\"%s\": {static: 0.1, inputs: [preload], %s: %.17g}",
            d == 0 && !others[0] ? "" : ", ", joint->name,
            joint->type == PKM_JOINT_PRISMATIC ? "preload_force" : "radius: 10 mm, preload_torque",
            F[d]);
    }
    snprintf(text + n, size - n, "}\n");
}

static sim_result release(pkm_robot* robot, const char* time, const double* F, const char* others)
{
    char friction[2000], text[2400];
    write_friction(robot, F, others, friction, sizeof friction);
    snprintf(text, sizeof text, "motion: none\nfor: %s\ninstants: 11\ndrives: free\n%s", time,
             friction);
    return sim_run_whole(robot, text);
}

/// The largest way of a drive [m, rad] up to row i.
static double way(const sim_result* r, const pkm_robot* robot, int d, int i)
{
    char column[100];
    snprintf(column, sizeof column, "%s.q", robot->mech->drive[d].name);
    return fabs(sim_get(r, i, column) - sim_get(r, 0, column));
}

static void what_can_be_held_rests(void)
{
    for (size_t k = 0; k < sizeof robots / sizeof robots[0]; ++k) {
        double F[PKM_MAX_DRIVE];
        pkm_robot* robot = engine_load(robots[k].name);
        const double most = find_holding(robot, F);
        for (int d = 0; d < robot->mech->n_drive; ++d)
            F[d] = 1.05 * F[d] + 0.01 * most + 0.01;
        const clock_t began = clock();
        sim_result r = release(robot, "10 s", F, robots[k].others);
        double moved = 0.0;
        for (int i = 0; i <= sim_last(&r); ++i)
            for (int d = 0; d < robot->mech->n_drive; ++d)
                moved = fmax(moved, way(&r, robot, d, i));
        const double cpu = (double)(clock() - began) / CLOCKS_PER_SEC;
        if (!(moved < 1e-9) || cpu > 5.0)
            printf("    %s: moved %g, %g s\n", robots[k].name, moved, cpu);
        CHECK(moved < 1e-9);
        CHECK(cpu < 5.0);
        sim_free(&r);
        pkm_robot_free(robot);
    }
}

// The joint with the largest force has 0.95 of what it needs: it moves, and friction takes F times
// the way.
static void what_cannot_be_held_moves(void)
{
    for (size_t k = 0; k < sizeof robots / sizeof robots[0]; ++k) {
        double F[PKM_MAX_DRIVE];
        pkm_robot* robot = engine_load(robots[k].name);
        const double most = find_holding(robot, F);
        if (most > 1e-6) { // planar robots that lie have nothing to hold
            double loss = 0.0, moved = 0.0;
            for (int d = 0; d < robot->mech->n_drive; ++d)
                F[d] = (F[d] > 0.999 * most ? 0.95 : 1.05) * F[d] + 1e-3 * most;
            const clock_t began = clock();
            sim_result r = release(robot, "40 ms", F, "");
            for (int d = 0; d < robot->mech->n_drive; ++d) {
                const double s = way(&r, robot, d, sim_last(&r));
                loss += F[d] * s;
                moved = fmax(moved, s);
            }
            if (!(moved > 1e-6)) printf("    %s: moved %g\n", robots[k].name, moved);
            CHECK(moved > 1e-6);
            CHECK_NEAR(r.report.ledger.friction, loss, 1e-3 * loss);
            CHECK((double)(clock() - began) / CLOCKS_PER_SEC < 5.0);
            sim_free(&r);
        }
        pkm_robot_free(robot);
    }
}

int main(void)
{
    RUN(what_can_be_held_rests);
    RUN(what_cannot_be_held_moves);
    return check_report();
}
