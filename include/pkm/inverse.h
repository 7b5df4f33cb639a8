/// Inverse dynamics: the drive forces that make a motion, by the general engine or by the closed
/// form of the family. At one instant, for control; along a motion, into a table.
#ifndef PKM_INVERSE_H
#define PKM_INVERSE_H

#include "pkm/kinematics.h"
#include "pkm/table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pkm_method {
    PKM_METHOD_ENGINE, ///< any robot
    PKM_METHOD_CLOSED, ///< robots with a closed form; they share no code beyond the motion
} pkm_method;

// ---- at one instant ---------------------------------------------------------------------------

/// Fill now->force and now->tool from now->q, v, a and now->tool_force, tool_torque.
///
/// For control loops: called with drive positions near those of the call before (or near home), it
/// allocates nothing and costs a few microseconds with the engine, well below one with most closed
/// forms. `now` becomes the present configuration; the solution stays in the assembly mode the
/// robot is in. The two methods each keep their own present configuration.
/// @return PKM_ERR_UNREACHABLE, PKM_ERR_SINGULAR, PKM_ERR_MODEL as pkm_kinematics_forward;
///         PKM_ERR_UNDETERMINED when an idle freedom would have to be held by a force (the robot
///         stands there, now->force is that of the held one);
///         PKM_ERR_NUMBERS when the forces overflow;
///         PKM_ERR_ARGUMENT for NULL, NaN, infinity or a method the robot has not. The robot then
///         stays where it was, and now->force, now->tool are unchanged.
PKM_API PKM_NODISCARD pkm_status pkm_inverse_at(pkm_robot* robot, pkm_method method,
                                                pkm_instant* now, pkm_error* err);

// ---- along a motion ---------------------------------------------------------------------------

/// Called about once a row with the fraction done; false stops the run.
typedef bool (*pkm_progress_fn)(void* user, double fraction);

/// Effects beside the rigid motion, as a run file chooses them. What an analysis does not take,
/// docs/reference/effects.md, is refused by the program and by studies.
typedef struct pkm_effects pkm_effects;

/// Where the bodies are at some of the instants, for drawing.
typedef struct pkm_snapshots pkm_snapshots;

/// What becomes of idle freedoms, which move neither drives nor tool, and which a force would have
/// to hold (the spins of symmetric rods need none).
typedef enum pkm_idle_choice {
    PKM_IDLE_REFUSE,    ///< PKM_ERR_UNDETERMINED, naming joint and force
    PKM_IDLE_INTEGRATE, ///< they move by their equation of motion, from rest in equilibrium
    PKM_IDLE_HOLD,      ///< they are held: positions are right, forces those of another robot
} pkm_idle_choice;

typedef struct pkm_inverse_settings {
    pkm_method method;
    int n_instant;        ///< rows of the table, at least 2, evenly spaced over the motion
    pkm_vec3 tool_force;  ///< on the tool, from outside, world axes [N]
    pkm_vec3 tool_torque; ///< [N m]
    bool reactions;       ///< write the wrench of every joint too (engine only)
    /// Friction, loads, springs, payloads, motors of a run file (by the closed form motors only);
    /// NULL: none.
    const pkm_effects* effects;
    pkm_idle_choice idle;     ///< engine only
    double end_time;          ///< [s]; 0: that of the motion (later instants hold its end)
    pkm_snapshots* snapshots; ///< filled from its start (engine only); NULL: none
    pkm_progress_fn progress; ///< may be NULL
    void* user;
} pkm_inverse_settings;

/// 401 instants, engine, no load on the tool.
PKM_API pkm_inverse_settings pkm_inverse_settings_defaults(void);

/// A limit that the motion breaks.
typedef struct pkm_limit_report {
    char what[PKM_MAX_NAME]; ///< "q1 velocity"
    const char* unit;
    double limit;
    double value, t; ///< furthest beyond it, and when [s], between the rows; NaN: at a pose
    double from;     ///< when it is passed first [s]
} pkm_limit_report;

enum { PKM_MAX_LIMIT_REPORT = 64 };

/// What a run comes to, beside its table.
typedef struct pkm_inverse_report {
    int n_done; ///< rows in the table
    bool interrupted;
    double t_end;         ///< time of the last row
    double drive_work;    ///< integral of drive power over the motion [J]
    double load_work;     ///< of loads and the force on the tool [J]
    double friction_loss; ///< dissipated in the joints [J]
    double damping_loss;  ///< dissipated in dampers and bushings [J]
    double spring_change; ///< energy in springs, end - start [J]
    double energy_change; ///< kinetic (rotors included) and potential, end - start [J]
    bool is_summed;       ///< the works above mean something: see docs/reference/json.md
    double exchanged;     ///< integral of the magnitudes of the drives' powers [J]
    double power_error;   ///< largest |power of all forces - rate of energy| [W]
    double power_scale;   ///< largest power of one drive or body of the run [W]
    int n_limit;          ///< limits broken
    pkm_limit_report limit[PKM_MAX_LIMIT_REPORT];
} pkm_inverse_report;

/// Inverse dynamics along motion `motion` of the robot, from home; `settings` may be NULL (the
/// defaults), `report` too. The robot stands where the run ended.
///
/// `table` has no columns on entry. It gets: t; per drive .q .v .a .force; per output point (the
/// tool first) .x .y .z .vx .vy .vz .ax .ay .az .speed .acc, for tools that turn .roll .pitch .yaw;
/// energy.kinetic energy.potential power; per joint .Fx .Fy .Fz .Mx .My .Mz when asked; per drive
/// with a motor .torque [N m], .shaft [rad/s], .mechanical, .electric [W], .saturated (1: beyond
/// its limits).
/// @return PKM_ERR_UNREACHABLE with time and distance beyond reach, PKM_ERR_SINGULAR with time and
///         kind, PKM_ERR_UNDETERMINED with an idle freedom and the force that holds it: rows
///         computed before are kept in the table and counted in the report.
///         PKM_ERR_ARGUMENT for NULL, a motion or a method the robot has not, settings out of
///         range; PKM_ERR_MODEL; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_inverse_run(pkm_robot* robot, int motion,
                                                 const pkm_inverse_settings* settings,
                                                 pkm_table* table, pkm_inverse_report* report,
                                                 pkm_error* err);

/// The largest difference of the drive forces of two tables of the same motion, per drive, and
/// where.
typedef struct pkm_compare_row {
    double largest_force; ///< of both tables
    double difference;    ///< largest
    double t;             ///< where
} pkm_compare_row;

/// Run both methods and compare row by row: out[n_drive]; the tables are filled as by
/// pkm_inverse_run, whose statuses these are.
PKM_API PKM_NODISCARD pkm_status pkm_compare_run(pkm_robot* robot, int motion,
                                                 const pkm_inverse_settings* settings,
                                                 pkm_table* engine, pkm_table* closed,
                                                 pkm_compare_row* out, pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
