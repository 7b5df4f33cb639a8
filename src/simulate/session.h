/// A simulation in slices: somebody else decides what happens between them.
#ifndef PKM_SIMULATE_SESSION_H
#define PKM_SIMULATE_SESSION_H

#include "pkm/kinematics.h"
#include "simulate/simulation.h"

typedef struct pkm_session pkm_session;

/// Prepare a simulation of `robot` (lent: it is used for the work) at t = 0; settings->n_instant is
/// not used, settings->effects is lent, steps go to settings->end_time at most.
PKM_NODISCARD pkm_status pkm_session_create(pkm_robot* robot, const pkm_sim_settings* settings,
                                            pkm_session** out, pkm_error* err);
void pkm_session_free(pkm_session* session);

/// Go on by `dt` [s], see pkm_simulation_step. After a failure it stands where it could not go on,
/// for good.
PKM_NODISCARD pkm_status pkm_session_step(pkm_session* session, double dt, pkm_error* err);
double pkm_session_time(const pkm_session* session);

/// Forces added to those of the drives [n_drive], and the wrench on the tool, from now on.
void pkm_session_set_forces(pkm_session* session, const double* force);
void pkm_session_set_wrench(pkm_session* session, pkm_vec3 force, pkm_vec3 torque);

/// Drives and tool now.
PKM_NODISCARD pkm_status pkm_session_get(pkm_session* session, pkm_instant* out);
/// The columns, and a row of them now: what pkm_simulate writes.
const pkm_table* pkm_session_table(const pkm_session* session);
PKM_NODISCARD pkm_status pkm_session_read(pkm_session* session, double* row);

#endif
