// Joints with clearance: impacts against fine integrations written down here, conservation through
// thousands of touches, limits, and the robot of the papers.
#include "clearance.h"

#include "force/contact_law.h"

static const char ball_model[] =
    "pkm: 1\nname: ball\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n  ball: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], points: {B: [0, 0, 0]}}\n"
    "joints:\n  S: {type: spherical, between: [ground.O, ball.B]}\n";

static const char pendulum_model[] =
    "pkm: 1\nname: pendulum\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n  rod: {mass: 1, com: [0.2, 0, 0], inertia: [1e-4, 0.02, 0.02],\n"
    "    points: {O: [0, 0, 0], P: [0.2, 0, 0]}}\n"
    "joints:\n  S: {type: spherical, between: [ground.O, rod.O]}\noutputs: [rod.P]\n";

/// Flores and Ambrosio: crank 50 mm, rod 120 mm, 5000 rpm; their masses.
static const char slider_crank_model[] =
    "pkm: 1\nname: slider-crank\ngravity: [0, -9.81, 0]\nparameters: {r: 50 mm, l: 120 mm}\n"
    "ground: {frames: {O: {at: [0, 0, 0]}, G: {at: [0, 0, 0], rotate: {y: 90 deg}}}}\n"
    "bodies:\n"
    "  crank: {mass: 0.3, com: [=r/2, 0, 0], inertia: [1e-5, 1e-4, 1e-4],\n"
    "    points: {O: [0, 0, 0], A: [=r, 0, 0]}}\n"
    "  rod: {mass: 0.21, com: [=l/2, 0, 0], inertia: [1e-5, 2.5e-4, 2.5e-4],\n"
    "    points: {A: [0, 0, 0], B: [=l, 0, 0]}, pose: {at: [=r, 0, 0]}}\n"
    "  slider: {mass: 0.14, inertia: [1e-4, 1e-4, 1e-4],\n"
    "    frames: {B: {at: [0, 0, 0]}, G: {at: [0, 0, 0], rotate: {y: 90 deg}}},\n"
    "    pose: {at: [=r + l, 0, 0]}}\n"
    "joints:\n"
    "  O: {type: revolute, between: [ground.O, crank.O]}\n"
    "  A: {type: revolute, between: [crank.A, rod.A]}\n"
    "  B: {type: revolute, between: [rod.B, slider.B]}\n"
    "  G: {type: prismatic, between: [ground.G, slider.G]}\n"
    "drives: {q: {joint: O}}\ntool: slider.B\n"
    "motions: {turns: {law: constant, duration: 24 ms, drives: {q: [0 deg, 720 deg]}}}\n";

// ---- one ball ---------------------------------------------------------------------------------

/// It falls by the clearance and bounces with Hertz' law: nothing is lost through 2100 touches.
/// Each touch may lose or gain 1e-6 of the energy m g c = 4.9e-4 J at this tolerance.
static void a_ball_bounces_for_ever_on_hertz(void)
{
    pkm_robot* robot = engine_from(ball_model);
    clearance_run p = clearance(
        robot, "for: 20 s\ntolerance: 1e-10\nclearance: {S: {radial: 0.1 mm, radius: 10 mm, "
               "stiffness: 1.5e11, law: hertz}}\n");
    CHECK(p.record->bearing[0].n_impact > 2100);
    CHECK_NEAR(p.r.report.ledger.residual / (0.5 * 9.81 * 1e-4), 0.0, 1e-5);
    CHECK_NEAR(p.record->bearing[0].impact.value, sqrt(2.0 * 9.81 * 1e-4), 1e-6);
    CHECK_NEAR(p.r.report.ledger.contact, 0.0, 1e-15);
    clearance_free(&p);
    pkm_robot_free(robot);
}

/// With damping it comes to rest at the static penetration (K d^1.5 = m g).
static void a_ball_comes_to_rest_at_the_static_penetration(void)
{
    pkm_robot* robot = engine_from(ball_model);
    clearance_run p =
        clearance(robot, "for: 3 s\ninstants: 3\nintegrator: explicit\nclearance: {S: {radial: "
                         "0.1 mm, radius: 10 mm, "
                         "stiffness: 1.5e11, law: gonthier, restitution: 0.5}}\n");
    const double depth = pow(0.5 * 9.81 / 1.5e11, 2.0 / 3.0);
    CHECK_NEAR(sim_get(&p.r, 2, "S.oz"), -1e-4 - depth, 1e-9);
    CHECK_NEAR(sim_get(&p.r, 2, "S.normal"), 0.5 * 9.81, 1e-2);
    // the fall, less what is left in the contact, is lost there
    CHECK_NEAR(p.r.report.ledger.contact, 0.5 * 9.81 * (1e-4 + depth) - 0.4 * 0.5 * 9.81 * depth,
               1e-8);
    clearance_free(&p);
    pkm_robot_free(robot);
}

/// Each law leaves with the restitution of its closed form, seen in the second touch. Gravity works
/// over a penetration of 2 um of a fall of 100 um, hence 1e-3.
static void touches_come_with_the_restitution_of_the_law(void)
{
    static const char* const law[] = {"lankarani-nikravesh", "hunt-crossley", "flores", "gonthier"};
    const double chi[] = {0.75 * (1.0 - 0.64), 1.5 * 0.2, 1.6 * 0.2 / 0.8, pkm_contact_chi(0.8)};
    pkm_robot* robot = engine_from(ball_model);
    for (int k = 0; k < 4; ++k) {
        char text[300];
        snprintf(text, sizeof text,
                 "for: 13 ms\ninstants: 3\nclearance: {S: {radial: 0.1 mm, radius: 10 mm, "
                 "stiffness: 1.5e13, law: %s, restitution: 0.8}}\n",
                 law[k]);
        clearance_run p = clearance(robot, text);
        CHECK(p.record->n_event == 4); // touch, part, touch, part
        if (p.record->n_event == 4) {
            const double flight = p.record->event[2].t - p.record->event[1].t;
            const double e = 0.5 * 9.81 * flight / p.record->bearing[0].impact.value;
            CHECK_NEAR(e, pkm_contact_restitution(chi[k]), 1e-3);
        }
        clearance_free(&p);
    }
    pkm_robot_free(robot);
}

// ---- pendulum ---------------------------------------------------------------------------------

/// A planar pendulum on a ball with clearance, written down by itself: centre of mass x, z and
/// angle a (the rod points along (cos a, -sin a)), the ball 0.2 m behind it; Lankarani-Nikravesh.
typedef struct fine {
    double y[6]; ///< x, z, a and their rates
    double v0;   ///< at first touch
    int n_touch;
    double touch[3]; ///< times
} fine;

static const double CLEARANCE = 1e-3, K = 1e9, E = 0.8, ARM = 0.2, MASS = 1.0, INERTIA = 0.02;

static void fine_ball(const double* y, double* x, double* z, double* vx, double* vz)
{
    const double c = cos(y[2]), s = sin(y[2]);
    *x = y[0] - ARM * c, *z = y[1] + ARM * s;
    *vx = y[3] + ARM * s * y[5], *vz = y[4] + ARM * c * y[5];
}

static void fine_rate(const fine* f, const double* y, double* rate)
{
    double x, z, vx, vz;
    fine_ball(y, &x, &z, &vx, &vz);
    const double e = hypot(x, z), d = e - CLEARANCE;
    double force = 0.0;
    if (d > 0.0)
        force = K * d * sqrt(d) * (1.0 + 0.75 * (1.0 - E * E) * (x * vx + z * vz) / e / f->v0);
    if (force < 0.0) force = 0.0;
    const double fx = e > 0.0 ? -force * x / e : 0.0, fz = e > 0.0 ? -force * z / e : 0.0;
    const double rx = -ARM * cos(y[2]), rz = ARM * sin(y[2]); // from the centre of mass to the ball
    rate[0] = y[3], rate[1] = y[4], rate[2] = y[5];
    rate[3] = fx / MASS, rate[4] = fz / MASS - 9.81;
    rate[5] = (rz * fx - rx * fz) / INERTIA; // about +y: x turns to -z
}

/// RK4 with steps of 50 ns until `end`; touches are found by a straight line in a step.
static void fine_run(fine* f, double end)
{
    const double h = 5e-8;
    double before = -CLEARANCE;
    for (double t = 0.0; t < end - 0.5 * h; t += h) {
        double k[4][6] = {{0.0}}, y[6];
        const double node[4] = {0.0, 0.5 * h, 0.5 * h, h};
        for (int s = 0; s < 4; ++s) {
            for (int i = 0; i < 6; ++i)
                y[i] = f->y[i] + node[s] * k[s ? s - 1 : 0][i];
            fine_rate(f, y, k[s]);
        }
        for (int i = 0; i < 6; ++i)
            f->y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        double x, z, vx, vz;
        fine_ball(f->y, &x, &z, &vx, &vz);
        const double d = hypot(x, z) - CLEARANCE;
        if (d > 0.0 && before <= 0.0) {
            f->v0 = (x * vx + z * vz) / hypot(x, z);
            if (f->n_touch < 3) f->touch[f->n_touch] = t + h * before / (before - d);
            ++f->n_touch;
        }
        before = d;
    }
}

static void the_pendulum_follows_a_fine_integration_through_three_impacts(void)
{
    pkm_robot* robot = engine_from(pendulum_model);
    clearance_run p =
        clearance(robot, "for: 80 ms\ninstants: 9\nclearance: {S: {radial: 1 mm, radius: 10 mm, "
                         "stiffness: 1e9, restitution: 0.8}}\n");
    int n = 0;
    fine f = {.y = {ARM, 0.0, 0.0, 0.0, 0.0, 0.0}, .v0 = 1.0};
    double done = 0.0;
    for (int i = 1; i < 9; ++i) {
        fine_run(&f, 0.01 * i - done);
        done = 0.01 * i;
        if (f.n_touch > 3) break;
        CHECK_NEAR(sim_get(&p.r, i, "P.x"), f.y[0], 1e-8);
        CHECK_NEAR(sim_get(&p.r, i, "P.z"), f.y[1], 1e-8);
        n = i;
    }
    CHECK(f.n_touch >= 3 && n >= 4);
    clearance_free(&p);
    pkm_robot_free(robot);
}

/// Touches are located for every method: the same motion, and the same loss in the contacts.
static void integrators_agree(void)
{
    static const char* const name[] = {"explicit", "bdf", "ida"};
    static const double off[] = {0.0, 1e-7, 1e-7}; // of 80 mm
    pkm_robot* robot = engine_from(pendulum_model);
    double z = 0.0, lost = 0.0;
    for (int k = 0; k < 3; ++k) {
        char text[300];
        snprintf(text, sizeof text,
                 "for: 50 ms\ninstants: 3\nintegrator: %s\ntolerance: 1e-8\nclearance: {S: "
                 "{radial: 1 mm, radius: 10 "
                 "mm, stiffness: 1e9, restitution: 0.8}}\n",
                 name[k]);
        clearance_run p = clearance(robot, text);
        if (k == 0) z = sim_get(&p.r, 2, "P.z"), lost = p.r.report.ledger.contact;
        CHECK_NEAR(sim_get(&p.r, 2, "P.z"), z, off[k]);
        CHECK_NEAR(p.r.report.ledger.contact / lost, 1.0, k ? 1e-5 : 0.0);
        CHECK(p.record->bearing[0].n_impact == 2);
        CHECK_NEAR(1e6 * p.record->bearing[0].penetration.value, 34.88, 0.02);
        clearance_free(&p);
    }
    pkm_robot_free(robot);
}

// ---- slider-crank -----------------------------------------------------------------------------

static clearance_run slider_crank(pkm_robot* robot, double clearance_mm, const char* more)
{
    char text[400];
    snprintf(
        text, sizeof text,
        "instants: 801\nclearance: {B: {radial: %g mm, radius: 9.5 mm, length: 20 mm, axial: 1 "
        "mm, stiffness: 3.3e10, restitution: 0.9%s}}\n",
        clearance_mm, more);
    return clearance(robot, text);
}

/// At 5000 rpm with 0.5 mm: flight, impacts and lasting contact all occur, and the crank's moment
/// has peaks of several times the ideal one, as in the papers.
static void the_slider_crank_has_all_modes(void)
{
    pkm_robot* robot = engine_from(slider_crank_model);
    clearance_run p = slider_crank(robot, 0.5, "");
    const pkm_bearing_record* b = &p.record->bearing[0];
    const double total = p.record->t_end, most = sim_value(&p.r, "absmax q.force");
    for (int m = PKM_TOUCH_FLIGHT; m <= PKM_TOUCH_SLIDING; ++m)
        CHECK(b->time[m] > 0.03 * total);
    CHECK(most > 3.0 * 130.0 && most < 20.0 * 130.0);
    CHECK(b->n_impact > 20);
    CHECK(clearance_residual(&p) < 1e-6);
    // the journal stays in the bearing, but for the penetration
    CHECK(b->offset.value < 0.5e-3 + 2.0 * b->penetration.value);
    clearance_free(&p);
    pkm_robot_free(robot);
}

/// The limit of no clearance is the ideal joint: deviations fall with it. What is left at 1 um is
/// the start, where the load comes at once on a contact that is not pressed yet.
static void small_clearance_is_the_ideal_joint(void)
{
    pkm_robot* robot = engine_from(slider_crank_model);
    const double clearance_mm[] = {0.1, 0.01, 0.001};
    double before = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        clearance_run p = slider_crank(robot, clearance_mm[k], ", law: gonthier");
        double sum = 0.0, size = 0.0;
        for (int i = 400; i <= 800; ++i) { // the second turn
            const double off = sim_get(&p.r, i, "q.dforce"), force = sim_get(&p.r, i, "q.force");
            sum += off * off, size += force * force;
        }
        const double now = sqrt(sum / size);
        CHECK(now < 0.7 * before);
        before = now;
        clearance_free(&p);
    }
    CHECK(before < 2e-2);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_ball_bounces_for_ever_on_hertz);
    RUN(a_ball_comes_to_rest_at_the_static_penetration);
    RUN(touches_come_with_the_restitution_of_the_law);
    RUN(the_pendulum_follows_a_fine_integration_through_three_impacts);
    RUN(integrators_agree);
    RUN(the_slider_crank_has_all_modes);
    RUN(small_clearance_is_the_ideal_joint);
    return check_report();
}
