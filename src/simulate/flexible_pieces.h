/// What is read off a link in pieces: the same as of one in one (docs/theory/flexible.md, section
/// 7), with rotations of any size.
#ifndef PKM_SIMULATE_FLEXIBLE_PIECES_H
#define PKM_SIMULATE_FLEXIBLE_PIECES_H

#include "flexible/link_readings.h"
#include "robot/run_variant.h"

/// How a link in pieces is measured; see pkm_flexible_gauge.
typedef struct pkm_pieces_gauge {
    const pkm_run_variant* made;
    const pkm_run_link* link;
    const char* name;
    int first, last;       ///< frames of the whole link; PKM_NONE: the far end is a free one
    pkm_flexible_spot tip; ///< the sample farthest from `first`
    bool from_tangent;
    pkm_vec3 along;  ///< unit vector from first to last, body axes
    double length;   ///< between them [m]
    double buckling; ///< Euler's load of the whole link [N]
} pkm_pieces_gauge;

/// A gauge of `link`; a drive carries it where one of its bodies is clamped.
pkm_pieces_gauge pkm_pieces_gauge_make(const pkm_run_variant* made, const pkm_run_link* link,
                                       const char* name);

/// Read it at `state`: its columns to `link` and `place` [n_place]. The limits are raised by what
/// each piece does in its own frame; NULL: nobody asks for them.
void pkm_pieces_gauge_read(const pkm_pieces_gauge* gauge, const pkm_state* state, double t,
                           pkm_deflection_limits* limits, pkm_link_values* link,
                           pkm_link_values* place);

#endif
