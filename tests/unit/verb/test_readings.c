// What people read of checks and simulations (verb/simulate_report.c): words that only a text has.
#include "pkm/verb.h"

#include "engine.h"
#include "report/render.h"
#include "verb/simulate_report.h"

#include <math.h>

/// A mass that one drive lifts by 0.9 m.
static const char lift[] =
    "pkm: 1\nname: lift\ngravity: [0, 0, -10]\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies: {cart: {mass: 2 kg, inertia: [1, 1, 1], points: {O: [0, 0, 0]}}}\n"
    "joints: {rail: {type: prismatic, between: [ground.O, cart.O], axis: z}}\n"
    "drives: {q: {joint: rail}}\n"
    "tool: {point: cart.O, moves: [z]}\n"
    "motions: {go: {law: quintic, duration: 1 s, drives: {q: [0 m, 0.9 m]}}}\n";

/// The call of a verb for a robot, made.
static pkm_call* made(const char* verb, pkm_robot* robot, int n, const char* const* words)
{
    pkm_call* call = NULL;
    pkm_error err = {0};
    CHECK(pkm_call_create(verb, &call, &err) == PKM_OK);
    CHECK(pkm_call_robot(call, robot, &err) == PKM_OK);
    CHECK(pkm_call_words(call, n, words, &err) == PKM_OK);
    CHECK(pkm_call_run(call, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    return call;
}

// ---- check ------------------------------------------------------------------------------------

/// Deltas shift their platform, a five-bar moves in its plane, a Gough-Stewart platform in all
/// ways.
static void check_counts_the_freedoms_of_the_tool(void)
{
    static const struct {
        const char* robot;
        int freedoms;
    } known[] = {{"siax", 3}, {"five-bar", 2}, {"gough-stewart", 6}};
    for (int k = 0; k < 3; ++k) {
        pkm_robot* robot = engine_load(known[k].robot);
        pkm_call* call = made("check", robot, 0, NULL);
        const pkm_result* n = pkm_result_find(pkm_call_result(call), "tool_freedoms");
        CHECK(pkm_result_value(n, 0) == known[k].freedoms);
        pkm_call_free(call);
        pkm_robot_free(robot);
    }
}

/// A Delta shifts, as its model says; its rods are as long as they are told (1.106 m); nothing is
/// wrong with it.
static void check_tells_what_the_model_is(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_call* call = made("check", robot, 0, NULL);
    const pkm_result* root = pkm_call_result(call);
    CHECK_TEXT(pkm_result_get_text(pkm_result_find(root, "moves")), "x y z");
    CHECK(pkm_result_count(pkm_result_find(root, "warnings")) == 0);
    int n_rod = 0;
    const pkm_result* body = pkm_result_first(pkm_result_find(root, "bodies"));
    for (; body; body = pkm_result_next(body)) {
        const char* name = pkm_result_get_text(pkm_result_find(body, "name"));
        if (!name || (!strstr(name, ".left") && !strstr(name, ".right"))) continue;
        CHECK_NEAR(pkm_result_value(pkm_result_find(body, "joint_distance"), 0), 1.106, 1e-12);
        ++n_rod;
    }
    CHECK(n_rod == 6);
    pkm_call_free(call);
    pkm_robot_free(robot);
}

/// Two masses of 1 and 3 kg at (0.4, 0, 0) and (0, 0.8, 0.2): centre (0.1, 0.6, 0.15), and a box
/// around them and the origin. Loops are cut at one joint each: joints less bodies.
static void check_measures_the_robot(void)
{
    static const char text[] =
        "pkm: 1\nname: two\ngravity: [0, 0, -10]\n"
        "ground: {points: {O: [0, 0, 0], A: [0.4, 0, 0], B: [0, 0.8, 0.2]}}\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [1, 1, 1], points: {O: [0, 0, 0]}, pose: {at: [0.4, 0, 0]}}\n"
        "  b: {mass: 3, inertia: [1, 1, 1], points: {O: [0, 0, 0]}, pose: {at: [0, 0.8, 0.2]}}\n"
        "joints:\n"
        "  one: {type: prismatic, between: [ground.A, a.O], axis: x}\n"
        "  two: {type: prismatic, between: [ground.B, b.O], axis: x}\n"
        "  rope: {type: distance, between: [a.O, b.O]}\n"
        "drives: {q: {joint: one}}\n"
        "tool: {point: b.O, moves: [x]}\n";
    static const double size[] = {0.4, 0.8, 0.2};
    pkm_robot* robot = engine_from(text);
    pkm_call* call = made("check", robot, 0, NULL);
    const pkm_result* root = pkm_call_result(call);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(pkm_result_vector(pkm_result_find(root, "size"))[k], size[k], 1e-15);
    CHECK_CONTAINS(pkm_call_text(call), "(0.1, 0.6, 0.15)");
    int n_cut = 0;
    const pkm_result* joint = pkm_result_first(pkm_result_find(root, "joints"));
    for (; joint; joint = pkm_result_next(joint))
        n_cut += pkm_result_value(pkm_result_find(joint, "cut"), 0) == 1.0;
    CHECK(n_cut == 1);
    pkm_call_free(call);
    pkm_robot_free(robot);
}

// ---- simulate ---------------------------------------------------------------------------------

static void one_drive_is_in_the_heading(void)
{
    static const char* const words[] = {"--instants", "3", "--for", "1 ms"};
    pkm_robot* robot = engine_from(lift);
    pkm_call* call = made("simulate", robot, 4, words);
    CHECK_CONTAINS(pkm_call_text(call), "over 0.001 s, drives prescribed\n");
    pkm_call_free(call);
    pkm_robot_free(robot);
}

static void why_an_integrator_was_chosen_is_told(void)
{
    static const char* const words[] = {
        "--instants", "3",    "--for",      "1 ms",
        "--drive",    "free", "--friction", "rail: {law: lugre, static: 0.1, preload_force: 1 N}"};
    pkm_robot* robot = engine_from(lift);
    pkm_call* call = made("simulate", robot, 8, words);
    const pkm_result* why = pkm_result_find(pkm_call_result(call), "integration.chosen_since");
    CHECK_TEXT(pkm_result_get_text(why), "bristles are stiff");
    CHECK_CONTAINS(pkm_call_text(call), "chosen since bristles are stiff; --integrator names");
    pkm_call_free(call);
    pkm_robot_free(robot);
}

/// Balls turn in every way and have a torque of friction, slides a force.
static void friction_has_the_columns_of_its_joint(void)
{
    static const char* const words[] = {
        "--instants", "3",          "--for",
        "1 ms",       "--friction", "A.left1: {law: coulomb, static: 0.1, radius: 5 mm}"};
    static const char* const slide[] = {
        "--instants", "3",          "--for",
        "1 ms",       "--friction", "rail: {law: coulomb, static: 0.1, preload_force: 1 N}"};
    pkm_robot *siax = engine_load("siax"), *robot = engine_from(lift);
    pkm_call *ball = made("simulate", siax, 6, words), *rail = made("simulate", robot, 6, slide);
    const pkm_table *of_ball = pkm_call_table(ball, NULL), *of_rail = pkm_call_table(rail, NULL);
    CHECK(pkm_table_find(of_ball, "A.left1.friction_torque") != PKM_NONE);
    CHECK(pkm_table_find(of_ball, "A.left1.friction_force") == PKM_NONE);
    CHECK(pkm_table_find(of_rail, "rail.friction_force") != PKM_NONE);
    CHECK(pkm_table_find(of_rail, "rail.friction_torque") == PKM_NONE);
    pkm_call_free(ball);
    pkm_call_free(rail);
    pkm_robot_free(siax);
    pkm_robot_free(robot);
}

/// The line of a peak of 2 N, of a run with impacts, whose repetitions lie between `low` and
/// `high`; NaN: it was not repeated.
static const char* line_of(double low, double high)
{
    static char out[500];
    static pkm_account a;
    static pkm_run run;
    pkm_joint_clearance joint = {.clearance.fidelity = PKM_FIDELITY_CONTACT};
    pkm_spread spread = {.error_bar = high - 2.0, .low = low, .high = high, .sensitivity = NAN};
    run.effects = (pkm_effects){.clearance = &joint, .n_clearance = 1};
    a = (pkm_account){.run = &run, .n_peak = 1, .n_verify = 1};
    a.record = (pkm_contact_record*)&a; // that there is one is all that counts
    a.spread = isnan(low) ? NULL : &spread;
    a.peak[0] = (pkm_account_peak){.column = 0, .value = 2.0, .t = 0.5};
    a.table = pkm_table_create();
    pkm_table_add_column(a.table, "q.force", "N");
    *pkm_table_append(a.table) = 2.0;
    pkm_result* r = pkm_result_create();
    pkm_account_peaks_result(&a, r);
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_render_text(r, VERB_PEAKS_TEXT, stream);
    snprintf(out, sizeof out, "%s", pkm_stream_get(stream));
    pkm_stream_discard(stream);
    pkm_result_free(r);
    pkm_table_free(a.table);
    return out;
}

static void verdicts_are_told_in_words(void)
{
    CHECK(!strstr(line_of(NAN, NAN), "repeatable"));
    CHECK(!strstr(line_of(NAN, NAN), "chaotic"));
    CHECK_CONTAINS(line_of(1.95, 2.05), "N  repeatable\n");
    CHECK(!strstr(line_of(1.95, 2.05), "chaotic"));
    CHECK_CONTAINS(line_of(1.5, 2.5), "N  chaotic, 1.5 to 2.5\n");
    CHECK(!strstr(line_of(1.5, 2.5), "repeatable"));
}

int main(void)
{
    RUN(check_counts_the_freedoms_of_the_tool);
    RUN(check_tells_what_the_model_is);
    RUN(check_measures_the_robot);
    RUN(one_drive_is_in_the_heading);
    RUN(why_an_integrator_was_chosen_is_told);
    RUN(friction_has_the_columns_of_its_joint);
    RUN(verdicts_are_told_in_words);
    return check_report();
}
