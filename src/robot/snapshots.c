#include "robot/snapshots.h"

#include "base/memory.h"

pkm_film* pkm_film_create(int n_body, int n_instant, int max_frame)
{
    pkm_film* film = pkm_alloc(1, sizeof *film);
    if (!film) return NULL;
    film->n_body = n_body;
    film->n_instant = n_instant;
    film->max_frame = max_frame;
    film->every = (n_instant - 1 + max_frame - 2) / (max_frame - 1);
    if (film->every < 1) film->every = 1;
    film->t = pkm_alloc((size_t)max_frame, sizeof(double));
    film->pose = pkm_alloc((size_t)max_frame * (size_t)n_body, sizeof(pkm_pose));
    if (film->t && film->pose) return film;
    pkm_film_free(film);
    return NULL;
}

static void forget_bends(pkm_film* film)
{
    pkm_free(film->bend);
    pkm_free(film->rest);
    pkm_free(film->shift);
    film->bend = NULL;
    film->rest = film->shift = NULL;
    film->n_bend = film->n_point = 0;
}

void pkm_film_free(pkm_film* film)
{
    if (!film) return;
    forget_bends(film);
    pkm_free(film->t);
    pkm_free(film->pose);
    pkm_free(film);
}

void pkm_film_rewind(pkm_film* film)
{
    film->n_seen = film->n_frame = 0;
}

// ---- links that bend --------------------------------------------------------------------------

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

pkm_status pkm_film_begin_bending(pkm_film* film, const pkm_run_variant* variant)
{
    if (!film) return PKM_OK;
    forget_bends(film);
    for (int k = 0; k < variant->variant.n_modal; ++k)
        film->n_point += n_point_of(variant->body[k]);
    if (film->n_point == 0) return PKM_OK;
    const size_t n = (size_t)film->n_point;
    film->bend = pkm_alloc((size_t)variant->variant.n_modal, sizeof *film->bend);
    film->rest = pkm_alloc(n, sizeof *film->rest);
    film->shift = pkm_alloc(n * (size_t)film->max_frame, sizeof *film->shift);
    if (!film->bend || !film->rest || !film->shift) return PKM_ERR_MEMORY;
    for (int k = 0, at = 0; k < variant->variant.n_modal; ++k) {
        const pkm_flexible_body* link = variant->body[k];
        const int n_own = n_point_of(link);
        film->bend[k] = (pkm_film_bend){link->body, at, n_own, link->sample[0].section.z_edge};
        for (int i = 0; i < n_own; ++i)
            film->rest[at++] = link->sample[sample_at(i)].at;
    }
    film->n_bend = variant->variant.n_modal;
    film->variant = variant;
    return PKM_OK;
}

void pkm_film_end_bending(pkm_film* film)
{
    if (film) film->variant = NULL;
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
static void take_bend(const pkm_film* film, int k, const double* z, pkm_vec3* shift)
{
    const pkm_flexible_body* link = film->variant->body[k];
    const pkm_modal_body* modal = &film->variant->modal[k];
    pkm_vec3 d = {0.0, 0.0, 0.0}, r = {0.0, 0.0, 0.0}, place = {0.0, 0.0, 0.0};
    if (modal->clamped != PKM_NONE) {
        place = modal->at[modal->clamped];
        pkm_flexible_body_frame(link, frame_at(link, place), z, &d, &r);
    }
    for (int i = 0; i < film->bend[k].n; ++i) {
        const pkm_vec3 arm = pkm_vec3_sub(film->rest[film->bend[k].at + i], place);
        const pkm_vec3 held = pkm_vec3_add(d, pkm_vec3_cross(r, arm));
        shift[i] = pkm_vec3_sub(pkm_flexible_body_point(link, sample_at(i), z).d, held);
    }
}

// ---- frames -----------------------------------------------------------------------------------

void pkm_film_take(pkm_film* film, const pkm_state* state, double t)
{
    if (!film) return;
    const int i = film->n_seen++;
    if (i % film->every != 0 && i != film->n_instant - 1) return;
    if (film->n_frame == film->max_frame) return;
    const int f = film->n_frame++;
    const pkm_mechanism* mech = state->mech;
    pkm_pose* pose = film->pose + (size_t)f * (size_t)film->n_body;
    film->t[f] = t;
    for (int b = 0; b < film->n_body; ++b) {
        const pkm_body_state* body = &state->body[mech->body_of_desc[b]];
        pose[b] = (pkm_pose){body->p, pkm_quat_from_mat3(body->R)};
    }
    for (int k = 0; film->variant && k < film->n_bend; ++k) {
        const pkm_body* body = &mech->body[mech->body_of_desc[film->bend[k].body]];
        take_bend(film, k, state->q + body->z_at,
                  film->shift + (size_t)f * (size_t)film->n_point + film->bend[k].at);
    }
}
