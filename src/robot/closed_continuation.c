#include "robot/closed_continuation.h"

#include "base/error.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

pkm_status pkm_closed_follow_begin(const pkm_robot* robot, const pkm_motion* motion,
                                   pkm_closed_follower* out, pkm_error* err)
{
    *out = (pkm_closed_follower){.robot = robot, .motion = motion, .config = robot->closed_home};
    const unsigned moves = pkm_closed_get_family(robot->closed)->moves;
    if (!pkm_motion_is_drives(motion) && pkm_motion_turns(motion) && (moves >> 3) == 0)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "motion %s: turns the tool (rpy), but the tool of %s cannot turn",
                        pkm_motion_name(motion), robot->desc->name);
    return PKM_OK;
}

int pkm_closed_nearest(const pkm_closed_config* config, int n, const pkm_closed_config* from,
                       int n_drive)
{
    int best = PKM_NONE;
    double least = HUGE_VAL;
    for (int i = 0; i < n; ++i) {
        const pkm_vec3 d = pkm_vec3_sub(config[i].pose.p, from->pose.p);
        const pkm_quat turn = pkm_quat_mul(config[i].pose.q, pkm_quat_conj(from->pose.q));
        double off = pkm_vec3_norm(d) + pkm_vec3_norm(pkm_quat_to_rotvec(turn));
        for (int k = 0; k < n_drive; ++k)
            off += fabs(config[i].q[k] - from->q[k]);
        const bool same_branch = config[i].branch == from->branch;
        if (off < least - 1e-9 || (off < least + 1e-9 && same_branch)) {
            least = off < least ? off : least;
            best = i;
        }
    }
    return best;
}

/// Angles that differ by full turns are the same drive position: take the one nearest to `from`.
static void unwrap(const pkm_robot* robot, const double* from, double* q)
{
    const double turn = 6.283185307179586;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        if (robot->mech->drive[d].is_rotary) q[d] += turn * nearbyint((from[d] - q[d]) / turn);
}

static pkm_status fail_reach(const pkm_closed_follower* f, double t, double beyond, pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_UNREACHABLE,
                    "motion %s: t = %.6g s: out of reach by %.6g m; try a point nearer to home",
                    pkm_motion_name(f->motion), t, beyond);
}

static pkm_status follow_drives(pkm_closed_follower* f, double t, pkm_error* err)
{
    pkm_closed_config list[PKM_CLOSED_MAX_BRANCH];
    double q[PKM_MAX_DRIVE], qd[PKM_MAX_DRIVE], qdd[PKM_MAX_DRIVE], beyond = NAN;
    const int n_drive = f->robot->mech->n_drive;
    pkm_motion_drives(f->motion, t, q, qd, qdd, NULL);
    const int n =
        pkm_closed_direct_geometry(f->robot->closed, q, list, PKM_CLOSED_MAX_BRANCH, &beyond);
    const int best = pkm_closed_nearest(list, n, &f->config, n_drive);
    if (best == PKM_NONE) return fail_reach(f, t, beyond, err);
    f->config = list[best];
    memcpy(f->qd, qd, (size_t)n_drive * sizeof(double));
    memcpy(f->qdd, qdd, (size_t)n_drive * sizeof(double));
    const pkm_status status =
        pkm_closed_tool_motion(f->robot->closed, &f->config, f->qd, f->qdd, &f->tool);
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail(err, status, "motion %s: t = %.6g s: a parallel singularity",
                    pkm_motion_name(f->motion), t);
}

static pkm_status follow_tool(pkm_closed_follower* f, double t, pkm_error* err)
{
    pkm_closed_config list[PKM_CLOSED_MAX_BRANCH];
    double beyond = NAN;
    pkm_motion_tool(f->motion, t, &f->tool, NULL);
    if (!pkm_motion_turns(f->motion)) f->tool.pose.q = f->robot->tool_home.q;
    const int n = pkm_closed_inverse_geometry(f->robot->closed, &f->tool.pose, list,
                                              PKM_CLOSED_MAX_BRANCH, &beyond);
    for (int i = 0; i < n; ++i)
        unwrap(f->robot, f->config.q, list[i].q);
    const int best = pkm_closed_nearest(list, n, &f->config, f->robot->mech->n_drive);
    if (best == PKM_NONE) return fail_reach(f, t, beyond, err);
    f->config = list[best];
    const pkm_status status =
        pkm_closed_drive_motion(f->robot->closed, &f->config, &f->tool, f->qd, f->qdd);
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail(err, status, "motion %s: t = %.6g s: a serial singularity",
                    pkm_motion_name(f->motion), t);
}

pkm_status pkm_closed_follow_to(pkm_closed_follower* f, double t, pkm_error* err)
{
    const double before = f->t;
    PKM_TRY(pkm_motion_is_drives(f->motion) ? follow_drives(f, t, err) : follow_tool(f, t, err));
    double B[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    double A[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    pkm_closed_velocity(f->robot->closed, &f->config, B, A);
    pkm_dense_lu lu;
    pkm_dense_lu_factor(&lu, B, f->robot->mech->n_drive);
    const int sign = pkm_dense_lu_det(&lu) < 0.0 ? -1 : 1;
    if (f->started && sign != f->sign)
        return pkm_fail(err, PKM_ERR_SINGULAR,
                        "motion %s: between t = %.6g s and %.6g s the robot passes a parallel "
                        "singularity (the drives lose the tool there); try another path, home or "
                        "working mode",
                        pkm_motion_name(f->motion), before, t);
    f->started = true;
    f->sign = sign;
    f->t = t;
    return PKM_OK;
}
