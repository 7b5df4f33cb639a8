/// Deflections in time of Kuo's Delta as published: the assembly of the tables, which is not
/// consistent (docs/theory/elastodynamics.md, section 3), under weight and the accelerations of the
/// rigid motion.
#ifndef PKM_REPRODUCE_KUO2016_RESPONSE_H
#define PKM_REPRODUCE_KUO2016_RESPONSE_H

#include "beam/jet.h"
#include "reproduce/kuo2016.h"

typedef enum pkm_kuo2016_start {
    PKM_KUO2016_STATIC,     ///< deflected by weight and the accelerations at the start, at rest
    PKM_KUO2016_UNDEFORMED, ///< not deflected, at rest
    PKM_KUO2016_PERIODIC,   ///< so that the response repeats itself with the motion
} pkm_kuo2016_start;

/// The platform at instants that are `step` [s] apart.
typedef struct pkm_kuo2016_path {
    const pkm_beam_jet* P; ///< [n]
    int n;                 ///< >= 2; periodic: the last is the first
    double step;
} pkm_kuo2016_path;

/// What flexible links do to the platform at each instant: displacement [m], small rotation [rad],
/// `out` [n][6], by Newmark's method
///
///     M q'' + K q = S' int rho A N' (g - a_rigid) dx,     M, K of the instant               (3.7)
///
/// without damping, gravity's stiffness and the terms of turning axes.
/// @return PKM_ERR_ARGUMENT for other shapes than linear-cubic; PKM_ERR_UNREACHABLE,
///         PKM_ERR_SINGULAR (a resonance), PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_kuo2016_respond(pkm_kuo2016* kuo, const pkm_kuo2016_path* path,
                                             pkm_kuo2016_start start, double (*out)[6],
                                             pkm_error* err);

#endif
