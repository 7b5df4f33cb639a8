/// The elastic part of contact laws from materials and radii, docs/theory/contact.md, section 1.3.
#ifndef PKM_FORCE_CONTACT_STIFFNESS_H
#define PKM_FORCE_CONTACT_STIFFNESS_H

#include "force/contact_law.h"

/// Young's modulus [Pa] and Poisson's ratio of one side.
typedef struct pkm_contact_material {
    double young, poisson;
} pkm_contact_material;

/// E* [Pa] of two surfaces: 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2, (1.6).
double pkm_contact_modulus(pkm_contact_material a, pkm_contact_material b);

/// Ball of `radius` in a socket larger by `clearance` [m] after Hertz: K d^1.5 with
/// K = 4/3 E* sqrt(R1 R2/(R2 - R1)), (1.7). Holds for small contact angles.
void pkm_contact_law_set_hertz(pkm_contact_law* law, double modulus, double radius,
                               double clearance);

/// Ball in a socket of nearly the same radius, for any contact angle: an elastic foundation that is
/// Hertz' law in the limit of light loads, (1.9).
void pkm_contact_law_set_ball(pkm_contact_law* law, double modulus, double radius,
                              double clearance);

/// Pin in a bore that touch along `length` [m]: Liu, Zhang and Yang 2007, (1.10).
void pkm_contact_law_set_cylinder(pkm_contact_law* law, double modulus, double length,
                                  double clearance);

#endif
