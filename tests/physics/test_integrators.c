/// Four integrators that share the plant but not their method: they must agree.
#include "check.h"
#include "simulate/simulation.h"

static pkm_robot* load(const char* name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/robots/%s.yaml", PKM_SOURCE_DIR, name);
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    CHECK(pkm_robot_load(path, NULL, 0, &robot, &err) == PKM_OK);
    return robot;
}

/// The first motion of the robot with all drives in `kind`; returns the table of the run.
static pkm_table* simulate(pkm_robot* robot, pkm_drive_kind kind, pkm_integrator integrator,
                           double tolerance, const pkm_effects* effects, pkm_sim_report* report)
{
    pkm_sim_settings settings = pkm_sim_settings_defaults();
    pkm_error err = {0};
    settings.motion = 0;
    settings.end_time = pkm_motion_duration(robot->desc->motion[0].motion);
    settings.n_instant = 11;
    settings.integrator = integrator;
    settings.tolerance = tolerance;
    settings.effects = effects;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        settings.drive[d].kind = kind;
    pkm_table* table = pkm_table_create();
    CHECK(pkm_simulate(robot, &settings, table, report, &err) == PKM_OK);
    CHECK(report->stop == PKM_STOP_END_TIME);
    CHECK(report->n_done == settings.n_instant);
    return table;
}

/// The largest deviation of the tool's point from the ideal motion.
static double deviation(const pkm_robot* robot, const pkm_table* table)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.dp",
             pkm_short_name(robot->mech->marker[robot->mech->tool].name));
    return pkm_table_reduce(table, pkm_table_find(table, name), PKM_REDUCE_ABSMAX, NULL);
}

static double run_error(pkm_robot* robot, pkm_integrator integrator, double tolerance)
{
    pkm_sim_report report;
    pkm_table* table = simulate(robot, PKM_DRIVE_PLAYBACK, integrator, tolerance, NULL, &report);
    const double error = deviation(robot, table);
    CHECK(report.drift_position <= 1e-10);
    CHECK(report.drift_velocity <= 1e-8);
    pkm_table_free(table);
    return error;
}

// Forces of inverse dynamics, played back, return the motion: the error falls with the tolerance.
// 1PRRR+2PRPaR has nine redundant constraints, the 3-PPSR turns, SIAX has idle spins.
static void playback_converges_with_every_integrator(void)
{
    static const char* const name[] = {"siax", "prrr2prpar", "3ppsr"};
    for (int i = 0; i < 3; ++i) {
        pkm_robot* robot = load(name[i]);
        CHECK(run_error(robot, PKM_INTEGRATOR_EXPLICIT, 1e-12) < 1e-9);
        const double bdf = run_error(robot, PKM_INTEGRATOR_BDF, 1e-5);
        CHECK(run_error(robot, PKM_INTEGRATOR_BDF, 1e-8) < 0.03 * bdf);
        CHECK(run_error(robot, PKM_INTEGRATOR_BDF, 1e-8) < 1e-5);
        const double ida = run_error(robot, PKM_INTEGRATOR_IDA, 1e-5);
        CHECK(run_error(robot, PKM_INTEGRATOR_IDA, 1e-8) < 0.03 * ida);
        pkm_robot_free(robot);
    }
}

/// Ball friction in every spherical joint.
static int rub_all_balls(const pkm_robot* robot, pkm_plant_friction* out)
{
    int n = 0;
    for (int j = 0; j < robot->mech->n_joint; ++j) {
        if (robot->mech->joint[j].type != PKM_JOINT_SPHERICAL) continue;
        out[n] = (pkm_plant_friction){j, pkm_joint_friction_defaults(PKM_FRICTION_COULOMB)};
        out[n].friction.law.mu_static = 0.11;
        out[n].friction.law.mu_dynamic = 0.084;
        out[n].friction.law.stiction_velocity = 1e-3;
        out[n++].friction.radius = 0.01;
    }
    return n;
}

// With prescribed drives the motion is known, and the drive forces with friction are those of
// inverse dynamics whichever method gets there; friction takes 1.927 J (robots of the literature:
// SIAX, scenario 1).
static void friction_is_the_same_with_every_integrator(void)
{
    pkm_robot* robot = load("siax");
    pkm_plant_friction friction[12];
    const pkm_effects effects = {.n_friction = rub_all_balls(robot, friction),
                                 .friction = friction};
    CHECK(effects.n_friction == 12);
    pkm_sim_report report;
    pkm_table* want =
        simulate(robot, PKM_DRIVE_PRESCRIBED, PKM_INTEGRATOR_EXPLICIT, 1e-12, &effects, &report);
    CHECK_NEAR(report.ledger.friction, 1.927329, 2e-6);
    const pkm_integrator other[] = {PKM_INTEGRATOR_BDF, PKM_INTEGRATOR_IDA};
    for (int k = 0; k < 2; ++k) {
        pkm_table* table = simulate(robot, PKM_DRIVE_PRESCRIBED, other[k], 1e-8, &effects, &report);
        for (int i = 0; i < pkm_table_n_row(want); ++i)
            for (int d = 0; d < 3; ++d)
                CHECK_NEAR(pkm_table_get(table, i, 4 + 4 * d), pkm_table_get(want, i, 4 + 4 * d),
                           1e-7 * 425.0);
        // integrals are kept to 1e3 times the tolerance per step and kg
        CHECK_NEAR(report.ledger.friction, 1.927329, 2e-3);
        pkm_table_free(table);
    }
    pkm_table_free(want);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(playback_converges_with_every_integrator);
    RUN(friction_is_the_same_with_every_integrator);
    return check_report();
}
