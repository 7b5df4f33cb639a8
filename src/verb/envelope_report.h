/// What pkm envelope says: bounds of the tool's error from clearance, for people and as JSON.
#ifndef PKM_VERB_ENVELOPE_REPORT_H
#define PKM_VERB_ENVELOPE_REPORT_H

#include "clearance/envelope.h"
#include "run/run.h"
#include "verb/commands.h"

enum { VERB_EXTREMES = 2 * PKM_ERROR_AXES }; ///< both ways along each axis

/// A run of pkm envelope.
typedef struct pkm_verb_envelope_work {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    pkm_run* run;
    pkm_error_set set;
    pkm_table* table;
    bool along_motion;
    int motion;
    pkm_envelope here;                       ///< at one position
    pkm_extreme_pose extreme[VERB_EXTREMES]; ///< +x, -x, +y, ...
    double* contribution;                    ///< [2 x n regions] to the largest shift and turn
    pkm_envelope_report report;              ///< along a motion
    char folder[1024];
    double wall_time;
    pkm_result* result;
    const char* form;
} pkm_verb_envelope_work;

/// "x" .. "rz", and the unit for machines.
const char* pkm_verb_envelope_axis(int axis);
const char* pkm_verb_envelope_unit(int axis);

/// What --json prints. Returns its text for people (report/render.h).
const char* pkm_verb_envelope_result(const pkm_verb_envelope_work* env, pkm_result* out);

#endif
