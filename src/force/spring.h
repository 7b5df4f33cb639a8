/// Springs and dampers: between two points, on a coordinate, and between two frames (bushing).
/// Equations: docs/theory/forces.md, section 4.
#ifndef PKM_FORCE_SPRING_H
#define PKM_FORCE_SPRING_H

#include "force/element.h"

// ---- between two points ------------------------------------------------------------------------

/// Tension F = preload + stiffness (l - free_length) + damping l' along the line of the points.
typedef struct pkm_spring {
    double stiffness;   ///< [N/m]
    double damping;     ///< [N s/m]
    double free_length; ///< [m]
    double preload;     ///< tension at free_length [N]
} pkm_spring;

/// @return PKM_ERR_ARGUMENT for negative or infinite parameters (the preload may be negative).
PKM_NODISCARD pkm_status pkm_spring_check(const pkm_spring* spring, const char* name,
                                          pkm_error* err);

/// The force between the origins of two markers (4.1). Where they meet there is no direction, and
/// no force.
pkm_pair_force pkm_spring_at(const pkm_spring* spring, const pkm_marker_motion* a,
                             const pkm_marker_motion* b);

// ---- on a coordinate ---------------------------------------------------------------------------

/// Q = -preload - stiffness (q - rest) - damping q', for a joint coordinate in m or rad.
typedef struct pkm_coordinate_spring {
    double stiffness; ///< [N/m, N m/rad]
    double damping;   ///< [N s/m, N m s/rad]
    double rest;      ///< [m, rad]
    double preload;   ///< [N, N m]
} pkm_coordinate_spring;

typedef struct pkm_coordinate_force {
    double force;              ///< on the coordinate [N, N m]
    double energy, dissipated; ///< [J, W]
} pkm_coordinate_force;

PKM_NODISCARD pkm_status pkm_coordinate_spring_check(const pkm_coordinate_spring* spring,
                                                     const char* name, pkm_error* err);
/// (4.2)
pkm_coordinate_force pkm_coordinate_spring_at(const pkm_coordinate_spring* spring, double q,
                                              double v);

// ---- between two frames ------------------------------------------------------------------------

/// Elastic and viscous along and about the axes of frame a; order x y z rx ry rz.
///
/// Displacement d and rotation vector theta of b against a, in the axes of a, are the coordinates;
/// the moment follows from the energy, so finite rotations neither make nor lose energy. Rotations
/// stay below half a turn, where the rotation vector is unique.
typedef struct pkm_bushing {
    double stiffness[6]; ///< [N/m], [N m/rad]
    double damping[6];   ///< [N s/m], [N m s/rad]
    double preload[6];   ///< force and moment on b when the frames coincide [N], [N m]
} pkm_bushing;

PKM_NODISCARD pkm_status pkm_bushing_check(const pkm_bushing* bushing, const char* name,
                                           pkm_error* err);
/// (4.3)-(4.7)
pkm_pair_force pkm_bushing_at(const pkm_bushing* bushing, const pkm_marker_motion* a,
                              const pkm_marker_motion* b);

#endif
