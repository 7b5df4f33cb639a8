/// Laws of motion: how the path parameter u runs from 0 to 1 in the time T.
#ifndef PKM_MOTION_LAW_H
#define PKM_MOTION_LAW_H

#include "pkm/motion.h"

/// The path parameter and its time derivatives: u [1], u' [1/s], u'' [1/s2], u''' [1/s3].
typedef struct pkm_law_point {
    double u, v, a, j;
} pkm_law_point;

/// A law with its times.
typedef struct pkm_law_profile {
    pkm_law law;
    double T;    ///< duration [s]; 0: the step is made at once (a way of no length)
    double ramp; ///< trapezoidal, S-curve: time of each ramp [s], 0 < ramp <= T/2
    double rise; ///< S-curve: time of each change of the acceleration [s], 0 < rise <= ramp/2
} pkm_law_profile;

/// What a person asks of a law; NaN is "not given".
typedef struct pkm_law_request {
    pkm_law law;
    double duration;         ///< [s]
    double max_speed;        ///< [m/s or rad/s]
    double max_acceleration; ///< [m/s2 or rad/s2]
    double max_jerk;         ///< [m/s3 or rad/s3]
} pkm_law_request;

/// Give a way of `length` [m or rad] its times (docs/theory/motion.md, section 1). `name` begins
/// the error sentence.
/// @return PKM_ERR_ARGUMENT when nothing fixes the duration or it breaks a limit.
PKM_NODISCARD pkm_status pkm_law_plan(const pkm_law_request* request, double length,
                                      const char* name, pkm_law_profile* out, pkm_error* err);

/// The law at time `t` [s]; at rest before 0 and after T. The ends themselves belong to the motion,
/// with room for rounding in `t`, so that laws which start with a jump show it there.
pkm_law_point pkm_law_at(const pkm_law_profile* profile, double t);

#endif
