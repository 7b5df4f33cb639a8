/// What the tests of the 3-PPRS and the 3-PPSR share: the two robots and a motion for them.
#ifndef PKM_TESTS_GUIDED_ROBOTS_H
#define PKM_TESTS_GUIDED_ROBOTS_H

#include "check.h"
#include "closed/families.h"
#include "math/quat.h"

#include <stdlib.h>

enum { N = 6, N_PARAMETER = 17 };

static const char* const family_name[2] = {"3pprs", "3ppsr"};
static pkm_closed* robot[2];

// The robot of the reference results; NaN means the default: g -9.80665, side +1, 0, 120, 240 deg.
static const double reference_value[N_PARAMETER] = {
    0.12, 0.05, 0.11, 0.5, 0.2, 0.3, 0.2, 4e-4, 5e-4, 8e-4, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static inline double uniform(double low, double high)
{
    return low + (high - low) * (double)rand() / RAND_MAX;
}

static inline pkm_vec3 random_vector(double size)
{
    return pkm_vec3_make(uniform(-size, size), uniform(-size, size), uniform(-size, size));
}

/// A pose within reach: near the middle, turned by up to 40 degrees.
static inline pkm_pose random_pose(const pkm_closed* closed)
{
    for (;;) {
        pkm_pose pose;
        pose.p = pkm_vec3_add(pkm_vec3_make(0.0, 0.0, 0.15), random_vector(0.05));
        pose.q = pkm_quat_from_rotvec(random_vector(0.7));
        pkm_closed_config config;
        if (pkm_closed_inverse_geometry(closed, &pose, &config, 1, NULL) > 0) return pose;
    }
}

/// A smooth motion of all six freedoms, for every t; with exact derivatives of the translation and
/// of the rotation R(t) = R0 exp(s(t) axis).
static inline pkm_frame_motion smooth_motion(double t)
{
    const pkm_vec3 axis = pkm_vec3_unit(pkm_vec3_make(0.5, -0.8, 0.6));
    const pkm_quat tilt = pkm_quat_from_rotvec(pkm_vec3_make(0.1, 0.15, -0.05));
    const double s = 0.3 * sin(4.0 * t), sd = 1.2 * cos(4.0 * t), sdd = -4.8 * sin(4.0 * t);
    const pkm_vec3 axis_w = pkm_quat_rotate(tilt, axis);
    pkm_frame_motion m;
    m.pose.p = pkm_vec3_make(0.02 * sin(3.0 * t), 0.015 * cos(5.0 * t), 0.15 + 0.02 * sin(2.0 * t));
    m.v = pkm_vec3_make(0.06 * cos(3.0 * t), -0.075 * sin(5.0 * t), 0.04 * cos(2.0 * t));
    m.a = pkm_vec3_make(-0.18 * sin(3.0 * t), -0.375 * cos(5.0 * t), -0.08 * sin(2.0 * t));
    m.pose.q = pkm_quat_mul(tilt, pkm_quat_from_axis(axis, s));
    m.w = pkm_vec3_scale(sd, axis_w);
    m.alpha = pkm_vec3_scale(sdd, axis_w);
    return m;
}

static inline pkm_closed_config config_on_branch(const pkm_closed* closed, const pkm_pose* pose,
                                                 int branch)
{
    pkm_closed_config all[8] = {{.branch = -1}};
    const int n = pkm_closed_inverse_geometry(closed, pose, all, 8, NULL);
    for (int k = 0; k < n; ++k)
        if (all[k].branch == branch) return all[k];
    CHECK(n == 8);
    return all[0];
}

static inline bool create_robots(void)
{
    for (int f = 0; f < 2; ++f) {
        const pkm_closed_family* family = pkm_closed_find(family_name[f]);
        if (!family || pkm_closed_create(family, reference_value, &robot[f], NULL) != PKM_OK)
            return false;
    }
    return true;
}

static inline void free_robots(void)
{
    for (int f = 0; f < 2; ++f)
        pkm_closed_free(robot[f]);
}

#endif
