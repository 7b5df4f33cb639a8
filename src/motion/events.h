/// What happens at instants of a motion: sequences pick payloads up and drop them.
#ifndef PKM_MOTION_EVENTS_H
#define PKM_MOTION_EVENTS_H

#include "pkm/motion.h"

/// One of them, at the time `t` of the motion [s].
typedef struct pkm_motion_event {
    const char* payload; ///< its name, lent by the motion
    bool is_pick;        ///< else it is dropped
    double t;
} pkm_motion_event;

/// Write the first `n_most` of all events to `out` in the order of time (those of one instant as
/// they are written) and return how many there are.
int pkm_motion_events(const pkm_motion* motion, pkm_motion_event* out, int n_most);

/// Payloads that are moved before `end` [s]: picks, or drops where there are more of them, since
/// one that is dropped first is carried from the start.
int pkm_motion_n_pick(const pkm_motion* motion, double end);

/// The events of a sequence happen at rest, each payload is picked and dropped in turns. `name`
/// begins the error sentence.
/// @return PKM_ERR_ARGUMENT; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_motion_check_events(const pkm_motion* motion, pkm_error* err);

#endif
