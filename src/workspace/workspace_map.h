/// A map in the making (workspace.h). Shared by workspace.c and workspace_dip.c.
#ifndef PKM_WORKSPACE_WORKSPACE_MAP_H
#define PKM_WORKSPACE_WORKSPACE_MAP_H

#include "workspace/workspace.h"

/// What is kept of a sample until all points are known.
typedef struct pkm_map_point {
    double condition, sigma_min, sigma_max, det_B, det_A;
    bool known, reachable, in_limits, singular;
} pkm_map_point;

typedef struct pkm_map {
    const pkm_workspace_settings* settings;
    int n[3], n_point;
    double h[3];                      ///< spacing [m]; 0 along an axis with one point
    pkm_map_point* at;                ///< [n_point]
    double* distance;                 ///< [n_point]
    double *reach_edge, *limits_edge; ///< [3 n_point] as in the settings, or its own
    double* own_edges;
} pkm_map;

pkm_vec3 pkm_map_position(const pkm_map* m, int index);

/// Mark the nearer one of each two neighbours between which a singularity lies.
void pkm_map_mark_crossings(pkm_map* m, pkm_workspace_sampler sample, void* user);

#endif
