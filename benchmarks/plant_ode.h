/// A robot's forward dynamics as differential equations y' = f(t, y), y = (q, v), with our explicit
/// integrator: what the benchmarks of simulations step.
#ifndef PKM_BENCH_PLANT_ODE_H
#define PKM_BENCH_PLANT_ODE_H

#include "dynamics/plant.h"
#include "robot/robot.h"
#include "solver/explicit_rk.h"

typedef struct plant_ode {
    pkm_robot* robot; ///< lent
    pkm_plant* plant;
    pkm_rk* rk;
    int n_q, n_v;
    double* y0;          ///< [n_q + n_v] where runs begin: home, at rest
    double *atol, *dydt; ///< [n_q + n_v] scratch
} plant_ode;

/// What drives the plant: only `force` is asked, with `user`.
typedef pkm_status (*plant_force)(void* user, double t, const pkm_state* state, const double* z,
                                  double* force, double* z_rate);

/// Prepare `robot`, all of whose drives are free; `force` may be NULL for a robot without drives.
PKM_NODISCARD pkm_status plant_ode_create(pkm_robot* robot, plant_force force, void* user,
                                          plant_ode* out, pkm_error* err);
void plant_ode_free(plant_ode* ode);

/// One evaluation of f, result in `dydt`.
PKM_NODISCARD pkm_status plant_ode_evaluate(plant_ode* ode, double t, const double* y);

/// Begin a run at y0, t = 0. `tolerance` holds for every component, relative and absolute; `step`
/// [s] is the first and longest one (0: chosen by the integrator).
PKM_NODISCARD pkm_status plant_ode_begin(plant_ode* ode, double tolerance, double step);

/// Bring the robot's state to where the integrator is; its poses are set.
void plant_ode_place(plant_ode* ode);

#endif
