/// What a simulation tells of joints with clearance: the modes of contact over time, impacts,
/// peaks, and the paths of the journals.
#ifndef PKM_SIMULATE_CONTACT_RECORD_H
#define PKM_SIMULATE_CONTACT_RECORD_H

#include "dynamics/effects.h"
#include "dynamics/plant.h"
#include "table/warnings.h"

/// How a journal is in its bearing.
typedef enum pkm_touch {
    PKM_TOUCH_FLIGHT,
    PKM_TOUCH_IMPACT,   ///< the first compression and restitution after a touch
    PKM_TOUCH_SLIDING,  ///< contact that lasts, with more than the stiction velocity
    PKM_TOUCH_STICKING, ///< contact that lasts, with less
    PKM_N_TOUCH,
} pkm_touch;

/// The phase's name: "flight", "impact", "sliding", "sticking".
const char* pkm_touch_name(pkm_touch phase);

/// A value and when it was.
typedef struct pkm_peak {
    double value, t;
} pkm_peak;

/// One bearing over the whole run.
typedef struct pkm_bearing_record {
    const char* name; ///< of the joint; lent
    int joint, pin;
    double radial;        ///< its clearance [m]
    pkm_joint_type type;  ///< of its contacts
    int n_impact;         ///< touches
    pkm_peak impact;      ///< fastest [m/s]
    pkm_peak penetration; ///< deepest [m]
    pkm_peak force;       ///< largest normal force: the peak of the column .normal [N]
    pkm_peak offset;      ///< of the journal's centre [m]
    double sliding;       ///< integral of normal force times sliding speed [J]: wear
    double time[PKM_N_TOUCH];
    pkm_touch phase; ///< at the end
    double since;    ///< time of the last change of phase
} pkm_bearing_record;

/// Its name in columns: that of the joint, ".pin2" for the second of a universal one.
void pkm_bearing_name(const pkm_bearing_record* bearing, char* out, size_t size);

/// A change of phase.
typedef struct pkm_touch_event {
    double t;
    int bearing;
    pkm_touch phase;
} pkm_touch_event;

enum { PKM_PATH_POINTS = 16384, PKM_TOUCH_EVENTS = 1 << 18 };

/// All bearings of a run. Paths have a point per step of the integrator; when there are too many
/// every second one is dropped. Changes of phase beyond PKM_TOUCH_EVENTS are counted only.
typedef struct pkm_contact_record {
    int n_bearing;
    pkm_bearing_record* bearing;
    int n_event, room_event, lost_event;
    pkm_touch_event* event;
    int n_path, stride, skip;
    double* path_t; ///< [n_path]
    pkm_vec3* path; ///< [n_path x n_bearing] offsets in the axes of the bearing [m]
    double t_end;   ///< [s]
    double moved;   ///< farthest that a journal was moved into its bearing at the start [m]
    int n_moved;    ///< how many were
    int most_moved; ///< which one the farthest
} pkm_contact_record;

pkm_contact_record* pkm_contact_record_create(void); ///< NULL: memory is out
void pkm_contact_record_free(pkm_contact_record* record);

/// Start with the bearings of `plant`, whose mechanism lends their names.
PKM_NODISCARD pkm_status pkm_contact_record_begin(pkm_contact_record* record,
                                                  const pkm_plant* plant,
                                                  const pkm_mechanism* mech);
/// A bearing's phase is `phase` from time t on.
PKM_NODISCARD pkm_status pkm_contact_record_phase(pkm_contact_record* record, int bearing, double t,
                                                  pkm_touch phase);
/// Offsets of all bearings at the time of an accepted step: those of the plant's last evaluation.
void pkm_contact_record_point(pkm_contact_record* record, double t, const pkm_plant* plant);
/// Close the intervals of the modes at time t.
void pkm_contact_record_end(pkm_contact_record* record, double t);

/// Offset of a journal's centre from that of its bearing [m]; sleeves and sliders have none along
/// z.
pkm_vec3 pkm_contact_offset(const pkm_contact_pair* pair);

/// Raise a peak.
void pkm_peak_raise(pkm_peak* peak, double value, double t);

/// Warn where a law of contact was used outside its range: each sentence once, with the first of
/// the joints that it is about.
void pkm_contact_record_warn(const pkm_contact_record* record, const pkm_effects* effects,
                             pkm_warnings* to);

/// Until when [s] the list of events is whole: the end, unless there were too many of them.
double pkm_contact_record_listed(const pkm_contact_record* record);

#endif
