/// The inside of Kuo's Delta, shared by its files.
#ifndef PKM_REPRODUCE_KUO_IMPL_H
#define PKM_REPRODUCE_KUO_IMPL_H

#include "closed/closed.h"
#include "math/eigen.h"
#include "reproduce/kuo.h"

/// A limb on the rigid motion.
typedef struct pkm_kuo_limb {
    pkm_vec3 radial, y;       ///< unit vectors of the limb: outward, axis of the drive
    pkm_beam_jet A, B, D;     ///< joints
    pkm_beam_jet z;           ///< second axis of both universal joints, across the rod
    pkm_beam_jet section_y;   ///< y axis of the rod's sections
    double phi1, phi12, phi3; ///< angles of the paper; phi12 = phi1 + phi2 [rad]
} pkm_kuo_limb;

/// @return PKM_ERR_UNREACHABLE naming the limb.
PKM_NODISCARD pkm_status pkm_kuo_limb_at(const pkm_kuo_robot* robot, int limb, pkm_beam_jet P,
                                         pkm_kuo_limb* out, pkm_error* err);

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

    // Published: the links on their own, and how their coordinates follow from the global ones.
    int n_link;              ///< coordinates of a link
    double *K_link, *M_link; ///< of both links, one after the other
    double* S;               ///< n_link x n
    double* AS;              ///< n_link x n

    double *K, *M, *G; ///< n x n; G: geometric stiffness, or work
    double* lambda;
    pkm_eigen* eigen;
    double* block;
};

PKM_NODISCARD pkm_status pkm_kuo_physical_create(pkm_kuo* kuo, pkm_error* err);
PKM_NODISCARD pkm_status pkm_kuo_published_create(pkm_kuo* kuo, pkm_error* err);
/// Fill K and M at P.
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
