#include "robot/run_variant.h"

#include "base/error.h"
#include "flexible/modal_make.h"
#include "mechanism/joint.h"

bool pkm_run_needs_variant(const pkm_effects* effects)
{
    if (!effects) return false;
    for (int k = 0; k < effects->n_clearance; ++k)
        if (effects->clearance[k].clearance.fidelity == PKM_FIDELITY_CONTACT) return true;
    return effects->n_flexible > 0;
}

void pkm_run_variant_free(pkm_run_variant* made)
{
    if (!made) return;
    for (int k = 0; made->body && k < made->variant.n_modal; ++k) {
        pkm_flexible_body_free(made->body[k]);
        pkm_free(made->clamped[k].block);
    }
    pkm_arena_free(made->arena);
    pkm_free(made);
}

// ---- flexible links --------------------------------------------------------------------------

/// The joint in which a drive carries the body, so that its modes are seen from there: one to the
/// ground, or one in which the body is the far side. PKM_NONE: the body floats.
static int carrying_joint(const pkm_description* desc, int body)
{
    int found = PKM_NONE;
    for (int d = 0; d < desc->n_drive; ++d) {
        const pkm_desc_joint* joint = &desc->joint[desc->drive[d].joint];
        if (pkm_joint_facts_of(joint->type)->is_rod) continue;
        const int other = joint->body_a == body ? joint->body_b : joint->body_a;
        if (joint->body_a != body && joint->body_b != body) continue;
        if (other == 0) return desc->drive[d].joint;
        if (joint->body_b == body) found = desc->drive[d].joint;
    }
    return found;
}

const pkm_vec3* pkm_run_variant_place(const pkm_description* desc, int body)
{
    const int j = carrying_joint(desc, body);
    if (j == PKM_NONE) return NULL;
    return desc->joint[j].body_a == body ? &desc->joint[j].frame_a.p : &desc->joint[j].frame_b.p;
}

static pkm_status make_body(pkm_run_variant* made, const pkm_description* desc, int k,
                            const pkm_flexible_spec* spec)
{
    const pkm_vec3* place = pkm_run_variant_place(desc, made->body[k]->body);
    return pkm_modal_make(made->arena, made->body[k], spec, place, &made->clamped[k],
                          &made->modal[k]);
}

static pkm_status make_bodies(pkm_run_variant* made, const pkm_robot* robot,
                              const pkm_effects* effects, pkm_error* err)
{
    const size_t n = (size_t)effects->n_flexible;
    made->body = pkm_arena_alloc(made->arena, n, sizeof *made->body);
    made->modal = pkm_arena_alloc(made->arena, n, sizeof *made->modal);
    made->clamped = pkm_arena_alloc(made->arena, n, sizeof *made->clamped);
    if (!made->body || !made->modal || !made->clamped)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    made->variant.modal = made->modal;
    for (int k = 0; k < effects->n_flexible; ++k) {
        const pkm_effect_flexible* flexible = &effects->flexible[k];
        PKM_TRY(pkm_flexible_body_make(robot->desc, flexible->body, &flexible->spec, &made->body[k],
                                       err));
        ++made->variant.n_modal;
        const pkm_status status = make_body(made, robot->desc, k, &flexible->spec);
        if (status != PKM_OK)
            return pkm_fail(err, status, "body %s: %s", made->body[k]->name,
                            pkm_status_text(status));
    }
    return PKM_OK;
}

// ---- all --------------------------------------------------------------------------------------

static pkm_status build(pkm_run_variant* made, const pkm_robot* robot, const pkm_effects* effects,
                        pkm_error* err)
{
    made->arena = pkm_arena_create();
    if (made->arena)
        made->released =
            pkm_arena_alloc(made->arena, (size_t)robot->desc->n_joint, sizeof *made->released);
    if (!made->released) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    made->variant.released = made->released;
    for (int k = 0; k < effects->n_clearance; ++k)
        if (effects->clearance[k].clearance.fidelity == PKM_FIDELITY_CONTACT)
            made->released[effects->clearance[k].joint] = true;
    return make_bodies(made, robot, effects, err);
}

pkm_status pkm_run_variant_create(const pkm_robot* robot, const pkm_effects* effects,
                                  pkm_run_variant** out, pkm_error* err)
{
    *out = NULL;
    pkm_run_variant* made = pkm_alloc(1, sizeof *made);
    if (!made) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const pkm_status status = build(made, robot, effects, err);
    if (status != PKM_OK) {
        pkm_run_variant_free(made);
        return status;
    }
    *out = made;
    return PKM_OK;
}
