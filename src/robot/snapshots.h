/// A film of a run: where its bodies are at some of the instants, for drawing.
#ifndef PKM_ROBOT_SNAPSHOTS_H
#define PKM_ROBOT_SNAPSHOTS_H

#include "pkm/inverse.h"
#include "robot/run_variant.h"

enum { PKM_FILM_MAX_FRAME = 300 };

/// A link that bends: points along it, from end to end.
typedef struct pkm_film_bend {
    int body;    ///< of the description
    int at, n;   ///< its points in pkm_film.rest
    double size; ///< half the height of its section [m]
} pkm_film_bend;

struct pkm_film {
    int n_body;    ///< of the description, the ground (body 0) included
    int n_instant; ///< of the run
    int max_frame;
    int every;  ///< a frame for each so many of them, and for the last
    int n_seen; ///< instants so far
    int n_frame;
    double* t;      ///< [n_frame]
    pkm_pose* pose; ///< [n_frame][n_body] in the order of the description, world axes

    int n_bend, n_point; ///< links that bend, their points in all
    pkm_film_bend* bend;
    pkm_vec3* rest;                 ///< [n_point] without deflection, body axes
    pkm_vec3* shift;                ///< [n_frame][n_point] deflections, body axes
    const pkm_run_variant* variant; ///< lent between begin and end of bending
};

/// An empty film of at most `max_frame` (2 or more) frames for a run of `n_instant` instants; NULL:
/// memory is out.
pkm_film* pkm_film_create(int n_body, int n_instant, int max_frame);
void pkm_film_free(pkm_film* film);

/// Begin anew: what was taken is forgotten.
void pkm_film_rewind(pkm_film* film);

/// From now on take the deflections of the links that bend in `variant` (lent) too; NULL: no
/// longer. `film` may be NULL.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_film_begin_bending(pkm_film* film, const pkm_run_variant* variant);
void pkm_film_end_bending(pkm_film* film);

/// The next instant of the run: taken when it is the turn of a frame. `film` may be NULL.
void pkm_film_take(pkm_film* film, const pkm_state* state, double t);

#endif
