/// The variant of a robot that the effects of a run ask for: flexible links, joints with clearance.
#ifndef PKM_ROBOT_RUN_VARIANT_H
#define PKM_ROBOT_RUN_VARIANT_H

#include "dynamics/effects.h"
#include "flexible/pieces.h"
#include "robot/variant.h"
#include "table/warnings.h"

/// A flexible link: one flexible body, or its pieces.
typedef struct pkm_run_link {
    int body;                    ///< of the robot's description
    int first, n;                ///< of the flexible bodies
    pkm_flexible_pieces* pieces; ///< NULL: it is one
} pkm_run_link;

/// A variant with all that it lends to the mechanism.
typedef struct pkm_run_variant {
    pkm_variant variant;
    bool* released; ///< [n_joint]
    int n_link;
    pkm_run_link* link;          ///< [n_link]
    pkm_flexible_body** body;    ///< [variant.n_modal]
    pkm_modal_body* modal;       ///< [variant.n_modal]
    pkm_beam_integrals* clamped; ///< [variant.n_modal] of bodies that a drive carries
    int n_weighed; ///< massless bodies that clearance sets free: they have the mass of their shapes
    int* weighed;  ///< [n_weighed] bodies of the description
    pkm_arena* arena;
} pkm_run_variant;

/// Does the run need one?
bool pkm_run_needs_variant(const pkm_effects* effects);

/// The place of `body` [body axes] where a drive carries it: its modes are seen from there. NULL:
/// the body floats.
const pkm_vec3* pkm_run_variant_place(const pkm_description* desc, int body);

/// Make it. @return what pkm_flexible_body_make returns; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_run_variant_create(const pkm_robot* robot, const pkm_effects* effects,
                                                pkm_run_variant** out, pkm_error* err);
void pkm_run_variant_free(pkm_run_variant* made);

/// Tell which massless bodies have the mass of their shapes: those that clearance sets free, and
/// flexible links.
void pkm_run_links_warn(const pkm_description* desc, const pkm_effects* effects, pkm_warnings* to);
void pkm_run_variant_warn(const pkm_run_variant* made, const pkm_description* desc,
                          pkm_warnings* to);

// ---- what is seen of the links -----------------------------------------------------------------

/// Displacement and rotation of sample `s` of flexible body `k` at its modal coordinates z, in its
/// axes: as it is seen from the place where a drive carries it.
pkm_beam_point pkm_run_variant_point(const pkm_run_variant* made, int k, int s, const double* z);
/// The same of its frame `f`.
void pkm_run_variant_frame(const pkm_run_variant* made, int k, int f, const double* z, pkm_vec3* d,
                           pkm_vec3* r);

#endif
