/// What pkm simulate says of clearance that is seated: deviations, load reversals.
#ifndef PKM_VERB_SEATED_REPORT_H
#define PKM_VERB_SEATED_REPORT_H

#include "verb/simulate_report.h"

/// Run with these settings: the table, and sim->seated with what a run of pkm simulate reports.
PKM_NODISCARD pkm_status pkm_verb_seated_run(pkm_verb_sim* sim, const pkm_sim_settings* settings,
                                             pkm_table* table, pkm_sim_report* report,
                                             pkm_error* err);

#endif
