#include "analysis/run_variant.h"

#include "base/error.h"
#include "flexible/damping.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

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

// ---- links that bend --------------------------------------------------------------------------

/// One frame for each place; joints and markers at the same place share it.
static pkm_status take_frames(pkm_arena* arena, const pkm_flexible_body* from, pkm_modal_body* to)
{
    const size_t nf = (size_t)from->n_frame, n = (size_t)from->n_mode;
    pkm_vec3* at = pkm_arena_alloc(arena, nf, sizeof *at);
    pkm_vec3* shift = pkm_arena_alloc(arena, nf * n, sizeof *shift);
    pkm_vec3* turn = pkm_arena_alloc(arena, nf * n, sizeof *turn);
    if (!at || !shift || !turn) return PKM_ERR_MEMORY;
    to->at = at;
    to->shift = shift;
    to->turn = turn;
    for (size_t f = 0; f < nf; ++f) {
        if (pkm_modal_frame_at(to, from->frame[f].pose.p) != PKM_NONE) continue;
        const size_t k = (size_t)to->n_frame++;
        at[k] = from->frame[f].pose.p;
        for (size_t j = 0; j < n; ++j) {
            const double *d = from->phi_d + 3 * (f * n + j), *r = from->phi_r + 3 * (f * n + j);
            shift[k * n + j] = (pkm_vec3){d[0], d[1], d[2]};
            turn[k * n + j] = (pkm_vec3){r[0], r[1], r[2]};
        }
    }
    return PKM_OK;
}

/// The joint in which a drive carries the body, so that its modes are seen from there: one to the
/// ground, or one in which the body is the far side. PKM_NONE: the body floats.
static int carrying_joint(const pkm_description* desc, int body)
{
    int found = PKM_NONE;
    for (int d = 0; d < desc->n_drive; ++d) {
        const pkm_desc_joint* joint = &desc->joint[desc->drive[d].joint];
        if (joint->type == PKM_JOINT_DISTANCE) continue;
        const int other = joint->body_a == body ? joint->body_b : joint->body_a;
        if (joint->body_a != body && joint->body_b != body) continue;
        if (other == 0) return desc->drive[d].joint;
        if (joint->body_b == body) found = desc->drive[d].joint;
    }
    return found;
}

/// Elements seen from the clamped point: the line turns against the element by -r_j, so that slopes
/// change by t_j = e x r_j across it (1.9).
static pkm_status clamp_elements(pkm_arena* arena, const pkm_flexible_body* from,
                                 const pkm_vec3* turn, pkm_modal_body* to)
{
    const int n = from->n_mode;
    const size_t size = (size_t)n * (size_t)n;
    double* bend = pkm_arena_alloc(arena, size * (size_t)from->n_element, sizeof *bend);
    pkm_vec3* rise = pkm_arena_alloc(arena, 2 * (size_t)n, sizeof *rise);
    pkm_modal_element* element = pkm_arena_alloc(arena, (size_t)from->n_element, sizeof *element);
    if (!bend || !rise || !element) return PKM_ERR_MEMORY;
    pkm_vec3* slope = rise + n;
    for (int e = 0; e < from->n_element; ++e, bend += size) {
        const pkm_vec3 along = from->sample[1 + 2 * e].axes.x;
        const double* r0 = from->recover + (size_t)(1 + 2 * e) * (size_t)n * PKM_FLEXIBLE_RECOVER;
        const double* r1 = r0 + (size_t)n * PKM_FLEXIBLE_RECOVER;
        for (int j = 0; j < n; ++j, r0 += PKM_FLEXIBLE_RECOVER, r1 += PKM_FLEXIBLE_RECOVER) {
            const pkm_vec3 d = {r1[0] - r0[0], r1[1] - r0[1], r1[2] - r0[2]};
            rise[j] = pkm_vec3_axpy(d, -pkm_vec3_dot(d, along), along);
            slope[j] = pkm_vec3_cross(turn[j], along);
        }
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                bend[(size_t)j * (size_t)n + (size_t)i] =
                    to->element[e].bend[(size_t)j * (size_t)n + (size_t)i] -
                    pkm_vec3_dot(rise[i], slope[j]) - pkm_vec3_dot(rise[j], slope[i]) +
                    from->length[e] * pkm_vec3_dot(slope[i], slope[j]);
        element[e] = to->element[e];
        element[e].bend = bend;
    }
    to->element = element;
    return PKM_OK;
}

/// Take the motion of the clamped frame out of all modes.
static pkm_status clamp(pkm_run_variant* made, int k, pkm_vec3 place)
{
    pkm_modal_body* to = &made->modal[k];
    const int n = to->n_mode, f = pkm_modal_frame_at(to, place);
    if (f == PKM_NONE) return PKM_OK;
    const size_t size = (size_t)n * (size_t)to->n_frame;
    pkm_vec3* shift = pkm_arena_alloc(made->arena, size, sizeof *shift);
    pkm_vec3* turn = pkm_arena_alloc(made->arena, size, sizeof *turn);
    double* mass = pkm_arena_alloc(made->arena, (size_t)n * (size_t)n, sizeof *mass);
    if (!shift || !turn || !mass) return PKM_ERR_MEMORY;
    const pkm_vec3 *d = to->shift + f * n, *r = to->turn + f * n;
    for (int g = 0; g < to->n_frame; ++g) {
        const pkm_vec3 arm = pkm_vec3_sub(to->at[g], place);
        for (int j = 0; j < n; ++j) {
            const pkm_vec3 moved = pkm_vec3_add(d[j], pkm_vec3_cross(r[j], arm));
            shift[g * n + j] = pkm_vec3_sub(to->shift[g * n + j], moved);
            turn[g * n + j] = pkm_vec3_sub(to->turn[g * n + j], r[j]);
        }
    }
    to->clamped = f;
    to->mass = mass;
    to->integral = &made->clamped[k];
    PKM_TRY(
        pkm_beam_integrals_clamp(&made->body[k]->integrals, place, d, r, &made->clamped[k], mass));
    PKM_TRY(clamp_elements(made->arena, made->body[k], r, to));
    to->shift = shift;
    to->turn = turn;
    return PKM_OK;
}

static pkm_status clamp_driven(pkm_run_variant* made, const pkm_description* desc, int k)
{
    const int body = made->modal[k].body, j = carrying_joint(desc, body);
    if (j == PKM_NONE) return PKM_OK;
    const pkm_desc_joint* joint = &desc->joint[j];
    return clamp(made, k, joint->body_a == body ? joint->frame_a.p : joint->frame_b.p);
}

static pkm_status take_elements(pkm_arena* arena, const pkm_flexible_body* from, pkm_modal_body* to)
{
    const size_t n = (size_t)from->n_mode;
    pkm_modal_element* element = pkm_arena_alloc(arena, (size_t)from->n_element, sizeof *element);
    if (!element) return PKM_ERR_MEMORY;
    for (int e = 0; e < from->n_element; ++e)
        element[e] = (pkm_modal_element){.stiffness = from->EA[e] / from->length[e],
                                         .stretch = from->stretch + (size_t)e * n,
                                         .bend = from->bend + (size_t)e * n * n};
    to->element = element;
    to->n_element = from->n_element;
    return PKM_OK;
}

/// What shortening by bending does to the axial forces, as far as the modes can follow it: with
/// C = k^1/2 b and its left singular vectors U, Q = k^1/2 U U' k^1/2 (3.7). Elongations that no
/// mode has are taken to settle at once, without force.
static pkm_status take_shortening(pkm_arena* arena, const pkm_flexible_body* from,
                                  pkm_modal_body* to)
{
    const int n = from->n_mode, n_e = from->n_element, least = n < n_e ? n : n_e;
    const size_t size = (size_t)n_e * (size_t)n_e;
    double* C = pkm_arena_alloc(arena, (size_t)n_e * (size_t)n, sizeof *C);
    double* U = pkm_arena_alloc(arena, size, sizeof *U);
    double* sigma = pkm_arena_alloc(arena, 2 * (size_t)n_e + (size_t)n, sizeof *sigma);
    double* Q = pkm_arena_alloc(arena, size, sizeof *Q);
    if (!C || !U || !sigma || !Q) return PKM_ERR_MEMORY;
    for (int e = 0; e < n_e; ++e)
        for (int j = 0; j < n; ++j)
            C[j * n_e + e] = sqrt(to->element[e].stiffness) * to->element[e].stretch[j];
    if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'N', n_e, n, C, n_e, sigma, U, n_e, NULL, 1,
                       sigma + n_e) != 0)
        return PKM_ERR_CONVERGENCE;
    for (int k = 0; k < least && sigma[k] > 1e-6 * sigma[0]; ++k)
        for (int e = 0; e < n_e; ++e)
            for (int f = 0; f < n_e; ++f)
                Q[e * n_e + f] += U[k * n_e + e] * U[k * n_e + f] *
                                  sqrt(to->element[e].stiffness * to->element[f].stiffness);
    to->shorten = Q;
    return PKM_OK;
}

static pkm_status take_body(pkm_arena* arena, const pkm_flexible_body* from, pkm_modal_body* to)
{
    double* stiffness = pkm_arena_alloc(arena, (size_t)from->n_mode, sizeof *stiffness);
    if (!stiffness) return PKM_ERR_MEMORY;
    for (int k = 0; k < from->n_mode; ++k)
        stiffness[k] = from->omega[k] * from->omega[k];
    *to = (pkm_modal_body){.body = from->body,
                           .n_mode = from->n_mode,
                           .stiffness = stiffness,
                           .damping = from->damping,
                           .integral = &from->integrals,
                           .clamped = PKM_NONE};
    PKM_TRY(take_frames(arena, from, to));
    PKM_TRY(take_elements(arena, from, to));
    return take_shortening(arena, from, to);
}

/// Ratios of damping belong to the modes between the joints.
static pkm_status take_damping(pkm_run_variant* made, int k, const pkm_flexible_spec* spec,
                               pkm_error* err)
{
    const size_t n = (size_t)made->body[k]->n_mode;
    const bool by_ratio =
        spec->damping == PKM_FLEXIBLE_ADAMS || spec->damping == PKM_FLEXIBLE_RATIO;
    if (!by_ratio || spec->free_damping) return PKM_OK;
    double* D = pkm_arena_alloc(made->arena, n * n, sizeof *D);
    const pkm_status status =
        D ? pkm_flexible_held_damping(made->body[k], spec, D) : PKM_ERR_MEMORY;
    made->modal[k].damping_matrix = D;
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail(err, status, "body %s: damping: %s", made->body[k]->name,
                    pkm_status_text(status));
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
        if (take_body(made->arena, made->body[k], &made->modal[k]) != PKM_OK ||
            clamp_driven(made, robot->desc, k) != PKM_OK)
            return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        PKM_TRY(take_damping(made, k, &flexible->spec, err));
        if (flexible->spec.without_stiffening) made->modal[k].n_element = 0;
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
