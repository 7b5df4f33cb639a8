// Rigid torques of Kuo's Delta by the closed form of the rotary Delta.
#include "closed.h"
#include "kuo/kuo_impl.h"

#include "base/error.h"
#include "math/quat.h"

#include <string.h>

/// Give the parameter called `name` its value.
static void set(const pkm_closed_family* family, double* value, const char* name, double x)
{
    for (int k = 0; k < family->n_parameter; ++k)
        if (strcmp(family->parameter[k].name, name) == 0) value[k] = x;
}

/// The robot as a rotary Delta; `lump` is the part of a rod's mass that sits at each of its ends,
/// the rest of the rod has mass when lump is 0 only.
static pkm_status make_delta(const pkm_kuo_robot* robot, double lump, pkm_closed** out,
                             pkm_error* err)
{
    const pkm_closed_family* family = pkm_closed_find("delta");
    const double L1 = robot->length[PKM_KUO_UPPER], L2 = robot->length[PKM_KUO_LOWER];
    const pkm_beam_section* s = robot->section;
    const double m1 = L1 * pkm_beam_mass_per_length(&s[PKM_KUO_UPPER], &robot->material);
    const double m2 = L2 * pkm_beam_mass_per_length(&s[PKM_KUO_LOWER], &robot->material);
    const double crank = m1 + lump * m2;
    double value[PKM_CLOSED_MAX_PARAMETER];
    for (int k = 0; k < PKM_CLOSED_MAX_PARAMETER; ++k)
        value[k] = NAN;
    set(family, value, "base_radius", robot->base);
    set(family, value, "platform_radius", robot->platform);
    set(family, value, "crank_length", L1);
    set(family, value, "crank_mass", crank);
    set(family, value, "crank_com", (0.5 * m1 + lump * m2) * L1 / crank);
    set(family, value, "crank_inertia", (m1 / 3.0 + lump * m2) * L1 * L1);
    set(family, value, "down", 1.0);
    set(family, value, "rod_length", L2);
    set(family, value, "rod_mass", lump > 0.0 ? 0.0 : m2);
    set(family, value, "rods_per_limb", 1.0);
    set(family, value, "platform_mass", robot->mass + 3.0 * lump * m2);
    set(family, value, "gravity", robot->gravity);
    return pkm_closed_create(family, value, out, err);
}

pkm_status pkm_kuo_delta_torques(const pkm_closed* delta, pkm_beam_jet P, double torque[3],
                                 pkm_error* err)
{
    const pkm_frame_motion tool = {.pose = {P.x, pkm_quat_identity()}, .v = P.v, .a = P.a};
    pkm_closed_config config;
    double qd[3], qdd[3], beyond = 0.0;
    // The first configuration has all elbows out.
    if (pkm_closed_inverse_geometry(delta, &tool.pose, &config, 1, &beyond) < 1)
        return pkm_fail(err, PKM_ERR_UNREACHABLE,
                        "Kuo's Delta: the platform at (%g, %g, %g) is out of reach by %g m", P.x.x,
                        P.x.y, P.x.z, beyond);
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    pkm_status status = closed_drive_motion(delta, &config, &tool, qd, qdd);
    if (status == PKM_OK)
        status = pkm_closed_inverse_dynamics(delta, &config, &tool, qd, qdd, none, none, torque);
    return status == PKM_OK ? status : pkm_fail(err, status, "Kuo's Delta: a singular position");
}

pkm_status pkm_kuo_delta_create(const pkm_kuo_robot* robot, pkm_kuo_rod_mass rod, pkm_closed** out,
                                pkm_error* err)
{
    const double lump[] = {
        [PKM_KUO_ROD_EXACT] = 0.0, [PKM_KUO_ROD_HALVED] = 0.5, [PKM_KUO_ROD_PRINTED] = 1.0};
    return make_delta(robot, lump[rod], out, err);
}

pkm_status pkm_kuo_rigid_torques(const pkm_kuo_robot* robot, pkm_kuo_rod_mass rod, pkm_vec3 P,
                                 pkm_vec3 v, pkm_vec3 a, double torque[3], pkm_error* err)
{
    pkm_closed* delta = NULL;
    pkm_status status = pkm_kuo_delta_create(robot, rod, &delta, err);
    if (status == PKM_OK)
        status = pkm_kuo_delta_torques(delta, (pkm_beam_jet){P, v, a}, torque, err);
    pkm_closed_free(delta);
    return status;
}
