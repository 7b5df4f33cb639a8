/// What the integrators of a simulation share; only simulation*.c include this.
#ifndef PKM_ANALYSIS_SIMULATION_PARTS_H
#define PKM_ANALYSIS_SIMULATION_PARTS_H

#include "analysis/motion_table.h"
#include "analysis/simulation.h"
#include "solver/explicit_rk.h"

enum { PKM_SIM_SUMS = 5 }; ///< integrals: drive, load, friction, damping, exchanged

typedef struct pkm_sim {
    pkm_robot* robot;
    const pkm_sim_settings* settings;
    pkm_actuator* actuator;
    pkm_plant* plant;
    pkm_motion_table columns;
    pkm_table* ideal; ///< inverse dynamics at the same instants; NULL: no motion
    pkm_reaction* reaction;
    int n_q, n_v, n_z, n_y;
    double *y, *atol; ///< q, v, z, integrals
    pkm_rk* rk;
    pkm_energy start;
    double spring_start;
    double most_kinetic; ///< largest change of kinetic energy at the rows [J]
} pkm_sim;

/// Take q and v of the state vector to the robot's state, and back.
void pkm_sim_load_state(pkm_sim* s, const double* y);
void pkm_sim_store_state(const pkm_sim* s, double* y);

/// Rates of the integrals from the plant's last evaluation.
void pkm_sim_sum_rates(const pkm_sim* s, double* rate);

/// Put row `i` at time `t` from the state vector `y` (projected first, so that it changes
/// slightly).
PKM_NODISCARD pkm_status pkm_sim_put_row(pkm_sim* s, int i, double t, double* y, pkm_table* table,
                                         pkm_sim_report* report, pkm_error* err);
/// Time of row i.
double pkm_sim_time_of(const pkm_sim* s, int i);
/// Why a failing integrator stopped.
pkm_stop pkm_sim_stop_for(pkm_status status);

/// The integrators: fill rows from 1 on; the state vector s->y is consistent at t = 0 and row 0 is
/// theirs too.
PKM_NODISCARD pkm_status pkm_sim_run_galpha(pkm_sim* s, pkm_table* table, pkm_sim_report* report,
                                            pkm_error* err);

#endif
