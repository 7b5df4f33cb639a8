/// What pkm simulate says of links that bend: the largest deflection, twist, stress and axial force
/// of each, and warnings where a model of small deflections ends.
#ifndef PKM_CLI_BEND_REPORT_H
#define PKM_CLI_BEND_REPORT_H

#include "cli/simulate_report.h"

void cli_bend_print(const cli_sim* sim);
void cli_bend_put(pkm_json* json, const cli_sim* sim);

#endif
