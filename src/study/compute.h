/// What a case computes: one table, by the analysis of the study.
#ifndef PKM_STUDY_COMPUTE_H
#define PKM_STUDY_COMPUTE_H

#include "run/takes.h"
#include "simulate/simulation.h"
#include "study/study.h"

/// Run the analysis of `study` on a prepared case with the settings of `settings` (those of its
/// run, or with another tolerance, number of instants ...), whose progress is asked. `table` is
/// empty on entry; column 0 is the time (a single row at 0 for natural frequencies).
/// @return what the analysis returns.
PKM_NODISCARD pkm_status pkm_study_compute(const pkm_study* study, int case_id,
                                           pkm_prepared* prepared, const pkm_sim_settings* settings,
                                           pkm_table* table, pkm_sim_report* report,
                                           pkm_error* err);

/// The analysis that takes or refuses the effects of a case.
pkm_analysis pkm_study_asks(const pkm_study* study, const pkm_run* run);

/// The columns that it would write, from the declarations of the analysis; nothing is run.
PKM_NODISCARD pkm_status pkm_study_columns(const pkm_study* study, int case_id,
                                           pkm_prepared* prepared, pkm_table* table,
                                           pkm_error* err);

#endif
