/// The rows of a run as its settings choose them: the one way from a run to a table that studies
/// and the page share.
#ifndef PKM_API_ROWS_H
#define PKM_API_ROWS_H

#include "clearance/seated.h"
#include "pkm/inverse.h"
#include "run/takes.h"
#include "simulate/simulation.h"

/// What inverse dynamics takes of the settings of a run.
pkm_inverse_settings pkm_rows_inverse_settings(const pkm_sim_settings* s);

/// The same of a run, with its method, effects, end and progress.
pkm_inverse_settings pkm_rows_inverse_of(const pkm_run* run);

/// Inverse dynamics along the motion; `report` has its end and its balance.
PKM_NODISCARD pkm_status pkm_rows_inverse(pkm_robot* robot, pkm_method method,
                                          const pkm_sim_settings* settings, pkm_table* table,
                                          pkm_sim_report* report, pkm_error* err);
/// Simulation; by static equilibria where `effects` say that clearance is seated: `seated`, which
/// may be NULL, has more of that.
PKM_NODISCARD pkm_status pkm_rows_simulate(pkm_robot* robot, const pkm_effects* effects,
                                           const pkm_sim_settings* settings, pkm_table* table,
                                           pkm_sim_report* report, pkm_seated_report* seated,
                                           pkm_error* err);

#endif
