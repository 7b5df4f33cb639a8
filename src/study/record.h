/// A study in its database: the design, the cases, what was finished.
#ifndef PKM_STUDY_RECORD_H
#define PKM_STUDY_RECORD_H

#include "study/case.h"
#include "study/store.h"

/// Fill a new database with the design of the study; all cases wait.
PKM_NODISCARD pkm_status pkm_record_study(pkm_store* store, const pkm_study* study, pkm_error* err);

/// PKM_OK when the database belongs to this study as it is now, with all files that took part, and
/// to this build of the program or `any_build` (one that is empty is filled); else PKM_ERR_ARGUMENT
/// with what to do.
PKM_NODISCARD pkm_status pkm_record_resume(pkm_store* store, const pkm_study* study, bool any_build,
                                           pkm_error* err);

/// Note the files that a case has read: one that had other bytes for another case makes it fail.
void pkm_record_check_sources(pkm_case_result* result);

/// Commit a finished case; `process` did it.
PKM_NODISCARD pkm_status pkm_record_case(pkm_store* store, const pkm_case_result* result,
                                         const char* process, pkm_error* err);

/// The cases that wait or whose process died (memory may have been short), in order; `out` has room
/// for `n_max`.
PKM_NODISCARD pkm_status pkm_record_waiting(pkm_store* store, int n_max, int* out, int* n,
                                            pkm_error* err);

#endif
