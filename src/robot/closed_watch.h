/// Watching a way of a closed form for singularities, as watch.h does for the engine: B t = A q'
/// loses rank of B at a parallel singularity, of A at a serial one; C, where the family has it, at
/// a constraint singularity.
#ifndef PKM_ROBOT_CLOSED_WATCH_H
#define PKM_ROBOT_CLOSED_WATCH_H

#include "closed/rates.h"
#include "robot/singularity.h"
#include "robot/watch.h"

typedef struct pkm_closed_watch {
    bool begun;
    double B[36], A[36], C[9];        ///< at the configuration kept
    double sigma_B, sigma_A, sigma_C; ///< at most their smallest singular values
    double B_now[36], A_now[36];      ///< at the configuration judged last
    pkm_dense_lu lu;                  ///< of one of them: rates have been found with it
    bool is_B;                        ///< it is that of B_now
} pkm_closed_watch;

/// Judge the way from `from`, the configuration that was clear last, to `to`; `rates`: the drives'
/// rates are asked for, so that serial singularities count too.
pkm_passage pkm_closed_watch_step(pkm_closed_watch* watch, const pkm_robot* robot,
                                  const pkm_closed_config* from, const pkm_closed_config* to,
                                  bool rates);

/// Kinds, orders and lost directions at `config`; singular values up to `limit` of the largest are
/// zero.
void pkm_closed_singularity(const pkm_robot* robot, const pkm_closed_config* config, double limit,
                            pkm_singularity* out);

#endif
