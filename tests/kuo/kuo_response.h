/// Time response of Kuo's Delta with flexible links on a prescribed rigid motion (KED): linear,
/// time- varying, by Newmark's method. docs/theory/elastodynamics.md, section 4.
#ifndef PKM_TESTS_KUO_RESPONSE_H
#define PKM_TESTS_KUO_RESPONSE_H

#include "kuo/kuo.h"
#include "pkm/motion.h"
#include "pkm/table.h"

typedef enum pkm_kuo_start {
    PKM_KUO_START_STATIC,   ///< deflected by weight and the inertia of the first instant, at rest
    PKM_KUO_START_PERIODIC, ///< such that the response repeats itself with the motion
} pkm_kuo_start;

typedef struct pkm_kuo_response_settings {
    pkm_kuo_start start;
    double step;           ///< [s]
    int n_repeat;          ///< the motion is run this many times
    bool without_coupling; ///< leave out what the turning axes add (4.1)
    bool has_stiffening;   ///< axial forces of the rigid motion stiffen or soften bending
    double alpha, beta;    ///< Rayleigh damping alpha M + beta K [1/s, s]
} pkm_kuo_response_settings;

/// Start static, step 1 ms, once, with coupling, no stiffening, no damping.
pkm_kuo_response_settings pkm_kuo_response_settings_defaults(void);

/// What a response says in a few numbers.
typedef struct pkm_kuo_response_report {
    int n_step;
    double least[6], most[6]; ///< of the platform's dx dy dz [m] and rx ry rz [rad]
    double peak[6];           ///< the one larger in size, with its sign
    double rotation;          ///< largest rotation of a section out of the rigid position [rad]
    double compression;       ///< largest axial compression as part of the link's Euler load
    bool is_small;            ///< within the range of a linear model
    char warning[256];        ///< why not, in one sentence; empty when it is
} pkm_kuo_response_report;

/// Run `motion` (of the tool) and append one row per step to `table` (may be NULL).
///
/// Columns: t [s]; x y z of the rigid robot [m]; dx dy dz [m] and rx ry rz [rad] of the platform;
/// torque1..3 of the rigid robot [N m]; of each link (upper1 .. lower3) stretch [m], twist [rad]
/// and the deflections v, w of its middle from the chord [m]. `report` may be NULL.
///
/// @return PKM_ERR_ARGUMENT for settings out of range, the published assembly, a motion of drives;
///         PKM_ERR_UNREACHABLE; PKM_ERR_SINGULAR, also at a resonance of the periodic response;
///         PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_kuo_follow(pkm_kuo* kuo, const pkm_motion* motion,
                                        const pkm_kuo_response_settings* settings, pkm_table* table,
                                        pkm_kuo_response_report* report, pkm_error* err);

#endif
