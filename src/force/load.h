/// Loads: forces and torques on a marker, and payloads that come and go.
/// Equations: docs/theory/forces.md, section 3.
#ifndef PKM_FORCE_LOAD_H
#define PKM_FORCE_LOAD_H

#include "force/signal.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "model/mass.h"

// ---- forces and torques ------------------------------------------------------------------------

typedef enum pkm_load_axes {
    PKM_LOAD_WORLD, ///< components in world axes
    PKM_LOAD_BODY,  ///< components in the axes of the marker, which turn with its body
} pkm_load_axes;

/// A force [N] and a torque [N m] at the origin of a marker.
typedef struct pkm_load {
    pkm_load_axes axes;
    pkm_signal force[3], torque[3];
} pkm_load;

/// The wrench on the marker's body about the world origin in world axes (3.1). Its power is
/// pkm_twist_dot with the body's twist.
pkm_wrench pkm_load_at(const pkm_load* load, double t, pkm_pose marker);

/// The first time > `t` [s] at which a component jumps or kinks; infinite when there is none.
double pkm_load_next_break(const pkm_load* load, double t);
/// Does a component come and go between two of them, so that its values there tell nothing of it?
bool pkm_load_curves(const pkm_load* load);

// ---- payloads ----------------------------------------------------------------------------------

/// A mass that the body of a marker carries from `pick_up` (included) to `drop` (excluded), or
/// from every even one of `time` to the next.
typedef struct pkm_payload {
    double pick_up, drop; ///< [s]; -infinite and infinite are allowed
    int n_time;           ///< 0: once
    const double* time;   ///< [n_time] ascending: picked, dropped, picked ..., lent
    pkm_mass mass;        ///< in the axes of the marker
} pkm_payload;

/// Complain about times out of order, masses that are not positive and inertia tensors that no
/// body has.
PKM_NODISCARD pkm_status pkm_payload_check(const pkm_payload* payload, const char* name,
                                           pkm_error* err);

/// All of `n` payloads that are carried at time `t`, together; mass 0 when there is none (3.2).
pkm_mass pkm_payload_at(const pkm_payload* payload, int n, double t);

/// The first time > `t` [s] at which a payload is picked up or dropped; infinite when there is
/// none.
double pkm_payload_next_break(const pkm_payload* payload, int n, double t);

#endif
