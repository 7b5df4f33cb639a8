// Friction in joints in simulations: against inverse dynamics, references and laws.
#include "pkm/inverse.h"
#include "reference_file.h"
#include "simulate.h"

/// The scenario S1 of the SIAX Delta.
static const char s1[] =
    "friction: {spherical: {law: coulomb, static: 0.11, dynamic: 0.084, radius: 10 mm, "
    "stiction_velocity: 1 mm/s}}\n";

/// Inverse dynamics with the friction of a run file.
static pkm_table* inverse_with(pkm_robot* robot, const char* text, int n_instant,
                               pkm_inverse_report* report)
{
    char file[2000];
    pkm_run* run = NULL;
    pkm_table* table = pkm_table_create();
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    snprintf(file, sizeof file, "run: 1\n%s", text);
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    CHECK(pkm_run_parse(run, file, "run.yaml", NULL) == PKM_OK);
    settings.effects = &run->effects;
    settings.n_instant = n_instant;
    CHECK(pkm_inverse_run(robot, 0, &settings, table, report, NULL) == PKM_OK);
    pkm_run_free(run);
    return table;
}

// ---- SIAX -------------------------------------------------------------------------------------

// The reference is printed with 8 digits; it settles spins and reactions by another method.
static void siax_with_friction_meets_its_reference(void)
{
    static const char* const column[] = {"qA.dforce", "qB.dforce", "qC.dforce"};
    static const char* const name[] = {"eTA", "eTB", "eTC"};
    pkm_robot* robot = engine_load("siax");
    char text[300];
    snprintf(text, sizeof text, "instants: 101\nreactions: true\n%s", s1);
    sim_result r = sim_run_whole(robot, text);
    read_reference("siax_s1_friction_ref.csv");
    CHECK(ref.n_row == 101);
    for (int i = 0; i < ref.n_row; ++i) {
        for (int d = 0; d < 3; ++d)
            CHECK_NEAR(sim_get(&r, i, column[d]), ref.value[i][find_column(name[d])], 2e-6);
        CHECK_NEAR(sim_get(&r, i, "loss.friction"), ref.value[i][find_column("Pdiss")], 2e-5);
    }
    sim_free(&r);
    pkm_robot_free(robot);
}

// The peaks and the energy printed in the project's notes on the robots.
static void siax_with_friction_has_the_known_peaks(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run_whole(robot, s1);
    CHECK_NEAR(sim_value(&r, "absmax qA.dforce"), 1.757, 5e-4);
    CHECK_NEAR(sim_value(&r, "absmax qB.dforce"), 0.562, 5e-4);
    CHECK_NEAR(sim_value(&r, "absmax qC.dforce"), 0.567, 5e-4);
    CHECK_NEAR(r.report.ledger.friction, 1.927, 5e-4);
    CHECK_NEAR(r.report.ledger.drive, r.report.ledger.friction + r.report.ledger.potential, 1e-9);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- both directions --------------------------------------------------------------------------

// Drives prescribed: simulation and inverse dynamics solve the same equations.
static void simulation_and_inverse_dynamics_agree(void)
{
    static const char* const robots[] = {"siax", "isoglideT3", "prrr2prpar", "lindelta", "kuo"};
    static const char text[] =
        "instants: 101\n"
        "friction:\n"
        "  \"*\": {law: coulomb, static: 0.1, dynamic: 0.08, radius: 5 mm}\n";
    for (int k = 0; k < 5; ++k) {
        pkm_robot* robot = engine_load(robots[k]);
        pkm_inverse_report report;
        sim_result r = sim_run_whole(robot, text);
        pkm_table* inverse = inverse_with(robot, strchr(text, '\n') + 1, 101, &report);
        double most = 0.0, off = 0.0;
        for (int i = 0; i < 101; ++i)
            for (int d = 0; d < robot->mech->n_drive; ++d) {
                const double f = pkm_table_get(inverse, i, 4 + 4 * d);
                most = fmax(most, fabs(f));
                off = fmax(off, fabs(pkm_table_get(r.table, i, 4 + 4 * d) - f));
            }
        if (!(off < 1e-8 * most)) printf("    %s: %g of %g\n", robots[k], off, most);
        CHECK(off < 1e-8 * most);
        CHECK(r.report.ledger.friction > 0.0);
        pkm_table_free(inverse);
        sim_free(&r);
        pkm_robot_free(robot);
    }
}

// The losses differ by the quadratures over the kinks of the law.
static void the_losses_of_both_agree(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_inverse_report report;
    sim_result r = sim_run_whole(robot, s1);
    pkm_table* inverse = inverse_with(robot, s1, 2001, &report);
    CHECK_NEAR(report.friction_loss, r.report.ledger.friction, 2e-6);
    pkm_table_free(inverse);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void friction_of_nothing_changes_nothing(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result with =
        sim_run_whole(robot, "drives: playback\ninstants: 51\n"
                             "friction: {\"*\": {law: coulomb, static: 0, radius: 10 mm}}\n");
    sim_result without = sim_run_whole(robot, "drives: playback\ninstants: 51\n");
    for (int i = 0; i <= sim_last(&with); ++i)
        for (int c = 0; c < pkm_table_n_column(without.table); ++c) {
            const int same = pkm_table_find(with.table, pkm_table_name(without.table, c));
            const double a = pkm_table_get(with.table, i, same),
                         b = pkm_table_get(without.table, i, c);
            CHECK_NEAR(a, b, 1e-8 * (1.0 + fabs(b)));
        }
    CHECK_NEAR(with.report.ledger.friction, 0.0, 0.0);
    sim_free(&with);
    sim_free(&without);
    pkm_robot_free(robot);
}

// Free drives: friction takes what the energy loses, with every law.
static void what_friction_takes_is_what_the_energy_loses(void)
{
    static const char* const law[] = {"coulomb", "stribeck", "brown-mcphee", "lugre"};
    pkm_robot* robot = engine_load("siax");
    for (int k = 0; k < 4; ++k) {
        char text[400];
        snprintf(text, sizeof text,
                 "motion: none\nfor: 0.2 s\ninstants: 21\nintegrator: explicit\n"
                 "friction: {spherical: {law: %s, static: 0.11, dynamic: 0.084, radius: 10 mm, "
                 "stiction_velocity: 10 mm/s, stribeck_velocity: 10 mm/s}}\n",
                 law[k]);
        sim_result r = sim_run_whole(robot, text);
        const pkm_ledger* l = &r.report.ledger;
        CHECK(l->friction > 1e-3);
        CHECK_NEAR(l->friction, -l->kinetic - l->potential, 1e-8 * l->exchanged);
        sim_free(&r);
    }
    pkm_robot_free(robot);
}

// ---- Isoglide4 --------------------------------------------------------------------------------

// Friction in a driven slide acts along the drive, so the reactions stay those of the rigid motion
// and the force changes by mu |load|: 0.01 of the shear force, 6 to 8 N, up to 0.016 of it at the
// start. On the torsional moment with an arm of 1 mm it is hundreds of newtons.
static void check_isoglide4(const char* friction, double arm, double least, double most)
{
    pkm_robot* robot = engine_load("isoglide4");
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    pkm_table* rigid = pkm_table_create();
    settings.reactions = true;
    settings.n_instant = 101;
    CHECK(pkm_inverse_run(robot, 0, &settings, rigid, NULL, NULL) == PKM_OK);
    char text[300];
    snprintf(text, sizeof text, "instants: 101\nfriction: {prismatic: %s}\n", friction);
    sim_result r = sim_run_whole(robot, text);
    const int x = pkm_table_find(rigid, "a.rail.Fx"), v = pkm_table_find(rigid, "q1.v");
    double peak = 0.0;
    for (int i = 1; i < 100; ++i) {
        const double shear = hypot(pkm_table_get(rigid, i, x), pkm_table_get(rigid, i, x + 1));
        const double torsion = fabs(pkm_table_get(rigid, i, x + 5));
        const double load = shear + (arm > 0.0 ? torsion / arm : 0.0);
        const double speed = fabs(pkm_table_get(rigid, i, v)), off = sim_get(&r, i, "q1.dforce");
        peak = fmax(peak, fabs(off));
        if (speed > 0.0016) CHECK_NEAR(fabs(off), 0.01 * load, 1e-7 * load);
    }
    CHECK(peak > least && peak < most);
    pkm_table_free(rigid);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void slides_of_isoglide4_with_their_shear_force(void)
{
    check_isoglide4("{law: coulomb, static: 0.016, dynamic: 0.01}", 0.0, 5.0, 12.0);
}

static void slides_of_isoglide4_with_their_torsion(void)
{
    check_isoglide4("{law: coulomb, static: 0.016, dynamic: 0.01, reaction_arm: 1 mm}", 1e-3, 475.0,
                    1000.0);
}

int main(void)
{
    RUN(siax_with_friction_meets_its_reference);
    RUN(siax_with_friction_has_the_known_peaks);
    RUN(simulation_and_inverse_dynamics_agree);
    RUN(the_losses_of_both_agree);
    RUN(friction_of_nothing_changes_nothing);
    RUN(what_friction_takes_is_what_the_energy_loses);
    RUN(slides_of_isoglide4_with_their_shear_force);
    RUN(slides_of_isoglide4_with_their_torsion);
    return check_report();
}
