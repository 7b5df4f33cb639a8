/// Polylines with rounded corners, run by one law without a stop.
#ifndef PKM_MOTION_BLEND_H
#define PKM_MOTION_BLEND_H

#include "motion/path.h"

/// Lines between way points; within `radius` of a corner the path leaves them on a curve with three
/// continuous derivatives (docs/theory/motion.md, (22)). leg[k].begin is the way before leg k [m].
typedef struct pkm_blend {
    int n_leg;
    const pkm_leg* leg;
    double radius; ///< along the legs [m]; 0: no blending
    double length; ///< of all legs [m]
    pkm_law_profile law;
} pkm_blend;

/// The tool at time `t` of the motion's clock [s].
void pkm_blend_at(const pkm_blend* blend, double t, pkm_tool_jet* out);

/// Give the path its times: those of the law on its length, stretched until the corners keep the
/// limits too. `name` begins the error sentence.
/// @return PKM_ERR_ARGUMENT: a leg too short for its corners, a duration too short for its limits.
PKM_NODISCARD pkm_status pkm_blend_plan(pkm_blend* blend, const pkm_law_request* request,
                                        const char* name, pkm_error* err);

#endif
