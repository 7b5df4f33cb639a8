// Study files; the robot is the one they name.
#include "fuzz.h"
#include "mutate.h"

#include "study/study.h"

static const char* const names[] = {
    "l1",      "l2",     "q1",    "q2",    "q1.force", "P.x",      "motor1",    "elbow1",
    "tip",     "crank1", "link2", "\"*\"", "circle",   "revolute", "aluminium", "peak q1.force",
    "rms P.v", "ROBOT",  NULL};
const fuzz_grammar fuzz_grammar_of_target = {.file = &pkm_study_file, .name = names};

/// "ROBOT" stands for a small robot that is there, "CORPUS" for the folder of files that may be
/// named.
static char* with_files(const char* text)
{
    static const char robot[] = PKM_SOURCE_DIR "/robots/five-bar.yaml";
    static const char corpus[] = PKM_SOURCE_DIR "/tests/fuzz/corpus";
    char* whole = malloc(strlen(text) * (sizeof robot + sizeof corpus) + 1);
    FUZZ_CHECK(whole);
    char* to = whole;
    while (*text) {
        const bool is_robot = strncmp(text, "ROBOT", 5) == 0;
        const bool is_corpus = strncmp(text, "CORPUS", 6) == 0;
        if (is_robot || is_corpus) {
            to += sprintf(to, "%s", is_robot ? robot : corpus);
            text += is_robot ? 5 : 6;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    return whole;
}

int fuzz_one(const uint8_t* data, size_t size)
{
    pkm_study* study = NULL;
    pkm_error err = {0};
    char* text = fuzz_text(data, size);
    char* whole = with_files(text);
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
