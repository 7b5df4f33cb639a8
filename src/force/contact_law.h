/// Laws of normal contact: the force between two surfaces from their penetration d [m], its rate
/// v = d' [m/s] and the speed v0 at first touch.
///
///     F = F_e(d) (1 + chi v / v0)        docs/theory/contact.md, (1.1)
///
/// F_e is elastic: K d^n, or the law of a ball or a pin in a bore of nearly the same radius. chi
/// follows from the restitution e, for each author in his way; IMPACT damps with c(d) v instead.
/// Dry surfaces push only: F >= 0.
#ifndef PKM_FORCE_CONTACT_LAW_H
#define PKM_FORCE_CONTACT_LAW_H

#include "pkm/status.h"

typedef enum pkm_contact_kind {
    PKM_CONTACT_HERTZ,               ///< chi = 0: elastic, nothing is lost
    PKM_CONTACT_LANKARANI_NIKRAVESH, ///< chi = 3 (1 - e^2) / 4; for e near 1
    PKM_CONTACT_HUNT_CROSSLEY,       ///< chi = 3 (1 - e) / 2; for e near 1
    PKM_CONTACT_FLORES,              ///< chi = 8 (1 - e) / (5 e), Flores et al. 2011
    PKM_CONTACT_GONTHIER,            ///< the chi that returns e exactly, (1.4)
    PKM_CONTACT_IMPACT,              ///< F_e + c(d) v, c a cubic step up to c_max at d_max (Adams)
    PKM_N_CONTACT_KIND,
} pkm_contact_kind;

/// What the elastic part F_e(d) is.
typedef enum pkm_elastic_kind {
    PKM_ELASTIC_POWER,    ///< K d^n
    PKM_ELASTIC_BALL,     ///< ball in a socket, contact over any angle (1.9)
    PKM_ELASTIC_CYLINDER, ///< pin in a bore, Liu et al. 2007 (1.10)
} pkm_elastic_kind;

/// A law with its parameters; those a law does not name are ignored.
typedef struct pkm_contact_law {
    pkm_contact_kind kind;
    pkm_elastic_kind elastic;
    double stiffness;    ///< K [N/m^n]; ball, cylinder: the factor A of (1.9), (1.10) [N/m]
    double exponent;     ///< n of the power law; 1.5 for ball and socket
    double clearance;    ///< ball, cylinder: radius of the bore less that of ball or pin [m]
    double restitution;  ///< e, 0 < e <= 1 (Hunt-Crossley, Lankarani-Nikravesh: 0 <= e)
    double impact_floor; ///< v0 is at least this [m/s]: surfaces that drift into touch
    double damping;      ///< IMPACT: c_max [N s/m]
    double full_depth;   ///< IMPACT: d_max [m], where c_max is reached
    double chi;          ///< of kind and restitution; set by pkm_contact_law_finish
} pkm_contact_law;

/// Usual values: exponent 1.5, restitution 0.9 (Hertz: 1), floor 1 mm/s; the stiffness is zero and
/// has to be given, IMPACT's damping too.
pkm_contact_law pkm_contact_law_defaults(pkm_contact_kind kind);

/// The law's name: "hertz", "lankarani-nikravesh", "hunt-crossley", "flores", "gonthier", "impact".
extern const char* const pkm_contact_kind_name[];

/// Check the parameters and set chi; needed before the law is used and after each change.
/// @return PKM_ERR_ARGUMENT naming parameter, value and what was expected.
PKM_NODISCARD pkm_status pkm_contact_law_finish(pkm_contact_law* law, pkm_error* err);

/// A sentence where the law is used outside its range (restitution far from 1 in a law that holds
/// near 1); NULL: nothing to say.
const char* pkm_contact_law_warning(const pkm_contact_law* law);

/// Elastic part F_e [N] at penetration `depth` [m], zero without penetration; its slope [N/m]; the
/// energy stored [J], the integral of F_e.
double pkm_contact_elastic(const pkm_contact_law* law, double depth);
double pkm_contact_elastic_slope(const pkm_contact_law* law, double depth);
double pkm_contact_elastic_energy(const pkm_contact_law* law, double depth);

/// The penetration [m] at which the elastic part is `force` >= 0 [N]: a body at rest.
double pkm_contact_static_depth(const pkm_contact_law* law, double force);

/// Normal force and the power that the law takes, (F - F_e) v >= 0.
typedef struct pkm_contact_force {
    double force;  ///< F >= 0 [N]
    double stored; ///< energy in the elastic part [J]
    double lost;   ///< [W]
} pkm_contact_force;

/// At penetration `depth` [m] that grows with `rate` [m/s], after a touch at `impact_speed` [m/s].
pkm_contact_force pkm_contact_law_force(const pkm_contact_law* law, double depth, double rate,
                                        double impact_speed);

/// dF/dd [N/m] and dF/dv [N s/m] of the same, zero where F is cut off at zero.
void pkm_contact_law_slopes(const pkm_contact_law* law, double depth, double rate,
                            double impact_speed, double* by_depth, double* by_rate);

// ---- free impact ------------------------------------------------------------------------------

/// The restitution that a free mass sees: the root of chi (1 + e) = ln((1 + chi)/(1 - chi e)),
/// (1.3). Not for IMPACT, whose restitution depends on mass and speed.
double pkm_contact_restitution(double chi);
/// The chi with which a free mass leaves with restitution `e`, 0 < e <= 1: its inverse.
double pkm_contact_chi(double e);

#endif
