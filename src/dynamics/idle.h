/// Idle freedoms: those that move neither drives nor tool, and what may hold them.
///
/// A lock is harmless where its multiplier vanishes along every motion: the spin of a rod that is
/// symmetric about the line through its two balls, with nothing off that line. Forward dynamics
/// holds these and moves all others; inverse dynamics asks for the multipliers of the others
/// (docs/theory/simulation.md, section 7).
#ifndef PKM_DYNAMICS_IDLE_H
#define PKM_DYNAMICS_IDLE_H

#include "dynamics/effects.h"
#include "dynamics/structure.h"

/// Multipliers of locks up to this part of the largest force are rounding.
extern const double PKM_IDLE_LIMIT;

/// Is the rod of the spin row `r`, with all that is welded to it, symmetric about its line: centre
/// of mass on the line, equal moments of inertia across it, none off the diagonal?
bool pkm_spin_is_symmetric(const pkm_mechanism* mech, int r);

/// Is `body` the rod, or welded to it? `at`: where it is, in the axes of the rod.
bool pkm_rod_carries(const pkm_mechanism* mech, int rod, int body, pkm_pose* at);

/// Is the marker (PKM_NONE: none) one of the rod, or of what is welded to it?
bool pkm_spins_with(const pkm_mechanism* mech, int marker, int rod);

/// Put the harmless ones of the first `n` locks first, in their order; returns how many.
int pkm_idle_sort(const pkm_mechanism* mech, int* lock, int n);

/// The spin rows of `mech`, a variant of `given`, whose rods are symmetric as written, into `lock`
/// [mech->n_spin]; returns how many.
int pkm_idle_list(const pkm_mechanism* mech, const pkm_mechanism* given, int* lock);

/// What acts on the bodies of a run beside gravity.
typedef struct pkm_idle_loads {
    const pkm_effects* effects; ///< may be NULL
    pkm_vec3 tool_force, tool_torque;
} pkm_idle_loads;

/// The structure `from` of `mech` for a run with these loads: spins of rods that carry something
/// off their line are no longer harmless. Markers and lines are those of the robot as written,
/// `given`. `lock` [from->n_lock] belongs to the caller; `out` lends it and what `from` owns.
void pkm_idle_structure(const pkm_structure* from, const pkm_mechanism* mech,
                        const pkm_mechanism* given, const pkm_idle_loads* loads, int* lock,
                        pkm_structure* out);

/// Where row `r` of the mechanism stands in a system; PKM_NONE: it is not one of its rows.
int pkm_idle_place(const pkm_system* system, int r);

/// The largest multiplier of the rows `lock` [n] of a system, as part of the largest force of its
/// rows (moments and forces times the robot's size); up to PKM_IDLE_LIMIT an upper bound of that.
/// `row` and `moment` [N, N m] tell which.
double pkm_idle_multiplier(const pkm_state* state, pkm_given given, const int* lock, int n,
                           int* row, double* moment);

#endif
