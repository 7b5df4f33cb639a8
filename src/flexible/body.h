/// A flexible body for a floating frame of reference: modes, their integrals, what they do at the
/// frames of joints and markers, how they stretch and bend the elements. Constant, in one block.
///
/// The modes z are mass-orthonormal and free of rigid motions (mean axes): a point of the body is
/// at r + sum phi_j(r) z_j in body axes. docs/theory/beams.md, section 4.
#ifndef PKM_FLEXIBLE_BODY_H
#define PKM_FLEXIBLE_BODY_H

#include "base/sha256.h"
#include "beam/reduce.h"
#include "flexible/link.h"

#include <stdatomic.h>

/// A place where deflection and stress are recovered.
typedef struct pkm_flexible_sample {
    pkm_flexible_place place;
    pkm_vec3 at;   ///< body axes [m]
    pkm_mat3 axes; ///< of the element: x along it
    pkm_beam_section section;
} pkm_flexible_sample;

/// Axial forces are known as means over elements. Along element e they change evenly, by
/// part (N_behind - N_before) from its first end to its last; before and behind are its neighbours
/// on the same straight part with nothing between that loads it, or e itself.
typedef struct pkm_flexible_rise {
    int before, behind;
    double part;
} pkm_flexible_rise;
pkm_flexible_rise pkm_flexible_rise_of(const pkm_flexible_link* link, int e);

enum {
    PKM_FLEXIBLE_RECOVER = 10,   ///< numbers per sample and mode, see `recover`
    PKM_FLEXIBLE_MOST_POINTS = 5 ///< of `slope` in an element
};

typedef struct pkm_flexible_body {
    atomic_int n_more; ///< owners beside the first one
    int body;          ///< of the description
    const char* name;
    char content[PKM_SHA256_SIZE]; ///< digest of all that it was made from; "": made by another
                                   ///< program, equal to none
    int n_mode;
    int n_static;    ///< the last n_static modes are the static correction
    int n_mesh;      ///< coordinates of the mesh that was reduced; 0: made by another program
    double* X;       ///< n_mesh x n_mode: the modes over the mesh
    double* omega;   ///< [n_mode] rad/s
    double* damping; ///< [n_mode] 2 zeta omega [1/s]: z'' + damping z' + omega^2 z = force
    pkm_beam_integrals integrals;

    int n_joint, n_frame; ///< as in the link: those of joints first
    pkm_flexible_frame* frame;
    double* phi_d; ///< 3 per mode and frame, mode first: displacement of the frame, body axes
    double* phi_r; ///< the same: its rotation

    // elements: elongation of element e  stretch_e . z + |slope_e z|^2 / 2  (second order in
    // bending).
    int n_element;
    double* EA;      ///< [n_element] [N]
    double* GJ;      ///< [n_element] of torsion [N m2]; 0: not known
    double* length;  ///< [n_element] [m]
    double* stretch; ///< n_mode per element: axial elongation [m]
    pkm_flexible_rise* rise;
    int n_point;                         ///< Gauss's points of an element, exact for x v'^2
    double at[PKM_FLEXIBLE_MOST_POINTS]; ///< where they are, from the middle, in lengths
    double weight[PKM_FLEXIBLE_MOST_POINTS];
    double* slope; ///< n_mode per element, point, and v', w': times the root of weight and length,
                   ///< so that the squares sum up to the integral of v'^2 + w'^2

    // places: the middle first, then both ends of each element, then those of the spec
    int n_sample, n_place;
    double part[PKM_FLEXIBLE_MAX_PLACE]; ///< where those are, 0 .. 1 of the way between the ends
    pkm_flexible_sample* sample;
    double* recover; ///< 10 per mode and sample, mode first: displacement and rotation in body
                     ///< axes, axial force [N], torque and bending moments in element axes [N m]
} pkm_flexible_body;

/// The modes of a link as `spec` asks, in the coordinates of its mesh. Statuses as below.
PKM_NODISCARD pkm_status pkm_flexible_reduce(const pkm_description* desc,
                                             const pkm_flexible_link* link,
                                             const pkm_flexible_spec* spec, pkm_beam_modes** out,
                                             pkm_error* err);

/// The one whose content is `digest`; NULL: none.
const pkm_flexible_body* pkm_flexible_made_find(pkm_flexible_made made, const char* digest);

/// Digest of all that the modes of the link and its body are made from: mesh, frames and what loads
/// them, what is kept, damping, places. Two links with the same digest have the same body.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_flexible_digest(const pkm_description* desc,
                                             const pkm_flexible_link* link,
                                             const pkm_flexible_spec* spec,
                                             char digest[PKM_SHA256_SIZE]);

/// Reduce a link whose joints and markers are the boundary, as `spec` asks. Ball joints and what
/// acts on markers load the boundary by forces only, and the static correction is made for these.
/// @return PKM_ERR_ARGUMENT for more modes than coordinates, PKM_ERR_MEMORY, PKM_ERR_CONVERGENCE.
PKM_NODISCARD pkm_status pkm_flexible_body_create(const pkm_description* desc,
                                                  const pkm_flexible_link* link,
                                                  const pkm_flexible_spec* spec,
                                                  pkm_flexible_made made, pkm_flexible_body** out,
                                                  pkm_error* err);
/// The same of modes that the link has been reduced to; its `content` stays "".
PKM_NODISCARD pkm_status pkm_flexible_body_of(const pkm_flexible_link* link,
                                              const pkm_flexible_spec* spec,
                                              const pkm_beam_modes* modes, pkm_flexible_body** out,
                                              pkm_error* err);
/// The same body elsewhere in the robot: the body, the name and the joints of `link`, which equals
/// that of `from`; NULL: memory is out.
pkm_flexible_body* pkm_flexible_body_copy(const pkm_flexible_body* from,
                                          const pkm_flexible_link* link);
/// The modes over the mesh, lent.
pkm_beam_modes pkm_flexible_body_modes(const pkm_flexible_body* body);

/// One more owner, in any thread, of a body that nobody changes; each frees it, the last one ends
/// it.
pkm_flexible_body* pkm_flexible_body_share(pkm_flexible_body* body);
void pkm_flexible_body_free(pkm_flexible_body* body);

/// Both steps: the body `body` of `desc` as `spec` asks.
PKM_NODISCARD pkm_status pkm_flexible_body_make(const pkm_description* desc, int body,
                                                const pkm_flexible_spec* spec,
                                                pkm_flexible_made made, pkm_flexible_body** out,
                                                pkm_error* err);

/// Displacement and rotation of a frame, body axes, when the modal coordinates are z.
void pkm_flexible_body_frame(const pkm_flexible_body* body, int frame, const double* z, pkm_vec3* d,
                             pkm_vec3* r);

/// The state at a sample: displacement and rotation in BODY axes, forces in element axes.
pkm_beam_point pkm_flexible_body_point(const pkm_flexible_body* body, int sample, const double* z);
/// Its bending moments alone, without the torque.
pkm_vec3 pkm_flexible_body_bending(const pkm_flexible_body* body, int sample, const double* z);

/// Largest normal stress of the section [Pa], with the sign of the axial force; edges of the
/// section unknown: the axial part.
double pkm_flexible_stress(const pkm_beam_section* section, const pkm_beam_point* point);

#endif
