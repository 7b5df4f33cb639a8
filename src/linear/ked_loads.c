// Loads that change within a step of fixed length: what its ends do not see of them.
#include "force/load.h"
#include "linear/ked_impl.h"
#include "table/warnings.h"

#include <math.h>

static const double ENOUGH = 0.01; // of the impulse

/// The part of the impulse of a signal that lies beside straight lines between the ends of steps.
static double part_missed(const pkm_signal* s, double step, double end)
{
    enum { LOOKS = 16 };
    double missed = 0.0, all = 0.0, from = pkm_signal_at(s, 0.0);
    double stop = pkm_signal_next_break(s, 0.0);
    for (double k = 0.0; k * step < end; ++k) {
        const double begin = k * step, to = pkm_signal_at(s, begin + step);
        for (double t = begin, look = 1.0; look <= LOOKS;) { // a break is the end of a look
            const double even = begin + step * look / LOOKS, next = fmin(stop, even);
            const double middle = 0.5 * (t + next), value = pkm_signal_at(s, middle);
            missed += (next - t) * fabs(value - from - (middle - begin) / step * (to - from));
            all += (next - t) * fabs(value);
            t = next;
            if (next >= stop) stop = pkm_signal_next_break(s, stop);
            if (next >= even) ++look;
        }
        from = to;
    }
    return all > 0.0 ? missed / all : 0.0;
}

void ked_warn_loads(const pkm_ked* ked, double step, double end, pkm_warnings* to)
{
    const pkm_effects* effects = ked->settings->effects;
    for (int i = 0; effects && i < effects->n_element; ++i) {
        const pkm_element* e = &effects->element[i];
        if (e->type != &pkm_element_load) continue;
        const pkm_load* load = (const void*)e->data;
        double most = 0.0;
        for (int k = 0; k < 6; ++k) {
            const pkm_signal* s = k < 3 ? &load->force[k] : &load->torque[k - 3];
            if (s->kind == PKM_SIGNAL_CONSTANT || s->kind == PKM_SIGNAL_INPUT) continue;
            most = fmax(most, part_missed(s, step, end));
        }
        if (most > ENOUGH)
            pkm_warn(to, "step", NAN,
                     "load %s changes within steps of %.3g s, which see it at their ends only and "
                     "miss %.0f %% of its impulse; expected a shorter --step",
                     e->name, step, 100.0 * most);
    }
}
