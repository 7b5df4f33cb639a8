/// Few modes instead of many coordinates: Craig and Bampton's reduction of a free body whose joints
/// sit at boundary nodes, made orthonormal, without the rigid-body modes.
///
/// What is dropped above a frequency is still soft: pulled at its ends a rod stretches by F L / EA
/// whether or not its axial mode is kept; so it does when it turns. The static correction keeps
/// exactly that, as a few modes of high frequency. docs/theory/beams.md, section 4.
#ifndef PKM_BEAM_REDUCE_H
#define PKM_BEAM_REDUCE_H

#include "beam/choice.h"
#include "beam/mesh.h"

typedef struct pkm_beam_reduction {
    int n_mode;   ///< flexible modes to keep, sets of equal frequency whole; 0: as many as `below`
                  ///< allows
    double below; ///< keep modes below this angular frequency [rad/s]; 0: no limit
    const pkm_beam_list *chosen, *disabled; ///< see pkm_beam_choice; NULL: none
    int n_fixed;          ///< modes with held boundary in the basis; 0: chosen from the above
    bool without_static;  ///< leave out the static correction, as most programs do
    bool without_inertia; ///< leave out of it what centrifugal forces do
    /// Coordinates of each boundary node that joints load, bits 0..5 for x y z rx ry rz: the static
    /// correction is made for these. NULL: all. A ball joint has PKM_BEAM_FIX_POINT.
    const unsigned* loaded;
} pkm_beam_reduction;

/// Modes of a body, mass-orthonormal: q = X z, z'' + omega^2 z = X' f.
typedef struct pkm_beam_modes {
    int n;         ///< coordinates of the mesh
    int n_mode;    ///< modes, those of the static correction included
    int n_static;  ///< the last n_static modes are the static correction
    double* omega; ///< [n_mode] angular frequencies, rising in both parts [rad/s]
    double* X;     ///< n x n_mode, column-major
} pkm_beam_modes;

/// Reduce the body `mesh` with its joints at the nodes boundary[0 .. n_boundary-1].
///
/// The mesh is free (nothing fixed). With every mode of the basis kept the result spans the Craig-
/// Bampton space: six coordinates per boundary node and n_fixed modes, less six rigid motions.
///
/// @return PKM_ERR_MODEL for a body with no joint, or fixed, or with loose parts; PKM_ERR_ARGUMENT
///         for more modes than coordinates; PKM_ERR_MEMORY; PKM_ERR_CONVERGENCE.
///         Modes that are chosen one by one: statuses of pkm_beam_choice_find.
PKM_NODISCARD pkm_status pkm_beam_reduce(const pkm_beam_mesh* mesh, int n_boundary,
                                         const int* boundary, const pkm_beam_reduction* settings,
                                         pkm_beam_modes** out, pkm_error* err);
void pkm_beam_modes_free(pkm_beam_modes* modes);

/// What the reduction keeps, as a choice.
pkm_beam_choice pkm_beam_reduction_choice(const pkm_beam_reduction* settings);

/// Two modes of the same frequency are any two of a plane: round rods bend alike in all directions.
/// Turn such neighbours of the `n_mode` modes X (n coordinates each) in it so that the second one
/// does not move the coordinate that both move most; then each bends across one axis, the integrals
/// of pairs have few entries, and the modes do not depend on rounding.
void pkm_beam_align_pairs(int n, int n_mode, const double* omega, double* X);

/// The damping ratio that Adams gives a mode of a flexible body by default: 1 % below 100 Hz, 10 %
/// below 1000 Hz, critical above. `omega` in rad/s.
double pkm_beam_adams_damping(double omega);

/// Integrals of a moving body over its shapes phi_j (displacements of mode j), in body axes: all a
/// floating frame of reference needs (4.7). Matrices are 3 x 3, column-major.
typedef struct pkm_beam_integrals {
    int n_mode;
    double mass;      ///< [kg]
    pkm_vec3 first;   ///< integral of rho r [kg m]
    double second[9]; ///< integral of rho r r' [kg m2]; of point masses: lumped inertias are apart
    pkm_mat3 own;     ///< inertia of sections and lumped bodies about their own centres [kg m2]
    double* momentum; ///< 3 per mode: integral of rho phi_j
    double* spin;     ///< 3 per mode: angular momentum of sections and lumped bodies turning
    double* cross;    ///< 9 per mode: integral of rho r phi_j'
    double* pair;     ///< 9 per pair i + n_mode j: integral of rho phi_i phi_j'
    double* block;
} pkm_beam_integrals;

/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_beam_integrals_create(const pkm_beam_mesh* mesh,
                                                   const pkm_beam_modes* modes,
                                                   pkm_beam_integrals** out);
/// The same without `pair`, which is NULL: what grows with the number of modes only.
PKM_NODISCARD pkm_status pkm_beam_integrals_of_each(const pkm_beam_mesh* mesh,
                                                    const pkm_beam_modes* modes,
                                                    pkm_beam_integrals** out);
void pkm_beam_integrals_free(pkm_beam_integrals* integrals);

/// The integrals of the same modes seen from a point of the body: with shifts d[j] and turns r[j]
/// of the point `at` taken away, mode j becomes phi_j - d_j - r_j x (x - at). They are no longer
/// orthonormal: `mass` [n_mode x n_mode] receives their mass matrix. `to` owns to->block.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_beam_integrals_clamp(const pkm_beam_integrals* from, pkm_vec3 at,
                                                  const pkm_vec3* d, const pkm_vec3* r,
                                                  pkm_beam_integrals* to, double* mass);

#endif
