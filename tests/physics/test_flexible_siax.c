// Delta SIAX with six flexible rods against an independent linear model, and the laws that any
// model of it obeys: rigid limit, refinement of steps and modes.
#include "flexible.h"
#include "physics/reference_file.h"

#define RODS(settings) "motion: paper\nflexible: {left: {" settings "}, right: {" settings "}}\n"

static void check_column(const sim_result* r, const char* ours, const char* theirs, double part)
{
    const int column = find_column(theirs);
    double peak = 0.0, off = 0.0;
    for (int i = 0; i < ref.n_row; ++i) {
        const double want = ref.value[i][column];
        peak = fmax(peak, fabs(want));
        off = fmax(off, fabs(sim_get(r, i, ours) - want));
    }
    if (!(off <= part * peak)) printf("    %s: off by %g of %g\n", ours, off, peak);
    CHECK(off <= part * peak);
}

/// Largest deviations of the reference at all times; ours are located between the rows.
static void check_peaks(const sim_result* r)
{
    static const struct {
        const char* name;
        double value;
    } peak[] = {{"absmax P.dp", 3.44e-4},   {"absmax P.dv", 3.32e-2},  {"absmax P.da", 8.34},
                {"absmax qA.dforce", 12.6}, {"absmax qB.dforce", 9.3}, {"absmax qC.dforce", 14.4},
                {"absmax P.turn", 2.36e-3}};
    for (size_t k = 0; k < sizeof peak / sizeof peak[0]; ++k)
        CHECK_NEAR(sim_value(r, peak[k].name), peak[k].value, 0.02 * peak[k].value);
    CHECK(fabs(r->report.ledger.residual) < 1e-9 * r->report.ledger.exchanged);
}

// The reference has sines as shapes of its rods, in frames through their ball joints, and neither
// stiffening nor damping; it is converged to 0.3 %. Torques follow the rods' bending vibrations.
static void histories_and_peaks_are_those_of_the_reference(void)
{
    pkm_robot* robot = engine_load("siax");
    read_reference("siax_s2_flexible_undamped_ref.csv");
    sim_result r = sim_run_whole(robot, RODS("elements: 8, stiffening: false") "instants: 101\n");
    CHECK(ref.n_row == 101);
    check_column(&r, "P.dx", "dPx", 5e-4);
    check_column(&r, "P.dy", "dPy", 5e-4);
    check_column(&r, "P.dz", "dPz", 5e-4);
    check_column(&r, "qA.dforce", "dTA", 0.01);
    check_column(&r, "qB.dforce", "dTB", 0.01);
    check_column(&r, "qC.dforce", "dTC", 0.01);
    check_column(&r, "A.left.axial", "N0", 1e-3);
    check_column(&r, "A.right.axial", "N1", 1e-3);
    check_column(&r, "B.left.axial", "N2", 1e-3);
    check_column(&r, "B.right.axial", "N3", 1e-3);
    check_column(&r, "C.left.axial", "N4", 1e-3);
    check_column(&r, "C.right.axial", "N5", 1e-3);
    CHECK_NEAR(sim_get(&r, 0, "P.dz"), -2.205815e-6, 1e-10); // static start
    CHECK_NEAR(sim_get(&r, 0, "P.da"), 0.0, 1e-7);
    check_peaks(&r);
    sim_free(&r);
    pkm_robot_free(robot);
}

// The ladder of damping ratios by the frequencies of the rods between their balls.
static void so_they_are_with_damping(void)
{
    pkm_robot* robot = engine_load("siax");
    read_reference("siax_s2_flexible_adams_damping_ref.csv");
    sim_result r = sim_run_whole(
        robot, RODS("elements: 8, stiffening: false, damping: adams") "instants: 101\n");
    check_column(&r, "P.dx", "dPx", 1e-4);
    check_column(&r, "P.dy", "dPy", 1e-4);
    check_column(&r, "P.dz", "dPz", 1e-4);
    check_column(&r, "qA.dforce", "dTA", 5e-3);
    check_column(&r, "qB.dforce", "dTB", 5e-3);
    check_column(&r, "qC.dforce", "dTC", 5e-3);
    CHECK(r.report.ledger.damping > 1e-3);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- rigid limit ------------------------------------------------------------------------------

static sim_result with_stiffness(const char* young, const char* run)
{
    pkm_robot* robot = sim_load_changed("siax", "207 GPa", young);
    sim_result r = sim_run_whole(robot, run);
    pkm_robot_free(robot);
    return r;
}

// Where vibrations are damped away the rods follow the load, and yield like 1 / E.
static void stiff_rods_meet_the_rigid_robot(void)
{
    static const char run[] =
        RODS("elements: 4, damping: 0.1") "instants: 21\nfor: 20 ms\ntolerance: 1e-10\n";
    static const char* const young[] = {"2070 GPa", "20700 GPa", "207000 GPa"};
    double dp[3], force[3];
    for (int k = 0; k < 3; ++k) {
        sim_result r = with_stiffness(young[k], run);
        dp[k] = sim_value(&r, "absmax P.dp");
        force[k] = fabs(sim_get(&r, 20, "qA.dforce"));
        sim_free(&r);
    }
    CHECK_NEAR(dp[0] / dp[1], 10.0, 0.3);
    CHECK_NEAR(dp[1] / dp[2], 10.0, 0.03);
    CHECK(force[1] < force[0] / 10.0 && force[2] < 1e-5 * 425.5);
}

// Stiff modes turn errors of their coordinates into forces: rods a hundred times as stiff ring with
// little more than 1 N m at the rows, two decades above the default tolerance and below. (Looser
// ones let steps reach the border of stability, where rounding decides: 1.1 to 2.5 N m at 1e-5, 1.1
// to 6.3 N m at 2e-6 and 2.5e-6 by the order of sums alone.)
static void forces_of_stiff_rods_are_clean(void)
{
    static const char* const tolerance[] = {"1e-6", "3e-7", "1e-10"};
    double force[3];
    for (int k = 0; k < 3; ++k) {
        char run[300];
        snprintf(run, sizeof run,
                 RODS("modes: 4") "instants: 41\nfor: 20 ms\nintegrator: explicit\ntolerance: %s\n",
                 tolerance[k]);
        sim_result r = with_stiffness("20700 GPa", run);
        force[k] = 0.0;
        for (int i = 0; i < 41; ++i)
            force[k] = fmax(force[k], fabs(sim_get(&r, i, "qA.dforce")));
        if (k == 2) CHECK_NEAR(sim_value(&r, "absmax qA.dforce"), 1.2376, 2e-4); // of 40001 rows
        sim_free(&r);
    }
    CHECK_NEAR(force[2], 1.1485, 2e-3); // as with 1e-11
    CHECK_NEAR(force[0], force[2], 0.1);
    CHECK_NEAR(force[1], force[2], 0.1);
}

// ---- refinement -------------------------------------------------------------------------------

static double apart(const sim_result* a, const sim_result* b, const char* column)
{
    double off = 0.0;
    for (int i = 0; i <= sim_last(a); ++i)
        off = fmax(off, fabs(sim_get(a, i, column) - sim_get(b, i, column)));
    return off;
}

// Eight bending modes and the static correction against every coordinate of the mesh.
static void few_modes_do_what_the_full_mesh_does(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result few = sim_run_whole(robot, RODS("elements: 6") "instants: 51\nfor: 10 ms\n");
    sim_result all =
        sim_run_whole(robot, RODS("elements: 6, modes: full") "instants: 51\nfor: 10 ms\n");
    CHECK(apart(&few, &all, "P.dp") < 1e-4 * sim_value(&all, "absmax P.dp"));
    CHECK(apart(&few, &all, "qA.dforce") < 0.01 * sim_value(&all, "absmax qA.dforce"));
    sim_free(&few);
    sim_free(&all);
    pkm_robot_free(robot);
}

static void modes_converge(void)
{
    static const char* const run[] = {
        RODS("elements: 8, modes: 4") "instants: 26\nfor: 10 ms\n",
        RODS("elements: 8, modes: 8") "instants: 26\nfor: 10 ms\n",
        RODS("elements: 8, modes: 12") "instants: 26\nfor: 10 ms\n",
        RODS("elements: 8, modes: 16") "instants: 26\nfor: 10 ms\n",
    };
    pkm_robot* robot = engine_load("siax");
    sim_result r[4];
    double off[3];
    for (int k = 0; k < 4; ++k)
        r[k] = sim_run_whole(robot, run[k]);
    for (int k = 0; k < 3; ++k)
        off[k] = apart(&r[k], &r[3], "P.dp") / sim_value(&r[3], "absmax P.dp");
    CHECK(off[1] < off[0] && off[2] < off[1] && off[2] < 1e-5);
    for (int k = 0; k < 4; ++k)
        sim_free(&r[k]);
    pkm_robot_free(robot);
}

// The explicit method of order 8 and IDA share nothing but the equations.
static void integrators_agree(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result a = sim_run_whole(robot, RODS("elements: 4") "instants: 11\nfor: 10 ms\n");
    sim_result b = sim_run_whole(robot, RODS("elements: 4") "instants: 11\nfor: 10 ms\n"
                                                            "integrator: ida\ntolerance: 1e-6\n");
    sim_result c = sim_run_whole(robot, RODS("elements: 4") "instants: 11\nfor: 10 ms\n"
                                                            "integrator: ida\ntolerance: 1e-8\n");
    sim_result d = sim_run_whole(robot, RODS("elements: 4") "instants: 11\nfor: 10 ms\n"
                                                            "tolerance: 1e-11\n");
    const double peak = sim_value(&a, "absmax P.dp");
    CHECK(apart(&a, &b, "P.dp") < 2e-3 * peak);
    CHECK(apart(&a, &c, "P.dp") < 0.2 * apart(&a, &b, "P.dp"));
    CHECK(apart(&a, &d, "P.dp") < 1e-6 * peak);
    sim_free(&a);
    sim_free(&b);
    sim_free(&c);
    sim_free(&d);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(histories_and_peaks_are_those_of_the_reference);
    RUN(so_they_are_with_damping);
    RUN(stiff_rods_meet_the_rigid_robot);
    RUN(forces_of_stiff_rods_are_clean);
    RUN(few_modes_do_what_the_full_mesh_does);
    RUN(modes_converge);
    RUN(integrators_agree);
    return check_report();
}
