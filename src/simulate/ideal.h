/// The ideal motion of a simulation: what inverse dynamics of the rigid robot as written gives, at
/// the rows and at any other instant.
#ifndef PKM_SIMULATE_IDEAL_H
#define PKM_SIMULATE_IDEAL_H

#include "pkm/inverse.h"
#include "robot/continuation.h"
#include "robot/robot.h"

typedef struct pkm_ideal_point {
    double q[PKM_MAX_DRIVE], force[PKM_MAX_DRIVE];
    pkm_vec3 p, v, a;              ///< of the tool
    pkm_quat turn;                 ///< its orientation
    double condition, singularity; ///< not of pkm_ideal_exact; NaN when its table has none
} pkm_ideal_point;

typedef struct pkm_ideal pkm_ideal;

/// Inverse dynamics of `robot` along `motion` at the `settings->n_instant` rows of the run.
/// @return what pkm_inverse_run returns; after a failure there are the rows before it.
PKM_NODISCARD pkm_status pkm_ideal_create(pkm_robot* robot, int motion,
                                          const pkm_inverse_settings* settings, pkm_ideal** out,
                                          pkm_error* err);
void pkm_ideal_free(pkm_ideal* ideal);

/// What inverse dynamics wrote, lent; NULL for NULL.
const pkm_table* pkm_ideal_table(const pkm_ideal* ideal);
/// How many rows of the run there are, and the time of the last.
int pkm_ideal_n_row(const pkm_ideal* ideal);
double pkm_ideal_end(const pkm_ideal* ideal);

/// At row i of the run.
void pkm_ideal_row(const pkm_ideal* ideal, int i, pkm_ideal_point* out);
/// At time t by cubics through neighbouring instants: cheap, and wrong near jumps.
void pkm_ideal_near(const pkm_ideal* ideal, double t, pkm_ideal_point* out);
/// At time t, by the robot led there.
/// @return what following the motion returns.
PKM_NODISCARD pkm_status pkm_ideal_exact(pkm_ideal* ideal, double t, pkm_ideal_point* out);

#endif
