/// Kinematics: tool from drives, drives from tool, all branches of a closed form, and how well
/// motion is passed on (Jacobian, condition numbers, singularities).
#ifndef PKM_KINEMATICS_H
#define PKM_KINEMATICS_H

#include "pkm/robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A robot at one instant: what its drives and its tool do. Entries beyond the robot's drives are
/// not used. Start from `pkm_instant now = {0}` or pkm_instant_home.
typedef struct pkm_instant {
    double q[PKM_MAX_DRIVE];     ///< drive positions [m, rad]
    double v[PKM_MAX_DRIVE];     ///< rates [m/s, rad/s]
    double a[PKM_MAX_DRIVE];     ///< accelerations [m/s2, rad/s2]
    double force[PKM_MAX_DRIVE]; ///< drive forces [N, N m], see inverse.h
    pkm_frame_motion tool;       ///< of the tool's frame, world axes
    pkm_vec3 tool_force;         ///< force on the tool at its origin, from outside, world axes [N]
    pkm_vec3 tool_torque;        ///< torque on the tool, from outside, world axes [N m]
} pkm_instant;

/// Home at rest; all zero for NULL.
PKM_API pkm_instant pkm_instant_home(const pkm_robot* robot);

/// Where a solution starts from, and so which branch it stays in.
typedef enum pkm_start {
    PKM_START_HOME,    ///< home
    PKM_START_PRESENT, ///< the present configuration: for the next point of a path
} pkm_start;

/// Forward kinematics by the general engine: fill at->tool from at->q, v, a.
///
/// The robot goes there along a straight way in drive space, in small steps where it must, so it
/// stays in the assembly mode it starts in; `at` is then the present configuration.
/// @return PKM_ERR_UNREACHABLE with the distance beyond reach; PKM_ERR_SINGULAR with the kind of
///         singularity in the way; PKM_ERR_MODEL when the drives do not hold the robot;
///         PKM_ERR_ARGUMENT for NULL, NaN or infinity. `at` is then unchanged, and the robot
///         stands where it started.
PKM_API PKM_NODISCARD pkm_status pkm_kinematics_forward(pkm_robot* robot, pkm_start start,
                                                        pkm_instant* at, pkm_error* err);

/// Inverse kinematics by the general engine: fill at->q, v, a from at->tool.
///
/// The same along a straight way of the tool, in the working mode it starts in. Components of the
/// pose that the tool cannot change are not asked of it; at->tool then holds what it really does.
/// A quaternion of zeros stands for the tool's orientation at home.
/// @return as pkm_kinematics_forward; PKM_ERR_MODEL when the tool cannot be prescribed.
PKM_API PKM_NODISCARD pkm_status pkm_kinematics_inverse(pkm_robot* robot, pkm_start start,
                                                        pkm_instant* at, pkm_error* err);

// ---- all branches -----------------------------------------------------------------------------

enum {
    PKM_CLOSED_MAX_DRIVE = 6,
    PKM_CLOSED_MAX_BRANCH = 64,
    PKM_CLOSED_LABEL = 48,
};

/// A configuration of a closed form: where the tool is, where the drives are, which branch this is.
///
/// `branch` encodes the signs of the passive solution (elbows, working mode, assembly mode) that
/// `q` and `pose` alone do not tell; what it means is the family's business. `label` says it in
/// words, for example "elbows out/out/in" or "platform below".
typedef struct pkm_closed_config {
    pkm_pose pose;                  ///< tool frame
    double q[PKM_CLOSED_MAX_DRIVE]; ///< drive positions [m, rad]
    int branch;
    char label[PKM_CLOSED_LABEL];
} pkm_closed_config;

/// All solutions of a closed form.
typedef struct pkm_branches {
    int n;         ///< how many; 0: out of reach
    double beyond; ///< then by how much [m] a limb is too short, NaN when the family cannot tell
    pkm_closed_config config[PKM_CLOSED_MAX_BRANCH];
} pkm_branches;

/// Every tool pose for the drive positions `q` (assembly modes). The present configuration is left
/// alone. Allocates nothing.
/// @return PKM_OK also when there is none; PKM_ERR_ARGUMENT for a robot without a closed form, for
///         NULL, NaN or infinity.
PKM_API PKM_NODISCARD pkm_status pkm_branches_forward(const pkm_robot* robot, const double* q,
                                                      pkm_branches* out, pkm_error* err);

/// Every set of drive positions for the tool's pose (working modes), with the same statuses;
/// PKM_ERR_UNREACHABLE for a turn that the tool does not make, however far it reaches. A quaternion
/// of zeros stands for the tool's orientation at home.
PKM_API PKM_NODISCARD pkm_status pkm_branches_inverse(const pkm_robot* robot, const pkm_pose* pose,
                                                      pkm_branches* out, pkm_error* err);

// ---- how well motion is passed on -------------------------------------------------------------

/// Of shifts or of turns alone (never mixed without a stated length).
typedef struct pkm_dexterity_part {
    int n;             ///< components that move, 0 to 3 (6 for the mixed part)
    double sigma[6];   ///< singular values of the tool's part of J, falling
    double condition;  ///< sigma[0] / sigma[n - 1]; infinite at a singularity
    double weakest[6]; ///< unit direction (x y z or rx ry rz) in which the tool is slowest
    double softest[6]; ///< unit direction in which the tool is fastest, so weakest against forces
} pkm_dexterity_part;

/// Jacobian, condition numbers and singularities in one configuration.
typedef struct pkm_dexterity {
    int n_drive;
    unsigned moves; ///< tool components that move, bits 0 to 5 for x y z rx ry rz
    /// Column-major 6 x n_drive: tool twist (v, w) per unit of drive rate.
    double J[6 * PKM_MAX_DRIVE];
    bool has_J;               ///< false at a parallel singularity: J and the parts are zero
    pkm_dexterity_part shift; ///< translation [m/s per unit of drive rate]
    pkm_dexterity_part turn;  ///< rotation
    pkm_dexterity_part mixed; ///< both, turns times `length`; n = 0 when no length is stated
    double length;            ///< stated under `tool:` [m]; NaN
    bool serial;              ///< some drives move while the tool stands: J loses rank
    bool parallel;            ///< the tool moves while the drives stand
    bool constraint;          ///< the loops themselves lose rank
    double closure_sigma; ///< smallest singular value of the independent closures over the largest
} pkm_dexterity;

/// Evaluate in the present configuration, which is left at rest.
/// @return PKM_OK also at a singularity; PKM_ERR_MODEL without a tool or when the drives do not
///         hold the robot; PKM_ERR_ARGUMENT for NULL; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_dexterity_at(pkm_robot* robot, pkm_dexterity* out,
                                                  pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
