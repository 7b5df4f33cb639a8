#include "robot/snapshots.h"

#include "base/memory.h"

pkm_snapshots* pkm_snapshots_create(int n_body, int n_instant, int max_frame)
{
    pkm_snapshots* snapshots = pkm_alloc(1, sizeof *snapshots);
    if (!snapshots) return NULL;
    snapshots->n_body = n_body;
    snapshots->n_instant = n_instant;
    snapshots->max_frame = max_frame;
    snapshots->every = (n_instant - 1 + max_frame - 2) / (max_frame - 1);
    if (snapshots->every < 1) snapshots->every = 1;
    snapshots->t = pkm_alloc((size_t)max_frame, sizeof(double));
    snapshots->pose = pkm_alloc((size_t)max_frame * (size_t)n_body, sizeof(pkm_pose));
    if (snapshots->t && snapshots->pose) return snapshots;
    pkm_snapshots_free(snapshots);
    return NULL;
}

static void forget_bends(pkm_snapshots* snapshots)
{
    pkm_free(snapshots->bend);
    pkm_free(snapshots->rest);
    pkm_free(snapshots->shift);
    snapshots->bend = NULL;
    snapshots->rest = snapshots->shift = NULL;
    snapshots->n_flexible = snapshots->n_point = 0;
}

void pkm_snapshots_free(pkm_snapshots* snapshots)
{
    if (!snapshots) return;
    forget_bends(snapshots);
    pkm_free(snapshots->t);
    pkm_free(snapshots->pose);
    pkm_free(snapshots);
}

void pkm_snapshots_rewind(pkm_snapshots* snapshots)
{
    snapshots->n_seen = snapshots->n_frame = 0;
}

// ---- flexible links --------------------------------------------------------------------------

/// Points of a link: the start of its first element and the end of each.
static int n_point_of(const pkm_flexible_body* link)
{
    return link->n_element + 1;
}

/// The sample at point `i`: samples are the middle, then both ends of each element.
static int sample_at(int i)
{
    return i == 0 ? 1 : 2 * i;
}

pkm_status pkm_snapshots_begin_bending(pkm_snapshots* snapshots, const pkm_run_variant* variant)
{
    if (!snapshots) return PKM_OK;
    forget_bends(snapshots);
    for (int k = 0; k < variant->variant.n_modal; ++k)
        snapshots->n_point += n_point_of(variant->body[k]);
    if (snapshots->n_point == 0) return PKM_OK;
    const size_t n = (size_t)snapshots->n_point;
    snapshots->bend = pkm_alloc((size_t)variant->variant.n_modal, sizeof *snapshots->bend);
    snapshots->rest = pkm_alloc(n, sizeof *snapshots->rest);
    snapshots->shift = pkm_alloc(n * (size_t)snapshots->max_frame, sizeof *snapshots->shift);
    if (!snapshots->bend || !snapshots->rest || !snapshots->shift) return PKM_ERR_MEMORY;
    for (int k = 0, at = 0; k < variant->variant.n_modal; ++k) {
        const pkm_flexible_body* link = variant->body[k];
        const int n_own = n_point_of(link);
        snapshots->bend[k] =
            (pkm_snapshots_link){link->body, at, n_own, link->sample[0].section.z_edge};
        for (int i = 0; i < n_own; ++i)
            snapshots->rest[at++] = link->sample[sample_at(i)].at;
    }
    snapshots->n_flexible = variant->variant.n_modal;
    snapshots->variant = variant;
    return PKM_OK;
}

void pkm_snapshots_end_bending(pkm_snapshots* snapshots)
{
    if (snapshots) snapshots->variant = NULL;
}

/// The frame of the link at `place`; there is one where it is clamped.
static int frame_at(const pkm_flexible_body* link, pkm_vec3 place)
{
    int best = 0;
    for (int f = 1; f < link->n_frame; ++f)
        if (pkm_vec3_norm(pkm_vec3_sub(link->frame[f].pose.p, place)) <
            pkm_vec3_norm(pkm_vec3_sub(link->frame[best].pose.p, place)))
            best = f;
    return best;
}

/// Deflections of link k at modal coordinates z, seen from its clamped frame where it has one.
static void take_bend(const pkm_snapshots* snapshots, int k, const double* z, pkm_vec3* shift)
{
    const pkm_flexible_body* link = snapshots->variant->body[k];
    const pkm_modal_body* modal = &snapshots->variant->modal[k];
    pkm_vec3 d = {0.0, 0.0, 0.0}, r = {0.0, 0.0, 0.0}, place = {0.0, 0.0, 0.0};
    if (modal->clamped != PKM_NONE) {
        place = modal->at[modal->clamped];
        pkm_flexible_body_frame(link, frame_at(link, place), z, &d, &r);
    }
    for (int i = 0; i < snapshots->bend[k].n; ++i) {
        const pkm_vec3 arm = pkm_vec3_sub(snapshots->rest[snapshots->bend[k].at + i], place);
        const pkm_vec3 held = pkm_vec3_add(d, pkm_vec3_cross(r, arm));
        shift[i] = pkm_vec3_sub(pkm_flexible_body_point(link, sample_at(i), z).d, held);
    }
}

// ---- frames -----------------------------------------------------------------------------------

void pkm_body_poses(const pkm_state* state, int first, int end, pkm_pose* pose)
{
    for (int b = first; b < end; ++b) {
        const pkm_body_state* body = &state->body[state->mech->body_of_desc[b]];
        *pose++ = (pkm_pose){body->p, pkm_quat_from_mat3(body->R)};
    }
}

void pkm_snapshots_take(pkm_snapshots* snapshots, const pkm_state* state, double t)
{
    if (!snapshots) return;
    const int i = snapshots->n_seen++;
    if (i % snapshots->every != 0 && i != snapshots->n_instant - 1) return;
    if (snapshots->n_frame == snapshots->max_frame) return;
    const int f = snapshots->n_frame++;
    const pkm_mechanism* mech = state->mech;
    pkm_pose* pose = snapshots->pose + (size_t)f * (size_t)snapshots->n_body;
    snapshots->t[f] = t;
    pkm_body_poses(state, 0, snapshots->n_body, pose);
    for (int k = 0; snapshots->variant && k < snapshots->n_flexible; ++k) {
        const pkm_body* body = &mech->body[mech->body_of_desc[snapshots->bend[k].body]];
        take_bend(snapshots, k, state->q + body->z_at,
                  snapshots->shift + (size_t)f * (size_t)snapshots->n_point +
                      snapshots->bend[k].at);
    }
}
