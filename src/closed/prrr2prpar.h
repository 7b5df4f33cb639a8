/// The constants of a 1PRRR+2PRPaR, as its closed form prepares them.
#ifndef PKM_CLOSED_PRRR2PRPAR_H
#define PKM_CLOSED_PRRR2PRPAR_H

#include "closed/rrr_limb.h"

/// Bits of pkm_closed_config.branch: elbow of arm A negative, - root of arm B, - root of arm C,
/// det B < 0.
enum {
    PKM_PRRR2PRPAR_ELBOW = 1,
    PKM_PRRR2PRPAR_ROOT_B = 2,
    PKM_PRRR2PRPAR_ROOT_C = 4,
    PKM_PRRR2PRPAR_DET = 8,
};

/// An arm with a parallelogram: the rods keep parallel, so that one rod vector tells them all.
typedef struct pkm_rod_arm {
    pkm_vec3 axis;     ///< of its rail
    double length;     ///< l4 of the rods [m]
    double offset;     ///< l7, from H to the joint of the platform along the rail [m]
    double rod_mass;   ///< both rods [kg]
    double slide_mass; ///< slide and the short bar that goes with it [kg]
} pkm_rod_arm;

typedef struct pkm_prrr2prpar {
    pkm_rrr_limb limb;  ///< arm A
    pkm_rod_arm arm[2]; ///< arms B and C
    double offset_a;    ///< l7a [m]
    double mass;        ///< platform, payload and the short bars that go with it [kg]
    pkm_vec3 gravity;   ///< [m/s2]
    int branch;         ///< the branch of the file
} pkm_prrr2prpar;

#endif
