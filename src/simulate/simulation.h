/// Simulation: what the robot does when drives, friction and loads act on it.
#ifndef PKM_SIMULATE_SIMULATION_H
#define PKM_SIMULATE_SIMULATION_H

#include "dynamics/plant.h"
#include "flexible/link_readings.h"
#include "pkm/table.h"
#include "robot/limits.h"
#include "run/settings.h"
#include "simulate/contact_record.h"
#include "simulate/ledger.h"

/// Why a run ended. A run that ends early keeps the rows it has written.
typedef enum pkm_stop {
    PKM_STOP_END_TIME,
    PKM_STOP_INTERRUPTED,
    PKM_STOP_SINGULAR,   ///< no step leads on: a singular position
    PKM_STOP_JAMMED,     ///< friction jams: its loads grow to infinity
    PKM_STOP_PARADOX,    ///< no loads make the friction that makes them
    PKM_STOP_UNSETTLED,  ///< friction and reactions were not found, nor that there are none
    PKM_STOP_STEP_LIMIT, ///< the tolerances asked for a step below the smallest
    PKM_STOP_UNDECIDED,  ///< the loops lose rank and inertia does not decide how it goes on
    PKM_STOP_DRIVEN,     ///< the motion leads through a singular position
    PKM_STOP_ENERGY,     ///< at the end the energy does not add up: the rows are no answer
    PKM_STOP_BENT,       ///< a link turned beyond what small deflections tell: likewise
    PKM_STOP_DIVERGED,   ///< velocities beyond all bounds
    PKM_STOP_CONTROLLER, ///< a program's controller gave no finite force
    PKM_STOP_BUDGET,     ///< the steps or the time that were allowed are used up
} pkm_stop;

/// A sentence on why the run ended and what to try; "" for the end time.
const char* pkm_stop_reason(pkm_stop stop);

/// The status that tells a caller of the library why.
pkm_status pkm_stop_status(pkm_stop stop);

typedef struct pkm_sim_report {
    pkm_stop stop;
    int n_done;
    double t_end;                        ///< time of the last row
    double t_stop;                       ///< where a run that ended early could not go on
    int steps, rejected, rates, factors; ///< of the stepper, see solver/stepper.h
    bool is_stiff;                       ///< an implicit one would take longer steps
    pkm_integrator integrator;           ///< that took the last step
    double tolerance;                    ///< of it
    double t_change; ///< when it took over from the explicit one; NaN: it was there from the start
    pkm_jam jam;     ///< what friction did where a run ended early
    double drift_position, drift_velocity; ///< largest closure residual at the rows [m, m/s]
    pkm_ledger ledger;
    double energy_use[PKM_MAX_DRIVE]; ///< of drives with controller or motor [J]; NaN: others
    pkm_deflection_limits bend;       ///< of flexible links
    pkm_limit_list limits;            ///< of the model that are broken
} pkm_sim_report;

/// Simulate from home (or from the start of the motion) at the motion's velocities.
///
/// Columns: those of pkm_inverse_run (power is that of the drives), energy.spring, loss.friction,
/// loss.damping [W], work.drive, work.load, work.lost [J], balance [J]; for drives with controller
/// or motor <drive>.demand .saturated .electric and with a motor .torque; of each flexible link
/// <link>.deflection .twist .stress .axial .buckling (see flexible/gauge.h); with a motion the
/// deviations from the ideal rigid one: <drive>.dq .dforce, <tool>.dx .dy .dz .dp .dv .da
/// (magnitudes of the vector differences) and .turn [rad].
/// @return PKM_OK for every pkm_stop; PKM_ERR_ARGUMENT, PKM_ERR_MODEL, PKM_ERR_MEMORY; what inverse
///         dynamics returns when the ideal motion cannot be followed.
PKM_NODISCARD pkm_status pkm_simulate(pkm_robot* robot, const pkm_sim_settings* settings,
                                      pkm_table* table, pkm_sim_report* report, pkm_error* err);
/// The columns that pkm_simulate would write; nothing is run.
PKM_NODISCARD pkm_status pkm_simulate_columns(pkm_robot* robot, const pkm_sim_settings* settings,
                                              pkm_table* table, pkm_error* err);

#endif
