/// A session; only session.c and exchange.c include this.
#ifndef PKM_SIMULATE_SESSION_STATE_H
#define PKM_SIMULATE_SESSION_STATE_H

#include "simulate/session.h"
#include "simulate/simulation_impl.h"

/// Somebody else integrates: x are n coordinates, their n velocities, then the n_more states z and
/// integrals of the run. The rest of q and v follows from the loops.
typedef struct pkm_exchange {
    int n, n_more;
    double t;
    int* held;    ///< [n] which velocities, among those of the tree
    int* at;      ///< [n] their coordinates in q
    double* base; ///< [n_q] positions at the last accepted step: where Newton's method begins
    double* dy;   ///< [n_y] work
    double most;  ///< lever beyond which the coordinates change
} pkm_exchange;

struct pkm_session {
    pkm_sim sim;
    pkm_sim_settings settings;
    double added[PKM_MAX_DRIVE]; ///< forces on the drives [N, N m]
    pkm_target given;            ///< references of controllers; NaN: none
    pkm_table* table;            ///< columns, and the rows at the start and at the end
    pkm_sim_report report;
    pkm_sim_loop loop;
    double target;         ///< time to which the steps so far add up [s]
    double* y;             ///< [n_y] work: the state now
    double first;          ///< length of the first step after a change [s]; 0: that of the last one
    bool is_changed;       ///< forces were set since the last step
    int n_cut;             ///< so many steps yet end where they are asked to, after a change
    unsigned char* before; ///< memo of the state before steps that go ahead
    bool has_begun;        ///< the loop is to be ended
    pkm_exchange* exchange; ///< NULL: the steps are ours
    pkm_status ended;       ///< it cannot go on
};

/// Where the integrator has gone ahead of the steps so far: back to their time.
PKM_NODISCARD pkm_status pkm_session_land(pkm_session* session);

void pkm_exchange_free(pkm_exchange* exchange);
/// What changes, see base/memo.h.
void pkm_exchange_memo(pkm_exchange* exchange, const pkm_sim* sim, pkm_memo* memo);

#endif
