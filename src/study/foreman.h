/// The foreman of a study: gives the open cases to a crew and commits each result at once.
#ifndef PKM_STUDY_FOREMAN_H
#define PKM_STUDY_FOREMAN_H

#include "study/crew.h"
#include "study/store.h"

/// Called at least every tenth of a second; false ends the work, which can be continued later.
typedef bool (*pkm_foreman_tick)(void* user, int n_done, int n_all);

typedef struct pkm_foreman_report {
    int n_before; ///< cases that were finished already
    int n_done, n_failed;
    bool interrupted;
} pkm_foreman_report;

/// Run all cases of `store` that wait. `tick` may be NULL. The crew stays.
/// @return PKM_ERR_FILE when the database cannot be written: what was committed stays;
///         PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_foreman_run(const pkm_study* study, pkm_store* store, pkm_crew* crew,
                                         pkm_foreman_tick tick, void* user,
                                         pkm_foreman_report* report, pkm_error* err);

#endif
