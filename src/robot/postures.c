// Other postures for the same pose or the same drives, with coordinates, so that the page can show
// and take them: by the closed form, else by assembly_modes.c.
#include "robot/postures.h"

#include "base/error.h"
#include "dynamics/assembly.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "math/angle.h"
#include "robot/crossing.h"
#include "robot/instant.h"

#include <math.h>
#include <string.h>

enum { STARTS = 40 };                  // of a search without a closed form
static const double CLOSED = 1e-9;     // [robot sizes, rad] gap of loops that are closed
static const double SAME_PLACE = 1e-6; // [robot sizes, rad] of tool and drives: one posture

static void settle(pkm_robot* robot)
{
    const size_t nv = (size_t)robot->mech->n_v * sizeof(double);
    memset(robot->state->v, 0, nv);
    memset(robot->state->a, 0, nv);
    pkm_kinematics_position(robot->state);
    pkm_kinematics_velocity(robot->state);
    pkm_kinematics_acceleration(robot->state, robot->state->a);
    pkm_rows_closures(robot->state);
    robot->closed_is_old = true;
}

static double largest_gap(const pkm_state* state)
{
    double most = 0.0;
    for (int r = 0; r < state->mech->n_closure; ++r)
        most = fmax(most, fabs(state->residual[r]) * state->mech->row[r].weight);
    return most;
}

pkm_status pkm_robot_stand(pkm_robot* robot, const double* q, pkm_error* err)
{
    const size_t n = (size_t)robot->mech->n_q;
    if (!pkm_all_finite(q, (int)n))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "stand: a coordinate is not finite");
    memcpy(robot->follow_work, robot->state->q, n * sizeof(double));
    memcpy(robot->state->q, q, n * sizeof(double));
    pkm_state_normalise(robot->mech, robot->state->q);
    settle(robot);
    // coordinates from outside (a page, a file) may be anything
    if (!(largest_gap(robot->state) <= fmax(CLOSED, robot->mech->gap_limit))) {
        memcpy(robot->state->q, robot->follow_work, n * sizeof(double));
        settle(robot);
        return pkm_fail(err, PKM_ERR_ARGUMENT, "stand: these coordinates do not close the loops");
    }
    if (!robot->state->system[PKM_GIVEN_DRIVES].lu) return PKM_OK;
    const pkm_status status = pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES);
    if (status != PKM_OK)
        return pkm_fail(err, PKM_ERR_SINGULAR, "stand: the drives do not hold the robot here");
    robot->sign_now = pkm_crossing_sign(robot);
    return PKM_OK;
}

// ---- which ones there are ---------------------------------------------------------------------

static pkm_target present(const pkm_robot* robot)
{
    pkm_target now = {.tool.pose = robot->tool_home};
    for (int d = 0; d < robot->mech->n_drive; ++d)
        now.q[d] = pkm_state_drive_position(robot->state, d);
    if (robot->mech->tool != PKM_NONE)
        now.tool.pose = pkm_state_marker_pose(robot->state, robot->mech->tool);
    return now;
}

static int list_closed(pkm_robot* robot, pkm_given given, const pkm_target* now, pkm_posture* out)
{
    pkm_closed_config* list = robot->closed_list;
    const int n =
        given == PKM_GIVEN_TOOL
            ? pkm_closed_inverse_geometry(robot->closed, &now->tool.pose, list,
                                          PKM_MAX_ASSEMBLY_MODE, NULL)
            : pkm_closed_direct_geometry(robot->closed, now->q, list, PKM_MAX_ASSEMBLY_MODE, NULL);
    for (int i = 0; i < n; ++i) {
        out[i] = (pkm_posture){.tool = list[i].pose};
        memcpy(out[i].label, list[i].label, sizeof out[i].label);
        memcpy(out[i].drive, list[i].q, (size_t)robot->mech->n_drive * sizeof(double));
    }
    return n;
}

static int list_searched(pkm_robot* robot, pkm_given given, const pkm_target* now, pkm_posture* out)
{
    pkm_assembly_mode* found = pkm_alloc(PKM_MAX_ASSEMBLY_MODE, sizeof *found);
    if (!found) return PKM_NONE;
    const int n = pkm_assembly_modes_find(robot, given, now, STARTS, 1u, found, NULL);
    for (int i = 0; i < n; ++i) {
        out[i] = (pkm_posture){.tool = found[i].tool};
        memcpy(out[i].drive, found[i].drive, sizeof out[i].drive);
    }
    pkm_free(found);
    return n;
}

// ---- their coordinates ------------------------------------------------------------------------

/// Assemble with drives and tool both prescribed, from where the robot stands.
static bool assemble(pkm_robot* robot, const pkm_posture* posture)
{
    int row[PKM_MAX_DRIVE + PKM_TOOL_ALL], n = 0;
    pkm_target target = {.tool.pose = posture->tool};
    memcpy(target.q, posture->drive, (size_t)robot->mech->n_drive * sizeof(double));
    for (int d = 0; d < robot->mech->n_drive; ++d)
        row[n++] = robot->mech->drive_row_at + d;
    for (int k = 0; k < PKM_TOOL_ALL && robot->mech->tool != PKM_NONE; ++k)
        if (robot->structure.moves & (1u << k)) row[n++] = robot->mech->tool_row_at + k;
    pkm_assembly_report report;
    return pkm_assemble(robot->state, row, n, &target, 1.0, &report) == PKM_OK;
}

static bool is_same(const pkm_robot* robot, const pkm_posture* p, const pkm_target* now)
{
    const pkm_vec3 turn =
        pkm_quat_to_rotvec(pkm_quat_mul(p->tool.q, pkm_quat_conj(now->tool.pose.q)));
    if (pkm_vec3_norm(pkm_vec3_sub(p->tool.p, now->tool.pose.p)) > SAME_PLACE * robot->mech->size ||
        pkm_vec3_norm(turn) > SAME_PLACE)
        return false;
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const bool rotary = robot->mech->drive[d].is_rotary;
        const double off = p->drive[d] - now->q[d];
        // a full turn is the same position
        const double away = rotary ? remainder(off, PKM_TURN) : off;
        if (fabs(away) > SAME_PLACE * (rotary ? 1.0 : robot->mech->size)) return false;
    }
    return true;
}

/// Put the present posture first, then those of the list that can be assembled.
static int put_all(pkm_robot* robot, const pkm_target* now, const double* here, int n_list,
                   const pkm_posture* list, pkm_posture* out, double* q)
{
    const size_t n_q = (size_t)robot->mech->n_q, size = n_q * sizeof(double);
    int n = 1;
    out[0] = (pkm_posture){.tool = now->tool.pose, .is_present = true};
    memcpy(out[0].drive, now->q, sizeof out[0].drive);
    memcpy(q, here, size);
    for (int i = 0; i < n_list && n < PKM_MAX_ASSEMBLY_MODE; ++i) {
        if (is_same(robot, &list[i], now)) {
            memcpy(out[0].label, list[i].label, sizeof out[0].label);
            continue;
        }
        // each from here: the nearest coordinates of postures that share drives and pose
        memcpy(robot->state->q, here, size);
        if (!assemble(robot, &list[i])) continue;
        memcpy(q + (size_t)n * n_q, robot->state->q, size);
        out[n++] = list[i];
    }
    return n;
}

pkm_status pkm_postures_find(pkm_robot* robot, pkm_given given, pkm_posture* out, double* q, int* n,
                             pkm_error* err)
{
    const size_t n_q = (size_t)robot->mech->n_q;
    *n = 0;
    PKM_TRY(given == PKM_GIVEN_TOOL ? pkm_robot_require_tool(robot, err)
                                    : pkm_robot_require_drives(robot, err));
    pkm_kinematics_position(robot->state);
    const pkm_target now = present(robot);
    double* here = pkm_alloc(n_q, sizeof(double));
    pkm_posture* list = pkm_alloc(PKM_MAX_ASSEMBLY_MODE, sizeof *list);
    int n_list = PKM_NONE;
    if (here && list) {
        memcpy(here, robot->state->q, n_q * sizeof(double));
        n_list = robot->closed ? list_closed(robot, given, &now, list)
                               : list_searched(robot, given, &now, list);
        if (n_list != PKM_NONE) *n = put_all(robot, &now, here, n_list, list, out, q);
        const pkm_status back = pkm_robot_stand(robot, here, NULL);
        (void)back; // where it stood, singular or not
    }
    pkm_free(list);
    pkm_free(here);
    return n_list == PKM_NONE ? pkm_fail(err, PKM_ERR_MEMORY, "out of memory") : PKM_OK;
}
