// Contacts of a plant: bearings with clearance and their crosses as states beside the robot's,
// their forces as loads on bodies. docs/theory/contact.md, section 4.
#include "base/error.h"
#include "base/memory.h"
#include "base/unset.h"
#include "dynamics/kinematics.h"
#include "dynamics/plant_impl.h"
#include "math/tensor.h"

#include <string.h>

// ---- frames -----------------------------------------------------------------------------------

/// A frame of a pair in the world: origin, velocity of its origin, angular velocity, axes: those of
/// its body, or turned ones.
typedef struct frame {
    pkm_vec3 p, v, w;
    const pkm_mat3* R;
    pkm_mat3 turned;
} frame;

static void find_frame(const pkm_plant* plant, const pkm_contact_side* side, frame* out)
{
    // a cross is no body of the mechanism: its pose is among the states
    if (side->cross != PKM_NONE) {
        const pkm_cross* c = &plant->cross[side->cross];
        out->p = c->p;
        out->v = c->v;
        out->w = c->w;
        out->turned = pkm_mat3_matmul(c->R, side->axes);
        out->R = &out->turned;
        return;
    }
    const pkm_body_state* b = &plant->state->body[side->body];
    out->p = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, side->p));
    out->v = pkm_twist_at(b->V, out->p);
    out->w = b->V.ang;
    out->R = &b->R;
    // most joints have the axes of their body: no product
    if (side->is_aligned) return;
    out->turned = pkm_mat3_matmul(b->R, side->axes);
    out->R = &out->turned;
}

/// b against a in the axes of a; the rate of p is that seen from a. A ball has no axes.
static void relate(const frame* a, const frame* b, bool has_axes, pkm_clearance_motion* out)
{
    const pkm_mat3 R = *a->R;
    const pkm_vec3 p = pkm_vec3_sub(b->p, a->p);
    // seen from a, which turns
    const pkm_vec3 v = pkm_vec3_sub(pkm_vec3_sub(b->v, a->v), pkm_vec3_cross(a->w, p));
    out->p = pkm_mat3_tmul(R, p);
    out->v = pkm_mat3_tmul(R, v);
    out->w = pkm_mat3_tmul(R, pkm_vec3_sub(b->w, a->w));
    // a ball in its socket looks the same from all sides
    if (!has_axes) return;
    out->R.x = pkm_mat3_tmul(R, b->R->x);
    out->R.y = pkm_mat3_tmul(R, b->R->y);
    out->R.z = pkm_mat3_tmul(R, b->R->z);
}

// ---- creation ---------------------------------------------------------------------------------

static bool is_identity(pkm_mat3 m)
{
    const pkm_mat3 one = pkm_mat3_identity();
    // exactly: nearly parallel axes are turned
    return memcmp(&m, &one, sizeof m) == 0;
}

static pkm_contact_side joint_side(const pkm_joint* joint, bool is_b)
{
    const pkm_mat3 axes = is_b ? joint->axes_b : joint->axes_a;
    return (pkm_contact_side){.body = is_b ? joint->body_b : joint->body_a,
                              .cross = PKM_NONE,
                              .p = is_b ? joint->frame_b.p : joint->frame_a.p,
                              .axes = axes,
                              .is_aligned = is_identity(axes)};
}

static void add_pair(pkm_plant* p, const pkm_joint_clearance* clearance, pkm_joint_type type,
                     int pin, pkm_contact_side a, pkm_contact_side b)
{
    pkm_contact_pair* pair = &p->pair[p->n_pair];
    *pair = (pkm_contact_pair){
        .joint = clearance->joint,
        .pin = pin,
        .type = type,
        .clearance = clearance->clearance,
        .motion = {.R = pkm_mat3_identity()},
        .contact_at = p->n_contact,
        .z_at = p->n_z,
        .n_z = pkm_element_states(&pkm_element_contact, &clearance->clearance, type)};
    p->side[p->n_pair][0] = a;
    p->side[p->n_pair][1] = b;
    ++p->n_pair;
    p->n_contact += pkm_clearance_contacts(type);
    p->n_z += pair->n_z;
}

/// Two pins of half the mass each, as long as their bearings: moments of inertia about the first
/// (z), the second (x) and across both.
static void set_cross_inertia(pkm_cross* c, const pkm_clearance* clearance)
{
    const double m = 0.5 * clearance->cross_mass, R = clearance->radius, L = clearance->length;
    const double along = 0.5 * m * R * R, across = m * (L * L / 12.0 + 0.25 * R * R);
    c->mass = clearance->cross_mass;
    c->inertia[0] = along + across; // x: along the second pin, across the first
    c->inertia[1] = 2.0 * across;
    c->inertia[2] = along + across;
}

/// A cross where both axes meet, which turns with a about the second and with b about the first
/// axis: its angular velocity is that of a plus the turn about a.z.
static void add_cross(pkm_plant* p, const pkm_joint_clearance* clearance)
{
    const pkm_joint* joint = &p->state->mech->joint[clearance->joint];
    const pkm_contact_side a = joint_side(joint, false), b = joint_side(joint, true);
    frame fa, fb;
    find_frame(p, &a, &fa);
    find_frame(p, &b, &fb);
    pkm_cross* c = &p->cross[p->n_cross];
    const pkm_vec3 z = fa.R->z,
                   x = pkm_vec3_unit(pkm_vec3_axpy(fb.R->z, -pkm_vec3_dot(fb.R->z, z), z));
    const pkm_mat3 R = {x, pkm_vec3_cross(z, x), z};
    const double turn = pkm_vec3_dot(pkm_vec3_sub(fb.w, fa.w), z);
    *c = (pkm_cross){.start = {fa.p, pkm_quat_from_mat3(R)},
                     .v_start = fa.v,
                     .w_start = pkm_vec3_axpy(fa.w, turn, z)};
    set_cross_inertia(c, &clearance->clearance);
    const pkm_mat3 first = pkm_mat3_identity();
    // z of the second pin is x of the cross
    const pkm_mat3 second = {first.y, first.z, first.x};
    const pkm_contact_side pin1 = {.body = PKM_NONE, .cross = p->n_cross, .axes = first};
    const pkm_contact_side pin2 = {.body = PKM_NONE, .cross = p->n_cross, .axes = second};
    ++p->n_cross;
    // side a turns on the first pin, side b on the second; side b of both pairs is the cross
    add_pair(p, clearance, PKM_JOINT_REVOLUTE, 0, a, pin1);
    add_pair(p, clearance, PKM_JOINT_REVOLUTE, 1, b, pin2);
}

static pkm_status check_clearance(const pkm_plant* p, const pkm_joint_clearance* clearance,
                                  pkm_error* err)
{
    const pkm_joint* joint = &p->state->mech->joint[clearance->joint];
    if (joint->released && pkm_clearance_has(joint->type)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "clearance in %s: the joint cannot be released",
                    joint->name);
}

pkm_status pkm_plant_add_clearances(pkm_plant* p, const pkm_plant_spec* spec, pkm_error* err)
{
    const size_t n = (size_t)spec->n_clearance;
    p->pair = pkm_alloc(2 * n, sizeof *p->pair);
    p->side = pkm_alloc(2 * n, sizeof *p->side);
    p->cross = pkm_alloc(n, sizeof *p->cross);
    if (!p->pair || !p->side || !p->cross) return PKM_ERR_MEMORY;
    if (n > 0) {
        pkm_kinematics_position(p->state);
        pkm_kinematics_velocity(p->state);
    }
    for (int k = 0; k < spec->n_clearance; ++k) {
        const pkm_joint_clearance* clearance = &spec->clearance[k];
        const pkm_joint* joint = &p->state->mech->joint[clearance->joint];
        PKM_TRY(check_clearance(p, clearance, err));
        if (joint->type == PKM_JOINT_UNIVERSAL)
            add_cross(p, clearance);
        else
            add_pair(p, clearance, joint->type, 0, joint_side(joint, false),
                     joint_side(joint, true));
    }
    // behind all bristles: pairs are counted by then
    for (int c = 0; c < p->n_cross; ++c, p->n_z += PKM_CROSS_STATES)
        p->cross[c].z_at = p->n_z;
    p->memory = pkm_alloc((size_t)p->n_contact, sizeof *p->memory);
    return p->memory ? PKM_OK : PKM_ERR_MEMORY;
}

// ---- crosses ----------------------------------------------------------------------------------

static void put_vec3(double* z, pkm_vec3 x)
{
    z[0] = x.x, z[1] = x.y, z[2] = x.z;
}

void pkm_plant_start_states(const pkm_plant* p, double* z)
{
    for (int k = 0; k < p->n_cross; ++k) {
        const pkm_cross* c = &p->cross[k];
        double* to = z + c->z_at;
        PKM_ASSERT(p->n_z >= c->z_at + PKM_CROSS_STATES);
        put_vec3(to, c->start.p);
        to[3] = c->start.q.w, to[4] = c->start.q.x, to[5] = c->start.q.y, to[6] = c->start.q.z;
        put_vec3(to + 7, c->v_start);
        put_vec3(to + 10, c->w_start);
    }
}

static void read_crosses(pkm_plant* p, const double* z)
{
    for (int k = 0; k < p->n_cross; ++k) {
        pkm_cross* c = &p->cross[k];
        const double* from = z + c->z_at;
        // its length drifts between steps, by the tolerance
        const pkm_quat q = pkm_quat_unit((pkm_quat){from[3], from[4], from[5], from[6]});
        c->p = pkm_vec3_at(from);
        c->R = pkm_mat3_from_quat(q);
        c->v = pkm_vec3_at(from + 7);
        c->w = pkm_vec3_at(from + 10);
        c->force = c->moment = (pkm_vec3){0.0, 0.0, 0.0};
    }
}

/// I_w x for the principal moments `J` (or their inverses).
static pkm_vec3 turn_inertia(const pkm_cross* c, const double J[3], pkm_vec3 x)
{
    const pkm_vec3 b = pkm_mat3_tmul(c->R, x);
    return pkm_mat3_mul(c->R, (pkm_vec3){J[0] * b.x, J[1] * b.y, J[2] * b.z});
}

/// Newton and Euler for each cross: rates of its states, and its energy.
static void move_crosses(const pkm_plant* p, const double* z, double* z_rate, double* stored)
{
    const pkm_vec3 g = p->state->mech->gravity;
    for (int k = 0; k < p->n_cross; ++k) {
        const pkm_cross* c = &p->cross[k];
        const double inverse[3] = {1.0 / c->inertia[0], 1.0 / c->inertia[1], 1.0 / c->inertia[2]};
        const double* from = z + c->z_at;
        double* to = z_rate + c->z_at;
        // I w' = moment - w x I w, with the inertia of the two pins turned into the world
        const pkm_vec3 h = turn_inertia(c, c->inertia, c->w);
        const pkm_vec3 left = pkm_vec3_sub(c->moment, pkm_vec3_cross(c->w, h));
        // q' = (0, w) q/2: the angular velocity of a cross is in world axes
        const pkm_quat q = {from[3], from[4], from[5], from[6]};
        const pkm_quat dq = pkm_quat_mul((pkm_quat){0.0, c->w.x, c->w.y, c->w.z}, q);
        put_vec3(to, c->v);
        to[3] = 0.5 * dq.w, to[4] = 0.5 * dq.x, to[5] = 0.5 * dq.y, to[6] = 0.5 * dq.z;
        put_vec3(to + 7, pkm_vec3_axpy(g, 1.0 / c->mass, c->force));
        put_vec3(to + 10, turn_inertia(c, inverse, left));
        // kinetic and potential energy [J]
        *stored += 0.5 * c->mass * pkm_vec3_dot(c->v, c->v) + 0.5 * pkm_vec3_dot(c->w, h) -
                   c->mass * pkm_vec3_dot(g, c->p);
    }
}

// ---- forces -----------------------------------------------------------------------------------

static void find_pair(pkm_plant* p, int k, const double* z, frame* a, frame* b)
{
    pkm_contact_pair* pair = &p->pair[k];
    find_frame(p, &p->side[k][0], a);
    find_frame(p, &p->side[k][1], b);
    // the law sees relative motion in the axes of a, and which surfaces touch
    relate(a, b, pair->type != PKM_JOINT_SPHERICAL, &pair->motion);
    PKM_UNSET pkm_element_motion seen; // what bearings do not read stays unset
    seen.type = pair->type;
    seen.pair = &pair->motion;
    seen.memory = p->memory + pair->contact_at;
    pkm_element_contact.wrench(&pair->clearance, &seen, pair->n_z > 0 ? z + pair->z_at : NULL,
                               &pair->force);
}

/// Put a force at `at` and a moment on a cross.
static void put_on_cross(pkm_cross* c, pkm_vec3 at, pkm_vec3 force, pkm_vec3 moment)
{
    const pkm_vec3 arm = pkm_vec3_sub(at, c->p);
    c->force = pkm_vec3_add(c->force, force);
    c->moment = pkm_vec3_add(c->moment, pkm_vec3_add(moment, pkm_vec3_cross(arm, force)));
}

/// The force of a pair on b and its opposite on a, both at the origin of b, so that the pair
/// balances without a couple.
static void put_on(pkm_plant* p, int k, const frame* a, const frame* b)
{
    static const double SIGN[2] = {-1.0, 1.0};
    const pkm_clearance_force* f = &p->pair[k].force;
    const pkm_vec3 force = pkm_mat3_mul(*a->R, f->force), moment = pkm_mat3_mul(*a->R, f->moment);
    // moments about the world's origin, as all loads
    const pkm_wrench w = pkm_wrench_at(b->p, force, moment);
    for (int i = 0; i < 2; ++i) {
        const pkm_contact_side* side = &p->side[k][i];
        if (side->cross == PKM_NONE)
            p->load[side->body] = pkm_wrench_axpy(p->load[side->body], SIGN[i], w);
        else
            put_on_cross(&p->cross[side->cross], b->p, pkm_vec3_scale(SIGN[i], force),
                         pkm_vec3_scale(SIGN[i], moment));
    }
}

static bool touches(const pkm_plant* p, const pkm_contact_pair* pair)
{
    // fixed within a step: surfaces that overlap in flight do not push (section 4)
    const pkm_contact_memory* memory = p->memory + pair->contact_at;
    for (int i = 0; i < pair->force.n_contact; ++i)
        if (memory[i].touching) return true;
    return false;
}

void pkm_plant_apply_contacts(pkm_plant* p, const double* z, double* z_rate,
                              pkm_ledger_rates* ledger)
{
    PKM_UNSET frame a, b;
    read_crosses(p, z);
    for (int k = 0; k < p->n_pair; ++k) {
        const pkm_contact_pair* pair = &p->pair[k];
        const pkm_clearance_force* f = &pair->force;
        find_pair(p, k, z, &a, &b);
        // rates of bristles are asked for in flight too
        memcpy(z_rate + pair->z_at, f->bristle_rate, (size_t)pair->n_z * sizeof(double));
        if (!touches(p, pair)) continue;
        put_on(p, k, &a, &b);
        ledger->stored += f->stored;
        ledger->contact += f->lost_contact;
        ledger->friction += f->lost_friction;
    }
    move_crosses(p, z, z_rate, &ledger->stored);
}

void pkm_plant_pair_axes(const pkm_plant* p, int k, pkm_mat3* axes_a, pkm_vec3* origin_b)
{
    frame a, b;
    find_frame(p, &p->side[k][0], &a);
    find_frame(p, &p->side[k][1], &b);
    *axes_a = *a.R;
    *origin_b = b.p;
}

void pkm_plant_find_contacts(pkm_plant* p, const double* z)
{
    // where p->pair tells gaps and rates: no factors, no forces of others
    frame a, b;
    pkm_kinematics_poses(p->state);
    // gaps and their rates need no accelerations
    pkm_kinematics_twists(p->state);
    read_crosses(p, z);
    for (int k = 0; k < p->n_pair; ++k)
        find_pair(p, k, z, &a, &b);
    p->sees_contacts = true;
}

void pkm_plant_find_contact(pkm_plant* p, int k, const double* z)
{
    frame a, b;
    for (int side = 0; side < 2; ++side)
        if (p->side[k][side].body != PKM_NONE)
            pkm_kinematics_reach(p->state, p->side[k][side].body);
    read_crosses(p, z);
    find_pair(p, k, z, &a, &b);
    p->sees_contacts = false;
}

bool pkm_plant_sees_contacts(const pkm_plant* plant)
{
    return plant->sees_contacts;
}

/// Accelerations of a frame: of its origin, and angular.
static void accelerate(const pkm_plant* p, const pkm_contact_side* side, const double* z_rate,
                       pkm_vec3* way, pkm_vec3* turn)
{
    if (side->cross != PKM_NONE) {
        // places of v and w among the states of a cross, 7 and 10
        const double* rate = z_rate + p->cross[side->cross].z_at;
        *way = pkm_vec3_at(rate + 7);
        *turn = pkm_vec3_at(rate + 10);
        return;
    }
    const pkm_body_state* b = &p->state->body[side->body];
    const pkm_vec3 at = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, side->p));
    *way = pkm_twist_acceleration(b->V, b->A, at);
    *turn = b->A.ang;
}

pkm_clearance_motion pkm_plant_pair_acceleration(const pkm_plant* p, int k, const double* z_rate)
{
    frame a;
    find_frame(p, &p->side[k][0], &a);
    const pkm_mat3 R = *a.R;
    pkm_vec3 way[2], turn[2];
    for (int side = 0; side < 2; ++side)
        accelerate(p, &p->side[k][side], z_rate, &way[side], &turn[side]);
    pkm_clearance_motion out = p->pair[k].motion;
    const pkm_vec3 arm = pkm_mat3_mul(R, out.p), v = pkm_mat3_mul(R, out.v);
    const pkm_vec3 w = pkm_mat3_mul(R, out.w);
    // seen from a, which turns: v_b' - v_a' - w_a' x p - w_a x (w_a x p) - 2 w_a x v
    const pkm_vec3 swing = pkm_vec3_axpy(pkm_vec3_cross(a.w, arm), 2.0, v);
    const pkm_vec3 of_a = pkm_vec3_add(pkm_vec3_cross(turn[0], arm), pkm_vec3_cross(a.w, swing));
    const pkm_vec3 by_way = pkm_vec3_sub(pkm_vec3_sub(way[1], way[0]), of_a);
    const pkm_vec3 by_turn = pkm_vec3_sub(turn[1], turn[0]);
    out.v = pkm_mat3_tmul(R, by_way);
    // axes of a turn: components of w change by -w_a x w as well
    out.w = pkm_mat3_tmul(R, pkm_vec3_sub(by_turn, pkm_vec3_cross(a.w, w)));
    return out;
}

int pkm_plant_n_pair(const pkm_plant* plant)
{
    return plant->n_pair;
}

const pkm_contact_pair* pkm_plant_pair(const pkm_plant* plant, int k)
{
    return &plant->pair[k];
}

int pkm_plant_n_contact(const pkm_plant* plant)
{
    return plant->n_contact;
}

pkm_contact_memory* pkm_plant_memory(pkm_plant* plant)
{
    return plant->memory;
}
