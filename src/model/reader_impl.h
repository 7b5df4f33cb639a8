/// The readers of the parts of a model, in the order in which pkm_description_parse calls them.
#ifndef PKM_MODEL_READER_IMPL_H
#define PKM_MODEL_READER_IMPL_H

#include "model/key.h"
#include "model/mass.h"

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

/// Shapes of a body: how it looks, and its mass where every shape has a density.
typedef struct pkm_shapes {
    int n_shape;
    pkm_desc_shape* shape;
    bool has_density; ///< `mass` is real; else it is that of density 1 kg/m3
    pkm_mass mass;    ///< of all shapes together
} pkm_shapes;

/// The key `shape` of a body: one shape or a list; `to` is a pkm_shapes. pkm_reader.body owns the
/// points that it names.
PKM_NODISCARD pkm_status pkm_key_read_shapes(pkm_reader* r, const pkm_yaml* node, void* to);
extern const pkm_key pkm_key_shapes[];

/// What a body or a payload says of its mass.
typedef struct pkm_mass_draft {
    double mass, inertia[6];
    pkm_vec3 com, from, to; ///< the last two are the ends of a uniform rod
    bool has_mass, has_com, has_inertia, has_uniform;
    pkm_shapes shapes;
} pkm_mass_draft;

/// Mass, centre and inertia: as given, else from `uniform`, else from the shapes. `node` is the map
/// that says so.
PKM_NODISCARD pkm_status pkm_mass_take(const pkm_reader* r, const pkm_yaml* node,
                                       const pkm_mass_draft* draft, pkm_mass* out);
/// The rule of these keys: without `mass`, shapes have it.
#define PKM_MASS_RULE "the key 'mass' is missing, and no shape has a density"

/// The maps of a model file that others name, and the file.
extern const pkm_section pkm_model_ground, pkm_model_body, pkm_model_joint, pkm_model_drive,
    pkm_model_limb, pkm_model_material, pkm_model_payload, pkm_model_home, pkm_model_tool,
    pkm_model_motion, pkm_model_published, pkm_model_closed_form;
/// A place on a body: `[x, y, z]`, or `{at, rotate}` with axes of its own.
extern const pkm_key pkm_key_place[];

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
