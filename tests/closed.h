/// Closed forms by one call each, as tests and benchmarks ask them. The library has the matrices B
/// and A at hand where it needs these.
#ifndef PKM_TESTS_CLOSED_H
#define PKM_TESTS_CLOSED_H

#include "closed/closed.h"
#include "closed/rates.h"

#include <string.h>

/// Drive rates and accelerations from the tool's motion. PKM_ERR_SINGULAR where A loses rank.
static inline pkm_status closed_drive_motion(const pkm_closed* closed,
                                             const pkm_closed_config* config,
                                             const pkm_frame_motion* tool, double* qd, double* qdd)
{
    double B[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    double A[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    pkm_dense_lu lu;
    pkm_closed_velocity(closed, config, B, A);
    return pkm_closed_drive_motion_by(closed, config, B, A, tool, qd, qdd, &lu);
}

/// The Jacobian J (t = J qd), column-major n_drive x n_drive: the twists of unit rates.
/// PKM_ERR_SINGULAR where B loses rank.
static inline pkm_status closed_jacobian(const pkm_closed* closed, const pkm_closed_config* config,
                                         double* J)
{
    const pkm_closed_family* family = pkm_closed_get_family(closed);
    for (int j = 0; j < family->n_drive; ++j) {
        double qd[PKM_CLOSED_MAX_DRIVE] = {0.0}, qdd[PKM_CLOSED_MAX_DRIVE] = {0.0}, twist[6];
        pkm_frame_motion tool;
        qd[j] = 1.0;
        const pkm_status status = pkm_closed_tool_motion(closed, config, qd, qdd, &tool);
        if (status != PKM_OK) return status;
        memcpy(twist, (double[]){tool.v.x, tool.v.y, tool.v.z, tool.w.x, tool.w.y, tool.w.z},
               sizeof twist);
        for (int k = 0, row = 0; k < 6; ++k)
            if (family->moves >> k & 1u) J[row++ + j * family->n_drive] = twist[k];
    }
    return PKM_OK;
}

#endif
