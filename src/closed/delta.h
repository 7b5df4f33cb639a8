/// The constants of a rotary Delta, as its closed form prepares them.
#ifndef PKM_CLOSED_DELTA_H
#define PKM_CLOSED_DELTA_H

#include "closed/rod_pair.h"

typedef struct pkm_delta {
    pkm_rod_pairs rods;
    double radius;        ///< base radius less platform radius [m]
    double crank;         ///< crank length [m]
    double crank_inertia; ///< about the motor axis [kg m2]
    double crank_moment;  ///< mass times distance of the centre of mass [kg m]
} pkm_delta;

#endif
