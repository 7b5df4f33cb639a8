/// What a run chooses beside its effects: motion, drives, how long, how exactly.
#ifndef PKM_RUN_SETTINGS_H
#define PKM_RUN_SETTINGS_H

#include "dynamics/effects.h"
#include "force/controller.h"
#include "force/motor.h"
#include "force/shaft_coupling.h"
#include "force/signal.h"
#include "pkm/run.h"
#include "robot/robot.h"
#include "solver/stepper.h"

// ---- drives -----------------------------------------------------------------------------------

typedef enum pkm_drive_kind {
    PKM_DRIVE_PRESCRIBED, ///< follows the motion exactly; its force is a result
    PKM_DRIVE_LOCKED,     ///< stays where it is at the start
    PKM_DRIVE_FREE,       ///< no force
    PKM_DRIVE_PLAYBACK,   ///< the force of inverse dynamics for the motion, open loop
    PKM_DRIVE_FORCE,      ///< a force given over time
    PKM_DRIVE_SERVO,      ///< a controller follows the motion
} pkm_drive_kind;

/// What one drive does. Zeroed: prescribed.
typedef struct pkm_drive_plan {
    pkm_drive_kind kind;
    pkm_signal force;          ///< PKM_DRIVE_FORCE [N, N m]
    pkm_controller controller; ///< PKM_DRIVE_SERVO
    /// A motor with gear and screw between force and drive; without one the drive is ideal. The
    /// force asked for is that on the drive before losses: torque times ratio.
    bool has_motor;
    pkm_motor motor;
    /// Between motor and drive; stiffness 0: they move together. With one, a prescribed drive means
    /// that the motor follows the motion.
    pkm_shaft_coupling coupling;
    double sample_period, sample_delay; ///< servo [s]; period 0: continuous
} pkm_drive_plan;

/// Does the drive itself follow motion or lock exactly?
static inline bool pkm_drive_is_prescribed(const pkm_drive_plan* plan)
{
    return (plan->kind == PKM_DRIVE_PRESCRIBED || plan->kind == PKM_DRIVE_LOCKED) &&
           plan->coupling.stiffness == 0.0;
}

/// A controller that a program gives as a function, asked every period.
typedef struct pkm_program_plan {
    pkm_controller_fn control; ///< NULL: none
    void* user;
    double period; ///< [s]
} pkm_program_plan;

/// What a drive does in linear models about a pose.
typedef enum pkm_elastic_hold {
    PKM_ELASTIC_LOCKED,
    PKM_ELASTIC_FREE,
    PKM_ELASTIC_SPRING, ///< with a stiffness, as a servo has it
} pkm_elastic_hold;

typedef struct pkm_elastic_drive {
    pkm_elastic_hold hold;
    double stiffness; ///< [N/m, N m/rad]
    double damping;   ///< [N s/m, N m s/rad]
} pkm_elastic_drive;

// ---- simulation -------------------------------------------------------------------------------

enum { PKM_MAX_INPUT = 32 };

/// A signal that is set from outside while a simulation runs.
typedef struct pkm_run_input {
    const char* name;
    const char* unit; ///< SI
    pkm_dimension dimension;
    double start, value;
} pkm_run_input;

typedef struct pkm_sim_settings {
    int motion;      ///< index, PKM_NONE: none
    double end_time; ///< [s]
    int n_instant;   ///< rows of the table, evenly spaced from 0 to end_time
    pkm_drive_plan drive[PKM_MAX_DRIVE];
    pkm_program_plan program; ///< its forces are added, too
    /// [n_drive] added to the forces of drives that are not prescribed, read whenever they are
    /// asked for [N, N m]; NULL: none.
    const double* added_force;
    /// References of drives with controllers, read likewise, in place of the motion's; NULL, and a
    /// position that is NaN: those of the motion.
    const pkm_target* given;
    int n_input;
    pkm_run_input* input;       ///< [PKM_MAX_INPUT] of the run, lent
    bool peaks_unread;          ///< nobody asks for peaks between rows
    pkm_robot* model;           ///< that controllers know; NULL: an exact one
    const pkm_effects* effects; ///< NULL: none
    bool undeformed;            ///< flexible links start so, not in equilibrium
    int n_start;                ///< rates and offsets given at the start
    /// Joints of the tree, one after another: with one freedom one rate each; balls three, the
    /// angular velocity of b against a in the axes of a; free bodies six, the velocity of b before.
    int start_joint[PKM_MAX_DRIVE];
    double start_rate[PKM_MAX_DRIVE];   ///< [m/s, rad/s]
    double start_offset[PKM_MAX_DRIVE]; ///< from where they stand [m, rad]; turns as rotation
                                        ///< vectors of b against a in the axes of a
    bool start_slides[PKM_MAX_DRIVE];   ///< it is a length
    pkm_vec3 tool_force, tool_torque;   ///< world axes [N, N m]
    pkm_idle_choice idle;               ///< of inverse dynamics; simulations move them
    pkm_integrator integrator;
    /// Where the steps of the explicit method are set by stability and not by accuracy the run goes
    /// on with this one, with this tolerance; the same integrator: it stays.
    pkm_integrator when_stiff;
    double stiff_tolerance;
    double tolerance; ///< relative; absolute in robot sizes and radians; 0: the default
    /// The tolerances are parts of the swing of links that ring long, at this angular frequency
    /// [rad/s]; 0: of the robot.
    double ringing;
    double max_step, min_step; ///< [s]; 0: free
    double budget_steps;       ///< the run ends after so many accepted steps; 0: no bound
    double budget_time;        ///< and after this time on the clock [s]; 0: no bound
    bool reactions;
    pkm_snapshots *snapshots,
        *ideal_snapshots; ///< filled; NULL: none. The ideal one when there is a motion
    double
        jitter; ///< relative change of the start, for joints with clearance: shows chaos; 0: none
    struct pkm_contact_record* record; ///< of joints with clearance; NULL: not wanted
    pkm_progress_fn progress;
    void* user;
} pkm_sim_settings;

pkm_sim_settings pkm_sim_settings_defaults(void);

/// The lowest angular frequency [rad/s] of links that nothing damps and that vibrate so often that
/// errors of the energy add up, in a run that has no motion, whose energy is theirs; 0: there are
/// none.
double pkm_sim_ringing(const pkm_sim_settings* settings);

/// Its default tolerance for a run: 1e-12 for the explicit method, whose order
/// makes digits cheap (1e-8 with flexible links or clearance, whose own frequencies set the step),
/// 1e-7 to 1e-11 for sdirk, 1e-6 for others.
double pkm_integrator_tolerance(pkm_integrator integrator, const pkm_sim_settings* settings);

#endif
