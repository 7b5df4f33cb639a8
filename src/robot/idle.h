/// Idle freedoms along a motion: are they held by nothing, and their motion when they are not
/// (docs/theory/simulation.md, section 7).
#ifndef PKM_ROBOT_IDLE_H
#define PKM_ROBOT_IDLE_H

#include "dynamics/idle.h"
#include "robot/continuation.h"

/// The multipliers of a system are there (pkm_inverse_drive_forces, or an evaluation of a plant):
/// fail when a lock of `s` from number `first` on carries more than rounding. `motion` NULL: at an
/// instant, whose `t` is not read.
/// @return PKM_ERR_UNDETERMINED naming joint and multiplier.
PKM_NODISCARD pkm_status pkm_idle_check(const pkm_robot* robot, pkm_given given,
                                        const pkm_structure* s, int first, const char* motion,
                                        double t, pkm_error* err);

/// Fail for robots with idle freedoms that move by themselves: what asks cannot take them.
/// @return PKM_ERR_UNDETERMINED naming the first.
PKM_NODISCARD pkm_status pkm_idle_require_none(const pkm_robot* robot, const char* who,
                                               pkm_error* err);

/// Name of idle freedom `i` of `s` in words, "freedom of joint hook".
void pkm_idle_name(const pkm_robot* robot, const pkm_structure* s, int i, char* out, size_t size);

// ---- their motion -----------------------------------------------------------------------------

/// The motion of idle freedoms while the drives follow a motion exactly.
typedef struct pkm_idle_run pkm_idle_run;

/// Where the drives are: needed before there is a plant.
PKM_NODISCARD pkm_status pkm_idle_run_create(pkm_robot* robot, const pkm_motion* motion,
                                             pkm_idle_run** out, pkm_error* err);
void pkm_idle_run_free(pkm_idle_run* run);
/// pkm_actuation.reference with the run as user: all drives on their motion.
void pkm_idle_run_reference(void* run, double t, pkm_target* target);

/// Put the idle freedoms of `s` (those that are not held) into equilibrium with the drives at rest
/// at the start of the motion, under gravity and `loading`; then take up the velocities of the
/// drives. `plant` has all drives prescribed by the reference above; `effects` tell when loads
/// jump, and may be NULL.
/// @return PKM_ERR_UNDETERMINED without a stable equilibrium near home.
PKM_NODISCARD pkm_status pkm_idle_run_begin(pkm_idle_run* run, const pkm_structure* s,
                                            pkm_plant* plant, const pkm_loading* loading,
                                            const pkm_effects* effects, pkm_error* err);
/// Bring robot->state (positions, velocities, accelerations, factors of the drives) to time t.
PKM_NODISCARD pkm_status pkm_idle_run_to(pkm_idle_run* run, double t, pkm_error* err);

/// How to come back to the present time: its numbers, of which the first one is the time.
int pkm_idle_run_n_place(const pkm_idle_run* run);
void pkm_idle_run_save(const pkm_idle_run* run, double* place);
/// Bring robot->state to time t, before or behind a place nearby that was saved. `place` must stay
/// until the next look; afterwards times in their order are not to be had any more.
PKM_NODISCARD pkm_status pkm_idle_run_look(pkm_idle_run* run, double t, const double* place);

#endif
