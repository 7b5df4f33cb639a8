/// The regions of a robot with clearance: loads on them, and the robot with its joints displaced by
/// them.
#ifndef PKM_CLEARANCE_REGIONS_H
#define PKM_CLEARANCE_REGIONS_H

#include "dynamics/effects.h"
#include "dynamics/inverse.h"
#include "force/clearance_region.h"
#include "robot/robot.h"

/// Clearance in one joint, or in one of the two pins of a universal joint.
typedef struct pkm_joint_region {
    int joint;
    bool on_b; ///< second pin of a universal joint: between its cross and b, in the axes of b
    int y_at;  ///< its coordinates among all
    pkm_region region;
} pkm_joint_region;

typedef struct pkm_regions {
    const pkm_mechanism* mech; ///< the ideal one
    int n, n_y;
    pkm_joint_region* item; ///< [n]
} pkm_regions;

/// The regions of these `n` joints. `mech` is lent.
PKM_NODISCARD pkm_status pkm_regions_create(const pkm_mechanism* mech,
                                            const pkm_joint_clearance* clearance, int n,
                                            pkm_regions* out, pkm_error* err);
void pkm_regions_free(pkm_regions* regions);

/// Loads f [n_y] that press the journals, opposite to the reactions [n_joint] on them. `state` is
/// that of a mechanism whose joints may be displaced.
void pkm_regions_loads(const pkm_regions* regions, const pkm_state* state,
                       const pkm_reaction* reaction, double* f);

/// Displace the joints of `moved`, a mechanism compiled from the same description, by y [n_y]; its
/// present state tells where sliders are.
void pkm_regions_displace(const pkm_regions* regions, const pkm_state* state, const double* y,
                          pkm_mechanism* moved);

/// Where each load presses (pkm_region_extreme over all); returns the sum of f . y. Loads below
/// `floor` times the largest do not press.
double pkm_regions_extreme(const pkm_regions* regions, const double* f, double floor, double* y);

// ---- loops with redundant constraints ----------------------------------------------------------

/// Redundant constraints allow only some of the displacements, and leave the loads open by
/// self-stresses z: f = f0 + E' z. The journals lie where E y = -g, which is the minimum of
/// h(f0 + E' z) + g . z over z, h the sum of f . y above (docs/theory/clearance.md, (3.7)).
typedef struct pkm_share {
    int n_free, n_y;
    double* E; ///< [n_y x n_free] loads of each self-stress, by columns
    double *g, *z, *z_try, *gradient, *step; ///< [n_free]
    double *f, *y;                           ///< [n_y]
    double *H, *A;                           ///< [n_y x n_free], [n_free x n_free]
} pkm_share;

PKM_NODISCARD pkm_status pkm_share_create(pkm_share* out, const pkm_regions* regions, int n_free,
                                          pkm_error* err);
void pkm_share_free(pkm_share* share);

/// Read the self-stresses of the last pkm_reactions_solve; `reaction` [n_joint] is work.
void pkm_share_read(pkm_share* share, const pkm_regions* regions, const pkm_reactions* reactions,
                    const pkm_state* state, pkm_reaction* reaction);

/// Find z from where it is, and the loads and places share->f, share->y; returns h + g . z. Without
/// self-stresses this is pkm_regions_extreme.
/// @return through `off` how far E y + g is from 0 [m].
double pkm_share_solve(pkm_share* share, const pkm_regions* regions, const double* f0, double floor,
                       double* off);

/// Add to the loads f [n_y] the self-stress that makes the sum of (radius f)^2 least; radius is
/// that of each coordinate's part.
void pkm_share_relax(pkm_share* share, const pkm_regions* regions, double* f);

/// Move the places y [n_y] the least way (over the radii) to E y = -g.
void pkm_share_comply(pkm_share* share, const pkm_regions* regions, double* y);

#endif
