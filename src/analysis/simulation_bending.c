#include "analysis/simulation_parts.h"

#include "dynamics/modal.h"
#include "flexible/gauge.h"

#include <stdio.h>
#include <string.h>

/// A link that bends, as it is measured at every row.
struct pkm_sim_bend {
    pkm_flexible_gauge gauge;
    int body; ///< of the mechanism
};

pkm_status pkm_sim_begin_bends(pkm_sim* s)
{
    if (!s->variant || s->variant->variant.n_modal == 0) return PKM_OK;
    const int n = s->variant->variant.n_modal;
    s->bend = pkm_alloc((size_t)n, sizeof *s->bend);
    if (!s->bend) return PKM_ERR_MEMORY;
    int most = 0;
    for (int k = 0; k < n; ++k) {
        const pkm_flexible_body* body = s->variant->body[k];
        const pkm_modal_body* modal = &s->variant->modal[k];
        const pkm_vec3* clamped = modal->clamped == PKM_NONE ? NULL : &modal->at[modal->clamped];
        s->bend[k] = (struct pkm_sim_bend){.gauge = pkm_flexible_gauge_make(body, clamped),
                                           .body = s->robot->mech->body_of_desc[body->body]};
        if (body->n_element > most) most = body->n_element;
    }
    s->n_bend = n;
    s->axial = pkm_alloc((size_t)most, sizeof *s->axial);
    return s->axial ? PKM_OK : PKM_ERR_MEMORY;
}

void pkm_sim_end_bends(pkm_sim* s)
{
    pkm_free(s->bend);
    pkm_free(s->axial);
}

/// "link@0.25", for the columns of a place; `out` has room for 2 PKM_MAX_NAME.
static const char* place_name(const pkm_flexible_body* body, int k, char* out)
{
    snprintf(out, 2 * PKM_MAX_NAME, "%s@%g", body->name, body->part[k]);
    return out;
}

static bool add_place_columns(const pkm_flexible_body* body, pkm_table* table)
{
    char name[2 * PKM_MAX_NAME];
    bool ok = true;
    for (int k = 0; k < body->n_place && ok; ++k)
        ok = pkm_table_add_item(table, place_name(body, k, name), "deflection", "m") &&
             pkm_table_add_item(table, name, "twist", "rad") &&
             pkm_table_add_item(table, name, "stress", "Pa");
    return ok;
}

bool pkm_sim_add_bend_columns(const pkm_sim* s, pkm_table* table)
{
    static const char* const quantity[][2] = {
        {"deflection", "m"}, {"twist", "rad"}, {"stress", "Pa"}, {"axial", "N"}, {"buckling", ""}};
    bool ok = true;
    for (int k = 0; k < s->n_bend; ++k) {
        for (size_t i = 0; i < sizeof quantity / sizeof quantity[0]; ++i)
            ok = ok && pkm_table_add_item(table, s->bend[k].gauge.body->name, quantity[i][0],
                                          quantity[i][1]);
        ok = ok && add_place_columns(s->bend[k].gauge.body, table);
    }
    return ok;
}

static void raise(pkm_bend_peak* peak, double value, double t, const pkm_flexible_gauge* gauge)
{
    if (value > peak->value) *peak = (pkm_bend_peak){gauge->body->name, value, t};
}

static double* put_places(const pkm_flexible_gauge* gauge, const double* z, const double* axial,
                          double* out)
{
    for (int k = 0; k < gauge->body->n_place; ++k) {
        const pkm_flexible_place_reading at = pkm_flexible_gauge_place(gauge, k, z, axial);
        *out++ = at.deflection;
        *out++ = at.twist;
        *out++ = at.stress;
    }
    return out;
}

double* pkm_sim_put_bends(const pkm_sim* s, double t, pkm_bend_limits* limits, double* out)
{
    const pkm_state* state = s->robot->state;
    for (int k = 0; k < s->n_bend; ++k) {
        const pkm_flexible_gauge* gauge = &s->bend[k].gauge;
        const pkm_body* body = &state->mech->body[s->bend[k].body];
        const bool stiffens = body->modal->n_element > 0;
        for (int e = 0; stiffens && e < body->modal->n_element; ++e)
            s->axial[e] = pkm_modal_axial_force(state, s->bend[k].body, e);
        const pkm_flexible_reading now =
            pkm_flexible_gauge_read(gauge, state->q + body->z_at, stiffens ? s->axial : NULL);
        const double buckling = now.compression / gauge->buckling;
        *out++ = now.deflection;
        *out++ = now.twist;
        *out++ = now.stress;
        *out++ = now.axial;
        *out++ = buckling;
        out = put_places(gauge, state->q + body->z_at, stiffens ? s->axial : NULL, out);
        raise(&limits->buckling, buckling, t, gauge);
        raise(&limits->deflection, now.largest / gauge->length, t, gauge);
        raise(&limits->turn, now.turn, t, gauge);
    }
    return out;
}
