/// The linear Delta: three vertical slides, six rods.
///
/// Slide i is at the height q_i on a rail at rail_radius in the direction angle_i. The first root
/// is the slide above the platform. Equations: closed-delta.md.
#include "base/error.h"
#include "closed/families.h"
#include "closed/slide_pair.h"

enum {
    RAIL_RADIUS,
    PLATFORM_RADIUS,
    SLIDE_MASS,
    ROD,
    N_PARAMETER = ROD + PKM_ROD_N_PARAMETER,
};

static const pkm_closed_parameter parameters[N_PARAMETER] = {
    {"rail_radius", "m", "from the centre to the middle of a rod pair on its slide", true, 0.0},
    {"platform_radius", "m", "from the tool point to the middle of a rod pair", true, 0.0},
    {"slide_mass", "kg", "mass of a slide", true, 0.0},
    {"rod_length", "m", "length of a rod between its joints", true, 0.0},
    {"rod_mass", "kg", "mass of one rod", true, 0.0},
    {"rods_per_limb", "1", "number of parallel rods of a limb", false, 2.0},
    {"rod_inertia", "kg m2", "of one rod about its centre, transverse; else slender", false, NAN},
    {"platform_mass", "kg", "mass of the platform", true, 0.0},
    {"payload_mass", "kg", "mass that the platform carries", false, 0.0},
    {"gravity", "m/s2", "acceleration of gravity along +z", false, -9.80665},
    {"gravity_x", "m/s2", "acceleration of gravity along x", false, 0.0},
    {"gravity_y", "m/s2", "acceleration of gravity along y", false, 0.0},
    {"angle_1", "rad", "azimuth of limb 1", false, 0.0},
    {"angle_2", "rad", "azimuth of limb 2", false, 2.0 * M_PI / 3.0},
    {"angle_3", "rad", "azimuth of limb 3", false, 4.0 * M_PI / 3.0},
};

static pkm_status prepare(void* data, const double* value, pkm_error* err)
{
    pkm_slide_pairs* self = data;
    PKM_TRY(pkm_closed_check(&pkm_closed_linear_delta, value, "000+0n000......", err));
    const double radius = value[RAIL_RADIUS] - value[PLATFORM_RADIUS];
    if (!(fabs(radius) > 1e-9 * value[ROD + PKM_ROD_LENGTH])) {
        return pkm_fail(err, PKM_ERR_MODEL,
                        "closed form linear_delta: rail_radius equals platform_radius (%g m), so "
                        "every pose is singular",
                        value[RAIL_RADIUS]);
    }
    const pkm_rod_words words = {"slides", "up", "down"};
    PKM_TRY(pkm_rod_pairs_prepare(&self->rods, &value[ROD], -1.0, -1.0, words, err));
    for (int i = 0; i < 3; ++i) {
        self->home[i] = pkm_vec3_scale(radius, self->rods.u[i]);
        self->slide[i] = (pkm_vec3){0.0, 0.0, 1.0};
    }
    self->slide_mass = value[SLIDE_MASS];
    return PKM_OK;
}

const pkm_closed_family pkm_closed_linear_delta = {
    .name = "linear_delta",
    .text = "linear Delta: three vertical slides, three pairs of rods, three translations",
    .n_drive = 3,
    .moves = 7u,
    .tool_keeps = PKM_ROD_TOOL_KEEPS,
    .drives_keep = PKM_ROD_DRIVES_KEEP,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .size = sizeof(pkm_slide_pairs),
    .prepare = prepare,
    .inverse_geometry = pkm_slide_pairs_inverse_geometry,
    .direct_geometry = pkm_slide_pairs_direct_geometry,
    .velocity = pkm_slide_pairs_velocity,
    .first = pkm_slide_pairs_first,
    .turns = pkm_slide_pairs_turns,
    .bias = pkm_slide_pairs_bias,
    .inverse_dynamics = pkm_slide_pairs_inverse_dynamics,
    .energy = pkm_slide_pairs_energy,
};
