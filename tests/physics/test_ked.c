// Elastodynamics on the rigid motion against what shares nothing with it: Kuo's assembly with its
// own elements and axes, the general engine, a reference of sines as shapes, closed forms.
#include "ked.h"
#include "kuo/kuo_response.h"
#include "physics/reference_file.h"

#define RODS(settings) "motion: paper\nflexible: {left: {" settings "}, right: {" settings "}}\n"

static pkm_ked_settings with_step(double step)
{
    pkm_ked_settings s = pkm_ked_settings_defaults();
    s.step = step;
    return s;
}

/// With the geometry of forces, and a step.
static pkm_ked_settings stiffened(double step)
{
    pkm_ked_settings s = with_step(step);
    s.has_stiffening = true;
    return s;
}

static double apart(const sim_result* a, const sim_result* b, const char* column)
{
    double off = 0.0;
    for (int i = 0; i <= sim_last(a); ++i)
        off = fmax(off, fabs(sim_get(a, i, column) - sim_get(b, i, column)));
    return off;
}

/// The histories differ by at most `part` of the peak of `b`.
static void check_apart(const sim_result* a, const sim_result* b, const char* column, double part)
{
    double peak = 0.0;
    for (int i = 0; i <= sim_last(b); ++i)
        peak = fmax(peak, fabs(sim_get(b, i, column)));
    const double off = apart(a, b, column);
    if (!(off <= part * peak)) printf("    %s: off by %g of %g\n", column, off, peak);
    CHECK(off <= part * peak);
}

// ---- Kuo's Delta ------------------------------------------------------------------------------

#define KUO                                                                                        \
    "flexible: {crank: {elements: 1, modes: full, torsion: polar},\n"                              \
    "           rod: {elements: 1, modes: full, torsion: polar}}\ninstants: 21\n"

/// The response by Kuo's assembly, one element per link: 20 times `n` steps.
static pkm_table* kuo_response(pkm_robot* robot, const char* motion, bool is_periodic, double step)
{
    const pkm_kuo_robot paper = pkm_kuo_robot_paper();
    const pkm_kuo_settings settings = {.n_element = 1};
    pkm_kuo_response_settings response = pkm_kuo_response_settings_defaults();
    pkm_kuo* kuo = NULL;
    pkm_motion* m = NULL;
    pkm_table* table = pkm_table_create();
    response.step = step;
    if (is_periodic) response.start = PKM_KUO_START_PERIODIC;
    CHECK(pkm_robot_find_motion(robot, motion, &m, NULL, NULL) == PKM_OK);
    CHECK(pkm_kuo_create(&paper, &settings, &kuo, NULL) == PKM_OK);
    CHECK(pkm_kuo_follow(kuo, m, &response, table, NULL, NULL) == PKM_OK);
    pkm_kuo_free(kuo);
    return table;
}

/// Largest difference of the platform's shifts over their peak, and of its turns.
static void kuo_apart(const char* motion, bool is_periodic, double step, double out[2])
{
    static const char* const ours[] = {"P.dx", "P.dy", "P.dz", "P.rx", "P.ry", "P.rz"};
    static const char* const theirs[] = {"dx", "dy", "dz", "rx", "ry", "rz"};
    char run[500];
    pkm_robot* robot = engine_load("kuo");
    pkm_ked_settings s = with_step(step);
    if (is_periodic) s.start = PKM_KED_START_PERIODIC;
    snprintf(run, sizeof run, "motion: %s\n" KUO, motion);
    ked_result r = ked_run_whole(robot, run, s);
    CHECK_NEAR(r.report.step, step, 1e-12);
    CHECK(r.report.n_coordinate == 36);
    pkm_table* table = kuo_response(robot, motion, is_periodic, step);
    const int each = (pkm_table_n_row(table) - 1) / 20;
    out[0] = out[1] = 0.0;
    for (int k = 0; k < 2; ++k) {
        double peak = 0.0, off = 0.0;
        for (int c = 3 * k; c < 3 * k + 3; ++c)
            for (int i = 0; i <= 20; ++i) {
                const double want =
                    pkm_table_get(table, each * i, pkm_table_find(table, theirs[c]));
                peak = fmax(peak, fabs(want));
                off = fmax(off, fabs(sim_get(&r.sim, i, ours[c]) - want));
            }
        out[k] = off / peak;
    }
    pkm_table_free(table);
    sim_free(&r.sim);
    pkm_robot_free(robot);
}

// Fixed axes there, turning axes here: the same equations, so that the two differ by the error of
// the steps alone and come together with their square. The torsional inertia of the rigid motion,
// which Kuo's loads leave out, is below 1e-5 of the turns.
static void kuo_agrees_in_other_axes(void)
{
    double coarse[2], fine[2];
    kuo_apart("inverted_u", false, 4e-3, coarse);
    kuo_apart("inverted_u", false, 2e-3, fine);
    CHECK(coarse[0] < 5e-5 && coarse[1] < 2e-4);
    CHECK_NEAR(coarse[0] / fine[0], 4.0, 0.2);
    CHECK_NEAR(coarse[1] / fine[1], 4.0, 0.3);
    kuo_apart("paper", true, 2.5e-3, fine);
    CHECK(fine[0] < 1e-5 && fine[1] < 1e-5);
}

// Coordinates chosen before every step, those of the start at the end of the period: what the start
// is, is the same but for the steps' error, which depends on the choices.
static void the_periodic_start_is_that_of_other_coordinates(void)
{
    static const char run[] = "motion: paper\n" KUO;
    pkm_robot* robot = engine_load("kuo");
    pkm_ked_settings s = with_step(2.5e-3);
    s.start = PKM_KED_START_PERIODIC;
    ked_result a = ked_run_whole(robot, run, s);
    CHECK(a.report.n_choice == 1);
    CHECK_NEAR(sim_get(&a.sim, 20, "P.dx"), sim_get(&a.sim, 0, "P.dx"), 2e-9); // of 7.5 mm
    s.is_choosing = true;
    ked_result b = ked_run_whole(robot, run, s);
    CHECK(b.report.n_choice > 400);
    check_apart(&a.sim, &b.sim, "P.dx", 1e-4);
    check_apart(&a.sim, &b.sim, "P.rx", 1e-4);
    CHECK(apart(&a.sim, &b.sim, "P.rz") < 1e-4 * sim_value(&a.sim, "absmax P.rx")); // rz is small
    sim_free(&a.sim);
    sim_free(&b.sim);
    pkm_robot_free(robot);
}

// A motion that begins at speed begins with the deflection of its forces, and with its rate. So on
// the circle the response is the periodic one but for a swing of the order of the square of turns
// over frequencies, (2 pi/20.5)^2 = 0.09. Free coordinates at rest instead, whichever they are,
// give the rods of joints that turn a shock of four times their forces.
static void what_begins_at_speed_begins_with_its_rate(void)
{
    static const char run[] = "motion: paper\n" KUO;
    static const char* const column[] = {"P.dx",        "P.dy",        "P.dz",       "P.rx",
                                         "1.rod.axial", "2.rod.axial", "3.rod.axial"};
    pkm_robot* robot = engine_load("kuo");
    pkm_ked_settings s = with_step(2.5e-3);
    ked_result a = ked_run_whole(robot, run, s);
    s.start = PKM_KED_START_PERIODIC;
    ked_result b = ked_run_whole(robot, run, s);
    for (size_t i = 0; i < sizeof column / sizeof column[0]; ++i)
        check_apart(&a.sim, &b.sim, column[i], 0.1);
    CHECK(sim_value(&a.sim, "absmax P.da") < 1.5 * sim_value(&b.sim, "absmax P.da"));
    sim_free(&a.sim);
    sim_free(&b.sim);
    pkm_robot_free(robot);
}

// ---- SIAX -------------------------------------------------------------------------------------

/// A column of the reference, to a part of its peak.
static void check_reference(const sim_result* r, const char* ours, const char* theirs, double part)
{
    const int column = find_column(theirs);
    double peak = 0.0, off = 0.0;
    for (int i = 0; i < ref.n_row; ++i) {
        peak = fmax(peak, fabs(ref.value[i][column]));
        off = fmax(off, fabs(sim_get(r, i, ours) - ref.value[i][column]));
    }
    if (!(off <= part * peak)) printf("    %s: off by %g of %g\n", ours, off, peak);
    CHECK(off <= part * peak);
}

// A platform of 5.5 kg on rods with up to 540 N: what these forces do on the displaced robot is one
// percent, which the linear model has only with `has_stiffening`.
static void siax_meets_the_reference(void)
{
    static const char* const shift[][2] = {{"P.dx", "dPx"}, {"P.dy", "dPy"}, {"P.dz", "dPz"}};
    static const char* const torque[][2] = {
        {"qA.dforce", "dTA"}, {"qB.dforce", "dTB"}, {"qC.dforce", "dTC"}};
    pkm_robot* robot = engine_load("siax");
    read_reference("siax_s2_flexible_adams_damping_ref.csv");
    for (int k = 0; k < 2; ++k) {
        ked_result r = ked_run_whole(
            robot, RODS("elements: 8, stiffening: false, damping: adams") "instants: 101\n",
            k ? stiffened(1e-4) : with_step(1e-4));
        for (int i = 0; i < 3; ++i) {
            check_reference(&r.sim, shift[i][0], shift[i][1], k ? 0.005 : 0.01);
            check_reference(&r.sim, torque[i][0], torque[i][1], 0.05);
        }
        CHECK_NEAR(sim_get(&r.sim, 0, "P.dz"), -2.205815e-6, 1e-9);
        sim_free(&r.sim);
    }
    pkm_robot_free(robot);
}

// Undamped, with the step that the program chooses.
static void siax_peaks_are_those_of_the_reference(void)
{
    static const struct {
        const char* name;
        double value;
    } peak[] = {{"absmax P.dp", 3.44e-4},   {"absmax P.dv", 3.32e-2},  {"absmax P.da", 8.34},
                {"absmax qA.dforce", 12.6}, {"absmax qB.dforce", 9.3}, {"absmax P.turn", 2.36e-3}};
    pkm_robot* robot = engine_load("siax");
    read_reference("siax_s2_flexible_undamped_ref.csv");
    ked_result r =
        ked_run_whole(robot, RODS("elements: 8") "instants: 401\n", pkm_ked_settings_defaults());
    for (size_t k = 0; k < sizeof peak / sizeof peak[0]; ++k)
        CHECK_NEAR(sim_value(&r.sim, peak[k].name), peak[k].value, 0.02 * peak[k].value);
    CHECK_NEAR(r.report.omega / 6.283185307179586, 44.7311, 1e-3); // of pairs of modes that lean
    const int column = find_column("dPz");
    for (int i = 0; i < ref.n_row; ++i)
        CHECK_NEAR(sim_get(&r.sim, 4 * i, "P.dz"), ref.value[i][column], 0.015 * 2.8e-4);
    sim_free(&r.sim);
    pkm_robot_free(robot);
}

// The step's error is of second order.
static void newmark_is_of_order_two(void)
{
    static const char run[] = RODS("elements: 4") "instants: 3\nfor: 5 ms\n";
    static const double step[] = {2e-5, 1e-5, 5e-6};
    double dx[3];
    pkm_robot* robot = engine_load("siax");
    for (int k = 0; k < 3; ++k) {
        ked_result r = ked_run_whole(robot, run, with_step(step[k]));
        dx[k] = sim_get(&r.sim, 2, "P.dx");
        sim_free(&r.sim);
    }
    CHECK_NEAR((dx[0] - dx[1]) / (dx[1] - dx[2]), 4.0, 0.1);
    pkm_robot_free(robot);
}

// ---- IRB 340 ----------------------------------------------------------------------------------

// Deflections of 20 um on a mm of bending: what the linear model neglects is less than the steps'
// error, and the two programs meet.
static void irb_meets_the_engine(void)
{
    static const char run[] = "motion: paper\nflexible: {left: {stiffening: false}, right: "
                              "{stiffening: false}}\ninstants: 31\nfor: 30 ms\n";
    pkm_robot* robot = engine_load("irb340");
    ked_result r = ked_run_whole(robot, run, stiffened(2e-5));
    sim_result s = sim_run_whole(robot, run);
    check_apart(&r.sim, &s, "P.dx", 5e-4);
    check_apart(&r.sim, &s, "P.dz", 1e-3);
    check_apart(&r.sim, &s, "P.turn", 1e-3);
    check_apart(&r.sim, &s, "qA.dforce", 5e-3);
    check_apart(&r.sim, &s, "A.left.deflection", 5e-4);
    check_apart(&r.sim, &s, "B.right.axial", 1e-3);
    sim_free(&s);
    sim_free(&r.sim);
    pkm_robot_free(robot);
}

// A damped spring and a spring on a hinge, stretched by the rigid motion and by the deflections.
static void springs_meet_the_engine(void)
{
    static const char run[] =
        "motion: paper\nflexible: {left: {stiffening: false}, right: {stiffening: false}}\n"
        "instants: 31\nfor: 30 ms\n"
        "loads:\n"
        "  pull: {spring: {stiffness: 5e3 N/m, damping: 200 N s/m, length: 0.8 m},\n"
        "         between: [ground.A.M, platform.P]}\n"
        "  hinge: {spring: {stiffness: 20 N m/rad, damping: 1 N m s/rad}, joint: A.motor}\n";
    pkm_robot* robot = engine_load("irb340");
    ked_result r = ked_run_whole(robot, run, stiffened(2e-5));
    sim_result s = sim_run_whole(robot, run);
    check_apart(&r.sim, &s, "P.dx", 5e-3);
    check_apart(&r.sim, &s, "P.dz", 5e-3);
    check_apart(&r.sim, &s, "qA.force", 5e-3);
    check_apart(&r.sim, &s, "qB.force", 5e-3);
    sim_free(&s);
    sim_free(&r.sim);
    pkm_robot_free(robot);
}

// ---- rigid limit ------------------------------------------------------------------------------

// Where vibrations are damped away the rods yield like 1 / E, and the drives bear what the rigid
// robot asks of them.
static void stiff_rods_meet_the_rigid_robot(void)
{
    static const char run[] = RODS("elements: 4, damping: 0.1") "instants: 21\nfor: 20 ms\n";
    static const char* const young[] = {"2070 GPa", "20700 GPa", "207000 GPa"};
    double dp[3], force[3];
    for (int k = 0; k < 3; ++k) {
        pkm_robot* robot = sim_load_changed("siax", "207 GPa", young[k]);
        ked_result r = ked_run_whole(robot, run, with_step(2e-5));
        dp[k] = sim_value(&r.sim, "absmax P.dp");
        force[k] = fabs(sim_get(&r.sim, 20, "qA.dforce"));
        sim_free(&r.sim);
        pkm_robot_free(robot);
    }
    CHECK_NEAR(dp[0] / dp[1], 10.0, 0.3);
    CHECK_NEAR(dp[1] / dp[2], 10.0, 0.03);
    CHECK(force[1] < force[0] / 10.0 && force[2] < 1e-5 * 425.5);
}

// ---- one beam ---------------------------------------------------------------------------------

static const char beam[] = "pkm: 1\nname: beam on a hinge\ngravity: [0, 0, -9.81]\n"
                           "materials: {steel: {density: 7800, young: 210e9, poisson: 0.3}}\n"
                           "ground: {points: {O: [0, 0, 0]}}\n"
                           "bodies:\n"
                           "  rod:\n"
                           "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
                           "    shape: {rod: {from: A, to: B, diameter: 10 mm}, material: steel}\n"
                           "joints: {hub: {type: revolute, between: [ground.O, rod.A], axis: z}}\n"
                           "drives: {q: {joint: hub}}\n"
                           "tool: {point: rod.B, moves: [rz]}\n"
                           "motions:\n"
                           "  rest: {law: quintic, duration: 0.2 s, drives: {q: [0, 0]}}\n"
                           "  swing: {law: quintic, duration: 0.5 s, drives: {q: [0, 20 deg]}}\n";

// Let go straight, a cantilever swings about its static sag rho A g L^4 / 8 E I: at the start with
// -g along its whole length; its first mode has 96 % of the sag, and the period of 3.5160
// sqrt(EI / rho A L^4).
static void a_beam_let_go_swings_about_its_sag(void)
{
    const double EI_m = 210e9 / 7800.0 * 0.01 * 0.01 / 16.0; // E I / rho A = E/rho d^2/16
    const double sag = 9.81 / (8.0 * EI_m),
                 period = 2.0 * 3.14159265358979 / 3.51601527 / sqrt(EI_m);
    pkm_robot* robot = engine_from(beam);
    const char run[] = "motion: rest\nflexible: {rod: {}}\ninstants: 201\n";
    ked_result still = ked_run_whole(robot, run, with_step(1e-4));
    CHECK_NEAR(sim_get(&still.sim, 0, "B.dz"), -sag, 1e-6 * sag);
    CHECK_NEAR(sim_get(&still.sim, 200, "B.dz"), -sag, 1e-6 * sag);
    pkm_ked_settings s = with_step(1e-4);
    s.start = PKM_KED_START_UNDEFORMED;
    ked_result r = ked_run_whole(robot, run, s);
    CHECK_NEAR(r.report.omega, 2.0 * 3.14159265358979 / period, 1e-4 * r.report.omega);
    CHECK_NEAR(sim_value(&r.sim, "min B.dz"), -2.0 * sag, 0.05 * sag);
    const int at = (int)lround(period / 1e-3);
    CHECK(at < 200 && fabs(sim_get(&r.sim, at, "B.dz")) < 0.02 * sag);
    // about its sag: 3/2 of its square, but for the last wave; three rows are enough
    const double rms = sim_value(&r.sim, "rms B.dp");
    CHECK_NEAR(rms, sqrt(1.5) * sag, 0.05 * sag);
    ked_result few = ked_run_whole(robot, "motion: rest\nflexible: {rod: {}}\ninstants: 3\n", s);
    CHECK_NEAR(sim_value(&few.sim, "rms B.dp"), rms, 1e-9 * rms);
    sim_free(&few.sim);
    sim_free(&r.sim);
    sim_free(&still.sim);
    pkm_robot_free(robot);
}

static void a_swinging_beam_meets_the_engine(void)
{
    static const char run[] = "motion: swing\nflexible: {rod: {stiffening: false}}\ninstants: 41\n";
    pkm_robot* robot = engine_from(beam);
    ked_result a = ked_run_whole(robot, run, stiffened(1e-4));
    sim_result b = sim_run_whole(robot, run);
    check_apart(&a.sim, &b, "B.dx", 0.02);
    check_apart(&a.sim, &b, "B.dy", 0.01);
    check_apart(&a.sim, &b, "B.dz", 0.01);
    check_apart(&a.sim, &b, "q.dforce", 0.01);
    sim_free(&a.sim);
    sim_free(&b);
    pkm_robot_free(robot);
}

// The tool's turn counts from the ideal robot, which has turned by 20 degrees: it is the slope of
// the sag, rho A g L^3 / 6 E I, about the axis across the beam as it stands now.
static void turns_count_from_the_ideal_robot(void)
{
    static const char run[] = "motion: swing\nflexible: {rod: {damping: 0.3}}\ninstants: 41\n";
    const double slope = 9.81 / (6.0 * 210e9 / 7800.0 * 0.01 * 0.01 / 16.0);
    const double turned = 20.0 * 3.14159265358979 / 180.0;
    pkm_robot* robot = engine_from(beam);
    ked_result linear = ked_run_whole(robot, run, with_step(2e-4));
    sim_result whole = sim_run_whole(robot, run);
    for (int i = 0; i < 2; ++i) {
        const sim_result* r = i ? &whole : &linear.sim;
        CHECK_NEAR(sim_get(r, 0, "B.turn"), slope, 1e-3 * slope);
        // the swing has left some ringing about z
        CHECK_NEAR(sim_get(r, 40, "B.turn"), slope, 0.03 * slope);
        CHECK_NEAR(sim_get(r, 40, "B.rx"), -slope * sin(turned), 0.01 * slope);
        CHECK_NEAR(sim_get(r, 40, "B.ry"), slope * cos(turned), 0.01 * slope);
    }
    sim_free(&whole);
    sim_free(&linear.sim);
    pkm_robot_free(robot);
}

/// The beam without weight on a crank, its tip drawn by a long spring to a point beyond it, or the
/// tip of a rigid bracket of 0.2 m that stands on it.
#define DRAWN(tool)                                                                                \
    "pkm: 1\nname: drawn beam\ngravity: [0, 0, 0]\n"                                               \
    "materials: {steel: {density: 7800, young: 210e9, poisson: 0.3}}\n"                            \
    "ground: {points: {O: [0, 0, 0], E: [1.5, 0, 0]}}\n"                                           \
    "bodies:\n"                                                                                    \
    "  rod:\n"                                                                                     \
    "    points: {A: [0, 0, 0], B: [1, 0, 0], C: [1, 0, 0.2]}\n"                                   \
    "    shape: {rod: {from: A, to: B, diameter: 10 mm}, material: steel}\n"                       \
    "joints: {hub: {type: revolute, between: [ground.O, rod.A], axis: y}}\n"                       \
    "drives: {q: {joint: hub}}\n"                                                                  \
    "tool: {point: rod." tool ", moves: [ry]}\n"                                                   \
    "motions: {rest: {law: quintic, duration: 0.01 s, drives: {q: [0, 0]}}}\n"

/// Tip of a cantilever of 1 m under the force P across and the tension T along it, of a spring that
/// ends `beyond` its tip (infinity: a dead force): w = A (ch kx - 1) + B (sh kx - kx), k^2 = T/EI,
/// no moment at the tip and T w/beyond + (-T B k) = P there.
static double drawn_tip(double EI, double P, double T, double beyond)
{
    const double k = sqrt(T / EI), ratio = -tanh(k); // A = ratio B
    const double w = ratio * (cosh(k) - 1.0) + sinh(k) - k;
    return P / (T * (w / beyond - k)) * w;
}

// A spring that bears a force holds across its line, too, with T over its length; and tension
// straightens the beam. Springs in tension are not for the model without the geometry of forces.
static void a_drawn_beam_is_held_across(void)
{
    const double EI = 210e9 * 3.14159265358979 * 1e-8 / 64.0, T = 150.0, P = 0.2;
    const double w = drawn_tip(EI, P, T, 0.5);
    // of a soft spring, stretched by 0.499 m of its 0.5
    const char run[] = "motion: rest\nflexible: {rod: {elements: 16, modes: full}}\ninstants: 2\n"
                       "loads: {s: {spring: {stiffness: =150/0.499, length: 1 mm}, between: "
                       "[rod.B, ground.E]}}\n";
    pkm_robot* robot = engine_from(DRAWN("B"));
    pkm_ked_settings pulled = stiffened(1e-4);
    pulled.tool_force = (pkm_vec3){0.0, 0.0, P};
    ked_result r = ked_run_whole(robot, run, pulled);
    // the stretched beam is 9 um nearer to the end of the spring
    CHECK_NEAR(sim_get(&r.sim, 0, "B.dz"), w, 1e-4 * w);
    CHECK(w < 0.8 * drawn_tip(EI, P, T, INFINITY));
    sim_free(&r.sim);
    ked_result plain = ked_run(robot, run, with_step(1e-4));
    CHECK(plain.sim.status == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(plain.sim.err.text, "loads.spring (s): it bears 150 N at t = 0 s");
    CHECK_CONTAINS(plain.sim.err.text, "--stiffening");
    sim_free(&plain.sim);
    pkm_robot_free(robot);
}

// A dead force F along a bracket of the length s that stands on the tip holds it upright with F s
// per angle: theta = F L^2/(2 EI) - F s theta L/EI, w = F L^3/(3 EI) - F s theta L^2/(2 EI).
static void a_load_turns_with_its_arm(void)
{
    static const char run[] =
        "motion: rest\nflexible: {rod: {elements: 16, modes: full}}\ninstants: 2\n";
    const double EI = 210e9 * 3.14159265358979 * 1e-8 / 64.0, F = 0.4 * EI, s = 0.2;
    pkm_robot* robot = engine_from(DRAWN("C"));
    pkm_ked_settings up = stiffened(1e-4);
    up.tool_force = (pkm_vec3){0.0, 0.0, F};
    ked_result r = ked_run_whole(robot, run, up);
    const double turn = 0.5 * F / (EI + F * s);
    CHECK_NEAR(sim_get(&r.sim, 0, "C.ry"), -turn, 1e-6 * turn);
    CHECK_NEAR(sim_get(&r.sim, 0, "C.dz"), F / (3.0 * EI) - 0.5 * F * s * turn / EI, 1e-7);
    sim_free(&r.sim);
    pkm_robot_free(robot);
}

// Turning at 3 sqrt(EI / rho A L^4) the first flap frequency is 4.7973 (Wright, Smith, Thresher and
// Wang 1982): the quasi-static axial forces are those of the rigid motion.
static void a_turning_beam_is_stiffer(void)
{
    const double unit = sqrt(210e9 / 7800.0) * 0.01 / 4.0;
    char text[2000], rate[32];
    snprintf(rate, sizeof rate, "%.12g rad", 0.2 * 3.0 * unit);
    snprintf(text, sizeof text,
             "%s  fast: {law: constant, duration: 0.2 s, drives: {q: [0, %s]}}\n", beam, rate);
    pkm_robot* robot = engine_from(text);
    const char run[] =
        "motion: fast\nflexible: {rod: {elements: 16, modes: full}}\ninstants: 2\nfor: 1 ms\n";
    ked_result r = ked_run_whole(robot, run, stiffened(1e-4));
    CHECK_NEAR(r.report.omega / unit, 4.7973, 3e-3); // forces are constant in an element
    sim_free(&r.sim);
    r = ked_run_whole(robot, run, with_step(1e-4));
    CHECK_NEAR(r.report.omega / unit, 3.5160, 1e-3);
    sim_free(&r.sim);
    pkm_robot_free(robot);
}

/// A rigid disc on a shaft that spins up: gyroscopic moments, and inertia forces on a disc that is
/// tilted.
static const char rotor[] =
    "pkm: 1\nname: rotor\ngravity: [0, 0, -9.81]\n"
    "materials: {steel: {density: 7800, young: 210e9, poisson: 0.3}}\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  shaft: {points: {A: [0, 0, 0], B: [0.3, 0, 0]},\n"
    "    shape: {rod: {from: A, to: B, diameter: 8 mm}, material: steel}}\n"
    "  disc: {mass: 0.5, com: [0.03, 0, 0], inertia: [4e-3, 2e-3, 2e-3], pose: {at: [0.3, 0, 0]},\n"
    "    points: {B: [0, 0, 0], P: [0.05, 0, 0]}}\n"
    "joints:\n"
    "  bearing: {type: revolute, between: [ground.O, shaft.A], axis: x}\n"
    "  weld: {type: fixed, between: [shaft.B, disc.B]}\n"
    "drives: {q: {joint: bearing}}\n"
    "tool: {point: disc.P, moves: [rx]}\n"
    "motions: {spin: {law: quintic, duration: 0.4 s, drives: {q: [0, 600 deg]}}}\n";

// Tilted by its weight, the disc wants to stand across the axis of its spin: 3 % of the sag, which
// the linear terms alone do not have.
static void a_disc_on_a_shaft_meets_the_engine(void)
{
    static const char run[] = "motion: spin\nflexible: {shaft: {stiffening: false}}\n"
                              "instants: 81\ntolerance: 1e-8\n";
    pkm_robot* robot = engine_from(rotor);
    ked_result a = ked_run_whole(robot, run, stiffened(1e-4));
    sim_result b = sim_run_whole(robot, run);
    check_apart(&a.sim, &b, "P.dz", 5e-4);
    check_apart(&a.sim, &b, "shaft.deflection", 5e-4);
    sim_free(&a.sim);
    a = ked_run_whole(robot, run, with_step(1e-4));
    CHECK(apart(&a.sim, &b, "P.dz") > 4e-5);
    sim_free(&a.sim);
    sim_free(&b);
    pkm_robot_free(robot);
}

static const char arm[] =
    "pkm: 1\nname: arm\ngravity: [0, 0, 0]\n"
    "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  arm: {points: {A: [0, 0, 0], B: [1, 0, 0]}, shape: [{rod: {from: A, to: B, diameter: 10 "
    "mm}, "
    "material: steel}]}\n"
    "joints: {hub: {type: revolute, between: [ground.O, arm.A], axis: z}}\n"
    "drives: {q: {joint: hub}}\n"
    "tool: arm.B\n"
    "motions: {up: {law: quintic, duration: 4 s, drives: {q: [0, 9400 deg]}}}\n";

// At 45 rad/s (t = 1.05 s) the arm would lose its stiffness in the plane of rotation; tension keeps
// it. It bends by 1 % of its length, which leaves 0.3 % between the linear model and the engine.
static void a_turning_arm_passes_the_critical_speed_of_the_slack_one(void)
{
    static const char run[] = "for: 1.5\ninstants: 151\nflexible: {arm: {elements: 4, modes: 2}}\n"
                              "integrator: explicit\n";
    pkm_robot* robot = engine_from(arm);
    ked_result a = ked_run_whole(robot, run, stiffened(1e-3));
    sim_result b = sim_run_whole(robot, run);
    check_apart(&a.sim, &b, "arm.deflection", 0.004);
    sim_free(&a.sim);
    // without tension it grows without bound: no answer
    a = ked_run(robot, run, with_step(1e-3));
    CHECK(a.sim.status == PKM_ERR_NUMBERS);
    CHECK_CONTAINS(a.sim.err.text, "arm turns by");
    sim_free(&a.sim);
    sim_free(&b);
    pkm_robot_free(robot);
}

/// A soft bar that turns at 10 rad/s, rho W^2 L^2 / E = 0.1.
static const char soft[] =
    "pkm: 1\nname: soft bar\ngravity: [0, 0, 0]\n"
    "materials: {rubber: {density: 1000, young: 1e6, poisson: 0.3}}\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  bar: {points: {A: [0, 0, 0], B: [1, 0, 0]}, shape: [{rod: {from: A, to: B, diameter: 0.1 "
    "m}, material: rubber}]}\n"
    "joints: {hub: {type: revolute, between: [ground.O, bar.A], axis: z}}\n"
    "drives: {q: {joint: hub}}\n"
    "tool: bar.B\n"
    "motions: {turn: {law: constant, duration: 1 s, drives: {q: [0, 10 rad]}}}\n";

// Without the terms of turning axes the loads of the rigid motion stretch it by rho W^2 L^3 / 3 E,
// E A u'' = -rho A W^2 x, and it stays so. With them it is longer, since what is stretched lies
// farther out, and stays so, too: E A u'' = -rho A W^2 (x + u) has u(L) = (tan(k) / k - 1) L,
// k^2 = 0.1. Of linear elements of length h the places x + u at the nodes are sin(n b), with
// cos(b) = (1 - (k h)^2 / 3) / (1 + (k h)^2 / 6), and the last one tan(L b / h) / (k_h sin(b)),
// k_h = 1 / h + k^2 h / 6.
static void a_turning_bar_keeps_its_stretch(void)
{
    static const char run[] =
        "for: 0.05\ninstants: 11\nflexible: {bar: {elements: 8, modes: full}}\n";
    pkm_robot* robot = engine_from(soft);
    pkm_ked_settings s = with_step(1e-3);
    s.without_coupling = true;
    ked_result r = ked_run_whole(robot, run, s);
    for (int i = 0; i < 11; ++i)
        CHECK_NEAR(sim_get(&r.sim, i, "B.dp"), 0.1 / 3.0, 1e-8);
    sim_free(&r.sim);
    r = ked_run_whole(robot, run, with_step(1e-3));
    const double kk = 0.1, k = sqrt(kk), b = acos((1.0 - kk / 192.0) / (1.0 + kk / 384.0));
    const double there = tan(8.0 * b) / ((8.0 + kk / 48.0) * sin(b)) - 1.0;
    CHECK_NEAR(there, tan(k) / k - 1.0, 5e-6); // (k h)^2 / 12 of it, and a little
    CHECK_NEAR(sim_get(&r.sim, 0, "B.dp"), there, 1e-12);
    for (int i = 1; i < 11; ++i)
        CHECK_NEAR(sim_get(&r.sim, i, "B.dp"), sim_get(&r.sim, 0, "B.dp"), 1e-12);
    sim_free(&r.sim);
    s = with_step(1e-3);
    s.start = PKM_KED_START_UNDEFORMED;
    r = ked_run_whole(robot, run, s);
    CHECK_NEAR(sim_get(&r.sim, 0, "B.dp"), 0.0, 1e-12);
    CHECK(sim_get(&r.sim, 10, "B.dp") > 1e-3);
    sim_free(&r.sim);
    pkm_robot_free(robot);
}

/// Value of a vector's columns by differences over rows `i` -+ 1, `order` 1 or 2.
static double difference(const sim_result* r, int i, int order, double h)
{
    static const char* const column[] = {"P.dx", "P.dy", "P.dz"};
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double a = sim_get(r, i - 1, column[k]), b = sim_get(r, i, column[k]);
        const double c = sim_get(r, i + 1, column[k]);
        const double d = order == 1 ? (c - a) / (2.0 * h) : (c - 2.0 * b + a) / (h * h);
        sum += d * d;
    }
    return sqrt(sum);
}

// Velocities and accelerations are counted in axes that turn; shifts in those of the world.
static void rates_are_derivatives(void)
{
    static const char run[] = "motion: spin\nflexible: {shaft: {damping: 0.1}}\ninstants: 1001\n";
    const double h = 0.4 / 1000;
    double speed = 0.0, off_speed = 0.0, rate = 0.0, off_rate = 0.0;
    pkm_robot* robot = engine_from(rotor);
    ked_result r = ked_run_whole(robot, run, stiffened(h));
    for (int i = 1; i < 1000; ++i) {
        const double v = sim_get(&r.sim, i, "P.dv"), a = sim_get(&r.sim, i, "P.da");
        speed = fmax(speed, v);
        rate = fmax(rate, a);
        off_speed = fmax(off_speed, fabs(difference(&r.sim, i, 1, h) - v));
        off_rate = fmax(off_rate, fabs(difference(&r.sim, i, 2, h) - a));
    }
    CHECK(off_speed < 0.01 * speed && off_rate < 0.05 * rate);
    if (off_rate >= 0.05 * rate)
        printf("    %g of %g, %g of %g\n", off_speed, speed, off_rate, rate);
    sim_free(&r.sim);
    pkm_robot_free(robot);
}

// ---- coordinates that change ------------------------------------------------------------------

/// A four-bar whose crank goes round, all links of steel bars.
#define LINKAGE(B, C)                                                                              \
    "pkm: 1\nname: four-bar\ngravity: [0, -9.81, 0]\n"                                             \
    "materials: {steel: {density: 7800, young: 210e9, poisson: 0.3}}\n"                            \
    "ground: {points: {A: [0, 0, 0], D: [0.4, 0, 0]}}\n"                                           \
    "bodies:\n"                                                                                    \
    "  crank: {points: {A: [0, 0, 0], B: [0.1, 0, 0]}, pose: {at: [0, 0, 0], rotate: {z: 60 "      \
    "deg}},\n"                                                                                     \
    "    shape: {rod: {from: A, to: B, diameter: 4 mm}, material: steel}}\n"                       \
    "  coupler: {points: {B: [0, 0, 0], C: [0.35, 0, 0]},\n"                                       \
    "    pose: {at: [0.05, 0.1, 0], rotate: {z: 20 deg}},\n"                                       \
    "    shape: {rod: {from: B, to: C, diameter: 4 mm}, material: steel}}\n"                       \
    "  rocker: {points: {D: [0, 0, 0], C: [0.3, 0, 0]}, pose: {at: [0.4, 0, 0], rotate: {z: 95 "   \
    "deg}},\n"                                                                                     \
    "    shape: {rod: {from: D, to: C, diameter: 4 mm}, material: steel}}\n"                       \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, between: [ground.A, crank.A]}\n"                                        \
    "  B: {type: revolute, between: [" B "]}\n"                                                    \
    "  C: {type: spherical, between: [" C "]}\n"                                                   \
    "  D: {type: revolute, between: [ground.D, rocker.D]}\n"                                       \
    "drives: {q: {joint: A}}\n"                                                                    \
    "tool: coupler.C\n"                                                                            \
    "motions:\n"                                                                                   \
    "  round: {law: quintic, duration: 0.25 s, drives: {q: [60 deg, 420 deg]}}\n"                  \
    "  even: {law: constant, duration: 0.25 s, drives: {q: [60 deg, 120 deg]}}\n"

static const char linkage[] = LINKAGE("crank.B, coupler.B", "coupler.C, rocker.C");
static const char turned_round[] = LINKAGE("coupler.B, crank.B", "rocker.C, coupler.C");

// What is at rest in a motion that begins with speed does not depend on which side of a joint is
// named first, and so not on which coordinates are independent.
static void a_start_does_not_depend_on_coordinates(void)
{
    static const char run[] =
        "motion: even\nfor: 0.1 ms\ninstants: 2\nflexible: {'*': {modes: full, elements: 2}}\n";
    static const char* const column[] = {"C.dx", "C.dy", "C.dv", "C.da"};
    pkm_robot* robot[2] = {engine_from(linkage), engine_from(turned_round)};
    ked_result r[2];
    for (int i = 0; i < 2; ++i)
        r[i] = ked_run_whole(robot[i], run, with_step(5e-5));
    for (int k = 0; k < 4; ++k) {
        const double one = sim_get(&r[0].sim, 0, column[k]);
        CHECK_NEAR(sim_get(&r[1].sim, 0, column[k]), one, 1e-6 * fabs(one));
    }
    for (int i = 0; i < 2; ++i) {
        sim_free(&r[i].sim);
        pkm_robot_free(robot[i]);
    }
}

// Damped, so that only what is excited is compared.
static void a_linkage_goes_round(void)
{
    static const char run[] = "motion: round\ninstants: 51\ntolerance: 1e-8\n"
                              "flexible: {'*': {stiffening: false, damping: 0.05}}\n";
    pkm_robot* robot = engine_from(linkage);
    ked_result a = ked_run_whole(robot, run, stiffened(1e-4));
    sim_result b = sim_run_whole(robot, run);
    check_apart(&a.sim, &b, "C.dx", 0.01);
    check_apart(&a.sim, &b, "C.dy", 0.01);
    check_apart(&a.sim, &b, "q.force", 0.01);
    check_apart(&a.sim, &b, "coupler.deflection", 0.01);
    sim_free(&b);
    // Other coordinates before every step: the same but for the steps' error.
    pkm_ked_settings s = stiffened(1e-4);
    s.is_choosing = true;
    ked_result c = ked_run_whole(robot, run, s);
    CHECK(c.report.n_choice > 1000);
    check_apart(&a.sim, &c.sim, "C.dx", 1e-3);
    check_apart(&a.sim, &c.sim, "q.force", 1e-3);
    sim_free(&a.sim);
    sim_free(&c.sim);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(kuo_agrees_in_other_axes);
    RUN(the_periodic_start_is_that_of_other_coordinates);
    RUN(what_begins_at_speed_begins_with_its_rate);
    RUN(siax_meets_the_reference);
    RUN(siax_peaks_are_those_of_the_reference);
    RUN(newmark_is_of_order_two);
    RUN(irb_meets_the_engine);
    RUN(springs_meet_the_engine);
    RUN(stiff_rods_meet_the_rigid_robot);
    RUN(a_beam_let_go_swings_about_its_sag);
    RUN(a_swinging_beam_meets_the_engine);
    RUN(turns_count_from_the_ideal_robot);
    RUN(a_drawn_beam_is_held_across);
    RUN(a_load_turns_with_its_arm);
    RUN(a_turning_beam_is_stiffer);
    RUN(a_disc_on_a_shaft_meets_the_engine);
    RUN(a_turning_arm_passes_the_critical_speed_of_the_slack_one);
    RUN(a_turning_bar_keeps_its_stretch);
    RUN(rates_are_derivatives);
    RUN(a_start_does_not_depend_on_coordinates);
    RUN(a_linkage_goes_round);
    return check_report();
}
