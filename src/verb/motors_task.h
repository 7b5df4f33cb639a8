/// What `pkm motors` was asked and found.
#ifndef PKM_VERB_MOTORS_TASK_H
#define PKM_VERB_MOTORS_TASK_H

#include "run/motor_table.h"
#include "verb/run_folder.h"

#define VERB_RPM 9.549296585513721 // turns per minute of one rad/s

typedef struct pkm_verb_motor_task {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    pkm_run* run;
    pkm_table* table; ///< of inverse dynamics
    pkm_motor_table offers;
    pkm_result* result;
    int best;                     ///< PKM_NONE: none serves
    const pkm_motor_offer* shown; ///< whose torque and speed are written
    double start;                 ///< [s]
    char folder[1024];
} pkm_verb_motor_task;

/// The drive that asks most of the motor, the first of those that ask the same but for rounding.
pkm_motor_fit pkm_verb_motors_worst(const pkm_verb_motor_task* m, const pkm_motor_offer* offer);

/// Write the folder: torque over speed of the motor that is shown, its shaft over time, the answer.
PKM_NODISCARD pkm_status pkm_verb_motors_write(pkm_verb_motor_task* m, pkm_error* err);

#endif
