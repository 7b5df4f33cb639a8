/// What pkm envelope answers, as a tree of results: bounds of the tool's error from clearance where
/// the robot stands or along a motion.
#ifndef PKM_CLEARANCE_ENVELOPE_RESULT_H
#define PKM_CLEARANCE_ENVELOPE_RESULT_H

#include "clearance/envelope.h"
#include "run/run.h"
#include "table/result.h"

enum { PKM_EXTREMES = 2 * PKM_ERROR_AXES }; ///< both ways along each axis

typedef struct pkm_envelope_work {
    pkm_robot* robot;
    int n_clearance; ///< joints with it
    pkm_error_set set;
    pkm_table* table;
    bool along_motion;
    int motion;
    pkm_envelope here;                      ///< at one position
    pkm_extreme_pose extreme[PKM_EXTREMES]; ///< +x, -x, +y, ...
    double* contribution;       ///< [2 x n regions] to the largest shift and turn; owned
    pkm_envelope_report report; ///< along a motion
    double wall_time;           ///< [s]; NaN: not measured
} pkm_envelope_work;

/// What the run, which is complete, asks of `env->robot`: clearance, and a motion or a place; the
/// set of it.
PKM_NODISCARD pkm_status pkm_envelope_work_begin(pkm_envelope_work* env, const pkm_run* run,
                                                 pkm_error* err);
/// Rows of the table, which is the caller's and empty: along the motion, or where the robot stands
/// (`here`, extreme poses, what each joint adds).
/// @return PKM_ERR_MEMORY, or that the loops cannot be closed.
PKM_NODISCARD pkm_status pkm_envelope_work_run(pkm_envelope_work* env, const pkm_run* run,
                                               pkm_error* err);
/// Free what the work owns.
void pkm_envelope_work_free(pkm_envelope_work* env);

/// The tree.
void pkm_envelope_result(const pkm_envelope_work* env, pkm_result* out);

#endif
