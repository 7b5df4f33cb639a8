/// The scheduler of a study: gives the open cases to workers and commits each result at once.
#ifndef PKM_STUDY_SCHEDULER_H
#define PKM_STUDY_SCHEDULER_H

#include "study/store.h"
#include "study/workers.h"

/// Called at least every tenth of a second; false ends the work, which can be continued later.
typedef bool (*pkm_scheduler_tick)(void* user, int n_done, int n_all);

typedef struct pkm_scheduler_report {
    int n_before; ///< cases that were finished already
    int n_done, n_failed;
    bool interrupted;
} pkm_scheduler_report;

/// Run all cases of `store` that wait. `tick` may be NULL. The workers stay.
/// @return PKM_ERR_FILE when the database cannot be written: what was committed stays;
///         PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_scheduler_run(const pkm_study* study, pkm_store* store,
                                           pkm_workers* workers, pkm_scheduler_tick tick,
                                           void* user, pkm_scheduler_report* report,
                                           pkm_error* err);

#endif
