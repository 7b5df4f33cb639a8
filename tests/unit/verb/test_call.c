// Calls of verbs (pkm/verb.h): what they give, and what they answer to misuse.
#include "pkm/pkm.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SIAX PKM_SOURCE_DIR "/robots/siax.yaml"

static pkm_error err;

static pkm_call* made(const char* verb, const char* model)
{
    pkm_call* call = NULL;
    err = (pkm_error){0};
    CHECK(pkm_call_create(verb, &call, &err) == PKM_OK);
    if (model) CHECK(pkm_call_set(call, "model", model, &err) == PKM_OK);
    return call;
}

// ---- the list ---------------------------------------------------------------------------------

static void every_verb_is_found_by_its_name_and_has_its_words(void)
{
    int n = 0;
    for (const pkm_verb* verb; (verb = pkm_verb_at(n)); ++n) {
        CHECK(pkm_verb_find(pkm_verb_name(verb)) == verb);
        CHECK(strlen(pkm_verb_summary(verb)) > 10 && pkm_verb_operand(verb)[0]);
        const int n_option = pkm_verb_n_option(verb);
        for (int i = 0; i < n_option; ++i)
            CHECK(pkm_verb_option_name(verb, i)[0] == '-' && pkm_verb_option_text(verb, i)[0]);
        CHECK_TEXT(pkm_verb_option_name(verb, n_option - 1), "--help");
        CHECK(!pkm_verb_option_name(verb, n_option) && !pkm_verb_option_name(verb, -1));
    }
    CHECK(n > 20 && !pkm_verb_at(-1) && !pkm_verb_find("nothing") && !pkm_verb_find(NULL));
    CHECK(!pkm_verb_name(NULL) && !pkm_verb_summary(NULL) && !pkm_verb_operand(NULL));
    CHECK(pkm_verb_n_option(NULL) == 0 && !pkm_verb_option_repeats(NULL, 0));
}

// ---- what a call gives ------------------------------------------------------------------------

static void a_verb_gives_values_with_units_text_and_json(void)
{
    pkm_call* call = made("check", SIAX);
    CHECK(!pkm_call_result(call) && !pkm_call_text(call) && !pkm_call_json(call));
    CHECK(pkm_call_run(call, &err) == PKM_OK);
    const pkm_result* root = pkm_call_result(call);
    const pkm_result* mass = pkm_result_find(root, "bodies.0.mass");
    CHECK(pkm_result_get_kind(mass) == PKM_RESULT_NUMBER && pkm_result_value(mass, 0) > 0.0);
    CHECK_TEXT(pkm_result_unit(mass), "kg");
    CHECK_TEXT(pkm_result_key(mass), "mass");
    CHECK(pkm_result_count(pkm_result_find(root, "size")) == 3);
    CHECK(pkm_result_vector(pkm_result_find(root, "size"))[0] > 0.0);
    CHECK_CONTAINS(pkm_call_text(call), "mobility");
    CHECK_CONTAINS(pkm_call_json(call), "\"mobility\"");
    CHECK_TEXT(pkm_call_text(call), pkm_call_text(call));
    pkm_call_free(call);
}

static void paths_that_lead_nowhere_find_nothing(void)
{
    pkm_call* call = made("check", SIAX);
    CHECK(pkm_call_run(call, &err) == PKM_OK);
    const pkm_result* root = pkm_call_result(call);
    CHECK(pkm_result_find(root, "") == root);
    CHECK(!pkm_result_find(root, "bodies.4294967296.mass") &&
          !pkm_result_find(root, "bodies..mass"));
    CHECK(!pkm_result_find(root, "bodies.x") && !pkm_result_find(root, "mass.more"));
    CHECK(!pkm_result_find(root, NULL) && !pkm_result_find(NULL, "mass"));
    CHECK(pkm_result_find(root, "bodies.1") ==
          pkm_result_next(pkm_result_first(pkm_result_find(root, "bodies"))));
    pkm_call_free(call);
}

static void words_and_options_ask_the_same(void)
{
    const char* const words[] = {SIAX, "--bodies", "--set", "m5=8 kg"};
    pkm_call *by_words = made("check", NULL), *by_name = made("check", SIAX);
    CHECK(pkm_call_words(by_words, 4, words, &err) == PKM_OK);
    CHECK(pkm_call_set(by_name, "bodies", NULL, &err) == PKM_OK);
    CHECK(pkm_call_set(by_name, "tree", "false", &err) == PKM_OK);
    CHECK(pkm_call_set(by_name, "set", "m5=8 kg", &err) == PKM_OK);
    CHECK(pkm_call_run(by_words, &err) == PKM_OK && pkm_call_run(by_name, &err) == PKM_OK);
    CHECK_TEXT(pkm_call_text(by_words), pkm_call_text(by_name));
    CHECK_CONTAINS(pkm_call_text(by_name), "mass properties in body axes");
    pkm_call_free(by_words);
    pkm_call_free(by_name);
}

static void help_and_text_verbs_have_text_and_no_tree(void)
{
    pkm_call* call = made("motors", NULL);
    CHECK(pkm_call_set(call, "help", "true", &err) == PKM_OK);
    CHECK(pkm_call_run(call, &err) == PKM_OK);
    CHECK_CONTAINS(pkm_call_text(call), "--motors FILE");
    CHECK(!pkm_call_result(call) && !pkm_call_json(call));
    pkm_call_free(call);
    call = made("schema", "run");
    CHECK(pkm_call_run(call, &err) == PKM_OK && !pkm_call_result(call));
    CHECK_CONTAINS(pkm_call_text(call), "pkm run file");
    pkm_call_free(call);
}

// In an empty folder: nothing is in it afterwards; with pkm_call_write pkm-out is.
static void files_are_written_when_asked(void)
{
    char folder[] = "/tmp/pkm-call-XXXXXX";
    char* before = getcwd(NULL, 0);
    CHECK(mkdtemp(folder) && chdir(folder) == 0);
    for (int always = 0; always < 2; ++always) {
        pkm_call* call = made("inverse", SIAX);
        CHECK(pkm_call_set(call, "instants", "11", &err) == PKM_OK);
        pkm_call_write(call, always);
        CHECK(pkm_call_run(call, &err) == PKM_OK);
        CHECK((access("pkm-out", F_OK) == 0) == always);
        CHECK((pkm_call_n_file(call) > 3) == always);
        if (always) CHECK(access(pkm_call_file(call, 0), F_OK) == 0);
        CHECK((pkm_result_get_text(pkm_result_find(pkm_call_result(call), "folder")) != NULL) ==
              always);
        CHECK(pkm_call_n_table(call) == 1 && pkm_call_table(call, "rows"));
        CHECK(pkm_table_n_row(pkm_call_table(call, NULL)) >= 11);
        CHECK(!pkm_call_table(call, "other") && !pkm_call_table_name(call, 1));
        CHECK(!pkm_call_file(call, 100) && !pkm_call_file(call, -1));
        pkm_call_free(call);
    }
    CHECK(system("rm -r pkm-out") == 0 && chdir(before) == 0 && rmdir(folder) == 0);
    free(before);
}

// ---- progress ---------------------------------------------------------------------------------

typedef struct heard {
    int n;
    double stop_at;
    char what[96];
} heard;

static bool hear(void* user, const char* what, double fraction)
{
    heard* h = user;
    ++h->n;
    snprintf(h->what, sizeof h->what, "%s", what);
    return fraction < h->stop_at;
}

static void progress_stops_the_work_which_keeps_its_rows(void)
{
    heard h = {.stop_at = 0.5};
    pkm_call* call = made("inverse", SIAX);
    CHECK(pkm_call_set(call, "instants", "1001", &err) == PKM_OK);
    pkm_call_listen(call, hear, NULL, &h);
    CHECK(pkm_call_run(call, &err) == PKM_ERR_INTERRUPTED);
    CHECK_TEXT(h.what, "inverse dynamics");
    CHECK_CONTAINS(err.text, "rows before that are in the table");
    const int n = pkm_table_n_row(pkm_call_table(call, NULL));
    CHECK(h.n > 2 && n > 300 && n < 700);
    CHECK(!pkm_call_result(call));
    pkm_call_free(call);
}

/// Keeps a run waiting at its first row, past the time after which people are told; then listens.
static bool wait_and_hear(void* user, const char* what, double fraction)
{
    heard* h = user;
    const struct timespec long_enough = {.tv_sec = 5, .tv_nsec = 200000000};
    if (fraction > 0.0 && h->n++ == 0) nanosleep(&long_enough, NULL);
    snprintf(h->what, sizeof h->what, "%s", what);
    return true;
}

/// The run of a choice that took longer than five seconds, since its listener slept.
static pkm_call* slow_run(const char* option, const char* value, heard* h)
{
    const char* const words[] = {"--for", "0.4 ms", "--instants", "9", option, value};
    pkm_call* call = made("simulate", SIAX);
    CHECK(pkm_call_words(call, 6, words, &err) == PKM_OK);
    pkm_call_listen(call, wait_and_hear, NULL, h);
    CHECK(pkm_call_run(call, &err) == PKM_OK);
    return call;
}

static void who_waits_for_impacts_is_told_of_the_quasi_static_answer(void)
{
    heard h = {0}, other = {0};
    pkm_call* call =
        slow_run("--clearance", "left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}", &h);
    CHECK(h.n > 1);
    CHECK_CONTAINS(h.what, "fidelity: seated, quasi-static, answers in 0.1 s");
    CHECK_CONTAINS(pkm_call_text(call), "fidelity: seated");
    pkm_call_free(call);
    call = slow_run("--friction", "left1: {static: 0.1, radius: 10 mm}", &other);
    CHECK(other.n > 1 && !strstr(other.what, "seated"));
    CHECK(!strstr(pkm_call_text(call), "seated"));
    pkm_call_free(call);
}

// ---- robots -----------------------------------------------------------------------------------

static void a_lent_robot_is_asked_at_home_wherever_it_stood(void)
{
    pkm_robot* robot;
    CHECK(pkm_robot_load(SIAX, NULL, 0, &robot, &err) == PKM_OK);
    pkm_instant away = pkm_instant_home(robot);
    away.q[0] += 0.1;
    CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &away, &err) == PKM_OK);
    pkm_call *lent = made("stiffness", NULL), *loaded = made("stiffness", SIAX);
    CHECK(pkm_call_robot(lent, robot, &err) == PKM_OK);
    CHECK(pkm_call_run(lent, &err) == PKM_OK && pkm_call_run(loaded, &err) == PKM_OK);
    CHECK_TEXT(pkm_call_json(lent), pkm_call_json(loaded));
    pkm_call_free(lent);
    pkm_call_free(loaded);
    pkm_call* twice = made("check", SIAX);
    CHECK(pkm_call_robot(twice, robot, &err) == PKM_ERR_ARGUMENT);
    pkm_call_free(twice);
    pkm_call* other = made("check", NULL);
    CHECK(pkm_call_robot(other, robot, &err) == PKM_OK);
    CHECK(pkm_call_set(other, "set", "m5=8 kg", &err) == PKM_OK);
    CHECK(pkm_call_run(other, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "the robot was lent");
    pkm_call_free(other);
    pkm_call* view = made("study", NULL);
    CHECK(pkm_call_robot(view, robot, &err) == PKM_ERR_ARGUMENT);
    pkm_call_free(view);
    pkm_robot_free(robot);
}

// ---- misuse -----------------------------------------------------------------------------------

static void null_gets_a_status(void)
{
    pkm_call *call = NULL, *same = made("check", NULL);
    const char* const hole[] = {SIAX, NULL};
    CHECK(pkm_call_create(NULL, &call, &err) == PKM_ERR_ARGUMENT && !call);
    CHECK(pkm_call_create("check", NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_create("check", NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_set(NULL, "model", SIAX, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_set(same, NULL, SIAX, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_set(same, "model", NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_set(same, "", "", &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_words(same, 1, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_words(same, -1, hole, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_words(same, 2, hole, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_words(NULL, 0, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_robot(same, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_run(NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK(!pkm_call_result(NULL) && !pkm_call_text(NULL) && !pkm_call_json(NULL));
    CHECK(pkm_call_n_table(NULL) == 0 && pkm_call_n_file(NULL) == 0 && !pkm_call_file(NULL, 0));
    pkm_call_write(NULL, true);
    pkm_call_listen(NULL, NULL, NULL, NULL);
    pkm_call_free(NULL);
    pkm_call_free(same);
    CHECK(pkm_result_count(NULL) == 0 && isnan(pkm_result_value(NULL, 0)));
    CHECK(!pkm_result_first(NULL) && !pkm_result_next(NULL) && !pkm_result_get_text(NULL));
    CHECK(!pkm_result_vector(NULL) && pkm_result_get_kind(NULL) == PKM_RESULT_GROUP);
}

static void unknown_words_are_named_with_the_nearest(void)
{
    pkm_call* call = NULL;
    CHECK(pkm_call_create("motor", &call, &err) == PKM_ERR_ARGUMENT && !call);
    CHECK_CONTAINS(err.text, "motors");
    call = made("check", SIAX);
    CHECK(pkm_call_set(call, "bodes", "true", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "--bodies");
    CHECK(pkm_call_set(call, "bodies", "maybe", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "expected true or false");
    CHECK(pkm_call_set(call, "model", SIAX, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "a second MODEL");
    CHECK(pkm_call_set(call, "bodies", "\033[2J", &err) == PKM_ERR_ARGUMENT);
    CHECK(!strchr(err.text, '\033'));
    pkm_call_free(call);
}

static void calls_are_made_once_and_in_order(void)
{
    pkm_call* call = made("check", NULL);
    CHECK(pkm_call_run(call, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "expected a MODEL");
    CHECK(pkm_call_set(call, "model", SIAX, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_run(call, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "has been made");
    pkm_call_free(call);
    call = made("export", NULL); // which has kinds
    CHECK(pkm_call_run(call, NULL) == PKM_ERR_ARGUMENT);
    pkm_call_free(call);
}

/// All verbs without what they need: a status and a sentence, no crash.
static void no_verb_works_on_nothing(void)
{
    for (int v = 0; pkm_verb_at(v); ++v) {
        pkm_call* call = made(pkm_verb_name(pkm_verb_at(v)), "/nowhere/at/all");
        CHECK(pkm_call_run(call, &err) != PKM_OK && err.text[0]);
        CHECK(!pkm_call_result(call));
        pkm_call_free(call);
        call = made(pkm_verb_name(pkm_verb_at(v)), "/nowhere/at/all");
        CHECK(pkm_call_run(call, NULL) != PKM_OK);
        pkm_call_free(call);
    }
}

int main(void)
{
    RUN(every_verb_is_found_by_its_name_and_has_its_words);
    RUN(a_verb_gives_values_with_units_text_and_json);
    RUN(paths_that_lead_nowhere_find_nothing);
    RUN(words_and_options_ask_the_same);
    RUN(help_and_text_verbs_have_text_and_no_tree);
    RUN(files_are_written_when_asked);
    RUN(progress_stops_the_work_which_keeps_its_rows);
    RUN(who_waits_for_impacts_is_told_of_the_quasi_static_answer);
    RUN(a_lent_robot_is_asked_at_home_wherever_it_stood);
    RUN(null_gets_a_status);
    RUN(unknown_words_are_named_with_the_nearest);
    RUN(calls_are_made_once_and_in_order);
    RUN(no_verb_works_on_nothing);
    return check_report();
}
