/// Three points on three circles with given mutual distances.
///
/// This is the closure of every robot guided in three points; it has up to 16 real solutions.
#ifndef PKM_CLOSED_CIRCLES_H
#define PKM_CLOSED_CIRCLES_H

#include "math/vec3.h"

enum { PKM_CIRCLES_MAX = 16 };

/// The points  center + radius (cos(angle) u + sin(angle) w);  u, w are unit and perpendicular.
typedef struct pkm_circle {
    pkm_vec3 center, u, w;
    double radius; ///< [m], > 0
} pkm_circle;

/// The point of `circle` at `angle` [rad].
pkm_vec3 pkm_circle_point(const pkm_circle* circle, double angle);

/// All angles [rad] at which the points are `distance[i]` [m] apart, where distance[i] is from
/// point i to point (i + 1) mod 3.
///
/// Returns how many triples were written. Each meets the three equations to rounding; solutions
/// closer than 1e-6 rad (a singular configuration) count once. The order is by rising first,
/// second, third angle. When there is none, `gap` (may be NULL) receives by how much [m] the
/// distances are missed at best.
int pkm_circles_solve(const pkm_circle circle[3], const double distance[3],
                      double angle[PKM_CIRCLES_MAX][3], double* gap);

#endif
