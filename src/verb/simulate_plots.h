/// The plots of a simulated run: forces beside the ideal ones, energies, deviations, links that
/// bend.
#ifndef PKM_VERB_SIMULATE_PLOTS_H
#define PKM_VERB_SIMULATE_PLOTS_H

#include "verb/run_folder.h"
#include "verb/simulate_report.h"

enum { CLI_SIM_PLOTS = 5 };

typedef struct cli_sim_plots {
    int n;
    pkm_table* table[CLI_SIM_PLOTS];
    cli_plot plot[CLI_SIM_PLOTS];
} cli_sim_plots;

/// Those that the run has columns for. @return PKM_ERR_MEMORY; free them in any case.
PKM_NODISCARD pkm_status cli_sim_plots_make(const cli_sim* sim, cli_sim_plots* out);
void cli_sim_plots_free(cli_sim_plots* plots);

#endif
