#include "analysis/film.h"

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

void pkm_film_free(pkm_film* film)
{
    if (!film) return;
    pkm_free(film->t);
    pkm_free(film->pose);
    pkm_free(film);
}

void pkm_film_rewind(pkm_film* film)
{
    film->n_seen = film->n_frame = 0;
}

void pkm_film_take(pkm_film* film, const pkm_state* state, double t)
{
    if (!film) return;
    const int i = film->n_seen++;
    if (i % film->every != 0 && i != film->n_instant - 1) return;
    if (film->n_frame == film->max_frame) return;
    pkm_pose* pose = film->pose + (size_t)film->n_frame * (size_t)film->n_body;
    film->t[film->n_frame++] = t;
    for (int b = 0; b < state->mech->n_body; ++b) {
        const int d = state->mech->body[b].desc;
        if (d < 0 || d >= film->n_body) continue;
        pose[d] = (pkm_pose){state->body[b].p, pkm_quat_from_mat3(state->body[b].R)};
    }
}
