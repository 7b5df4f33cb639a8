/// The constants of an Isoglide T3 and of an Isoglide4, as their closed forms prepare them.
#ifndef PKM_CLOSED_ISOGLIDE_H
#define PKM_CLOSED_ISOGLIDE_H

#include "closed/rrr_limb.h"

enum { PKM_ISOGLIDE_T3_LIMBS = 3, PKM_ISOGLIDE4_LIMBS = 4 };

typedef struct pkm_isoglide_t3 {
    pkm_rrr_limb limb[PKM_ISOGLIDE_T3_LIMBS];
    double offset;    ///< l4, from E to the joints D along x, y, z [m]
    double mass;      ///< platform and payload [kg]
    pkm_vec3 gravity; ///< [m/s2]
    int elbows;       ///< the branch of the file
} pkm_isoglide_t3;

typedef struct pkm_isoglide4 {
    pkm_rrr_limb limb[PKM_ISOGLIDE4_LIMBS];
    double half;      ///< l6/2, from the tool point to K1 and K2 [m]
    double coupling;  ///< l5 [m]
    double mass;      ///< platform and payload [kg]
    double inertia;   ///< of the platform about y through its middle [kg m2]
    pkm_vec3 gravity; ///< [m/s2]
    int elbows;       ///< the branch of the file
} pkm_isoglide4;

#endif
