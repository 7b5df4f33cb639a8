/// Sampled control: values taken at a fixed rate act after a delay and are held until the next.
///
/// The integrator stops at every event. Between events the held values are constant:
///
///     t_next = min(t_end, pkm_sampler_next_event(s))     integrate to t_next
///     pkm_sampler_advance(s, t_next)                     what is due by then acts
///     if (pkm_sampler_is_due(s, t_next))                 compute, then
///         pkm_sampler_put(s, values)
#ifndef PKM_FORCE_SAMPLER_H
#define PKM_FORCE_SAMPLER_H

#include "base/memo.h"
#include "pkm/status.h"

#include <stdbool.h>

typedef struct pkm_sampler pkm_sampler;

/// Samples of `n_value` numbers every `period` [s], acting `delay` [s] later.
/// @return PKM_ERR_ARGUMENT; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_sampler_create(double period, double delay, int n_value,
                                            pkm_sampler** out, pkm_error* err);
void pkm_sampler_free(pkm_sampler* sampler);

/// Start at time `t` [s]: `value` (NULL: zeros) acts until the first sample, due at t, does.
void pkm_sampler_reset(pkm_sampler* sampler, double t, const double* value);

/// The next time [s] at which a sample is due or one starts to act.
double pkm_sampler_next_event(const pkm_sampler* sampler);
/// True when a sample is to be taken at time `t` (or before).
bool pkm_sampler_is_due(const pkm_sampler* sampler, double t);
/// Take the sample that is due; without a delay it acts at once.
void pkm_sampler_put(pkm_sampler* sampler, const double* value);
/// Let everything act that is due up to time `t`.
void pkm_sampler_advance(pkm_sampler* sampler, double t);
/// The values that act now; lent until the sampler changes.
const double* pkm_sampler_get(const pkm_sampler* sampler);

/// What it holds and what waits: see base/memo.h.
void pkm_sampler_memo(pkm_sampler* sampler, pkm_memo* memo);

#endif
