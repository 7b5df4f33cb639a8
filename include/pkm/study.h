/// Studies: many cases of one robot, run by worker processes into a database
/// (docs/reference/study-file.md).
#ifndef PKM_STUDY_H
#define PKM_STUDY_H

#include "pkm/answer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Run the study file `path` into the SQLite database `database`, which is made; one that holds
/// cases of the same study is continued. `n_set` parameters of the robot are overridden;
/// `n_process` workers are forked (0: one per processor), so call it before your program has
/// threads. `progress` (may be NULL) is called with the fraction done; false ends the work, which
/// the same call continues.
///
/// Table "cases": one row per case with its number, each swept parameter [SI] or the number of the
/// factor's level (from 0), and its outputs, NaN where a case failed; values cases, failed,
/// finished_before. Effects, couplings, signals and levels in words are in the database.
/// @return PKM_ERR_CASES when cases failed (the answer has the others); PKM_ERR_INTERRUPTED;
///         PKM_ERR_FILE, PKM_ERR_SYNTAX, PKM_ERR_MODEL with file, line and column; PKM_ERR_ARGUMENT
///         for NULL and a database of another study; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_run_study(const char* path, const char* database,
                                               const pkm_override* set, int n_set, int n_process,
                                               pkm_progress_fn progress, void* user,
                                               pkm_answer** out, pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
