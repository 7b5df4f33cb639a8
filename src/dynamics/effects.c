// What acts on bodies beside joints: elements, payloads, and the times at which they break.
// docs/theory/forces.md, sections 3 and 4.
#include "dynamics/effects.h"

#include "mechanism/joint.h"

#include <string.h>

// ---- elements ---------------------------------------------------------------------------------

static pkm_marker_motion marker_motion(const pkm_state* state, int marker)
{
    return (pkm_marker_motion){.pose = pkm_state_marker_pose(state, marker),
                               .twist = state->body[state->mech->marker[marker].body].V};
}

/// Action on b, reaction on a.
static void put(pkm_wrench* load, int body_a, int body_b, pkm_wrench on_b)
{
    load[body_b] = pkm_wrench_add(load[body_b], on_b);
    load[body_a] = pkm_wrench_axpy(load[body_a], -1.0, on_b);
}

/// Origin of frame b and the axis a.z of a joint, in the world.
static void joint_line(const pkm_state* state, const pkm_joint* joint, pkm_vec3* at, pkm_vec3* axis)
{
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    // a.z through the origin of b, which a slide carries along
    *at = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    *axis = pkm_mat3_mul(a->R, joint->axes_a.z);
}

/// Angle from a.x to b.x about a.z.
static double joint_angle(const pkm_state* state, const pkm_joint* joint)
{
    const pkm_mat3 Ra = state->body[joint->body_a].R, Rb = state->body[joint->body_b].R;
    const pkm_vec3 x = pkm_mat3_mul(Ra, joint->axes_a.x), y = pkm_mat3_mul(Ra, joint->axes_a.y);
    const pkm_vec3 bx = pkm_mat3_mul(Rb, joint->axes_b.x);
    return atan2(pkm_vec3_dot(bx, y), pkm_vec3_dot(bx, x));
}

void pkm_joint_coordinate(const pkm_state* state, int j, double* q, double* v)
{
    const pkm_joint* joint = &state->mech->joint[j];
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    pkm_vec3 at, axis;
    joint_line(state, joint, &at, &axis);
    // shift of b's origin along a.z and its rate, seen at the same point of both bodies
    if (pkm_joint_is_length(joint->type, 0)) {
        const pkm_vec3 from = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, joint->frame_a.p));
        *q = pkm_vec3_dot(axis, pkm_vec3_sub(at, from));
        *v = pkm_vec3_dot(axis, pkm_vec3_sub(pkm_twist_at(b->V, at), pkm_twist_at(a->V, at)));
        return;
    }
    *v = pkm_vec3_dot(axis, pkm_vec3_sub(b->V.ang, a->V.ang));
    // between -pi and pi, from the poses
    *q = joint_angle(state, joint);
    // joints of the tree count whole turns, which atan2 does not
    if (joint->tree_body == PKM_NONE) return;
    const pkm_body* body = &state->mech->body[joint->tree_body];
    const int angle = body->q_at + (joint->released ? PKM_LOOSE_ANGLE : 0);
    *q = body->reversed ? -state->q[angle] : state->q[angle];
}

pkm_element_motion pkm_effects_motion(const pkm_element* e, double t, const pkm_state* state)
{
    pkm_element_motion m;
    m.t = t;
    // a coordinate has no markers: its force acts along or about the joint's line
    if (e->type->place == PKM_ON_COORDINATE) {
        const pkm_joint* joint = &state->mech->joint[e->joint];
        m.type = joint->type;
        pkm_joint_coordinate(state, e->joint, &m.q, &m.v);
        joint_line(state, joint, &m.at, &m.axis);
        return m;
    }
    if (e->type->place == PKM_BETWEEN_MARKERS) m.a = marker_motion(state, e->marker_a);
    m.b = marker_motion(state, e->marker_b);
    return m;
}

void pkm_effects_apply(const pkm_effects* effects, double t, const pkm_state* state,
                       pkm_wrench* load, double* stored, double* dissipated, double* fed)
{
    pkm_effects_apply_part(effects, t, state, 1.0, load, stored, dissipated, fed);
}

void pkm_effects_apply_part(const pkm_effects* effects, double t, const pkm_state* state,
                            double part, pkm_wrench* load, double* stored, double* dissipated,
                            double* fed)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = 0; effects && i < effects->n_element; ++i) {
        const pkm_element* e = &effects->element[i];
        const pkm_element_motion motion = pkm_effects_motion(e, t, state);
        pkm_pair_force f;
        e->type->wrench(e->data, &motion, NULL, &f);
        // a load from outside: its power [W] is fed into the robot, and `part` of it may be turned
        // on
        if (e->type->place == PKM_AT_MARKER) {
            const int body = mech->marker[e->marker_b].body;
            load[body] = pkm_wrench_axpy(load[body], part, f.on_b);
            *fed += part * pkm_twist_dot(state->body[body].V, f.on_b);
            continue;
        }
        const bool on_joint = e->type->place == PKM_ON_COORDINATE;
        const int a = on_joint ? mech->joint[e->joint].body_a : mech->marker[e->marker_a].body;
        const int b = on_joint ? mech->joint[e->joint].body_b : mech->marker[e->marker_b].body;
        // between two bodies: stored and lost inside the robot, whatever `part` is
        put(load, a, b, f.on_b);
        *stored += f.energy;
        *dissipated += f.dissipated;
    }
}

bool pkm_effects_have_contacts(const pkm_effects* effects)
{
    for (int k = 0; effects && k < effects->n_clearance; ++k)
        if (effects->clearance[k].clearance.fidelity == PKM_FIDELITY_CONTACT) return true;
    return false;
}

pkm_friction_law pkm_effects_friction_law(const pkm_effects* effects, int k)
{
    const pkm_plant_friction* friction = &effects->friction[k];
    // a joint that has clearance rubs as a contact does, with the damping that is made for it
    for (int i = 0; i < effects->n_clearance; ++i)
        if (effects->clearance[i].joint == friction->joint &&
            effects->clearance[i].clearance.fidelity == PKM_FIDELITY_CONTACT)
            return pkm_friction_law_of_contact(&friction->friction.law);
    return friction->friction.law;
}

bool pkm_effects_have_bristles(const pkm_effects* effects)
{
    for (int k = 0; effects && k < effects->n_friction; ++k) {
        const pkm_friction_law law = pkm_effects_friction_law(effects, k);
        if (pkm_friction_law_has_state(&law)) return true;
    }
    for (int k = 0; effects && k < effects->n_clearance; ++k) {
        const pkm_clearance* c = &effects->clearance[k].clearance;
        if (c->fidelity == PKM_FIDELITY_CONTACT && c->has_friction &&
            pkm_friction_law_has_state(&c->friction))
            return true;
    }
    return false;
}

// ---- payloads ---------------------------------------------------------------------------------

void pkm_effects_masses(const pkm_effects* effects, double t, const pkm_state* state, pkm_mass* out)
{
    memcpy(out, state->own, (size_t)state->mech->n_body * sizeof *out);
    for (int i = 0; effects && i < effects->n_carried; ++i) {
        const pkm_carried* c = &effects->carried[i];
        const pkm_marker* marker = &state->mech->marker[c->marker];
        const pkm_mass load = pkm_payload_at(&c->payload, 1, t);
        // mass 0: not picked up yet, or dropped
        if (!(load.mass > 0.0)) continue;
        // (3.2): mass, centre and inertia of both as one, in the axes of the body
        pkm_mass* on = &out[marker->body];
        *on = pkm_mass_add(*on, pkm_mass_move(load, marker->pose));
    }
}

void pkm_effects_carry(const pkm_effects* effects, double t, pkm_state* state)
{
    pkm_effects_masses(effects, t, state, state->mass);
}

// ---- breaks -----------------------------------------------------------------------------------

double pkm_effects_next_break(const pkm_effects* effects, double t)
{
    double next = HUGE_VAL;
    if (!effects) return next;
    for (int i = 0; i < effects->n_element; ++i) {
        const pkm_element* e = &effects->element[i];
        // elements without a list of times are smooth
        if (e->type->breaks) next = fmin(next, e->type->breaks(e->data, t));
    }
    for (int i = 0; i < effects->n_carried; ++i)
        next = fmin(next, pkm_payload_next_break(&effects->carried[i].payload, 1, t));
    return next;
}

/// Just before t where something jumps at t itself: the value from the left.
double pkm_effects_left(const pkm_effects* effects, double t)
{
    if (!effects) return t;
    // the next number below t; a break after it that is not beyond t is at t
    const double before = nextafter(t, -HUGE_VAL);
    return t > 0.0 && pkm_effects_next_break(effects, before) <= t ? before : t;
}
