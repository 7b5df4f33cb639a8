#include "force/contact_stiffness.h"

#include <math.h>

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
    law->stiffness = 4.0 / 3.0 * modulus * sqrt(radii(radius, clearance) / clearance);
}

void pkm_contact_law_set_ball(pkm_contact_law* law, double modulus, double radius, double clearance)
{
    law->elastic = PKM_ELASTIC_BALL;
    law->clearance = clearance;
    law->stiffness = 4.0 / 9.0 * modulus * sqrt(radii(radius, clearance));
}

void pkm_contact_law_set_cylinder(pkm_contact_law* law, double modulus, double length,
                                  double clearance)
{
    static const double PI = 3.14159265358979323846;
    law->elastic = PKM_ELASTIC_CYLINDER;
    law->clearance = clearance;
    law->stiffness = 0.5 * PI / sqrt(2.0) * modulus * length;
}
