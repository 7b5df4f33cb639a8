/// The readers of the parts of a model, in the order in which pkm_description_parse calls them.
#ifndef PKM_MODEL_READER_IMPL_H
#define PKM_MODEL_READER_IMPL_H

#include "model/mass.h"
#include "model/reader.h"

/// `materials`.
PKM_NODISCARD pkm_status pkm_materials_read(pkm_reader* r);

/// Names, placements and parameters of the copies of each limb.
PKM_NODISCARD pkm_status pkm_limbs_read(pkm_reader* r);
/// Call `read` for the section `key` of the file and of each copy of each limb that has it.
typedef pkm_status (*pkm_section_reader)(pkm_reader* r, const pkm_yaml* section);
PKM_NODISCARD pkm_status pkm_limbs_each(pkm_reader* r, const char* key, pkm_section_reader read);

/// Room for all bodies, markers, joints and drives; refuses numbers beyond any robot.
PKM_NODISCARD pkm_status pkm_counts_reserve(pkm_reader* r);

/// Ground, bodies, their points and frames; then the points that limbs put on bodies outside.
PKM_NODISCARD pkm_status pkm_bodies_read(pkm_reader* r);
/// Masses, shapes and guessed poses; needs all points.
PKM_NODISCARD pkm_status pkm_bodies_read_details(pkm_reader* r);
/// Mass and shapes of one body.
PKM_NODISCARD pkm_status pkm_body_read_mass(const pkm_reader* r, const pkm_yaml* node, int body);

/// Check a tensor: no principal moment is negative and none exceeds the sum of the others.
PKM_NODISCARD pkm_status pkm_inertia_check(const pkm_reader* r, const pkm_yaml* node,
                                           const double inertia[6]);

/// Shapes of a body: how it looks, and its mass where every shape has a density.
typedef struct pkm_shapes {
    int n_shape;
    pkm_desc_shape* shape;
    bool has_density; ///< `mass` is real; else it is that of density 1 kg/m3
    pkm_mass mass;    ///< of all shapes together
} pkm_shapes;

/// The key `shape` of a body: one shape or a list. `body` owns the points that it names.
PKM_NODISCARD pkm_status pkm_shapes_read(const pkm_reader* r, const pkm_yaml* node, int body,
                                         pkm_shapes* out);

PKM_NODISCARD pkm_status pkm_joints_read(pkm_reader* r);
PKM_NODISCARD pkm_status pkm_drives_read(pkm_reader* r);
/// Check that joints connect every body with the ground.
PKM_NODISCARD pkm_status pkm_connections_check(const pkm_reader* r);

/// `payload`, merged into the bodies that carry it.
PKM_NODISCARD pkm_status pkm_payload_read(pkm_reader* r);
/// `tool`, `outputs`, `home`, `closed_form`.
PKM_NODISCARD pkm_status pkm_tool_read(pkm_reader* r);
PKM_NODISCARD pkm_status pkm_outputs_read(pkm_reader* r);
PKM_NODISCARD pkm_status pkm_home_read(pkm_reader* r);
PKM_NODISCARD pkm_status pkm_closed_form_read(pkm_reader* r);
PKM_NODISCARD pkm_status pkm_motions_read(pkm_reader* r);
PKM_NODISCARD pkm_status pkm_published_read(pkm_reader* r);

#endif
