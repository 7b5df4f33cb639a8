// Model files: read, and put together when they can be read. Putting together takes ten times as
// long, above all to tell which loop of a damaged robot does not close: a campaign does it for one
// text in eight, a replay for all. With hundreds of bodies, which a few copies of a limb give, it
// takes minutes, and tells no more of the reader.
#include "fuzz.h"
#include "mutate.h"

#include "model/description.h"
#include "pkm/pkm.h"
#include "robot/robot.h"

static const char* const names[] = {"base", "ground", "platform", "tool",   "A",      "B",
                                    "x",    "y",      "z",        "A.left", "base.A", "= 2 * r",
                                    "r1",   "l",      "limb.a",   NULL};
enum { MOST_BODIES = 40 }; ///< that are put together

const fuzz_grammar fuzz_grammar_of_target = {.file = &pkm_model_file, .name = names};

int fuzz_one(const uint8_t* data, size_t size)
{
    char* text = fuzz_text(data, size);
    pkm_description* desc = NULL;
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    pkm_status status = pkm_description_parse(text, strlen(text), FUZZ_PLACE, NULL, 0, &desc, &err);
    FUZZ_CHECK(status == PKM_OK ? desc != NULL : desc == NULL && err.text[0]);
    if (status == PKM_OK && desc->n_body <= MOST_BODIES && fuzz_is_chosen(data, size, 8)) {
        status = pkm_robot_create(desc, &robot, &err); // which takes the description
        FUZZ_CHECK(status == PKM_OK ? robot != NULL : robot == NULL && err.text[0]);
        pkm_robot_free(robot);
    } else {
        pkm_description_free(desc);
    }
    free(text);
    return 0;
}
