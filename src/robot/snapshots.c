// Poses of all bodies and deflections of flexible links at some instants of a run, evenly spread
// over it and at its end, for pages and scenes.
#include "robot/snapshots.h"

#include "base/memory.h"

pkm_snapshots* pkm_snapshots_create(int n_body, int n_instant, int max_frame)
{
    pkm_snapshots* snapshots = pkm_alloc(1, sizeof *snapshots);
    if (!snapshots) return NULL;
    snapshots->n_body = n_body;
    snapshots->n_instant = n_instant;
    snapshots->max_frame = max_frame;
    // rounded up: the frames never run out before the last instant
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

/// The sample at point `i`: samples are the middle, then both ends of each element.
static int sample_at(int i)
{
    return i == 0 ? 1 : 2 * i;
}

/// Points of a link: the start of its first element and the end of each, piece by piece.
static int n_point_of(const pkm_run_variant* made, const pkm_run_link* link)
{
    int n = 1;
    for (int k = link->first; k < link->first + link->n; ++k)
        n += made->body[k]->n_element;
    return n;
}

/// Each piece but the first begins where another ends.
static int first_point(const pkm_run_link* link, int k)
{
    return k == link->first ? 0 : 1;
}

pkm_status pkm_snapshots_begin_bending(pkm_snapshots* snapshots, const pkm_run_variant* variant)
{
    if (!snapshots) return PKM_OK;
    forget_bends(snapshots);
    for (int i = 0; i < variant->n_link; ++i)
        snapshots->n_point += n_point_of(variant, &variant->link[i]);
    if (snapshots->n_point == 0) return PKM_OK;
    const size_t n = (size_t)snapshots->n_point;
    snapshots->bend = pkm_alloc((size_t)variant->n_link, sizeof *snapshots->bend);
    snapshots->rest = pkm_alloc(n, sizeof *snapshots->rest);
    snapshots->shift = pkm_alloc(n * (size_t)snapshots->max_frame, sizeof *snapshots->shift);
    if (!snapshots->bend || !snapshots->rest || !snapshots->shift) return PKM_ERR_MEMORY;
    for (int l = 0, at = 0; l < variant->n_link; ++l) {
        const pkm_run_link* link = &variant->link[l];
        snapshots->bend[l] =
            (pkm_snapshots_link){link->body, at, n_point_of(variant, link),
                                 variant->body[link->first]->sample[0].section.z_edge};
        for (int k = link->first; k < link->first + link->n; ++k)
            for (int i = first_point(link, k); i <= variant->body[k]->n_element; ++i)
                snapshots->rest[at++] = variant->body[k]->sample[sample_at(i)].at;
    }
    snapshots->n_flexible = variant->n_link;
    snapshots->variant = variant;
    return PKM_OK;
}

void pkm_snapshots_end_bending(pkm_snapshots* snapshots)
{
    if (snapshots) snapshots->variant = NULL;
}

/// Deflections of a link, in the axes of its (first) body: those of later pieces as they are there.
static void take_bend(const pkm_run_variant* made, const pkm_run_link* link, const pkm_state* state,
                      pkm_vec3* shift)
{
    const pkm_mechanism* mech = state->mech;
    const int first = mech->body_of_desc[made->body[link->first]->body];
    const pkm_body_state* seen = &state->body[first];
    for (int k = link->first; k < link->first + link->n; ++k) {
        const int b = mech->body_of_desc[made->body[k]->body];
        const double* z = state->q + mech->body[b].z_at;
        for (int i = first_point(link, k); i <= made->body[k]->n_element; ++i) {
            const pkm_vec3 at = made->body[k]->sample[sample_at(i)].at;
            const pkm_vec3 d = pkm_run_variant_point(made, k, sample_at(i), z).d;
            *shift = d;
            if (b != first) {
                // where the point of a later piece is, seen from the axes of the first
                const pkm_vec3 p = pkm_vec3_add(
                    state->body[b].p, pkm_mat3_mul(state->body[b].R, pkm_vec3_add(at, d)));
                *shift = pkm_vec3_sub(pkm_mat3_tmul(seen->R, pkm_vec3_sub(p, seen->p)), at);
            }
            ++shift;
        }
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
    pkm_pose* pose = snapshots->pose + (size_t)f * (size_t)snapshots->n_body;
    snapshots->t[f] = t;
    pkm_body_poses(state, 0, snapshots->n_body, pose);
    for (int k = 0; snapshots->variant && k < snapshots->n_flexible; ++k)
        take_bend(snapshots->variant, &snapshots->variant->link[k], state,
                  snapshots->shift + (size_t)f * (size_t)snapshots->n_point +
                      snapshots->bend[k].at);
}
