/// Inverse and direct models as matrices, in one configuration: Jacobians, mass matrix, Coriolis,
/// centrifugal and gravity terms, together and part by part.
///
///     x' = J q',  A q' = B x'          tool and drives, docs/theory/engine.md, (5.1), (5.7)
///     force = M a + V + G - load       drives, (6.2); each term is the sum over the parts
#ifndef PKM_MATRICES_H
#define PKM_MATRICES_H

#include "pkm/kinematics.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PKM_MAX_PART = 16 };

/// What the bodies of one limb, or one body that belongs to none (the platform), ask of the drives.
/// Matrices are column-major.
typedef struct pkm_matrices_part {
    char name[PKM_MAX_NAME];                 ///< of the limb or body
    double mass;                             ///< [kg]
    double M[PKM_MAX_DRIVE * PKM_MAX_DRIVE]; ///< n_drive x n_drive
    double V[PKM_MAX_DRIVE];                 ///< Coriolis and centrifugal terms [N, N m]
    double G[PKM_MAX_DRIVE];                 ///< weight [N, N m]
    double force[PKM_MAX_DRIVE];             ///< M a + V + G
} pkm_matrices_part;

typedef struct pkm_matrices {
    int n_drive;
    int n_move;                  ///< components of the tool that move
    int move[6];                 ///< which: 0 to 5 for x y z rx ry rz
    double J[6 * PKM_MAX_DRIVE]; ///< 6 x n_drive: tool twist (v, w) per unit of drive rate
    bool has_inverse;            ///< as many components as drives, and no serial singularity
    double J_inverse[6 * PKM_MAX_DRIVE]; ///< n_drive x n_move: drive rates per component
    double A[PKM_MAX_DRIVE];             ///< diagonal
    double B[6 * PKM_MAX_DRIVE]; ///< n_drive x n_move; each row with a unit force (or moment)
    pkm_matrices_part all;       ///< of the whole robot; its force has no load
    int n_part;
    pkm_matrices_part part[PKM_MAX_PART];
    double load[PKM_MAX_DRIVE];  ///< what the wrench on the tool gives the drives
    double force[PKM_MAX_DRIVE]; ///< all.force - load
    pkm_instant now;             ///< where this is; now.force is `force`
} pkm_matrices;

/// The matrices at now->q, v, a with the force and torque on the tool, by the general engine. Idle
/// freedoms are held. The robot goes there from its present configuration.
/// @return statuses of pkm_inverse_at; PKM_ERR_ARGUMENT for NULL or more than PKM_MAX_PART parts;
///         PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_matrices_at(pkm_robot* robot, const pkm_instant* now,
                                                 pkm_matrices* out, pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
