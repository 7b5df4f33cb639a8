/// The Triglide: three horizontal slides that run outward in the plane z = 0, six rods.
///
/// Slide i is at base_offset + q_i from the centre in the direction angle_i. The first root is the
/// slide outside of the platform. Equations: closed-delta.md.
#include "base/error.h"
#include "closed/families.h"
#include "closed/slide_pair.h"

enum {
    BASE_OFFSET,
    PLATFORM_RADIUS,
    SLIDE_MASS,
    ROD,
    N_PARAMETER = ROD + PKM_ROD_N_PARAMETER,
};

static const pkm_closed_parameter parameters[N_PARAMETER] = {
    {"base_offset", "m", "from the centre to the middle of a rod pair at q = 0", true, 0.0},
    {"platform_radius", "m", "from the tool point to the middle of a rod pair", true, 0.0},
    {"slide_mass", "kg", "mass of a slide", false, 0.0},
    PKM_ROD_PARAMETERS(-M_PI / 6.0, 7.0 * M_PI / 6.0, M_PI / 2.0),
};

static pkm_status prepare(void* data, const double* value, pkm_error* err)
{
    pkm_slide_pairs* self = data;
    PKM_TRY(pkm_closed_check(&pkm_closed_triglide, value, ".00+0n000......", err));
    const pkm_rod_words words = {"slides", "out", "in"};
    PKM_TRY(pkm_rod_pairs_prepare(&self->rods, &value[ROD], -1.0, -1.0, words, err));
    const double offset = value[BASE_OFFSET] - value[PLATFORM_RADIUS];
    for (int i = 0; i < 3; ++i) {
        self->home[i] = pkm_vec3_scale(offset, self->rods.u[i]);
        self->slide[i] = self->rods.u[i];
    }
    self->slide_mass = value[SLIDE_MASS];
    return PKM_OK;
}

const pkm_closed_family pkm_closed_triglide = {
    .name = "triglide",
    .text = "Triglide: three horizontal slides, three pairs of rods, three translations",
    PKM_SLIDE_FAMILY(parameters, prepare),
};
