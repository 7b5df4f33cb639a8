/// The robots with rod pairs that the tests use.
#ifndef PKM_TESTS_CLOSED_ROD_ROBOTS_H
#define PKM_TESTS_CLOSED_ROD_ROBOTS_H

#include "laws.h"

/// SIAX D3-1600.
static const law_value siax[] = {
    {"base_radius", 0.25},
    {"platform_radius", 0.097},
    {"crank_length", 0.5},
    {"rod_length", 1.106},
    {"crank_mass", 1.58},
    {"crank_com", 0.25},
    {"crank_inertia", 1.58 * 0.25 / 3.0},
    {"rod_mass", 0.34},
    {"platform_mass", 0.46},
    {"payload_mass", 5.0},
    {"gravity", -9.81},
    {NULL, 0.0},
};

/// Kuo's Delta: z and gravity point from the base to the platform; one rod per limb.
static const law_value kuo[] = {
    {"base_radius", 0.1},
    {"platform_radius", 0.05},
    {"crank_length", 0.5},
    {"rod_length", 0.6},
    {"crank_mass", 7800.0 * 25e-6 * 0.5},
    {"crank_com", 0.25},
    {"crank_inertia", 7800.0 * 25e-6 * 0.5 * 0.25 / 3.0},
    {"rod_mass", 7800.0 * 25e-6 * 0.6},
    {"rods_per_limb", 1.0},
    {"platform_mass", 0.5},
    {"gravity", 9.81},
    {"down", 1.0},
    {NULL, 0.0},
};

/// The linear Delta of the reference table; two rods of 0.4 kg per limb.
static const law_value linear_delta[] = {
    {"rail_radius", 0.7},   {"platform_radius", 0.15}, {"rod_length", 0.99}, {"slide_mass", 2.0},
    {"platform_mass", 1.5}, {"rod_mass", 0.4},         {NULL, 0.0},
};

/// The Triglide of the reference table: cylinders, a little more than m L^2 / 12.
static const law_value triglide[] = {
    {"base_offset", 0.16}, {"platform_radius", 0.05}, {"rod_length", 0.6}, {"platform_mass", 0.57},
    {"rod_mass", 0.941},   {"rod_inertia", 0.02824},  {NULL, 0.0},
};

/// A robot with a box around its reachable poses.
typedef struct rod_robot {
    const char* family;
    const law_value* value;
    pkm_vec3 low, high;
} rod_robot;

static const rod_robot rod_robots[] = {
    {"delta", siax, {-1.6, -1.6, -1.6}, {1.6, 1.6, 1.6}},
    {"delta", kuo, {-1.1, -1.1, -1.1}, {1.1, 1.1, 1.1}},
    {"linear_delta", linear_delta, {-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}},
    {"triglide", triglide, {-0.6, -0.6, -0.6}, {0.6, 0.6, 0.6}},
};
enum { N_ROD_ROBOT = sizeof rod_robots / sizeof rod_robots[0] };

/// All configurations at a random reachable pose.
static inline int rod_robot_random(const rod_robot* robot, const pkm_closed* closed, uint64_t* seed,
                                   pkm_closed_config out[8])
{
    for (;;) {
        pkm_pose pose = pkm_pose_identity();
        pose.p.x = law_random(seed, robot->low.x, robot->high.x);
        pose.p.y = law_random(seed, robot->low.y, robot->high.y);
        pose.p.z = law_random(seed, robot->low.z, robot->high.z);
        const int n = pkm_closed_inverse_geometry(closed, &pose, out, 8, NULL);
        if (n > 0) return n;
    }
}

#endif
