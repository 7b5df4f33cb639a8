/// What a motion is made of; seen by its creation and its evaluation only.
#ifndef PKM_MOTION_DATA_H
#define PKM_MOTION_DATA_H

#include "motion/blend.h"
#include "motion/function.h"
#include "motion/sequence.h"
#include "motion/shaper.h"
#include "motion/spline.h"
#include "motion/track.h"

/// All of a motion, in one block: the arrays follow the struct.
struct pkm_motion {
    char name[PKM_MAX_NAME];
    pkm_path_kind path;
    bool is_drives, turns;
    double hold_before, hold_after;
    double moving; ///< duration without the holds [s], before the shaper
    pkm_shaper shaper;

    pkm_law_request request; ///< kept to plan again when home changes
    pkm_law_profile law;     ///< drives
    int n_drive;
    double *drive_from, *drive_to;     ///< as written, NaN: home
    double *drive_start, *drive_delta; ///< with home put in; curves and functions start from it

    int n_leg;
    pkm_leg* leg;    ///< line, polyline, arc, circle
    pkm_blend blend; ///< polyline with rounded corners
    pkm_inverted_u u;
    pkm_spline spline;
    pkm_track track;         ///< spline through way points
    pkm_functions functions; ///< of time
    pkm_sequence sequence;
};

#endif
