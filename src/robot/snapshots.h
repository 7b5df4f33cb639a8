/// A snapshots of a run: where its bodies are at some of the instants, for drawing.
#ifndef PKM_ROBOT_SNAPSHOTS_H
#define PKM_ROBOT_SNAPSHOTS_H

#include "pkm/inverse.h"
#include "robot/run_variant.h"

enum { PKM_SNAPSHOTS_MAX_FRAME = 300 };

/// A flexible link: points along it, from end to end.
typedef struct pkm_snapshots_link {
    int body;    ///< of the description
    int at, n;   ///< its points in pkm_snapshots.rest
    double size; ///< half the height of its section [m]
} pkm_snapshots_link;

struct pkm_snapshots {
    int n_body;    ///< of the description, the ground (body 0) included
    int n_instant; ///< of the run
    int max_frame;
    int every;  ///< a frame for each so many of them, and for the last
    int n_seen; ///< instants so far
    int n_frame;
    double* t;      ///< [n_frame]
    pkm_pose* pose; ///< [n_frame][n_body] in the order of the description, world axes

    int n_flexible, n_point; ///< flexible links, their points in all
    pkm_snapshots_link* bend;
    pkm_vec3* rest;                 ///< [n_point] without deflection, body axes
    pkm_vec3* shift;                ///< [n_frame][n_point] deflections, body axes
    const pkm_run_variant* variant; ///< lent between begin and end of bending
};

/// Where bodies `first` to `end` - 1 of the description are, world axes.
void pkm_body_poses(const pkm_state* state, int first, int end, pkm_pose* pose);

/// An empty snapshots of at most `max_frame` (2 or more) frames for a run of `n_instant` instants;
/// NULL: memory is out.
pkm_snapshots* pkm_snapshots_create(int n_body, int n_instant, int max_frame);
void pkm_snapshots_free(pkm_snapshots* snapshots);

/// Begin anew: what was taken is forgotten.
void pkm_snapshots_rewind(pkm_snapshots* snapshots);

/// From now on take the deflections of the flexible links in `variant` (lent) too; NULL: no
/// longer. `snapshots` may be NULL.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_snapshots_begin_bending(pkm_snapshots* snapshots,
                                                     const pkm_run_variant* variant);
void pkm_snapshots_end_bending(pkm_snapshots* snapshots);

/// The next instant of the run: taken when it is the turn of a frame. `snapshots` may be NULL.
void pkm_snapshots_take(pkm_snapshots* snapshots, const pkm_state* state, double t);

#endif
