/// Laws on curved ways: the shortest law of the straight way, stretched until the curve keeps the
/// limits too.
#ifndef PKM_MOTION_STRETCH_H
#define PKM_MOTION_STRETCH_H

#include "motion/law.h"

/// A way that runs by `law`. size(way, t, k): magnitude of the k-th derivative in time at `t` [s].
typedef struct pkm_curved_way {
    const void* way;
    double (*size)(const void* way, double t, int order);
    double length;        ///< that the law is planned for [m or rad]
    int n_look;           ///< instants at which peaks are looked for
    int first;            ///< 1: the speed has to be watched too; 2: it is that of the law
    pkm_law_profile* law; ///< of `way`; written
} pkm_curved_way;

/// Give the way its times. `name` begins the error sentence.
/// @return PKM_ERR_ARGUMENT: nothing fixes the duration, or it is too short for the limits.
PKM_NODISCARD pkm_status pkm_law_plan_curved(const pkm_law_request* request,
                                             const pkm_curved_way* way, const char* name,
                                             pkm_error* err);

#endif
