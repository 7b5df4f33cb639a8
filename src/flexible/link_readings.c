#include "flexible/link_readings.h"

#include "table/column.h"

#include <stdio.h>

// ---- columns ----------------------------------------------------------------------------------

const char* pkm_deflection_place_name(const char* link, double part, char out[PKM_BEND_NAME])
{
    snprintf(out, PKM_BEND_NAME, "%s@%.10g", link, part);
    return out;
}

bool pkm_deflection_add_columns(const pkm_flexible_body* body, pkm_table* table)
{
    static const char* const quantity[][2] = {
        {"deflection", "m"}, {"twist", "rad"}, {"stress", "Pa"}, {"axial", "N"}, {"buckling", ""}};
    enum { OF_LINKS = 5, OF_PLACES = 3 };
    char name[PKM_BEND_NAME];
    bool ok = true;
    for (int i = 0; i < OF_LINKS; ++i)
        ok = ok && pkm_table_add_item(table, body->name, quantity[i][0], quantity[i][1]);
    for (int k = 0; k < body->n_place; ++k) {
        pkm_deflection_place_name(body->name, body->part[k], name);
        for (int i = 0; i < OF_PLACES; ++i)
            ok = ok && pkm_table_add_item(table, name, quantity[i][0], quantity[i][1]);
    }
    return ok;
}

static void raise(pkm_deflection_peak* peak, double value, double t,
                  const pkm_flexible_gauge* gauge)
{
    if (value > peak->value) *peak = (pkm_deflection_peak){gauge->body->name, value, t};
}

double* pkm_deflection_put(const pkm_flexible_gauge* gauge, const double* z, const double* axial,
                           double t, pkm_deflection_limits* limits, double* out)
{
    const pkm_flexible_reading now = pkm_flexible_gauge_read(gauge, z, axial);
    const double buckling = now.compression / gauge->buckling;
    *out++ = now.deflection;
    *out++ = now.twist;
    *out++ = now.stress;
    *out++ = now.axial;
    *out++ = buckling;
    for (int k = 0; k < gauge->body->n_place; ++k) {
        const pkm_flexible_place_reading at = pkm_flexible_gauge_place(gauge, k, z, axial);
        *out++ = at.deflection;
        *out++ = at.twist;
        *out++ = at.stress;
    }
    raise(&limits->buckling, buckling, t, gauge);
    raise(&limits->deflection, now.largest / gauge->length, t, gauge);
    raise(&limits->turn, now.turn, t, gauge);
    return out;
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
