/// Motions one after the other, with rests between them.
#ifndef PKM_MOTION_SEQUENCE_H
#define PKM_MOTION_SEQUENCE_H

#include "pkm/motion.h"

/// A payload is picked up or dropped after part `after` and `wait` [s] of the rest behind it.
typedef struct pkm_sequence_mark {
    char payload[PKM_MAX_NAME];
    bool is_pick;
    int after;
    double wait;
} pkm_sequence_mark;

/// `n` motions, lent, and the rests after each of them; all of it `repeat` times.
typedef struct pkm_sequence {
    int n, repeat;
    const pkm_motion** part; ///< [n]
    double* dwell;           ///< [n] rest after each [s]
    double* begin;           ///< [n] within one round [s]
    double round;            ///< duration of one round [s], before it is stretched
    double stretch;          ///< factor of all times, parts and rests
    int n_mark;
    pkm_sequence_mark* mark; ///< [n_mark] in the order of time
} pkm_sequence;

/// The part that runs at time `t`, and its own clock, which runs 1/stretch as fast.
const pkm_motion* pkm_sequence_at(const pkm_sequence* sequence, double t, double* clock);

/// Times of the parts from their durations, which may have changed.
void pkm_sequence_plan(pkm_sequence* sequence);

/// Every part begins where the one before ends, the first where the last ends when they repeat.
/// `name` begins the error sentence.
/// @return PKM_ERR_ARGUMENT with the gap.
PKM_NODISCARD pkm_status pkm_sequence_check(const pkm_sequence* sequence, int n_drive,
                                            const char* name, pkm_error* err);

#endif
