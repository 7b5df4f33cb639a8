// Run files and the choices of the command line: what they set, and what they refuse.
#include "base/memory.h"
#include "engine.h"
#include "flexible/body.h"
#include "force/spring.h"
#include "run/run.h"

static pkm_robot* siax;

static pkm_run* new_run(void)
{
    pkm_run* run = NULL;
    pkm_error err;
    CHECK(pkm_run_create_for(siax, PKM_TASK_SIMULATE, &run, &err) == PKM_OK);
    return run;
}

static pkm_run* parsed(const char* text)
{
    pkm_run* run = new_run();
    pkm_error err = {0};
    const pkm_status status = pkm_run_parse(run, text, "run.yaml", &err);
    if (status != PKM_OK) printf("    %s:%d:%d: %s\n", err.file, err.line, err.column, err.text);
    CHECK(status == PKM_OK);
    return run;
}

/// A file that must be refused at this place with these words.
static void check_refused(const char* text, int line, int column, const char* words)
{
    pkm_run* run = new_run();
    pkm_error err = {0};
    CHECK(pkm_run_parse(run, text, "run.yaml", &err) != PKM_OK);
    CHECK_TEXT(err.file, "run.yaml");
    CHECK_CONTAINS(err.text, words);
    if (err.line != line || err.column != column)
        printf("    %d:%d, expected %d:%d for \"%s\"\n", err.line, err.column, line, column, words);
    CHECK(err.line == line && err.column == column);
    pkm_run_free(run);
}

static void check_option_refused(const char* key, const char* text, const char* words)
{
    pkm_run* run = new_run();
    pkm_error err = {0};
    CHECK(pkm_run_set(run, key, text, "--option", &err) != PKM_OK);
    CHECK(err.line == 0);
    if (err.file[0]) CHECK_TEXT(err.file, "--option");
    CHECK_CONTAINS(err.text, words);
    pkm_run_free(run);
}

// ---- what is read -----------------------------------------------------------------------------

static void a_run_file_sets_every_choice(void)
{
    pkm_run* run = parsed("run: 1\n"
                          "motion: circle\n"
                          "for: 250 ms\n"
                          "instants: 11\n"
                          "integrator: explicit\n"
                          "tolerance: 1e-9\n"
                          "max_step: 10 ms\n"
                          "min_step: 1 us\n"
                          "reactions: true\n"
                          "tool_force: [10 N, 0, -1 kN]\n"
                          "tool_torque: [0, 0, 2 N m]\n"
                          "drives: {qA: playback, qB: free}\n");
    const pkm_sim_settings* s = &run->settings;
    CHECK(s->motion == 2 && s->n_instant == 11 && s->reactions);
    CHECK_NEAR(s->end_time, 0.25, 0.0);
    CHECK_NEAR(s->tolerance, 1e-9, 0.0);
    CHECK_NEAR(s->max_step, 0.01, 0.0);
    CHECK_NEAR(s->min_step, 1e-6, 1e-21);
    CHECK_NEAR(s->tool_force.x, 10.0, 0.0);
    CHECK_NEAR(s->tool_force.z, -1000.0, 0.0);
    CHECK_NEAR(s->tool_torque.z, 2.0, 0.0);
    CHECK(s->drive[0].kind == PKM_DRIVE_PLAYBACK && s->drive[1].kind == PKM_DRIVE_FREE);
    CHECK(s->effects == &run->effects && run->effects.n_friction == 0);
    pkm_run_free(run);
}

static void what_is_not_said_follows_the_model(void)
{
    pkm_run* run = parsed("run: 1\n");
    CHECK(pkm_run_complete(run, NULL) == PKM_OK);
    CHECK(run->settings.motion == 0);
    CHECK_NEAR(run->settings.end_time, 0.2, 1e-15);
    CHECK(run->settings.drive[2].kind == PKM_DRIVE_PRESCRIBED);
    pkm_run_free(run);
    run = parsed("run: 1\nmotion: none\nfor: 2 s\n");
    CHECK(pkm_run_complete(run, NULL) == PKM_OK);
    CHECK(run->settings.motion == PKM_NONE && run->settings.drive[0].kind == PKM_DRIVE_FREE);
    CHECK_NEAR(run->settings.end_time, 2.0, 0.0);
    pkm_run_free(run);
}

static pkm_integrator chosen(const char* text)
{
    pkm_run* run = parsed(text);
    CHECK(pkm_run_complete(run, NULL) == PKM_OK);
    const pkm_integrator integrator = run->settings.integrator;
    pkm_run_free(run);
    return integrator;
}

static void the_problem_chooses_the_integrator_unless_it_is_named(void)
{
    const char rough[] = "run: 1\nfriction: {spherical: {law: lugre, static: 0.1, radius: 5 mm}}\n";
    CHECK(chosen("run: 1\n") == PKM_INTEGRATOR_EXPLICIT);
    CHECK(chosen(rough) == PKM_INTEGRATOR_BDF);
    char named[200];
    snprintf(named, sizeof named, "%sintegrator: explicit\n", rough);
    CHECK(chosen(named) == PKM_INTEGRATOR_EXPLICIT);
    // what rests needs its bristles where something is left free: one flexible link is enough
    const char rest[] =
        "run: 1\nfriction: {spherical: {law: elasto-plastic, static: 0.1, radius: 5 mm}}\n";
    CHECK(chosen(rest) == PKM_INTEGRATOR_EXPLICIT);
    snprintf(named, sizeof named, "%sflexible: {A.left: {modes: 1}}\n", rest);
    CHECK(chosen(named) != PKM_INTEGRATOR_EXPLICIT);
    const char* const clearance =
        "run: 1\nclearance: {A.left1: {radial: 0.1 mm, radius: 5 mm, stiffness: "
        "1e11, law: gonthier, restitution: %s}}\n";
    snprintf(named, sizeof named, clearance, "0.9");
    CHECK(chosen(named) == PKM_INTEGRATOR_EXPLICIT);
    snprintf(named, sizeof named, clearance, "0.4");
    CHECK(chosen(named) == PKM_INTEGRATOR_BDF);
    snprintf(named, sizeof named, clearance, "0.9, friction: {static: 0.1}");
    CHECK(chosen(named) == PKM_INTEGRATOR_BDF);
    snprintf(named, sizeof named, clearance, "0.9, friction: {static: 0.1, law: lugre}");
    CHECK(chosen(named) == PKM_INTEGRATOR_BDF);
    snprintf(named, sizeof named, clearance, "0.9, friction: {static: 0.1, law: coulomb}");
    CHECK(chosen(named) == PKM_INTEGRATOR_BDF); // no bristles: surfaces that stay together rub
}

// Friction that nobody named has a state in ideal joints and in contacts; there loads are those of
// impacts: their tolerance suffices, and presliding is damped less, unless damping is given.
static void contacts_have_bristles_at_the_tolerance_of_impacts(void)
{
    const char friction[] = "run: 1\nfriction: {spherical: {static: 0.1, radius: 5 mm}}\n"
                            "drives: free\nmotion: none\n";
    char text[400];
    snprintf(text, sizeof text,
             "%sclearance: {spherical: {radial: 0.1 mm, radius: 5 mm, stiffness: 1e11, law: "
             "gonthier, restitution: 0.9}}\n",
             friction);
    pkm_run *ideal = parsed(friction), *loose = parsed(text);
    CHECK(pkm_run_complete(ideal, NULL) == PKM_OK);
    CHECK(pkm_run_complete(loose, NULL) == PKM_OK);
    CHECK(ideal->settings.integrator == PKM_INTEGRATOR_BDF && ideal->settings.tolerance == 1e-9);
    CHECK(loose->settings.integrator == PKM_INTEGRATOR_BDF && loose->settings.tolerance == 1e-7);
    CHECK_CONTAINS(ideal->chosen, "bristles");
    CHECK_CONTAINS(loose->chosen, "bristles");
    CHECK(pkm_effects_friction_law(&ideal->effects, 0).bristle_damping == 2e4);
    CHECK(pkm_effects_friction_law(&loose->effects, 0).bristle_damping == 30.0);
    loose->effects.friction[0].friction.law.has_damping = true;
    CHECK(pkm_effects_friction_law(&loose->effects, 0).bristle_damping == 2e4);
    pkm_run_free(ideal);
    pkm_run_free(loose);
}

static void a_prescribed_drive_needs_a_motion(void)
{
    pkm_run* run = parsed("run: 1\nmotion: none\ndrives: {qB: prescribed}\n");
    pkm_error err = {0};
    CHECK(pkm_run_complete(run, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "qB");
    pkm_run_free(run);
}

static void friction_has_every_parameter(void)
{
    pkm_run* run = parsed("run: 1\n"
                          "friction:\n"
                          "  A.motor:\n"
                          "    law: lugre\n"
                          "    static: 0.2\n"
                          "    dynamic: 10 %\n"
                          "    viscous: 0.1 s/m\n"
                          "    radius: 5 mm\n"
                          "    stiction_velocity: 2 mm/s\n"
                          "    stribeck_velocity: 3 mm/s\n"
                          "    bristle_stiffness: 1e6 1/m\n"
                          "    bristle_damping: 200 s/m\n"
                          "    damping_velocity: 4 mm/s\n"
                          "    friction_arm: 6 mm\n"
                          "    bending_arm: 7 mm\n"
                          "    preload_torque: 8 mN m\n");
    CHECK(run->effects.n_friction == 1);
    const pkm_joint_friction* f = &run->effects.friction[0].friction;
    CHECK_TEXT(siax->mech->joint[run->effects.friction[0].joint].name, "A.motor");
    CHECK(f->law.kind == PKM_FRICTION_LUGRE);
    CHECK_NEAR(f->law.mu_static, 0.2, 0.0);
    CHECK_NEAR(f->law.mu_dynamic, 0.1, 0.0);
    CHECK_NEAR(f->law.viscous, 0.1, 0.0);
    CHECK_NEAR(f->law.stiction_velocity, 0.002, 0.0);
    CHECK_NEAR(f->law.stribeck_velocity, 0.003, 0.0);
    CHECK_NEAR(f->law.bristle_stiffness, 1e6, 0.0);
    CHECK_NEAR(f->law.bristle_damping, 200.0, 0.0);
    CHECK_NEAR(f->law.damping_velocity, 0.004, 0.0);
    CHECK_NEAR(f->radius, 0.005, 0.0);
    CHECK_NEAR(f->friction_arm, 0.006, 0.0);
    CHECK_NEAR(f->bending_arm, 0.007, 0.0);
    CHECK_NEAR(f->preload_torque, 0.008, 0.0);
    CHECK(f->use_force && f->use_bending && !f->use_torsion && f->use_preload);
    pkm_run_free(run);
}

static int friction_joints(const char* pattern)
{
    char text[200];
    snprintf(text, sizeof text, "%s: {static: 0.1, radius: 1 mm}", pattern);
    pkm_run* run = new_run();
    pkm_error err = {0};
    CHECK(pkm_run_set(run, "friction", text, "--friction", &err) == PKM_OK);
    const int n = run->effects.n_friction;
    pkm_run_free(run);
    return n;
}

static void patterns_choose_joints(void)
{
    CHECK(friction_joints("*") == 15);
    CHECK(friction_joints("spherical") == 12);
    CHECK(friction_joints("A.*") == 5);
    CHECK(friction_joints("?.left1") == 3);
    CHECK(friction_joints("left?") == 6);
    CHECK(friction_joints("motor") == 3);
    CHECK(friction_joints("B.right2") == 1);
}

static void later_choices_rule(void)
{
    pkm_run* run = parsed("run: 1\n"
                          "friction:\n"
                          "  spherical: {static: 0.1, radius: 1 mm}\n"
                          "  A.left1: {static: 0.2, radius: 1 mm}\n"
                          "drives: {\"*\": locked, qB: playback}\n");
    CHECK(run->effects.n_friction == 12);
    CHECK(pkm_run_set(run, "friction", "A.left2: {dynamic: 0.3, radius: 2 mm}", "--friction",
                      NULL) == PKM_OK);
    CHECK(run->effects.n_friction == 12);
    for (int k = 0; k < 12; ++k) {
        const char* name = siax->mech->joint[run->effects.friction[k].joint].name;
        const double want = strcmp(name, "A.left1") == 0   ? 0.2
                            : strcmp(name, "A.left2") == 0 ? 0.3
                                                           : 0.1;
        CHECK_NEAR(run->effects.friction[k].friction.law.mu_static, want, 0.0);
        CHECK_NEAR(run->effects.friction[k].friction.law.mu_dynamic, want, 0.0);
    }
    CHECK(run->settings.drive[0].kind == PKM_DRIVE_LOCKED);
    CHECK(run->settings.drive[1].kind == PKM_DRIVE_PLAYBACK);
    CHECK(pkm_run_set(run, "drives", "prescribed", "--drive", NULL) == PKM_OK);
    CHECK(run->settings.drive[1].kind == PKM_DRIVE_PRESCRIBED);
    pkm_run_free(run);
}

static void numbers_may_use_parameters_of_the_run_and_of_the_model(void)
{
    pkm_run* run = parsed("run: 1\n"
                          "parameters: {mu: 0.05, wall: 3 mm}\n"
                          "friction: {spherical: {static: =2*mu, radius: =d2/2 + wall}}\n");
    CHECK_NEAR(run->effects.friction[0].friction.law.mu_static, 0.1, 1e-17);
    CHECK_NEAR(run->effects.friction[0].friction.radius, 0.013, 1e-17);
    pkm_run_free(run);
}

static void a_file_with_every_key_is_read(void)
{
    pkm_run* run = new_run();
    pkm_error err = {0};
    const pkm_status status =
        pkm_run_read(run, PKM_SOURCE_DIR "/tests/unit/run/data/everything.yaml", &err);
    if (status != PKM_OK) printf("    %d:%d: %s\n", err.line, err.column, err.text);
    CHECK(status == PKM_OK);
    const pkm_drive_plan* d = run->settings.drive;
    CHECK(d[0].kind == PKM_DRIVE_SERVO && d[0].controller.kind == PKM_CONTROLLER_PID);
    CHECK(d[0].controller.anti_windup == PKM_WINDUP_BACK_CALCULATION);
    CHECK_NEAR(d[0].controller.kp, 2e4, 0.0);
    CHECK_NEAR(d[0].controller.force_limit, 400.0, 0.0);
    CHECK_NEAR(d[0].sample_period, 5e-4, 1e-18);
    CHECK_NEAR(d[0].sample_delay, 2.5e-4, 1e-18);
    CHECK(d[0].has_motor && !d[1].has_motor);
    CHECK_NEAR(d[0].motor.gear_ratio, 20.0, 0.0);
    CHECK_NEAR(d[0].motor.backdrive_efficiency, 0.85, 0.0);
    CHECK(d[1].controller.kind == PKM_CONTROLLER_COMPUTED_TORQUE);
    CHECK_NEAR(sqrt(d[1].controller.kp), 2.0 * acos(-1.0) * 20.0, 1e-12); // Hz
    CHECK_NEAR(d[1].controller.kd, 2.0 * sqrt(d[1].controller.kp), 1e-12);
    CHECK_NEAR(d[1].sample_period, 1e-3, 1e-18);
    CHECK(d[2].controller.kind == PKM_CONTROLLER_PD_GRAVITY && d[2].sample_period == 0.0);
    CHECK_NEAR(d[2].controller.kp, 2.0 * 1e4, 1e-9); // rad/s, 2 kg m2
    CHECK(run->n_model_set == 1);
    CHECK_TEXT(run->model_set[0].name, "m5");
    CHECK_TEXT(run->model_set[0].value, "6 kg"); // the later one rules
    CHECK(run->effects.n_friction == 15);
    pkm_run_free(run);
}

static const pkm_load* load_of(const pkm_element* e)
{
    return (const void*)e->data;
}

static void elements_are_read(void)
{
    pkm_run* run = new_run();
    CHECK(pkm_run_read(run, PKM_SOURCE_DIR "/tests/unit/run/data/everything.yaml", NULL) == PKM_OK);
    const pkm_effects* e = &run->effects;
    CHECK(e->n_element == 7 && e->n_carried == 1);
    CHECK(e->element[0].type == &pkm_element_load);
    CHECK_NEAR(pkm_signal_at(&load_of(&e->element[0])->force[0], 0.05), 2.5, 1e-15);
    CHECK(load_of(&e->element[1])->axes == PKM_LOAD_BODY);
    CHECK_NEAR(pkm_signal_at(&load_of(&e->element[1])->force[2], 0.025), 5.0, 1e-12);
    CHECK_NEAR(pkm_signal_at(&load_of(&e->element[1])->torque[2], 9.0), 1.0, 0.0);
    CHECK(e->element[2].type == &pkm_element_spring);
    CHECK_TEXT(siax->mech->marker[e->element[2].marker_a].name, "ground.A.M");
    CHECK_TEXT(siax->mech->marker[e->element[2].marker_b].name, "platform.P");
    CHECK_NEAR(((const pkm_spring*)(const void*)e->element[2].data)->free_length, 0.4, 0.0);
    CHECK(e->element[3].type == &pkm_element_joint_spring);
    CHECK_NEAR(((const pkm_coordinate_spring*)(const void*)e->element[3].data)->rest,
               acos(-1.0) / 6.0, 1e-15);
    CHECK(e->element[4].type == &pkm_element_bushing);
    CHECK_NEAR(((const pkm_bushing*)(const void*)e->element[4].data)->damping[5], 0.1, 0.0);
    CHECK(e->element[5].type == &pkm_element_cable);
    CHECK_NEAR(e->carried[0].payload.mass.mass, 1.0, 0.0);
    CHECK_NEAR(e->carried[0].payload.pick_up, 0.05, 0.0);
    CHECK_NEAR(pkm_effects_next_break(e, 0.0), 0.05, 1e-17); // the payload comes
    CHECK_NEAR(pkm_effects_next_break(e, 0.05), 0.1, 1e-17); // a kink of the samples
    pkm_run_free(run);
}

static void a_load_of_the_same_name_takes_its_place(void)
{
    pkm_run* run = new_run();
    CHECK(pkm_run_set(run, "loads", "a: {force: [1, 0, 0], at: platform.P}", "--load", NULL) ==
          PKM_OK);
    CHECK(pkm_run_set(run, "loads", "b: {force: [2, 0, 0], at: platform.P}", "--load", NULL) ==
          PKM_OK);
    CHECK(pkm_run_set(run, "loads", "a: {force: [3, 0, 0], at: platform.P}", "--load", NULL) ==
          PKM_OK);
    CHECK(run->effects.n_element == 2);
    CHECK_NEAR(pkm_signal_at(&load_of(&run->effects.element[0])->force[0], 0.0), 3.0, 0.0);
    pkm_run_free(run);
}

// Nine loads make the list grow four times.
static void many_loads_are_kept(void)
{
    pkm_run* run = new_run();
    for (int i = 0; i < 9; ++i) {
        char text[100];
        snprintf(text, sizeof text, "l%d: {force: [%d, 0, 0], at: platform.P}", i, i);
        CHECK(pkm_run_set(run, "loads", text, "--load", NULL) == PKM_OK);
    }
    CHECK(run->effects.n_element == 9);
    for (int i = 0; i < run->effects.n_element; ++i)
        CHECK_NEAR(pkm_signal_at(&load_of(&run->effects.element[i])->force[0], 0.0), i, 0.0);
    pkm_run_free(run);
}

static void start_rates_are_read(void)
{
    pkm_run* run = parsed("run: 1\nstart: {A.motor: 1 rad/s, B.motor: 30 deg/s}\n");
    CHECK(run->settings.n_start == 2);
    CHECK_TEXT(siax->mech->joint[run->settings.start_joint[1]].name, "B.motor");
    CHECK_NEAR(run->settings.start_rate[1], acos(-1.0) / 6.0, 1e-15);
    pkm_run_free(run);
}

static void one_plan_may_be_for_all_drives(void)
{
    pkm_run* run = new_run();
    CHECK(pkm_run_set(run, "drives", "pd: {kp: 1e4, kd: 100}", "--drive", NULL) == PKM_OK);
    CHECK(pkm_run_set(run, "drives", "qB: {force: 3 N m}", "--drive", NULL) == PKM_OK);
    CHECK(run->settings.drive[0].kind == PKM_DRIVE_SERVO);
    CHECK_NEAR(run->settings.drive[2].controller.kd, 100.0, 0.0);
    CHECK(run->settings.drive[1].kind == PKM_DRIVE_FORCE);
    CHECK_NEAR(pkm_signal_at(&run->settings.drive[1].force, 7.0), 3.0, 0.0);
    pkm_run_free(run);
}

static void inputs_of_friction_can_be_chosen(void)
{
    pkm_run* run =
        parsed("run: 1\nfriction: {motor: {static: 0.1, radius: 1 mm, bending_arm: 1 mm, "
               "inputs: [bending]}}\n");
    const pkm_joint_friction* f = &run->effects.friction[0].friction;
    CHECK(!f->use_force && f->use_bending && !f->use_torsion && !f->use_preload);
    pkm_run_free(run);
}

/// The clearance of the one joint that a text means.
static pkm_clearance clearance_of(const char* text)
{
    pkm_run* run = new_run();
    pkm_error err = {0};
    const pkm_status status = pkm_run_set(run, "clearance", text, "--clearance", &err);
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK && run->effects.n_clearance == 1);
    const pkm_clearance c =
        status == PKM_OK ? run->effects.clearance[0].clearance : pkm_clearance_defaults();
    pkm_run_free(run);
    return c;
}

static void clearance_has_every_parameter(void)
{
    const pkm_clearance c =
        clearance_of("A.left1: {radial: 0.1 mm, radius: 10 mm, law: flores, restitution: 0.5, "
                     "stiffness: 1.524e11, impact_floor: 2 mm/s, friction: {law: lugre, static: "
                     "0.11, dynamic: 0.084}}");
    CHECK(c.fidelity == PKM_FIDELITY_CONTACT && c.law.kind == PKM_CONTACT_FLORES);
    CHECK_NEAR(c.radial, 1e-4, 1e-20);
    CHECK_NEAR(c.radius, 0.01, 0.0);
    CHECK_NEAR(c.law.stiffness, 1.524e11, 0.0);
    CHECK_NEAR(c.law.exponent, 1.5, 0.0);
    CHECK_NEAR(c.law.chi, 1.6, 1e-15);
    CHECK_NEAR(c.law.impact_floor, 2e-3, 0.0);
    CHECK(c.has_friction && c.friction.kind == PKM_FRICTION_LUGRE);
    CHECK_NEAR(c.friction.mu_static, 0.11, 0.0);
}

/// Steel of siax.yaml: E* = 207 GPa / (2 (1 - 0.29^2)).
static void materials_give_the_stiffness(void)
{
    const double modulus = 0.5 * 207e9 / (1.0 - 0.29 * 0.29);
    const pkm_clearance hertz =
        clearance_of("A.left1: {radial: 0.1 mm, radius: 10 mm, material: steel}");
    CHECK_NEAR(hertz.law.stiffness / (4.0 / 3.0 * modulus * sqrt(1.01)), 1.0, 1e-14);
    const pkm_clearance ball =
        clearance_of("A.left1: {radial: 0.1 mm, radius: 10 mm, material: steel, elastic: ball}");
    CHECK(ball.law.elastic == PKM_ELASTIC_BALL);
    CHECK_NEAR(ball.law.clearance, 1e-4, 1e-20);
    const pkm_clearance soft = clearance_of(
        "A.left1: {radial: 0.1 mm, radius: 10 mm, material: [steel, {young: 1 GPa, poisson: 0}]}");
    CHECK_NEAR(soft.law.stiffness / hertz.law.stiffness, 1.0 / modulus / (0.5 / modulus + 1e-9),
               1e-12);
}

static int clearance_joints(const char* pattern)
{
    pkm_run* run = new_run();
    char text[200];
    snprintf(text, sizeof text, "%s: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e11}", pattern);
    CHECK(pkm_run_set(run, "clearance", text, "--clearance", NULL) == PKM_OK);
    const int n = run->effects.n_clearance;
    pkm_run_free(run);
    return n;
}

static void patterns_choose_joints_with_clearance(void)
{
    CHECK(clearance_joints("spherical") == 12);
    CHECK(clearance_joints("*") == 12); // driven joints are passed over
    CHECK(clearance_joints("A.*") == 4);
    CHECK(clearance_joints("left?") == 6);
}

// ---- what is refused --------------------------------------------------------------------------

static void wrong_files_are_refused_with_their_place(void)
{
    check_refused("motion: paper\n", 1, 1, "the key 'run' is missing");
    check_refused("run: 2\n", 1, 6, "expected the format version 1");
    check_refused("run: 1\nfriktion: {}\n", 2, 1, "did you mean 'friction'?");
    check_refused("run: 1\nmotion: papr\n", 2, 9, "did you mean 'paper'?");
    check_refused("run: 1\nfor: -1 s\n", 2, 6, "for: -1 s, expected > 0");
    check_refused("run: 1\nfor: 1 m\n", 2, 6, "is a length [m], expected a time [s]");
    check_refused("run: 1\ninstants: 2.5\n", 2, 11, "whole number");
    check_refused("run: 1\ninstants: 1\n", 2, 11, "whole number");
    check_refused("run: 1\nintegrator: idda\n", 2, 13, "did you mean 'ida'?");
    check_refused("run: 1\nintegrator: galpha\n", 2, 13,
                  "is gone; leave the line out or write ida");
    check_refused("run: 1\ntolerance: 0\n", 2, 12, "expected > 0");
    check_refused("run: 1\ntolerance: 1\n", 2, 12, "from 1e-15 to 0.1");
    check_refused("run: 1\nreactions: maybe\n", 2, 12, "expected one of false, true");
    check_refused("run: 1\ntool_force: [1, 2]\n", 2, 13, "expected a list of 3");
    check_refused("run: 1\ntool_force: [1 m, 2, 3]\n", 2, 14, "expected a force [N]");
    check_refused("run: 1\nparameters: {a: =b, b: =a}\n", 2, 17, "depends on itself");
    check_refused("run: [1\n", 2, 1, "not well-formed");
    check_refused("", 1, 1, "empty");
}

static void wrong_friction_is_refused_with_its_place(void)
{
    check_refused("run: 1\nfriction: none\n", 2, 11, "expected a map");
    check_refused("run: 1\nfriction:\n  A.lefd1: {static: 0.1, radius: 1}\n", 3, 3,
                  "did you mean 'A.left1'?");
    check_refused("run: 1\nfriction:\n  X*: {static: 0.1, radius: 1}\n", 3, 3, "matches no joint");
    check_refused("run: 1\nfriction:\n  motor: {statik: 0.1}\n", 3, 11, "did you mean 'static'?");
    check_refused("run: 1\nfriction:\n  motor: {static: -0.1, radius: 1}\n", 3, 19,
                  "expected >= 0");
    check_refused("run: 1\nfriction:\n  motor: {static: 0.1, radius: 0}\n", 3, 32, "expected > 0");
    check_refused("run: 1\nfriction:\n  motor: {static: 0.1 m, radius: 1}\n", 3, 19,
                  "is a length [m], expected");
    check_refused("run: 1\nfriction:\n  motor: {static: 0.1}\n", 3, 3, "'radius' is missing");
    check_refused("run: 1\nfriction:\n  motor: {radius: 1}\n", 3, 3, "'static' and 'dynamic'");
    check_refused("run: 1\nfriction:\n  motor: {static: 0.1, dynamic: 0.2, radius: 1}\n", 3, 19,
                  "at least the dynamic one");
    check_refused("run: 1\nfriction:\n  motor: {static: 0.1, radius: 1, inputs: [bending]}\n", 3, 3,
                  "'bending_arm' is missing");
    check_refused("run: 1\nfriction:\n  motor: {law: colomb, static: 0.1, radius: 1}\n", 3, 16,
                  "did you mean 'coulomb'?");
}

static void a_joint_without_a_friction_model_is_refused_by_name_only(void)
{
    pkm_robot* robot = engine_load("gough-stewart");
    pkm_run* run = NULL;
    pkm_error err = {0};
    int fixed = PKM_NONE;
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    for (int j = 0; j < robot->mech->n_joint; ++j)
        if (robot->mech->joint[j].type == PKM_JOINT_DISTANCE) fixed = j;
    if (fixed != PKM_NONE) {
        char text[200];
        snprintf(text, sizeof text, "%s: {static: 0.1, radius: 1 mm}",
                 robot->mech->joint[fixed].name);
        CHECK(pkm_run_set(run, "friction", text, "--friction", &err) == PKM_ERR_MODEL);
        CHECK_CONTAINS(err.text, "which has no friction");
    }
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void wrong_clearance_is_refused_with_its_place(void)
{
    check_refused("run: 1\nclearance: none\n", 2, 12, "expected a map");
    check_refused("run: 1\nclearance:\n  A.left1: {radius: 1}\n", 3, 3, "'radial' is missing");
    check_refused("run: 1\nclearance:\n  A.left1: {radial: -1 mm, radius: 1}\n", 3, 21,
                  "radial: -1 mm, expected >= 0");
    check_refused("run: 1\nclearance:\n  A.left1: {radial: 1 mm, stiffness: 1}\n", 3, 3,
                  "'radius' is missing; A.left1 is spherical");
    check_refused("run: 1\nclearance:\n  A.left1: {radial: 1 mm, radius: 1}\n", 3, 3,
                  "'stiffness' and 'material'");
    check_refused("run: 1\nclearance:\n  A.left1: {radial: 1 mm, radius: 1, stiffness: 0}\n", 3, 49,
                  "expected > 0");
    check_refused("run: 1\nclearance:\n  A.left1: {radial: 1 mm, radius: 1, stiffness: 1 N/m}\n", 3,
                  49, "expected");
    check_refused("run: 1\nclearance:\n  A.lefd1: {radial: 1 mm, radius: 1, stiffness: 1}\n", 3, 3,
                  "did you mean 'A.left1'?");
    check_refused("run: 1\nclearance:\n  A.motor: {radial: 1 mm, radius: 1, stiffness: 1}\n", 3, 3,
                  "A.motor is revolute and needs it");
    check_refused(
        "run: 1\nclearance:\n  A.left1: {radial: 1 mm, radius: 1, stiffness: 1, law: herz}\n", 3,
        57, "did you mean 'hertz'?");
    check_refused("run: 1\nclearance:\n  A.left1: {radial: 1 mm, radius: 1, stiffness: 1, "
                  "restitution: 1.2}\n",
                  3, 65, "restitution: 1.2, expected <= 1");
    check_refused("run: 1\nclearance:\n  A.left1: {radial: 1 mm, radius: 1, stiffness: 1, law: "
                  "gonthier, restitution: 0}\n",
                  3, 3, "A.left1: restitution 0, expected a number > 0");
    check_refused("run: 1\nclearance:\n  A.left1: {radial: 1 mm, radius: 1, stiffness: 1, law: "
                  "impact}\n",
                  3, 3, "'damping' is missing");
    check_refused("run: 1\nclearance:\n  A.left1: {radial: 1 mm, radius: 1, material: stel}\n", 3,
                  48, "did you mean 'steel'?");
    check_refused(
        "run: 1\nclearance:\n  A.left1: {radial: 1 mm, radius: 1, stiffness: 1, friction: "
        "{static: -1}}\n",
        3, 71, "expected >= 0");
    check_refused(
        "run: 1\nclearance:\n  A.left1: {radial: 1 mm, radius: 1, material: steel, elastic: "
        "cylinder}\n",
        3, 55, "A.left1 is spherical, expected hertz or ball");
}

static void wrong_options_are_refused_by_name(void)
{
    check_option_refused("drives", "prescribd", "did you mean 'prescribed'?");
    check_option_refused("drives", "qX: free", "'qX' is no drive");
    check_option_refused("drives", "q1*: free", "matches no drive");
    check_option_refused("friction", "*: {static: 0.1, radius: 1 kg}", "*.radius: 1 kg is a mass");
    check_option_refused("friction", "hello", "expected a map");
    check_option_refused("friction", "", "empty");
    check_option_refused("friction", "{*: 1}", "needs quotes");
    check_option_refused("for", "2 apples", "2 apples");
}

static void wrong_drives_are_refused_with_their_place(void)
{
    check_refused("run: 1\nmotion: paper\ndrives: {mode: prescribed, belt: {efficiency: 1e9, "
                  "ratio: 1}}\n",
                  3, 28, "efficiency");
    check_refused("run: 1\ndrives: {qA: {pd: {kp: 1 N/m}}}\n", 2, 24, "expected");
    check_refused("run: 1\ndrives: {qA: {pd: {kq: 1}}}\n", 2, 20, "did you mean 'kp'?");
    check_refused("run: 1\ndrives: {qA: {pd: {kp: 1}, pid: {kp: 1}}}\n", 2, 10, "expected one of");
    check_refused("run: 1\ndrives: {qA: {pd: {frequency: 10 Hz}}}\n", 2, 15, "'mass' is missing");
    check_refused("run: 1\ndrives: {qA: {pd: {frequency: 10 kg, mass: 1}}}\n", 2, 31,
                  "Hz or rad/s");
    check_refused("run: 1\ndrives: {qA: {screw: {lead: 1 mm}}}\n", 2, 15, "turns, a screw");
    check_refused("run: 1\ndrives: {qA: {mode: free, sampling: {rate: 1}}}\n", 2, 27,
                  "only controllers");
    check_refused("run: 1\ndrives: {qA: {pd: {kp: 1}, motor: {efficiency: 1.5}}}\n", 2, 28,
                  "efficiency");
    check_refused("run: 1\ndrives: {qA: {force: \"=5 N*t\"}}\n", 2, 23, "N");
    check_refused("run: 1\nmodel: {m9: 1 kg}\n", 2, 9, "did you mean");
    check_refused("run: 1\nstart: {A.motr: 1}\n", 2, 9, "did you mean 'A.motor'?");
}

static void wrong_loads_are_refused_with_their_place(void)
{
    check_refused("run: 1\nloads:\n  a: {force: [1, 2, 3], at: platform.Q}\n", 3, 29,
                  "did you mean");
    check_refused("run: 1\nloads:\n  a: {force: [1 m, 2, 3], at: platform.P}\n", 3, 15,
                  "expected a force");
    check_refused("run: 1\nloads:\n  a: {force: [\"=sin(t)\", 2, 3], at: platform.P}\n", 3, 17,
                  "sin");
    check_refused("run: 1\nloads:\n  a: {force: {file: no.csv}, at: platform.P}\n", 3, 21,
                  "no.csv");
    check_refused("run: 1\nloads:\n  a: {spring: {stiffness: 1, length: 1}, joint: A.motor}\n", 3,
                  30, "unknown key 'length'");
    check_refused("run: 1\nloads:\n  a: {spring: {stiffness: 1}, joint: A.left1}\n", 3, 38,
                  "expected revolute or prismatic");
    check_refused("run: 1\nloads:\n  a: {spring: {length: 1}, between: [ground.A.M]}\n", 3, 37,
                  "expected a list of 2");
    check_refused("run: 1\npayload:\n  a: {mass: 1, at: ground.A.M}\n", 3, 20, "on the ground");
    check_refused("run: 1\npayload:\n  a: {mass: 1, at: platform.P, pick: 2, drop: 1}\n", 3, 3,
                  "drop");
    check_refused("run: 1\npayload:\n  a: {mass: 1, at: platform.P, inertia: [1, 1, 5]}\n", 3, 41,
                  "triangle");
}

// ---- memory -----------------------------------------------------------------------------------

// ---- flexible links ---------------------------------------------------------------------------

static void flexible_links_are_read(void)
{
    pkm_run* run = parsed("run: 1\n"
                          "flexible:\n"
                          "  left: {elements: 4, below: 250 Hz, damping: adams}\n"
                          "  B.left: {modes: full, theory: timoshenko, damping: 2 %}\n");
    const pkm_effects* e = &run->effects;
    CHECK(e->n_flexible == 3);
    for (int k = 0; k < e->n_flexible; ++k) {
        const pkm_flexible_spec* s = &e->flexible[k].spec;
        const bool is_b = strcmp(siax->desc->body[e->flexible[k].body].name, "B.left") == 0;
        CHECK(s->n_element == (is_b ? 8 : 4));
        CHECK(s->keep == (is_b ? PKM_FLEXIBLE_KEEP_FULL : PKM_FLEXIBLE_KEEP_BELOW));
        CHECK(s->damping == (is_b ? PKM_FLEXIBLE_RATIO : PKM_FLEXIBLE_ADAMS));
        if (is_b) CHECK_NEAR(s->ratio, 0.02, 1e-17);
        if (!is_b) CHECK_NEAR(s->below, 2.0 * 3.14159265358979 * 250.0, 1e-10);
        CHECK(s->theory == (is_b ? PKM_BEAM_TIMOSHENKO : PKM_BEAM_EULER));
    }
    pkm_run_free(run);
}

/// SIAX has six equal rods.
static void equal_links_are_made_once(void)
{
    pkm_run* run = parsed("run: 1\nflexible: {left: {}, right: {}}\n");
    CHECK(run->effects.n_flexible == 6 && run->effects.made.n == 1);
    pkm_run_free(run);
    run = parsed("run: 1\nflexible: {left: {}, right: {elements: 6}, A.left: {modes: 4}}\n");
    CHECK(run->effects.n_flexible == 6 && run->effects.made.n == 3);
    pkm_run_free(run);
}

/// The robot of an FMU, a simulation in steps, a verified run: each makes its run again.
static void a_run_that_is_made_again_has_the_links_of_the_first(void)
{
    pkm_run *run = parsed("run: 1\nflexible: {left: {}, right: {}}\n"), *again = NULL;
    CHECK(pkm_run_repeat(run, siax, (pkm_task_kind)0, &again, NULL) == PKM_OK);
    CHECK(again->effects.made.n == 1 && again->effects.n_flexible == 6);
    CHECK(again->effects.made.body[0] == run->effects.made.body[0]);
    pkm_run_free(run); // the other one still has them
    CHECK(again->effects.made.body[0]->n_mode > 0);
    CHECK(pkm_run_set(again, "flexible", "{left: {elements: 6}}", "flexible", NULL) == PKM_OK);
    CHECK(again->effects.made.n == 2);
    pkm_run_free(again);
}

static void wrong_flexible_links_are_refused_with_their_place(void)
{
    check_refused("run: 1\nflexible:\n  rod: {}\n", 3, 3, "matches no body");
    check_refused("run: 1\nflexible:\n  A.lef: {}\n", 3, 3, "did you mean 'A.left'");
    check_refused("run: 1\nflexible:\n  A.crank: {}\n", 3, 3,
                  "A.crank: a flexible link needs a material");
    check_refused("run: 1\nflexible:\n  platform: {}\n", 3, 3,
                  "platform: a flexible link needs a shape that is a bar");
    check_refused("run: 1\nflexible:\n  left: {modes: 49}\n", 3, 3,
                  "A.left: 49 modes asked of 48 flexible coordinates");
    check_refused("run: 1\nflexible:\n  left: {below: 250 rad/s}\n", 3, 17, "250 rad/s");
    check_refused("run: 1\nflexible:\n  left: {section: {diameter: 1 mm, wall: 2 mm}}\n", 3, 10,
                  "diameter");
    check_refused("run: 1\nflexible:\n  left: {material: gold}\n", 3, 20, "no material 'gold'");
    check_option_refused("flexible", "left: {modes: 0}", "expected a whole number from 1");
    check_option_refused("flexible", "left: {damping: -1}", "damping");
    check_option_refused("flexible", "left: {rigid_ends: [1 m, 1 m]}", "rigid ends");
}

static void failing_memory_leaves_nothing_behind(void)
{
    static const char text[] = "run: 1\nparameters: {mu: 0.1}\n"
                               "friction: {\"*\": {static: =mu, radius: =d2}}\n"
                               "drives: {pd: {kp: 1}}\nmodel: {m5: 1 kg}\n"
                               "loads: {a: {force: [\"=1 N*t/1 s\", 0, 0], at: platform.P}}\n"
                               "payload: {b: {mass: 1, at: platform.P}}\n"
                               "flexible: {A.left: {elements: 1}, A.right: {elements: 1}}\n";
    int n = 1;
    pkm_status status = PKM_ERR_MEMORY;
    for (; status == PKM_ERR_MEMORY && n < 1000; ++n) {
        pkm_run* run = NULL;
        pkm_error err = {0};
        pkm_alloc_fail_at((size_t)n);
        status = pkm_run_create(siax, &run, &err);
        if (status == PKM_OK) status = pkm_run_parse(run, text, "run.yaml", &err);
        pkm_alloc_fail_at(0);
        pkm_run_free(run);
    }
    CHECK(status == PKM_OK && n > 4);
}

int main(void)
{
    siax = engine_load("siax");
    if (!siax) return 1;
    RUN(a_run_file_sets_every_choice);
    RUN(what_is_not_said_follows_the_model);
    RUN(the_problem_chooses_the_integrator_unless_it_is_named);
    RUN(contacts_have_bristles_at_the_tolerance_of_impacts);
    RUN(a_prescribed_drive_needs_a_motion);
    RUN(friction_has_every_parameter);
    RUN(patterns_choose_joints);
    RUN(later_choices_rule);
    RUN(numbers_may_use_parameters_of_the_run_and_of_the_model);
    RUN(a_file_with_every_key_is_read);
    RUN(elements_are_read);
    RUN(a_load_of_the_same_name_takes_its_place);
    RUN(many_loads_are_kept);
    RUN(start_rates_are_read);
    RUN(one_plan_may_be_for_all_drives);
    RUN(inputs_of_friction_can_be_chosen);
    RUN(clearance_has_every_parameter);
    RUN(materials_give_the_stiffness);
    RUN(patterns_choose_joints_with_clearance);
    RUN(wrong_clearance_is_refused_with_its_place);
    RUN(wrong_files_are_refused_with_their_place);
    RUN(wrong_friction_is_refused_with_its_place);
    RUN(a_joint_without_a_friction_model_is_refused_by_name_only);
    RUN(wrong_drives_are_refused_with_their_place);
    RUN(wrong_loads_are_refused_with_their_place);
    RUN(wrong_options_are_refused_by_name);
    RUN(flexible_links_are_read);
    RUN(equal_links_are_made_once);
    RUN(a_run_that_is_made_again_has_the_links_of_the_first);
    RUN(wrong_flexible_links_are_refused_with_their_place);
    RUN(failing_memory_leaves_nothing_behind);
    pkm_robot_free(siax);
    return check_report();
}
