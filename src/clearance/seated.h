/// Clearance without impacts along a motion: journals lie where the load presses them.
///
/// The massless-link limit of clearance: fast, smooth between load reversals, without flight. Where
/// the load on a joint passes zero its journal crosses the bearing; that is told as an event.
#ifndef PKM_CLEARANCE_SEATED_H
#define PKM_CLEARANCE_SEATED_H

#include "clearance/regions.h"
#include "run/settings.h"

/// A journal crosses its bearing because the load on it turns round.
typedef struct pkm_reversal {
    int joint;
    int part;     ///< of the joint's regions: 0 and 1 are the ends at +z and -z of a journal
    double t;     ///< where it is fastest [s]
    double angle; ///< that the load turns by in all [rad]; for stops and guides pi
    double load;  ///< smallest on the way [N]
} pkm_reversal;

enum { PKM_MAX_REVERSAL = 200 };

typedef struct pkm_seated_report {
    int n_done; ///< rows of the table
    bool interrupted;
    double t_end;
    double drop;      ///< deviation of the tool at the start [m]
    int n_instant;    ///< seated positions that were solved
    int iterations;   ///< in all
    int n_unsettled;  ///< instants where a load so near to zero left the offsets open
    double gap;       ///< largest residual of a redundant closure [m, rad]
    double roughness; ///< how far two orders of differentiation differ at most [m/s2]
    int n_reversal;   ///< may exceed PKM_MAX_REVERSAL; those are not kept
    pkm_reversal reversal[PKM_MAX_REVERSAL];
} pkm_seated_report;

/// Seat the robot along settings->motion with prescribed drives, loads, springs and payloads; what
/// else a run may choose is refused (run/takes.h).
///
/// Columns: those of pkm_inverse_run (the tool's velocity and acceleration are those of the seated
/// motion, other points' with the offsets held); <drive>.dq .dforce; <tool>.dx .dy .dz .dp .dv .da
/// .turn against the ideal motion as in pkm_simulate, .dv_held .da_held with the offsets held as
/// they are; per joint with clearance .ux .uy .uz (shift of b against a, in the axes of a) and
/// .load [N]; reversing, the number of journals that are crossing their bearings.
/// @return PKM_ERR_ARGUMENT, PKM_ERR_MODEL, PKM_ERR_MEMORY; what following the ideal motion
/// returns;
///         PKM_ERR_CONVERGENCE with the time where the loops cannot be closed with the offsets.
PKM_NODISCARD pkm_status pkm_seated_run(pkm_robot* robot, const pkm_sim_settings* settings,
                                        const pkm_joint_clearance* clearance, int n_clearance,
                                        pkm_table* table, pkm_seated_report* report,
                                        pkm_error* err);
/// The columns that it would write; nothing is run.
PKM_NODISCARD pkm_status pkm_seated_columns(pkm_robot* robot, const pkm_sim_settings* settings,
                                            const pkm_joint_clearance* clearance, int n_clearance,
                                            pkm_table* table, pkm_error* err);

#endif
