// One case of a study (study/case.h): what it keeps beside its values.
#include "study/case.h"

#include "base/memory.h"
#include "check.h"

#include <stdlib.h>
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

/// Reports of studies show the robot in motion: its bodies, its frames, the ideal robot beside it.
static void a_case_keeps_pictures_of_its_robot(void)
{
    pkm_study* study = study_of("study: 1\n"
                                "robot: " PKM_SOURCE_DIR "/robots/five-bar.yaml\n"
                                "analysis: simulate\n"
                                "instants: 5\n"
                                "for: 1 ms\n"
                                "outputs: {f: peak q1.force}\n"
                                "factors: {pull: {off: {}, on: {tool_force: [1 N, 0, 0]}}}\n");
    pkm_case_result* result = NULL;
    pkm_error err = {0};
    CHECK(study &&
          pkm_case_run(study, (pkm_task){.case_id = 1}, NULL, NULL, &result, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    CHECK(result && result->is_done);
    CHECK_CONTAINS(result ? result->scene[0] : NULL, "crank1");
    for (int k = 1; result && k < 3; ++k)
        CHECK(result->scene[k] && strlen(result->scene[k]) > 20);
    pkm_case_free(result);
    pkm_study_free(study);
}

int main(void)
{
    RUN(a_case_keeps_pictures_of_its_robot);
    return check_report();
}
