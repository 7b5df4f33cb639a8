// Where the static equilibrium of flexible links ends: load factors of closed forms.
#include "flexible.h"
#include "linear/modes.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846, E = 207e9, D = 0.02;

#define HEAD                                                                                       \
    "pkm: 1\nname: critical\ngravity: [0, 0, 0]\n"                                                 \
    "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"

static const char column[] =
    HEAD "ground: {points: {O: [0, 0, 0], E: [1, 0, 0]}}\n"
         "bodies:\n"
         "  rod: {points: {A: [0, 0, 0], B: [1, 0, 0]}, shape: [{rod: {from: A, to: B, diameter: "
         "20 mm}, material: steel}]}\n"
         "  slider: {points: {B: [1, 0, 0]}, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}\n"
         "joints:\n"
         "  left: {type: spherical, between: [ground.O, rod.A]}\n"
         "  right: {type: spherical, between: [rod.B, slider.B]}\n"
         "  guide: {type: prismatic, between: [ground.E, slider.B], axis: x}\n"
         "tool: slider.B\n";

static const char crank[] =
    HEAD "ground: {points: {O: [0, 0, 0]}}\n"
         "bodies:\n"
         "  rod: {points: {A: [0, 0, 0], B: [1, 0, 0]}, shape: [{rod: {from: A, to: B, diameter: "
         "20 mm}, material: steel}]}\n"
         "joints:\n"
         "  pin: {type: revolute, between: [ground.O, rod.A], axis: y}\n"
         "drives: {q: {joint: pin}}\n"
         "tool: rod.B\n";

#define ROD                                                                                        \
    "  rod: {points: {A: [0, 0, 0], B: [1, 0, 0], M: [0.5, 0, 0]}, shape: [{rod: {from: A, to: "   \
    "B, diameter: 20 mm}, material: steel}]}\n"
#define LOAD "  load: {points: {B: [1, 0, 0]}, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}\n"

/// The crank with a body at its tip that carries nothing else.
static const char loaded[] = HEAD "ground: {points: {O: [0, 0, 0]}}\nbodies:\n" ROD LOAD "joints:\n"
                                  "  pin: {type: revolute, between: [ground.O, rod.A], axis: y}\n"
                                  "  weld: {type: fixed, between: [rod.B, load.B]}\n"
                                  "drives: {q: {joint: pin}}\n"
                                  "tool: rod.B\n";

/// No drive: a mast on the ground.
static const char mast[] = HEAD "ground: {points: {O: [0, 0, 0]}}\nbodies:\n" ROD LOAD "joints:\n"
                                "  foot: {type: fixed, between: [ground.O, rod.A]}\n"
                                "  weld: {type: fixed, between: [rod.B, load.B]}\n"
                                "tool: rod.B\n";

/// The mast listed from its tip.
static const char mast_from_tip[] =
    HEAD "ground: {points: {O: [0, 0, 0]}}\nbodies:\n" ROD LOAD "joints:\n"
         "  weld: {type: fixed, between: [rod.B, load.B]}\n"
         "  foot: {type: fixed, between: [ground.O, rod.A]}\n"
         "tool: rod.B\n";

/// The tip of the mast slides along its line: the load leads to the ground.
static const char guided[] =
    HEAD "ground: {points: {O: [0, 0, 0], E: [1, 0, 0]}}\nbodies:\n" ROD LOAD "joints:\n"
         "  foot: {type: fixed, between: [ground.O, rod.A]}\n"
         "  tip: {type: spherical, between: [rod.B, load.B]}\n"
         "  guide: {type: prismatic, between: [ground.E, load.B], axis: x}\n"
         "tool: rod.B\n";

/// On two pins, half of it beyond the second: its overhang is free.
static const char overhung[] =
    HEAD "ground: {points: {O: [0, 0, 0], M: [0.5, 0, 0]}}\nbodies:\n" ROD LOAD
         "  slider: {points: {M: [0.5, 0, 0]}, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}\n"
         "joints:\n"
         "  pin: {type: spherical, between: [ground.O, rod.A]}\n"
         "  middle: {type: spherical, between: [rod.M, slider.M]}\n"
         "  guide: {type: prismatic, between: [ground.M, slider.M], axis: x}\n"
         "  weld: {type: fixed, between: [rod.B, load.B]}\n"
         "tool: rod.B\n";

static const char toggle[] =
    HEAD "ground: {points: {L: [-1, 0, 0], R: [1, 0, 0]}}\n"
         "bodies:\n"
         "  left: {points: {A: [-1, 0, 0], C: [0, 0, 0.05]}, shape: [{rod: {from: A, to: C, "
         "diameter: 60 mm}, material: steel}]}\n"
         "  right: {points: {B: [1, 0, 0], C: [0, 0, 0.05]}, shape: [{rod: {from: B, to: C, "
         "diameter: 60 mm}, material: steel}]}\n"
         "joints:\n"
         "  a: {type: revolute, between: [ground.L, left.A], axis: y}\n"
         "  b: {type: revolute, between: [ground.R, right.B], axis: y}\n"
         "  c: {type: revolute, between: [left.C, right.C], axis: y}\n"
         "tool: left.C\n";

/// The same, and its tip does not turn.
static const char held[] =
    HEAD "ground: {points: {O: [0, 0, 0], E: [1, 0, 0]}}\nbodies:\n" ROD LOAD "joints:\n"
         "  foot: {type: fixed, between: [ground.O, rod.A]}\n"
         "  tip: {type: fixed, between: [rod.B, load.B]}\n"
         "  guide: {type: prismatic, between: [ground.E, load.B], axis: x}\n"
         "tool: rod.B\n";

/// The load factor at which the equilibrium of `model` with its links like this ends, by its
/// message; `kind` is what ends it. NaN: it carries all.
static double critical_of(const char* model, const char* links, const char* force, double size,
                          const char* kind)
{
    pkm_robot* robot = engine_from(model);
    char text[300], want[100];
    double factor = NAN;
    snprintf(text, sizeof text,
             "motion: none\nfor: 0.01 ms\ninstants: 2\nflexible: {'*': %s}\n"
             "tool_force: [%s]\n",
             links, force);
    char with[400];
    snprintf(with, sizeof with, text, size);
    sim_result r = sim_run(robot, with);
    snprintf(want, sizeof want, "ends in a %s at ", kind);
    const char* at = strstr(r.err.text, want);
    if (r.status == PKM_ERR_SINGULAR && at)
        factor = strtod(at + strlen(want), NULL);
    else if (r.status != PKM_OK)
        printf("    %s\n", r.err.text);
    sim_free(&r);
    pkm_robot_free(robot);
    return factor;
}

static double critical(const char* model, const char* force, double size, const char* kind)
{
    return critical_of(model, "{}", force, size, kind);
}

// Clamped at one end, k L = tan k L; at both, k L = 2 pi; whole and in pieces. A column that gives
// way under P has P (1 - P/EA) = k^2 EI, 1e-3 more for the stiffer one: pieces have that, the
// strain to second order of a whole link half of it.
static void clamped_columns_end_at_eulers_load(void)
{
    static const char* const links[] = {"{}", "{pieces: 6}"};
    static const struct {
        const char* model;
        double kL;
    } end[] = {{guided, 4.493409458}, {held, 2.0 * PI}};
    const double EI = E * PI * pow(D, 4) / 64.0, EA = E * PI * D * D / 4.0;
    for (int i = 0; i < 4; ++i) {
        const double euler = end[i / 2].kL * end[i / 2].kL * EI;
        const double found =
            2.0 * euler *
            critical_of(end[i / 2].model, links[i % 2], "-%.17g, 0, 0", 2.0 * euler, "bifurcation");
        if (i % 2 == 0)
            CHECK_NEAR(found / euler, 1.0, 6e-4);
        else
            CHECK_NEAR(found / (euler * (1.0 + euler / EA)), 1.0, 1e-4);
    }
}

// pi^2 E I / L^2 on two balls, a quarter of it for a cantilever. The eight lowest modes of the free
// rod have the shape to 1e-4; compression shortens it by 5e-5.
static void straight_columns_end_at_eulers_load(void)
{
    const double P = PI * PI * E * PI * pow(D, 4) / 64.0;
    CHECK_NEAR(critical(column, "-%.17g, 0, 0", 2.0 * P, "bifurcation"), 0.5, 1e-4);
    CHECK_NEAR(critical(column, "-%.17g, 0, 0", 1.25 * P, "bifurcation"), 0.8, 1.6e-4);
    CHECK_NEAR(critical(crank, "-%.17g, 0, 0", 0.5 * P, "bifurcation"), 0.5, 1e-4);
    CHECK(isnan(critical(column, "-%.17g, 0, 0", 0.99 * P, "bifurcation")));
    CHECK(isnan(critical(crank, "-%.17g, 0, 0", 0.99 * 0.25 * P, "bifurcation")));
}

/// A wire of silicon, 2 mm long, 20 um thick, clamped, its tip guided without turning.
static const char wire[] =
    "pkm: 1\nname: wire\ngravity: [0, 0, 0]\n"
    "materials: {m: {density: 2330, young: 169e9, poisson: 0.3}}\n"
    "ground: {points: {O: [0, 0, 0], T: [2 mm, 0, 0]}}\nbodies:\n"
    "  rod: {points: {A: [0, 0, 0], B: [2 mm, 0, 0]}, shape: [{rod: {from: A, to: B, diameter: 20 "
    "um}, material: m}]}\n"
    "  slider: {points: {B: [2 mm, 0, 0]}, mass: 1e-9, inertia: [1e-18, 1e-18, 1e-18]}\n"
    "joints:\n"
    "  foot: {type: fixed, between: [ground.O, rod.A]}\n"
    "  top: {type: fixed, between: [rod.B, slider.B]}\n"
    "  rail: {type: prismatic, between: [ground.T, slider.B], axis: x}\n"
    "tool: slider.B\n";

// 4 pi^2 E I / L^2: the eight modes of the free rod have this shape to 5e-4.
static void a_wire_of_a_microgram_buckles_as_a_column(void)
{
    const double P = 4.0 * PI * PI * 169e9 * PI * pow(20e-6, 4) / 64.0 / 4e-6;
    CHECK_NEAR(critical(wire, "-%.17g, 0, 0", 2.0 * P, "bifurcation"), 0.5, 4e-4);
}

/// Compression over Euler's load that the table tells at rest.
static double told(const char* model, double force, const char* section)
{
    char text[300];
    pkm_robot* robot = engine_from(model);
    snprintf(text, sizeof text,
             "motion: none\nfor: 0.01 ms\ninstants: 2\nflexible: {'*': {%s}}\n"
             "tool_force: [-%.17g, 0, 0]\n",
             section, force);
    sim_result r = sim_run_whole(robot, text);
    const double part = sim_get(&r, 0, "rod.buckling");
    sim_free(&r);
    pkm_robot_free(robot);
    return part;
}

// pi^2 E I / 4 L^2 of a cantilever, pi^2 E I / L^2 on two balls; of a flat bar the softer way
// counts.
static void the_table_tells_the_part_of_eulers_load(void)
{
    const double P = PI * PI * E * PI * pow(D, 4) / 64.0, flat = PI * PI * E * 0.03 * 1e-6 / 12.0;
    CHECK_NEAR(told(crank, 0.6 * 0.25 * P, ""), 0.6, 1e-4);
    CHECK_NEAR(told(column, 0.6 * P, ""), 0.6, 1e-4);
    CHECK_NEAR(told(crank, 0.6 * 0.25 * flat, "section: {width: 30 mm, height: 10 mm}"), 0.6, 1e-4);
    CHECK_NEAR(told(crank, 0.6 * 0.25 * flat, "section: {width: 10 mm, height: 30 mm}"), 0.6, 1e-4);
}

// A body that hangs on the tip alone holds nothing: the link is a cantilever, as without it. One
// that leads to the ground holds it.
static void a_payload_leaves_the_end_free(void)
{
    const double P = PI * PI * E * PI * pow(D, 4) / 64.0, part = 0.6 * 0.25 * P;
    CHECK_NEAR(critical(loaded, "-%.17g, 0, 0", 0.5 * P, "bifurcation"), 0.5, 1e-4);
    CHECK_NEAR(told(loaded, part, ""), 0.6, 1e-4);
    CHECK_NEAR(told(loaded, part, "pieces: 4"), 0.6, 1e-3);
    CHECK_NEAR(told(mast, part, ""), 0.6, 1e-4);
    CHECK_NEAR(told(mast_from_tip, part, ""), 0.6, 1e-4);
    CHECK_NEAR(told(guided, 0.6 * P, ""), 0.6, 1e-4);
}

// On pins at 0 and b with a free end beyond, a: cot ka + cot kb = 1/(kb), for a = b tan kb = 2 kb.
// What is told lies on the safe side of it: 2 a + b of (7.4) is 11 % longer than Euler's pi/k.
static void an_overhang_is_told_on_the_safe_side(void)
{
    const double EI = E * PI * pow(D, 4) / 64.0, k = 1.1655611852 / 0.5, P = k * k * EI;
    CHECK_NEAR(tan(0.5 * k), k, 1e-8);
    CHECK_NEAR(critical(overhung, "-%.17g, 0, 0", 2.0 * P, "bifurcation"), 0.5, 1e-3);
    const double part = told(overhung, 0.6 * P, ""), length = 1.5;
    CHECK_NEAR(part, 0.6 * P * length * length / (PI * PI * EI), 1e-4);
    CHECK(part > 0.6 && part < 0.6 * 1.3);
}

// Two bars of stiffness k = E A / L0 between pins, apex at the rise h: P = 2 k (L0 sin t - tan t)
// is largest at cos^3 t = 1 / L0. The bars are far from buckling themselves.
static void a_toggle_ends_at_its_limit_point(void)
{
    const double L0 = hypot(1.0, 0.05), k = E * PI * 0.06 * 0.06 / 4.0 / L0;
    const double c = cbrt(1.0 / L0), s = sqrt(1.0 - c * c), P = 2.0 * k * (L0 * s - s / c);
    CHECK_NEAR(critical(toggle, "0, 0, -%.17g", 2.0 * P, "limit point"), 0.5, 1e-5);
    CHECK_NEAR(critical(toggle, "0, 0, -%.17g", 1.01 * P, "limit point"), 1.0 / 1.01, 2e-5);
    CHECK(isnan(critical(toggle, "0, 0, -%.17g", 0.99 * P, "limit point")));
    // pulled up it has none
    CHECK(isnan(critical(toggle, "0, 0, %.17g", P, "limit point")));
}

// Below the limit point the state is that of the closed form: no other branch is taken.
static void a_toggle_stays_on_its_branch(void)
{
    const double L0 = hypot(1.0, 0.05), k = E * PI * 0.06 * 0.06 / 4.0 / L0, t = 0.035;
    const double P = 2.0 * k * (L0 * sin(t) - tan(t));
    pkm_robot* robot = engine_from(toggle);
    char text[300];
    snprintf(text, sizeof text,
             "motion: none\nfor: 0.01 ms\ninstants: 2\nflexible: {'*': {}}\n"
             "tool_force: [0, 0, %.17g]\n",
             -P);
    sim_result r = sim_run_whole(robot, text);
    CHECK_NEAR(sim_get(&r, 0, "C.z"), tan(t), 1e-6);
    sim_free(&r);
    pkm_robot_free(robot);
}

/// The same share by `modes` and `stiffness` with static forces.
static double told_of_the_pose(const char* model, double force)
{
    pkm_robot* robot = engine_from(model);
    pkm_run* run = NULL;
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    pkm_error err = {0};
    double turn = NAN, compression = NAN;
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_set(run, "flexible", "'*': {}", "flexible", &err) == PKM_OK);
    const pkm_elastic_settings settings = {
        .effects = &run->effects, .is_weighted = true, .tool_force = {-force, 0.0, 0.0}};
    CHECK(pkm_modes_at(robot, &settings, 1, &elastic, &modes, &err) == PKM_OK);
    if (elastic) pkm_elastic_static_state(elastic, &turn, &compression);
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
    pkm_run_free(run);
    pkm_robot_free(robot);
    return compression;
}

// A mast stands in its foot, a rod between balls does not: linear analyses tell the share of the
// table.
static void linear_analyses_tell_the_part_of_eulers_load(void)
{
    const double EI = E * PI * pow(D, 4) / 64.0, P = PI * PI * EI;
    const double part = 0.6 * 0.25 * P;
    CHECK_NEAR(told_of_the_pose(mast, part), 0.6, 1e-4);
    CHECK_NEAR(told_of_the_pose(mast_from_tip, part), 0.6, 1e-4);
    CHECK_NEAR(told_of_the_pose(loaded, part), 0.6, 1e-4);
    CHECK_NEAR(told_of_the_pose(crank, part), 0.6, 1e-4);
    CHECK_NEAR(told_of_the_pose(column, 0.6 * P), 0.6, 1e-4);
    CHECK_NEAR(told_of_the_pose(guided, 0.6 * P), 0.6, 1e-4);
}

int main(void)
{
    RUN(clamped_columns_end_at_eulers_load);
    RUN(straight_columns_end_at_eulers_load);
    RUN(a_wire_of_a_microgram_buckles_as_a_column);
    RUN(the_table_tells_the_part_of_eulers_load);
    RUN(a_payload_leaves_the_end_free);
    RUN(an_overhang_is_told_on_the_safe_side);
    RUN(linear_analyses_tell_the_part_of_eulers_load);
    RUN(a_toggle_ends_at_its_limit_point);
    RUN(a_toggle_stays_on_its_branch);
    return check_report();
}
