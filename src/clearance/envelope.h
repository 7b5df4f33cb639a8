/// Bounds of the tool's pose over all admissible positions of all journals, drives held: the error
/// set that clearance makes, for tolerance work (docs/theory/clearance.md, section 4).
///
/// To first order the error of the tool is linear in the positions of the journals, so the set is a
/// sum of balls, discs, segments and polytopes, seen through the sensitivities of the loops.
#ifndef PKM_CLEARANCE_ENVELOPE_H
#define PKM_CLEARANCE_ENVELOPE_H

#include "clearance/seat.h"
#include "pkm/table.h"

enum { PKM_ERROR_AXES = 6 }; ///< x y z [m], turns about x y z [rad], world axes

/// The error set at one position of the robot.
typedef struct pkm_error_set {
    pkm_seat seat;
    pkm_target target; ///< the drives where the robot stands
    double* J;         ///< [n_y x 6] sensitivities: error along axis i = J_i . y
    double *y, *f, *W; ///< [n_y], [n_y], [n_y x 6]
    pkm_wrench* load;  ///< [n_body]
    pkm_pose tool;     ///< ideal
} pkm_error_set;

/// A set for `robot` (lent), which has a tool.
PKM_NODISCARD pkm_status pkm_error_set_create(pkm_robot* robot,
                                              const pkm_joint_clearance* clearance, int n_clearance,
                                              pkm_error_set* out, pkm_error* err);
void pkm_error_set_free(pkm_error_set* set);

/// Find the sensitivities where the robot stands now.
/// @return PKM_ERR_SINGULAR, PKM_ERR_CONVERGENCE.
PKM_NODISCARD pkm_status pkm_error_set_find(pkm_error_set* set);

/// The largest w . error over the set, an upper bound where constraints are redundant; `y` [n_y]
/// receives where the journals are then.
double pkm_error_set_support(pkm_error_set* set, const double* w, double* y);

/// What each region adds to the largest w . error: out[n regions], their sum is the support.
void pkm_error_set_contributions(pkm_error_set* set, const double* w, double* out);

/// The error of the tool with the journals at y: to first order, and with the loops closed; there
/// redundant constraints move y by terms of second order in the clearance, the least way.
void pkm_error_set_linear(const pkm_error_set* set, const double* y, double* error);
PKM_NODISCARD pkm_status pkm_error_set_closed(pkm_error_set* set, double* y, double* error);

/// An ellipsoid of shifts or turns.
typedef struct pkm_ellipsoid {
    double semi[3];   ///< falling [m, rad]
    pkm_vec3 axis[3]; ///< unit, world axes
} pkm_ellipsoid;

/// What is known of the set at one position.
typedef struct pkm_envelope {
    double most[PKM_ERROR_AXES]; ///< largest error along each axis
    double shift, turn;          ///< largest found in any direction [m, rad]
    pkm_vec3 shift_along, turn_about;
    pkm_ellipsoid shifts, turns; ///< outer ellipsoids: the least sum of squared axes that the sum
                                 ///< of the regions' ellipsoids can be put into (4.4)
    double shift_closed, turn_closed; ///< those of the worst positions with the loops closed
} pkm_envelope;

PKM_NODISCARD pkm_status pkm_envelope_at(pkm_error_set* set, pkm_envelope* out);

/// An extreme pose: the journals at the end of the set along one axis, by linear programming.
typedef struct pkm_extreme_pose {
    double value;                  ///< of the linear program [m, rad]
    double linear[PKM_ERROR_AXES]; ///< error of the tool to first order
    double closed[PKM_ERROR_AXES]; ///< with the loops closed
    int cuts;                      ///< tangent planes that the program needed
} pkm_extreme_pose;

/// The extreme pose along `w` [6]; `y` [n_y] are the journals. The program takes balls and discs as
/// the polytopes of their tangent planes, made finer until it touches them.
/// @return PKM_ERR_CONVERGENCE, PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_extreme_pose_find(pkm_error_set* set, const double* w, double* y,
                                               pkm_extreme_pose* out);

// ---- along a motion ---------------------------------------------------------------------------

typedef struct pkm_envelope_settings {
    int motion, n_instant;
    double end_time; ///< [s]; 0: that of the motion
    pkm_progress_fn progress;
    void* user;
} pkm_envelope_settings;

typedef struct pkm_envelope_report {
    int n_done;
    bool interrupted;
    double t_end;
    double nonlinearity; ///< largest difference of closed and linear shift [m]
} pkm_envelope_report;

/// One row per instant: t; <tool>.x .y .z; .ex .ey .ez .erx .ery .erz the largest error along each
/// axis; .shift .sx .sy .sz the largest shift and its direction, .shift_closed with the loops
/// closed there; .turn .tx .ty .tz .turn_closed likewise; .a1 .a2 .a3 and .b1 .b2 .b3 the axes of
/// the ellipsoids of shifts and turns.
PKM_NODISCARD pkm_status pkm_envelope_run(pkm_error_set* set, const pkm_envelope_settings* settings,
                                          pkm_table* table, pkm_envelope_report* report,
                                          pkm_error* err);

#endif
