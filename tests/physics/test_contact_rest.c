// Friction that rests in the contacts of joints with clearance, at default settings, against closed
// forms of Coulomb's law.
#include "simulate.h"

static const double g = 9.81;

static bool is_told_of_friction(const sim_result* r)
{
    const pkm_warnings* w = pkm_table_get_warnings(r->table);
    for (int i = 0; i < w->n; ++i)
        if (strcmp(w->item[i].kind, "friction") == 0) return true;
    return false;
}

// ---- sleeve -----------------------------------------------------------------------------------

/// A sleeve of 1 kg with clearance on a bar that slopes by 10 degrees, dropped by the clearance:
/// how far it slides from 0.5 s to 1 s, with the friction of its contacts.
static double sleeve_creeps(const char* law, bool* is_told)
{
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: sleeve\ngravity: [1.7035, 0, -9.661]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {sleeve: {mass: 1 kg, inertia: [1e-3, 1e-3, 1e-3], points: {O: [0, 0, 0]}}}\n"
        "joints: {bar: {type: cylindrical, between: [ground.O, sleeve.O], axis: x}}\n"
        "outputs: [sleeve.O]\n");
    char text[400];
    snprintf(text, sizeof text,
             "motion: none\nfor: 1 s\ninstants: 11\nclearance: {bar: {radial: 0.1 mm, radius: "
             "10 mm, length: 20 mm, law: gonthier, stiffness: 1e8, restitution: 0.5, start: "
             "centred, friction: {%sstatic: 0.3, dynamic: 0.2}}}\n",
             law);
    sim_result r = sim_run_whole(robot, text);
    *is_told = is_told_of_friction(&r);
    const double moved = sim_get(&r, 10, "O.x") - sim_get(&r, 5, "O.x");
    sim_free(&r);
    pkm_robot_free(robot);
    return moved;
}

// tan 10 degrees = 0.1763 < 0.3: it rests. The smoothed law creeps with x of its 1 mm/s, where
// (3 x - x^3)/2 = 0.1763/0.3 or x = 0.416, and says so.
static void a_sleeve_with_clearance_rests_on_its_slope(void)
{
    bool is_told;
    CHECK(fabs(sleeve_creeps("", &is_told)) < 1e-9);
    CHECK(!is_told);
    CHECK_NEAR(sleeve_creeps("law: coulomb, ", &is_told), 0.5 * 0.416e-3, 2e-6);
    CHECK(is_told);
}

// ---- slider -----------------------------------------------------------------------------------

/// A block of 2 kg in a guide with clearance along x, in which its weight holds it down: four of
/// its corners rub. It is pulled along the guide from 0.2 s on, when it has come to rest.
static sim_result pulled(const char* force, double end, int n)
{
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: block\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {block: {mass: 2 kg, inertia: [1e-2, 1e-2, 1e-2], points: {O: [0, 0, 0]}}}\n"
        "joints: {guide: {type: prismatic, between: [ground.O, block.O], axis: x}}\n"
        "outputs: [block.O]\n");
    char text[600];
    snprintf(text, sizeof text,
             "motion: none\nfor: %g s\ninstants: %d\n"
             "loads: {pull: {force: ['%s', 0, 0], at: block.O}}\n"
             "clearance: {guide: {radial: 0.05 mm, width: 60 mm, height: 40 mm, length: 100 mm, "
             "law: gonthier, stiffness: 1e9, restitution: 0.5, start: centred, "
             "friction: {static: 0.3, dynamic: 0.2}}}\n",
             end, n, force);
    sim_result r = sim_run_whole(robot, text);
    pkm_robot_free(robot);
    return r;
}

// 0.3 x 2 kg x g = 5.886 N: 5.8 N do not move it.
static void a_pull_below_the_limit_moves_nothing(void)
{
    sim_result r = pulled("=min(5.8 N, 58 N/s * max(t - 0.2 s, 0 s))", 2.0, 41);
    for (int i = 8; i <= sim_last(&r); ++i) // after the presliding of some 0.3 um
        CHECK_NEAR(sim_get(&r, i, "O.x"), sim_get(&r, 7, "O.x"), 1e-9);
    CHECK(fabs(sim_get(&r, 7, "O.x")) < 1e-6);
    sim_free(&r);
}

/// Coulomb's block under the force r s of the time s since it was mu_s m g.
static double broken_away(double s)
{
    const double m = 2.0, rate = 8.0;
    return s > 0.0 ? rate * s * s * s / (6.0 * m) + 0.5 * (0.3 - 0.2) * g * s * s : 0.0;
}

// At rest until the growing force is mu_s m g. Surfaces that begin to slip hold on for some 2 ms,
// in which the force grows by 0.3 %.
static void a_growing_pull_breaks_it_away(void)
{
    const double t0 = 0.2 + 0.3 * 2.0 * g / 8.0, late = 3e-3;
    sim_result r = pulled("=8 N/s * max(t - 0.2 s, 0 s)", 1.6, 161);
    for (int i = 0; i <= sim_last(&r); ++i) {
        const double s = sim_get(&r, i, "t") - t0, x = sim_get(&r, i, "O.x");
        CHECK(x < broken_away(s) + 1e-6 && x > broken_away(s - late) - 1e-6);
    }
    CHECK(sim_get(&r, sim_last(&r), "O.x") > 0.4);
    sim_free(&r);
}

// Pushed for 0.1 s with 15 N and then drawn back with 5.3 N, less than mu_s m g and more than mu_d
// m g: it slides on for v^2/2a, and there it stays.
static void a_block_that_stops_is_held_by_its_contacts(void)
{
    const double weight = 2.0 * g, a = (15.0 - 0.2 * weight) / 2.0, v = 0.1 * a;
    const double slow = (5.3 + 0.2 * weight) / 2.0, way = 0.05 * v + 0.5 * v * v / slow;
    sim_result r = pulled(
        "=step(t, 0.2 s, 0 N, 0.2001 s, 15 N) - step(t, 0.3 s, 0 N, 0.3001 s, 20.3 N)", 2.0, 201);
    for (int i = 100; i <= sim_last(&r); ++i) {
        CHECK_NEAR(sim_get(&r, i, "O.x"), way, 0.01 * way);
        CHECK_NEAR(sim_get(&r, i, "O.x"), sim_get(&r, 100, "O.x"), 1e-8);
    }
    sim_free(&r);
}

/// The block, with its centre of mass `height` [m] over its corners, thrown up a slope with `load`
/// [m/s2] across and `along` it, so that it stops after a time T.
static sim_result thrown(double height, double along, double load, double mu_s, double mu_d,
                         double T)
{
    char text[700];
    snprintf(text, sizeof text,
             "pkm: 1\nname: block\ngravity: [%.17g, 0, %.17g]\n"
             "ground: {points: {O: [0, 0, 0]}}\nbodies: {block: {mass: 2 kg, com: [0, 0, %g], "
             "inertia: [1e-2, 1e-2, 1e-2], points: {O: [0, 0, 0]}}}\n"
             "joints: {guide: {type: prismatic, between: [ground.O, block.O], axis: x}}\n"
             "outputs: [block.O]\n",
             along, -load, height - 0.02);
    pkm_robot* robot = engine_from(text);
    snprintf(text, sizeof text,
             "motion: none\nfor: %.17g s\ninstants: 81\nstart: {guide: %.17g}\n"
             "clearance: {guide: {radial: 0.05 mm, width: 60 mm, height: 40 mm, length: 100 mm, "
             "law: gonthier, stiffness: %g, restitution: 0.5, "
             "friction: {static: %g, dynamic: %g}}}\n",
             8.0 * T, -(along + mu_d * load) * T, 1e9 * fmax(1.0, sqrt(load / 10.0)), mu_s, mu_d);
    sim_result r = sim_run_whole(robot, text);
    CHECK(!is_told_of_friction(&r));
    pkm_robot_free(robot);
    return r;
}

/// With `part` of what mu_s holds: it stays where it stops, or slides back.
static void check_stop_at(double height, double part, double load, double mu_s, double mu_d)
{
    const double along = part * mu_s * load, T = 0.5 * sqrt(10.0 / load);
    const double way = 0.5 * (along + mu_d * load) * T * T, back = along - mu_d * load;
    sim_result r = thrown(height, along, load, mu_s, mu_d, T);
    const double end = sim_get(&r, sim_last(&r), "O.x");
    if (part > 1.0) CHECK_NEAR(end, 0.5 * back * 49.0 * T * T - way, 2e-2 * fabs(end));
    for (int i = 40; part < 1.0 && i <= sim_last(&r); ++i) {
        CHECK_NEAR(sim_get(&r, i, "O.x"), -way, 1e-3 * way);
        CHECK_NEAR(sim_get(&r, i, "O.x"), end, 1e-8);
    }
    sim_free(&r);
}

/// At the height of its corners friction does not tilt it.
static void check_stop(double part, double load, double mu_s, double mu_d)
{
    check_stop_at(0.0, part, load, mu_s, mu_d);
}

// As in joints: up to 0.999 of what mu_s holds, light or heavy, whatever mu_d would do.
static void what_stops_stays_in_contacts(void)
{
    static const double load[] = {0.1, 9.81, 1e3, 1e4}, part[] = {0.9, 0.95, 0.99, 0.999, 1.01};
    for (size_t i = 0; i < sizeof load / sizeof load[0]; ++i)
        for (size_t k = 0; k < sizeof part / sizeof part[0]; ++k)
            check_stop(part[k], load[i], 0.3, k % 2 == 0 ? 0.2 : 0.05);
}

/// The block under its weight, at rest, drawn in the plane of its corners by a force that jumps at
/// 0.3 s to `part` of mu_s m g: where it is at 1 s.
static double drawn(double part)
{
    FILE* file = fopen("contact_jump.csv", "w");
    CHECK(file != NULL);
    if (!file) return NAN;
    fprintf(file, "t,x,y,z\n0,0,0,0\n0.3,%.17g,0,0\n", part * 0.3 * 2.0 * g);
    fclose(file);
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: block\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {block: {mass: 2 kg, com: [0, 0, -20 mm], inertia: [1e-2, 1e-2, 1e-2], "
        "points: {O: [0, 0, 0], C: [0, 0, -20 mm]}}}\n"
        "joints: {guide: {type: prismatic, between: [ground.O, block.O], axis: x}}\n"
        "outputs: [block.O]\n");
    sim_result r = sim_run_whole(
        robot, "motion: none\nfor: 1 s\ninstants: 11\nloads: {pull: {force: {file: "
               "contact_jump.csv, between: steps}, at: block.C}}\n"
               "clearance: {guide: {radial: 0.05 mm, width: 60 mm, height: 40 mm, length: 100 mm, "
               "law: gonthier, stiffness: 1e9, restitution: 0.5, start: centred, "
               "friction: {static: 0.3, dynamic: 0.2}}}\n");
    const double x = sim_get(&r, 10, "O.x");
    CHECK(!is_told_of_friction(&r));
    sim_free(&r);
    pkm_robot_free(robot);
    return x;
}

static void a_load_that_jumps_is_held_by_contacts(void)
{
    CHECK(fabs(drawn(0.95)) < 1e-9);
    CHECK(fabs(drawn(0.999)) < 1e-9);
    const double x = 0.5 * (1.01 * 0.3 - 0.2) * g * 0.7 * 0.7;
    CHECK_NEAR(drawn(1.01), x, 1e-3 * x);
}

// A centre over the corners tilts when it stops: they have to carry its inertia, too, until they no
// longer ring. With W = part mu_s N along the slope and b = m h^2/(I + m h^2) friction at rest
// swings around W, by b (W + mu_d N) at most: without any damping of the contacts it holds for
//
//     part <= (1 - b mu_d/mu_s)/(1 + b)
//
// and their restitution of 0.5 leaves half of the first swing.
static void what_tilts_when_it_stops_needs_more_friction(void)
{
    static const double height[] = {0.005, 0.01, 0.02, 0.03};
    for (size_t k = 0; k < sizeof height / sizeof height[0]; ++k) {
        const double h = height[k], b = 2.0 * h * h / (1e-2 + 2.0 * h * h);
        const double undamped = (1.0 - b * 0.2 / 0.3) / (1.0 + b);
        const double damped = (1.0 - 0.5 * b * 0.2 / 0.3) / (1.0 + 0.5 * b);
        check_stop_at(h, 0.999 * undamped, g, 0.3, 0.2);
        sim_result r = thrown(h, 0.5 * (1.0 + damped) * 0.3 * g, g, 0.3, 0.2, 0.5);
        CHECK(sim_get(&r, sim_last(&r), "O.x") > 1.0);
        sim_free(&r);
    }
}

// ---- journal ----------------------------------------------------------------------------------

/// A disc of 1 kg, with a point at 1 m, and a bore of 10 mm on a bar along y, turned by a torque:
/// how its rate and its angle change in the last half second.
static void turned(double torque, double* rate, double* angle)
{
    pkm_robot* robot =
        engine_from("pkm: 1\nname: disc\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
                    "bodies: {disc: {mass: 1 kg, inertia: [1e-3, 2e-3, 1e-3], points: {O: [0, 0, "
                    "0], Q: [1, 0, 0]}}}\n"
                    "joints: {pin: {type: revolute, between: [ground.O, disc.O], axis: y}}\n"
                    "tool: disc.O\noutputs: [disc.Q]\n");
    char text[600];
    snprintf(
        text, sizeof text,
        "motion: none\nfor: 1 s\ninstants: 11\ntool_torque: [0, %.17g N m, 0]\n"
        "clearance: {pin: {radial: 0.1 mm, axial: 0.1 mm, radius: 10 mm, length: 20 mm, law: "
        "gonthier, stiffness: 1e9, restitution: 0.5, start: centred, friction: {static: 0.3}}}\n",
        torque);
    sim_result r = sim_run_whole(robot, text);
    *rate = (sim_get(&r, 10, "Q.speed") - sim_get(&r, 5, "Q.speed")) / 0.5;
    *angle = sim_get(&r, 5, "Q.z") - sim_get(&r, 10, "Q.z");
    sim_free(&r);
    pkm_robot_free(robot);
}

// The circle of friction: what a bore of radius R on a pin holds is m g R sin(atan mu). Below, the
// disc climbs its pin until the torque is balanced and turns no further than it rolls; beyond, it
// speeds up with what is left.
static void a_disc_on_its_pin_has_the_circle_of_friction(void)
{
    const double R = 0.01, held = g * R * sin(atan(0.3)), I = 2e-3;
    double rate, angle;
    turned(1.2 * held, &rate, &angle);
    CHECK_NEAR(rate, 0.2 * held / I, 0.02 * 0.2 * held / I);
    turned(0.9 * held, &rate, &angle);
    CHECK(fabs(angle) < 2.0 * 0.01 * atan(0.3)); // it rolls by c/R of that
}

// ---- robots -----------------------------------------------------------------------------------

// Twelve balls with clearance that hit their sockets: in fast sliding both laws are one, so that
// they lose the same, and the steps that presliding takes are not many more.
static void balls_of_a_delta_lose_what_the_smoothed_law_takes(void)
{
    static const char* const law[] = {"", "law: coulomb, "};
    double loss[2], steps[2];
    pkm_robot* robot = engine_load("siax");
    for (int k = 0; k < 2; ++k) {
        char text[400];
        snprintf(text, sizeof text,
                 "motion: paper\nfor: 60 ms\ninstants: 61\n"
                 "friction: {spherical: {%sstatic: 0.11, dynamic: 0.084, radius: 10 mm}}\n"
                 "clearance: {spherical: {radial: 0.1 mm, radius: 10 mm, stiffness: 1.524e11, "
                 "law: lankarani-nikravesh, restitution: 0.9, start: centred}}\n",
                 law[k]);
        sim_result r = sim_run_whole(robot, text);
        loss[k] = r.report.ledger.friction;
        steps[k] = r.report.steps;
        CHECK(is_told_of_friction(&r) == (k == 1));
        sim_free(&r);
    }
    printf("    losses %.4f %.4f J, steps %.0f %.0f\n", loss[0], loss[1], steps[0], steps[1]);
    CHECK_NEAR(loss[0], loss[1], 0.1 * loss[1]);
    CHECK(steps[0] < 1.5 * steps[1]);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_sleeve_with_clearance_rests_on_its_slope);
    RUN(a_pull_below_the_limit_moves_nothing);
    RUN(a_growing_pull_breaks_it_away);
    RUN(a_block_that_stops_is_held_by_its_contacts);
    RUN(what_stops_stays_in_contacts);
    RUN(a_load_that_jumps_is_held_by_contacts);
    RUN(what_tilts_when_it_stops_needs_more_friction);
    RUN(a_disc_on_its_pin_has_the_circle_of_friction);
    RUN(balls_of_a_delta_lose_what_the_smoothed_law_takes);
    return check_report();
}
