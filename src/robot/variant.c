// A machine: the mechanism of a run's variant with its state, put where the robot stands.
#include "robot/variant.h"
#include "math/lapack.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/idle.h"
#include "dynamics/kinematics.h"
#include "model/shape_mass.h"

#include <string.h>

// ---- inertia of slender rods ------------------------------------------------------------------

/// Moment of inertia of a round shape along the unit direction `e` [kg m2]: m r^2 / 2. 0: none.
static double round_spin(const pkm_desc_body* body, pkm_vec3 e)
{
    for (int s = 0; s < body->n_shape; ++s) {
        const pkm_desc_shape* shape = &body->shape[s];
        if (shape->kind != PKM_SHAPE_ROD && shape->kind != PKM_SHAPE_TUBE &&
            shape->kind != PKM_SHAPE_CYLINDER)
            continue;
        const pkm_vec3 line = pkm_vec3_unit(pkm_vec3_sub(shape->to, shape->from));
        // within 2.6 deg of the line
        if (fabs(pkm_vec3_dot(line, e)) < 0.999) continue;
        const double inner = shape->kind == PKM_SHAPE_TUBE ? shape->inner_radius : 0.0;
        return 0.5 * body->mass * (shape->radius * shape->radius + inner * inner);
    }
    return 0.0;
}

/// The same of the round shape, else of all shapes scaled to the body's mass: e' I e.
static double shape_spin(const pkm_desc_body* body, pkm_vec3 e)
{
    const double spin = round_spin(body, e);
    const pkm_mass all = pkm_mass_scale(pkm_shapes_mass(body), body->mass);
    const double* const J = all.inertia;
    if (spin > 0.0) return spin;
    return J[0] * e.x * e.x + J[1] * e.y * e.y + J[2] * e.z * e.z +
           2.0 * (J[3] * e.x * e.y + J[4] * e.x * e.z + J[5] * e.y * e.z);
}

/// I += J e e'.
static void add_spin(pkm_mass* mass, pkm_vec3 e, double J)
{
    mass->inertia[0] += J * e.x * e.x;
    mass->inertia[1] += J * e.y * e.y;
    mass->inertia[2] += J * e.z * e.z;
    mass->inertia[3] += J * e.x * e.y;
    mass->inertia[4] += J * e.x * e.z;
    mass->inertia[5] += J * e.y * e.z;
}

/// Is a body with mass welded to body i?
static bool carries_mass(const pkm_state* state, int i)
{
    for (int k = i + 1; k < state->mech->n_body; ++k)
        if (state->mech->body[k].parent == i && state->mech->body[k].n_v == 0 &&
            (state->own[k].mass > 0.0 || carries_mass(state, k)))
            return true;
    return false;
}

/// Rods are often given as lines without inertia about themselves. Where no joint holds their spin
/// any more they need one: that of their shape, or of what is welded to them.
static pkm_status complete_inertia(const pkm_description* desc, pkm_state* state, int i,
                                   pkm_error* err)
{
    static const double NOTHING = 1e-9; // of the largest moment of inertia
    const pkm_body* body = &state->mech->body[i];
    pkm_mass* mass = &state->own[i];
    const double* const J = mass->inertia;
    // eigenvalues rise: the first is that about the body's own line
    double A[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]}, value[3], work[32];
    if (pkm_dsyev_with('V', 'U', 3, A, 3, value, work, 32) != 0)
        return pkm_fail(err, PKM_ERR_CONVERGENCE, "body %s: inertia tensor", body->name);
    if (body->mass > 0.0 && value[0] > NOTHING * value[2]) return PKM_OK;
    const pkm_vec3 e = {A[0], A[1], A[2]};
    const double spin = shape_spin(&desc->body[body->desc], e);
    const bool has_spin = spin > 0.0 && value[1] > 0.0;
    if (!has_spin && carries_mass(state, i)) return PKM_OK;
    if (!has_spin)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "body %s: clearance in its joints sets it free, but it has no %s, expected "
                        "mass and inertia, or a shape%s",
                        body->name, body->mass > 0.0 ? "inertia about its line" : "mass",
                        body->mass > 0.0 ? "" : " with a density or material");
    add_spin(mass, e, spin - value[0]);
    return PKM_OK;
}

/// A spin that is locked needs an inertia for the blocks of forward dynamics; since it does not
/// change, its size does not matter.
static void complete_locked_spins(pkm_state* state, const pkm_structure* structure)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = 0; i < structure->n_held; ++i) {
        const int r = structure->lock[i];
        pkm_mass* mass = &state->own[mech->row[r].item];
        const double* J = mass->inertia;
        add_spin(mass, mech->spin_line[mech->row[r].component].along,
                 1e-3 * fmax(J[0], fmax(J[1], J[2])));
    }
}

static bool has_clearance(const pkm_mechanism* mech, int body)
{
    for (int j = 0; j < mech->n_joint; ++j)
        if (mech->joint[j].released &&
            (mech->joint[j].body_a == body || mech->joint[j].body_b == body))
            return true;
    return false;
}

// ---- creation ---------------------------------------------------------------------------------

/// Idle freedoms that stay held: the spins of symmetric rods between balls without clearance.
static pkm_status list_locks(pkm_machine* made, const pkm_robot* robot)
{
    pkm_structure* s = &made->structure;
    s->lock = pkm_alloc((size_t)made->mech->n_spin, sizeof(int));
    if (!s->lock) return PKM_ERR_MEMORY;
    s->n_lock = pkm_idle_list(made->mech, robot->mech, s->lock);
    s->n_idle = s->n_harmless = s->n_held = s->n_lock;
    return PKM_OK;
}

static pkm_status build(pkm_machine* out, const pkm_robot* robot, const pkm_variant* variant,
                        pkm_error* err)
{
    PKM_TRY(pkm_mechanism_compile_variant(out->desc, variant, &out->mech, err));
    out->state = pkm_state_create(out->mech);
    if (!out->state) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int i = 1; i < out->mech->n_body; ++i) {
        const pkm_body* body = &out->mech->body[i];
        const bool turns = body->n_v > 1; // on a hinge or slide its spin is not free
        if (body->modal || body->frame != PKM_NONE || !turns || !has_clearance(out->mech, i))
            continue;
        PKM_TRY(complete_inertia(out->desc, out->state, i, err));
    }
    if (list_locks(out, robot) != PKM_OK) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    complete_locked_spins(out->state, &out->structure);
    pkm_state_unload(out->state);
    out->structure.moves = robot->structure.moves;
    out->structure.tool_turns = robot->structure.tool_turns;
    return pkm_robot_variant_start(out, robot, err);
}

pkm_status pkm_robot_variant(const pkm_robot* robot, const pkm_variant* variant, pkm_machine** out,
                             pkm_error* err)
{
    *out = NULL;
    pkm_machine* made = pkm_alloc(1, sizeof *made);
    if (!made) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    made->desc = variant->desc ? variant->desc : robot->desc;
    ++made->desc->n_share; // one made for a variant belongs to that
    const pkm_status status = build(made, robot, variant, err);
    if (status != PKM_OK) {
        pkm_robot_variant_free(made);
        return status;
    }
    *out = made;
    return PKM_OK;
}

void pkm_robot_variant_free(pkm_machine* variant)
{
    if (!variant) return;
    pkm_structure_free(&variant->structure);
    pkm_state_free(variant->state);
    pkm_mechanism_free(variant->mech);
    pkm_description_free(variant->desc);
    pkm_free(variant);
}

pkm_machine pkm_robot_machine(const pkm_robot* robot)
{
    return (pkm_machine){robot->desc, robot->mech, robot->state, robot->structure};
}

// ---- start ------------------------------------------------------------------------------------

/// Velocities of the joint of body i that give the twist T relative to its parent: the columns span
/// it, so that least squares are exact.
static pkm_status joint_rates(const pkm_state* state, int i, pkm_twist T, double* v)
{
    const pkm_body* body = &state->mech->body[i];
    double A[36], b[6] = {T.ang.x, T.ang.y, T.ang.z, T.lin.x, T.lin.y, T.lin.z};
    if (body->n_v == 0) return PKM_OK;
    for (int k = 0; k < body->n_v; ++k) {
        const pkm_twist S = state->S[body->v_at + k];
        const double column[6] = {S.ang.x, S.ang.y, S.ang.z, S.lin.x, S.lin.y, S.lin.z};
        memcpy(A + 6 * k, column, sizeof column);
    }
    PKM_TRY(pkm_lapack_status(pkm_dgels(6, body->n_v, 1, A, 6, b, 6), PKM_ERR_SINGULAR));
    memcpy(v, b, (size_t)body->n_v * sizeof(double));
    return PKM_OK;
}

/// The body of the robot as written to which body `b` of the variant's description belongs.
static const pkm_body_state* body_of(const pkm_machine* variant, const pkm_robot* robot, int b)
{
    const int whole = variant->desc->body[b].part_of;
    return &robot->state->body[robot->mech->body_of_desc[whole > 0 ? whole : b]];
}

pkm_status pkm_robot_variant_start(pkm_machine* variant, const pkm_robot* robot, pkm_error* err)
{
    const pkm_mechanism* mech = variant->mech;
    pkm_state* state = variant->state;
    pkm_pose* pose = pkm_alloc((size_t)variant->desc->n_body, sizeof *pose);
    if (!pose) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int b = 0; b < variant->desc->n_body; ++b) {
        const pkm_body_state* at = body_of(variant, robot, b);
        pose[b] = (pkm_pose){at->p, pkm_quat_from_mat3(at->R)};
    }
    memset(state->q, 0, (size_t)mech->n_q * sizeof(double));
    memset(state->v, 0, (size_t)mech->n_v * sizeof(double));
    pkm_mechanism_coordinates(mech, pose, state->q);
    pkm_free(pose);
    pkm_kinematics_position(state);
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        const pkm_twist V = body_of(variant, robot, body->desc)->V;
        const pkm_twist parent = body_of(variant, robot, mech->body[body->parent].desc)->V;
        const pkm_status status =
            joint_rates(state, i, pkm_twist_axpy(V, -1.0, parent), state->v + body->v_at);
        if (status != PKM_OK)
            return pkm_fail(err, status, "body %s: velocity at the start: %s", body->name,
                            pkm_status_text(status));
    }
    pkm_kinematics_velocity(state);
    return PKM_OK;
}
