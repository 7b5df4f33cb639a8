/// The natural frequencies of a Delta with flexible links as they were published: Y.-L. Kuo,
/// Computers and Mathematics with Applications 71 (2016) 1973-1989, Tables 2 and 3. Its assembly is
/// not consistent (docs/theory/elastodynamics.md, section 3); it is here to set the printed numbers
/// beside ours, and only the study of the paper asks for it.
///
/// Three limbs of an upper link, clamped to its locked drive at A, and a lower link between
/// universal joints at B (on the upper link) and D (on the platform). z points from the base to the
/// platform.
#ifndef PKM_REPRODUCE_KUO2016_H
#define PKM_REPRODUCE_KUO2016_H

#include "beam/mesh.h"
#include "pkm/types.h"

enum { PKM_KUO2016_UPPER, PKM_KUO2016_LOWER };

typedef struct pkm_kuo2016_robot {
    double length[2];            ///< of the upper and the lower links, L1 and L2 [m]
    double base, platform;       ///< radii r_A and r_B [m]
    pkm_beam_section section[2]; ///< of the upper and the lower links
    pkm_beam_material material;
    double mass;      ///< of the platform [kg]
    double thickness; ///< of the platform, a solid disc [m]
    double gravity;   ///< along +z [m/s2]
} pkm_kuo2016_robot;

typedef struct pkm_kuo2016_settings {
    pkm_beam_shape shape;
    int n_element; ///< per link
} pkm_kuo2016_settings;

typedef struct pkm_kuo2016 pkm_kuo2016;

/// @return PKM_ERR_ARGUMENT for numbers out of range, PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_kuo2016_create(const pkm_kuo2016_robot* robot,
                                            const pkm_kuo2016_settings* settings, pkm_kuo2016** out,
                                            pkm_error* err);
void pkm_kuo2016_free(pkm_kuo2016* kuo);
int pkm_kuo2016_size(const pkm_kuo2016* kuo); ///< coordinates: "DOF" of the paper's tables

/// The `n_mode` lowest natural frequencies [rad/s] with locked drives, the platform at P [m].
/// Allocates nothing. @return PKM_ERR_UNREACHABLE, PKM_ERR_ARGUMENT for more modes than
/// coordinates, PKM_ERR_SINGULAR.
PKM_NODISCARD pkm_status pkm_kuo2016_frequencies(pkm_kuo2016* kuo, pkm_vec3 P, int n_mode,
                                                 double* omega, pkm_error* err);

#endif
