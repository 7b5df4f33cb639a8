/// What the Deltas with slides share: C_i = C_i0 + q_i s_i with a constant direction s_i.
#ifndef PKM_CLOSED_SLIDE_PAIR_H
#define PKM_CLOSED_SLIDE_PAIR_H

#include "closed/rod_pair.h"

typedef struct pkm_slide_pairs {
    pkm_rod_pairs rods;
    pkm_vec3 home[3];  ///< C_i at q_i = 0 [m]
    pkm_vec3 slide[3]; ///< s_i, unit
    double slide_mass; ///< of one slide [kg]
} pkm_slide_pairs;

// The functions of pkm_closed_family; `data` is a pkm_slide_pairs.
int pkm_slide_pairs_inverse_geometry(const void* data, const pkm_pose* pose, pkm_closed_config* out,
                                     int max, double* beyond);
int pkm_slide_pairs_direct_geometry(const void* data, const double* q, pkm_closed_config* out,
                                    int max, double* beyond);
bool pkm_slide_pairs_first(const void* data, const pkm_pose* pose, double* q, double* B, double* A);
void pkm_slide_pairs_velocity(const void* data, const pkm_closed_config* config, double* B,
                              double* A);
void pkm_slide_pairs_turns(const void* data, const double* B, double* C);
void pkm_slide_pairs_bias(const void* data, const pkm_closed_config* config, const double* qd,
                          const pkm_frame_motion* tool, double* c);
pkm_status pkm_slide_pairs_inverse_dynamics(const void* data, const pkm_closed_config* config,
                                            const pkm_frame_motion* tool, const double* qd,
                                            const double* qdd, pkm_vec3 force, pkm_vec3 torque,
                                            double* drive_force);
double pkm_slide_pairs_energy(const void* data, const pkm_closed_config* config,
                              const pkm_frame_motion* tool, const double* qd);

/// All of a family but its name, its words and how it is prepared.
#define PKM_SLIDE_FAMILY(parameters, prepared)                                                     \
    .n_drive = 3, .moves = 7u, .tool_keeps = PKM_ROD_TOOL_KEEPS,                                   \
    .drives_keep = PKM_ROD_DRIVES_KEEP, .n_parameter = sizeof parameters / sizeof parameters[0],   \
    .parameter = parameters, .size = sizeof(pkm_slide_pairs), .prepare = prepared,                 \
    .inverse_geometry = pkm_slide_pairs_inverse_geometry,                                          \
    .direct_geometry = pkm_slide_pairs_direct_geometry, .velocity = pkm_slide_pairs_velocity,      \
    .first = pkm_slide_pairs_first, .turns = pkm_slide_pairs_turns, .bias = pkm_slide_pairs_bias,  \
    .inverse_dynamics = pkm_slide_pairs_inverse_dynamics, .energy = pkm_slide_pairs_energy

#endif
