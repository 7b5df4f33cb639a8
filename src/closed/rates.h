/// Rates by closed forms whose velocity matrices are at hand, and the factors that come with them.
#ifndef PKM_CLOSED_RATES_H
#define PKM_CLOSED_RATES_H

#include "closed/closed.h"
#include "math/dense.h"

/// pkm_closed_tool_motion with the matrices of pkm_closed_velocity at `config`, where they are at
/// hand; the factors of B to `lu`.
PKM_NODISCARD pkm_status pkm_closed_tool_motion_by(const pkm_closed* closed,
                                                   const pkm_closed_config* config, const double* B,
                                                   const double* A, const double* qd,
                                                   const double* qdd, pkm_dense_lu* lu,
                                                   pkm_frame_motion* tool);
/// Drive rates and accelerations from the tool's motion; the factors of A to `lu`.
/// @return PKM_ERR_SINGULAR where A loses rank.
PKM_NODISCARD pkm_status pkm_closed_drive_motion_by(const pkm_closed* closed,
                                                    const pkm_closed_config* config,
                                                    const double* B, const double* A,
                                                    const pkm_frame_motion* tool, double* qd,
                                                    double* qdd, pkm_dense_lu* lu);

#endif
