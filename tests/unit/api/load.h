/// The robots of robots/ for the tests of the public library, which see <pkm/pkm.h> only.
#ifndef PKM_TESTS_API_LOAD_H
#define PKM_TESTS_API_LOAD_H

#include "check.h"

#include <pkm/pkm.h>

static const char* const robot_files[] = {
    "siax",       "irb340", "kuo",   "lindelta",      "triglide",    "isoglideT3", "isoglide4",
    "prrr2prpar", "3pprs",  "3ppsr", "gough-stewart", "planar-3rrr", "five-bar",
};
enum { N_ROBOT = (int)(sizeof robot_files / sizeof robot_files[0]) };

/// The path of robots/NAME.yaml, in a buffer that the next call reuses.
static const char* robot_path(const char* name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/robots/%s.yaml", PKM_SOURCE_DIR, name);
    return path;
}

/// Load robots/NAME.yaml; a failure is counted and gives NULL.
static inline pkm_robot* load(const char* name)
{
    pkm_robot* robot = NULL;
    pkm_error err = {.status = PKM_OK};
    if (pkm_robot_load(robot_path(name), NULL, 0, &robot, &err) != PKM_OK)
        printf("    %s:%d:%d: %s\n", err.file, err.line, err.column, err.text);
    CHECK(robot != NULL);
    return robot;
}

/// The SIAX with rods of 500 mm on a base of 100 mm, cranks raised by 0.2 rad at home. The rods are
/// level, and the platform free to go up and down, where 0.503 m cos-wise apart meets 0.5 m:
/// between -0.2 and 0.2 rad.
static inline pkm_robot* short_rods(void)
{
    static const char old_home[] = "drives: {qA: 0 deg, qB: 0 deg, qC: 0 deg}";
    static const char new_home[] = "drives: {qA: -.2, qB: -.2, qC: -.2}      ";
    static char text[64 * 1024];
    const pkm_override set[] = {{"base_radius", "100 mm"}, {"l2", "500 mm"}, {"depth", "50 mm"}};
    FILE* file = fopen(robot_path("siax"), "r");
    CHECK(file != NULL);
    if (!file) return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char* home = strstr(text, old_home);
    CHECK(home != NULL && sizeof old_home >= sizeof new_home);
    if (home) memcpy(home, new_home, strlen(new_home));
    pkm_robot* robot = NULL;
    pkm_error err = {.status = PKM_OK};
    if (pkm_robot_parse(text, "siax", set, 3, &robot, &err) != PKM_OK) puts(err.text);
    CHECK(robot != NULL);
    return robot;
}

static inline double distance(pkm_vec3 a, pkm_vec3 b)
{
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

/// Noise in (-1, 1) that repeats.
static inline double noise(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

#endif
