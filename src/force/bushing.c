// A bushing between two frames: six springs and dampers on displacement and rotation vector of b in
// the axes of a, exact for turns below half a turn. Equations: docs/theory/forces.md, (4.3) to
// (4.7).
#include "force/spring.h"

#include "base/error.h"
#include "force/expect.h"
#include "model/key.h"

#include <math.h>

pkm_status pkm_bushing_check(const pkm_bushing* bushing, const char* name, pkm_error* err)
{
    for (int i = 0; i < 6; ++i) {
        PKM_TRY(pkm_expect_not_negative(name, "stiffness", bushing->stiffness[i], err));
        PKM_TRY(pkm_expect_not_negative(name, "damping", bushing->damping[i], err));
        PKM_TRY(pkm_expect_finite(name, "preload", bushing->preload[i], err));
    }
    return PKM_OK;
}

/// The coefficient of theta x (theta x .) in (4.5), (1 - (|theta|/2) cot(|theta|/2)) / |theta|^2.
static double turn_coefficient(double angle2)
{
    // the term left out is angle^8 / 47900160; the quotient loses 1e-16 / angle^2 of what is then
    // multiplied by angle^2
    if (angle2 < 0.01)
        return (1.0 + angle2 * (1.0 / 60.0 + angle2 * (1.0 / 2520.0 + angle2 / 100800.0))) / 12.0;
    const double half = 0.5 * sqrt(angle2);
    return (1.0 - half / tan(half)) / angle2;
}

/// Rate of the rotation vector at angular velocity w, both in the axes of a (4.5); with sign = -1
/// the transpose, which takes forces on the rotation vector to the moment (4.6).
static pkm_vec3 turn_map(pkm_vec3 theta, pkm_vec3 x, double sign)
{
    const pkm_vec3 once = pkm_vec3_cross(theta, x), twice = pkm_vec3_cross(theta, once);
    const double c = turn_coefficient(pkm_vec3_dot(theta, theta));
    return pkm_vec3_axpy(pkm_vec3_axpy(x, -0.5 * sign, once), c, twice);
}

/// Coordinates and their rates: displacement and rotation vector of b in the axes R of a (4.3).
static void bushing_motion(const pkm_marker_motion* a, const pkm_marker_motion* b, pkm_mat3 R,
                           pkm_vec3 x[2], pkm_vec3 rate[2])
{
    const pkm_vec3 v_b = pkm_twist_at(b->twist, b->pose.p);
    const pkm_vec3 v_seen = pkm_vec3_sub(v_b, pkm_twist_at(a->twist, b->pose.p));
    const pkm_vec3 w = pkm_mat3_tmul(R, pkm_vec3_sub(b->twist.ang, a->twist.ang));
    x[0] = pkm_mat3_tmul(R, pkm_vec3_sub(b->pose.p, a->pose.p));
    x[1] = pkm_quat_to_rotvec(pkm_quat_mul(pkm_quat_conj(a->pose.q), b->pose.q));
    rate[0] = pkm_mat3_tmul(R, v_seen);
    rate[1] = turn_map(x[1], w, 1.0);
}

pkm_pair_force pkm_bushing_at(const pkm_bushing* bushing, const pkm_marker_motion* a,
                              const pkm_marker_motion* b)
{
    const pkm_mat3 R = pkm_mat3_from_quat(a->pose.q);
    pkm_vec3 x[2], rate[2], force[2];
    pkm_pair_force out = {.energy = 0.0};
    bushing_motion(a, b, R, x, rate);
    for (int k = 0; k < 2; ++k) {
        const double *s = bushing->stiffness + 3 * k, *d = bushing->damping + 3 * k;
        const double* p = bushing->preload + 3 * k;
        // f_i = preload_i - K_i x_i - C_i x_i', E = sum (K_i x_i^2/2 - preload_i x_i) (4.4)
        force[k] = (pkm_vec3){p[0] - s[0] * x[k].x - d[0] * rate[k].x,
                              p[1] - s[1] * x[k].y - d[1] * rate[k].y,
                              p[2] - s[2] * x[k].z - d[2] * rate[k].z};
        out.energy += (0.5 * s[0] * x[k].x - p[0]) * x[k].x +
                      (0.5 * s[1] * x[k].y - p[1]) * x[k].y + (0.5 * s[2] * x[k].z - p[2]) * x[k].z;
        out.dissipated += d[0] * rate[k].x * rate[k].x + d[1] * rate[k].y * rate[k].y +
                          d[2] * rate[k].z * rate[k].z;
    }
    // the moment of a force on the rotation vector is M = J' f_theta (4.6)
    const pkm_vec3 moment = turn_map(x[1], force[1], -1.0);
    out.on_b = pkm_wrench_at(b->pose.p, pkm_mat3_mul(R, force[0]), pkm_mat3_mul(R, moment));
    return out;
}

// ---- element -----------------------------------------------------------------------------------

static pkm_status check(const void* data, const char* name, pkm_error* err)
{
    return pkm_bushing_check(data, name, err);
}

static void wrench(const void* data, const pkm_element_motion* m, const double* z, void* out)
{
    (void)z;
    *(pkm_pair_force*)out = pkm_bushing_at(data, &m->a, &m->b);
}

/// Small displacements and turns along the axes of a.
static int slopes(const void* data, const pkm_element_motion* m, pkm_element_slope* out)
{
    const pkm_bushing* b = data;
    const pkm_pose ab = pkm_pose_mul(pkm_pose_inverse(m->a.pose), m->b.pose);
    const pkm_vec3 r = pkm_quat_to_rotvec(ab.q);
    const double x[6] = {ab.p.x, ab.p.y, ab.p.z, r.x, r.y, r.z};
    for (int k = 0; k < 6; ++k)
        out[k] = (pkm_element_slope){.kind = k < 3 ? PKM_SLOPE_SHIFT : PKM_SLOPE_TURN,
                                     .axis = k % 3,
                                     .stiffness = b->stiffness[k],
                                     .damping = b->damping[k],
                                     .force = b->stiffness[k] * x[k] - b->preload[k]};
    return 6;
}

static bool twists(const void* data)
{
    (void)data;
    return true;
}

#define AT(member) offsetof(pkm_bushing, member)
static const pkm_key keys[] = {
    {"stiffness", NULL, PKM_KEY_SIX, AT(stiffness), &pkm_dim_stiffness,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {"damping", "along and about the axes of the first frame, x y z rx ry rz", PKM_KEY_SIX,
     AT(damping), &pkm_dim_damping, .range = PKM_RANGE_NOT_NEGATIVE},
    {"preload", "where both frames agree", PKM_KEY_SIX, AT(preload), .dimension = &pkm_dim_force},
    {.name = NULL}};

const pkm_element_type pkm_element_bushing = {.word = "bushing",
                                              .place = PKM_BETWEEN_MARKERS,
                                              .key = keys,
                                              .check = check,
                                              .wrench = wrench,
                                              .slopes = slopes,
                                              .twists = twists};
