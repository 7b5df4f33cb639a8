// A slide and two links in the plane across its rail: posture, force at the tip, energy. Equations:
// docs/theory/closed-isoglide.md, section 1.
#include "closed/rrr_limb.h"

#include "math/vec3.h"

/// Below this sine of the elbow angle the limb counts as stretched or folded: the reach then
/// differs from its extreme by sin^2/2 = 5e-15 of the links, which is the roundoff of the tip's
/// position.
static const double SINE_STRETCHED = 1e-7;

/// Directions of the links, the sine and cosine of the elbow angle, and the factors of (1.4):
/// per1 = 1 / (l1 sin d), per2 = -1 / (l2 sin d).
typedef struct posture {
    pkm_rrr_plane u1, u2;
    double cos_d, sin_d;
    double per1, per2;
} posture;

static pkm_rrr_plane to_plane(int axis, pkm_vec3 v)
{
    switch (axis) {
    case 0:
        return (pkm_rrr_plane){v.y, v.z};
    case 1:
        return (pkm_rrr_plane){v.z, v.x};
    default:
        return (pkm_rrr_plane){v.x, v.y};
    }
}

/// The world vector with `along` on the rail and `p` in the plane.
static pkm_vec3 to_world(int axis, double along, pkm_rrr_plane p)
{
    switch (axis) {
    case 0:
        return (pkm_vec3){along, p.c, p.s};
    case 1:
        return (pkm_vec3){p.s, along, p.c};
    default:
        return (pkm_vec3){p.c, p.s, along};
    }
}

static double along_rail(int axis, pkm_vec3 v)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double dot(pkm_rrr_plane a, pkm_rrr_plane b)
{
    return a.c * b.c + a.s * b.s;
}

/// a turned by +90 degrees in the plane.
static pkm_rrr_plane quarter_turn(pkm_rrr_plane a)
{
    return (pkm_rrr_plane){-a.s, a.c};
}

/// The tip seen from the rail, in the plane.
static pkm_rrr_plane from_rail(const pkm_rrr_limb* limb, pkm_vec3 tip)
{
    const pkm_rrr_plane p = to_plane(limb->axis, tip);
    return (pkm_rrr_plane){p.c - limb->rail.c, p.s - limb->rail.s};
}

void pkm_rrr_slender(double m, double l, double* J)
{
    if (isnan(*J)) *J = m * l * l / 12.0;
}

/// (1.6), (1.8): the constants of kinetic and potential energy.
void pkm_rrr_limb_prepare(pkm_rrr_limb* limb)
{
    const double l1 = limb->l1, l2 = limb->l2, m1 = limb->m1, m2 = limb->m2;
    limb->mass = limb->slide_mass + m1 + m2;
    limb->I1 = limb->J1 + m1 * l1 * l1 / 4.0 + m2 * l1 * l1;
    limb->I2 = limb->J2 + m2 * l2 * l2 / 4.0;
    limb->h = m2 * l1 * l2 / 2.0;
    limb->moment1 = (m1 / 2.0 + m2) * l1;
    limb->moment2 = m2 * l2 / 2.0;
    limb->gravity_p = to_plane(limb->axis, limb->gravity);
}

double pkm_rrr_limb_beyond(const pkm_rrr_limb* limb, pkm_vec3 tip)
{
    const pkm_rrr_plane p = from_rail(limb, tip);
    const double r = sqrt(dot(p, p));
    const double too_far = r - (limb->l1 + limb->l2);
    const double too_near = fabs(limb->l1 - limb->l2) - r;
    return pkm_rrr_larger(too_far, too_near);
}

/// (1.2), (1.3): the elbow angle from the law of cosines, the links from a product of complex
/// numbers, so that no angle is ever computed. The sine comes from the distances to both ends of
/// the reach and keeps its digits near them. False when the limb is stretched or folded.
static bool find_posture(const pkm_rrr_limb* limb, double elbow, pkm_vec3 tip, posture* out)
{
    const double l1 = limb->l1, l2 = limb->l2;
    const pkm_rrr_plane p = from_rail(limb, tip);
    const double rr = dot(p, p);
    const double outside = (l1 + l2) * (l1 + l2) - rr, inside = rr - (l1 - l2) * (l1 - l2);
    const double per_links = 1.0 / (2.0 * l1 * l2);
    const double cos_d = (rr - l1 * l1 - l2 * l2) * per_links;
    const double sin_d = elbow * sqrt(outside * inside) * per_links;
    if (!(fabs(sin_d) > SINE_STRETCHED))
        return false; // also where the root is of a negative number

    const double per_rr = 1.0 / rr, k_c = (l1 + l2 * cos_d) * per_rr, k_s = l2 * sin_d * per_rr;
    const pkm_rrr_plane u1 = {p.c * k_c + p.s * k_s, p.s * k_c - p.c * k_s};
    const pkm_rrr_plane u2 = {u1.c * cos_d - u1.s * sin_d, u1.s * cos_d + u1.c * sin_d};
    const double per_all = 1.0 / (l1 * l2 * sin_d);
    *out = (posture){u1, u2, cos_d, sin_d, l2 * per_all, -l1 * per_all};
    return true;
}

/// (1.4), (1.5): x = l1 x1 n1 + l2 x2 n2 solved for x1, x2. Applied to the velocity of the tip it
/// gives angular velocities, to the acceleration without centripetal parts angular accelerations.
static pkm_rrr_plane solve_links(const posture* at, pkm_rrr_plane x)
{
    return (pkm_rrr_plane){at->per1 * dot(x, at->u2), at->per2 * dot(x, at->u1)};
}

bool pkm_rrr_limb_force(const pkm_rrr_limb* limb, double elbow, const pkm_rrr_tip* tip,
                        pkm_vec3* force)
{
    posture at;
    if (!find_posture(limb, elbow, tip->p, &at)) return false;

    // (1.4) velocities, (1.5) accelerations of the links; .c belongs to link 1, .s to link 2
    const pkm_rrr_plane w = solve_links(&at, to_plane(limb->axis, tip->v));
    const double pull1 = limb->l1 * w.c * w.c, pull2 = limb->l2 * w.s * w.s;
    const pkm_rrr_plane a = to_plane(limb->axis, tip->a);
    const pkm_rrr_plane b = {a.c + pull1 * at.u1.c + pull2 * at.u2.c,
                             a.s + pull1 * at.u1.s + pull2 * at.u2.s};
    const pkm_rrr_plane alpha = solve_links(&at, b);

    // (1.7), (1.8) generalised torques of the two absolute angles
    const double hc = limb->h * at.cos_d, hs = limb->h * at.sin_d;
    const double weight1 = limb->moment1 * dot(limb->gravity_p, quarter_turn(at.u1));
    const double weight2 = limb->moment2 * dot(limb->gravity_p, quarter_turn(at.u2));
    const double tau1 = limb->I1 * alpha.c + hc * alpha.s - hs * w.s * w.s - weight1;
    const double tau2 = limb->I2 * alpha.s + hc * alpha.c + hs * w.c * w.c - weight2;

    // (1.9) carried to the tip by the virtual work of (1.4), (1.10) along the rail
    const double k1 = tau1 * at.per1, k2 = tau2 * at.per2;
    const pkm_rrr_plane f = {k1 * at.u2.c + k2 * at.u1.c, k1 * at.u2.s + k2 * at.u1.s};
    const pkm_vec3 lift = pkm_vec3_sub(tip->a, limb->gravity);
    *force = to_world(limb->axis, limb->mass * along_rail(limb->axis, lift), f);
    return true;
}

double pkm_rrr_limb_energy(const pkm_rrr_limb* limb, double elbow, const pkm_rrr_tip* tip)
{
    posture at;
    if (!find_posture(limb, elbow, tip->p, &at)) return NAN;

    // (1.6) kinetic energy
    const pkm_rrr_plane w = solve_links(&at, to_plane(limb->axis, tip->v));
    const double v = along_rail(limb->axis, tip->v);
    const double kinetic = limb->I1 * w.c * w.c + limb->I2 * w.s * w.s +
                           2.0 * limb->h * at.cos_d * w.c * w.s + limb->mass * v * v;

    // (1.8) potential energy
    const pkm_rrr_plane moment = {
        limb->moment1 * at.u1.c + limb->moment2 * at.u2.c + limb->mass * limb->rail.c,
        limb->moment1 * at.u1.s + limb->moment2 * at.u2.s + limb->mass * limb->rail.s};
    const double moment_rail = limb->mass * along_rail(limb->axis, tip->p);
    const double potential =
        -dot(limb->gravity_p, moment) - along_rail(limb->axis, limb->gravity) * moment_rail;
    return kinetic / 2.0 + potential;
}
