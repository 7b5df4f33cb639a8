/// What runs with flexible links tell of them.
#ifndef PKM_VERB_DEFLECTION_REPORT_H
#define PKM_VERB_DEFLECTION_REPORT_H

#include "verb/simulate_report.h"

/// "flexible_links": largest values of each link and place; nothing without such links.
void pkm_verb_deflection_result(const pkm_verb_sim* sim, pkm_result* out);

#endif
