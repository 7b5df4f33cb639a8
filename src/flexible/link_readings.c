#include "flexible/link_readings.h"

#include <stddef.h>
#include <stdio.h>

// ---- columns ----------------------------------------------------------------------------------

const char* pkm_deflection_place_name(const char* link, double part, char out[PKM_BEND_NAME])
{
    snprintf(out, PKM_BEND_NAME, "%s@%.10g", link, part);
    return out;
}

typedef struct link_values {
    double deflection, twist, stress, axial, buckling;
} link_values;

/// Places on a link have the first three of them.
static const pkm_column columns[] = {
    {"deflection", "m", offsetof(link_values, deflection), .title = "deflection"},
    {"twist", "rad", offsetof(link_values, twist), .title = "twist"},
    {"stress", "Pa", offsetof(link_values, stress), .title = "stress"},
    {"axial", "N", offsetof(link_values, axial), .title = "axial force"},
    {"buckling", "", offsetof(link_values, buckling), .title = "compression over Euler's load"},
};
enum { OF_LINKS = sizeof columns / sizeof columns[0], OF_PLACES = 3 };

static void raise(pkm_deflection_peak* peak, double value, double t,
                  const pkm_flexible_gauge* gauge)
{
    if (value > peak->value) *peak = (pkm_deflection_peak){gauge->body->name, value, t};
}

void pkm_deflection_add_columns(const pkm_flexible_body* body, pkm_layout* to)
{
    char name[PKM_BEND_NAME];
    pkm_layout_put(to, body->name, columns, OF_LINKS, NULL);
    for (int k = 0; k < body->n_place; ++k)
        pkm_layout_put(to, pkm_deflection_place_name(body->name, body->part[k], name), columns,
                       OF_PLACES, NULL);
}

void pkm_deflection_put(const pkm_flexible_gauge* gauge, const double* z, const double* axial,
                        double t, pkm_deflection_limits* limits, pkm_layout* to)
{
    const pkm_flexible_reading now = pkm_flexible_gauge_read(gauge, z, axial);
    const link_values link = {now.deflection, now.twist, now.stress, now.axial,
                              now.compression / gauge->buckling};
    pkm_layout_put(to, gauge->body->name, columns, OF_LINKS, &link);
    for (int k = 0; k < gauge->body->n_place; ++k) {
        const pkm_flexible_place_reading at = pkm_flexible_gauge_place(gauge, k, z, axial);
        const link_values place = {
            .deflection = at.deflection, .twist = at.twist, .stress = at.stress};
        pkm_layout_put(to, "", columns, OF_PLACES, &place);
    }
    raise(&limits->buckling, link.buckling, t, gauge);
    raise(&limits->deflection, now.largest / gauge->length, t, gauge);
    raise(&limits->turn, now.turn, t, gauge);
}

// ---- warnings ---------------------------------------------------------------------------------

static void tell(const pkm_deflection_peak* peak, double limit, const char* what, double shown,
                 const char* why, pkm_warnings* to)
{
    if (!peak->link || !(peak->value > limit)) return;
    pkm_warn(to, "flexible", peak->t, "%s at t = %.4g s: %s %.3g%s", peak->link, peak->t, what,
             shown, why);
}

void pkm_deflection_warn(const pkm_deflection_limits* b, pkm_warnings* to)
{
    tell(&b->buckling, PKM_BEND_BUCKLING, "near buckling, its compression is",
         100.0 * b->buckling.value,
         " % of Euler's load between the joints; bending grows faster than a model of small "
         "deflections has it",
         to);
    tell(&b->turn, PKM_BEND_TURN, "it turns by", b->turn.value,
         " rad, outside the range of small deflections", to);
    tell(&b->deflection, PKM_BEND_DEFLECTION, "it bends by", 100.0 * b->deflection.value,
         " % of its length, outside the range of small deflections", to);
}
