// Bodies without mass that a clearance sets free get the mass of their shapes for the run, and a
// warning says so.
#include "robot/run_variant_impl.h"

#include "base/error.h"
#include "flexible/link.h"
#include "model/shape_mass.h"
#include "table/warnings.h"

#include <math.h>
#include <string.h>

static bool is_flexible(const pkm_effects* effects, int body)
{
    for (int i = 0; i < effects->n_flexible; ++i)
        if (effects->flexible[i].body == body) return true;
    return false;
}

/// Does a joint of the body have contacts?
static bool is_set_free(const pkm_description* desc, const pkm_effects* effects, int body)
{
    for (int k = 0; k < effects->n_clearance; ++k) {
        const pkm_desc_joint* joint = &desc->joint[effects->clearance[k].joint];
        if (effects->clearance[k].clearance.fidelity == PKM_FIDELITY_CONTACT &&
            (joint->body_a == body || joint->body_b == body))
            return true;
    }
    return false;
}

/// Payloads stay on it.
static void weigh(pkm_desc_body* body)
{
    pkm_mass all = pkm_shapes_mass(body);
    if (body->load_mass > 0.0) {
        pkm_mass load = {.mass = body->load_mass, .com = body->load_com};
        memcpy(load.inertia, body->load_inertia, sizeof load.inertia);
        all = pkm_mass_add(all, load);
    }
    body->mass = all.mass;
    body->com = all.com;
    memcpy(body->inertia, all.inertia, sizeof body->inertia);
}

pkm_status pkm_run_variant_weigh(pkm_run_variant* made, pkm_description* desc,
                                 const pkm_effects* effects, pkm_description** out)
{
    *out = desc;
    made->weighed = pkm_arena_alloc(made->arena, (size_t)desc->n_body, sizeof *made->weighed);
    if (!made->weighed) return PKM_ERR_MEMORY;
    for (int b = 1; b < desc->n_body; ++b)
        if (pkm_flexible_is_weighed(&desc->body[b]) && !is_flexible(effects, b) &&
            is_set_free(desc, effects, b))
            made->weighed[made->n_weighed++] = b;
    if (made->n_weighed == 0) return PKM_OK;
    pkm_description* to = pkm_arena_alloc(made->arena, 1, sizeof *to);
    if (!to) return PKM_ERR_MEMORY;
    pkm_description_copy(desc, to);
    to->body = pkm_arena_alloc(made->arena, (size_t)desc->n_body, sizeof *to->body);
    if (!to->body) return PKM_ERR_MEMORY;
    // the model itself stays as it was read: the run has bodies of its own
    memcpy(to->body, desc->body, (size_t)desc->n_body * sizeof *to->body);
    for (int i = 0; i < made->n_weighed; ++i)
        weigh(&to->body[made->weighed[i]]);
    *out = to;
    return PKM_OK;
}

static void warn(const pkm_desc_body* body, const char* why, pkm_warnings* to)
{
    pkm_warn(to, "mass", NAN,
             "%s: massless in the model; %s, it has the mass of its shapes here, %.4g kg",
             body->name, why, pkm_shapes_mass(body).mass);
}

void pkm_run_variant_warn(const pkm_run_variant* made, const pkm_description* desc,
                          pkm_warnings* to)
{
    for (int i = 0; i < made->n_weighed; ++i)
        warn(&desc->body[made->weighed[i]], "set free by clearance", to);
}

void pkm_run_links_warn(const pkm_description* desc, const pkm_effects* effects, pkm_warnings* to)
{
    for (int i = 0; i < effects->n_flexible; ++i)
        if (pkm_flexible_is_weighed(&desc->body[effects->flexible[i].body]))
            warn(&desc->body[effects->flexible[i].body], "as a flexible link", to);
}
