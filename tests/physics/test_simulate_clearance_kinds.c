// Clearance in every kind of joint: energy, rest, friction, limits; where runs start.
#include "clearance.h"

/// A rod on a joint whose axis is x, its centre of mass beside it.
static pkm_robot* rod_on(const char* type)
{
    char text[800];
    snprintf(text, sizeof text,
             "pkm: 1\nname: rod\ngravity: [0, 0, -9.81]\n"
             "ground: {frames: {O: {at: [0, 0, 0], rotate: {y: 90 deg}}}}\n"
             "bodies:\n  rod: {mass: 1, com: [0, 0.05, 0], inertia: [0.01, 0.002, 0.01],\n"
             "    frames: {O: {at: [0, 0, 0], rotate: {y: 90 deg}}}, points: {P: [0, 0.05, 0]}}\n"
             "joints:\n  J: {type: %s, between: [ground.O, rod.O]}\noutputs: [rod.P]\n",
             type);
    return engine_from(text);
}

static const char cardan_model[] =
    "pkm: 1\nname: cardan\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n  rod: {mass: 1, com: [0.05, 0.05, -0.2], inertia: [0.02, 0.02, 0.01],\n"
    "    points: {O: [0, 0, 0], P: [0, 0, -0.4]}}\n"
    "joints:\n  J: {type: universal, between: [ground.O, rod.O], axis: [x, y]}\noutputs: [rod.P]\n";

static pkm_robot* robot_of(const char* type)
{
    return strcmp(type, "universal") == 0 ? engine_from(cardan_model) : rod_on(type);
}

/// A run of the joint with clearance [mm] in all directions; `more` continues its clearance,
/// `settings` are further lines of the run, `jitter` moves the start.
static clearance_run run_from(pkm_robot* robot, double clearance_mm, const char* duration,
                              const char* more, const char* settings, double jitter)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "for: %s\ninstants: 11\nintegrator: explicit\nclearance: {J: {radial: %g mm, radius: "
        "10 mm, length: 40 mm, "
        "axial: %g mm, width: 30 mm, height: 20 mm, cross_mass: 0.1 kg, stiffness: 1e10%s}}\n%s",
        duration, clearance_mm, clearance_mm, more, settings);
    return clearance_with(robot, text, jitter);
}

static clearance_run run_kind(pkm_robot* robot, double clearance_mm, const char* duration,
                              const char* more)
{
    return run_from(robot, clearance_mm, duration, more, "", 0.0);
}

static const char* const kinds[] = {"spherical", "revolute", "cylindrical", "prismatic",
                                    "universal"};
enum { N_KIND = sizeof kinds / sizeof kinds[0] };

/// Contact and friction take what is missing, apart; nothing else is lost, nothing is won.
static void every_kind_balances_its_energy(void)
{
    for (int k = 0; k < N_KIND; ++k) {
        pkm_robot* robot = robot_of(kinds[k]);
        clearance_run p = run_kind(robot, 0.1, "0.1 s",
                                   ", law: gonthier, restitution: 0.6, friction: {static: 0.1}");
        CHECK(clearance_residual(&p) < 1e-6);
        CHECK(p.r.report.ledger.contact > 1e-6 && p.r.report.ledger.friction > 1e-7);
        CHECK(p.record->bearing[0].n_impact > 2);
        for (int b = 0; b < p.record->n_bearing; ++b)
            CHECK(p.record->bearing[b].sliding > 0.0);
        clearance_free(&p);
        pkm_robot_free(robot);
    }
}

/// The largest residual of three starts that differ by 1e-9. Elastic journals rattle on and on, and
/// chaos makes every run another one: a single residual is luck, its size is not.
static double elastic_residual(const char* kind, const char* settings)
{
    double most = 0.0;
    pkm_robot* robot = robot_of(kind);
    for (int i = 0; i < 3; ++i) {
        clearance_run p = run_from(robot, 0.1, "0.1 s", ", law: hertz", settings, 1e-9 * i);
        most = fmax(most, clearance_residual(&p));
        CHECK(p.r.report.ledger.contact == 0.0 && p.r.report.ledger.friction == 0.0);
        clearance_free(&p);
    }
    pkm_robot_free(robot);
    return most;
}

/// What is missing falls with the tolerance: to a tenth or less for a hundredth of it.
static void elastic_contacts_keep_the_energy(void)
{
    for (int k = 0; k < N_KIND; ++k) {
        const double loose = elastic_residual(kinds[k], "tolerance: 1e-9\n");
        const double tight = elastic_residual(kinds[k], "tolerance: 1e-11\n");
        CHECK(loose < 1e-6);
        CHECK(tight < 1e-8);
        CHECK(tight < 0.1 * loose);
    }
}

/// The slider in its guide, pressed down with a moment about its axis, comes to rest leaning on
/// corners: the normal forces carry the weight.
static void a_slider_comes_to_rest_on_its_corners(void)
{
    pkm_robot* robot = rod_on("prismatic");
    clearance_run p =
        run_kind(robot, 0.1, "1 s", ", law: gonthier, restitution: 0.3, friction: {static: 0.2}");
    CHECK_NEAR(p.r.report.ledger.kinetic, 0.0, 1e-9);
    CHECK(sim_get(&p.r, 10, "J.mode") == PKM_TOUCH_STICKING);
    CHECK(sim_get(&p.r, 10, "J.normal") > 9.8);
    clearance_free(&p);
    pkm_robot_free(robot);
}

/// Against the ideal joint: P is off by little more than clearance and penetration.
static void small_clearance_is_the_ideal_joint(void)
{
    static const char* const hinged[] = {"revolute", "spherical", "universal"};
    for (int k = 0; k < 3; ++k) {
        pkm_robot* robot = robot_of(hinged[k]);
        sim_result ideal = sim_run_whole(robot, "for: 0.2 s\ninstants: 11\n");
        clearance_run p = run_kind(robot, 0.002, "0.2 s", ", law: gonthier, restitution: 0.3");
        for (int i = 0; i <= 10; ++i) {
            CHECK_NEAR(sim_get(&p.r, i, "P.x"), sim_get(&ideal, i, "P.x"), 3e-5);
            CHECK_NEAR(sim_get(&p.r, i, "P.y"), sim_get(&ideal, i, "P.y"), 3e-5);
            CHECK_NEAR(sim_get(&p.r, i, "P.z"), sim_get(&ideal, i, "P.z"), 3e-5);
        }
        clearance_free(&p);
        sim_free(&ideal);
        pkm_robot_free(robot);
    }
}

/// A pin with its weight 3 mm beside the axis rolls up its bore and stays there, 0.3 < mu = 0.5:
/// bristles hold it, the smoothed law lets it creep.
static void bristles_stick_where_smoothed_friction_creeps(void)
{
    double creep[2];
    for (int k = 0; k < 2; ++k) {
        pkm_robot* robot = engine_from(
            "pkm: 1\nname: pin\ngravity: [0, 0, -9.81]\n"
            "ground: {frames: {O: {at: [0, 0, 0], rotate: {y: 90 deg}}}}\n"
            "bodies:\n  pin: {mass: 1, com: [0, 3 mm, 0], inertia: [1e-4, 1e-4, 1e-4],\n"
            "    frames: {O: {at: [0, 0, 0], rotate: {y: 90 deg}}}, points: {P: [0, 3 mm, 0]}}\n"
            "joints:\n  J: {type: cylindrical, between: [ground.O, pin.O]}\noutputs: [pin.P]\n");
        clearance_run p = run_kind(
            robot, 0.05, "1 s",
            k ? ", law: gonthier, restitution: 0.3, friction: {law: lugre, "
                "static: 0.5}"
              : ", law: gonthier, restitution: 0.3, friction: {law: coulomb, static: 0.5}");
        CHECK(clearance_residual(&p) < 1e-5);
        creep[k] = fabs(sim_get(&p.r, 10, "P.z") - sim_get(&p.r, 6, "P.z"));
        CHECK(sim_get(&p.r, 10, "J.mode") == PKM_TOUCH_STICKING);
        clearance_free(&p);
        pkm_robot_free(robot);
    }
    CHECK(creep[0] > 1e-5);
    CHECK(creep[1] < 1e-7); // what is left of its rolling to and fro
}

/// Friction given for the joint acts in its contacts.
static void friction_of_the_joint_is_that_of_its_contacts(void)
{
    pkm_robot* robot = rod_on("revolute");
    clearance_run a = run_kind(robot, 0.1, "50 ms", ", friction: {law: coulomb, static: 0.1}");
    clearance_run b =
        clearance(robot, "for: 50 ms\ninstants: 11\nintegrator: explicit\nfriction: {J: "
                         "{law: coulomb, static: 0.1, radius: 10 mm}}\n"
                         "clearance: {J: {radial: 0.1 mm, radius: 10 mm, length: 40 mm, axial: "
                         "0.1 mm, stiffness: 1e10}}\n");
    CHECK(a.r.report.ledger.friction > 1e-5);
    CHECK_NEAR(a.r.report.ledger.friction, b.r.report.ledger.friction, 1e-9);
    clearance_free(&a);
    clearance_free(&b);
    pkm_robot_free(robot);
}

// ---- start ------------------------------------------------------------------------------------

static void runs_start_where_they_are_told(void)
{
    pkm_robot* robot = rod_on("spherical");
    clearance_run p = run_kind(robot, 0.1, "1 ms", ", start: [50 um, -20 um, 10 um]");
    CHECK_NEAR(sim_get(&p.r, 0, "J.ox"), 5e-5, 1e-12);
    CHECK_NEAR(sim_get(&p.r, 0, "J.oy"), -2e-5, 1e-12);
    CHECK_NEAR(sim_get(&p.r, 0, "J.oz"), 1e-5, 1e-12);
    CHECK(p.record->n_moved == 0);
    clearance_free(&p);

    p = run_kind(robot, 0.1, "1 ms", ", start: [0.3 mm, 0.4 mm, 0]"); // outside: onto the sphere
    CHECK_NEAR(sim_get(&p.r, 0, "J.ox"), 6e-5, 1e-12);
    CHECK_NEAR(sim_get(&p.r, 0, "J.oy"), 8e-5, 1e-12);
    CHECK(p.record->n_moved == 1);
    CHECK_NEAR(p.record->moved, 4e-4, 1e-12);
    clearance_free(&p);
    pkm_robot_free(robot);
}

/// Every kind of joint starts with its journal where it is told; the cross of a universal joint
/// starts centred.
static void every_kind_starts_where_it_is_told(void)
{
    for (int k = 0; k + 1 < N_KIND; ++k) {
        pkm_robot* robot = robot_of(kinds[k]);
        clearance_run p = run_kind(robot, 0.1, "1 ms", ", start: [30 um, -20 um, 0]");
        CHECK_NEAR(sim_get(&p.r, 0, "J.ox"), 3e-5, 1e-12);
        CHECK_NEAR(sim_get(&p.r, 0, "J.oy"), -2e-5, 1e-12);
        CHECK(p.record->n_moved == 0);
        clearance_free(&p);
        pkm_robot_free(robot);
    }
}

/// A bob on a ball at the end of a rod on a universal joint: the ball starts where it is told, and
/// both pins of the cross stay in the middle of their bearings.
static void a_ball_beside_a_cross_starts_where_it_is_told(void)
{
    char text[900];
    static const char bob[] = "  bob: {mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], "
                              "points: {K: [0, 0, 0]}, pose: {at: [0, 0, -0.4]}}\njoints:\n"
                              "  K: {type: spherical, between: [rod.P, bob.K]}\n";
    const char* at = strstr(cardan_model, "joints:\n");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - cardan_model), cardan_model, bob,
             at + strlen("joints:\n"));
    pkm_robot* robot = engine_from(text);
    clearance_run p = clearance(
        robot,
        "for: 1 ms\ninstants: 3\nintegrator: explicit\nclearance:\n"
        "  J: {radial: 0.1 mm, radius: 10 mm, length: 40 mm, axial: 0.1 mm, cross_mass: "
        "0.1 kg, stiffness: 1e10}\n"
        "  K: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10, start: [30 um, -20 um, 0]}\n");
    CHECK_NEAR(sim_get(&p.r, 0, "K.ox"), 3e-5, 1e-12);
    CHECK_NEAR(sim_get(&p.r, 0, "K.oy"), -2e-5, 1e-12);
    static const char* const pin[] = {"J.ox",      "J.oy",      "J.oz",
                                      "J.pin2.ox", "J.pin2.oy", "J.pin2.oz"};
    for (int k = 0; k < 6; ++k)
        CHECK_NEAR(sim_get(&p.r, 0, pin[k]), 0.0, 1e-12);
    CHECK(p.record->n_moved == 0);
    clearance_free(&p);
    pkm_robot_free(robot);
}

/// Rods of a robot in closed loops: all twelve balls at the same side of their sockets.
static void a_robot_starts_with_all_journals_at_one_side(void)
{
    pkm_robot* robot = engine_load("siax");
    clearance_run p =
        clearance(robot, "for: 1 ms\ninstants: 3\nclearance: {spherical: {radial: 0.1 mm, radius: "
                         "10 mm, stiffness: 1.524e11, start: [0.2 mm, 0, 0]}}\n");
    CHECK(p.record->n_moved == 12);
    CHECK_NEAR(sim_get(&p.r, 0, "A.left1.ox"), 1e-4, 1e-11);
    CHECK_NEAR(sim_get(&p.r, 0, "C.right2.ox"), 1e-4, 1e-11);
    clearance_free(&p);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(every_kind_balances_its_energy);
    RUN(elastic_contacts_keep_the_energy);
    RUN(a_slider_comes_to_rest_on_its_corners);
    RUN(small_clearance_is_the_ideal_joint);
    RUN(bristles_stick_where_smoothed_friction_creeps);
    RUN(friction_of_the_joint_is_that_of_its_contacts);
    RUN(runs_start_where_they_are_told);
    RUN(every_kind_starts_where_it_is_told);
    RUN(a_ball_beside_a_cross_starts_where_it_is_told);
    RUN(a_robot_starts_with_all_journals_at_one_side);
    return check_report();
}
