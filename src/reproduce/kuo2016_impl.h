/// The inside of Kuo's Delta, shared by its files.
#ifndef PKM_REPRODUCE_KUO2016_IMPL_H
#define PKM_REPRODUCE_KUO2016_IMPL_H

#include "math/eigen.h"
#include "reproduce/kuo2016.h"

/// A limb on the rigid motion.
typedef struct pkm_kuo2016_limb {
    pkm_vec3 radial, y;       ///< unit vectors of the limb: outward, axis of the drive
    pkm_beam_jet A, B, D;     ///< joints
    pkm_beam_jet z;           ///< second axis of both universal joints, across the rod
    pkm_beam_jet section_y;   ///< y axis of the rod's sections
    double phi1, phi12, phi3; ///< angles of the paper; phi12 = phi1 + phi2 [rad]
} pkm_kuo2016_limb;

/// @return PKM_ERR_UNREACHABLE naming the limb.
PKM_NODISCARD pkm_status pkm_kuo2016_limb_at(const pkm_kuo2016_robot* robot, int limb,
                                             pkm_beam_jet P, pkm_kuo2016_limb* out, pkm_error* err);

struct pkm_kuo2016 {
    pkm_kuo2016_robot robot;
    pkm_kuo2016_settings settings;
    int n; ///< coordinates

    // the links on their own, and how their coordinates follow from the global ones
    int n_link;              ///< coordinates of a link
    double *K_link, *M_link; ///< of both links, one after the other
    double* S;               ///< n_link x n
    double* AS;              ///< n_link x n

    double *K, *M; ///< n x n
    double* lambda;
    pkm_eigen* eigen;
    double* block;
};

/// Make K_link, M_link and their work memory.
PKM_NODISCARD pkm_status pkm_kuo2016_make_links(pkm_kuo2016* kuo, pkm_error* err);
/// Fill K and M at P, and with linear-cubic elements the force `f` [n] of weight and accelerations;
/// NULL: not asked for.
PKM_NODISCARD pkm_status pkm_kuo2016_matrices(pkm_kuo2016* kuo, pkm_beam_jet P, double* f,
                                              pkm_error* err);

#endif
