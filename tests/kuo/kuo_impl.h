/// The inside of Kuo's Delta, shared by its files.
#ifndef PKM_TESTS_KUO_IMPL_H
#define PKM_TESTS_KUO_IMPL_H

#include "closed/closed.h"
#include "kuo/kuo.h"
#include "math/eigen.h"
#include "reproduce/kuo2016_impl.h"

typedef pkm_kuo2016_limb pkm_kuo_limb;
#define pkm_kuo_limb_at pkm_kuo2016_limb_at

struct pkm_kuo {
    pkm_kuo_robot robot;
    pkm_kuo_settings settings;
    int n; ///< coordinates

    // Physical: one mesh of all links.
    pkm_beam_mesh* mesh;
    int platform;     ///< node
    int line[3][2];   ///< upper and lower link of each limb
    double* axial;    ///< axial forces of the elements
    double* static_f; ///< force, then deflection

    pkm_kuo2016* published; ///< NULL: physical

    double *K, *M, *G; ///< n x n; G: geometric stiffness, or work
    double* lambda;
    pkm_eigen* eigen;
    double* block;
};

PKM_NODISCARD pkm_status pkm_kuo_physical_create(pkm_kuo* kuo, pkm_error* err);
/// Fill K and M of the published assembly at P.
PKM_NODISCARD pkm_status pkm_kuo_published_matrices(pkm_kuo* kuo, pkm_vec3 P, pkm_error* err);
/// Put the mesh on the rigid motion.
PKM_NODISCARD pkm_status pkm_kuo_place(pkm_kuo* kuo, pkm_beam_jet P, pkm_error* err);
/// K, and the deflection under weight and inertia in static_f; the mesh is placed.
PKM_NODISCARD pkm_status pkm_kuo_solve_static(pkm_kuo* kuo, pkm_error* err);

/// The rigid robot as a closed form, and its torques on the motion of P.
PKM_NODISCARD pkm_status pkm_kuo_delta_create(const pkm_kuo_robot* robot, pkm_kuo_rod_mass rod,
                                              pkm_closed** out, pkm_error* err);
PKM_NODISCARD pkm_status pkm_kuo_delta_torques(const pkm_closed* delta, pkm_beam_jet P,
                                               double torque[3], pkm_error* err);

#endif
