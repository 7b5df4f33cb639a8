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
    PKM_ROD_PARAMETERS(0.0, 2.0 * M_PI / 3.0, 4.0 * M_PI / 3.0),
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
    PKM_SLIDE_FAMILY(parameters, prepare),
};
