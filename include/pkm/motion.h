/// Motions: a law of time on a path, in drive space or for the tool.
#ifndef PKM_MOTION_H
#define PKM_MOTION_H

#include "pkm/status.h"
#include "pkm/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the path parameter runs from 0 to 1.
typedef enum pkm_law {
    PKM_LAW_CUBIC,       ///< 3 s^2 - 2 s^3
    PKM_LAW_QUINTIC,     ///< 10 s^3 - 15 s^4 + 6 s^5
    PKM_LAW_SEPTIC,      ///< 35 s^4 - 84 s^5 + 70 s^6 - 20 s^7: zero jerk at the ends too
    PKM_LAW_TRAPEZOIDAL, ///< constant acceleration, constant speed, constant deceleration
    PKM_LAW_CONSTANT,    ///< constant speed (no ramps)
    PKM_LAW_S_CURVE,     ///< trapezoid of the acceleration: its jerk is limited
} pkm_law;

typedef enum pkm_path_kind {
    PKM_PATH_DRIVES,     ///< drives go from `drive_from` to `drive_to`
    PKM_PATH_LINE,       ///< tool from point[0] to point[1]
    PKM_PATH_POLYLINE,   ///< tool along point[0..n]; each leg runs the law, stopping at the
                         ///< corners, or one law runs through rounded ones (`blend`)
    PKM_PATH_ARC,        ///< tool on the circle through point[0], point[1], point[2], from 0 to 2
    PKM_PATH_CIRCLE,     ///< tool around `center`, `angle` radians
    PKM_PATH_INVERTED_U, ///< pick and place of Kuo (2016), five time marks; septic, whatever `law`
                         ///< says
    PKM_PATH_SAMPLES,    ///< drives or tool through samples, by C4 splines; `law` is not used
    PKM_PATH_SEQUENCE,   ///< other motions one after the other; `law` is not used
    PKM_PATH_SPLINE,   ///< tool or drives through way points without a stop, by C4 splines, run by
                       ///< the law or at given times
    PKM_PATH_FUNCTION, ///< tool or drives by functions of time; `law` is not used
} pkm_path_kind;

/// Input shapers: the motion is made twice or more, half a period of a vibration apart, so that the
/// vibrations cancel; each order more allows a larger error of the frequency and takes longer.
typedef enum pkm_shaper_kind {
    PKM_SHAPER_NONE,
    PKM_SHAPER_ZV,   ///< zero vibration: two impulses
    PKM_SHAPER_ZVD,  ///< and zero derivative by the frequency: three
    PKM_SHAPER_ZVDD, ///< and zero second derivative: four
} pkm_shaper_kind;
enum { PKM_MAX_SHAPED = 3 }; ///< frequencies at once

/// Ready to evaluate, constant, shareable.
typedef struct pkm_motion pkm_motion;

/// A coordinate as a function of the motion's time.
typedef struct pkm_motion_function {
    /// Value and derivatives 1 to 3 at `t` [s] into `out`. Returns a number that changes where the
    /// function has a kink or a jump; always the same for a smooth one. Several threads may call
    /// it.
    unsigned (*at)(const void* user, double t, double out[4]); ///< NULL: a drive that stays at home
    const void* user;                                          ///< must outlive the motion
} pkm_motion_function;

/// Sequences: a payload is picked up (else dropped) after part `after` and `wait` [s] of the rest
/// behind it. The run says what it is, or the model file.
typedef struct pkm_motion_mark {
    const char* payload; ///< name, shorter than PKM_MAX_NAME
    bool is_pick;
    int after;
    double wait;
} pkm_motion_mark;

/// One named motion as a person writes it. Arrays are borrowed during pkm_motion_create only.
/// Numbers that were not given are NaN. Units: m, rad, s.
///
/// The duration comes from `duration`, or from the limits when it is not given (the shortest motion
/// that keeps them; in drive space the drive with the longest way rules and all stop together).
/// When both are given the motion takes `duration` and creation fails if that breaks a limit. A
/// trapezoid of given duration ramps at `max_acceleration`, else it cruises at `max_speed`, else
/// its ramps take a third of the time each.
typedef struct pkm_motion_spec {
    const char* name;
    pkm_law law;
    pkm_path_kind path;
    double duration;                ///< [s]; for polylines the total, shared by the legs by length
    double max_speed;               ///< along the path [m/s], or of the fastest drive
    double max_acceleration;        ///< of the tool's point, with v^2/r on curves [m/s2], or of the
                                    ///< fastest drive; not for constant
    double max_jerk;                ///< the same of the jerk [m/s3]; S-curve, quintic and septic
    double hold_before, hold_after; ///< rest before and after the motion [s]; 0 when not given

    pkm_shaper_kind shaper; ///< the duration grows by half a period per impulse after the first
    double shaper_frequency[PKM_MAX_SHAPED]; ///< of the modes to silence, undamped [Hz]
    int n_shaper_frequency;
    double shaper_damping; ///< their ratio of critical damping; 0 when not given

    int n_drive;              ///< drives of the robot
    const double* drive_from; ///< [n_drive]; NaN: stays where it is at home
    const double* drive_to;   ///< [n_drive]; NaN: stays where it is at home

    int n_point;
    const pkm_vec3* point; ///< way points of the tool
    const pkm_vec3* rpy;   ///< roll, pitch, yaw [rad], or NULL: the motion says nothing of them
    /// How many `rpy`: 1 constant, 2 from and to (by way along the path), n_point at the way points
    /// (line, polyline, arc). 0: n_point.
    int n_rpy;

    /// Spline: way points of the drives instead, column-major [n_point x n_drive]; NaN throughout a
    /// column: it stays at home.
    const double* drive_point;
    const double* point_t; ///< spline: [n_point] when it passes them, increasing [s], from rest to
                           ///< rest; NULL: the law runs along the spline

    int n_function; ///< functions: n_drive for drives, 3 (x y z) or 6 (and roll pitch yaw)
    const pkm_motion_function* function; ///< [n_function]
    bool function_is_drives;

    double blend; ///< polyline: corners are rounded within this way of them [m]; NaN: stops there

    int n_part;                    ///< sequence
    const pkm_motion* const* part; ///< [n_part] kept, not copied: they must outlive the motion
    const double* dwell;           ///< [n_part] rest after each [s], or NULL: none
    int repeat;                    ///< times the sequence is made; 0 counts as 1
    double stretch;                ///< sequence: times all of its times; NaN: 1
    int n_mark;
    const pkm_motion_mark* mark; ///< [n_mark] in the order of time, while the motion rests

    pkm_vec3 center, normal; ///< circle: right-handed about `normal` (z when not given)
    pkm_vec3 start; ///< circle: direction from `center` to the start, its part in the plane
                    ///< counts; when not given pkm_vec3_perpendicular(normal): z -> x
    double radius;  ///< circle [m]
    double angle;   ///< circle: total angle [rad], 2 pi when not given; < 0 turns back

    pkm_vec3 u_step;  ///< inverted U: displacement of the transfer (paper: dx, dy, 0); point[0] is
                      ///< the start
    pkm_vec3 u_lift;  ///< inverted U: displacement of the lift (paper: 0, 0, dz)
    double u_mark[5]; ///< inverted U: t0 < t1 < t2 < t3 < t4 [s]; the motion's time 0 is t0

    int n_sample;           ///< samples, at least 2
    const double* sample_t; ///< [n_sample], increasing [s]; the motion's time 0 is sample_t[0]
    int n_sample_column; ///< n_drive for drives, 3 (x y z) or 6 (x y z roll pitch yaw) for the tool
    const double* sample; ///< column-major [n_sample x n_sample_column]; roll, pitch, yaw that
                          ///< jump by more than pi are taken as the same angle a turn further
    bool sample_is_drives;
    bool sample_free_ends; ///< false: at rest (v = a = 0) at both ends; true: v and a there come
                           ///< from the polynomial through the six samples next to the end
} pkm_motion_spec;

/// A spec with every number NaN, every pointer NULL, quintic law, holds 0.
PKM_API pkm_motion_spec pkm_motion_spec_defaults(void);

/// Check `spec` and prepare the motion. Errors name the motion's key and value (no file place: the
/// caller knows it): duration <= 0, marks not increasing, three points on a line, radius <= 0, a
/// trapezoid that cannot reach its speed (that is fine: it becomes a triangle), too few samples,
/// times that do not increase, numbers that are not finite.
/// @return PKM_ERR_ARGUMENT, PKM_ERR_MODEL, PKM_ERR_MEMORY; `out` is then NULL.
PKM_API PKM_NODISCARD pkm_status pkm_motion_create(const pkm_motion_spec* spec, pkm_motion** out,
                                                   pkm_error* err);
/// Free a motion that pkm_motion_create has made (never one lent by a robot); NULL is fine.
PKM_API void pkm_motion_free(pkm_motion* motion);

/// Its name, lent; NULL for NULL.
PKM_API const char* pkm_motion_name(const pkm_motion* motion);
/// Its duration with the holds [s]; NaN for NULL.
PKM_API double pkm_motion_duration(const pkm_motion* motion);
/// In drive space? Else it moves the tool.
PKM_API bool pkm_motion_is_drives(const pkm_motion* motion);
/// Does this motion of the tool give an orientation?
PKM_API bool pkm_motion_turns(const pkm_motion* motion);

/// Where the drives are that the motion does not move: `home` has n_drive values (zeros until
/// then). Times are planned anew, since ways that start or end at home have other lengths.
/// @return PKM_ERR_ARGUMENT with a sentence when the duration now breaks a limit (nothing changes).
PKM_API pkm_status pkm_motion_set_home(pkm_motion* motion, const double* home, pkm_error* err);

/// Drive-space motion at time `t` (held at its ends outside [0, duration]): positions, velocities,
/// accelerations and jerks [n_drive each]; `jerk` may be NULL. Writes nothing for a motion of the
/// tool.
PKM_API void pkm_motion_drives(const pkm_motion* motion, double t, double* q, double* v, double* a,
                               double* jerk);

/// Tool motion at time `t`. `jerk` (of the point, may be NULL). Without an orientation pose.q is
/// the identity and w, alpha are zero. Writes nothing for a motion of the drives.
PKM_API void pkm_motion_tool(const pkm_motion* motion, double t, pkm_frame_motion* out,
                             pkm_vec3* jerk);

#ifdef __cplusplus
}
#endif
#endif
