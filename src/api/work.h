/// An analysis on its way: the run made for the robot, and its answer.
#ifndef PKM_API_WORK_H
#define PKM_API_WORK_H

#include "api/answer.h"
#include "run/takes.h"

typedef struct pkm_work {
    pkm_robot* robot;
    pkm_robot* held; ///< the same, from begin to end; NULL: another thread works with it
    pkm_run* run;    ///< made for the robot, completed
    pkm_answer* answer;
} pkm_work;

/// Check the arguments of an analysis, make run and answer; `out` becomes NULL.
PKM_NODISCARD pkm_status pkm_work_begin(pkm_task_kind kind, pkm_robot* robot, const pkm_run* run,
                                        pkm_answer** out, pkm_work* work, pkm_error* err);
/// pkm_answer_finish, and the end of the work.
PKM_NODISCARD pkm_status pkm_work_end(pkm_work* work, pkm_status status, pkm_answer** out,
                                      pkm_error* err);

/// Lead the robot to `at` of the task; home without it.
PKM_NODISCARD pkm_status pkm_work_go(const pkm_work* work, pkm_error* err);

/// PKM_ERR_INTERRUPTED with the time of the last row.
pkm_status pkm_work_interrupted(const pkm_work* work, double t, pkm_error* err);

#endif
