// Rigid geometry of Kuo's Delta: where a limb is and how it moves, elastodynamics.md (1.1)-(1.4).
#include "reproduce/kuo2016_impl.h"

#include "base/error.h"
#include "math/angle.h"

// w.B' this small against the links: the drive cannot follow, the limb is stretched out.
static const double STRETCHED = 1e-9;

/// The drive angle q with its rates; B = A + L1 (cos q e + sin q e_z), elbow outward.
static pkm_status drive_angle(const pkm_kuo2016_robot* robot, int limb, const pkm_kuo2016_limb* l,
                              pkm_beam_jet P, pkm_beam_jet1* q, pkm_error* err)
{
    const double L1 = robot->length[PKM_KUO2016_UPPER], L2 = robot->length[PKM_KUO2016_LOWER];
    const double x = pkm_vec3_dot(P.x, l->radial) - (robot->base - robot->platform);
    const double t = pkm_vec3_dot(P.x, l->y), z = P.x.z, r = hypot(x, z);
    const double k = (r * r + t * t + L1 * L1 - L2 * L2) / (2.0 * L1); // x cos q + z sin q = k
    if (!(fabs(k) <= r))
        return pkm_fail(err, PKM_ERR_UNREACHABLE,
                        "Kuo's Delta: limb %d does not reach the platform at (%g, %g, %g)",
                        limb + 1, P.x.x, P.x.y, P.x.z);
    q->x = atan2(z, x) - copysign(acos(k / r), z);

    // w = D - B keeps its length: w.(v - B' q') = 0 and once more differentiated
    const pkm_vec3 e = l->radial;
    const double c = L1 * cos(q->x), s = L1 * sin(q->x);
    const pkm_vec3 B1 = {-s * e.x, -s * e.y, c}, B2 = {-c * e.x, -c * e.y, -s};
    const pkm_vec3 w = pkm_vec3_sub(pkm_vec3_axpy(P.x, robot->platform - robot->base, e),
                                    (pkm_vec3){c * e.x, c * e.y, s});
    const double lever = pkm_vec3_dot(w, B1);
    if (!(fabs(lever) > STRETCHED * L1 * L2))
        return pkm_fail(err, PKM_ERR_SINGULAR,
                        "Kuo's Delta: limb %d is stretched out with the platform at (%g, %g, %g)",
                        limb + 1, P.x.x, P.x.y, P.x.z);
    q->v = pkm_vec3_dot(w, P.v) / lever;
    const pkm_vec3 wv = pkm_vec3_axpy(P.v, -q->v, B1);
    const pkm_vec3 rest = pkm_vec3_axpy(P.a, -q->v * q->v, B2);
    q->a = (pkm_vec3_dot(w, rest) + pkm_vec3_dot(wv, wv)) / lever;
    return PKM_OK;
}

pkm_status pkm_kuo2016_limb_at(const pkm_kuo2016_robot* robot, int limb, pkm_beam_jet P,
                               pkm_kuo2016_limb* out, pkm_error* err)
{
    const double theta = limb * PKM_TURN / 3.0, L1 = robot->length[PKM_KUO2016_UPPER];
    out->radial = (pkm_vec3){cos(theta), sin(theta), 0.0};
    out->y = (pkm_vec3){-sin(theta), cos(theta), 0.0};
    out->A = pkm_beam_jet_rest(pkm_vec3_scale(robot->base, out->radial));
    pkm_beam_jet1 q = {0.0, 0.0, 0.0};
    PKM_TRY(drive_angle(robot, limb, out, P, &q, err));

    // the upper link turns about the drive's axis, q from e towards e_z: about -y
    const pkm_vec3 arm = {L1 * cos(q.x) * out->radial.x, L1 * cos(q.x) * out->radial.y,
                          L1 * sin(q.x)};
    out->B = pkm_beam_jet_turning(arm, pkm_vec3_scale(-q.v, out->y), pkm_vec3_scale(-q.a, out->y));
    out->B.x = pkm_vec3_add(out->B.x, out->A.x);
    out->D = P;
    out->D.x = pkm_vec3_axpy(P.x, robot->platform, out->radial);

    // the cross of the universal joints: y, and z across y and the rod
    const pkm_beam_jet w = pkm_beam_jet_sub(out->D, out->B), y = pkm_beam_jet_rest(out->y);
    out->z = pkm_beam_jet_unit(pkm_beam_jet_cross(w, y));
    out->section_y = pkm_beam_jet_cross(out->z, w);
    out->phi1 = -q.x;
    out->phi12 = atan2(-w.x.z, pkm_vec3_dot(w.x, out->radial));
    out->phi3 = atan2(pkm_vec3_dot(w.x, out->y), hypot(w.x.z, pkm_vec3_dot(w.x, out->radial)));
    return PKM_OK;
}
