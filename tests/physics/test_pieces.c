// Flexible links in pieces: large deflections against rods that are integrated along their length,
// energy, damping, cost, and what the table says of such links.
#include "flexible.h"

#include "dynamics/forward.h"
#include "table/warnings.h"

#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double E = 207e9, G = 207e9 / 2.58, rho = 7801.0;

// ---- a rod of large deflection -----------------------------------------------------------------
// Kirchhoff's rod, integrated along its length by Runge and Kutta's method: position, axes and
// moment about the world's axes, with a dead force and moment at its tip. What is not known at the
// clamp, the moment, is found by Newton's method on the moment at the tip.

typedef struct rod {
    double length[2];       // of up to two straight parts
    pkm_mat3 corner;        // turn of the axes between them
    double GJ, EIy, EIz;    // about x (along), y, z of the section
    pkm_vec3 force, moment; // at the tip
} rod;

typedef struct station {
    pkm_vec3 p, x, y, z, m; // x, y, z: axes; m: moment that the outer part exerts
} station;

static station rod_rate(const rod* r, station s)
{
    const pkm_vec3 k = {pkm_vec3_dot(s.m, s.x) / r->GJ, pkm_vec3_dot(s.m, s.y) / r->EIy,
                        pkm_vec3_dot(s.m, s.z) / r->EIz};
    const pkm_vec3 w = pkm_vec3_axpy(pkm_vec3_axpy(pkm_vec3_scale(k.x, s.x), k.y, s.y), k.z, s.z);
    return (station){s.x, pkm_vec3_cross(w, s.x), pkm_vec3_cross(w, s.y), pkm_vec3_cross(w, s.z),
                     pkm_vec3_cross(r->force, s.x)};
}

static station rod_add(station a, double h, station b)
{
    return (station){pkm_vec3_axpy(a.p, h, b.p), pkm_vec3_axpy(a.x, h, b.x),
                     pkm_vec3_axpy(a.y, h, b.y), pkm_vec3_axpy(a.z, h, b.z),
                     pkm_vec3_axpy(a.m, h, b.m)};
}

static station rod_tip(const rod* r, pkm_vec3 m0)
{
    enum { N = 400 };
    station s = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, m0};
    for (int part = 0; part < 2 && r->length[part] > 0.0; ++part) {
        const double h = r->length[part] / N;
        if (part == 1) {
            const pkm_mat3 R = pkm_mat3_matmul((pkm_mat3){s.x, s.y, s.z}, r->corner);
            s.x = R.x, s.y = R.y, s.z = R.z;
        }
        for (int i = 0; i < N; ++i) {
            const station a = rod_rate(r, s), b = rod_rate(r, rod_add(s, 0.5 * h, a));
            const station c = rod_rate(r, rod_add(s, 0.5 * h, b));
            const station d = rod_rate(r, rod_add(s, h, c));
            s = rod_add(rod_add(rod_add(rod_add(s, h / 6.0, a), h / 3.0, b), h / 3.0, c), h / 6.0,
                        d);
        }
    }
    return s;
}

static pkm_vec3 solve3(const pkm_vec3 column[3], pkm_vec3 b)
{
    const double det = pkm_vec3_dot(column[0], pkm_vec3_cross(column[1], column[2]));
    return (pkm_vec3){pkm_vec3_dot(b, pkm_vec3_cross(column[1], column[2])) / det,
                      pkm_vec3_dot(column[0], pkm_vec3_cross(b, column[2])) / det,
                      pkm_vec3_dot(column[0], pkm_vec3_cross(column[1], b)) / det};
}

/// The tip of the rod under its loads, which are raised in steps.
static station rod_solve(rod r)
{
    enum { STEPS = 40 };
    const pkm_vec3 force = r.force, moment = r.moment;
    pkm_vec3 m = {0, 0, 0};
    for (int k = 1; k <= STEPS; ++k) {
        r.force = pkm_vec3_scale((double)k / STEPS, force);
        r.moment = pkm_vec3_scale((double)k / STEPS, moment);
        for (int i = 0; i < 30; ++i) {
            const pkm_vec3 off = pkm_vec3_sub(r.moment, rod_tip(&r, m).m);
            const double h = 1e-6 * (r.EIz + r.EIy);
            pkm_vec3 column[3];
            for (int j = 0; j < 3; ++j) {
                const pkm_vec3 e = {j == 0 ? h : 0.0, j == 1 ? h : 0.0, j == 2 ? h : 0.0};
                column[j] =
                    pkm_vec3_scale(0.5 / h, pkm_vec3_sub(rod_tip(&r, pkm_vec3_add(m, e)).m,
                                                         rod_tip(&r, pkm_vec3_sub(m, e)).m));
            }
            const pkm_vec3 step = solve3(column, off);
            m = pkm_vec3_add(m, step);
            if (pkm_vec3_norm(step) < 1e-12 * (r.EIz + r.EIy)) break;
        }
    }
    return rod_tip(&r, m);
}

// ---- static cantilevers ------------------------------------------------------------------------

static const char* thin_arm(const char* shape, const char* drives)
{
    static char text[1200];
    snprintf(text, sizeof text,
             "pkm: 1\nname: cantilever\ngravity: [0, 0, 0]\n"
             "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
             "ground: {points: {O: [0, 0, 0]}}\n"
             "bodies:\n  arm:\n    points: {A: [0, 0, 0], B: [1, 0, 0], C: [1, 0.5, 0]}\n"
             "    shape: %s\n"
             "joints: {hub: {type: revolute, between: [ground.O, arm.A], axis: y}}\n%s",
             shape, drives);
    return text;
}

static const char round_bar[] = "{rod: {from: A, to: B, diameter: 2 mm}, material: steel}";
static const char driven[] = "drives: {q: {joint: hub}}\ntool: arm.B\n";

/// Where the tip of the thin arm is at rest under a load, given as keys of the run.
static pkm_vec3 rest(int n, const char* load)
{
    char text[400];
    pkm_robot* robot = engine_from(thin_arm(round_bar, driven));
    snprintf(text, sizeof text,
             "drives: locked\nfor: 0.1 ms\ninstants: 2\nflexible: {arm: {pieces: %d}}\n%s", n,
             load);
    sim_result r = sim_run_whole(robot, text);
    const pkm_vec3 tip = {sim_get(&r, 0, "B.x"), sim_get(&r, 0, "B.y"), sim_get(&r, 0, "B.z")};
    CHECK_NEAR(sim_get(&r, 0, "B.acc"), 0.0, 1e-3);
    sim_free(&r);
    pkm_robot_free(robot);
    return tip;
}

/// The elastica by quadrature: a clamped rod of length 1 with the dead load k = F L^2 / EI across
/// it. Its slope phi rises to a at the tip: ds = dphi / sqrt(2 k (sin a - sin phi)). With sin phi =
/// (1 + sin a) sin^2 u - 1 the integrands are smooth.
static void elastica(double k, double* along, double* across)
{
    enum { N = 2000 };
    double low = 1e-6, high = 0.5 * PI - 1e-9;
    for (int bisect = 0; bisect < 200; ++bisect) {
        const double a = 0.5 * (low + high), p2 = 0.5 * (1.0 + sin(a));
        const double u0 = asin(sqrt(0.5 / p2)), h = (0.5 * PI - u0) / N;
        double F = 0.0, S = 0.0;
        for (int i = 0; i < N; ++i) { // midpoints
            const double u = u0 + (i + 0.5) * h, d = sqrt(1.0 - p2 * sin(u) * sin(u));
            F += h / d;
            S += h * (2.0 * p2 * sin(u) * sin(u) - 1.0) / d;
        }
        *across = S / sqrt(k);
        *along = sqrt(2.0 * sin(a) / k);
        if (F < sqrt(k))
            low = a;
        else
            high = a;
    }
}

// Published for F L^2 / EI = 1: 0.30172 across, 0.05643 shorter (Mattiasson, 1981).
static void the_elastica_is_the_published_one(void)
{
    double along, across;
    elastica(1.0, &along, &across);
    CHECK_NEAR(across, 0.30172, 1e-5);
    CHECK_NEAR(1.0 - along, 0.05643, 1e-5);
    elastica(10.0, &along, &across);
    CHECK_NEAR(across, 0.81061, 1e-5);
    CHECK_NEAR(1.0 - along, 0.55500, 1e-5);
}

// Eight pieces; the error falls with the fourth power of their length.
static void a_tip_force_bends_it_like_the_elastica(void)
{
    const double EI = E * PI * pow(0.002, 4) / 64.0, k[] = {1.0, 2.0, 5.0, 10.0};
    const double near[] = {5e-5, 2e-4, 8e-4, 2e-3};
    double off[2];
    for (int i = 0; i < 4; ++i) {
        char load[80];
        double along, across;
        elastica(k[i], &along, &across);
        snprintf(load, sizeof load, "tool_force: [0, 0, %.17g N]\n", -k[i] * EI);
        const pkm_vec3 tip = rest(8, load);
        CHECK_NEAR(tip.x, along, near[i]);
        CHECK_NEAR(-tip.z, across, near[i]);
        CHECK_NEAR(tip.y, 0.0, 1e-9);
        if (i != 1) continue;
        off[0] = fabs(rest(4, load).z + across);
        off[1] = fabs(tip.z + across);
        CHECK(off[1] < off[0] / 10.0);
    }
}

/// What the only warning of an arm under the tip force k EI/L^2 says, and how much too far its tip
/// is; `lost`: the run is no answer.
static double arm_off(const char* flexible, double k, bool lost, char* told, size_t size)
{
    const double EI = E * PI * pow(0.002, 4) / 64.0;
    char text[300];
    double along, across;
    pkm_robot* robot = engine_from(thin_arm(round_bar, driven));
    snprintf(text, sizeof text,
             "drives: locked\nfor: 0.1 ms\ninstants: 2\nflexible: {arm: %s}\n"
             "tool_force: [0, 0, %.17g N]\n",
             flexible, -k * EI);
    sim_result r = sim_run(robot, text);
    CHECK(r.status == PKM_OK);
    CHECK(r.report.stop == (lost ? PKM_STOP_BENT : PKM_STOP_END_TIME));
    const pkm_warnings* w = pkm_table_get_warnings(r.table);
    CHECK(w->n <= 1);
    snprintf(told, size, "%s", w->n > 0 ? w->item[0].text : "");
    elastica(k, &along, &across);
    const double off = -sim_get(&r, 0, "B.z") / across - 1.0;
    sim_free(&r);
    pkm_robot_free(robot);
    return off;
}

// A link in one piece says by how much it is off, once it turns by more than 0.1 rad (0.5 %);
// beyond 30 % the run is no answer.
static void a_whole_link_tells_how_far_off_it_is(void)
{
    static const double k[] = {0.14, 0.3, 0.5, 1.0, 3.0};
    char told[500];
    for (int i = 0; i < 5; ++i) {
        const double off = arm_off("{}", k[i], i == 4, told, sizeof told);
        const char* at = strstr(told, "off by some ");
        if (i == 0) {
            CHECK(told[0] == '\0' && off < 0.005);
        } else if (i == 4) {
            CHECK(off > 0.3);
            CHECK_CONTAINS(told, "not to be trusted, expected pieces");
        } else {
            CHECK(at);
            if (at) CHECK_NEAR(1e-2 * strtod(at + strlen("off by some "), NULL), off, 0.15 * off);
        }
    }
}

// So do pieces, a little on the safe side; what the whole link is off is that of each of them over
// the square of their number.
static void pieces_tell_how_far_off_they_are(void)
{
    static const struct {
        int n;
        double k;
    } arm[] = {{2, 1.0}, {2, 5.0}, {3, 5.0}, {4, 10.0}};
    char told[500], flexible[60];
    for (int i = 0; i < 4; ++i) {
        snprintf(flexible, sizeof flexible, "{pieces: %d}", arm[i].n);
        const double off = arm_off(flexible, arm[i].k, false, told, sizeof told);
        const char* at = strstr(told, "off by some ");
        CHECK(at);
        if (!at) continue;
        const double says = 1e-2 * strtod(at + strlen("off by some "), NULL);
        CHECK(says > off && says < 1.35 * off);
    }
    CHECK(arm_off("{pieces: 4}", 1.0, false, told, sizeof told) < 0.0046 && told[0] == '\0');
}

// The closed form of an end moment: an arc of the angle M L / EI.
static void an_end_moment_rolls_it_to_an_arc(void)
{
    const double EI = E * PI * pow(0.002, 4) / 64.0, angle = 0.75 * PI;
    char load[80];
    snprintf(load, sizeof load, "tool_torque: [0, %.17g N m, 0]\n", angle * EI);
    const pkm_vec3 tip = rest(16, load);
    CHECK_NEAR(tip.x, sin(angle) / angle, 2e-4);
    CHECK_NEAR(-tip.z, (1.0 - cos(angle)) / angle, 2e-4);
}

// As in the beam experiment at Princeton: a flat strip, the weight at its tip turned against its
// section, so that it bends both ways and twists. Truth is the integrated rod.
static void a_strip_under_a_skew_load_bends_and_twists(void)
{
    const double b = 12e-3, h = 3e-3, angle = PI / 6.0, F = 6.0;
    const char shape[] = "{box: {center: [0.5, 0, 0], size: [1, 12 mm, 3 mm]}, material: steel}";
    char text[400];
    pkm_robot* robot = engine_from(thin_arm(shape, driven));
    snprintf(text, sizeof text,
             "drives: locked\nfor: 0.1 ms\ninstants: 2\nflexible: {arm: {pieces: 12}}\n"
             "tool_force: [0, %.17g N, %.17g N]\n",
             F * cos(angle), -F * sin(angle));
    sim_result r = sim_run_whole(robot, text);
    // St. Venant's torsion of the rectangle by its series
    double series = 0.0;
    for (int i = 1; i < 40; i += 2)
        series += tanh(i * PI * b / (2.0 * h)) / pow(i, 5);
    const double J = b * h * h * h * (1.0 / 3.0 - 64.0 * h / (pow(PI, 5) * b) * series);
    const rod truth = {.length = {1.0, 0.0},
                       .GJ = G * J,
                       .EIy = E * b * h * h * h / 12.0,
                       .EIz = E * h * b * b * b / 12.0,
                       .force = {0.0, F * cos(angle), -F * sin(angle)}};
    const station tip = rod_solve(truth);
    CHECK(fabs(tip.p.z) > 0.12 && fabs(tip.p.y) > 0.01);
    CHECK_NEAR(sim_get(&r, 0, "B.x"), tip.p.x, 1e-4);
    CHECK_NEAR(sim_get(&r, 0, "B.y"), tip.p.y, 1e-4);
    CHECK_NEAR(sim_get(&r, 0, "B.z"), tip.p.z, 1e-4);
    CHECK(fabs(sim_get(&r, 0, "arm.twist")) > 1e-3);
    sim_free(&r);
    pkm_robot_free(robot);
}

// A frame of one body: its two bars are cut into pieces that meet in the corner.
static void a_frame_bends_like_two_rods_with_a_corner(void)
{
    const char shape[] = "[{rod: {from: A, to: B, diameter: 2 mm}, material: steel}, "
                         "{rod: {from: B, to: C, diameter: 2 mm}, material: steel}]";
    const double EI = E * PI * pow(0.002, 4) / 64.0, F = 0.6 * EI;
    char text[300];
    pkm_robot* robot = engine_from(thin_arm(shape, "drives: {q: {joint: hub}}\ntool: arm.C\n"));
    snprintf(text, sizeof text,
             "drives: locked\nfor: 0.1 ms\ninstants: 2\nflexible: {arm: {pieces: 12}}\n"
             "tool_force: [0, %.17g N, %.17g N]\n",
             -0.5 * F, -F);
    sim_result r = sim_run_whole(robot, text);
    const rod truth = {.length = {1.0, 0.5},
                       .corner = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},
                       .GJ = 2.0 * G * EI / E,
                       .EIy = EI,
                       .EIz = EI,
                       .force = {0.0, -0.5 * F, -F}};
    const station tip = rod_solve(truth);
    CHECK(fabs(tip.p.z) > 0.2);
    CHECK_NEAR(sim_get(&r, 0, "C.x"), tip.p.x, 2e-4);
    CHECK_NEAR(sim_get(&r, 0, "C.y"), tip.p.y, 2e-4);
    CHECK_NEAR(sim_get(&r, 0, "C.z"), tip.p.z, 2e-4);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Ten times the stiffness, a tenth of the deflection.
static void stiff_pieces_are_a_rigid_arm(void)
{
    double off[3];
    for (int i = 0; i < 3; ++i) {
        char young[40];
        snprintf(young, sizeof young, "young: 207e%d", 11 + i);
        static char text[1200];
        const char* model =
            thin_arm("{rod: {from: A, to: B, diameter: 10 mm}, material: steel}", driven);
        const char* at = strstr(model, "young: 207e9");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - model), model, young, at + 12);
        pkm_robot* robot = engine_from(text);
        sim_result r = sim_run_whole(robot, "drives: locked\nfor: 0.1 ms\ninstants: 2\n"
                                            "tool_force: [0, 0, -1 N]\n"
                                            "flexible: {arm: {pieces: 4}}\n");
        off[i] = -sim_get(&r, 0, "B.z");
        sim_free(&r);
        pkm_robot_free(robot);
    }
    CHECK_NEAR(off[1] / off[0], 0.1, 1e-4);
    CHECK_NEAR(off[2] / off[1], 0.1, 1e-4);
}

// ---- in motion ---------------------------------------------------------------------------------

/// omega of the lowest mode of a cantilever of length 1.
static double lowest(double diameter)
{
    return 1.875104069 * 1.875104069 * sqrt(E / rho) * diameter / 4.0;
}

/// By how much kinetic energy and strain of an arm of 1 m change in a hundred periods of the lowest
/// mode, against what they are: a soft push at the tip, that makes it swing by about `swing` [m],
/// and then nothing. All settings are the defaults.
static double energy_change(const char* flexible, double diameter, double swing)
{
    const double period = 2.0 * PI / lowest(diameter), push = 1.5 * period;
    const double F = 2.0 * E * PI * pow(diameter, 4) / 64.0 * swing;
    char shape[120], text[500];
    snprintf(shape, sizeof shape, "{rod: {from: A, to: B, diameter: %.17g}, material: steel}",
             diameter);
    pkm_robot* robot = engine_from(thin_arm(shape, driven));
    snprintf(text, sizeof text,
             "drives: locked\nfor: %.17g s\ninstants: 1016\nflexible: {arm: %s}\n"
             "loads: {push: {at: arm.B, force: [0, 0, '=%.17g*sin(pi*min(t, %.17g s)/%.17g "
             "s)^4']}}\n",
             push + 100.0 * period, flexible, F, push, push);
    sim_result r = sim_run_whole(robot, text);
    double first = 0.0, off = 0.0, most = 0.0;
    for (int i = 16; i <= sim_last(&r); ++i) {
        const double sum = sim_get(&r, i, "energy.kinetic") + sim_get(&r, i, "energy.strain");
        if (i == 16) first = sum;
        off = fmax(off, fabs(sum - first));
        most = fmax(most, fabs(sim_get(&r, i, "B.z")));
    }
    CHECK(most > 0.5 * swing && most < 2.0 * swing);
    sim_free(&r);
    pkm_robot_free(robot);
    return off / first;
}

/// The method that a hundred periods of an arm of the given diameter are left to.
static pkm_integrator method_of(const char* diameter)
{
    char shape[120], text[200];
    snprintf(shape, sizeof shape, "{rod: {from: A, to: B, diameter: %s}, material: steel}",
             diameter);
    const double w = 3.516 * sqrt(E / rho) * strtod(diameter, NULL) * 1e-3 / 4.0;
    snprintf(text, sizeof text,
             "run: 1\ndrives: locked\nmotion: none\nfor: %.17g s\nflexible: {arm: {}}\n",
             100.0 * 2.0 * PI / w);
    pkm_robot* robot = engine_from(thin_arm(shape, driven));
    pkm_run* run = NULL;
    pkm_error err = {0};
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_parse(run, text, "run.yaml", &err) == PKM_OK);
    CHECK(pkm_run_complete(run, &err) == PKM_OK);
    const pkm_integrator found = run->settings.integrator;
    pkm_run_free(run);
    pkm_robot_free(robot);
    return found;
}

// sdirk keeps less of the energy, in as many seconds.
static void the_exact_method_follows_long_ringing(void)
{
    CHECK(method_of("20 mm") == PKM_INTEGRATOR_EXPLICIT);
    CHECK(method_of("10 mm") == PKM_INTEGRATOR_EXPLICIT);
    CHECK(method_of("2 mm") == PKM_INTEGRATOR_SDIRK);
}

// Tolerances are parts of the swing: as parts of the robot they leave a whole link that swings by
// 0.1 um with a twentieth of its energy, one in pieces that swings by 1 um without 1e-3 of it.
static void energy_is_kept_over_a_hundred_periods(void)
{
    static const struct {
        const char* flexible;
        double diameter, swing;
    } arm[] = {{"{elements: 2}", 0.2, 1e-3},
               {"{elements: 2}", 0.02, 1e-7},
               {"{}", 0.002, 1e-3}, // by sdirk
               {"{pieces: 2, elements: 2}", 0.2, 1e-3},
               {"{pieces: 4, elements: 4}", 0.02, 1e-5},
               {"{pieces: 4, elements: 4}", 0.002, 1e-2},
               {"{pieces: 4, elements: 4}", 0.002, 1e-6}};
    for (size_t i = 0; i < sizeof arm / sizeof arm[0]; ++i)
        CHECK(energy_change(arm[i].flexible, arm[i].diameter, arm[i].swing) < 1e-6);
}

/// The top of the parabola through three values in a row; NaN where the middle one is no peak.
static double peak_of(double a, double b, double c)
{
    return b > a && b >= c ? b + (a - c) * (a - c) / (8.0 * (2.0 * b - a - c)) : NAN;
}

/// Ratio of damping from the peaks of the tip, which swings about its rest under the force F [N]
/// that is put on at once.
static double measured_ratio(const char* flexible, double F)
{
    const double period = 2.0 * PI / lowest(0.02);
    const double EI = E * PI * pow(0.02, 4) / 64.0, rest_at = F / (3.0 * EI);
    char text[500];
    pkm_robot* robot =
        engine_from(thin_arm("{rod: {from: A, to: B, diameter: 20 mm}, material: steel}", driven));
    snprintf(text, sizeof text,
             "drives: locked\nfor: %.17g s\ninstants: 1201\n"
             "start: undeformed\ntool_force: [0, 0, %.17g N]\n"
             "flexible: {arm: {%s}}\n",
             12.0 * period, F, flexible);
    sim_result r = sim_run_whole(robot, text);
    double first = 0.0, last = 0.0;
    int n = 0;
    for (int i = 301; i < sim_last(&r); ++i) { // when higher modes are gone
        const double peak =
            peak_of(sim_get(&r, i - 1, "B.z"), sim_get(&r, i, "B.z"), sim_get(&r, i + 1, "B.z"));
        if (isnan(peak)) continue;
        if (n++ == 0) first = peak - rest_at;
        last = peak - rest_at;
    }
    CHECK(n >= 7);
    sim_free(&r);
    pkm_robot_free(robot);
    const double decrement = log(first / last) / (n - 1);
    return decrement / hypot(2.0 * PI, decrement);
}

// The given ratio is that of the lowest vibration on the drive, in pieces and as one, with
// defaults, for swings of 1 um and of 1 % of the length.
static void a_ratio_of_damping_is_met_by_the_lowest_mode(void)
{
    const double EI = E * PI * pow(0.02, 4) / 64.0;
    static const char in_pieces[] = "pieces: 4, elements: 4, damping: 0.02";
    CHECK_NEAR(measured_ratio(in_pieces, 3.0 * EI * 1e-6), 0.02, 1e-4);
    CHECK_NEAR(measured_ratio(in_pieces, 3.0 * EI * 1e-2), 0.02, 1e-4);
    CHECK_NEAR(measured_ratio("damping: 0.02", 3.0 * EI * 1e-2), 0.02, 1e-4);
}

// One piece more of an arm costs as much as the one before: multiplications of an evaluation's
// factors and solutions, counted along their loops.
static void cost_is_linear_in_the_pieces(void)
{
    double cost[4];
    for (int i = 0; i < 4; ++i) {
        char text[60];
        snprintf(text, sizeof text, "{arm: {pieces: %d}}", 8 << i);
        flex* f = flex_make(engine_from(thin_arm(round_bar, driven)), text, false, true);
        pkm_forward* forward = NULL;
        bool all[PKM_MAX_DRIVE] = {true};
        CHECK(pkm_forward_create(f->robot->state, &f->robot->structure, all, NULL, 0, &forward,
                                 NULL) == PKM_OK);
        cost[i] = pkm_forward_cost(forward, f->robot->state);
        pkm_forward_free(forward);
        flex_free(f);
    }
    printf("    multiplications: %.0f %.0f %.0f %.0f\n", cost[0], cost[1], cost[2], cost[3]);
    for (int i = 1; i + 1 < 4; ++i) // linear, not proportional: the ends differ
        CHECK((cost[i + 1] - cost[i]) / (cost[i] - cost[i - 1]) < 2.01);
}

// ---- what is read off --------------------------------------------------------------------------

// While it bends little, a link in pieces says what a link in one says.
static void readings_are_those_of_the_whole_link(void)
{
    static const char* const column[] = {"arm.deflection",  "arm.twist",     "arm.stress",
                                         "arm.axial",       "arm.buckling",  "arm@0.25.deflection",
                                         "arm@0.25.stress", "arm@0.25.twist"};
    sim_result r[2];
    pkm_robot* robot =
        engine_from(thin_arm("{rod: {from: A, to: B, diameter: 20 mm}, material: steel}", driven));
    for (int i = 0; i < 2; ++i) {
        char text[300];
        snprintf(text, sizeof text,
                 "drives: locked\nfor: 0.1 ms\ninstants: 2\ntool_force: [-100 N, 3 N, -5 N]\n"
                 "tool_torque: [4 N m, 0, 0]\n"
                 "flexible: {arm: {elements: 8, modes: full, places: [0.25]%s}}\n",
                 i == 0 ? "" : ", pieces: 4");
        r[i] = sim_run_whole(robot, text);
    }
    for (size_t k = 0; k < sizeof column / sizeof column[0]; ++k) {
        const double one = sim_get(&r[0], 0, column[k]), many = sim_get(&r[1], 0, column[k]);
        CHECK(fabs(one) > 0.0);
        CHECK_NEAR(many, one, 1e-3 * fabs(one));
    }
    for (int i = 0; i < 2; ++i)
        sim_free(&r[i]);
    pkm_robot_free(robot);
}

// Rods between balls: spins and tool are where they are with rods in one.
static void a_delta_with_rods_in_pieces_moves_as_with_whole_ones(void)
{
    pkm_vec3 p[2];
    for (int i = 0; i < 2; ++i) {
        char text[200];
        pkm_robot* robot = engine_load("siax");
        snprintf(text, sizeof text,
                 "motion: paper\nfor: 0.02 s\ninstants: 2\nflexible: {left: %s, right: %s}\n",
                 i == 0 ? "{}" : "{pieces: 2}", i == 0 ? "{}" : "{pieces: 2}");
        sim_result r = sim_run_whole(robot, text);
        p[i] = (pkm_vec3){sim_get(&r, 1, "P.dx"), sim_get(&r, 1, "P.dy"), sim_get(&r, 1, "P.dz")};
        sim_free(&r);
        pkm_robot_free(robot);
    }
    CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(p[0], p[1])), 0.0, 2e-3 * pkm_vec3_norm(p[0]));
}

/// Height of the five-bar's tool at rest on locked drives, all four links of one mesh.
static double sag_of_a_loop(const char* pieces)
{
    char text[300];
    pkm_robot* robot = engine_load("five-bar");
    snprintf(text, sizeof text,
             "motion: none\ndrives: locked\nfor: 1 us\ninstants: 2\n"
             "flexible: {'*': {elements: 16%s}}\n",
             pieces);
    sim_result r = sim_run_whole(robot, text);
    const double z = sim_get(&r, 0, "P.z");
    CHECK_NEAR(sim_get(&r, 0, "P.acc"), 0.0, 1e-3);
    sim_free(&r);
    pkm_robot_free(robot);
    return z;
}

// A planar loop with locked drives takes three motions out of the plane from the modes. It sags as
// links in one do, whichever modes follow from the others.
static void pieces_in_a_loop_sag_as_whole_links(void)
{
    const double whole = sag_of_a_loop("");
    CHECK(whole < -1e-6);
    CHECK_NEAR(sag_of_a_loop(", pieces: 8"), whole, 1e-5 * fabs(whole));
    CHECK_NEAR(sag_of_a_loop(", pieces: 16"), whole, 1e-5 * fabs(whole));
}

static void refuses(const char* flexible, const char* why)
{
    char text[300];
    pkm_robot* robot = engine_from(thin_arm(round_bar, driven));
    snprintf(text, sizeof text, "drives: locked\nfor: 1 ms\nflexible: {arm: %s}\n", flexible);
    sim_result r = sim_run(robot, text);
    CHECK(r.status != PKM_OK);
    CHECK_CONTAINS(r.err.text, why);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void what_pieces_cannot_have_is_refused(void)
{
    refuses("{pieces: 4, damping: adams}", "acts on its strain");
    refuses("{pieces: 4, damping: {mass: 1, stiffness: 1e-4}}", "acts on its strain");
    refuses("{pieces: 4, static_correction: false}", "do not pass on forces");
    refuses("{pieces: 201}", "from 1 to 200");
    refuses("{pieces: 0}", "whole number from 1");
}

int main(void)
{
    RUN(the_elastica_is_the_published_one);
    RUN(a_tip_force_bends_it_like_the_elastica);
    RUN(a_whole_link_tells_how_far_off_it_is);
    RUN(pieces_tell_how_far_off_they_are);
    RUN(an_end_moment_rolls_it_to_an_arc);
    RUN(a_strip_under_a_skew_load_bends_and_twists);
    RUN(a_frame_bends_like_two_rods_with_a_corner);
    RUN(stiff_pieces_are_a_rigid_arm);
    RUN(the_exact_method_follows_long_ringing);
    RUN(energy_is_kept_over_a_hundred_periods);
    RUN(a_ratio_of_damping_is_met_by_the_lowest_mode);
    RUN(cost_is_linear_in_the_pieces);
    RUN(readings_are_those_of_the_whole_link);
    RUN(a_delta_with_rods_in_pieces_moves_as_with_whole_ones);
    RUN(pieces_in_a_loop_sag_as_whole_links);
    RUN(what_pieces_cannot_have_is_refused);
    return check_report();
}
