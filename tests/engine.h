/// What tests of the general engine share: robots from files and from text, repeatable noise.
#ifndef PKM_TESTS_ENGINE_H
#define PKM_TESTS_ENGINE_H

#include "check.h"
#include "robot/robot.h"

#include <stdio.h>

/// Every file of robots/.
static const char* const engine_robots[] = {
    "triglide", "prrr2prpar",  "irb340",        "siax",          "kuo",
    "lindelta", "isoglideT3",  "isoglide4",     "3pprs",         "3ppsr",
    "five-bar", "planar-3rrr", "gough-stewart", "bench/delta-d",
};

enum { ENGINE_N_ROBOT = (int)(sizeof engine_robots / sizeof engine_robots[0]) };

/// A repeatable number in [-1, 1].
static inline double engine_noise(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static inline pkm_description* engine_read(const char* name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/robots/%s.yaml", PKM_SOURCE_DIR, name);
    pkm_description* desc = NULL;
    pkm_error err = {0};
    if (pkm_description_read(path, NULL, 0, &desc, &err) != PKM_OK)
        printf("    %s:%d:%d: %s\n", path, err.line, err.column, err.text);
    CHECK(desc != NULL);
    return desc;
}

static inline pkm_description* engine_parse(const char* text)
{
    pkm_description* desc = NULL;
    pkm_error err = {0};
    if (pkm_description_parse(text, strlen(text), "test.yaml", NULL, 0, &desc, &err) != PKM_OK)
        printf("    %s:%d:%d: %s\n", err.file, err.line, err.column, err.text);
    CHECK(desc != NULL);
    return desc;
}

/// The robot of a description, which it takes over (NULL is passed on); NULL after a failure, which
/// is counted.
static inline pkm_robot* engine_build(pkm_description* desc)
{
    if (!desc) return NULL;
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    if (pkm_robot_create(desc, &robot, &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(robot != NULL);
    return robot;
}

static inline pkm_robot* engine_load(const char* name)
{
    return engine_build(engine_read(name));
}

static inline pkm_robot* engine_from(const char* text)
{
    return engine_build(engine_parse(text));
}

#endif
