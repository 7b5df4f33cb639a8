/// What pkm simulate says of flexible links: the largest deflection, twist, stress and axial force
/// of each, and warnings where a model of small deflections ends.
#ifndef PKM_CLI_DEFLECTION_REPORT_H
#define PKM_CLI_DEFLECTION_REPORT_H

#include "cli/simulate_report.h"

void cli_deflection_print(const cli_sim* sim);
void cli_deflection_put(pkm_json* json, const cli_sim* sim);

#endif
