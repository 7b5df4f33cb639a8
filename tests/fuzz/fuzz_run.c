// Run files for a robot with everything that they can name.
#include "fuzz.h"
#include "mutate.h"

#include "run/reader.h"

#include <stdbool.h>

/// Links with ten elements or more: their modes are work for seconds that reads nothing.
static bool has_many_elements(const char* text)
{
    for (const char* at = text; (at = strstr(at, "elements")); ++at) {
        const char* number = at + strcspn(at, "0123456789\n");
        if (strspn(number, "0123456789") > 1) return true;
    }
    return false;
}

static const char* const names[] = {
    "A.left", "A.left1", "A.left2",   "B.right",  "qA", "qB",   "platform", "crank", "A.crank",
    "A.*",    "\"*\"",   "spherical", "revolute", "A",  "tool", "x",        "steel", NULL};
const fuzz_grammar fuzz_grammar_of_target = {.file = &pkm_run_file, .name = names};

int fuzz_one(const uint8_t* data, size_t size)
{
    static pkm_robot* robot;
    if (!robot)
        FUZZ_CHECK(pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", NULL, 0, &robot, NULL) ==
                   PKM_OK);
    char* text = fuzz_text(data, size);
    if (has_many_elements(text)) {
        free(text);
        return 0;
    }
    pkm_run* run = NULL;
    pkm_error err = {0};
    FUZZ_CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    if (pkm_run_parse(run, text, FUZZ_PLACE, &err) != PKM_OK) FUZZ_CHECK(err.text[0]);
    pkm_run_free(run);
    free(text);
    return 0;
}
