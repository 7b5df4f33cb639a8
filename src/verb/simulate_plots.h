/// The plots of a simulated run: forces beside the ideal ones, energies, deviations, links that
/// bend.
#ifndef PKM_VERB_SIMULATE_PLOTS_H
#define PKM_VERB_SIMULATE_PLOTS_H

#include "verb/run_folder.h"
#include "verb/simulate_report.h"

enum { VERB_SIM_PLOTS = 5 };

typedef struct pkm_verb_sim_plots {
    int n;
    pkm_table* table[VERB_SIM_PLOTS];
    pkm_verb_plot plot[VERB_SIM_PLOTS];
} pkm_verb_sim_plots;

/// Those that the run has columns for. @return PKM_ERR_MEMORY; free them in any case.
PKM_NODISCARD pkm_status pkm_verb_sim_plots_make(const pkm_verb_sim* sim, pkm_verb_sim_plots* out);
void pkm_verb_sim_plots_free(pkm_verb_sim_plots* plots);

#endif
