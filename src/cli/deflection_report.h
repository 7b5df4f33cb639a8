/// What runs with flexible links tell of them.
#ifndef PKM_CLI_DEFLECTION_REPORT_H
#define PKM_CLI_DEFLECTION_REPORT_H

#include "cli/simulate_report.h"

/// "flexible_links": largest values of each link and place; nothing without such links.
void cli_deflection_result(const cli_sim* sim, pkm_result* out);

#endif
