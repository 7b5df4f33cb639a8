// Stiffness of contacts from materials and radii: Hertz' ball in a socket (1.7), ball and cylinder
// of nearly equal radii (1.9), (1.10). Asked by the reader of run files where `material` is given
// instead of `stiffness`. Equations: docs/theory/contact.md, section 1.3.
#include "force/contact_stiffness.h"

#include "math/angle.h"

#include <math.h>

/// 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2, (1.6)
double pkm_contact_modulus(pkm_contact_material a, pkm_contact_material b)
{
    return 1.0 /
           ((1.0 - a.poisson * a.poisson) / a.young + (1.0 - b.poisson * b.poisson) / b.young);
}

/// R1 R2 of ball and socket.
static double radii(double radius, double clearance)
{
    return radius * (radius + clearance);
}

void pkm_contact_law_set_hertz(pkm_contact_law* law, double modulus, double radius,
                               double clearance)
{
    law->elastic = PKM_ELASTIC_POWER;
    law->exponent = 1.5;
    // K = 4/3 E* sqrt(R1 R2/c) with n = 3/2 (1.7)
    law->stiffness = 4.0 / 3.0 * modulus * sqrt(radii(radius, clearance) / clearance);
}

void pkm_contact_law_set_ball(pkm_contact_law* law, double modulus, double radius, double clearance)
{
    law->elastic = PKM_ELASTIC_BALL;
    law->clearance = clearance;
    // A of (1.9); for d << c the force A d sqrt(d/c) 3 is Hertz' again
    law->stiffness = 4.0 / 9.0 * modulus * sqrt(radii(radius, clearance));
}

void pkm_contact_law_set_cylinder(pkm_contact_law* law, double modulus, double length,
                                  double clearance)
{
    law->elastic = PKM_ELASTIC_CYLINDER;
    law->clearance = clearance;
    // A of (1.10)
    law->stiffness = 0.5 * PKM_PI / sqrt(2.0) * modulus * length;
}
