// Study files; the robot is the one they name.
#include "fuzz.h"
#include "mutate.h"

#include "study/study.h"

static const char* const names[] = {
    "l1",      "l2",     "q1",    "q2",    "q1.force", "P.x",      "motor1",    "elbow1",
    "tip",     "crank1", "link2", "\"*\"", "circle",   "revolute", "aluminium", "peak q1.force",
    "rms P.v", "ROBOT",  NULL};
const fuzz_grammar fuzz_grammar_of_target = {.file = &pkm_study_file, .name = names};

int fuzz_one(const uint8_t* data, size_t size)
{
    pkm_study* study = NULL;
    pkm_error err = {0};
    // "ROBOT" stands for a small robot that is there.
    static const char robot[] = PKM_SOURCE_DIR "/robots/five-bar.yaml", word[] = "ROBOT";
    char* text = fuzz_text(data, size);
    char* at = strstr(text, word);
    char* whole = malloc(size + sizeof robot + 1);
    FUZZ_CHECK(whole);
    if (at)
        sprintf(whole, "%.*s%s%s", (int)(at - text), text, robot, at + sizeof word - 1);
    else
        strcpy(whole, text);
    // Not among the open files of this process, where `robot: 4` would be one of its pipes.
    const char* path = fuzz_file((const uint8_t*)whole, strlen(whole), ".yaml");
    const pkm_status status = pkm_study_read(path, NULL, 0, &study, &err);
    FUZZ_CHECK(status == PKM_OK ? study != NULL : study == NULL && err.text[0]);
    pkm_study_free(study);
    remove(path);
    free(whole);
    free(text);
    return 0;
}
