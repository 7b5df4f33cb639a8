/// Surfaces that stop, or are loaded at rest, and the bristles with which they do not accelerate;
/// only plant_stop*.c include it. docs/theory/forces.md, (1.19) to (1.21).
#ifndef PKM_DYNAMICS_PLANT_STOP_H
#define PKM_DYNAMICS_PLANT_STOP_H

#include "dynamics/plant_impl.h"

/// A surface that has slid and turns back, or is loaded at rest, the `part` of its joint or pair
/// `k`: its n bristles stand at `at` among the states.
typedef struct pkm_stopped {
    int k, part, at, n;
    double load;          ///< [N]
    double ease;          ///< of its bristles in a step, 1/sqrt(load) against the least one
    double speed;         ///< [m/s]
    double least;         ///< of it within the step [m/s]
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
    int n_try;                 ///< calls in succession that asked for a shorter step
    pkm_stopped* surface;      ///< [n + n_slide], those that are held first
    double *z, *rate;          ///< [n_z]
    double *r, *r1, *J, *step; ///< [m], [m], [m x m], [m]
    double* work;
    int *pivot, n_work;
};

/// Part i of the joint or pair k, whose bristles are among the states z.
pkm_stopped pkm_stops_see(const pkm_rubbing* rubbing, int k, int i, const double* z);

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
