/// A body that bends, as the mechanism sees it: small displacements about a moving frame as a sum
/// of modes (docs/theory/flexible.md, section 1),
///
///     r(x, t) = x + sum_k phi_k(x) z_k(t).
///
/// All arrays are lent and constant. Vectors are in body axes.
#ifndef PKM_MECHANISM_MODAL_BODY_H
#define PKM_MECHANISM_MODAL_BODY_H

#include "beam/reduce.h"

/// How axial force stiffens an element of the beam, (3.6): it stretches by stretch . z and shortens
/// by |slopes z|^2 / 2 when it bends, the integral of (v'^2 + w'^2) / 2. Along it the axial force
/// changes evenly, by rise (N_behind - N_before) from end to end (3.9).
typedef struct pkm_modal_element {
    double stiffness;      ///< EA / length [N/m]
    const double* stretch; ///< [n_mode]
    int before, behind;    ///< elements
    double rise;
} pkm_modal_element;

/// Slopes and stretches of all elements as rows [n_slope + n_element], the slopes of each first;
/// those that a mode makes stand side by side. Few of them are not zero, as a rod bends in planes.
typedef struct pkm_modal_rows {
    int n_slope;
    const int* element;        ///< [n_slope] that each slope belongs to
    const double* at;          ///< [n_slope] its place from the middle of that, in lengths
    const double* by_mode;     ///< [n_mode x (n_slope + n_element)]
    const int *first, *behind; ///< [n_mode] slopes that are not zero
    const bool* stretches;     ///< [n_mode] are its stretches not zero?
    const int* order;          ///< [n_mode] those that bend alike side by side
} pkm_modal_rows;

/// Entries of the integrals of rho phi_i phi_j' for one j and one entry of the 3 x 3 matrix,
/// column-major. Modes that move alike stand side by side in `pair_order`, so that those that are
/// not zero are a run of it.
typedef struct pkm_modal_pairs {
    int at;       ///< entry n_mode + j
    int first, n; ///< the run in pair_order
    int from;     ///< its first value
} pkm_modal_pairs;

/// What one mode does at a frame, side by side: both are summed over the modes together.
typedef struct pkm_mode_motion {
    pkm_vec3 shift, turn; ///< displacement and rotation
} pkm_mode_motion;

typedef struct pkm_modal_body {
    int body; ///< index in the description
    int n_mode;
    const double* stiffness; ///< [n_mode] omega^2 [1/s2]
    bool is_damped;
    const double* damping;              ///< [n_mode] 2 zeta omega [1/s]
    const double* damping_matrix;       ///< [n_mode x n_mode] instead; NULL: there is none
    const double* mass;                 ///< [n_mode x n_mode]; NULL: the modes are orthonormal
    const pkm_beam_integrals* integral; ///< of the same modes
    const double* cross;                ///< [9 x n_mode] its integrals of rho x phi_j', by entries
    const double* momentum;             ///< [3 x n_mode] and of rho phi_j, by axes
    bool is_centred;                    ///< mean axes: no mode has a momentum
    int n_pairs, n_skew;                ///< the first n_skew are beside the diagonal
    const pkm_modal_pairs* pairs;       ///< [n_pairs]
    const double* pair;                 ///< their values
    const int* pair_order;              ///< [n_mode] modes i
    int n_frame;                        ///< places where joints and markers sit
    const pkm_vec3* at;                 ///< [n_frame] without deformation
    const pkm_mode_motion* motion;      ///< [n_frame x n_mode] per mode, frame by frame
    int clamped; ///< frame that does not move in the body, on which a driven body hangs; PKM_NONE
    int n_element;
    const pkm_modal_element* element; ///< NULL: no stiffening by axial forces
    pkm_modal_rows rows;
    const double* shorten; ///< [n_element x n_element] axial force by shortening [N/m], (3.7)
    const double*
        stretch_of; ///< [n_element x n_mode] modes that stretch each element by 1 m, (6.2)
} pkm_modal_body;

/// How the elements of a body stretch now; lent, NULL: it has none.
typedef struct pkm_modal_axial {
    const double* force; ///< [n_element] mean axial forces [N], tension positive
    const double* loose; ///< [n_element] elongation [m] that no mode has, which settles without
                         ///< force (3.7)
} pkm_modal_axial;

/// The frame at `place` [m, body axes]; PKM_NONE.
int pkm_modal_frame_at(const pkm_modal_body* modal, pkm_vec3 place);

#endif
