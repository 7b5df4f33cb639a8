/// How the contacts of a simulation are watched; only simulation_contact.c and simulation_event.c
/// include this.
#ifndef PKM_SIMULATE_CONTACT_WATCH_H
#define PKM_SIMULATE_CONTACT_WATCH_H

#include "simulate/simulation_impl.h"

/// Gaps [m] below this are none: rounding of positions of a metre.
static const double PKM_TOUCH = 1e-13;

/// A contact over the last step and since it touched.
typedef struct pkm_watched {
    pkm_contact_point before, now; ///< at the start and the end of the step
    double sample, next;           ///< gaps at the last dense point and the one behind it
    double pressed, t_pressed;     ///< largest normal force at dense points of the step, and when
    double most_pressed;           ///< of all steps
    int turns;                     ///< changes of direction since first touch: 2 and more: it lasts
    int pair;
    double t_change; ///< when it changes within the last step; infinite: it does not
} pkm_watched;

/// Where a journal was at the start of the step, and is at its end.
typedef struct pkm_journal_way {
    pkm_vec3 from, to;
} pkm_journal_way;

struct pkm_sim_contacts {
    int n; ///< contacts
    pkm_watched* contact;
    pkm_journal_way* way; ///< [n_pair]
    double* y;            ///< [n_y] dense output
    pkm_contact_record* record;
    bool owns_record;
    bool has_looked; ///< inside the last step, so that the plant is not at its end
};
typedef struct pkm_sim_contacts pkm_sim_contacts;

/// Contact k at the plant's last evaluation.
const pkm_contact_point* pkm_sim_contact_point(const pkm_sim* s, int k);
/// Modes of all bearings from time t on.
PKM_NODISCARD pkm_status pkm_sim_note_modes(pkm_sim* s, double t);
/// Contact k touches at time t with this speed.
void pkm_sim_note_touch(pkm_sim* s, int k, double t, double speed);
/// Largest penetration at the plant's last evaluation.
void pkm_sim_note_peaks(pkm_sim* s, double t);

#endif
