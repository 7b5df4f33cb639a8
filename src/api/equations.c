// Equations of motion for somebody else's integrator (pkm/equations.h). docs/theory/simulation.md,
// section 9.
#include "pkm/equations.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/effects.h"
#include "dynamics/inverse.h"
#include "dynamics/kinematics.h"
#include "dynamics/rows.h"
#include "math/lapack.h"
#include "pkm/batch.h"
#include "robot/robot.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct pkm_equations {
    pkm_robot* robot; ///< its own
    pkm_instant now;
    pkm_reactions* work;
    pkm_reaction* reaction; ///< [n_joint]
    bool* unique;           ///< [n_joint]
    double *h, *gamma;      ///< [n_v], [n_closure] of the present state
    double* column;         ///< [n_v] work
    atomic_flag busy;
};

// ---- the state --------------------------------------------------------------------------------

/// The wrench on the tool acts while forces are summed, and is taken away again.
static void put_load(pkm_equations* e, bool acts)
{
    const pkm_mechanism* mech = e->robot->mech;
    if (mech->tool == PKM_NONE) return;
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    // as a wrench about the world origin, where all loads are summed
    e->robot->state->load[mech->marker[mech->tool].body] = pkm_wrench_at(
        e->now.tool.pose.p, acts ? e->now.tool_force : none, acts ? e->now.tool_torque : none);
}

/// Bodies, forces and multipliers with the accelerations of the state, after others were tried.
static void go_back(pkm_equations* e)
{
    pkm_state* state = e->robot->state;
    double force[PKM_MAX_DRIVE];
    put_load(e, true);
    pkm_kinematics_acceleration(state, state->a);
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, force);
    put_load(e, false);
}

/// h = M 0 + h and gamma = -c'' at a = 0.
static void find_bias(pkm_equations* e)
{
    pkm_state* state = e->robot->state;
    put_load(e, true);
    pkm_kinematics_acceleration(state, NULL);
    pkm_rows_bias(state, PKM_GIVEN_DRIVES);
    pkm_inverse_forces(state);
    // with a = 0 the generalised forces are h itself
    memcpy(e->h, state->force, (size_t)state->mech->n_v * sizeof(double));
    for (int i = 0; i < state->mech->n_closure; ++i)
        // closures: G a = gamma
        e->gamma[i] = -state->bias[i];
    go_back(e);
}

/// Inverse dynamics at `now` puts the robot there; of a pose that fails it goes back.
static pkm_status set(pkm_equations* e, pkm_instant* now, pkm_error* err)
{
    pkm_instant at = *now;
    const pkm_status status = pkm_inverse_at(e->robot, PKM_METHOD_ENGINE, &at, err);
    if (status == PKM_OK) {
        *now = e->now = at;
        pkm_rows_closures(e->robot->state);
    } else {
        // the robot stands where it stood, its rates do not
        pkm_instant before = e->now;
        PKM_TRY(pkm_inverse_at(e->robot, PKM_METHOD_ENGINE, &before, NULL));
    }
    find_bias(e);
    return status;
}

// ---- beginning and end ------------------------------------------------------------------------

void pkm_equations_free(pkm_equations* e)
{
    if (!e) return;
    pkm_reactions_free(e->work);
    pkm_robot_free(e->robot);
    pkm_free(e->reaction);
    pkm_free(e->unique);
    pkm_free(e->h);
    pkm_free(e->gamma);
    pkm_free(e->column);
    pkm_free(e);
}

static pkm_status begin(pkm_equations* e, const pkm_robot* robot, pkm_error* err)
{
    PKM_TRY(pkm_robot_copy(robot, &e->robot, err));
    const pkm_mechanism* mech = e->robot->mech;
    // all velocities are states of theirs: idle freedoms, too
    e->robot->holds_idle = true;
    e->reaction = pkm_alloc((size_t)mech->n_joint, sizeof *e->reaction);
    e->unique = pkm_alloc((size_t)mech->n_joint, sizeof *e->unique);
    e->h = pkm_alloc((size_t)mech->n_v, sizeof *e->h);
    e->gamma = pkm_alloc((size_t)mech->n_closure + 1, sizeof *e->gamma);
    e->column = pkm_alloc((size_t)mech->n_v, sizeof *e->column);
    if (!e->reaction || !e->unique || !e->h || !e->gamma || !e->column)
        return pkm_out_of_memory(err);
    // at home and at rest, so that there is an answer before the first call
    pkm_instant home = pkm_instant_home(e->robot);
    PKM_TRY(set(e, &home, err));
    e->work = pkm_reactions_create(e->robot->state);
    return e->work ? PKM_OK : pkm_out_of_memory(err);
}

pkm_status pkm_equations_create(const pkm_robot* robot, pkm_equations** out, pkm_error* err)
{
    if (out) *out = NULL;
    if (!robot || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "equations: a robot or `out` is NULL");
    pkm_equations* e = pkm_alloc(1, sizeof *e);
    if (!e) return pkm_out_of_memory(err);
    atomic_flag_clear(&e->busy);
    pkm_lapack_begin();
    const pkm_status status = begin(e, robot, err);
    pkm_lapack_end();
    if (status == PKM_OK)
        *out = e;
    else
        pkm_equations_free(e);
    return status;
}

// ---- sizes and names --------------------------------------------------------------------------

int pkm_equations_n_velocity(const pkm_equations* e)
{
    return e ? e->robot->mech->n_v : 0;
}

int pkm_equations_n_closure(const pkm_equations* e)
{
    return e ? e->robot->mech->n_closure : 0;
}

/// Component `k` of the velocities of a joint, as mechanism.h has them.
static const char* component(pkm_joint_type type, int k)
{
    static const char* const turn[] = {"wx", "wy", "wz"};
    static const char* const free_one[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    static const char* const pin[] = {"first", "second"};
    if (type == PKM_JOINT_SPHERICAL) return turn[k];
    if (type == PKM_JOINT_FREE) return free_one[k];
    if (type == PKM_JOINT_UNIVERSAL) return pin[k];
    return pkm_joint_coordinate_name(type, k);
}

bool pkm_equations_velocity_name(const pkm_equations* e, int i, char* text, size_t size)
{
    if (text && size > 0) text[0] = '\0';
    if (!e || !text || size == 0) return false;
    const pkm_mechanism* mech = e->robot->mech;
    for (int b = 1; b < mech->n_body; ++b) {
        const pkm_body* body = &mech->body[b];
        if (i < body->v_at || i >= body->v_at + body->n_v) continue;
        // velocities are called by the joint that carries the body
        const char* name = body->joint == PKM_NONE ? body->name : mech->joint[body->joint].name;
        const char* part = body->n_v > 1 ? component(body->type, i - body->v_at) : NULL;
        snprintf(text, size, "%s%s%s", name, part ? "." : "", part ? part : "");
        return true;
    }
    return false;
}

bool pkm_equations_closure_name(const pkm_equations* e, int i, char* text, size_t size)
{
    if (text && size > 0) text[0] = '\0';
    if (!e || !text || size == 0 || i < 0 || i >= e->robot->mech->n_closure) return false;
    pkm_row_name(e->robot->mech, i, text, size);
    return true;
}

// ---- calls ------------------------------------------------------------------------------------

/// Take `e` for one call that needs a pointer; the other half is leave.
static pkm_status enter(pkm_equations* e, const void* pointer, pkm_error* err)
{
    if (!e || !pointer) return pkm_fail(err, PKM_ERR_ARGUMENT, "equations: an argument is NULL");
    if (atomic_flag_test_and_set(&e->busy))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "equations: another thread is at work with them");
    pkm_lapack_begin();
    return PKM_OK;
}

static pkm_status leave(pkm_equations* e, pkm_status status)
{
    pkm_lapack_end();
    atomic_flag_clear(&e->busy);
    return status;
}

/// The same for a call with room for `want` numbers.
static pkm_status enter_room(pkm_equations* e, const void* pointer, int room, int want,
                             pkm_error* err)
{
    PKM_TRY(enter(e, pointer, err));
    if (room == want) return PKM_OK;
    return leave(e, pkm_fail(err, PKM_ERR_ARGUMENT, "equations: room for %d numbers, expected %d",
                             room, want));
}

pkm_status pkm_equations_set(pkm_equations* e, pkm_instant* now, pkm_error* err)
{
    PKM_TRY(enter(e, now, err));
    return leave(e, set(e, now, err));
}

pkm_status pkm_equations_accelerate(pkm_equations* e, pkm_instant* now, pkm_error* err)
{
    PKM_TRY(enter(e, now, err));
    pkm_instant at = *now;
    const pkm_status status = pkm_forward_at(e->robot, PKM_METHOD_ENGINE, &at, err);
    // of an instant that cannot be answered the one before stays
    pkm_instant* to = status == PKM_OK ? &at : &e->now;
    const pkm_status done = set(e, to, err); // forces again from the accelerations, to rounding
    if (status == PKM_OK && done == PKM_OK) *now = at;
    return leave(e, status == PKM_OK ? done : status);
}

pkm_status pkm_equations_body(pkm_equations* e, int body, pkm_frame_motion* out, pkm_error* err)
{
    PKM_TRY(enter(e, out, err));
    const pkm_mechanism* mech = e->robot->mech;
    if (body < 0 || body >= pkm_robot_n_body(e->robot))
        return leave(e, pkm_fail(err, PKM_ERR_ARGUMENT, "equations: there is no body %d", body));
    const pkm_body_state* b = &e->robot->state->body[mech->body_of_desc[body + 1]];
    // v at the body's origin, from its twist about that of the world
    *out = (pkm_frame_motion){.pose = {b->p, pkm_quat_from_mat3(b->R)},
                              .v = pkm_twist_at(b->V, b->p),
                              .w = b->V.ang,
                              .a = pkm_twist_acceleration(b->V, b->A, b->p),
                              .alpha = b->A.ang};
    return leave(e, PKM_OK);
}

pkm_status pkm_equations_joint(pkm_equations* e, int joint, double* q, double* v, pkm_error* err)
{
    PKM_TRY(enter(e, q, err));
    const pkm_mechanism* mech = e->robot->mech;
    const bool there = joint >= 0 && joint < mech->n_joint;
    const pkm_joint_type type = there ? mech->joint[joint].type : PKM_JOINT_FREE;
    if (type != PKM_JOINT_REVOLUTE && type != PKM_JOINT_PRISMATIC)
        return leave(e, pkm_fail(err, PKM_ERR_ARGUMENT,
                                 "equations: joint %d is not there, or not revolute or prismatic",
                                 joint));
    double rate;
    pkm_joint_coordinate(e->robot->state, joint, q, v ? v : &rate);
    return leave(e, PKM_OK);
}

pkm_status pkm_equations_motion(pkm_equations* e, double* v, double* a, int room, pkm_error* err)
{
    PKM_TRY(enter_room(e, v ? v : a, room, pkm_equations_n_velocity(e), err));
    const pkm_state* state = e->robot->state;
    if (v) memcpy(v, state->v, (size_t)room * sizeof(double));
    if (a) memcpy(a, state->a, (size_t)room * sizeof(double));
    return leave(e, PKM_OK);
}

pkm_status pkm_equations_mass(pkm_equations* e, double* M, int room, pkm_error* err)
{
    const int n = pkm_equations_n_velocity(e);
    PKM_TRY(enter_room(e, M, room, n * n, err));
    for (int k = 0; k < n; ++k) {
        memset(e->column, 0, (size_t)n * sizeof(double));
        e->column[k] = 1.0;
        pkm_inverse_inertia_forces(e->robot->state, e->column, M + (size_t)n * (size_t)k);
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k)
            M[i + k * n] = M[k + i * n] = 0.5 * (M[i + k * n] + M[k + i * n]);
    go_back(e);
    return leave(e, PKM_OK);
}

pkm_status pkm_equations_bias(pkm_equations* e, double* h, int room, pkm_error* err)
{
    PKM_TRY(enter_room(e, h, room, pkm_equations_n_velocity(e), err));
    memcpy(h, e->h, (size_t)room * sizeof(double));
    return leave(e, PKM_OK);
}

/// Row `r` of the Jacobian to every `stride`-th number of `to`.
static void spread_row(const pkm_state* state, int r, double* to, int stride)
{
    const pkm_row* row = &state->mech->row[r];
    for (int i = row->at; i < row->at + row->n_b + row->n_a; ++i)
        to[(size_t)state->mech->column[i] * (size_t)stride] += state->jacobian[i];
}

pkm_status pkm_equations_closures(pkm_equations* e, double* G, int room, pkm_error* err)
{
    const int n = pkm_equations_n_velocity(e), m = pkm_equations_n_closure(e);
    PKM_TRY(enter_room(e, G, room, m * n, err));
    memset(G, 0, (size_t)room * sizeof(double));
    for (int i = 0; i < m; ++i)
        spread_row(e->robot->state, i, G + i, m);
    return leave(e, PKM_OK);
}

pkm_status pkm_equations_multipliers(pkm_equations* e, double* gamma, double* lambda, int room,
                                     pkm_error* err)
{
    PKM_TRY(enter_room(e, gamma ? gamma : lambda, room, pkm_equations_n_closure(e), err));
    if (gamma) memcpy(gamma, e->gamma, (size_t)room * sizeof(double));
    if (lambda) memset(lambda, 0, (size_t)room * sizeof(double));
    const pkm_system* system = &e->robot->state->system[PKM_GIVEN_DRIVES];
    for (int i = 0; lambda && i < system->n_row; ++i)
        if (system->row[i] < room) lambda[system->row[i]] = system->multiplier[i];
    return leave(e, PKM_OK);
}

pkm_status pkm_equations_drives(pkm_equations* e, double* Q, int room, pkm_error* err)
{
    PKM_TRY(enter_room(e, Q, room, pkm_equations_n_velocity(e), err));
    pkm_state* state = e->robot->state;
    memset(Q, 0, (size_t)room * sizeof(double));
    pkm_rows_drives(state);
    for (int d = 0; d < state->mech->n_drive; ++d) {
        memset(e->column, 0, (size_t)room * sizeof(double));
        spread_row(state, state->mech->drive_row_at + d, e->column, 1);
        for (int i = 0; i < room; ++i)
            Q[i] += e->now.force[d] * e->column[i];
    }
    return leave(e, PKM_OK);
}

pkm_status pkm_equations_reaction(pkm_equations* e, int joint, pkm_vec3* force, pkm_vec3* moment,
                                  bool* unique, pkm_error* err)
{
    PKM_TRY(enter(e, force ? moment : NULL, err));
    if (joint < 0 || joint >= e->robot->mech->n_joint)
        return leave(e, pkm_fail(err, PKM_ERR_ARGUMENT, "equations: there is no joint %d", joint));
    put_load(e, true);
    pkm_reactions_solve(e->work, e->robot->state, e->reaction, e->unique);
    put_load(e, false);
    *force = e->reaction[joint].force;
    *moment = e->reaction[joint].moment;
    if (unique) *unique = e->unique[joint];
    return leave(e, PKM_OK);
}
