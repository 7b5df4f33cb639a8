/// Cross-sections and materials of beams. x runs along the beam, y and z across it.
/// Equations: docs/theory/beams.md, section 1.
#ifndef PKM_BEAM_SECTION_H
#define PKM_BEAM_SECTION_H

#include "pkm/status.h"

#include <stdbool.h>
#include <stddef.h>

/// What the edge of a section looks like.
typedef enum pkm_beam_outline {
    PKM_BEAM_BY_NUMBERS, ///< corners at (y_edge, z_edge), as of boxes, angles and I profiles
    PKM_BEAM_RECTANGLE,
    PKM_BEAM_ROUND, ///< a circle, of bars and tubes
    PKM_BEAM_ROUND_BY_NUMBERS,
} pkm_beam_outline;

/// What a section contributes to stiffness and inertia.
typedef struct pkm_beam_section {
    double A;  ///< area [m2]
    double Iy; ///< second moment of area about y [m4]: bending in the plane x-z
    double Iz; ///< second moment of area about z [m4]: bending in the plane x-y
    double J;  ///< torsion constant [m4]: torque = G J (twist per length)
    double Ip; ///< polar second moment Iy + Iz [m4]: rotary inertia rho Ip per length about x
    /// Shear correction 1/kappa = (shear[0] + shear[1] nu) / (1 + nu), nu Poisson's ratio.
    double shear[2];
    double y_edge, z_edge; ///< farthest fibres from the centroid [m], for stresses; 0: unknown
    pkm_beam_outline outline;
    double inner; ///< radius of the bore of a tube [m]
} pkm_beam_section;

typedef struct pkm_beam_material {
    double E;   ///< Young's modulus [Pa]
    double G;   ///< shear modulus [Pa]
    double rho; ///< density [kg/m3]
} pkm_beam_material;

/// How the torsion constant of a rectangle is taken.
typedef enum pkm_beam_torsion {
    PKM_BEAM_TORSION_ST_VENANT, ///< exact: the section warps (1.4)
    PKM_BEAM_TORSION_POLAR, ///< J = Iy + Iz, the choice of Kuo (2016): 19 % too stiff for a square
} pkm_beam_torsion;

/// A solid round section. @return PKM_ERR_ARGUMENT for a diameter [m] that is not positive.
PKM_NODISCARD pkm_status pkm_beam_section_round(double diameter, pkm_beam_section* out,
                                                pkm_error* err);

/// A round tube. @return PKM_ERR_ARGUMENT unless 0 <= inner < outer diameter [m].
PKM_NODISCARD pkm_status pkm_beam_section_tube(double outer, double inner, pkm_beam_section* out,
                                               pkm_error* err);

/// A solid rectangle, `width` along y and `height` along z [m]. @return PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_beam_section_rectangle(double width, double height,
                                                    pkm_beam_torsion torsion, pkm_beam_section* out,
                                                    pkm_error* err);

/// A section by its numbers; `kappa` is the shear correction (5/6 when in doubt).
/// @return PKM_ERR_ARGUMENT for a number that is not positive.
PKM_NODISCARD pkm_status pkm_beam_section_given(double A, double Iy, double Iz, double J,
                                                double kappa, pkm_beam_section* out,
                                                pkm_error* err);

/// The section between `a` and `b`, at the part 0 <= s <= 1 of the way (1.6): of two round ones and
/// of two rectangles the sizes are linear, of others A^(1/2), I^(1/4) and J^(1/4).
pkm_beam_section pkm_beam_section_between(const pkm_beam_section* a, const pkm_beam_section* b,
                                          double s, pkm_beam_torsion torsion);

/// Complain about a section that is not usable, however it was made.
PKM_NODISCARD pkm_status pkm_beam_section_check(const pkm_beam_section* section, pkm_error* err);

/// Complain about a material: E, G, rho > 0.
PKM_NODISCARD pkm_status pkm_beam_material_check(const pkm_beam_material* material, pkm_error* err);

/// G from Young's modulus and Poisson's ratio, E / (2 (1 + nu)).
pkm_beam_material pkm_beam_material_make(double E, double nu, double rho);

/// Shear correction factor kappa of the section in the material, after Cowper (1966) (1.5).
double pkm_beam_section_kappa(const pkm_beam_section* section, const pkm_beam_material* material);

/// Mass per length rho A [kg/m].
double pkm_beam_mass_per_length(const pkm_beam_section* section, const pkm_beam_material* material);

#endif
