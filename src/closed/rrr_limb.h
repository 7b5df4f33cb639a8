/// The limb P-R-R-R with all axes parallel to its rail: a slide and two links that move in the
/// plane across the rail. Shared by the Isoglide family and by arm A of 1PRRR+2PRPaR.
///
/// Axes of the plane: rail along x: (y, z); along y: (z, x); along z: (x, y). Angles are
/// right-handed about the rail. Link 1 goes from the slide to the elbow, link 2 from the elbow to
/// the tip; the elbow sign is the sign of the angle from link 1 to link 2.
/// docs/theory/closed-isoglide.md, 1.
#ifndef PKM_CLOSED_RRR_LIMB_H
#define PKM_CLOSED_RRR_LIMB_H

#include "pkm/types.h"

/// A vector in the plane of a limb, along its cosine and its sine axis.
typedef struct pkm_rrr_plane {
    double c, s;
} pkm_rrr_plane;

/// A limb. Set the first block, then call pkm_rrr_limb_prepare for the second.
typedef struct pkm_rrr_limb {
    int axis;           ///< of the rail: 0 x, 1 y, 2 z
    pkm_rrr_plane rail; ///< where the rail crosses the plane [m]
    double l1, l2;      ///< lengths of the links [m]
    double m1, m2;      ///< masses of the links [kg], their centres in the middle
    double J1, J2;      ///< their inertia about the centre, across the plane [kg m2]
    double slide_mass;  ///< [kg]
    pkm_vec3 gravity;   ///< acceleration, world axes [m/s2]

    double mass;             ///< slide and links [kg]
    double I1, I2, h;        ///< kinetic energy (I1 w1^2 + I2 w2^2 + 2 h w1 w2 cos d) / 2 [kg m2]
    double moment1;          ///< first moment carried by link 1 and by its end [kg m]
    double moment2;          ///< first moment of link 2 about the elbow [kg m]
    pkm_rrr_plane gravity_p; ///< gravity in the plane
} pkm_rrr_limb;

/// Position, velocity and acceleration of the tip, in world axes. Its component along the rail is
/// that of the slide, up to a constant.
typedef struct pkm_rrr_tip {
    pkm_vec3 p, v, a;
} pkm_rrr_tip;

/// A tip this little [m] out of reach counts as reached: roundoff of a pose on the boundary.
#define PKM_RRR_REACH_SLACK 1e-12

/// The inertia m l^2/12 of a slender link, into `J` where it is NaN ("not given").
void pkm_rrr_slender(double m, double l, double* J);

/// Fill the second block of `limb`.
void pkm_rrr_limb_prepare(pkm_rrr_limb* limb);

/// The larger of two numbers; a NaN wins, so that it is not taken for a small one.
static inline double pkm_rrr_larger(double a, double b)
{
    return a > b || a != a ? a : b;
}

/// By how much [m] the limb is too short (or too long to fold) to reach `tip`; <= 0 within reach.
double pkm_rrr_limb_beyond(const pkm_rrr_limb* limb, pkm_vec3 tip);

/// The force [N] at the tip that gives slide and links their motion against gravity, in world axes;
/// the component along the rail is what the drive must give. `elbow` is +1 or -1.
///
/// @return false where the limb is stretched or folded: its angular velocities do not follow from
/// the tip.
bool pkm_rrr_limb_force(const pkm_rrr_limb* limb, double elbow, const pkm_rrr_tip* tip,
                        pkm_vec3* force);

/// Kinetic plus potential energy [J]; reads tip->p and tip->v. NaN where pkm_rrr_limb_force fails.
double pkm_rrr_limb_energy(const pkm_rrr_limb* limb, double elbow, const pkm_rrr_tip* tip);

#endif
