#include "force/friction_law_impl.h"

/// (1.5)
static pkm_slope_value curve(const pkm_friction_law* law, double v)
{
    const pkm_slope_value s = pkm_smooth_sign(law, v);
    const double r = v / law->stiction_velocity;
    const double base = 0.25 * r * r + 0.75, extra = law->mu_static - law->mu_dynamic;
    const double hump = extra * r / (base * base);
    const double hump_slope = extra * (base - r * r) / (base * base * base);
    return (pkm_slope_value){law->mu_dynamic * s.value + hump + law->viscous * v,
                             law->mu_dynamic * s.slope + hump_slope / law->stiction_velocity +
                                 law->viscous};
}

const pkm_friction_type pkm_friction_brown_mcphee = {.curve = curve};
