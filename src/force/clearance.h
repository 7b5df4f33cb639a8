/// Joints with clearance: a ball in a socket, a journal in a bearing, a slider in a guide. The
/// joint does not hold its parts together; they touch, push and rub.
///
/// Side a carries the bearing (socket, guide), side b the journal (ball, slider). All vectors are
/// in the axes of frame a; z is the axis of the joint (see pkm_joint_type).
/// Equations: docs/theory/contact.md.
#ifndef PKM_FORCE_CLEARANCE_H
#define PKM_FORCE_CLEARANCE_H

#include "force/contact_law.h"
#include "force/friction_law.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "pkm/joint_type.h"

/// How closely the clearance is looked at.
typedef enum pkm_fidelity {
    PKM_FIDELITY_CONTACT,  ///< flight, impacts, penetration
    PKM_FIDELITY_SEATED,   ///< journals lie where the load presses them, quasi-static
    PKM_FIDELITY_ENVELOPE, ///< bounds over all admissible positions of the journals
} pkm_fidelity;

/// Where the journal of a contact is when a run starts.
typedef enum pkm_clearance_start {
    PKM_START_DEFAULT,     ///< in equilibrium when the robot is at rest, else centred
    PKM_START_CENTRED,     ///< as in the ideal joint
    PKM_START_EQUILIBRIUM, ///< at rest under the loads, links in static equilibrium
    PKM_START_GIVEN,       ///< at a given offset
} pkm_clearance_start;

enum {
    PKM_CLEARANCE_CONTACTS = 16, ///< most contacts of a joint (eight corners, two walls each)
    PKM_CLEARANCE_STATES = 3 * PKM_CLEARANCE_CONTACTS, ///< most bristle components
};

/// Clearance in one joint, with its sizes. A size that the kind of joint does not use is ignored.
typedef struct pkm_clearance {
    pkm_fidelity fidelity;
    /// Clearance from the centre to touch [m]: radius of the bore less that of ball or pin;
    /// prismatic: the gap on each side of the centred slider.
    double radial;
    double radius;        ///< of ball or pin [m]; not for prismatic
    double length;        ///< of the bearing along z; prismatic: of the slider [m]
    double axial;         ///< revolute: clearance to the axial stop on each side [m]
    double stop_radius;   ///< revolute: mean radius of the axial stops [m]; 0: that of the pin
    double width, height; ///< prismatic: of the slider along x and y [m]
    double cross_mass;    ///< universal: of the cross between its two pins [kg]
    pkm_clearance_start start_from; ///< where a run starts
    pkm_vec3 start;                 ///< PKM_START_GIVEN: offset of the journal [m]
    pkm_contact_law law; ///< finished; revolute and cylindrical: at each end; prismatic: a corner
    bool has_friction;
    pkm_friction_law friction;
} pkm_clearance;

/// Contact, Lankarani-Nikravesh, without friction; clearance, sizes and stiffness are zero and have
/// to be given where the joint needs them.
pkm_clearance pkm_clearance_defaults(void);

/// Has the kind of joint a model of clearance? Spherical, revolute, cylindrical, prismatic,
/// universal.
bool pkm_clearance_has(pkm_joint_type type);

/// The size that a joint of this type needs and that is not given, in the words of the run file
/// ("radius"); NULL: nothing is missing.
const char* pkm_clearance_missing(const pkm_clearance* clearance, pkm_joint_type type);

/// Check sizes and laws for a joint of this type, and finish the contact law. For the fidelities
/// seated and envelope only the geometry is checked.
/// @return PKM_ERR_ARGUMENT, also for types without a model of clearance.
PKM_NODISCARD pkm_status pkm_clearance_finish(pkm_clearance* clearance, pkm_joint_type type,
                                              pkm_error* err);

/// A sentence where a law is used outside its range: the contact law's own, or Hertz' where the
/// contact angle under `load` [N] is too large for it. NULL: nothing to say.
const char* pkm_clearance_warning(const pkm_clearance* clearance, pkm_joint_type type, double load);

/// Contacts of a joint of this type: spherical 1, cylindrical 2, revolute 4 (two ends, two stops),
/// prismatic 16. A universal joint is two revolutes with a cross between them: 0 by itself.
int pkm_clearance_contacts(pkm_joint_type type);
/// Bristle components: 3 per contact with LuGre friction, else 0.
int pkm_clearance_states(const pkm_clearance* clearance, pkm_joint_type type);

/// Where b is against a and how it moves.
typedef struct pkm_clearance_motion {
    pkm_vec3 p; ///< origin of b from that of a [m]
    pkm_mat3 R; ///< axes of b
    pkm_vec3 v; ///< rate of p seen from a [m/s]
    pkm_vec3 w; ///< angular velocity of b against a [rad/s]
} pkm_clearance_motion;

/// What a contact remembers between steps. Within a step it is constant.
typedef struct pkm_contact_memory {
    bool touching;       ///< contact forces act; without, the surfaces are in flight
    double impact_speed; ///< at first touch [m/s]
} pkm_contact_memory;

/// One place where surfaces may touch.
typedef struct pkm_contact_point {
    double gap;      ///< > 0: apart [m]
    double gap_rate; ///< < 0: approaching [m/s]
    double normal;   ///< force [N]
    double slip;     ///< sliding speed [m/s]
    double friction; ///< force [N]
} pkm_contact_point;

/// Forces of a joint with clearance, on b (opposite on a) about the origin of b.
typedef struct pkm_clearance_force {
    pkm_vec3 force, moment; ///< [N, N m]
    double stored;          ///< elastic energy [J]
    double lost_contact;    ///< taken by the normal laws [W], >= 0
    double lost_friction;   ///< taken from the bodies by friction [W]; >= 0 for static laws
    int n_contact;
    pkm_contact_point contact[PKM_CLEARANCE_CONTACTS];
    double bristle_rate[PKM_CLEARANCE_STATES]; ///< [m/s]
} pkm_clearance_force;

/// Gaps and their rates alone: out[pkm_clearance_contacts].
void pkm_clearance_gaps(const pkm_clearance* clearance, pkm_joint_type type,
                        const pkm_clearance_motion* motion, pkm_contact_point* out);

/// Forces at the given motion. `memory` has pkm_clearance_contacts entries, or is NULL: then every
/// contact with penetration acts, after a touch at the law's least speed. `bristle` has
/// pkm_clearance_states values [m], or is NULL: then LuGre acts with its steady state. Bristles of
/// surfaces in flight rest; whoever sees them touch calls pkm_clearance_touch.
void pkm_clearance_evaluate(const pkm_clearance* clearance, pkm_joint_type type,
                            const pkm_clearance_motion* motion, const pkm_contact_memory* memory,
                            const double* bristle, pkm_clearance_force* out);

/// Velocities of b's surfaces over those of a in all places, out[pkm_clearance_contacts], or their
/// accelerations where the rates of `motion` are accelerations, but for what turns of the journal
/// make of its velocity; returns how many.
int pkm_clearance_velocities(const pkm_clearance* clearance, pkm_joint_type type,
                             const pkm_clearance_motion* motion, pkm_vec3* out);

/// Bristles of contact `k` where its surfaces touch: three of the values of `bristle`. The first
/// touch has no load that could hold, so they begin where surfaces slip.
void pkm_clearance_touch(const pkm_clearance* clearance, pkm_joint_type type,
                         const pkm_clearance_motion* motion, int k, double* bristle);

/// How the force of a contact on b changes with the motion of b's point against a, in the axes of
/// a: df = by_velocity du + by_place dx. What is not stiff is left out: turns of the normal and of
/// the direction of sliding, the spin at axial stops.
typedef struct pkm_contact_tangent {
    int contact;             ///< which of the joint's
    pkm_vec3 at;             ///< the point, from b's origin [m]
    pkm_mat3 by_velocity;    ///< [N s/m]
    pkm_mat3 by_place;       ///< [N/m]
    pkm_mat3 by_bristle;     ///< [N/m] with bristles, else zero
    pkm_mat3 rate_v, rate_z; ///< of the bristles' rate, likewise
} pkm_contact_tangent;

/// Those of the contacts that touch: out[pkm_clearance_contacts]; returns how many. `bristle` as in
/// pkm_clearance_evaluate.
int pkm_clearance_tangents(const pkm_clearance* clearance, pkm_joint_type type,
                           const pkm_clearance_motion* motion, const pkm_contact_memory* memory,
                           const double* bristle, pkm_contact_tangent* out);

/// Move b to where nothing penetrates: balls and the ends of journals the shortest way, sliders on
/// the line to the centre of their guide. Returns how far its surface moved at most [m]; 0: it was
/// admissible.
double pkm_clearance_admit(const pkm_clearance* clearance, pkm_joint_type type,
                           pkm_clearance_motion* motion);

#endif
