// Forces in joints with clearance: places where surfaces may touch by joint type, with gap,
// direction and point, normal force by contact_law.c, friction with or without bristles,
// derivatives for implicit steps, and the nearest admissible place. Equations:
// docs/theory/contact.md, sections 2 and 3.
#include "force/clearance.h"

#include "base/unset.h"
#include "force/element.h"

/// A journal tilted further than this cosine is taken at it: its axis still meets the end planes.
static const double LEAST_COSINE = 0.1;

/// Offsets below this length [m] have no direction.
static const double NO_OFFSET = 1e-30;

static const pkm_vec3 NONE = {0.0, 0.0, 0.0};
static const pkm_vec3 AXIS = {0.0, 0.0, 1.0}; ///< a.z

/// A place where surfaces may touch, from b's origin in the axes of a.
typedef struct place {
    double gap, gap_rate;
    pkm_vec3 push;    ///< force on b per normal force: minus the gradient of the penetration
    pkm_vec3 push_at; ///< where it acts
    pkm_vec3 normal;  ///< unit, from b into a
    pkm_vec3 turning; ///< angular velocity of the normal, which bristles follow [rad/s]
    pkm_vec3 at;      ///< where the surfaces rub
    double arm;       ///< axial stops: mean radius [m], so that spin rubs too; else 0
} place;

static pkm_vec3 velocity_at(const pkm_clearance_motion* m, pkm_vec3 at)
{
    return pkm_vec3_add(m->v, pkm_vec3_cross(m->w, at));
}

/// The part of `x` across the unit vector `n`.
static pkm_vec3 across(pkm_vec3 x, pkm_vec3 n)
{
    return pkm_vec3_axpy(x, -pkm_vec3_dot(x, n), n);
}

// ---- places of the joints ---------------------------------------------------------------------

/// Ball of radius R in a socket: e = |p|, n = p/e, gap c - e, (2.1).
static void ball(const pkm_clearance* c, const pkm_clearance_motion* m, place* out)
{
    const double offset = pkm_vec3_norm(m->p);
    const pkm_vec3 n = offset > NO_OFFSET ? pkm_vec3_scale(1.0 / offset, m->p) : NONE;
    *out = (place){.gap = c->radial - offset,
                   .gap_rate = -pkm_vec3_dot(n, m->v),
                   .push = pkm_vec3_scale(-1.0, n),
                   .push_at = NONE,
                   .normal = n,
                   .at = pkm_vec3_scale(c->radius, n)};
    if (c->has_friction && offset > NO_OFFSET)
        out->turning = pkm_vec3_scale(1.0 / offset, pkm_vec3_cross(n, m->v));
}

/// One end of a bearing, in its plane z = `end`, against the journal's axis, which meets the plane
/// at p + s b.z, (2.2)-(2.4). The push is across the journal: it does no work along its axis.
static void bearing_end(const pkm_clearance* c, const pkm_clearance_motion* m, double end,
                        place* out)
{
    const pkm_vec3 axis = m->R.z;
    const double cosine = axis.z > LEAST_COSINE ? axis.z : LEAST_COSINE;
    const pkm_vec3 along = pkm_vec3_scale((end - m->p.z) / cosine, axis);
    pkm_vec3 q = pkm_vec3_add(m->p, along);
    q.z = 0.0;
    const double offset = pkm_vec3_norm(q);
    const pkm_vec3 n = offset > NO_OFFSET ? pkm_vec3_scale(1.0 / offset, q) : NONE;
    const pkm_vec3 grow = pkm_vec3_axpy(n, -pkm_vec3_dot(n, axis) / cosine, AXIS);
    const pkm_vec3 v = velocity_at(m, along);
    const pkm_vec3 unit = pkm_vec3_unit(grow);
    *out = (place){.gap = c->radial - offset,
                   .gap_rate = -pkm_vec3_dot(grow, v),
                   .push = pkm_vec3_scale(-1.0, grow),
                   .push_at = along,
                   .normal = unit,
                   .at = pkm_vec3_axpy(along, c->radius, unit)};
    if (offset > NO_OFFSET) out->turning.z = (n.x * v.y - n.y * v.x) / offset;
}

/// The shoulder of the journal at side +1 or -1, on the axis; it rubs at its mean radius, (2.5).
static void axial_stop(const pkm_clearance* c, const pkm_clearance_motion* m, double side,
                       place* out)
{
    const pkm_vec3 n = {0.0, 0.0, side};
    *out = (place){.gap = c->axial - side * m->p.z,
                   .gap_rate = -side * m->v.z,
                   .push = pkm_vec3_scale(-1.0, n),
                   .normal = n,
                   .at = pkm_vec3_scale(-0.5 * side * c->length, m->R.z),
                   .arm = c->stop_radius > 0.0 ? c->stop_radius : c->radius};
}

/// A corner of the slider against one wall of its guide, (2.6). `corner` is in the axes of b.
static void corner_wall(double half, double clearance, const pkm_clearance_motion* m,
                        pkm_vec3 corner, pkm_vec3 n, place* out)
{
    const pkm_vec3 at = pkm_mat3_mul(m->R, corner);
    const pkm_vec3 v = velocity_at(m, at);
    *out = (place){.gap = half + clearance - pkm_vec3_dot(n, pkm_vec3_add(m->p, at)),
                   .gap_rate = -pkm_vec3_dot(n, v),
                   .push = pkm_vec3_scale(-1.0, n),
                   .push_at = at,
                   .normal = n,
                   .at = at};
}

/// The eight corners; 2 k and 2 k + 1 are corner k against its wall across x and across y.
static void slider(const pkm_clearance* c, const pkm_clearance_motion* m, place* out)
{
    const double w = 0.5 * c->width, h = 0.5 * c->height, l = 0.5 * c->length;
    for (int k = 0; k < 8; ++k) {
        const double sx = k & 1 ? 1.0 : -1.0, sy = k & 2 ? 1.0 : -1.0, sz = k & 4 ? 1.0 : -1.0;
        const pkm_vec3 corner = {sx * w, sy * h, sz * l};
        corner_wall(w, c->radial, m, corner, (pkm_vec3){sx, 0.0, 0.0}, &out[2 * k]);
        corner_wall(h, c->radial, m, corner, (pkm_vec3){0.0, sy, 0.0}, &out[2 * k + 1]);
    }
}

/// The places of a joint. @return how many.
static int find_places(const pkm_clearance* c, pkm_joint_type type, const pkm_clearance_motion* m,
                       place* out)
{
    switch (type) {
    case PKM_JOINT_SPHERICAL:
        ball(c, m, &out[0]);
        break;
    case PKM_JOINT_REVOLUTE:
        axial_stop(c, m, -1.0, &out[2]);
        axial_stop(c, m, 1.0, &out[3]);
        // fall through
    case PKM_JOINT_CYLINDRICAL:
        bearing_end(c, m, -0.5 * c->length, &out[0]);
        bearing_end(c, m, 0.5 * c->length, &out[1]);
        break;
    case PKM_JOINT_PRISMATIC:
        slider(c, m, out);
        break;
    default:
        break;
    }
    return pkm_clearance_contacts(type);
}

void pkm_clearance_gaps(const pkm_clearance* clearance, pkm_joint_type type,
                        const pkm_clearance_motion* motion, pkm_contact_point* out)
{
    place p[PKM_CLEARANCE_CONTACTS];
    const int n = find_places(clearance, type, motion, p);
    for (int k = 0; k < n; ++k)
        out[k] = (pkm_contact_point){.gap = p[k].gap, .gap_rate = p[k].gap_rate};
}

// ---- forces -----------------------------------------------------------------------------------

/// Velocity of b's surface over that of a; for axial stops the z component is that of the spin.
static pkm_vec3 sliding(const place* p, const pkm_clearance_motion* m)
{
    pkm_vec3 u = across(velocity_at(m, p->at), p->normal);
    if (p->arm > 0.0) u.z = p->arm * m->w.z;
    return u;
}

int pkm_clearance_velocities(const pkm_clearance* clearance, pkm_joint_type type,
                             const pkm_clearance_motion* motion, pkm_vec3* out)
{
    place p[PKM_CLEARANCE_CONTACTS];
    const int n = find_places(clearance, type, motion, p);
    for (int k = 0; k < n; ++k)
        out[k] = sliding(&p[k], motion);
    return n;
}

/// Coefficient times direction, (3.1), and the rates of the bristles, which turn with the normal.
static pkm_vec3 coefficient(const pkm_friction_law* law, const place* p, pkm_vec3 u,
                            const double* bristle, double* bristle_rate)
{
    if (!bristle) return pkm_vec3_scale(pkm_friction_per_speed(law, pkm_vec3_norm(u)), u);
    pkm_vec3 z = {bristle[0], bristle[1], bristle[2]}, z_rate;
    if (p->arm == 0.0) z = across(z, p->normal);
    pkm_vec3 mu = pkm_friction_bristle(law, z, u, &z_rate);
    z_rate = pkm_vec3_add(z_rate, pkm_vec3_cross(p->turning, z));
    bristle_rate[0] = z_rate.x, bristle_rate[1] = z_rate.y, bristle_rate[2] = z_rate.z;
    return mu;
}

/// Add a force at a point from b's origin.
static void add_force(pkm_clearance_force* out, pkm_vec3 at, pkm_vec3 force)
{
    out->force = pkm_vec3_add(out->force, force);
    out->moment = pkm_vec3_add(out->moment, pkm_vec3_cross(at, force));
}

static void rub(const pkm_clearance* c, const place* p, const pkm_clearance_motion* m,
                const double* bristle, double* bristle_rate, pkm_contact_point* point,
                pkm_clearance_force* out)
{
    const pkm_vec3 u = sliding(p, m);
    point->slip = pkm_vec3_norm(u);
    if (!c->has_friction) return;
    const pkm_friction_law law = pkm_friction_law_under(&c->friction, point->normal);
    const pkm_vec3 mu = coefficient(&law, p, u, bristle, bristle_rate);
    // f = -F mu(|u|) u/|u| (3.1); on stops the spin takes the moment of its part
    pkm_vec3 f = pkm_vec3_scale(-point->normal, mu);
    point->friction = pkm_vec3_norm(f);
    out->lost_friction -= pkm_vec3_dot(f, u);
    if (p->arm > 0.0) {
        out->moment.z += p->arm * f.z;
        f.z = 0.0;
    }
    add_force(out, p->at, f);
}

static void touch(const pkm_clearance* c, const place* p, const pkm_clearance_motion* m,
                  double impact_speed, const double* bristle, double* bristle_rate,
                  pkm_contact_point* point, pkm_clearance_force* out)
{
    // depth and its rate are the gap's, reversed
    const pkm_contact_force f = pkm_contact_law_force(&c->law, -p->gap, -p->gap_rate, impact_speed);
    point->normal = f.force;
    out->stored += f.stored;
    out->lost_contact += f.lost;
    add_force(out, p->push_at, pkm_vec3_scale(f.force, p->push));
    rub(c, p, m, bristle, bristle_rate, point, out);
}

/// Forces at the `n` places of a joint.
static void act(const pkm_clearance* clearance, const place* p, int n,
                const pkm_clearance_motion* motion, const pkm_contact_memory* memory,
                const double* bristle, pkm_clearance_force* out)
{
    const bool has_bristle =
        bristle && clearance->has_friction && pkm_friction_law_states(&clearance->friction, 3) > 0;
    out->force = out->moment = NONE;
    out->stored = out->lost_contact = out->lost_friction = 0.0;
    out->n_contact = n;
    for (int k = 0; k < n; ++k) {
        double* rate = out->bristle_rate + 3 * k;
        rate[0] = rate[1] = rate[2] = 0.0;
        out->contact[k] = (pkm_contact_point){.gap = p[k].gap, .gap_rate = p[k].gap_rate};
        // between events the memory decides: no surface comes or goes inside a step
        if (memory ? memory[k].touching : p[k].gap < 0.0)
            touch(clearance, &p[k], motion, memory ? memory[k].impact_speed : 0.0,
                  has_bristle ? bristle + 3 * k : NULL, rate, &out->contact[k], out);
    }
}

void pkm_clearance_evaluate(const pkm_clearance* clearance, pkm_joint_type type,
                            const pkm_clearance_motion* motion, const pkm_contact_memory* memory,
                            const double* bristle, pkm_clearance_force* out)
{
    if (type == PKM_JOINT_SPHERICAL) { // the most frequent one has one place: no need to clear more
        PKM_UNSET place p;
        ball(clearance, motion, &p);
        act(clearance, &p, 1, motion, memory, bristle, out);
        return;
    }
    PKM_UNSET place p[PKM_CLEARANCE_CONTACTS];
    const int n = find_places(clearance, type, motion, p);
    act(clearance, p, n, motion, memory, bristle, out);
}

void pkm_clearance_touch(const pkm_clearance* clearance, pkm_joint_type type,
                         const pkm_clearance_motion* motion, int k, double* bristle)
{
    place p[PKM_CLEARANCE_CONTACTS];
    const pkm_friction_law* law = &clearance->friction;
    if (pkm_clearance_states(clearance, type) == 0) return;
    find_places(clearance, type, motion, p);
    const pkm_vec3 z = pkm_friction_bristle_touch(law, sliding(&p[k], motion));
    bristle[3 * k] = z.x, bristle[3 * k + 1] = z.y, bristle[3 * k + 2] = z.z;
}

/// x + c a b'
static pkm_mat3 add_dyad(pkm_mat3 x, double c, pkm_vec3 a, pkm_vec3 b)
{
    return (pkm_mat3){pkm_vec3_axpy(x.x, c * b.x, a), pkm_vec3_axpy(x.y, c * b.y, a),
                      pkm_vec3_axpy(x.z, c * b.z, a)};
}

/// x - (x n) n': what acts on the part across the unit vector `n` alone.
static pkm_mat3 times_across(pkm_mat3 x, pkm_vec3 n)
{
    return add_dyad(x, -1.0, pkm_mat3_mul(x, n), n);
}

/// Friction at the normal force F: its derivatives, and mu.
static pkm_vec3 differentiate_friction(const pkm_clearance* c, const place* p, pkm_vec3 u, double F,
                                       const double* bristle, pkm_contact_tangent* out)
{
    const pkm_vec3 n = p->normal;
    if (!bristle) {
        const pkm_mat3 T = times_across(pkm_friction_tangent(&c->friction, u), n);
        out->by_velocity = pkm_mat3_scale(-F, T);
        return pkm_vec3_scale(pkm_friction_per_speed(&c->friction, pkm_vec3_norm(u)), u);
    }
    pkm_vec3 z = {bristle[0], bristle[1], bristle[2]}, rate;
    if (p->arm == 0.0) z = across(z, n);
    const pkm_friction_law law = pkm_friction_law_under(&c->friction, F);
    const pkm_bristle_tangents d = pkm_friction_bristle_tangents(&law, z, u);
    out->by_velocity = pkm_mat3_scale(-F, times_across(d.mu_v, n));
    out->by_bristle = pkm_mat3_scale(-F, times_across(d.mu_z, n));
    out->rate_v = times_across(d.rate_v, n);
    out->rate_z = p->arm == 0.0 ? times_across(d.rate_z, n) : d.rate_z;
    return pkm_friction_bristle(&law, z, u, &rate);
}

/// f = -F (n + mu(u)) with F(d, d'), docs/theory/integrators.md, (5.5): derivatives by the velocity
/// u and the place x of the point, d = n.x, d' = n.u.
static pkm_contact_tangent tangent_at(const pkm_clearance* c, const place* p,
                                      const pkm_clearance_motion* m, double impact_speed,
                                      const double* bristle)
{
    const pkm_vec3 n = p->normal, u = across(velocity_at(m, p->at), n);
    const double F = pkm_contact_law_force(&c->law, -p->gap, -p->gap_rate, impact_speed).force;
    double by_depth, by_rate;
    pkm_contact_law_slopes(&c->law, -p->gap, -p->gap_rate, impact_speed, &by_depth, &by_rate);
    pkm_vec3 pull = n;
    pkm_contact_tangent out = {.at = p->at};
    if (c->has_friction) pull = pkm_vec3_add(n, differentiate_friction(c, p, u, F, bristle, &out));
    out.by_velocity = add_dyad(out.by_velocity, -by_rate, pull, n);
    out.by_place = add_dyad(out.by_place, -by_depth, pull, n);
    return out;
}

int pkm_clearance_tangents(const pkm_clearance* clearance, pkm_joint_type type,
                           const pkm_clearance_motion* motion, const pkm_contact_memory* memory,
                           const double* bristle, pkm_contact_tangent* out)
{
    place p[PKM_CLEARANCE_CONTACTS];
    const int n = find_places(clearance, type, motion, p);
    const bool has_bristle = bristle && pkm_clearance_states(clearance, type) > 0;
    int n_touching = 0;
    for (int k = 0; k < n; ++k) {
        if (!memory[k].touching) continue;
        out[n_touching] = tangent_at(clearance, &p[k], motion, memory[k].impact_speed,
                                     has_bristle ? bristle + 3 * k : NULL);
        out[n_touching++].contact = k;
    }
    return n_touching;
}

// ---- admissible places ------------------------------------------------------------------------

/// Put the point (x, y) into the circle of radius r; returns how far it moved.
static double into_circle(double r, pkm_vec3* q)
{
    const double d = sqrt(q->x * q->x + q->y * q->y);
    if (d <= r) return 0.0;
    q->x *= r / d;
    q->y *= r / d;
    return d - r;
}

/// Turn R so that its z axis becomes the unit vector `axis`, the shortest way.
static pkm_mat3 turn_axis(pkm_mat3 R, pkm_vec3 axis)
{
    const pkm_vec3 normal = pkm_vec3_cross(R.z, axis);
    const double sine = pkm_vec3_norm(normal);
    if (!(sine > 0.0)) return R;
    const double angle = atan2(sine, pkm_vec3_dot(R.z, axis));
    const pkm_quat q = pkm_quat_from_axis(pkm_vec3_scale(1.0 / sine, normal), angle);
    return pkm_mat3_matmul(pkm_mat3_from_quat(q), R);
}

/// Both ends of the journal into their circles; stops hold it along z.
static double admit_journal(const pkm_clearance* c, pkm_joint_type type, pkm_clearance_motion* m)
{
    const double half = 0.5 * c->length, cosine = m->R.z.z;
    if (cosine < LEAST_COSINE) return 0.0; // no journal of this bearing
    pkm_vec3 end[2];
    double moved = 0.0;
    for (int k = 0; k < 2; ++k) {
        const double z = k ? half : -half;
        // q = p + s b.z, s = (+-L/2 - p.z)/b.z.z (2.2)
        end[k] = pkm_vec3_axpy(m->p, (z - m->p.z) / cosine, m->R.z);
        moved = fmax(moved, into_circle(c->radial, &end[k]));
    }
    double z = m->p.z;
    if (type == PKM_JOINT_REVOLUTE) z = fmax(-c->axial, fmin(c->axial, z));
    moved = fmax(moved, fabs(z - m->p.z));
    if (moved == 0.0) return 0.0;
    const pkm_vec3 axis = pkm_vec3_unit(pkm_vec3_sub(end[1], end[0]));
    m->R = turn_axis(m->R, axis);
    m->p = pkm_vec3_axpy(end[0], (z + half) / axis.z, axis);
    return moved;
}

/// Offset and turn of the slider shrink together until every corner is inside.
static double admit_slider(const pkm_clearance* c, pkm_clearance_motion* m)
{
    pkm_contact_point point[PKM_CLEARANCE_CONTACTS];
    const pkm_vec3 turn = pkm_quat_to_rotvec(pkm_quat_from_mat3(m->R));
    const pkm_vec3 p = m->p;
    double moved = 0.0, low = 0.0, high = 1.0;
    pkm_clearance_gaps(c, PKM_JOINT_PRISMATIC, m, point);
    for (int k = 0; k < PKM_CLEARANCE_CONTACTS; ++k)
        moved = fmax(moved, -point[k].gap);
    if (moved == 0.0) return 0.0;
    for (int i = 0; i < 60; ++i) {
        const double part = i < 59 ? 0.5 * (low + high) : low;
        m->p.x = part * p.x, m->p.y = part * p.y;
        m->R = pkm_mat3_from_quat(pkm_quat_from_rotvec(pkm_vec3_scale(part, turn)));
        pkm_clearance_gaps(c, PKM_JOINT_PRISMATIC, m, point);
        bool inside = true;
        for (int k = 0; k < PKM_CLEARANCE_CONTACTS; ++k)
            inside = inside && point[k].gap >= 0.0;
        *(inside ? &low : &high) = part;
    }
    return moved;
}

double pkm_clearance_admit(const pkm_clearance* clearance, pkm_joint_type type,
                           pkm_clearance_motion* motion)
{
    switch (type) {
    case PKM_JOINT_SPHERICAL: {
        const double offset = pkm_vec3_norm(motion->p);
        if (offset <= clearance->radial) return 0.0;
        motion->p = pkm_vec3_scale(clearance->radial / offset, motion->p);
        return offset - clearance->radial;
    }
    case PKM_JOINT_REVOLUTE:
    case PKM_JOINT_CYLINDRICAL:
        return admit_journal(clearance, type, motion);
    case PKM_JOINT_PRISMATIC:
        return admit_slider(clearance, motion);
    default:
        return 0.0;
    }
}

// ---- element ----------------------------------------------------------------------------------

static int states(const void* data, pkm_joint_type type)
{
    return pkm_clearance_states(data, type);
}

static void wrench(const void* data, const pkm_element_motion* m, const double* z, void* out)
{
    pkm_clearance_evaluate(data, m->type, m->pair, m->memory, z, out);
}

const pkm_element_type pkm_element_contact = {
    .word = "clearance", .place = PKM_IN_BEARING, .states = states, .wrench = wrench};
