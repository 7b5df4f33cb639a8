// M, V, G and the load over the drives, whole and by limb (6.2), Jacobian and the pair A, B (5.8),
// as differences of inverse dynamics. For the verb `matrices` and pkm/matrices.h.
// docs/theory/engine.md, sections 5 and 6.
#include "pkm/matrices.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/motion_solve.h"
#include "math/dense.h"
#include "pkm/inverse.h"
#include "robot/drive_forces.h"
#include "robot/guard.h"
#include "robot/idle.h"
#include "robot/robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the parts --------------------------------------------------------------------------------

/// The limb of a body, "A" of "A.crank"; its own name when it belongs to none.
static void part_name(const pkm_body* body, char* out)
{
    const char* dot = strchr(body->name, '.');
    snprintf(out, PKM_MAX_NAME, "%.*s", dot ? (int)(dot - body->name) : PKM_MAX_NAME, body->name);
}

static int find_part(const pkm_matrices* m, const char* name)
{
    for (int p = 0; p < m->n_part; ++p)
        if (strcmp(m->part[p].name, name) == 0) return p;
    return PKM_NONE;
}

/// The part of each body [n_body]; bodies without mass ask for nothing.
static pkm_status find_parts(const pkm_state* state, pkm_matrices* m, int* part_of, pkm_error* err)
{
    for (int b = 1; b < state->mech->n_body; ++b) {
        char name[PKM_MAX_NAME];
        part_of[b] = PKM_NONE;
        if (!(state->mass[b].mass > 0.0)) continue;
        part_name(&state->mech->body[b], name);
        part_of[b] = find_part(m, name);
        if (part_of[b] == PKM_NONE) {
            if (m->n_part == PKM_MAX_PART)
                return pkm_fail(err, PKM_ERR_ARGUMENT, "matrices: more than %d limbs and bodies",
                                PKM_MAX_PART);
            part_of[b] = m->n_part++;
            snprintf(m->part[part_of[b]].name, PKM_MAX_NAME, "%s", name);
        }
        m->part[part_of[b]].mass += state->mass[b].mass;
    }
    return PKM_OK;
}

// ---- forces -----------------------------------------------------------------------------------

/// M a + V + G (6.2): what the bodies that have masses now ask for. Forces are affine in the
/// accelerations and quadratic in the rates, so that differences of two calls are exact terms.
static void read_terms(pkm_state* state, const pkm_instant* now, pkm_matrices_part* out)
{
    const int n = state->mech->n_drive;
    double force[PKM_MAX_DRIVE];
    pkm_drive_forces(state, NULL, NULL, out->G);
    pkm_drive_forces(state, now->v, NULL, force);
    for (int i = 0; i < n; ++i)
        // V(q, q') = F(q', 0) - G
        out->V[i] = force[i] - out->G[i];
    for (int k = 0; k < n; ++k) {
        double a[PKM_MAX_DRIVE] = {0.0};
        a[k] = 1.0;
        pkm_drive_forces(state, NULL, a, force);
        for (int i = 0; i < n; ++i)
            // column k: F(0, e_k) - G
            out->M[i + k * n] = force[i] - out->G[i];
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k)
            out->M[i + k * n] = out->M[k + i * n] = 0.5 * (out->M[i + k * n] + out->M[k + i * n]);
    pkm_drive_forces(state, now->v, now->a, out->force);
}

static void read_parts(pkm_state* state, const pkm_instant* now, const int* part_of,
                       const pkm_mass* whole, pkm_matrices* m)
{
    const int n_body = state->mech->n_body;
    for (int p = 0; p < m->n_part; ++p) {
        for (int b = 1; b < n_body; ++b)
            state->mass[b] = part_of[b] == p ? whole[b] : (pkm_mass){.mass = 0.0};
        read_terms(state, now, &m->part[p]);
    }
    memcpy(state->mass, whole, (size_t)n_body * sizeof *whole);
}

/// What the wrench on the tool gives the drives: that of a robot without masses.
static void read_load(pkm_state* state, const pkm_instant* now, const pkm_mass* whole,
                      pkm_matrices* m)
{
    const pkm_mechanism* mech = state->mech;
    if (mech->tool == PKM_NONE) return;
    pkm_wrench* load = &state->load[mech->marker[mech->tool].body];
    for (int b = 1; b < mech->n_body; ++b)
        state->mass[b] = (pkm_mass){.mass = 0.0};
    *load = pkm_wrench_at(now->tool.pose.p, now->tool_force, now->tool_torque);
    pkm_drive_forces(state, NULL, NULL, m->load);
    for (int i = 0; i < m->n_drive; ++i)
        // what the drives must give against the load, and the load gives the opposite
        m->load[i] = -m->load[i];
    *load = (pkm_wrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    memcpy(state->mass, whole, (size_t)mech->n_body * sizeof *whole);
}

// ---- rates ------------------------------------------------------------------------------------

static void read_jacobian(pkm_robot* robot, pkm_matrices* m)
{
    for (int d = 0; d < m->n_drive; ++d) {
        pkm_target target = {.v = {0.0}};
        target.v[d] = 1.0;
        pkm_solve_velocity(robot->state, PKM_GIVEN_DRIVES, &target);
        const pkm_frame_motion tool = pkm_state_marker_motion(robot->state, robot->mech->tool);
        const double column[6] = {tool.v.x, tool.v.y, tool.v.z, tool.w.x, tool.w.y, tool.w.z};
        memcpy(m->J + 6 * d, column, sizeof column);
    }
    for (int k = 0; k < 6; ++k)
        if (robot->structure.moves & (1u << k)) m->move[m->n_move++] = k;
}

/// A and B of (5.8): row i of J^-1 over its length, that of the forces where there are some. It is
/// the wrench by which drive i moves the tool; the drive's rate counts A_ii times.
static void scale_rows(pkm_matrices* m)
{
    const int n = m->n_drive;
    for (int i = 0; i < n; ++i) {
        double shift = 0.0, turn = 0.0;
        for (int c = 0; c < m->n_move; ++c) {
            const double x = m->J_inverse[i + c * n];
            *(m->move[c] < 3 ? &shift : &turn) += x * x;
        }
        // a force of rounding beside the moments is none
        const double size = sqrt(shift > 1e-20 * turn ? shift : turn);
        m->A[i] = 1.0 / size;
        for (int c = 0; c < m->n_move; ++c)
            m->B[i + c * n] = m->J_inverse[i + c * n] / size;
    }
}

/// The inverse of the moving rows of J. Near a serial singularity there is none.
static pkm_status invert(pkm_matrices* m)
{
    static const double LEAST = 1e-10; // of the largest singular value
    const int n = m->n_drive;
    double J[36], U[36], Vt[36], s[6];
    if (n != m->n_move || n > 6) return PKM_OK;
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i)
            J[i + k * n] = m->J[6 * k + m->move[i]];
    PKM_TRY(pkm_dense_svd(J, n, n, s, U, Vt));
    if (!(s[n - 1] > LEAST * s[0])) return PKM_OK;
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < n; ++c) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k)
                sum += Vt[k + i * n] * U[c + k * n] / s[k];
            m->J_inverse[i + c * n] = sum;
        }
    m->has_inverse = true;
    scale_rows(m);
    return PKM_OK;
}

// ---- all --------------------------------------------------------------------------------------

static pkm_status fill(pkm_robot* robot, pkm_matrices* m, int* part_of, pkm_mass* whole,
                       pkm_error* err)
{
    pkm_state* state = robot->state;
    pkm_instant* now = &m->now;
    memcpy(whole, state->mass, (size_t)robot->mech->n_body * sizeof *whole);
    PKM_TRY(find_parts(state, m, part_of, err));
    snprintf(m->all.name, sizeof m->all.name, "all");
    for (int p = 0; p < m->n_part; ++p)
        m->all.mass += m->part[p].mass;
    read_terms(state, now, &m->all);
    read_parts(state, now, part_of, whole, m);
    read_load(state, now, whole, m);
    for (int i = 0; i < m->n_drive; ++i)
        m->force[i] = now->force[i] = m->all.force[i] - m->load[i];
    if (robot->mech->tool != PKM_NONE) {
        read_jacobian(robot, m);
        if (invert(m) != PKM_OK) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    }
    double unread[PKM_MAX_DRIVE];
    pkm_drive_forces(state, now->v, now->a, unread); // the robot moves as it was asked to
    return PKM_OK;
}

pkm_status pkm_matrices_at(pkm_robot* robot, const pkm_instant* now, pkm_matrices* out,
                           pkm_error* err)
{
    if (!robot || !now || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm_matrices_at: an argument is NULL");
    PKM_HOLD(robot, err);
    *out = (pkm_matrices){.n_drive = robot->mech->n_drive, .now = *now};
    PKM_TRY(pkm_idle_require_none(robot, "the mass matrix of the drives", err));
    PKM_TRY(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &out->now, err));
    const size_t n = (size_t)robot->mech->n_body;
    int* part_of = pkm_alloc(n, sizeof *part_of);
    pkm_mass* whole = pkm_alloc(n, sizeof *whole);
    const pkm_status status = part_of && whole ? fill(robot, out, part_of, whole, err)
                                               : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_free(part_of);
    pkm_free(whole);
    return status;
}
