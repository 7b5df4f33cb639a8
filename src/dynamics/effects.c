#include "dynamics/effects.h"

#include "mechanism/joint.h"

#include <string.h>

// ---- elements ---------------------------------------------------------------------------------

static pkm_marker_motion marker_motion(const pkm_state* state, int marker)
{
    return (pkm_marker_motion){.pose = pkm_state_marker_pose(state, marker),
                               .twist = state->body[state->mech->marker[marker].body].V};
}

static void put(pkm_wrench* load, int body_a, int body_b, pkm_wrench on_b)
{
    load[body_b] = pkm_wrench_add(load[body_b], on_b);
    load[body_a] = pkm_wrench_axpy(load[body_a], -1.0, on_b);
}

/// Origin of frame b and the axis a.z of a joint, in the world.
static void joint_line(const pkm_state* state, const pkm_joint* joint, pkm_vec3* at, pkm_vec3* axis)
{
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
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
    if (pkm_joint_is_length(joint->type, 0)) {
        const pkm_vec3 from = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, joint->frame_a.p));
        *q = pkm_vec3_dot(axis, pkm_vec3_sub(at, from));
        *v = pkm_vec3_dot(axis, pkm_vec3_sub(pkm_twist_at(b->V, at), pkm_twist_at(a->V, at)));
        return;
    }
    *v = pkm_vec3_dot(axis, pkm_vec3_sub(b->V.ang, a->V.ang));
    *q = joint_angle(state, joint);
    if (joint->tree_body == PKM_NONE) return;
    const pkm_body* body = &state->mech->body[joint->tree_body];
    *q = body->reversed ? -state->q[body->q_at] : state->q[body->q_at];
}

static pkm_pair_force joint_spring(const pkm_element* e, const pkm_state* state)
{
    const pkm_joint* joint = &state->mech->joint[e->joint];
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    pkm_vec3 at, axis;
    double q, v;
    pkm_joint_coordinate(state, e->joint, &q, &v);
    joint_line(state, joint, &at, &axis);
    const pkm_coordinate_force f = pkm_coordinate_spring_at(&e->joint_spring, q, v);
    const pkm_vec3 along = pkm_vec3_scale(f.force, axis);
    const bool slides = pkm_joint_is_length(joint->type, 0);
    return (pkm_pair_force){.on_b = pkm_wrench_at(at, slides ? along : none, slides ? none : along),
                            .energy = f.energy,
                            .dissipated = f.dissipated};
}

static pkm_pair_force pair_force(const pkm_element* e, const pkm_state* state)
{
    if (e->kind == PKM_ELEMENT_JOINT_SPRING) return joint_spring(e, state);
    const pkm_marker_motion a = marker_motion(state, e->marker_a);
    const pkm_marker_motion b = marker_motion(state, e->marker_b);
    return e->kind == PKM_ELEMENT_SPRING ? pkm_spring_at(&e->spring, &a, &b)
                                         : pkm_bushing_at(&e->bushing, &a, &b);
}

void pkm_effects_apply(const pkm_effects* effects, double t, const pkm_state* state,
                       pkm_wrench* load, double* stored, double* dissipated, double* fed)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = 0; effects && i < effects->n_element; ++i) {
        const pkm_element* e = &effects->element[i];
        if (e->kind == PKM_ELEMENT_LOAD) {
            const int body = mech->marker[e->marker_b].body;
            const pkm_wrench f =
                pkm_load_at(&e->load, t, pkm_state_marker_pose(state, e->marker_b));
            load[body] = pkm_wrench_add(load[body], f);
            *fed += pkm_twist_dot(state->body[body].V, f);
            continue;
        }
        const bool on_joint = e->kind == PKM_ELEMENT_JOINT_SPRING;
        const int a = on_joint ? mech->joint[e->joint].body_a : mech->marker[e->marker_a].body;
        const int b = on_joint ? mech->joint[e->joint].body_b : mech->marker[e->marker_b].body;
        const pkm_pair_force f = pair_force(e, state);
        put(load, a, b, f.on_b);
        *stored += f.energy;
        *dissipated += f.dissipated;
    }
}

// ---- payloads ---------------------------------------------------------------------------------

void pkm_effects_masses(const pkm_effects* effects, double t, const pkm_state* state, pkm_mass* out)
{
    memcpy(out, state->own, (size_t)state->mech->n_body * sizeof *out);
    for (int i = 0; effects && i < effects->n_carried; ++i) {
        const pkm_carried* c = &effects->carried[i];
        const pkm_marker* marker = &state->mech->marker[c->marker];
        const pkm_mass load = pkm_payload_at(&c->payload, 1, t);
        if (!(load.mass > 0.0)) continue;
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
    for (int i = 0; i < effects->n_element; ++i)
        if (effects->element[i].kind == PKM_ELEMENT_LOAD)
            next = fmin(next, pkm_load_next_break(&effects->element[i].load, t));
    for (int i = 0; i < effects->n_carried; ++i)
        next = fmin(next, pkm_payload_next_break(&effects->carried[i].payload, 1, t));
    return next;
}

double pkm_effects_left(const pkm_effects* effects, double t)
{
    const double before = nextafter(t, -HUGE_VAL);
    return t > 0.0 && pkm_effects_next_break(effects, before) <= t ? before : t;
}
