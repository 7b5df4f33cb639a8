/// One straight, uniform beam element: stretch, torsion and bending in two planes.
///
/// Coordinates of an element, in its own axes (x along it), first those of end 0, then of end 1:
///
///     linear/cubic     u v w rx ry rz                         6 per end: 12
///     cubic/quintic    u v w rx ry rz u' rx' v'' w''         10 per end: 20
///
/// u, v, w are displacements [m], rx, ry, rz small rotations [rad] (v' = rz and w' = -ry without
/// shear), primes derivatives along x. Matrices are column-major. docs/theory/beams.md, section 2.
#ifndef PKM_BEAM_ELEMENT_H
#define PKM_BEAM_ELEMENT_H

#include "beam/section.h"

/// Shape functions: of stretch and torsion / of bending.
typedef enum pkm_beam_shape {
    PKM_BEAM_LINEAR_CUBIC,  ///< the usual one; frequencies converge with order 4
    PKM_BEAM_CUBIC_QUINTIC, ///< strains are coordinates too; order 8
} pkm_beam_shape;

typedef enum pkm_beam_theory {
    PKM_BEAM_EULER,      ///< Euler-Bernoulli: no shear, no rotary inertia of bending
    PKM_BEAM_RAYLEIGH,   ///< Euler-Bernoulli with rotary inertia
    PKM_BEAM_TIMOSHENKO, ///< with shear and rotary inertia; linear/cubic only
} pkm_beam_theory;

enum { PKM_BEAM_MAX_SIZE = 20 }; ///< most coordinates of an element

typedef struct pkm_beam_element {
    double length; ///< [m]
    pkm_beam_section section;
    pkm_beam_material material;
    pkm_beam_shape shape;
    pkm_beam_theory theory;
} pkm_beam_element;

/// Rows of the fields u v w rx ry rz at a place: field = row . coordinates.
typedef struct pkm_beam_field {
    double value[6][PKM_BEAM_MAX_SIZE];
    double slope[6][PKM_BEAM_MAX_SIZE]; ///< d/dx
} pkm_beam_field;

/// Coordinates of an element: 12 or 20.
int pkm_beam_shape_size(pkm_beam_shape shape);

/// Complain about length, section, material, or Timoshenko with cubic/quintic shapes.
PKM_NODISCARD pkm_status pkm_beam_element_check(const pkm_beam_element* element, pkm_error* err);

/// The fields at x = xi length, 0 <= xi <= 1, (2.2)-(2.5).
void pkm_beam_element_field(const pkm_beam_element* element, double xi, pkm_beam_field* out);

/// Stiffness matrix (2.6).
void pkm_beam_element_stiffness(const pkm_beam_element* element, double* K);

/// Consistent mass matrix (2.7).
void pkm_beam_element_mass(const pkm_beam_element* element, double* M);

/// Geometric stiffness of an axial force N(xi) = force[0] + force[1] xi + force[2] xi^2 [N],
/// tension positive: the integral of N (v'^2 + w'^2), (2.8).
void pkm_beam_element_geometric(const pkm_beam_element* element, const double force[3], double* K);

// Places and weights of the quadrature on [0, 1]; exact up to degree 11, so for all of the above.
enum { PKM_BEAM_N_GAUSS = 6 };
extern const double pkm_beam_gauss_at[PKM_BEAM_N_GAUSS];
extern const double pkm_beam_gauss_weight[PKM_BEAM_N_GAUSS];

#endif
