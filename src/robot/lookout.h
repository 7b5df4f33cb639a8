/// Where singularities lie for somebody who leads the robot by hand: how near, of which kind, in
/// which direction the tool is lost, which drives lose it (docs/theory/engine.md, section 5).
#ifndef PKM_ROBOT_LOOKOUT_H
#define PKM_ROBOT_LOOKOUT_H

#include "robot/nearness.h"
#include "robot/singularity.h"

typedef struct pkm_lookout {
    bool known;              ///< the tool is prescribable: the numbers below mean something
    double condition;        ///< of the tool's Jacobian without units, at most PKM_NEARNESS_LARGE
    double parallel, serial; ///< estimated distances [m], turns times the robot's size
    unsigned kind;           ///< of the nearest one: PKM_SINGULAR_PARALLEL, _SERIAL or _CONSTRAINT
    double distance;         ///< to that
    double level;            ///< 0 far away, above 0 to be warned of, 1 at the singularity
    /// Unit: parallel, how the tool moves with locked drives there; serial, how it cannot move;
    /// constraint: zero, and so are the shares.
    double direction[PKM_TOOL_ALL];
    double share[PKM_MAX_DRIVE]; ///< of the drives, squares add up to 1: those that lose the tool
} pkm_lookout;

/// Look out from where the robot stands. `near` was begun for it (no motion) and is kept between
/// calls, which makes neighbouring ones cheap. The robot stays where it is, at rest.
void pkm_lookout_read(pkm_nearness* near, pkm_lookout* out);

#endif
