/// The plots of a simulated run: forces beside the ideal ones, energies, deviations,
/// flexible links.
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

/// What a verb writes of its run, with these plots.
typedef pkm_status (*pkm_verb_sim_writer)(pkm_verb_sim* sim, const pkm_verb_sim_plots* plots,
                                          pkm_error* err);

/// Make the plots that the run has columns for and write the run with them.
PKM_NODISCARD pkm_status pkm_verb_sim_write(pkm_verb_sim* sim, pkm_verb_sim_writer write,
                                            pkm_error* err);

#endif
