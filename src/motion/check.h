/// What is wrong with a motion as written, in one sentence.
#ifndef PKM_MOTION_CHECK_H
#define PKM_MOTION_CHECK_H

#include "pkm/motion.h"

/// The name for error sentences.
const char* pkm_motion_spec_name(const pkm_motion_spec* spec);

/// How many roll-pitch-yaw triples the spec has (0: none).
int pkm_motion_spec_n_rpy(const pkm_motion_spec* spec);

/// Check counts, finite numbers, holds, marks, sample times, degenerate paths. Durations and limits
/// are checked by pkm_law_plan.
PKM_NODISCARD pkm_status pkm_motion_spec_check(const pkm_motion_spec* spec, pkm_error* err);

#endif
