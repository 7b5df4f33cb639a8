// What a run says about a flexible link: defaults, damping of a mode, section along a tapered link,
// which modes are kept.
#include "flexible/spec.h"

#include "beam/reduce.h"
#include "pkm/types.h"

#include <math.h>

pkm_flexible_spec pkm_flexible_spec_defaults(void)
{
    return (pkm_flexible_spec){
        .n_element = 8, .n_mode = PKM_FLEXIBLE_DEFAULT_MODES, .material = PKM_NONE};
}

double pkm_flexible_damping_of(const pkm_flexible_spec* spec, double omega)
{
    switch (spec->damping) {
    // 2 zeta omega, alpha + beta omega^2 (6.4)
    case PKM_FLEXIBLE_RATIO:
        return 2.0 * spec->ratio * omega;
    case PKM_FLEXIBLE_RAYLEIGH:
        return spec->mass + spec->stiffness * omega * omega;
    case PKM_FLEXIBLE_ADAMS:
        return 2.0 * pkm_beam_adams_damping(omega) * omega;
    case PKM_FLEXIBLE_UNDAMPED:
        break;
    }
    return 0.0;
}

pkm_beam_section pkm_flexible_section_at(const pkm_flexible_spec* spec, double s)
{
    if (spec->n_section < 2) return spec->section[0];
    return pkm_beam_section_between(&spec->section[0], &spec->section[1], s, spec->torsion);
}

pkm_beam_choice pkm_flexible_kept(const pkm_flexible_spec* spec, int most)
{
    pkm_beam_choice out = {.disabled = &spec->disabled};
    if (spec->keep == PKM_FLEXIBLE_KEEP_CHOSEN) out.chosen = &spec->chosen;
    if (spec->keep == PKM_FLEXIBLE_KEEP_BELOW) out.below = spec->below;
    if (spec->keep == PKM_FLEXIBLE_KEEP_COUNT) out.n_mode = spec->n_mode;
    if (spec->keep == PKM_FLEXIBLE_KEEP_DEFAULT)
        // of a link with few coordinates all
        out.n_mode = most < spec->n_mode ? most : spec->n_mode;
    return out;
}

bool pkm_flexible_is_in_pieces(const pkm_flexible_spec* spec)
{
    return spec->n_piece > 1;
}

void pkm_flexible_spec_refine(pkm_flexible_spec* spec, bool elements_only)
{
    // twice of everything that the answer depends on
    spec->n_element *= 2;
    if (elements_only) return;
    if (pkm_flexible_is_in_pieces(spec)) {
        spec->n_piece *= 2;
        return;
    }
    spec->below *= 2.0;
    spec->n_mode *= 2;
}
