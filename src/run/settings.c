#include "run/settings.h"

#include "robot/run_variant.h"

pkm_sim_settings pkm_sim_settings_defaults(void)
{
    return (pkm_sim_settings){.motion = PKM_NONE,
                              .end_time = 1.0,
                              .n_instant = 401,
                              .integrator = PKM_INTEGRATOR_EXPLICIT};
}

/// Whole meshes are chosen for what they tell of forces.
static bool keeps_all_modes(const pkm_effects* effects)
{
    for (int k = 0; effects && k < effects->n_flexible; ++k)
        if (effects->flexible[k].spec.keep == PKM_FLEXIBLE_KEEP_FULL) return true;
    return false;
}

double pkm_integrator_tolerance(pkm_integrator integrator, const pkm_effects* effects)
{
    if (integrator == PKM_INTEGRATOR_SDIRK) return keeps_all_modes(effects) ? 1e-8 : 1e-7;
    const bool touches = pkm_effects_have_contacts(effects);
    // presliding is a tenth of a micrometre; impacts are chaotic, the more so where light rods
    // soften them
    if (integrator == PKM_INTEGRATOR_BDF && !touches && pkm_effects_have_bristles(effects))
        return 1e-8;
    if (integrator == PKM_INTEGRATOR_BDF && touches && effects->n_flexible > 0) return 3e-5;
    if (integrator != PKM_INTEGRATOR_EXPLICIT) return 1e-6;
    return pkm_run_needs_variant(effects) ? 1e-8 : 1e-12;
}
