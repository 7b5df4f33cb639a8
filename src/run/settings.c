// Settings of a simulation before anything was chosen.
#include "run/settings.h"

#include "math/angle.h"
#include "robot/run_variant.h"

#include <math.h>

pkm_sim_settings pkm_sim_settings_defaults(void)
{
    return (pkm_sim_settings){.motion = PKM_NONE,
                              .end_time = 1.0,
                              .n_instant = 401,
                              .integrator = PKM_INTEGRATOR_EXPLICIT};
}

double pkm_sim_ringing(const pkm_sim_settings* settings)
{
    static const double PERIODS = 60.0;
    const pkm_effects* effects = settings->effects;
    double most = 0.0;
    if (settings->motion != PKM_NONE) return 0.0;
    for (int k = 0; effects && k < effects->n_flexible; ++k)
        if (effects->flexible[k].spec.damping == PKM_FLEXIBLE_UNDAMPED)
            most = fmax(most, effects->flexible[k].band.lowest);
    return most * settings->end_time > PERIODS * PKM_TURN ? most : 0.0;
}

/// Accelerations and forces of sdirk are noise at tolerances that serve positions where modes are
/// far above what moves: Isoglide 4 with eight flexible links has 28 m/s2 at 1e-7 beside 0.24 at
/// 1e-9, with as many steps. A link of 1 m that is let go and swings by 1 um has its ratio of
/// damping to 7e-3 with 1e-10 (to 6 % with 1e-9), in pieces to 1e-3 (to 6 % with 1e-7). What the
/// iterations of the stages leave adds up where nothing damps it: 1e-11 keeps the energy to 1e-6
/// over a hundred periods. Bristles end at what 1e-7 gives.
static double sdirk_tolerance(const pkm_sim_settings* settings)
{
    const pkm_effects* effects = settings->effects;
    if (pkm_effects_have_bristles(effects)) return 1e-7;
    if (pkm_sim_ringing(settings) > 0.0) return 1e-11;
    for (int k = 0; effects && k < effects->n_flexible; ++k)
        if (pkm_flexible_is_in_pieces(&effects->flexible[k].spec)) return 1e-10;
    return settings->motion == PKM_NONE ? 1e-10 : 1e-9;
}

double pkm_integrator_tolerance(pkm_integrator integrator, const pkm_sim_settings* settings)
{
    const pkm_effects* effects = settings->effects;
    if (integrator == PKM_INTEGRATOR_SDIRK) return sdirk_tolerance(settings);
    const bool touches = pkm_effects_have_contacts(effects);
    // presliding is a tenth of a micrometre: with 1e-8 motors that rub are 50 times as far off for
    // a fifteenth less time; impacts are chaotic, the more so where light rods soften them
    if (integrator == PKM_INTEGRATOR_BDF && !touches && pkm_effects_have_bristles(effects))
        return 1e-9;
    if (integrator == PKM_INTEGRATOR_BDF && touches && effects->n_flexible > 0) return 3e-5;
    // what has no motion to follow comes to rest, which is to hold still to 1e-9 m: steps that are
    // long there swing by a thousandth of the tolerance
    if (integrator == PKM_INTEGRATOR_BDF && settings->motion == PKM_NONE &&
        pkm_effects_have_bristles(effects))
        return 1e-7;
    if (integrator != PKM_INTEGRATOR_EXPLICIT) return 1e-6;
    return pkm_run_needs_variant(effects) ? 1e-8 : 1e-12;
}
