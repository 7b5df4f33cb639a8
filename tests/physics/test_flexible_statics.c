// Flexible links under static loads, and the same link as one body or several.
#include "flexible.h"

#include "dynamics/equilibrium.h"

static const double PI = 3.14159265358979323846, g = 9.81;
static const double E = 207e9, rho = 7801.0;

// ---- cantilever -------------------------------------------------------------------------------

// A crank of 1 m, clamped on its drive.
static const char crank[] =
    "pkm: 1\n"
    "name: cantilever\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  crank:\n"
    "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
    "    shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}\n"
    "joints: {hub: {type: revolute, between: [ground.O, crank.A], axis: y}}\n"
    "drives: {q: {joint: hub}}\n"
    "tool: crank.B\n";

/// Height of the tool at the static start and the torque that holds it.
static void hold(const char* flexible, const char* more, double* z, double* torque)
{
    char text[400];
    pkm_robot* robot = engine_from(crank);
    snprintf(text, sizeof text,
             "drives: locked\nfor: 0.1 ms\ninstants: 2\nflexible: {crank: %s}\n%s", flexible, more);
    sim_result r = sim_run_whole(robot, text);
    *z = sim_get(&r, 0, "B.z");
    *torque = sim_get(&r, 0, "q.force");
    CHECK_NEAR(sim_get(&r, 0, "B.acc"), 0.0, 1e-6);
    CHECK_NEAR(sim_get(&r, 1, "B.z"), *z, 1e-12);
    sim_free(&r);
    pkm_robot_free(robot);
}

// The sag of 1.8 mm shortens the arm of the weight by (z/L)^2, 3e-6.
static void a_crank_sags_like_a_cantilever(void)
{
    const double d = 0.02, L = 1.0, A = PI * d * d / 4.0, I = PI * pow(d, 4) / 64.0;
    const double w = rho * A * g, F = 5.0;
    double z, torque, more, loaded;
    hold("{elements: 8, modes: full}", "", &z, &torque);
    CHECK_NEAR(z, -w * pow(L, 4) / (8.0 * E * I), 1e-5 * fabs(z));
    CHECK_NEAR(torque, -w * L * L / 2.0, 1e-5 * fabs(torque));
    hold("{elements: 8, modes: full}", "tool_force: [0, 0, -5 N]\n", &loaded, &more);
    CHECK_NEAR(loaded - z, -F * pow(L, 3) / (3.0 * E * I), 5e-5 * fabs(loaded - z));
    CHECK_NEAR(more - torque, -F * L, 5e-5 * F * L);
    hold("{elements: 8}", "", &z, &torque);
    CHECK_NEAR(z, -w * pow(L, 4) / (8.0 * E * I), 1e-3 * fabs(z));
}

// The static correction knows forces at the tool.
static void few_modes_yield_to_tip_forces_like_the_full_mesh(void)
{
    double full, few, bent, torque;
    hold("{elements: 8, modes: full}", "tool_force: [0, 3 N, -5 N]\n", &full, &torque);
    hold("{elements: 8, modes: 2}", "tool_force: [0, 3 N, -5 N]\n", &few, &torque);
    CHECK_NEAR(few, full, 1e-7 * fabs(full));
    hold("{elements: 8, modes: 2, static_correction: false}", "tool_force: [0, 3 N, -5 N]\n", &bent,
         &torque);
    CHECK(fabs(bent - full) > 0.01 * fabs(full));
}

// Stretched by a force along it: F L / EA, by the static correction alone.
static void a_pull_stretches_it(void)
{
    const double A = PI * 1e-4;
    pkm_robot* robot = engine_from(crank);
    sim_result r = sim_run_whole(robot, "drives: locked\nfor: 0.1 ms\ninstants: 2\n"
                                        "tool_force: [20 kN, 0, 0]\n"
                                        "flexible: {crank: {elements: 4, modes: 2}}\n");
    const double bent = 0.5 * pow(sim_get(&r, 0, "B.z"), 2) * 1.2; // shortens it by some um
    CHECK_NEAR(sim_get(&r, 0, "B.x") - 1.0, 2e4 / (E * A), bent + 1e-9);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- beam-column ------------------------------------------------------------------------------

// A rod of 1 m on two balls, one of which a slider guides along the rod.
#define COLUMN(more)                                                                               \
    "pkm: 1\n"                                                                                     \
    "name: beam-column\n"                                                                          \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"                           \
    "ground: {points: {O: [0, 0, 0], E: [1, 0, 0]}}\n"                                             \
    "bodies:\n"                                                                                    \
    "  rod:\n"                                                                                     \
    "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"                                                   \
    "    shape:\n"                                                                                 \
    "      - {rod: {from: A, to: B, diameter: 20 mm}, material: steel}\n" more                     \
    "  slider: {mass: 0.1, inertia: [1, 1, 1], points: {B: [0, 0, 0]}, pose: {at: [1, 0, 0]}}\n"   \
    "joints:\n"                                                                                    \
    "  left: {type: spherical, between: [ground.O, rod.A]}\n"                                      \
    "  right: {type: spherical, between: [rod.B, slider.B]}\n"                                     \
    "  guide: {type: prismatic, between: [ground.E, slider.B], axis: x}\n"                         \
    "tool: slider.B\n"

static const char column[] = COLUMN("");
static const char laden[] =
    COLUMN("      - {sphere: {center: [0.25, 0, 0], diameter: 60 mm}, material: steel}\n");

typedef struct bent {
    double deflection, stress, axial, buckling;
} bent;

/// At static rest under a part of the load of Euler, compression positive.
static bent compress(double part, const char* flexible)
{
    const double d = 0.02, load = PI * PI * E * PI * pow(d, 4) / 64.0;
    char text[400];
    pkm_robot* robot = engine_from(column);
    snprintf(text, sizeof text,
             "for: 0.1 ms\ninstants: 2\nflexible: {rod: %s}\ntool_force: [%.17g, 0, 0]\n", flexible,
             -part * load);
    sim_result r = sim_run_whole(robot, text);
    const bent out = {sim_get(&r, 0, "rod.deflection"), sim_get(&r, 0, "rod.stress"),
                      sim_get(&r, 0, "rod.axial"), sim_get(&r, 0, "rod.buckling")};
    CHECK_NEAR(out.axial, -part * load, 1e-4 * load);
    CHECK_NEAR(out.buckling, fmax(part, 0.0), 1e-4);
    CHECK_NEAR(sim_get(&r, 0, "B.acc"), 0.0, 0.01); // of forces of kN on 0.1 kg
    sim_free(&r);
    pkm_robot_free(robot);
    return out;
}

// 5 w L^4 / 384 E I, w L^2 / 8 in the middle; moments of cubic elements are w l^2 / 12 larger at
// nodes.
static void a_rod_on_two_balls_sags_by_the_closed_form(void)
{
    const double d = 0.02, I = PI * pow(d, 4) / 64.0, w = rho * PI * d * d / 4.0 * g;
    const bent r = compress(0.0, "{elements: 8}");
    CHECK_NEAR(r.deflection, 5.0 * w / (384.0 * E * I), 1e-4 * r.deflection);
    CHECK_NEAR(r.stress, w * (1.0 / 8.0 + 1.0 / 768.0) * (d / 2.0) / I, 1e-4 * r.stress);
}

// A ball of mass m at a quarter, b = L/4: m g b (3 L^2 - 4 b^2) / 48 E I more in the middle. The
// link's mean axes follow the ball, the line between the joints does not.
static void deflections_count_from_the_line_between_the_joints(void)
{
    const double d = 0.02, I = PI * pow(d, 4) / 64.0, w = rho * PI * d * d / 4.0 * g, b = 0.25;
    const double ball = rho * PI / 6.0 * pow(0.06, 3) * g;
    pkm_robot* robot = engine_from(laden);
    sim_result r =
        sim_run_whole(robot, "for: 0.1 ms\ninstants: 2\nflexible: {rod: {elements: 8}}\n");
    const double want = 5.0 * w / (384.0 * E * I) + ball * b * (3.0 - 4.0 * b * b) / (48.0 * E * I);
    CHECK_NEAR(sim_get(&r, 0, "rod.deflection"), want, 2e-4 * want);
    sim_free(&r);
    pkm_robot_free(robot);
}

/// Deflection of the middle of a rod under its weight and compression (tension) `part`.
static double beam_column(double part)
{
    const double d = 0.02, I = PI * pow(d, 4) / 64.0, w = rho * PI * d * d / 4.0 * g;
    const double P = part * PI * PI * E * I, u = 0.5 * PI * sqrt(fabs(part)); // L = 1
    const double shape =
        part > 0.0 ? 1.0 / cos(u) - 1.0 - 0.5 * u * u : 1.0 - 0.5 * u * u - 1.0 / cosh(u);
    return w * E * I / (P * P) * shape * (part > 0.0 ? 1.0 : -1.0);
}

// Compression of half of Euler's load doubles the sag, tension of the same size takes a third off.
// Axial force is constant in each of eight elements, and the sag shortens the rod a little.
static void compression_softens_and_tension_stiffens(void)
{
    static const double part[] = {0.25, 0.5, 0.8, -0.5, -2.0};
    for (int k = 0; k < 5; ++k) {
        const double want = beam_column(part[k]);
        CHECK_NEAR(compress(part[k], "{elements: 8}").deflection, want, 1e-3 * want);
    }
    const double linear = compress(0.0, "{elements: 8}").deflection;
    CHECK_NEAR(compress(0.5, "{elements: 8, stiffening: false}").deflection, linear, 1e-6 * linear);
}

// ---- Kuo's Delta ------------------------------------------------------------------------------

// All links of square section with the polar torsion constant: sag of two independent linear models
// at P = (0.1, 0, 0.5). Under a small part of gravity ours is linear to 3e-5.
static void kuos_platform_sags_as_linear_models_have_it(void)
{
    static const double part = 1e-4;
    flex* f = flex_make(engine_load("kuo"),
                        "{'*.crank': {elements: 4, modes: full, torsion: polar}, "
                        "'*.rod': {elements: 4, modes: full, torsion: polar}}",
                        false, true);
    f->robot->mech->gravity = pkm_vec3_scale(part, f->robot->mech->gravity);
    const pkm_state* state = f->robot->state;
    const pkm_pose before = pkm_state_marker_pose(state, state->mech->tool);
    pkm_rest_report report;
    CHECK(pkm_plant_come_to_rest(f->plant, 0.0, NULL, &report) == PKM_OK);
    CHECK(report.end == PKM_REST_FOUND);
    const pkm_pose after = pkm_state_marker_pose(state, state->mech->tool);
    const pkm_vec3 moved = pkm_vec3_scale(1.0 / part, pkm_vec3_sub(after.p, before.p));
    const pkm_vec3 turn = pkm_quat_to_rotvec(pkm_quat_mul(after.q, pkm_quat_conj(before.q)));
    CHECK_NEAR(moved.x, 0.843601e-3, 3e-5 * 0.843601e-3);
    CHECK_NEAR(moved.y, 0.0, 1e-8);
    CHECK_NEAR(moved.z, 25.53716e-3, 5e-6 * 25.53716e-3);
    CHECK_NEAR(turn.y / part * 180.0 / PI, 0.998962, 3e-5);
    flex_free(f);
}

// ---- one body or several ----------------------------------------------------------------------

/// A thin arm of 1 m with a tip mass as `n` bodies welded together.
static pkm_robot* arm_of(int n)
{
    char text[4000];
    size_t at = 0, size = sizeof text;
    const double l = 1.0 / n;
    at +=
        (size_t)snprintf(text + at, size - at,
                         "pkm: 1\nname: arm\ngravity: [0, 0, 0]\n"
                         "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
                         "ground: {points: {O: [0, 0, 0]}}\nbodies:\n"
                         "  tip: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], points: {O: [0, 0, 0]}, "
                         "pose: {at: [1, 0, 0]}}\n");
    for (int k = 0; k < n; ++k)
        at += (size_t)snprintf(text + at, size - at,
                               "  r%d: {points: {A: [0, 0, 0], B: [%.17g, 0, 0]}, "
                               "shape: {rod: {from: A, to: B, diameter: 10 mm}, material: steel}, "
                               "pose: {at: [%.17g, 0, 0]}}\n",
                               k, l, k * l);
    at += (size_t)snprintf(text + at, size - at,
                           "joints:\n  hub: {type: revolute, between: [ground.O, r0.A]}\n"
                           "  w0: {type: fixed, between: [r%d.B, tip.O]}\n",
                           n - 1);
    for (int k = 1; k < n; ++k)
        at += (size_t)snprintf(text + at, size - at,
                               "  w%d: {type: fixed, between: [r%d.B, r%d.A]}\n", k, k - 1, k);
    snprintf(text + at, size - at,
             "drives: {q: {joint: hub}}\ntool: tip.O\n"
             "motions: {swing: {law: quintic, duration: 0.5 s, drives: {q: [0 deg, 180 deg]}}}\n");
    return engine_from(text);
}

/// Where the tip is against a rigid arm after 0.1 s, 10 % of the length behind.
static pkm_vec3 swing(int n, const char* flexible)
{
    char text[300];
    pkm_robot* robot = arm_of(n);
    snprintf(text, sizeof text, "for: 0.1 s\ninstants: 2\ntolerance: 1e-7\nflexible: {'r*': %s}\n",
             flexible);
    sim_result r = sim_run_whole(robot, text);
    const pkm_vec3 off = {sim_get(&r, 1, "O.dx"), sim_get(&r, 1, "O.dy"), 0.0};
    sim_free(&r);
    pkm_robot_free(robot);
    return off;
}

static double apart(pkm_vec3 a, pkm_vec3 b)
{
    return pkm_vec3_norm(pkm_vec3_sub(a, b));
}

// Terms of the fourth order in the slope are left out: (0.1)^2 / 4 of the deflection.
static void one_rod_moves_as_two_joined_ones(void)
{
    const pkm_vec3 one = swing(1, "{elements: 4}"), two = swing(2, "{elements: 2}");
    CHECK(pkm_vec3_norm(one) > 0.09);
    CHECK_NEAR(apart(one, two), 0.0, 0.0025 * pkm_vec3_norm(one));
}

// Pieces that do not know of stiffening bend less each, so that many of them are the truth. It is
// the stiffened ones that are near it; a single one without is 6 % off.
static void many_linear_pieces_make_a_stiffened_rod(void)
{
    const pkm_vec3 stiff = swing(2, "{elements: 4}");
    const double one = apart(swing(1, "{elements: 8, stiffening: false}"), stiff);
    const double two = apart(swing(2, "{elements: 4, stiffening: false}"), stiff);
    const double four = apart(swing(4, "{elements: 2, stiffening: false}"), stiff);
    CHECK(one > 0.05 * pkm_vec3_norm(stiff));
    CHECK(two < one / 3.5 && four < two / 3.5);
    CHECK(four < 3e-3 * pkm_vec3_norm(stiff));
}

int main(void)
{
    RUN(a_crank_sags_like_a_cantilever);
    RUN(few_modes_yield_to_tip_forces_like_the_full_mesh);
    RUN(a_pull_stretches_it);
    RUN(a_rod_on_two_balls_sags_by_the_closed_form);
    RUN(deflections_count_from_the_line_between_the_joints);
    RUN(compression_softens_and_tension_stiffens);
    RUN(kuos_platform_sags_as_linear_models_have_it);
    RUN(one_rod_moves_as_two_joined_ones);
    RUN(many_linear_pieces_make_a_stiffened_rod);
    return check_report();
}
