/// Moving the robot to a single target, for the calls of pkm/kinematics.h and pkm/inverse.h.
#ifndef PKM_ROBOT_INSTANT_H
#define PKM_ROBOT_INSTANT_H

#include "pkm/kinematics.h"
#include "robot/robot.h"

/// Bring the state (positions, velocities, accelerations, factors of the drives) to `target`.
/// After a failure it is where it was, at rest. `what` names the target in messages.
/// @return statuses of pkm_follow_target; PKM_ERR_SINGULAR also when a parallel singularity lies
///         between the present configuration and the drives' target.
PKM_NODISCARD pkm_status pkm_instant_move(pkm_robot* robot, pkm_given given,
                                          const pkm_target* target, const char* what,
                                          pkm_error* err);

/// Is `now` the pose `asked`, to 1e-6 of the robot's size and 1e-6 rad? The orientation of home is
/// not asked for.
bool pkm_pose_is_taken(const pkm_robot* robot, const pkm_pose* asked, const pkm_pose* now);
/// The same for where the tool stands.
bool pkm_pose_is_there(const pkm_robot* robot, const pkm_pose* asked);

/// PKM_ERR_UNREACHABLE: the tool cannot take the pose `asked`, the nearest is `now`.
pkm_status pkm_fail_taken(const pkm_robot* robot, const pkm_pose* asked, const pkm_pose* now,
                          const char* what, pkm_error* err);

/// The tool has been led to `asked`; does it have this pose? Robots cannot take the components of a
/// pose that their tool does not move in. The orientation of home is not asked for.
/// @return PKM_ERR_UNREACHABLE with the nearest pose and the distance.
PKM_NODISCARD pkm_status pkm_check_taken(const pkm_robot* robot, const pkm_pose* asked,
                                         const char* what, pkm_error* err);

/// Lead the robot from where it stands to the tool pose or the drive positions of `target`: it has
/// that tool or those drives, and the pose is one that its tool can take.
/// @return statuses of pkm_robot_require_tool, pkm_robot_require_drives, pkm_follow_target and
///         pkm_check_taken.
PKM_NODISCARD pkm_status pkm_go_to_target(pkm_robot* robot, pkm_given given,
                                          const pkm_target* target, const char* what,
                                          pkm_error* err);

/// Are these `n` numbers all finite?
bool pkm_all_finite(const double* value, int n);

/// Check a pose that a caller gave: finite numbers, a unit quaternion; zeros for the quaternion
/// stand for the tool's orientation at home.
PKM_NODISCARD pkm_status pkm_check_pose(const pkm_robot* robot, const pkm_pose* given,
                                        pkm_pose* out, pkm_error* err);

/// The first axis (0 to 2) about which `q` is turned from home by more than `within` [rad] though
/// the tool does not move so; PKM_NONE: there is none.
int pkm_turn_refused(const pkm_robot* robot, pkm_quat q, double within);
/// PKM_ERR_UNREACHABLE where there is one.
PKM_NODISCARD pkm_status pkm_check_turn(const pkm_robot* robot, pkm_quat q, pkm_error* err);

#endif
