/// Static equilibrium of a plant: all drives at rest where they are, nothing accelerates.
///
/// The tangent is the full one: elastic links with their stiffening, springs, bushings, surfaces
/// that touch, and the turn of loads and reactions with the bodies (docs/theory/flexible.md,
/// section 5).
#ifndef PKM_DYNAMICS_EQUILIBRIUM_H
#define PKM_DYNAMICS_EQUILIBRIUM_H

#include "dynamics/plant.h"

/// How the search ended.
typedef enum pkm_rest_end {
    PKM_REST_FOUND,       ///< in equilibrium, stable on the freedoms that something elastic holds
    PKM_REST_LIMIT,       ///< the loads have a largest value on the path: limit point
    PKM_REST_BIFURCATION, ///< the path branches: the state is no longer stable
    PKM_REST_UNHELD,      ///< nothing elastic holds a freedom that is loaded
    PKM_REST_LOST,        ///< no equilibrium was found
} pkm_rest_end;

typedef struct pkm_rest_report {
    pkm_rest_end end;
    double factor; ///< of the loads: reached, or that of the critical point
    int mode;      ///< tree velocity with the largest part in the critical mode; PKM_NONE
    int n_tangent; ///< tangents that were needed
} pkm_rest_report;

/// Scales weight and loads, not springs: `scale` is called with factors 0 .. 1.
typedef struct pkm_rest_loads {
    void* user;
    void (*scale)(void* user, double factor);
    /// Asked before each tangent and within it, before each projection; false ends the search. May
    /// be NULL.
    bool (*goes_on)(void* user);
} pkm_rest_loads;

/// Follow the path of equilibria from the unloaded state, where the plant stands, to the loads, in
/// steps that never leave the path; end at its first critical point. Velocities are zero
/// afterwards. The drives of the plant are prescribed.
/// @return PKM_OK with report->end; PKM_ERR_MEMORY; PKM_ERR_INTERRUPTED when loads->goes_on said
/// so.
PKM_NODISCARD pkm_status pkm_plant_follow_loads(pkm_plant* plant, double t,
                                                const pkm_rest_loads* loads,
                                                pkm_rest_report* report);

/// Go down from where the plant stands to an equilibrium under the full loads: with surfaces that
/// are apart and touch there is no path. Contacts push wherever they penetrate. Of `loads` (may be
/// NULL) only goes_on is called.
/// @return as above; factor is 1.
PKM_NODISCARD pkm_status pkm_plant_come_to_rest(pkm_plant* plant, double t,
                                                const pkm_rest_loads* loads,
                                                pkm_rest_report* report);

#endif
