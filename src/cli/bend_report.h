/// What pkm simulate says of links that bend: the largest deflection, twist, stress and axial force
/// of each, and warnings where a model of small deflections ends.
#ifndef PKM_CLI_BEND_REPORT_H
#define PKM_CLI_BEND_REPORT_H

#include "cli/simulate_report.h"

enum { CLI_MAX_BEND_WARNING = 3 };

/// The k-th warning of the run, in `out`; false: there are no more.
bool cli_bend_warning(const cli_sim* sim, int k, char* out, size_t size);

void cli_bend_print(const cli_sim* sim);
void cli_bend_put(pkm_json* json, const cli_sim* sim);

#endif
