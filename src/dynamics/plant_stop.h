/// Surfaces that stop, or are loaded at rest, and the bristles with which they do not accelerate;
/// only plant_stop*.c include it. docs/theory/forces.md, (1.19) to (1.21).
#ifndef PKM_DYNAMICS_PLANT_STOP_H
#define PKM_DYNAMICS_PLANT_STOP_H

#include "dynamics/plant_impl.h"

/// A surface that has slid and turns back, or is loaded at rest, the `part` of its joint or pair
/// `k`: its n bristles stand at `at` among the states.
typedef struct pkm_stopped {
    int k, part, at, n;
    double load;  ///< [N]
    double ease;  ///< of its bristles in a step, 1/sqrt(load) against the least one
    double speed; ///< [m/s]
    double least; ///< of it within the step [m/s]
    double over;  ///< of one that slides: what holding it would take beyond mu_s, against mu_s
    double limit, hold;   ///< deflections at which it slips, breaks away [m]
    pkm_friction_law law; ///< as it was
    double before[3];     ///< bristles as they slid [m]
} pkm_stopped;

struct pkm_stops {
    double t, t_seen;              ///< of the last call, and of the last one that asked for nothing
    double* outwards;              ///< [n_z] 1, or 0 where surfaces turn back: they are judged once
    double *seen, *seen_before;    ///< [n_z] states then, and at the end of the step before
    double *u, *u_seen, *u_before; ///< [n_z] velocities of surfaces that slide, likewise [m/s]
    double* rests;             ///< [n_z] for how long the surface has rested and not slid since [s]
    double* calm;              ///< [n_z] load of that rest [N]
    double *last, t_last;      ///< [n_z] states at the end of the last accepted step
    double* way;               ///< [n_z] that it has slid from rest [m]; negative: it has not
    bool* told;                ///< [n_rubbing] what slid although it could be held
    pkm_slid slid;             ///< the last one
    int n, m;                  ///< surfaces that stop, their bristles
    int n_slide;               ///< and those that mu_s does not hold: they slide back
    bool in_joints;            ///< some are of joints
    bool took_up;              ///< in the last call
    double over;               ///< what the last of them was overloaded by, against mu_s
    int n_try;                 ///< calls in succession that asked for a shorter step
    pkm_stopped* surface;      ///< [n + n_slide], those that are held first
    double *z, *rate;          ///< [n_z]
    double *r, *r1, *J, *step; ///< [m], [m], [m x m], [m]
    double* work;
    int *pivot, n_work;
};

/// Part i of the joint or pair k, whose bristles are among the states z.
pkm_stopped pkm_stops_see(const pkm_rubbing* rubbing, int k, int i, const double* z);

/// A walk over the surfaces whose friction can rest, at the present poses and twists (after
/// pkm_plant_find_contacts or an evaluation): part i of the joint or pair k.
typedef struct pkm_stops_walk {
    int k, i, next; ///< next: of the part behind
    pkm_rubbing rubbing;
} pkm_stops_walk;

/// The next one, of the first `n_rubbing` joints and pairs; begins with {0}.
bool pkm_stops_next(pkm_plant* p, pkm_stops_walk* walk, int n_rubbing);

/// Does it carry a load, bent by less than breaks it away, at a speed that would swing its bristles
/// by no more than `part` of the way that breaks it away (1.20)?
bool pkm_stops_is_at_rest(const pkm_stopped* at, double part);

/// Can the step that ends at t be asked for again, shorter? Counts how often it was.
bool pkm_stops_may_shorten(struct pkm_stops* s, double t);

/// Surfaces of joints at rest that static friction holds no longer begin to slide: sets their
/// bristles among the states z (1.23).
/// @return PKM_RETRY where it has not for too long: a shorter step finds when.
PKM_NODISCARD pkm_status pkm_stops_break_away(pkm_plant* p, double t, double* z);

/// Does it move so fast that it counts? What slides back has been late by its speed over its
/// acceleration: that is to be nothing against the time in which bristles turn over (1.20).
bool pkm_stops_is_late(const pkm_stopped* at);

/// How the surfaces [n] accelerate with the bristles stops->z, to `out`; the largest [m/s2].
PKM_NODISCARD pkm_status pkm_stops_accelerate(pkm_plant* p, double t, double* out, double* most);

/// The bristles stops->z of those of the surfaces [n] that static friction holds, so that none of
/// them accelerates; the others slide, [n_slide] behind them, in the direction in which they are
/// driven. Neither: nothing is found.
PKM_NODISCARD pkm_status pkm_stops_balance(pkm_plant* p, double t);

/// Take the bristles of all these surfaces to the states z.
void pkm_stops_write(const pkm_plant* p, double* z);

#endif
