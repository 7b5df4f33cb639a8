// One case of a study (study/case.h): what it keeps beside its values.
#include "study/case.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The study with this text, which is no file afterwards.
static pkm_study* study_of(const char* text)
{
    char path[] = "/tmp/pkm-case-XXXXXX";
    const int file = mkstemp(path);
    const size_t size = strlen(text);
    pkm_study* study = NULL;
    pkm_error err = {0};
    CHECK(file >= 0 && write(file, text, size) == (ssize_t)size);
    CHECK(pkm_study_read(path, NULL, 0, &study, &err) == PKM_OK);
    if (!study) printf("    %s\n", err.text);
    close(file);
    unlink(path);
    return study;
}

static const char pulled[] = "study: 1\n"
                             "robot: " PKM_SOURCE_DIR "/robots/five-bar.yaml\n"
                             "analysis: simulate\n"
                             "instants: 5\n"
                             "for: 1 ms\n"
                             "verify: true\n"
                             "outputs: {f: peak q1.force}\n"
                             "factors: {pull: {off: {}, on: {tool_force: [1 N, 0, 0]}}}\n";

/// Case 1 or a repetition of it; is freed by the caller.
static pkm_case_result* ran(const pkm_study* study, int part)
{
    pkm_case_result* result = NULL;
    pkm_error err = {0};
    const pkm_task task = {.case_id = 1, .part = part};
    CHECK(pkm_case_run(study, task, NULL, NULL, &result, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    CHECK(result && result->is_done);
    return result;
}

/// Reports of studies show the robot in motion: its bodies, its frames, the ideal robot beside it.
static void a_case_keeps_pictures_of_its_robot(void)
{
    pkm_study* study = study_of(pulled);
    pkm_case_result* result = ran(study, 0);
    CHECK_CONTAINS(result->scene[0], "crank1");
    for (int k = 1; k < 3; ++k)
        CHECK(result->scene[k] && strlen(result->scene[k]) > 20);
    pkm_case_free(result);
    pkm_study_free(study);
}

/// Without contacts: a hundredth of the tolerance, then another integrator. They say the same.
static void repetitions_go_by_their_means(void)
{
    pkm_study* study = study_of(pulled);
    pkm_case_result* result = ran(study, 0);
    CHECK(result->n_repeat == 2);
    for (int part = 1; part <= 2; ++part) {
        pkm_case_result* again = ran(study, part);
        CHECK(again->means == (part == 1 ? PKM_VERIFY_HUNDREDTH : PKM_VERIFY_OTHER));
        CHECK_NEAR(again->value[0].value, result->value[0].value, 1e-6);
        pkm_case_free(again);
    }
    pkm_case_free(result);
    pkm_study_free(study);
}

static const char overloaded[] = "study: 1\n"
                                 "robot: " PKM_SOURCE_DIR "/robots/gough-stewart.yaml\n"
                                 "analysis: simulate\n"
                                 "instants: 5\n"
                                 "motion: tilt\n"
                                 "for: 0.987654 s\n"
                                 "outputs: {f: peak q1.force}\n"
                                 "factors: {pull: {on: {tool_force: [5 kN, 3 kN, 100 kN]}, "
                                 "off: {}}}\n";

/// Each of the six drives passes its limit of 500 N: six warnings, one after the other, the last
/// one whole.
static void notes_are_all_warnings(void)
{
    pkm_study* study = study_of(overloaded);
    pkm_case_result* result = NULL;
    pkm_error err = {0};
    CHECK(pkm_case_run(study, (pkm_task){.case_id = 0}, NULL, NULL, &result, &err) == PKM_OK);
    CHECK(result && result->is_done);
    const char* at = result ? result->notes : "";
    for (int d = 1; d <= 6; ++d) {
        char words[60];
        snprintf(words, sizeof words, "%slimit broken: q%d force", d > 1 ? "; " : "", d);
        const char* found = strstr(at, words);
        CHECK(found && (d > 1 || found == at));
        if (found) at = found + strlen(words);
    }
    CHECK(!strchr(at, ';'));
    CHECK(result && strlen(result->notes) > 511 && at[strlen(at) - 1] == ')');
    CHECK(result && result->t_end == 0.987654 && strcmp(result->integrator, "explicit") == 0);
    pkm_case_free(result);
    pkm_study_free(study);
}

int main(void)
{
    RUN(a_case_keeps_pictures_of_its_robot);
    RUN(repetitions_go_by_their_means);
    RUN(notes_are_all_warnings);
    return check_report();
}
