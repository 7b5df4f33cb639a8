/// Mapping a workspace (pkm/workspace.h), for any way to solve a position.
///
/// A map asks a *sampler* for every point of a grid, for any robot and any way to solve it. Theory:
/// docs/theory/workspace.md.
#ifndef PKM_WORKSPACE_WORKSPACE_H
#define PKM_WORKSPACE_WORKSPACE_H

#include "closed/closed.h"
#include "pkm/workspace.h"

/// One tool position as a sampler finds it, at a fixed orientation.
typedef struct pkm_workspace_sample {
    bool reachable;
    bool in_limits; ///< all drives within their limits (true where there are none)
    /// Of J, translations only: velocity of the tool point [m/s] from drive rates, t = J q'. Ratio
    /// of its singular values, at least 1; INFINITY at a singularity.
    double condition;
    double sigma_min, sigma_max; ///< smallest and largest singular value of J
    double det_B, det_A; ///< of B t = A q': a change of sign is a parallel, a serial singularity
    int n_drive;
    double q[PKM_MAX_DRIVE]; ///< drive positions [m, rad]
} pkm_workspace_sample;

/// Evaluate one tool position. An unreachable position is PKM_OK with `reachable` false; everything
/// else in `out` is zero on entry. PKM_RETRY leaves the position out of the map, as if the grid did
/// not have it: so a map that somebody interrupts keeps what it has. Any other status ends the map
/// and is returned by it.
typedef pkm_status (*pkm_workspace_sampler)(void* user, const pkm_vec3* position,
                                            pkm_workspace_sample* out);

/// Where the reach (or its part in limits) ends between grid point `lower` and the next along
/// `axis`, of which one belongs to it and one does not: 0 at `lower`, 1 at the other.
typedef double (*pkm_workspace_edge_fn)(void* user, int lower, int axis, bool limits);

/// Evaluate the place at `share` (0 to 1) of the way from grid point `lower` to the next along
/// `axis`, both in reach; false: it cannot be told.
typedef bool (*pkm_workspace_between_fn)(void* user, int lower, int axis, double share,
                                         pkm_workspace_sample* out);

typedef struct pkm_workspace_settings {
    pkm_workspace_grid grid;
    double singular_condition; ///< positions with a larger condition number count as singular
    const char* sigma_unit;    ///< unit of the columns sigma_min, sigma_max: "m/rad", "1" ...
    double *reach_edge, *limits_edge; ///< as in pkm_workspace_plan; may be NULL
    pkm_workspace_edge_fn edge;       ///< tells them; NULL: by bisection
    pkm_workspace_sampler reach;      ///< for that, tells reach and limits only; NULL: the sampler
    pkm_workspace_between_fn between; ///< NULL: by the sampler
} pkm_workspace_settings;

/// No grid yet; singular_condition 1e6; sigma_unit "".
pkm_workspace_settings pkm_workspace_settings_defaults(void);

/// PKM_ERR_ARGUMENT for a grid that is empty, too large, not finite or not increasing.
PKM_NODISCARD pkm_status pkm_workspace_grid_check(const pkm_workspace_grid* grid, pkm_error* err);

/// Where layer `i` of the grid (checked) lies along `axis` [m].
double pkm_workspace_grid_place(const pkm_workspace_grid* grid, int axis, int i);

/// Map the grid: one row per point, x running fastest, then y. Columns: x, y, z [m]; reachable 0 or
/// 1; condition, sigma_min, sigma_max (0 where unreachable, at most PKM_WORKSPACE_LARGE); distance
/// [m] to the nearest singular or unreachable grid point (0 at those, -1 when the grid has none),
/// true within one diagonal of a grid cell; in_limits 0 or 1.
///
/// Singular are points with condition > singular_condition or not finite, and the nearer one of two
/// neighbours between which 1 / sigma_max or sigma_min vanishes, whatever the order: found by
/// looking for its minimum where the values around leave that open, or by the sign of det_B or
/// det_A. The edge of the grid is no boundary. `table` has no columns on entry; `report` may be
/// NULL.
/// @return PKM_ERR_ARGUMENT for a bad grid or a NaN from the sampler; PKM_ERR_MEMORY; what the
///         sampler returned.
PKM_NODISCARD pkm_status pkm_workspace_map(const pkm_workspace_settings* settings,
                                           pkm_workspace_sampler sample, void* user,
                                           pkm_table* table, pkm_workspace_report* report,
                                           pkm_error* err);

/// For samplers: condition, sigma_min, sigma_max from the translation rows of J, `n_row` (1 to 3:
/// the directions the tool point can move in) by `n_drive` (at most 16), column-major.
void pkm_workspace_set_jacobian(pkm_workspace_sample* sample, const double* J, int n_row,
                                int n_drive);

/// The data of the closed-form sampler; `closed` and the limits are lent.
typedef struct pkm_workspace_closed {
    const pkm_closed* closed;
    pkm_quat orientation; ///< of the tool
    int branch;   ///< pkm_closed_config.branch; PKM_NONE: by its place in the list of solutions
    int solution; ///< that place, the same in all of a working mode; 0: the first
    const double *lower, *upper; ///< [n_drive] limits of the drives, or NULL: none
    unsigned rotary;             ///< bit i: drive i is an angle, its limits hold modulo 2 pi
} pkm_workspace_closed;

/// A pkm_workspace_sampler through a closed form; `user` is a pkm_workspace_closed.
PKM_NODISCARD pkm_status pkm_workspace_sample_closed(void* user, const pkm_vec3* position,
                                                     pkm_workspace_sample* out);

/// The same without the Jacobian: in reach, in limits, drive positions.
void pkm_workspace_reach_closed(const pkm_workspace_closed* closed, const pkm_vec3* position,
                                pkm_workspace_sample* out);

#endif
