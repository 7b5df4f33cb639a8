#include "dynamics/modal.h"
#include "flexible/link_readings.h"
#include "simulate/simulation_impl.h"

/// A flexible link, as it is measured at every row.
struct pkm_sim_deflections {
    pkm_flexible_gauge gauge;
    int body; ///< of the mechanism
};

pkm_status pkm_sim_begin_deflections(pkm_sim* s)
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
        s->bend[k] = (struct pkm_sim_deflections){.gauge = pkm_flexible_gauge_make(body, clamped),
                                                  .body = s->robot->mech->body_of_desc[body->body]};
        if (body->n_element > most) most = body->n_element;
    }
    s->n_flexible = n;
    s->axial = pkm_alloc((size_t)most, sizeof *s->axial);
    return s->axial ? PKM_OK : PKM_ERR_MEMORY;
}

void pkm_sim_end_deflections(pkm_sim* s)
{
    pkm_free(s->bend);
    pkm_free(s->axial);
}

void pkm_sim_put_deflections(const pkm_sim* s, double t, pkm_deflection_limits* limits,
                             pkm_layout* to)
{
    for (int k = 0; to->table && k < s->n_flexible; ++k)
        pkm_deflection_add_columns(s->bend[k].gauge.body, to);
    if (to->table) return;
    const pkm_state* state = s->robot->state;
    for (int k = 0; k < s->n_flexible; ++k) {
        const pkm_body* body = &state->mech->body[s->bend[k].body];
        const bool stiffens = body->modal->n_element > 0;
        for (int e = 0; stiffens && e < body->modal->n_element; ++e)
            s->axial[e] = pkm_modal_axial_force(state, s->bend[k].body, e);
        pkm_deflection_put(&s->bend[k].gauge, state->q + body->z_at, stiffens ? s->axial : NULL, t,
                           limits, to);
    }
}
