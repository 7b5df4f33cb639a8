/// Simulation: what the robot does when drives, friction and loads act on it.
#ifndef PKM_ANALYSIS_SIMULATION_H
#define PKM_ANALYSIS_SIMULATION_H

#include "analysis/actuation.h"
#include "analysis/contact_record.h"
#include "analysis/effects.h"
#include "pkm/table.h"

typedef enum pkm_integrator {
    PKM_INTEGRATOR_EXPLICIT, ///< Dormand-Prince 8(5,3) on the projected equations
    PKM_INTEGRATOR_BDF,      ///< SUNDIALS CVODE on the same equations, stiff forces implicit
    PKM_INTEGRATOR_GALPHA,   ///< generalised-alpha, index 3, for stiff runs
    PKM_INTEGRATOR_IDA,      ///< SUNDIALS IDA, stabilised index 2: a second opinion
} pkm_integrator;

/// Their names in run files and on the command line, ended by NULL.
extern const char* const pkm_integrator_name[];

typedef struct pkm_sim_settings {
    int motion;      ///< index, PKM_NONE: none
    double end_time; ///< [s]
    int n_instant;   ///< rows of the table, evenly spaced from 0 to end_time
    pkm_drive_plan drive[PKM_MAX_DRIVE];
    pkm_robot* model;                 ///< that controllers know; NULL: an exact one
    const pkm_effects* effects;       ///< NULL: none
    bool undeformed;                  ///< links that bend start so, not in equilibrium
    int n_start;                      ///< joints with a given rate at the start
    int start_joint[PKM_MAX_DRIVE];   ///< one-freedom tree joints
    double start_rate[PKM_MAX_DRIVE]; ///< [m/s, rad/s]
    pkm_vec3 tool_force, tool_torque; ///< world axes [N, N m]
    pkm_integrator integrator;
    double tolerance;          ///< relative; absolute in robot sizes and radians; 0: the default
    double max_step, min_step; ///< [s]; 0: free
    bool reactions;
    pkm_film *film, *ideal_film; ///< filled; NULL: none. The ideal one when there is a motion
    double jitter; ///< relative change of the start, for joints with play: shows chaos; 0: none
    pkm_contact_record* record; ///< of joints with play; NULL: not wanted
    pkm_progress_fn progress;
    void* user;
} pkm_sim_settings;

pkm_sim_settings pkm_sim_settings_defaults(void);

/// Its default tolerance: 1e-12 for the explicit method, whose order makes digits cheap (1e-8 with
/// links that bend or play, whose own frequencies set the step), 1e-6 for the implicit ones.
double pkm_integrator_tolerance(pkm_integrator integrator, const pkm_effects* effects);

/// Why a run ended. A run that ends early keeps the rows it has written.
typedef enum pkm_stop {
    PKM_STOP_END_TIME,
    PKM_STOP_INTERRUPTED,
    PKM_STOP_SINGULAR,   ///< no step leads on: a singular position, jamming friction
    PKM_STOP_STEP_LIMIT, ///< the tolerances asked for a step below the smallest
} pkm_stop;

/// Sums over the run [J].
typedef struct pkm_ledger {
    double drive, load, payload;               ///< put in by drives, by loads, brought by payloads
    double friction, damping, contact;         ///< lost
    double kinetic, potential, spring, strain; ///< change, end - start
    double residual;                           ///< drive + load + payload - losses - changes
    double exchanged; ///< integral of |powers| + largest kinetic energy: the scale
} pkm_ledger;

/// The largest value of a link that bends.
typedef struct pkm_bend_peak {
    const char* link; ///< its name, lent by the description; NULL: there is none
    double value, t;
} pkm_bend_peak;

/// How near links that bend came to the limits of a model of small deflections, at the rows.
typedef struct pkm_bend_limits {
    pkm_bend_peak buckling;   ///< compression over Euler's load between the joints
    pkm_bend_peak deflection; ///< over the distance of the joints
    pkm_bend_peak turn;       ///< rotation of a place on the link [rad]
} pkm_bend_limits;

/// Beyond these the model is no longer to be trusted.
#define PKM_BEND_BUCKLING   0.3
#define PKM_BEND_DEFLECTION 0.05
#define PKM_BEND_TURN       0.1

typedef struct pkm_sim_report {
    pkm_stop stop;
    int n_done;
    double t_end;  ///< time of the last row
    double t_stop; ///< where a run that ended early could not go on
    int steps, rejected, rates;
    double drift_position, drift_velocity; ///< largest closure residual at the rows [m, m/s]
    pkm_ledger ledger;
    double energy_use[PKM_MAX_DRIVE]; ///< of drives with controller or motor [J]; NaN: others
    pkm_bend_limits bend;             ///< of links that bend
} pkm_sim_report;

/// Simulate from home (or from the start of the motion) at the motion's velocities.
///
/// Columns: those of pkm_inverse_run (power is that of the drives), energy.spring, loss.friction,
/// loss.damping [W], work.drive, work.load, work.lost [J], balance [J]; for drives with controller
/// or motor <drive>.demand .saturated .electric and with a motor .torque; of each link that bends
/// <link>.deflection .twist .stress .axial .buckling (see flexible/gauge.h); with a motion the
/// deviations from the ideal rigid one: <drive>.dq .dforce, <tool>.dx .dy .dz .dp .dv .da
/// (magnitudes of the vector differences) and .turn [rad].
/// @return PKM_OK for every pkm_stop; PKM_ERR_ARGUMENT, PKM_ERR_MODEL, PKM_ERR_MEMORY; what inverse
///         dynamics returns when the ideal motion cannot be followed.
PKM_NODISCARD pkm_status pkm_simulate(pkm_robot* robot, const pkm_sim_settings* settings,
                                      pkm_table* table, pkm_sim_report* report, pkm_error* err);

#endif
