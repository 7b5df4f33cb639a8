/// Elastodynamics on a rigid motion (KED) of any robot: flexible links as beams on the prescribed
/// motion, linear, with matrices that change in time, by Newmark's method.
///
///     M(t) y'' + C(t) y' + K(t) y = f(t)        docs/theory/elastodynamics.md, section 6
///
/// It shares meshes and joints with pkm modes and nothing with pkm_simulate but the rigid motion:
/// the two check each other.
#ifndef PKM_LINEAR_KED_H
#define PKM_LINEAR_KED_H

#include "flexible/link_readings.h"
#include "linear/elastic.h"
#include "run/settings.h"

typedef enum pkm_ked_start {
    PKM_KED_START_STATIC,     ///< K_y y = f of the first instant (6.6), at rest in turning axes
    PKM_KED_START_UNDEFORMED, ///< not deflected, at rest
    PKM_KED_START_PERIODIC,   ///< such that the response repeats itself with the motion
} pkm_ked_start;

typedef struct pkm_ked_settings {
    const pkm_effects* effects; ///< flexible links, forces on markers
    pkm_elastic_drive drive[PKM_MAX_DRIVE];
    int motion; ///< of the description
    pkm_ked_start start;
    double step;           ///< longest [s]; 0: chosen from the lowest frequency
    double end_time;       ///< [s]; 0: that of the motion, n_repeat times
    int n_repeat;          ///< the motion is run this many times
    int n_instant;         ///< rows of the table
    bool without_coupling; ///< leave out what the turning axes and joints add (6.6)
    bool has_stiffening;   ///< axial forces stiffen or soften bending
    pkm_vec3 tool_force;   ///< on the tool, world axes [N]
    pkm_vec3 tool_torque;  ///< [N m]
    bool is_choosing;      ///< choose the independent coordinates anew before every step
    bool (*progress)(void* user, double fraction); ///< false: stop; may be NULL
    void* user;
} pkm_ked_settings;

/// Drives locked to the motion, static start, once, 401 rows, with coupling, no stiffening.
pkm_ked_settings pkm_ked_settings_defaults(void);

typedef struct pkm_ked_report {
    int n_coordinate, n_link;
    int n_step, n_done; ///< steps; rows of the table
    int n_choice;       ///< how often the independent coordinates were chosen
    double step, t_end; ///< [s]
    double omega;       ///< lowest angular frequency at the start [rad/s]
    bool interrupted;
    pkm_deflection_limits bend;
} pkm_ked_report;

/// Run the motion and append rows to `table` (without columns on entry).
///
/// Columns, with the names of pkm_simulate: t [s]; <drive>.q .dq .v .a .force .dforce (v, a of the
/// rigid motion); <tool>.x .y .z
/// (bent), <tool>.dx .dy .dz .dp .dv .da .turn and .rx .ry .rz against the rigid motion; of each
/// flexible link those of pkm_deflection_add_columns. `report` may be NULL.
///
/// @return PKM_ERR_ARGUMENT for settings out of range, effects that are not linear, a motion that
///         does not close when it is to repeat; PKM_ERR_MODEL without a flexible link or for one
///         made by another program; PKM_ERR_UNREACHABLE; PKM_ERR_SINGULAR, also at a resonance of
///         the periodic response; PKM_ERR_NUMBERS where a link turns too far; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_ked_run(pkm_robot* robot, const pkm_ked_settings* settings,
                                     pkm_table* table, pkm_ked_report* report, pkm_error* err);

#endif
