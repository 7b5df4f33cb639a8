// What each analysis takes: every pair of analysis and effect is taken, or refused in a sentence
// that names both and who takes it.
#include "engine.h"
#include "run/takes.h"

/// A run file for robots/siax.yaml that has the effect, and one that it cannot be without.
static const struct {
    const char* text;
    pkm_run_effect also; ///< PKM_EFFECT_FRICTION: none
} example[PKM_N_EFFECT] = {
    [PKM_EFFECT_FRICTION] = {.text = "friction: {spherical: {static: 0.1, radius: 5 mm}}"},
    [PKM_EFFECT_CONTACT] =
        {.text = "clearance: {A.left1: {radial: 0.1 mm, radius: 1 cm, stiffness: 1e10}}"},
    [PKM_EFFECT_SEATED] = {.text = "clearance: {A.left1: {radial: 0.1 mm, fidelity: seated}}"},
    [PKM_EFFECT_ENVELOPE] = {.text = "clearance: {A.left1: {radial: 0.1 mm, fidelity: envelope}}"},
    [PKM_EFFECT_BEARING_FRICTION] = {.text = "clearance: {A.left1: {radial: 0.1 mm, radius: 1 cm, "
                                             "stiffness: 1e10, friction: {static: 0.1}}}",
                                     .also = PKM_EFFECT_CONTACT},
    [PKM_EFFECT_FLEXIBLE] = {.text = "flexible: {A.left: {elements: 2}}"},
    [PKM_EFFECT_IMPORTED] = {.text = "flexible: {A.left: {elements: 2}}"},
    [PKM_EFFECT_PIECES] = {.text = "flexible: {A.left: {pieces: 2}}", .also = PKM_EFFECT_FLEXIBLE},
    [PKM_EFFECT_LOAD] = {.text = "loads: {push: {force: [0, 0, 1 N], at: platform.P}}"},
    [PKM_EFFECT_CHANGING_LOAD] =
        {.text = "loads: {push: {force: [0, 0, '=1 N * t/1 s'], at: platform.P}}"},
    [PKM_EFFECT_SPRING] = {.text =
                               "loads: {s: {spring: {stiffness: 8 N/m, length: 0.4 m}, between: "
                               "[ground.A.M, platform.P]}}"},
    [PKM_EFFECT_JOINT_SPRING] =
        {.text = "loads: {s: {spring: {stiffness: 2 N m/rad}, joint: A.motor}}"},
    [PKM_EFFECT_BUSHING] = {.text =
                                "loads: {s: {bushing: {stiffness: [1, 1, 1, 1, 1, 1]}, between: "
                                "[ground.A.M, A.crank.M]}}"},
    [PKM_EFFECT_ONE_SIDED] = {.text = "loads: {c: {cable: {stiffness: 8 N/m, length: 0.4 m}, "
                                      "between: [ground.A.M, platform.P]}}"},
    [PKM_EFFECT_CONTROLLER] = {.text = "description: the controller comes from make_run"},
    [PKM_EFFECT_PROGRAM] = {.text = "description: the force comes from make_run"},
    [PKM_EFFECT_TOOL_FORCE] = {.text = "tool_force: [0, 0, 1 N]"},
    [PKM_EFFECT_TOOL_TORQUE] = {.text = "tool_torque: [0, 0, 1 N m]"},
    [PKM_EFFECT_PAYLOAD] = {.text = "payload: {box: {mass: 1 kg, at: platform.P}}"},
    [PKM_EFFECT_PASSING_PAYLOAD] =
        {.text = "payload: {box: {mass: 1 kg, at: platform.P, drop: 0.1 s}}"},
    [PKM_EFFECT_FLEXIBLE_PAYLOAD] = {.text = "flexible: {A.left: {elements: 2}}\n"
                                             "payload: {box: {mass: 1 kg, at: A.left.B}}",
                                     .also = PKM_EFFECT_FLEXIBLE},
    [PKM_EFFECT_MOTOR] = {.text = "drives: {motor: {rotor_inertia: 1e-4 kg m2}}"},
    [PKM_EFFECT_LOCKED] = {.text = "drives: locked"},
    [PKM_EFFECT_FREE] = {.text = "drives: free"},
    [PKM_EFFECT_PLAYBACK] = {.text = "drives: playback"},
    [PKM_EFFECT_FORCE] = {.text = "drives: {force: 1 N m}"},
    [PKM_EFFECT_SERVO] = {.text = "drives: {pd: {kp: 1, kd: 1}}"},
    [PKM_EFFECT_MODEL] = {.text = "drives: {computed_torque: {kp: 1, kd: 1}}\nmodel: {m5: 6 kg}",
                          .also = PKM_EFFECT_SERVO},
    [PKM_EFFECT_RELEASED_LOAD] = {.text = "loads: {f: {at: platform.P, force: [0, 0, "
                                          "{released: 5 N}]}}",
                                  .also = PKM_EFFECT_CHANGING_LOAD},
    [PKM_EFFECT_BACKLASH] = {.text = "drives: {backlash: {play: 0.1 deg, stiffness: 1e4 N m/rad}}"},
    [PKM_EFFECT_HOLD_SPRING] = {.text = "hold: {stiffness: 1e4 N m/rad}"},
    [PKM_EFFECT_HOLD_FREE] = {.text = "hold: free"},
    [PKM_EFFECT_START_RATE] = {.text = "start: {A.motor: 1 rad/s}"},
    [PKM_EFFECT_START_MODES] = {.text = "flexible: {A.left: {elements: 2, modes: 2, start: "
                                        "[{mode: 7, displacement: 0.1 mm}]}}",
                                .also = PKM_EFFECT_FLEXIBLE},
    [PKM_EFFECT_UNDEFORMED] = {.text = "start: undeformed"},
    [PKM_EFFECT_IDLE] = {.text = "idle: integrate"},
};

static pkm_robot* siax;

static double no_force(void* user, double t, double q, double v)
{
    (void)user, (void)t, (void)q, (void)v;
    return 0.0;
}

static bool no_control(void* user, double t, const pkm_instant* now, double* force)
{
    (void)user, (void)t, (void)now, (void)force;
    return true;
}

static pkm_run* make_run(int e)
{
    char file[1000];
    pkm_run* run = NULL;
    pkm_error err = {0};
    snprintf(file, sizeof file, "run: 1\n%s\n", example[e].text);
    CHECK(pkm_run_create(siax, &run, &err) == PKM_OK);
    if (pkm_run_parse(run, file, "run.yaml", &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(pkm_run_complete(run, &err) == PKM_OK);
    if (e == PKM_EFFECT_PROGRAM)
        CHECK(pkm_run_add_force(run, "A.motor", no_force, NULL, &err) == PKM_OK);
    if (e == PKM_EFFECT_CONTROLLER)
        CHECK(pkm_run_set_controller(run, 1e-3, no_control, NULL, &err) == PKM_OK);
    // what another program made needs its file; only that it is one counts here
    static const char made[1];
    if (e == PKM_EFFECT_IMPORTED && run->effects.n_flexible > 0)
        run->effects.flexible[0].spec.outside =
            (const struct pkm_flexible_imported*)(const void*)made;
    return run;
}

static bool takes_all(int a, int e)
{
    const bool alone = pkm_analysis_takes((pkm_analysis)a, (pkm_run_effect)e);
    const pkm_run_effect also = example[e].also;
    return alone && (also == PKM_EFFECT_FRICTION || pkm_analysis_takes((pkm_analysis)a, also));
}

// A run with one effect: the analyses that take it say nothing, the others a sentence.
static void every_pair_is_taken_or_refused(void)
{
    for (int e = 0; e < PKM_N_EFFECT; ++e) {
        pkm_run* run = make_run(e);
        for (int a = 0; a < PKM_N_ANALYSIS; ++a) {
            pkm_error err = {0};
            const pkm_status status = pkm_run_require(run, (pkm_analysis)a, &err);
            if ((status == PKM_OK) != takes_all(a, e))
                printf("    %s, %s\n", pkm_analysis_name((pkm_analysis)a),
                       pkm_effect_name((pkm_run_effect)e));
            CHECK((status == PKM_OK) == takes_all(a, e));
            if (status == PKM_OK) continue;
            CHECK(status == PKM_ERR_ARGUMENT);
            CHECK_CONTAINS(err.text, pkm_analysis_name((pkm_analysis)a));
            CHECK_CONTAINS(err.text, "does not take");
            CHECK_CONTAINS(err.text, "taken by");
        }
        pkm_run_free(run);
    }
}

// A run has the effects of its example and no others.
static void effects_are_told_apart(void)
{
    for (int e = 0; e < PKM_N_EFFECT; ++e) {
        pkm_run* run = make_run(e);
        const pkm_choices choices = {.robot = siax,
                                     .effects = &run->effects,
                                     .settings = &run->settings,
                                     .hold = run->hold,
                                     .has_model = run->n_model_set > 0};
        for (int other = 0; other < PKM_N_EFFECT; ++other) {
            char item[PKM_MAX_NAME] = "";
            const bool wanted =
                other == e || (other != PKM_EFFECT_FRICTION && (int)example[e].also == other);
            const bool has = pkm_choices_have(&choices, (pkm_run_effect)other, item);
            if (has != wanted)
                printf("    %s has %s\n", pkm_effect_name((pkm_run_effect)e),
                       pkm_effect_name((pkm_run_effect)other));
            CHECK(has == wanted);
            CHECK(!has || item[0]);
        }
        pkm_run_free(run);
    }
}

static void a_sentence_names_item_analysis_effect_and_takers(void)
{
    pkm_run* run = make_run(PKM_EFFECT_PASSING_PAYLOAD);
    pkm_error err = {0};
    CHECK(pkm_run_require(run, PKM_ANALYSIS_MODES, &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "payload (box): pkm modes does not take payloads that come or go; taken "
                         "by pkm inverse, pkm simulate, pkm simulate (seated), pkm motors, "
                         "pkm export fmu");
    pkm_run_free(run);
}

static void a_sentence_names_the_drive_that_does_not_hold(void)
{
    pkm_run* run = NULL;
    pkm_error err = {0};
    CHECK(pkm_run_create(siax, &run, &err) == PKM_OK);
    CHECK(pkm_run_set(run, "hold", "{qB: free}", "--drives-are", &err) == PKM_OK);
    CHECK(pkm_run_complete(run, &err) == PKM_OK);
    CHECK(pkm_run_require(run, PKM_ANALYSIS_SIMULATE, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "(qB): pkm simulate does not take drives that do not hold; taken by");
    pkm_run_free(run);
}

// Without a motion drives are free, but nobody chose that.
static void a_default_is_no_choice(void)
{
    pkm_run* run = NULL;
    pkm_error err = {0};
    CHECK(pkm_run_create(siax, &run, &err) == PKM_OK);
    CHECK(pkm_run_set(run, "motion", "none", "--motion", &err) == PKM_OK);
    CHECK(pkm_run_complete(run, &err) == PKM_OK);
    CHECK(run->settings.drive[0].kind == PKM_DRIVE_FREE);
    for (int a = 0; a < PKM_N_ANALYSIS; ++a)
        CHECK(pkm_run_require(run, (pkm_analysis)a, &err) == PKM_OK);
    pkm_run_free(run);
}

static void every_effect_has_a_taker_or_a_hint(void)
{
    for (int e = 0; e < PKM_N_EFFECT; ++e) {
        int n = 0;
        for (int a = 0; a < PKM_N_ANALYSIS; ++a)
            n += pkm_analysis_takes((pkm_analysis)a, (pkm_run_effect)e);
        CHECK((n == 0) == (e == PKM_EFFECT_FLEXIBLE_PAYLOAD));
    }
}

// One joint is enough to choose the analysis, and its fidelity is what counts.
static void the_first_clearance_chooses_the_analysis(void)
{
    static const char* const fidelity[] = {"seated", "contact"};
    for (int k = 0; k < 2; ++k) {
        pkm_run* run = NULL;
        pkm_error err = {0};
        char text[140];
        snprintf(text, sizeof text, "A.left1: {radial: 0.1 mm%s, fidelity: %s}",
                 k ? ", radius: 10 mm, stiffness: 1.5e11" : "", fidelity[k]);
        CHECK(pkm_run_create(siax, &run, &err) == PKM_OK);
        CHECK(pkm_run_set(run, "clearance", text, "--clearance", &err) == PKM_OK);
        CHECK(run->effects.n_clearance == 1);
        CHECK(pkm_simulate_analysis(&run->effects) ==
              (k == 0 ? PKM_ANALYSIS_SEATED : PKM_ANALYSIS_SIMULATE));
        pkm_run_free(run);
    }
    CHECK(pkm_simulate_analysis(NULL) == PKM_ANALYSIS_SIMULATE);
}

int main(void)
{
    siax = engine_load("siax");
    if (siax) {
        RUN(the_first_clearance_chooses_the_analysis);
        RUN(every_pair_is_taken_or_refused);
        RUN(effects_are_told_apart);
        RUN(a_sentence_names_item_analysis_effect_and_takers);
        RUN(a_sentence_names_the_drive_that_does_not_hold);
        RUN(a_default_is_no_choice);
        RUN(every_effect_has_a_taker_or_a_hint);
    }
    pkm_robot_free(siax);
    return check_report();
}
