// Verbs and the calls of pkm/answer.h set one run up alike: what bends, what loads it, what the
// controllers know, along what. Truth: the full mesh, the same robot loaded another way, the
// library's own answer.
#include "pkm/pkm.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SIAX PKM_SOURCE_DIR "/robots/siax.yaml"

static pkm_error err;

/// The verb with options in pairs up to NULL, run on `robot` or, without one, on the file.
static pkm_call* asked(const char* verb, pkm_robot* robot, const char* const* option)
{
    pkm_call* call = NULL;
    err = (pkm_error){0};
    CHECK(pkm_call_create(verb, &call, &err) == PKM_OK);
    CHECK(robot ? pkm_call_robot(call, robot, &err) == PKM_OK
                : pkm_call_set(call, "model", SIAX, &err) == PKM_OK);
    for (; *option; option += 2)
        CHECK(pkm_call_set(call, option[0], option[1], &err) == PKM_OK);
    if (pkm_call_run(call, &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(err.status == PKM_OK);
    return call;
}

static double value(const pkm_call* call, const char* path)
{
    return pkm_result_value(pkm_result_find(pkm_call_result(call), path), 0);
}

/// A bushing in a ball joint turns the end of the rod: two kept modes yield to that as the mesh.
#define BUSHING                                                                                    \
    "mount: {bushing: {stiffness: [1e5, 1e5, 1e5, 1000, 1000, 1000]}, between: [A.left.A, "        \
    "A.crank.left]}"

static void reduced_links_yield_to_the_torques_of_the_run_as_the_mesh_does(void)
{
    const char* const few[] = {"flexible", "left: {modes: 2}", "load", BUSHING, "weight", "true",
                               NULL};
    const char* const all[] = {"flexible", "left: {modes: full}", "load", BUSHING, "weight", "true",
                               NULL};
    pkm_call *reduced = asked("stiffness", NULL, few), *mesh = asked("stiffness", NULL, all);
    CHECK(value(mesh, "rotation") > 0.1);
    // what two modes leave out of a rod under weight
    CHECK_NEAR(value(reduced, "rotation"), value(mesh, "rotation"), 1e-6);
    CHECK_NEAR(value(reduced, "compliance"), value(mesh, "compliance"),
               1e-6 * value(mesh, "compliance"));
    pkm_robot* robot;
    pkm_tool_stiffness s;
    const pkm_flexible_choice choice = {
        .flexible = "left: {modes: 2}", .loads = BUSHING, .weight = true};
    CHECK(pkm_robot_load(SIAX, NULL, 0, &robot, &err) == PKM_OK);
    CHECK(pkm_tool_stiffness_at(robot, &choice, &s, &err) == PKM_OK);
    CHECK(s.compliance[0] == value(reduced, "compliance"));
    pkm_robot_free(robot);
    pkm_call_free(reduced);
    pkm_call_free(mesh);
}

/// A file with this text; its path is the caller's room.
static void write_file(char* path, const char* text)
{
    FILE* out = fdopen(mkstemp(path), "w");
    fputs(text, out);
    fclose(out);
}

#define SERVO "run: 1\nfor: 0.01\ndrives: {computed_torque: {frequency: 20 Hz, damping: 1}}\n"

/// What their model does not say it has of the robot, however that was loaded.
static void controllers_of_a_lent_robot_know_its_parameters(void)
{
    const pkm_override heavy = {"m4", "2 kg"};
    char path[2][40] = {"/tmp/pkm-test-tasks-XXXXXX", "/tmp/pkm-test-tasks-XXXXXX"};
    write_file(path[0], SERVO "model: {m5: 6 kg}\n");
    write_file(path[1], SERVO "model: {m5: 6 kg, m4: 2 kg}\n");
    pkm_robot* robot;
    CHECK(pkm_robot_load(SIAX, &heavy, 1, &robot, &err) == PKM_OK);
    pkm_call* lent = asked("simulate", robot, (const char*[]){"run", path[0], NULL});
    pkm_call* said = asked("simulate", robot, (const char*[]){"run", path[1], NULL});
    pkm_call* set =
        asked("simulate", NULL, (const char*[]){"run", path[0], "set", "m4=2 kg", NULL});
    CHECK(value(said, "drives.0.tracking_error") > 0.0);
    CHECK(value(lent, "drives.0.tracking_error") == value(said, "drives.0.tracking_error"));
    CHECK(value(set, "drives.0.tracking_error") == value(said, "drives.0.tracking_error"));
    pkm_call_free(lent);
    pkm_call_free(said);
    pkm_call_free(set);
    pkm_robot_free(robot);
    remove(path[0]);
    remove(path[1]);
}

/// The motion and the rows of a run file are those of the envelope, in the verb as in the library.
static void the_envelope_goes_along_the_motion_of_a_run_file(void)
{
    char path[] = "/tmp/pkm-test-tasks-XXXXXX";
    write_file(path, "run: 1\nmotion: pick\ninstants: 3\n"
                     "clearance: {spherical: {radial: 0.1 mm, fidelity: envelope}}\n");
    const char* const along[] = {"run", path, NULL};
    const char* const here[] = {"run", path, "at", "0, 0, -0.9", NULL};
    pkm_call *moved = asked("envelope", NULL, along), *placed = asked("envelope", NULL, here);
    pkm_robot* robot;
    pkm_run* run;
    pkm_answer* answer;
    CHECK(pkm_robot_load(SIAX, NULL, 0, &robot, &err) == PKM_OK);
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK && pkm_run_read(run, path, &err) == PKM_OK);
    CHECK(pkm_run_envelope(robot, run, &answer, &err) == PKM_OK);
    CHECK(value(moved, "instants") == 3.0 && pkm_answer_value(answer, "instants") == 3.0);
    CHECK(value(moved, "bounds.0.value") == pkm_answer_value(answer, "bounds.0.value"));
    CHECK(isnan(value(placed, "instants")) && value(placed, "shift") > 0.0);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
    pkm_call_free(moved);
    pkm_call_free(placed);
    remove(path);
}

/// Which keys a clearance needs is the analysis's, known when it begins: so from a file, a text and
/// choices alike.
static void a_run_leaves_open_what_a_clearance_needs(void)
{
    static const char only[] = "run: 1\nclearance: {spherical: {radial: 0.1 mm}}\n";
    char path[] = "/tmp/pkm-test-tasks-XXXXXX";
    write_file(path, only);
    pkm_robot* robot;
    pkm_run* run[3];
    pkm_answer* answer[3];
    CHECK(pkm_robot_load(SIAX, NULL, 0, &robot, &err) == PKM_OK);
    for (int k = 0; k < 3; ++k)
        CHECK(pkm_run_create(robot, &run[k], &err) == PKM_OK);
    CHECK(pkm_run_read(run[0], path, &err) == PKM_OK);
    CHECK(pkm_run_parse(run[1], only, "run.yaml", &err) == PKM_OK);
    CHECK(pkm_run_choose(run[2], "clearance", "spherical: {radial: 0.1 mm}", &err) == PKM_OK);
    for (int k = 0; k < 3; ++k) {
        CHECK(pkm_run_envelope(robot, run[k], &answer[k], &err) == PKM_OK);
        CHECK(pkm_answer_value(answer[k], "shift") == pkm_answer_value(answer[0], "shift"));
        CHECK(pkm_run_check(run[k], "simulate", &err) != PKM_OK);
        CHECK_CONTAINS(err.text, "expected one of the keys 'stiffness' and 'material'");
        CHECK(pkm_run_check(run[k], "inverse", &err) != PKM_OK);
    }
    for (int k = 0; k < 3; ++k) {
        pkm_answer_free(answer[k]);
        pkm_run_free(run[k]);
    }
    pkm_robot_free(robot);
    remove(path);
}

/// Every rod bends where nobody says which, and a payload on a rod that bends is refused.
static void a_check_refuses_what_the_analysis_would(void)
{
    pkm_robot* robot;
    pkm_run* run;
    pkm_answer* answer;
    CHECK(pkm_robot_load(SIAX, NULL, 0, &robot, &err) == PKM_OK);
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_choose(run, "payload", "nut: {mass: 0.1 kg, at: A.left.B}", &err) == PKM_OK);
    CHECK(pkm_run_modes(robot, run, &answer, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "payloads on flexible links");
    CHECK(pkm_run_check(run, "modes", &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_check(run, "inverse", &err) == PKM_OK);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(reduced_links_yield_to_the_torques_of_the_run_as_the_mesh_does);
    RUN(controllers_of_a_lent_robot_know_its_parameters);
    RUN(the_envelope_goes_along_the_motion_of_a_run_file);
    RUN(a_run_leaves_open_what_a_clearance_needs);
    RUN(a_check_refuses_what_the_analysis_would);
    return check_report();
}
