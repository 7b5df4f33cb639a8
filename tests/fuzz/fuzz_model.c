// Model files: read, and put together when they can be read.
#include "fuzz.h"

#include "pkm/pkm.h"
#include "robot/robot.h"

int fuzz_one(const uint8_t* data, size_t size)
{
    char* text = fuzz_text(data, size);
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    const pkm_status status = pkm_robot_parse(text, "fuzz.yaml", NULL, 0, &robot, &err);
    FUZZ_CHECK(status == PKM_OK ? robot != NULL : robot == NULL && err.text[0]);
    pkm_robot_free(robot);
    free(text);
    return 0;
}
