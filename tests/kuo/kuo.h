/// A second formulation for tests of the general one, which knows nothing of this robot.
///
/// Kuo's Delta with flexible links: beam elements on the prescribed rigid motion, linear in the
/// small deflections (kineto-elasto-dynamics). Y.-L. Kuo, Computers and Mathematics with
/// Applications 71 (2016) 1973-1989; docs/theory/elastodynamics.md.
///
/// Three limbs of an upper link, clamped to its locked drive at A, and a lower link between
/// universal joints at B (on the upper link) and D (on the platform). z points from the base to the
/// platform.
#ifndef PKM_TESTS_KUO_H
#define PKM_TESTS_KUO_H

#include "reproduce/kuo2016.h"

enum { PKM_KUO_UPPER, PKM_KUO_LOWER };

typedef pkm_kuo2016_robot pkm_kuo_robot;

/// The robot of the paper's Table 1: links of 5 x 5 mm steel, torsion with the polar moment as in
/// the paper, gravity 9.81 m/s2.
pkm_kuo_robot pkm_kuo_robot_paper(void);

/// Two ways to put the elements together; docs/theory/elastodynamics.md, sections 2 and 3.
typedef enum pkm_kuo_assembly {
    PKM_KUO_PHYSICAL,  ///< the joints as they are
    PKM_KUO_PUBLISHED, ///< as behind Tables 2 and 3 of the paper ("kuo-2016"): not consistent
} pkm_kuo_assembly;

typedef struct pkm_kuo_settings {
    pkm_kuo_assembly assembly;
    pkm_beam_shape shape;
    int n_element;    ///< per link
    bool is_weighted; ///< physical: frequencies with the axial forces of gravity
} pkm_kuo_settings;

typedef struct pkm_kuo pkm_kuo;

/// @return PKM_ERR_ARGUMENT for numbers out of range, PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_kuo_create(const pkm_kuo_robot* robot,
                                        const pkm_kuo_settings* settings, pkm_kuo** out,
                                        pkm_error* err);
void pkm_kuo_free(pkm_kuo* kuo);
int pkm_kuo_size(const pkm_kuo* kuo); ///< coordinates: "DOF" of the paper's tables when published

/// The `n_mode` lowest natural frequencies [rad/s] with locked drives, the platform at P [m].
/// Allocates nothing. @return PKM_ERR_UNREACHABLE, PKM_ERR_ARGUMENT for more modes than
/// coordinates, PKM_ERR_SINGULAR when gravity has buckled the links.
PKM_NODISCARD pkm_status pkm_kuo_frequencies(pkm_kuo* kuo, pkm_vec3 P, int n_mode, double* omega,
                                             pkm_error* err);

/// Where the platform goes, drives at the rigid solution: displacement [m] and rotation [rad].
typedef struct pkm_kuo_shift {
    pkm_vec3 d, r;
} pkm_kuo_shift;

/// Deflection under weight and the inertia of the rigid motion, without the inertia of the
/// deflection itself: v = a = 0 is the static sag. Physical assembly only.
PKM_NODISCARD pkm_status pkm_kuo_deflection(pkm_kuo* kuo, pkm_vec3 P, pkm_vec3 v, pkm_vec3 a,
                                            pkm_kuo_shift* shift, pkm_error* err);

/// How the mass of a lower link enters the rigid torques.
typedef enum pkm_kuo_rod_mass {
    PKM_KUO_ROD_EXACT,   ///< a uniform rod
    PKM_KUO_ROD_HALVED,  ///< half at each end
    PKM_KUO_ROD_PRINTED, ///< (11) of the paper: whole at each end
} pkm_kuo_rod_mass;

/// Driving torques [N m] of the rigid robot on a motion, positive along q, where Z_B = +L1 sin q.
/// @return PKM_ERR_UNREACHABLE, PKM_ERR_SINGULAR.
PKM_NODISCARD pkm_status pkm_kuo_rigid_torques(const pkm_kuo_robot* robot, pkm_kuo_rod_mass rod,
                                               pkm_vec3 P, pkm_vec3 v, pkm_vec3 a, double torque[3],
                                               pkm_error* err);

#endif
