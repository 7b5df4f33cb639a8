// Columns of flexible links in tables, and warnings where a model of small deflections ends: 30 %
// of Euler's load, displacements 0.46 % off (0.1 rad), a twentieth of the length.
// docs/theory/flexible.md, section 7.
#include "flexible/link_readings.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- columns ----------------------------------------------------------------------------------

const char* pkm_deflection_place_name(const char* link, double part, char out[PKM_BEND_NAME])
{
    snprintf(out, PKM_BEND_NAME, "%s@%.10g", link, part);
    return out;
}

/// Places on a link have the first three of them, and the signed ones.
static const pkm_column columns[] = {
    {"deflection", "m", offsetof(pkm_link_values, deflection), "deflection", NULL,
     PKM_PEAK_LOCATED},
    {"twist", "rad", offsetof(pkm_link_values, twist), "twist", NULL, PKM_PEAK_LOCATED},
    {"stress", "Pa", offsetof(pkm_link_values, stress), "stress", NULL, PKM_PEAK_LOCATED},
    {"axial", "N", offsetof(pkm_link_values, axial), "axial force", NULL, PKM_PEAK_LOCATED},
    {"buckling", "", offsetof(pkm_link_values, buckling), "compression over Euler's load", NULL,
     PKM_PEAK_LOCATED},
};
static const char ACROSS[] = "transverse displacement of *";
static const pkm_column signed_columns[] = {
    {"stretch", "m", offsetof(pkm_link_values, bend.stretch), "axial displacement of *", NULL,
     PKM_PEAK_LOCATED},
    {"bend_y", "m", offsetof(pkm_link_values, bend.y), ACROSS, NULL, PKM_PEAK_LOCATED},
    {"bend_z", "m", offsetof(pkm_link_values, bend.z), ACROSS, NULL, PKM_PEAK_LOCATED},
};
enum { OF_LINKS = sizeof columns / sizeof columns[0], OF_PLACES = 3, SIGNED = 3 };

static void raise(pkm_deflection_peak* peak, double value, double t, const char* link)
{
    // the first of equal peaks
    if (value > peak->value) *peak = (pkm_deflection_peak){link, value, t};
}

void pkm_deflection_raise(pkm_deflection_limits* limits, const char* name, double t, int n_piece,
                          double buckling, double deflection, double turn)
{
    // a cantilever under a force across its tip is displaced too far by 0.46 (turn/n)^2, (7.5)
    const double off = 0.46 * turn * turn / ((double)n_piece * n_piece);
    raise(&limits->buckling, buckling, t, name);
    raise(&limits->deflection, deflection / n_piece, t, name);
    if (!(off > limits->off)) return;
    limits->off = off;
    limits->turn = (pkm_deflection_peak){name, turn, t};
}

void pkm_deflection_raise_tipping(pkm_deflection_limits* limits, const char* name, double t,
                                  pkm_flexible_tipping tipping)
{
    raise(&limits->tipping, tipping.part, t, name);
    limits->tipping_off = fmax(limits->tipping_off, tipping.off);
}

void pkm_deflection_lay_out(const char* name, const double* part, int n_place,
                            const pkm_link_values* link, const pkm_link_values* place,
                            pkm_layout* to)
{
    char item[PKM_BEND_NAME];
    pkm_layout_put(to, name, columns, OF_LINKS, link);
    for (int k = 0; k < n_place; ++k) {
        const char* at = to->table ? pkm_deflection_place_name(name, part[k], item) : "";
        pkm_layout_put(to, at, columns, OF_PLACES, place ? &place[k] : NULL);
        pkm_layout_put(to, at, signed_columns, SIGNED, place ? &place[k] : NULL);
    }
}

void pkm_deflection_add_columns(const pkm_flexible_body* body, pkm_layout* to)
{
    pkm_deflection_lay_out(body->name, body->part, body->n_place, NULL, NULL, to);
}

static bool has_displacement(const pkm_column* column, int n, const char* name)
{
    for (int k = 0; k < n; ++k)
        if (strcmp(column[k].quantity, name) == 0)
            return strcmp(column[k].unit, "m") == 0 || strcmp(column[k].unit, "rad") == 0;
    return false;
}

bool pkm_deflection_is_displacement(const char* link, const char* column)
{
    const size_t length = strlen(link);
    const char* dot = strrchr(column, '.');
    if (!dot || strncmp(column, link, length) != 0) return false;
    const bool is_place = column[length] == '@';
    if (!is_place && column + length != dot) return false;
    return has_displacement(columns, OF_LINKS, dot + 1) ||
           (is_place && has_displacement(signed_columns, SIGNED, dot + 1));
}

void pkm_deflection_put(const pkm_flexible_gauge* gauge, const double* z, pkm_modal_axial axial,
                        double t, pkm_deflection_limits* limits, pkm_layout* to)
{
    const pkm_flexible_body* body = gauge->body;
    const pkm_flexible_reading now = limits ? pkm_flexible_gauge_read(gauge, z, axial)
                                            : pkm_flexible_gauge_read_loads(gauge, z, axial);
    const pkm_link_values link = {
        now.deflection, now.twist, now.stress, now.axial, now.compression / gauge->buckling,
        {0.0, 0.0, 0.0}};
    pkm_link_values place[PKM_FLEXIBLE_MAX_PLACE];
    for (int k = 0; k < body->n_place; ++k) {
        const pkm_flexible_place_reading at = pkm_flexible_gauge_place(gauge, k, z, axial);
        place[k] = (pkm_link_values){
            .deflection = at.deflection, .twist = at.twist, .stress = at.stress, .bend = at.bend};
    }
    pkm_deflection_lay_out(body->name, body->part, body->n_place, &link, place, to);
    if (!limits) return;
    pkm_deflection_raise(limits, body->name, t, 1, link.buckling, now.largest / gauge->length,
                         now.turn);
    pkm_deflection_raise_tipping(limits, body->name, t, now.tipping);
}

// ---- warnings ---------------------------------------------------------------------------------

static void tell(const pkm_deflection_peak* peak, double limit, const char* what, double shown,
                 const char* why, pkm_warnings* to)
{
    if (!peak->link || !(peak->value > limit)) return;
    pkm_warn(to, "flexible", peak->t, "%s at t = %.4g s: %s %.3g%s", peak->link, peak->t, what,
             shown, why);
}

bool pkm_deflection_is_lost(const pkm_deflection_limits* limits)
{
    static const double LOST = 0.3;
    return limits->off > LOST;
}

static void tell_turn(const pkm_deflection_limits* limits, pkm_warnings* to)
{
    char why[200], off[60] = "displacements are not to be trusted";
    if (!pkm_deflection_is_lost(limits))
        snprintf(off, sizeof off, "displacements are off by some %.2g %%", 100.0 * limits->off);
    snprintf(why, sizeof why,
             " rad, outside the range of small deflections: %s, expected pieces (flexible: "
             "{pieces: n}) or more of them",
             off);
    tell(&limits->turn, 0.0, "it turns by", limits->turn.value, why, to);
}

static void tell_tipping(const pkm_deflection_limits* limits, pkm_warnings* to)
{
    char why[240], off[80] = "";
    const bool is_off = limits->tipping_off > PKM_BEND_OFF;
    if (is_off)
        snprintf(off, sizeof off, "displacements are off by some %.2g %%, twist by more, ",
                 100.0 * limits->tipping_off);
    snprintf(why, sizeof why,
             " %% of what tips it over sideways, which small deflections do not know: %sexpected "
             "pieces (flexible: {pieces: n}) or more of them",
             off);
    tell(&limits->tipping, is_off ? 0.0 : PKM_BEND_TIPPING, "its bending moment is",
         100.0 * limits->tipping.value, why, to);
}

void pkm_deflection_warn(const pkm_deflection_limits* b, pkm_warnings* to)
{
    tell_tipping(b, to);
    tell(&b->buckling, PKM_BEND_BUCKLING, "near buckling, its compression is",
         100.0 * b->buckling.value,
         " % of Euler's load between the joints; bending grows faster than a model of small "
         "deflections has it",
         to);
    if (b->off > PKM_BEND_OFF)
        tell_turn(b, to);
    else
        tell(&b->deflection, PKM_BEND_DEFLECTION, "it bends by", 100.0 * b->deflection.value,
             " % of its length, outside the range of small deflections", to);
}
