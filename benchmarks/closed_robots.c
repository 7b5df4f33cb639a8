#include "closed_robots.h"

#include "delta_d.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const closed_setting delta[] = {
    {"base_radius", DELTA_BASE_RADIUS},
    {"platform_radius", DELTA_PLATFORM_RADIUS},
    {"crank_length", DELTA_CRANK},
    {"crank_mass", DELTA_CRANK_MASS},
    {"crank_com", 0.5 * DELTA_CRANK},
    {"crank_inertia", DELTA_CRANK_MASS* DELTA_CRANK* DELTA_CRANK / 3.0},
    {"rod_length", DELTA_ROD},
    {"rod_mass", DELTA_ROD_MASS},
    {"platform_mass", DELTA_PLATFORM_MASS},
    {"payload_mass", DELTA_PAYLOAD},
    {"gravity", -DELTA_GRAVITY},
    {NULL, 0.0},
};

static const closed_setting linear_delta[] = {
    {"rail_radius", 0.7}, {"platform_radius", 0.15}, {"slide_mass", 2.0}, {"rod_length", 0.99},
    {"rod_mass", 0.4},    {"platform_mass", 1.5},    {NULL, 0.0},
};

static const closed_setting triglide[] = {
    {"base_offset", 0.16},    {"platform_radius", 0.05}, {"rod_length", 0.6}, {"rod_mass", 0.941},
    {"rod_inertia", 0.02824}, {"platform_mass", 0.57},   {NULL, 0.0},
};

static const closed_setting isoglide_t3[] = {
    {"slide_mass", 0.98},     {"link2_length", 0.63},   {"link3_length", 0.63},
    {"link2_mass", 6.17},     {"link3_mass", 6.17},     {"link2_inertia", 0.204},
    {"link3_inertia", 0.204}, {"platform_offset", 0.2}, {"platform_mass", 5.66},
    {"elbow_a", -1.0},        {"elbow_c", -1.0},        {NULL, 0.0},
};

static const closed_setting isoglide4[] = {
    {"l3_a", 0.677},
    {"l3_b", 0.711},
    {"l3_c", 0.752},
    {"l3_d", 0.638},
    {"l4_a", 0.792},
    {"l4_b", 0.698},
    {"l4_c", 0.63},
    {"l4_d", 0.702},
    {"m3_a", 26.9},
    {"m3_b", 28.65},
    {"m3_c", 22.81},
    {"m3_d", 23.58},
    {"m4_a", 31.98},
    {"m4_b", 27.99},
    {"m4_c", 28.99},
    {"m4_d", 28.97},
    {"slide_mass", 17.1},
    {"platform_length", 0.3},
    {"coupling_length", 0.12},
    {"platform_mass", 17.0},
    {"payload_mass", 10.0},
    {"elbow_a", -1.0},
    {"elbow_c", -1.0},
    {"elbow_d", -1.0},
    {NULL, 0.0},
};

static const closed_setting prrr2prpar[] = {
    {"l3_a", 0.63}, {"l4_a", 0.63}, {"l4_b", 0.95},    {"l4_c", 0.95}, {"l7_a", 0.2},
    {"l7_b", 0.2},  {"l7_c", 0.2},  {"m3_a", 9.68},    {"m4_a", 9.68}, {"m3_b", 2.32},
    {"m4_b", 7.35}, {"m5_b", 7.35}, {"m6_b", 2.32},    {"m3_c", 2.32}, {"m4_c", 7.35},
    {"m5_c", 7.35}, {"m6_c", 2.32}, {"elbow_a", -1.0}, {NULL, 0.0},
};

/// 3-PPRS and 3-PPSR.
static const closed_setting guided[] = {
    {"base_radius", 0.12}, {"platform_radius", 0.05}, {"rod_length", 0.11}, {"platform_mass", 0.5},
    {"payload_mass", 0.2}, {"slide_mass", 0.3},       {"lift_mass", 0.2},   {"inertia_x", 4e-4},
    {"inertia_y", 5e-4},   {"inertia_z", 8e-4},       {NULL, 0.0},
};

static const closed_robot robots[] = {
    {"delta", delta, {0.0, 0.0, -0.9}, 400.0},
    {"linear_delta", linear_delta, {0.1, 0.0, -0.9}, 0.0},
    {"triglide", triglide, {0.05, 0.0, -0.55}, 0.0},
    {"isoglide_t3", isoglide_t3, {0.5, 0.6, 0.7}, 0.0},
    {"isoglide4", isoglide4, {0.55, 0.5, 0.5}, 0.0},
    {"prrr2prpar", prrr2prpar, {0.4, 0.7, 0.8}, 0.0},
    {"3pprs", guided, {0.0, 0.0, 0.15}, 1000.0},
    {"3ppsr", guided, {0.0, 0.0, 0.15}, 1000.0},
};

const closed_robot* closed_robots(int* n_robot)
{
    *n_robot = (int)(sizeof robots / sizeof robots[0]);
    return robots;
}

/// Where `name` is among the family's parameters; -1 when it is not.
static int parameter_at(const pkm_closed_family* family, const char* name)
{
    for (int k = 0; k < family->n_parameter; ++k)
        if (strcmp(family->parameter[k].name, name) == 0) return k;
    return -1;
}

pkm_closed* closed_robot_create(const closed_robot* robot)
{
    const pkm_closed_family* family = pkm_closed_find(robot->family);
    double value[PKM_CLOSED_MAX_PARAMETER];
    for (int k = 0; k < PKM_CLOSED_MAX_PARAMETER; ++k)
        value[k] = NAN; // the family's default
    for (const closed_setting* s = robot->setting; family && s->name; ++s) {
        const int at = parameter_at(family, s->name);
        if (at < 0) {
            fprintf(stderr, "%s has no parameter %s\n", robot->family, s->name);
            return NULL;
        }
        value[at] = s->value;
    }
    pkm_closed* closed = NULL;
    pkm_error err = {0};
    if (!family || pkm_closed_create(family, value, &closed, &err) != PKM_OK)
        fprintf(stderr, "%s: %s\n", robot->family, family ? err.text : "there is no such family");
    return closed;
}
