// All solutions of a closed form, both ways: poses for given drives, drives for a given pose
// (pkm/branches.h).
#include "robot/instant.h"

#include "base/error.h"

#include <math.h>

/// An empty answer, and the arguments that both ways share.
static pkm_status begin(const pkm_robot* robot, const void* given, pkm_branches* out,
                        pkm_error* err)
{
    if (!robot || !given || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "branches: an argument is NULL");
    out->n = 0;
    out->beyond = NAN;
    if (robot->closed) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s has no closed form, expected `closed_form:` in %s",
                    robot->desc->name, robot->desc->file);
}

pkm_status pkm_branches_forward(const pkm_robot* robot, const double* q, pkm_branches* out,
                                pkm_error* err)
{
    PKM_TRY(begin(robot, q, out, err));
    if (!pkm_all_finite(q, robot->mech->n_drive))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "drives: a position is not finite");
    out->n = pkm_closed_direct_geometry(robot->closed, q, out->config, PKM_CLOSED_MAX_BRANCH,
                                        &out->beyond);
    return PKM_OK;
}

pkm_status pkm_branches_inverse(const pkm_robot* robot, const pkm_pose* pose, pkm_branches* out,
                                pkm_error* err)
{
    PKM_TRY(begin(robot, pose, out, err));
    pkm_pose at;
    PKM_TRY(pkm_check_pose(robot, pose, &at, err));
    PKM_TRY(pkm_check_turn(robot, at.q, err));
    out->n = pkm_closed_inverse_geometry(robot->closed, &at, out->config, PKM_CLOSED_MAX_BRANCH,
                                         &out->beyond);
    return PKM_OK;
}
