/// The line of a link between its joints, from which deflections count, and Euler's load of what is
/// held there. docs/theory/flexible.md, section 7.
#ifndef PKM_FLEXIBLE_SPAN_H
#define PKM_FLEXIBLE_SPAN_H

#include "flexible/link.h"

/// Between the two joints that are farthest apart; from the tangent at `first` when a drive carries
/// the link there, or when there is no other joint.
typedef struct pkm_flexible_span {
    int first, last;   ///< frames of joints; PKM_NONE: the far end is a free one
    bool from_tangent; ///< at `first`
    pkm_vec3 along;    ///< unit vector from first to last, body axes
    double length;     ///< between them [m]
    double held;       ///< Euler's length [m] (7.4)
} pkm_flexible_span;

/// Where the line begins: the joint at `carried`, where a drive carries the link; NULL: an end of
/// the two joints that are farthest apart.
int pkm_flexible_span_first(const pkm_flexible_frame* frame, int n_joint, const pkm_vec3* carried);

/// The line from `first` on. `tip`: the place of the link that is farthest from it [body axes].
pkm_flexible_span pkm_flexible_span_make(const pkm_flexible_frame* frame, int n_joint, int first,
                                         bool is_carried, pkm_vec3 tip);

/// pi^2 EI/l^2 [N] with the bending stiffness EI [N m2] (7.4).
double pkm_flexible_eulers_load(const pkm_flexible_span* span, double EI);

#endif
