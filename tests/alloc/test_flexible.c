/// Flexible links: where there is no memory, a run says so, with every integrator.
#include "base/error.h"
#include "base/memory.h"
#include "linear/ked.h"
#include "simulate.h"
#include "simulate/session.h"

enum { MAX_ALLOCATION = 4000 };

/// A crank on its drive and a rod that swings on it.
static const char arm[] =
    "pkm: 1\nname: arm\ngravity: [0, 0, -9.81]\n"
    "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  crank: {points: {A: [0, 0, 0], B: [0.3, 0, 0]},\n"
    "    shape: {rod: {from: A, to: B, diameter: 8 mm}, material: steel}}\n"
    "  rod: {points: {B: [0, 0, 0], C: [0, 0, -0.4]}, pose: {at: [0.3, 0, 0]},\n"
    "    shape: {rod: {from: B, to: C, diameter: 6 mm}, material: steel}}\n"
    "joints:\n"
    "  hub: {type: revolute, between: [ground.O, crank.A], axis: y}\n"
    "  pin: {type: revolute, between: [crank.B, rod.B], axis: y}\n"
    "drives: {q: {joint: hub}}\n"
    "tool: rod.C\n";

/// A crank and a rod that a drive leads to and fro.
static const char led[] = "pkm: 1\nname: led\ngravity: [0, 0, -9.81]\n"
                          "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
                          "ground: {points: {O: [0, 0, 0]}}\n"
                          "bodies:\n"
                          "  crank: {points: {A: [0, 0, 0], B: [0.3, 0, 0]},\n"
                          "    shape: {rod: {from: A, to: B, diameter: 8 mm}, material: steel}}\n"
                          "joints: {hub: {type: revolute, between: [ground.O, crank.A], axis: y}}\n"
                          "drives: {q: {joint: hub}}\n"
                          "tool: {point: crank.B, moves: [ry]}\n"
                          "motions: {rest: {law: quintic, duration: 1 ms, drives: {q: [0, 0]}}}\n";

/// Linear on the motion, with everything that asks for memory.
static pkm_status follow_once(pkm_robot* robot, const char* text, pkm_error* err)
{
    pkm_run* run = NULL;
    pkm_ked_settings settings = pkm_ked_settings_defaults();
    pkm_table* table = pkm_table_create();
    pkm_status status =
        table ? pkm_run_create(robot, &run, err) : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = pkm_run_parse(run, text, "run.yaml", err);
    if (status == PKM_OK) status = pkm_run_complete(run, err);
    if (status == PKM_OK) {
        settings.effects = &run->effects;
        settings.motion = run->settings.motion;
        settings.n_instant = 2;
        settings.step = 0.5e-3;
        settings.has_stiffening = true;
        settings.start = PKM_KED_START_PERIODIC;
        status = pkm_ked_run(robot, &settings, table, NULL, err);
    }
    pkm_run_free(run);
    pkm_table_free(table);
    return status;
}

static pkm_status run_once(pkm_robot* robot, const char* text, pkm_error* err)
{
    pkm_run* run = NULL;
    pkm_sim_report report;
    pkm_table* table = pkm_table_create();
    pkm_status status =
        table ? pkm_run_create(robot, &run, err) : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = pkm_run_parse(run, text, "run.yaml", err);
    if (status == PKM_OK) status = pkm_run_complete(run, err);
    if (status == PKM_OK) status = pkm_simulate(robot, &run->settings, table, &report, err);
    if (status == PKM_OK && report.stop != PKM_STOP_END_TIME) status = PKM_ERR_CONVERGENCE;
    pkm_run_free(run);
    pkm_table_free(table);
    return status;
}

/// Stepwise: only the beginning.
static pkm_status open_once(pkm_robot* robot, const char* text, pkm_error* err)
{
    pkm_run* run = NULL;
    pkm_session* session = NULL;
    pkm_status status = pkm_run_create(robot, &run, err);
    if (status == PKM_OK) status = pkm_run_parse(run, text, "run.yaml", err);
    if (status == PKM_OK) status = pkm_run_complete(run, err);
    if (status == PKM_OK) status = pkm_session_create(robot, &run->settings, &session, err);
    pkm_session_free(session);
    pkm_run_free(run);
    return status;
}

// The sanitizers see leaks and crashes.
static void check_run(const char* model, const char* text,
                      pkm_status (*once)(pkm_robot* robot, const char* text, pkm_error* err))
{
    pkm_robot* robot = engine_from(model);
    size_t n = 1;
    for (; n < MAX_ALLOCATION; ++n) {
        pkm_error err = {0};
        pkm_alloc_fail_at(n);
        const pkm_status status = once(robot, text, &err);
        pkm_alloc_fail_at(0);
        if (status == PKM_OK) break;
        if (status != PKM_ERR_MEMORY) printf("    allocation %zu: %d %s\n", n, status, err.text);
        CHECK(status == PKM_ERR_MEMORY);
        CHECK_CONTAINS(err.text, "out of memory");
    }
    CHECK(n > 100 && n < MAX_ALLOCATION);
    pkm_robot_free(robot);
}

static void runs_survive_every_failing_allocation(void)
{
    check_run(arm,
              "run: 1\nfor: 1 ms\ninstants: 2\ndrives: locked\nstart: undeformed\n"
              "flexible: {'*': {elements: 2, damping: 0.01}}\n",
              run_once);
    check_run(arm,
              "run: 1\nfor: 1 ms\ninstants: 2\ndrives: locked\nintegrator: ida\n"
              "start: undeformed\nflexible: {'*': {elements: 2, modes: 2}}\n",
              run_once);
    check_run(arm,
              "run: 1\nfor: 1 ms\ninstants: 2\ndrives: locked\nintegrator: bdf\n"
              "flexible: {rod: {elements: 2, modes: 2}}\n"
              "clearance: {pin: {radial: 0.1 mm, radius: 5 mm, length: 20 mm, axial: 0.1 mm, "
              "stiffness: 1e10, friction: {static: 0.1}}}\n",
              run_once);
    // a journal that rests in its bearing: its touch is noted before the first step
    check_run(arm,
              "run: 1\nfor: 0.1 ms\ninstants: 2\ndrives: locked\n"
              "clearance: {pin: {radial: 0.1 mm, radius: 5 mm, length: 20 mm, axial: 0.1 mm, "
              "stiffness: 1e10, start: equilibrium}}\n",
              run_once);
    check_run(arm, "run: 1\nfor: 1 ms\ninstants: 2\ndrives: locked\n", open_once);
    check_run(led, "run: 1\nflexible: {'*': {elements: 2, damping: 0.01}}\n", follow_once);
}

int main(void)
{
    RUN(runs_survive_every_failing_allocation);
    return check_report();
}
