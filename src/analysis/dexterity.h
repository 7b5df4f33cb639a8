/// Jacobian, condition numbers and singularities of a robot in one configuration.
#ifndef PKM_ANALYSIS_DEXTERITY_H
#define PKM_ANALYSIS_DEXTERITY_H

#include "analysis/robot.h"

/// How well motion is passed between drives and tool, of shifts or of turns alone (never mixed
/// without a stated length).
typedef struct pkm_dexterity_part {
    int n;             ///< components that move, 0 to 3 (6 for the mixed part)
    double sigma[6];   ///< singular values of the tool's part of J, falling
    double condition;  ///< sigma[0] / sigma[n - 1]; infinite at a singularity
    double weakest[6]; ///< unit direction (x y z or rx ry rz) in which the tool is slowest
    double softest[6]; ///< unit direction in which the tool is fastest, so weakest against forces
} pkm_dexterity_part;

typedef struct pkm_dexterity {
    int n_drive;
    unsigned moves;
    double J[6 *
             PKM_MAX_DRIVE]; ///< column-major 6 x n_drive: tool twist (v, w) per unit of drive rate
    bool has_J;              ///< false at a parallel singularity
    pkm_dexterity_part shift; ///< translation [m/s per unit of drive rate]
    pkm_dexterity_part turn;  ///< rotation
    pkm_dexterity_part mixed; ///< both, turns times `length`; n = 0 when no length is stated
    double length;            ///< stated under `tool:` [m]; NaN
    bool serial, parallel, constraint; ///< singular in this kind?
    double closure_sigma;              ///< smallest singular value of the independent closures
} pkm_dexterity;

/// Evaluate at the present positions of robot->state (loops closed). Velocities are left at zero.
PKM_NODISCARD pkm_status pkm_dexterity_at(pkm_robot* robot, pkm_dexterity* out, pkm_error* err);

#endif
