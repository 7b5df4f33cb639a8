// Columns of flexible links in simulations, of whole links and of links in pieces.
#include "dynamics/modal.h"
#include "flexible/link_readings.h"
#include "simulate/flexible_pieces.h"
#include "simulate/simulation_impl.h"

/// A flexible link, as it is measured at every row.
struct pkm_sim_deflections {
    pkm_flexible_gauge gauge;
    int body;          ///< of the mechanism
    bool is_in_pieces; ///< then the gauge is the other one
    pkm_pieces_gauge pieces;
};

static struct pkm_sim_deflections measure(const pkm_sim* s, const pkm_run_link* link)
{
    struct pkm_sim_deflections out = {.is_in_pieces = link->pieces != NULL};
    const pkm_modal_body* modal = &s->variant->modal[link->first];
    // a link that a drive carries counts from the tangent there (flexible.md, 7)
    const pkm_vec3* clamped = modal->clamped == PKM_NONE ? NULL : &modal->at[modal->clamped];
    if (out.is_in_pieces) {
        out.pieces = pkm_pieces_gauge_make(s->variant, link, s->given->desc->body[link->body].name);
        return out;
    }
    out.gauge = pkm_flexible_gauge_make(s->variant->body[link->first], clamped);
    out.body = s->robot->mech->body_of_desc[link->body];
    return out;
}

pkm_status pkm_sim_begin_deflections(pkm_sim* s)
{
    if (!s->variant || s->variant->n_link == 0) return PKM_OK;
    const int n = s->variant->n_link;
    s->bend = pkm_alloc((size_t)n, sizeof *s->bend);
    if (!s->bend) return PKM_ERR_MEMORY;
    for (int k = 0; k < n; ++k)
        s->bend[k] = measure(s, &s->variant->link[k]);
    s->n_flexible = n;
    return PKM_OK;
}

void pkm_sim_end_deflections(pkm_sim* s)
{
    pkm_free(s->bend);
}

/// A link in pieces, or its columns.
static void put_pieces(const pkm_sim* s, const pkm_pieces_gauge* gauge, double t,
                       pkm_deflection_limits* limits, pkm_layout* to)
{
    const pkm_flexible_pieces* pieces = gauge->link->pieces;
    pkm_link_values link, place[PKM_FLEXIBLE_MAX_PLACE];
    // laid out for a table only names are needed
    if (!to->table) pkm_pieces_gauge_read(gauge, s->robot->state, t, limits, &link, place);
    pkm_deflection_lay_out(gauge->name, pieces->spec.place, pieces->n_place,
                           to->table ? NULL : &link, to->table ? NULL : place, to);
}

static void put_one(const pkm_sim* s, const struct pkm_sim_deflections* bend, double t,
                    pkm_deflection_limits* limits, pkm_layout* to)
{
    const pkm_state* state = s->robot->state;
    const pkm_body* body = &state->mech->body[bend->body];
    if (to->table) {
        pkm_deflection_add_columns(bend->gauge.body, to);
        return;
    }
    // axial forces with what bending takes from the length
    pkm_deflection_put(&bend->gauge, state->q + body->z_at,
                       pkm_modal_axial_forces(state, bend->body), t, limits, to);
}

void pkm_sim_put_deflections(const pkm_sim* s, double t, pkm_deflection_limits* limits,
                             pkm_layout* to)
{
    for (int k = 0; k < s->n_flexible; ++k)
        if (s->bend[k].is_in_pieces)
            put_pieces(s, &s->bend[k].pieces, t, limits, to);
        else
            put_one(s, &s->bend[k], t, limits, to);
}
