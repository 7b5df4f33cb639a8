/// Splines through way points, run by a law or at given times.
#ifndef PKM_MOTION_TRACK_H
#define PKM_MOTION_TRACK_H

#include "motion/law.h"
#include "motion/spline.h"

/// Columns over one parameter: the time, or the way along the chords between the points. The tool
/// runs its law in the true length of its path (docs/theory/motion.md, (27)), drives in the
/// parameter itself.
typedef struct pkm_track {
    pkm_spline spline; ///< no knots: there is no curve
    double* length_at; ///< [n_knot] length of the path up to each knot [m]; tool with a law
    bool is_timed, is_tool;
    double length; ///< that the law runs over [m or rad]
    pkm_law_profile law;
} pkm_track;

/// Lay the spline through its values: `track->spline` has way points in the places of its values,
/// times in those of its knots where the curve is timed. Then give it its times. `name` begins the
/// error sentence.
/// @return PKM_ERR_ARGUMENT; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_track_make(pkm_track* track, const pkm_law_request* request,
                                        const char* name, pkm_error* err);

/// Every column at time `t` of the motion's clock [s]: value and derivatives 1 to 3.
void pkm_track_at(const pkm_track* track, double t, double (*out)[4]);

/// How long it takes [s].
double pkm_track_duration(const pkm_track* track);

#endif
