// What a run changes about a robot before it is compiled: looked up by the compiler.
#include "mechanism/variant.h"

const pkm_modal_body* pkm_variant_modal(const pkm_variant* variant, int desc_body)
{
    for (int k = 0; k < variant->n_modal; ++k)
        if (variant->modal[k].body == desc_body) return &variant->modal[k];
    return NULL;
}

int pkm_modal_frame_at(const pkm_modal_body* modal, pkm_vec3 place)
{
    static const double SAME = 1e-9; // [m]
    for (int f = 0; f < modal->n_frame; ++f)
        if (pkm_vec3_norm(pkm_vec3_sub(modal->at[f], place)) < SAME) return f;
    return PKM_NONE;
}
