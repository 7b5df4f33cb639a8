/// Mass, centre of mass and inertia tensor of solids and of what is put together from them.
#ifndef PKM_MODEL_MASS_H
#define PKM_MODEL_MASS_H

#include "math/quat.h"

#include <stdbool.h>

/// Mass [kg], centre of mass [m] and inertia tensor about it [kg m2] in the same axes, as
/// xx yy zz xy xz yz. The off-diagonal elements are those of the tensor: xy = -integral of x y dm.
typedef struct pkm_mass {
    double mass;
    pkm_vec3 com;
    double inertia[6];
} pkm_mass;

/// Both together:  I = I_a + I_b + m_a m_b / (m_a + m_b) (d.d E - d d'),  d = com_b - com_a.
pkm_mass pkm_mass_add(pkm_mass a, pkm_mass b);
/// The same body with another mass, shape unchanged; a body without mass has no inertia.
pkm_mass pkm_mass_scale(pkm_mass a, double mass);
/// The same body seen from another frame: `pose` is where its axes are.
pkm_mass pkm_mass_move(pkm_mass a, pkm_pose pose);

/// Principal moments of an inertia tensor, ascending [kg m2].
void pkm_mass_principal(const double inertia[6], double moment[3]);

/// Round bar of outer and inner radius from `from` to `to` [m], with density [kg/m3]:
///     J_axial = m (R^2 + r^2)/2,  J_transverse = m (3 (R^2 + r^2) + L^2)/12.
pkm_mass pkm_mass_cylinder(pkm_vec3 from, pkm_vec3 to, double radius, double inner_radius,
                           double density);
/// Box with edges `size` along the axes of `pose`, centred there:  J_x = m (b^2 + c^2)/12.
pkm_mass pkm_mass_box(pkm_pose pose, pkm_vec3 size, double density);
/// Solid ball:  J = 2/5 m R^2.
pkm_mass pkm_mass_sphere(pkm_vec3 center, double radius, double density);
/// Slender uniform rod of mass `mass`:  J_transverse = m L^2/12, no axial inertia.
pkm_mass pkm_mass_slender(pkm_vec3 from, pkm_vec3 to, double mass);
/// Closed triangle mesh with outward triangles (3 n corners), by exact integrals over the
/// tetrahedra that its triangles span with a point near it.
pkm_mass pkm_mass_mesh(const pkm_vec3* corner, int n_triangle, double density);

#endif
