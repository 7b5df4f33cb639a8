/// Friction in ideal joints, from the reaction that the joint carries.
///
/// Every joint is one or two contacts with a surface velocity u, linear in the relative motion, and
/// a load N >= 0 from the reaction. Friction is -mu(|u|) N u/|u| on the surface; its wrench follows
/// from virtual power. Parameters are those of the Adams FRICTION statement (names in brackets).
/// Equations: docs/theory/forces.md, section 2.
#ifndef PKM_FORCE_JOINT_FRICTION_H
#define PKM_FORCE_JOINT_FRICTION_H

#include "force/friction_law.h"
#include "math/spatial.h"
#include "pkm/joint_type.h"

enum { PKM_JOINT_FRICTION_STATES = 3 }; ///< most bristle components of a joint

/// How the overlap of a slide and its guide changes when the displacement grows [OVERLAP_DELTA].
typedef enum pkm_overlap {
    PKM_OVERLAP_CONSTANT,
    PKM_OVERLAP_INCREASE,
    PKM_OVERLAP_DECREASE,
} pkm_overlap;

typedef struct pkm_joint_friction {
    pkm_friction_law law; ///< [MU_STATIC, MU_DYNAMIC, STICTION_TRANSITION_VELOCITY]
    double radius;        ///< of ball or pin [m] [BALL_RADIUS, PIN_RADIUS]
    double friction_arm;  ///< of the axial force: revolute, universal [m] [FRICTION_ARM]
    double bending_arm;   ///< of the bending moment: revolute, universal [m] [BENDING_REACTION_ARM]
    double reaction_arm;  ///< of the torsional moment: prismatic [m] [REACTION_ARM]
    double overlap;       ///< of slide and guide: prismatic, cylindrical [m] [INITIAL_OVERLAP]
    pkm_overlap overlap_delta;
    /// How many ends of a pin or guide rub under the moment M, each pressed by M/arm: 1 as Adams
    /// has it, 2 as a rigid guide carries it. 0: 1.
    int bending_ends;
    double
        preload_force; ///< friction without reaction in fast sliding [N] [FRICTION_FORCE_PRELOAD]
    double preload_torque; ///< the same in fast turning [N m] [FRICTION_TORQUE_PRELOAD]
    bool use_force, use_bending, use_torsion, use_preload; ///< what makes friction [INPUTS]
} pkm_joint_friction;

/// The law's defaults, friction from force and preload; all lengths are zero and have to be given
/// where the joint needs them.
pkm_joint_friction pkm_joint_friction_defaults(pkm_friction_kind kind);

/// Complain about parameters that a joint of this type needs and that are out of range.
/// @return PKM_ERR_ARGUMENT, also for types without a friction model (fixed, planar, distance,
/// free).
PKM_NODISCARD pkm_status pkm_joint_friction_check(const pkm_joint_friction* friction,
                                                  pkm_joint_type type, pkm_error* err);

/// Bristle components of a joint: 0 for static laws, else 1 revolute and prismatic, 2 cylindrical
/// and universal, 3 spherical.
int pkm_joint_friction_states(const pkm_joint_friction* friction, pkm_joint_type type);

/// What a joint carries and how it moves, in the axes of its frame a.
typedef struct pkm_joint_motion {
    pkm_vec3 force, moment; ///< reaction on body b at the origin of frame b [N, N m]
    pkm_vec3 w;             ///< angular velocity of b against a [rad/s]
    pkm_vec3 v;             ///< velocity of b's origin seen from frame a [m/s]; only z counts
    pkm_vec3 axis_b;        ///< universal: b.z, unit
    double displacement;    ///< prismatic, cylindrical: coordinate minus that at the start [m]
} pkm_joint_motion;

/// Friction on body b (opposite on a) at the origin of frame b, in the axes of frame a.
typedef struct pkm_joint_friction_force {
    pkm_vec3 force, moment; ///< [N, N m]
    double power;           ///< taken from the bodies [W]; >= 0 for static laws
    double load[2];         ///< N of each contact [N]
    double slip[2];         ///< |u| of each contact [m/s]
    double bristle_rate[PKM_JOINT_FRICTION_STATES]; ///< [m/s]
} pkm_joint_friction_force;

/// Friction at the given reaction and motion. Components of the reaction along free directions are
/// ignored. `bristle` has pkm_joint_friction_states values [m], or is NULL: then a LuGre law acts
/// with its steady state.
pkm_joint_friction_force pkm_joint_friction_evaluate(const pkm_joint_friction* friction,
                                                     pkm_joint_type type,
                                                     const pkm_joint_motion* motion,
                                                     const double* bristle);

/// Bristles of surfaces that have slid as they do now (1.15), pkm_joint_friction_states of them.
void pkm_joint_friction_touch(const pkm_joint_friction* friction, pkm_joint_type type,
                              const pkm_joint_motion* motion, double* bristle);

/// Velocities of the surfaces of a joint that moves as `motion`, or accelerations where its rates
/// are accelerations, of n[i] directions: out[2], n[2]; returns how many surfaces.
int pkm_joint_friction_velocities(const pkm_joint_friction* friction, pkm_joint_type type,
                                  const pkm_joint_motion* motion, pkm_vec3 out[2], int n[2]);

/// A magnitude that a load is made of: factor |what `take` leaves of the reaction|.
typedef enum pkm_load_take { PKM_TAKE_ALL, PKM_TAKE_ACROSS, PKM_TAKE_ALONG } pkm_load_take;
typedef struct pkm_load_part {
    bool of_moment; ///< of the moment, not of the force
    pkm_load_take take;
    pkm_vec3 axis; ///< unit
    double factor; ///< [1] of forces, [1/m] of moments
} pkm_load_part;
enum { PKM_LOAD_PARTS = 3 }; ///< most of a contact

/// What a part takes of the force or moment `x`.
pkm_vec3 pkm_load_part_of(const pkm_load_part* part, pkm_vec3 x);

/// One contact of a joint as a function of its load N = preload + sum of its parts, at a given
/// motion: friction is N times (force, moment), its loss N times `loss`.
typedef struct pkm_joint_load {
    double load, preload;   ///< [N] now; without reaction
    pkm_vec3 force, moment; ///< on b per load [1], [m]
    double loss;            ///< per load [W/N]
    int n_part;
    pkm_load_part part[PKM_LOAD_PARTS];
} pkm_joint_load;

/// The contacts of a joint: out[2]; returns how many.
int pkm_joint_friction_loads(const pkm_joint_friction* friction, pkm_joint_type type,
                             const pkm_joint_motion* motion, const double* bristle,
                             pkm_joint_load out[2]);

/// Derivatives of the friction (force, then moment: 6 rows), column-major, for Newton's method.
typedef struct pkm_joint_friction_slopes {
    double by_reaction[36]; ///< in the reaction (force, moment)
    double by_velocity[36]; ///< in the relative motion (v, w) [N s/m ...]
} pkm_joint_friction_slopes;

/// Derivatives of pkm_joint_friction_evaluate; the bristles are held. Where a part of the reaction
/// vanishes its magnitude has a kink; its slope is then taken as zero.
pkm_joint_friction_slopes pkm_joint_friction_differentiate(const pkm_joint_friction* friction,
                                                           pkm_joint_type type,
                                                           const pkm_joint_motion* motion,
                                                           const double* bristle);

/// One sliding surface of a joint, for implicit steps: its friction f_i along row_i (a wrench on b
/// at the origin of frame b, in the axes of a) and how it changes with the surface velocity u and
/// the bristles z; the load is held.
typedef struct pkm_joint_rub {
    int n_direction;
    pkm_twist row[3];
    int z_at;                ///< of its bristles among those of the joint; PKM_NONE: none
    pkm_mat3 by_velocity;    ///< df/du [N s/m]
    pkm_mat3 by_bristle;     ///< df/dz [N/m]
    pkm_mat3 rate_v, rate_z; ///< of the rate of z
} pkm_joint_rub;

/// One sliding surface of a joint as a function of the rate x at which one of its bodies turns
/// about a line: the surface velocity is u + x turn, and friction without a state has about the
/// line the moment -N mu(|u + x turn|) turn . (u + x turn)/|u + x turn|.
typedef struct pkm_joint_slide {
    double load;      ///< N [N]
    pkm_vec3 u, turn; ///< [m/s], [m]
} pkm_joint_slide;

/// Surfaces of a joint whose b turns about `line`, unit, in the axes of frame a (minus: a turns),
/// beside `motion`: out[2]; returns how many.
int pkm_joint_friction_slides(const pkm_joint_friction* friction, pkm_joint_type type,
                              const pkm_joint_motion* motion, pkm_vec3 line,
                              pkm_joint_slide out[2]);

/// The moment of a surface about the line at rate x [N m], with its derivative [N m s].
double pkm_joint_slide_moment(const pkm_friction_law* law, const pkm_joint_slide* slide, double x,
                              double* slope);

/// Surfaces of a joint: out[2]; returns how many.
int pkm_joint_friction_rubs(const pkm_joint_friction* friction, pkm_joint_type type,
                            const pkm_joint_motion* motion, const double* bristle,
                            pkm_joint_rub out[2]);

#endif
