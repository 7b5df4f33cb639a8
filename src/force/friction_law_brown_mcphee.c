// Brown and McPhee's curve, differentiable everywhere: mu_d s(v) + (mu_s - mu_d) r/(r^2/4 + 3/4)^2
// + mu_v v with r = v/v_st. Equations: docs/theory/forces.md, (1.3), (1.5).
#include "force/friction_law_impl.h"

/// (1.5)
static pkm_slope_value curve(const pkm_friction_law* law, double v)
{
    const pkm_slope_value s = pkm_smooth_sign(law, v);
    const double r = v / law->stiction_velocity;
    const double base = 0.25 * r * r + 0.75, extra = law->mu_static - law->mu_dynamic;
    const double hump = extra * r / (base * base);
    // d/dr of r/b^2 with b = r^2/4 + 3/4 is (b - r^2)/b^3: zero at r = 1, the top of the hump
    const double hump_slope = extra * (base - r * r) / (base * base * base);
    return (pkm_slope_value){law->mu_dynamic * s.value + hump + law->viscous * v,
                             law->mu_dynamic * s.slope + hump_slope / law->stiction_velocity +
                                 law->viscous};
}

const pkm_friction_type pkm_friction_brown_mcphee = {.curve = curve};
