#include "analysis/bend_warning.h"

#include <stdio.h>

/// One line for a limit that was passed; false: it was not.
static bool tell(const pkm_bend_peak* peak, double limit, const char* what, double shown,
                 const char* why, char* out, size_t size)
{
    if (!peak->link || !(peak->value > limit)) return false;
    snprintf(out, size, "%s at t = %.4g s: %s %.3g%s", peak->link, peak->t, what, shown, why);
    return true;
}

bool pkm_bend_warning(const pkm_bend_limits* b, int k, char* out, size_t size)
{
    char text[PKM_MAX_BEND_WARNING][512];
    int n = 0;
    n += tell(&b->buckling, PKM_BEND_BUCKLING, "near buckling, its compression is",
              100.0 * b->buckling.value,
              " % of Euler's load between the joints; bending grows faster than a model of small "
              "deflections has it",
              text[n], sizeof text[n]);
    n += tell(&b->turn, PKM_BEND_TURN, "it turns by", b->turn.value,
              " rad, outside the range of small deflections", text[n], sizeof text[n]);
    n += tell(&b->deflection, PKM_BEND_DEFLECTION, "it bends by", 100.0 * b->deflection.value,
              " % of its length, outside the range of small deflections", text[n], sizeof text[n]);
    if (k >= n) return false;
    snprintf(out, size, "%s", text[k]);
    return true;
}
