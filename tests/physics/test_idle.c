/// Freedoms that move neither drives nor tool: they swing in simulations, inverse dynamics refuses
/// or integrates them, and only spins that nothing can turn stay held.
#include "simulate.h"
#include "table/warnings.h"

// ---- a pendulum on a driven trolley -----------------------------------------------------------

static const char trolley[] =
    "pkm: 1\n"
    "name: trolley\n"
    "gravity: [0, 0, -9.81]\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  trolley: {mass: 5 kg, points: {P: [0, 0, 0]}}\n"
    "  load: {mass: 1 kg, com: [0, 0, -1], inertia: [0.01, 0.01, 0.01],\n"
    "         points: {H: [0, 0, 0], C: [0, 0, -1]}, pose: {at: [0, 0, 0], rotate: {y: TILT}}}\n"
    "joints:\n"
    "  rail: {type: prismatic, between: [ground.O, trolley.P], axis: AXIS}\n"
    "  hook: {type: revolute, between: [trolley.P, load.H], axis: y}\n"
    "drives: {x: {joint: rail}}\n"
    "TOOL\n"
    "outputs: [load.C]\n"
    "motions:\n"
    "  go: {duration: 1 s, drives: {x: [0, 1 m]}}\n"
    "  path: {duration: 1 s, path: {line: {from: [0, 0, 0], to: [1, 0, 0]}}}\n";

/// The trolley with words replaced: tilt of the pendulum, axis of the rail, line of the tool.
static pkm_robot* make_trolley(const char* tilt, const char* axis, const char* tool)
{
    const char* const from[] = {"TILT", "AXIS", "TOOL"};
    const char* const to[] = {tilt, axis, tool};
    char text[2000], next[2000];
    snprintf(text, sizeof text, "%s", trolley);
    for (int k = 0; k < 3; ++k) {
        const char* at = strstr(text, from[k]);
        if (!at) return NULL;
        snprintf(next, sizeof next, "%.*s%s%s", (int)(at - text), text, to[k], at + 4);
        memcpy(text, next, sizeof text);
    }
    if (!*tool || *axis != 'x') *strstr(text, "  path:") = 0; // motions of the tool need one in x
    return engine_from(text);
}

static double law_acceleration(double s)
{
    return 60.0 * s - 180.0 * s * s + 120.0 * s * s * s;
}

/// theta'' of a pendulum of 1 kg, 1 m and 0.01 kg m2 on a trolley with acceleration a; theta turns
/// it about y, so that its mass is at -sin(theta).
static double swing(double t, double theta)
{
    return (-9.81 * sin(theta) + law_acceleration(t) * cos(theta)) / 1.01;
}

/// Place and force by the classical Runge-Kutta method with 4000 steps: exact to 1e-12.
static void truth(double theta, double t_end, double* x, double* force)
{
    const int n = 4000;
    const double h = t_end / n;
    double w = 0.0;
    for (int i = 0; i < n; ++i) {
        const double t = i * h;
        const double a1 = swing(t, theta), w2 = w + 0.5 * h * a1;
        const double a2 = swing(t + 0.5 * h, theta + 0.5 * h * w), w3 = w + 0.5 * h * a2;
        const double a3 = swing(t + 0.5 * h, theta + 0.5 * h * w2), w4 = w + h * a3;
        const double a4 = swing(t + h, theta + h * w3);
        theta += h / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4);
        w += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    const double s = t_end, a = law_acceleration(s);
    *x = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s) - sin(theta);
    // 6 a - d2/dt2 sin(theta)
    *force = 6.0 * a - (swing(s, theta) * cos(theta) - w * w * sin(theta));
}

// Wherever the tool is, or without one, the pendulum swings as its equation says. Errors of the
// implicit methods add up over the steps, hence their bands.
static void a_pendulum_on_a_driven_trolley_swings(void)
{
    static const char* const tool[] = {"tool: trolley.P", "tool: load.C", ""};
    for (int k = 0; k < 3; ++k) {
        pkm_robot* robot = make_trolley("30 deg", "x", tool[k]);
        for (int m = 0; robot && m < (k == 0 ? PKM_N_INTEGRATOR : 1); ++m) {
            char text[200];
            snprintf(text, sizeof text, "motion: go\ninstants: 5\nintegrator: %s\n%s",
                     pkm_integrator_name[m], m == 0 ? "" : "tolerance: 1e-8\n");
            sim_result run = sim_run_whole(robot, text);
            for (int i = 1; i < 5; ++i) {
                double x, force;
                truth(asin(0.5), 0.25 * i, &x, &force);
                CHECK_NEAR(sim_get(&run, i, "C.x"), x, m == 0 ? 1e-10 : 5e-5);
                CHECK_NEAR(sim_get(&run, i, "x.force"), force, m == 0 ? 1e-9 : 5e-4);
            }
            sim_free(&run);
        }
        pkm_robot_free(robot);
    }
}

/// Inverse dynamics of a motion into a new table.
static pkm_status inverse(pkm_robot* robot, int motion, pkm_idle_choice idle, pkm_table** out,
                          pkm_error* err)
{
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = 5;
    settings.idle = idle;
    *out = pkm_table_create();
    return pkm_inverse_run(robot, motion, &settings, *out, NULL, err);
}

// At 30 degrees 1 kg at 1 m takes 9.81 / 2 N m to hold.
static void inverse_dynamics_refuses_and_names_joint_and_moment(void)
{
    pkm_robot* robot = make_trolley("30 deg", "x", "tool: trolley.P");
    pkm_error err = {0};
    pkm_table* table;
    CHECK(inverse(robot, 0, PKM_IDLE_REFUSE, &table, &err) == PKM_ERR_UNDETERMINED);
    CHECK(strstr(err.text, "joint hook") && strstr(err.text, "4.905 N m"));
    CHECK(strstr(err.text, "idle: integrate") != NULL);
    CHECK(pkm_table_n_row(table) == 0);
    pkm_table_free(table);
    pkm_instant now = {.a = {1.0}};
    CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, &err) == PKM_ERR_UNDETERMINED);
    pkm_robot_free(robot);
}

// From rest, hanging: the force is that of the swinging pendulum, whether the motion is given at
// the drive or at the tool, and wherever the model had put the pendulum.
static void integrated_idle_freedoms_start_in_equilibrium(void)
{
    static const char* const tilt[] = {"0 deg", "30 deg", "-150 deg"};
    for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 2; ++m) {
            pkm_robot* robot = make_trolley(tilt[k], "x", "tool: trolley.P");
            pkm_error err = {0};
            pkm_table* table;
            CHECK(inverse(robot, m, PKM_IDLE_INTEGRATE, &table, &err) == PKM_OK);
            CHECK(pkm_table_n_row(table) == 5);
            for (int i = 0; i < pkm_table_n_row(table); ++i) {
                double x, force;
                truth(0.0, 0.25 * i, &x, &force);
                CHECK_NEAR(pkm_table_get(table, i, pkm_table_find(table, "C.x")), x, 1e-9);
                CHECK_NEAR(pkm_table_get(table, i, pkm_table_find(table, "x.force")), force, 1e-8);
            }
            const pkm_warnings* warnings = pkm_table_get_warnings(table);
            CHECK(warnings->n == 1 && strstr(warnings->item[0].text, "depend on that start"));
            pkm_table_free(table);
            pkm_robot_free(robot);
        }
}

// Five rows, none of them near the largest and the smallest force: those of the pendulum are found
// all the same, the freedoms going back in time to them.
static void peaks_of_integrated_freedoms_are_found_between_the_rows(void)
{
    double most = 0.0, least = 0.0, x, force, squares = 0.0;
    const int n = 400;
    for (int i = 0; i <= n; ++i) {
        truth(0.0, (double)i / n, &x, &force);
        most = fmax(most, force);
        least = fmin(least, force);
        squares += (i % n == 0 ? 0.5 : 1.0) * force * force / n;
    }
    for (int m = 0; m < 2; ++m) { // given at the drive, at the tool
        pkm_robot* robot = make_trolley("0 deg", "x", "tool: trolley.P");
        pkm_error err = {0};
        pkm_table* table;
        CHECK(inverse(robot, m, PKM_IDLE_INTEGRATE, &table, &err) == PKM_OK);
        const int c = pkm_table_find(table, "x.force");
        // 1e-5 of the largest is not looked for; instants of the truth are 2.5 ms apart
        CHECK_NEAR(pkm_table_reduce(table, c, PKM_REDUCE_MAX, NULL), most, 3e-5 * most);
        CHECK_NEAR(pkm_table_reduce(table, c, PKM_REDUCE_MIN, NULL), least, 3e-5 * most);
        CHECK_NEAR(pkm_table_reduce(table, c, PKM_REDUCE_RMS, NULL), sqrt(squares), 1e-5 * most);
        double at_end;
        truth(0.0, 1.0, &x, &at_end); // the robot stands where the run ended
        CHECK_NEAR(pkm_table_get(table, 4, c), at_end, 1e-8);
        pkm_table_free(table);
        pkm_robot_free(robot);
    }
}

// A quintic law has no acceleration at its start, middle and end: without weight the pendulum is
// held by nothing there, but it is in between, whatever the rows.
static void rows_where_nothing_accelerates_do_not_hide_a_freedom(void)
{
    pkm_robot* robot = make_trolley("30 deg", "x", "tool: trolley.P");
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    settings.n_instant = 3;
    robot->mech->gravity = (pkm_vec3){0.0, 0.0, 0.0};
    CHECK(pkm_inverse_run(robot, 0, &settings, table, NULL, &err) == PKM_ERR_UNDETERMINED);
    CHECK(pkm_table_n_row(table) == 1);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// On a lift the pendulum hangs still: nothing holds it, and the force is 6 kg (g + a).
static void a_freedom_that_nothing_holds_is_no_reason_to_refuse(void)
{
    pkm_robot* robot = make_trolley("0 deg", "z", "tool: trolley.P");
    pkm_error err = {0};
    pkm_table* table;
    CHECK(inverse(robot, 0, PKM_IDLE_REFUSE, &table, &err) == PKM_OK);
    for (int i = 0; i < pkm_table_n_row(table); ++i)
        CHECK_NEAR(pkm_table_get(table, i, pkm_table_find(table, "x.force")),
                   6.0 * (9.81 + law_acceleration(0.25 * i)), 1e-10);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// Upside down it could stay, but would not; on a slope without end there is no place to start from.
static void without_a_stable_equilibrium_nothing_is_integrated(void)
{
    pkm_error err = {0};
    pkm_table* table;
    pkm_robot* robot = make_trolley("180 deg", "x", "tool: trolley.P");
    CHECK(inverse(robot, 0, PKM_IDLE_INTEGRATE, &table, &err) == PKM_ERR_UNDETERMINED);
    CHECK(strstr(err.text, "unstable") != NULL);
    pkm_table_free(table);
    pkm_robot_free(robot);
    robot = engine_from(
        "pkm: 1\nname: slope\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies:\n  cart: {mass: 5 kg, points: {P: [0, 0, 0]}}\n"
        "  block: {mass: 1 kg, points: {P: [0, 0, 0]}}\n"
        "joints:\n  rail: {type: prismatic, between: [ground.O, cart.P], axis: x}\n"
        "  slide: {type: prismatic, between: [cart.P, block.P], axis: [1, 0, -1]}\n"
        "drives: {x: {joint: rail}}\ntool: cart.P\n"
        "motions: {go: {duration: 1 s, drives: {x: [0, 1 m]}}}\n");
    CHECK(inverse(robot, 0, PKM_IDLE_INTEGRATE, &table, &err) == PKM_ERR_UNDETERMINED);
    CHECK(strstr(err.text, "no equilibrium") && strstr(err.text, "slide"));
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// Force playback has no forces to clearance; prescribed drives have.
static void forces_of_inverse_dynamics_are_not_played_back(void)
{
    pkm_robot* robot = make_trolley("30 deg", "x", "tool: trolley.P");
    sim_result run = sim_run(robot, "motion: go\ndrives: playback\n");
    CHECK(run.status == PKM_ERR_UNDETERMINED && strstr(run.err.text, "hook"));
    sim_free(&run);
    pkm_robot_free(robot);
}

// ---- rods between balls -----------------------------------------------------------------------

/// A rod of 2 kg and 1 m between two balls on the ground along x. It is not driven.
static pkm_robot* make_rod(const char* com, const char* inertia)
{
    char text[1000];
    snprintf(text, sizeof text,
             "pkm: 1\nname: rod\ngravity: [0, 0, -9.81]\n"
             "ground: {points: {A: [0, 0, 0], B: [1, 0, 0]}}\n"
             "bodies:\n  rod: {mass: 2 kg, com: %s, inertia: %s,\n"
             "        points: {A: [0, 0, 0], B: [1, 0, 0], C: [0.5, 0, -0.1], D: [0.5, 0.1, 0]}}\n"
             "joints:\n  a: {type: spherical, between: [ground.A, rod.A]}\n"
             "  b: {type: spherical, between: [ground.B, rod.B]}\n"
             "outputs: [rod.C]\n",
             com, inertia);
    return engine_from(text);
}

// With its centre of mass 0.1 m off the line it is a pendulum: 2 kg, 0.01 kg m2 about the line. It
// starts at the side and passes below with w^2 = 2 m g d / (I + m d^2).
static void a_rod_that_is_not_symmetric_spins(void)
{
    pkm_robot* robot = make_rod("[0.5, 0.1, 0]", "[0.01, 0.2, 0.2]");
    CHECK(robot->structure.n_idle == 1 && robot->structure.n_harmless == 0);
    sim_result run = sim_run_whole(robot, "motion: none\nfor: 0.5 s\ninstants: 2001\n");
    double most = 0.0;
    for (int i = 0; i < 2001; ++i)
        most = fmax(most, sim_get(&run, i, "C.speed") / 0.1);
    CHECK_NEAR(most * most, 2.0 * 2.0 * 9.81 * 0.1 / (0.01 + 2.0 * 0.01), 1e-3);
    sim_free(&run);
    pkm_robot_free(robot);
}

// Moments of inertia that differ across the line are enough to let it move.
static void symmetry_is_asked_of_all_of_the_mass(void)
{
    static const struct {
        const char *com, *inertia;
        int n_harmless;
    } item[] = {{"[0.5, 0, 0]", "[0, 0.2, 0.2]", 1},
                {"[0.3, 0, 0]", "[0.01, 0.2, 0.2]", 1},
                {"[0.5, 1e-8, 0]", "[0.01, 0.2, 0.2]", 0},
                {"[0.5, 0, 0]", "[0.01, 0.2, 0.2000001]", 0},
                {"[0.5, 0, 0]", "[0.01, 0.2, 0.2, 0.001, 0, 0]", 0},
                {"[0.5, 0, 0]", "[0.01, 0.2, 0.2, 0, 0, 0.001]", 0}};
    for (size_t k = 0; k < sizeof item / sizeof item[0]; ++k) {
        pkm_robot* robot = make_rod(item[k].com, item[k].inertia);
        CHECK(robot && robot->structure.n_harmless == item[k].n_harmless);
        pkm_robot_free(robot);
    }
}

// A load off the line turns a symmetric rod: 3 N at 0.1 m on 0.01 kg m2. Along the line it does
// not, and then a rod without inertia about its line is no trouble.
static void loads_off_the_line_turn_a_symmetric_rod(void)
{
    pkm_robot* robot = make_rod("[0.5, 0, 0]", "[0.01, 0.2, 0.2]");
    sim_result run = sim_run_whole(robot, "motion: none\nfor: 0.2 s\ninstants: 3\n"
                                          "loads: {F: {torque: [0.3, 0, 0], at: rod.C}}\n");
    const double angle = 0.5 * 30.0 * 0.04;
    CHECK_NEAR(sim_get(&run, 2, "C.y"), 0.1 * sin(angle), 1e-9);
    CHECK_NEAR(sim_get(&run, 2, "C.z"), -0.1 * cos(angle), 1e-9);
    sim_free(&run);
    run = sim_run_whole(robot, "motion: none\nfor: 0.2 s\ninstants: 3\n"
                               "loads: {F: {force: [0, 3, 0], at: rod.C, axes: body}}\n");
    CHECK_NEAR(sim_get(&run, 2, "C.y"), 0.1 * sin(angle), 1e-9);
    sim_free(&run);
    pkm_robot_free(robot);
    robot = make_rod("[0.5, 0, 0]", "[0, 0.2, 0.2]");
    run = sim_run_whole(robot, "motion: none\nfor: 0.2 s\ninstants: 3\n"
                               "loads: {F: {force: [0, 3, 0], at: rod.A}}\n");
    CHECK_NEAR(sim_get(&run, 2, "C.y"), 0.0, 0.0);
    sim_free(&run);
    // a moment about a line without inertia is another thing
    run =
        sim_run(robot, "motion: none\nfor: 0.2 s\nloads: {F: {torque: [0.3, 0, 0], at: rod.C}}\n");
    CHECK(run.status == PKM_ERR_MODEL && strstr(run.err.text, "no inertia"));
    sim_free(&run);
    pkm_robot_free(robot);
}

// A payload beside the line makes a pendulum of it.
static void payloads_off_the_line_turn_a_symmetric_rod(void)
{
    pkm_robot* robot = make_rod("[0.5, 0, 0]", "[0.01, 0.2, 0.2]");
    sim_result run = sim_run_whole(robot, "motion: none\nfor: 0.5 s\ninstants: 2001\n"
                                          "payload: {w: {mass: 1 kg, at: rod.D}}\n");
    double most = 0.0;
    for (int i = 0; i < 2001; ++i)
        most = fmax(most, sim_get(&run, i, "C.speed") / 0.1);
    CHECK_NEAR(most * most, 2.0 * 1.0 * 9.81 * 0.1 / (0.01 + 0.01), 1e-3);
    sim_free(&run);
    pkm_robot_free(robot);
}

// ---- robots -----------------------------------------------------------------------------------

static void spins_of_shipped_robots_stay_held(void)
{
    static const char* const name[] = {"siax", "irb340", "lindelta", "triglide"};
    for (int k = 0; k < 4; ++k) {
        pkm_robot* robot = engine_load(name[k]);
        CHECK(robot->structure.n_idle == 6 && robot->structure.n_harmless == 6);
        CHECK(robot->structure.n_held == 6);
        pkm_robot_free(robot);
    }
}

/// SIAX with 3 kg hanging from its platform on a universal joint.
static pkm_robot* make_hanging(bool with_tool)
{
    static char text[20000];
    char path[512];
    snprintf(path, sizeof path, "%s/robots/siax.yaml", PKM_SOURCE_DIR);
    FILE* file = fopen(path, "r");
    CHECK(file != NULL);
    if (!file) return NULL;
    size_t n = 0;
    char line[1000];
    bool skips = false; // the closed form, which knows nothing of the load
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "tool:", 5) == 0 && !with_tool) continue;
        if (strncmp(line, "outputs:", 8) == 0) continue;
        if (line[0] > ' ') skips = strncmp(line, "closed_form:", 12) == 0;
        if (skips) continue;
        if (strncmp(line, "limbs:", 6) == 0)
            n += (size_t)snprintf(
                text + n, sizeof text - n,
                "  pendulum: {mass: 3 kg, com: [0, 0, -0.3], inertia: [1e-2, 1e-2, 1e-2],\n"
                "    points: {H: [0, 0, 0], E: [0, 0, -0.3]}, pose: {at: [0, 0, =-depth]}}\n\n"
                "joints:\n"
                "  hook: {type: universal, between: [platform.P, pendulum.H], axis: [x, y]}\n\n");
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", line);
    }
    fclose(file);
    return engine_from(text);
}

/// Largest value of a column in its rows.
static double peak(const pkm_table* table, const char* name)
{
    const int c = pkm_table_find(table, name);
    CHECK(c != PKM_NONE);
    double most = 0.0;
    for (int i = 0; c != PKM_NONE && i < pkm_table_n_row(table); ++i)
        most = fmax(most, fabs(pkm_table_get(table, i, c)));
    return most;
}

// The torques do not depend on whether the model names a tool, nor on who computes them.
static void a_hanging_load_swings_below_siax(void)
{
    static const char* const force[] = {"qA.force", "qB.force", "qC.force"};
    static const double torque[] = {458.179, 184.239, 618.332}; // by a model without a tool
    pkm_robot *with = make_hanging(true), *without = make_hanging(false);
    if (!with || !without) return;
    sim_result a = sim_run_whole(with, "motion: paper\n");
    sim_result b = sim_run_whole(without, "motion: paper\n");
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.idle = PKM_IDLE_INTEGRATE;
    pkm_table* c = pkm_table_create();
    pkm_error err = {0};
    CHECK(pkm_inverse_run(with, 0, &settings, c, NULL, &err) == PKM_OK);
    for (int d = 0; d < 3; ++d) {
        CHECK_NEAR(peak(a.table, force[d]), torque[d], 1e-3);
        CHECK_NEAR(peak(a.table, force[d]), peak(b.table, force[d]), 1e-6);
        CHECK_NEAR(peak(c, force[d]), peak(a.table, force[d]), 1e-6);
    }
    pkm_table_free(c);
    sim_free(&a);
    sim_free(&b);
    pkm_robot_free(with);
    pkm_robot_free(without);
}

// Flexible rods spin as rigid ones do, so that the friction of their balls about the line cancels:
// the loss is that of rigid rods but for what bending changes (0.4 %, less for stiffer rods). With
// the spin held it would be 2.2 % larger.
static void friction_spins_flexible_rods_too(void)
{
    static const char friction[] =
        "motion: paper\ninstants: 3\ntolerance: 1e-6\n"
        "friction: {spherical: {law: coulomb, static: 0.11, dynamic: 0.084, radius: 10 mm}}\n";
    char text[1000];
    pkm_robot* robot = engine_load("siax");
    sim_result rigid = sim_run_whole(robot, friction);
    snprintf(text, sizeof text,
             "%sflexible: {\"*left\": {elements: 2, modes: 4}, "
             "\"*right\": {elements: 2, modes: 4}}\n",
             friction);
    sim_result bent = sim_run_whole(robot, text);
    CHECK_NEAR(rigid.report.ledger.friction, 1.927, 1e-3);
    CHECK_NEAR(bent.report.ledger.friction / rigid.report.ledger.friction, 1.0, 6e-3);
    sim_free(&rigid);
    sim_free(&bent);
    pkm_robot_free(robot);
}

/// Loss [J] in the balls of SIAX by inverse dynamics with a law of friction.
static double loss_by_inverse(pkm_robot* robot, const char* law)
{
    char text[400];
    pkm_run* run = NULL;
    pkm_error err = {0};
    pkm_inverse_report report = {0};
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = 101;
    snprintf(text, sizeof text,
             "run: 1\nfriction: {spherical: {static: 0.11, dynamic: 0.084, radius: 10 mm, "
             "%s}}\n",
             law);
    pkm_table* table = pkm_table_create();
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(run && pkm_run_parse(run, text, "run.yaml", &err) == PKM_OK);
    if (run) settings.effects = &run->effects;
    CHECK(pkm_inverse_run(robot, 0, &settings, table, &report, &err) == PKM_OK);
    pkm_table_free(table);
    pkm_run_free(run);
    return report.friction_loss;
}

// Inverse dynamics has no past: bristles are those of steady sliding, whose friction is the curve
// of Stribeck.
static void inverse_dynamics_takes_bristles_as_steady(void)
{
    pkm_robot* robot = engine_load("siax");
    const double lugre =
        loss_by_inverse(robot, "law: lugre, bristle_stiffness: 1e5, stribeck_velocity: 1 mm/s");
    const double stribeck = loss_by_inverse(
        robot, "law: stribeck, stribeck_velocity: 1 mm/s, stiction_velocity: 0.001 mm/s");
    CHECK(stribeck > 1.9);
    CHECK_NEAR(lugre / stribeck, 1.0, 1e-4);
    pkm_robot_free(robot);
}

// ---- freedoms without inertia -----------------------------------------------------------------

static void a_freedom_without_inertia_is_called_so(void)
{
    pkm_robot* robot =
        engine_from("pkm: 1\nname: bare\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
                    "bodies:\n  arm: {mass: 1 kg, com: [1, 0, 0], points: {A: [0, 0, 0]}}\n"
                    "  vane: {mass: 0 kg, points: {A: [0, 0, 0]}}\n"
                    "joints:\n  a: {type: revolute, between: [ground.O, arm.A], axis: y}\n"
                    "  pin: {type: revolute, between: [arm.A, vane.A], axis: y}\n");
    sim_result run = sim_run(robot, "motion: none\nfor: 0.1 s\n");
    CHECK(run.status == PKM_ERR_MODEL);
    CHECK(strstr(run.err.text, "joint pin") && strstr(run.err.text, "no inertia"));
    sim_free(&run);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_pendulum_on_a_driven_trolley_swings);
    RUN(inverse_dynamics_refuses_and_names_joint_and_moment);
    RUN(rows_where_nothing_accelerates_do_not_hide_a_freedom);
    RUN(integrated_idle_freedoms_start_in_equilibrium);
    RUN(peaks_of_integrated_freedoms_are_found_between_the_rows);
    RUN(a_freedom_that_nothing_holds_is_no_reason_to_refuse);
    RUN(without_a_stable_equilibrium_nothing_is_integrated);
    RUN(forces_of_inverse_dynamics_are_not_played_back);
    RUN(a_rod_that_is_not_symmetric_spins);
    RUN(symmetry_is_asked_of_all_of_the_mass);
    RUN(loads_off_the_line_turn_a_symmetric_rod);
    RUN(payloads_off_the_line_turn_a_symmetric_rod);
    RUN(spins_of_shipped_robots_stay_held);
    RUN(a_hanging_load_swings_below_siax);
    RUN(friction_spins_flexible_rods_too);
    RUN(inverse_dynamics_takes_bristles_as_steady);
    RUN(a_freedom_without_inertia_is_called_so);
    return check_report();
}
