/// A controller that a program gives as a function: asked at a fixed rate, held in between; used by
/// actuation.c.
#ifndef PKM_SIMULATE_PROGRAM_H
#define PKM_SIMULATE_PROGRAM_H

#include "dynamics/state.h"
#include "force/sampler.h"
#include "run/settings.h"

typedef struct pkm_program {
    pkm_program_plan plan; ///< control NULL: there is none
    pkm_sampler* sampler;
} pkm_program;

/// Prepare; `mech` is the robot's, `prescribed` [n_drive] says which drives take no force.
/// @return PKM_ERR_ARGUMENT where no drive takes one.
PKM_NODISCARD pkm_status pkm_program_begin(pkm_program* program, const pkm_program_plan* plan,
                                           const pkm_mechanism* mech, const bool* prescribed,
                                           pkm_error* err);
void pkm_program_end(pkm_program* program);

/// Add the forces that are held to force[n_drive].
void pkm_program_forces(const pkm_program* program, int n_drive, double* force);
/// The next time at which it is asked; infinite: there is none.
double pkm_program_next_event(const pkm_program* program);
/// Ask it when that is due at time t.
/// @return PKM_ERR_INTERRUPTED: it wants to stop; PKM_ERR_NUMBERS: a force that is not finite.
PKM_NODISCARD pkm_status pkm_program_sample(pkm_program* program, double t, const pkm_state* state);

/// What is held: see base/memo.h.
void pkm_program_memo(pkm_program* program, pkm_memo* memo);

#endif
