// The mechanism of a run: which links bend, as one reduced body or in pieces, and which joints are
// released, compiled beside the robot's own; then what its frames and places do by the modes.
#include "robot/run_variant.h"

#include "base/error.h"
#include "flexible/modal_make.h"
#include "mechanism/joint.h"
#include "robot/run_variant_impl.h"

bool pkm_run_needs_variant(const pkm_effects* effects)
{
    return effects && (pkm_effects_have_contacts(effects) || effects->n_flexible > 0);
}

void pkm_run_variant_free(pkm_run_variant* made)
{
    if (!made) return;
    for (int k = 0; made->clamped && k < made->variant.n_modal; ++k)
        pkm_free(made->clamped[k].block);
    for (int i = 0; i < made->n_link; ++i) {
        const pkm_run_link* link = &made->link[i];
        if (!link->pieces && made->body) pkm_flexible_body_free(made->body[link->first]);
        pkm_flexible_pieces_free(link->pieces);
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
        // a driven length holds points, no frame
        if (pkm_joint_facts_of(joint->type)->is_rod) continue;
        const int other = joint->body_a == body ? joint->body_b : joint->body_a;
        if (joint->body_a != body && joint->body_b != body) continue;
        // a joint to the ground goes before all others
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

/// Link i as one reduced body, or cut into pieces.
static pkm_status make_link(pkm_run_variant* made, const pkm_description* desc,
                            const pkm_effect_flexible* flexible, pkm_run_link* link, pkm_error* err)
{
    *link = (pkm_run_link){.body = flexible->body, .first = made->variant.n_modal, .n = 1};
    if (!pkm_flexible_is_in_pieces(&flexible->spec)) return PKM_OK;
    PKM_TRY(pkm_flexible_pieces_create(desc, flexible->body, &flexible->spec, &link->pieces, err));
    link->n = link->pieces->n;
    return PKM_OK;
}

/// Matrices over all velocities are dense: a bound for those of the links made so far, their modes
/// and the six of each piece.
static pkm_status check_velocities(const pkm_run_variant* made, pkm_error* err)
{
    enum { MOST = 5000 };
    int n = 0;
    for (int i = 0; i < made->n_link; ++i) {
        const pkm_run_link* link = &made->link[i];
        for (int k = 0; link->pieces && k < link->n; ++k)
            n += 6 + link->pieces->body[k]->n_mode;
        if (!link->pieces && made->body && made->body[link->first])
            n += made->body[link->first]->n_mode;
    }
    if (n <= MOST) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "flexible links with %d velocities or more, expected at most %d", n, MOST);
}

static pkm_status make_links(pkm_run_variant* made, const pkm_description* desc,
                             const pkm_effects* effects, pkm_error* err)
{
    made->link = pkm_arena_alloc(made->arena, (size_t)effects->n_flexible, sizeof *made->link);
    if (!made->link) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int i = 0; i < effects->n_flexible; ++i) {
        PKM_TRY(make_link(made, desc, &effects->flexible[i], &made->link[i], err));
        ++made->n_link;
        // every piece is a body of its own for the engine
        made->variant.n_modal += made->link[i].n;
        PKM_TRY(check_velocities(made, err));
    }
    return PKM_OK;
}

/// Link i in one piece. Equal links are reduced once: known[n_known] are those of reading the run
/// and those before it.
static pkm_status make_body(pkm_run_variant* made, const pkm_description* desc,
                            const pkm_effect_flexible* flexible, const pkm_run_link* link,
                            const pkm_flexible_body** known, int* n_known, pkm_error* err)
{
    pkm_flexible_body** out = &made->body[link->first];
    const pkm_flexible_made there = {*n_known, known};
    PKM_TRY(pkm_flexible_body_make(desc, link->body, &flexible->spec, there, out, err));
    known[(*n_known)++] = *out;
    return PKM_OK;
}

static pkm_status make_bodies(pkm_run_variant* made, const pkm_description* desc,
                              const pkm_effects* effects, pkm_error* err)
{
    const size_t n = (size_t)made->variant.n_modal;
    int n_known = effects->made.n;
    const pkm_flexible_body** known =
        pkm_arena_alloc(made->arena, (size_t)(n_known + made->n_link), sizeof *known);
    made->body = pkm_arena_alloc(made->arena, n, sizeof *made->body);
    made->modal = pkm_arena_alloc(made->arena, n, sizeof *made->modal);
    made->clamped = pkm_arena_alloc(made->arena, n, sizeof *made->clamped);
    if (!made->body || !made->modal || !made->clamped || !known)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int k = 0; k < n_known; ++k)
        known[k] = effects->made.body[k];
    made->variant.modal = made->modal;
    for (int i = 0; i < made->n_link; ++i) {
        const pkm_run_link* link = &made->link[i];
        // pieces keep their bodies; links in one piece own theirs
        for (int k = 0; link->pieces && k < link->n; ++k)
            made->body[link->first + k] = link->pieces->body[k];
        if (!link->pieces)
            PKM_TRY(make_body(made, desc, &effects->flexible[i], link, known, &n_known, err));
        PKM_TRY(check_velocities(made, err));
    }
    return PKM_OK;
}

static pkm_status make_modes(pkm_run_variant* made, const pkm_description* desc,
                             const pkm_effects* effects, pkm_error* err)
{
    for (int i = 0; i < made->n_link; ++i) {
        const pkm_run_link* link = &made->link[i];
        const pkm_flexible_spec* spec =
            link->pieces ? &link->pieces->spec : &effects->flexible[i].spec;
        for (int k = link->first; k < link->first + link->n; ++k) {
            // modes as the drive sees them: the place that carries the link neither shifts nor
            // turns
            const pkm_vec3* place = pkm_run_variant_place(desc, made->body[k]->body);
            const pkm_status status = pkm_modal_make(made->arena, desc, made->body[k], spec, place,
                                                     &made->clamped[k], &made->modal[k]);
            if (status != PKM_OK)
                return pkm_fail(err, status, "body %s: %s", made->body[k]->name,
                                pkm_status_text(status));
        }
    }
    return PKM_OK;
}

// ---- all --------------------------------------------------------------------------------------

/// Joints with contacts hold nothing.
static pkm_status release_joints(pkm_run_variant* made, const pkm_description* desc,
                                 const pkm_effects* effects)
{
    made->released = pkm_arena_alloc(made->arena, (size_t)desc->n_joint, sizeof *made->released);
    if (!made->released) return PKM_ERR_MEMORY;
    made->variant.released = made->released;
    for (int k = 0; k < effects->n_clearance; ++k)
        if (effects->clearance[k].clearance.fidelity == PKM_FIDELITY_CONTACT)
            made->released[effects->clearance[k].joint] = true;
    return PKM_OK;
}

static pkm_status build(pkm_run_variant* made, const pkm_robot* robot, const pkm_effects* effects,
                        pkm_error* err)
{
    made->arena = pkm_arena_create();
    if (!made->arena) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_description* whole = NULL;
    if (pkm_run_variant_weigh(made, robot->desc, effects, &whole) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    // how many bodies, then the bodies, then a description with pieces and welds: each needs the
    // one before
    PKM_TRY(make_links(made, whole, effects, err));
    PKM_TRY(make_bodies(made, whole, effects, err));
    if (pkm_run_variant_split(made, whole) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    // masses that were added are those of a description of its own
    if (!made->variant.desc && whole != robot->desc) made->variant.desc = whole;
    const pkm_description* desc = made->variant.desc ? made->variant.desc : whole;
    if (release_joints(made, desc, effects) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return make_modes(made, desc, effects, err);
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

// ---- what is seen of the links -----------------------------------------------------------------

/// The frame of the body at `place`; there is one where it is clamped.
static int frame_at(const pkm_flexible_body* body, pkm_vec3 place)
{
    int best = 0;
    for (int f = 1; f < body->n_frame; ++f)
        if (pkm_vec3_norm(pkm_vec3_sub(body->frame[f].pose.p, place)) <
            pkm_vec3_norm(pkm_vec3_sub(body->frame[best].pose.p, place)))
            best = f;
    return best;
}

/// The rigid motion of the clamped place that is taken out: shift d and turn r.
static void clamped_motion(const pkm_run_variant* made, int k, const double* z, pkm_vec3* place,
                           pkm_vec3* d, pkm_vec3* r)
{
    const pkm_modal_body* modal = &made->modal[k];
    *place = *d = *r = (pkm_vec3){0.0, 0.0, 0.0};
    // a link that floats has mean axes: nothing is taken out
    if (modal->clamped == PKM_NONE) return;
    *place = modal->at[modal->clamped];
    pkm_flexible_body_frame(made->body[k], frame_at(made->body[k], *place), z, d, r);
}

void pkm_run_variant_frame(const pkm_run_variant* made, int k, int f, const double* z, pkm_vec3* d,
                           pkm_vec3* r)
{
    pkm_vec3 place, d0, r0;
    pkm_flexible_body_frame(made->body[k], f, z, d, r);
    clamped_motion(made, k, z, &place, &d0, &r0);
    // d - (d_0 + r_0 x arm): the clamped place is at rest in the frame of the link
    const pkm_vec3 arm = pkm_vec3_sub(made->body[k]->frame[f].pose.p, place);
    *d = pkm_vec3_sub(*d, pkm_vec3_add(d0, pkm_vec3_cross(r0, arm)));
    *r = pkm_vec3_sub(*r, r0);
}

pkm_beam_point pkm_run_variant_point(const pkm_run_variant* made, int k, int s, const double* z)
{
    pkm_vec3 place, d, r;
    pkm_beam_point point = pkm_flexible_body_point(made->body[k], s, z);
    clamped_motion(made, k, z, &place, &d, &r);
    const pkm_vec3 arm = pkm_vec3_sub(made->body[k]->sample[s].at, place);
    point.d = pkm_vec3_sub(point.d, pkm_vec3_add(d, pkm_vec3_cross(r, arm)));
    point.r = pkm_vec3_sub(point.r, r);
    return point;
}
