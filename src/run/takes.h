/// What each analysis takes into account: one table of analyses and effects. A pair is *taken*, or
/// *refused* with the analyses that take it; there is nothing between. Verbs, studies and the
/// analyses themselves ask here, and `pkm effects` prints docs/reference/effects.md from it.
#ifndef PKM_RUN_TAKES_H
#define PKM_RUN_TAKES_H

#include "run/run.h"

typedef enum pkm_analysis {
    PKM_ANALYSIS_INVERSE,        ///< by the engine
    PKM_ANALYSIS_INVERSE_CLOSED, ///< by the closed form
    PKM_ANALYSIS_COMPARE,
    PKM_ANALYSIS_SIMULATE,
    PKM_ANALYSIS_SEATED, ///< pkm simulate with quasi-static clearance
    PKM_ANALYSIS_ENVELOPE,
    PKM_ANALYSIS_MODES,
    PKM_ANALYSIS_MODES_WEIGHTED, ///< with the stiffness of static forces
    PKM_ANALYSIS_STIFFNESS,
    PKM_ANALYSIS_STIFFNESS_WEIGHTED,
    PKM_ANALYSIS_ELASTODYNAMICS,
    PKM_ANALYSIS_WORKSPACE,
    PKM_ANALYSIS_MOTORS,   ///< which motors of a table serve
    PKM_ANALYSIS_FASTEST,  ///< the shortest time for a path
    PKM_ANALYSIS_MATRICES, ///< of the equations of motion
    PKM_ANALYSIS_CODE,     ///< pkm export c
    PKM_ANALYSIS_FMU,      ///< pkm export fmu
    PKM_ANALYSIS_KUO,      ///< frequencies as Kuo published them
    PKM_N_ANALYSIS,
} pkm_analysis;

typedef enum pkm_run_effect {
    PKM_EFFECT_FRICTION,
    PKM_EFFECT_CONTACT,
    PKM_EFFECT_SEATED,
    PKM_EFFECT_ENVELOPE,
    PKM_EFFECT_BEARING_FRICTION,
    PKM_EFFECT_FLEXIBLE,
    PKM_EFFECT_IMPORTED,
    PKM_EFFECT_PIECES, ///< flexible links with large deflections
    PKM_EFFECT_LOAD,
    PKM_EFFECT_CHANGING_LOAD,
    PKM_EFFECT_RELEASED_LOAD,
    PKM_EFFECT_SPRING,
    PKM_EFFECT_JOINT_SPRING,
    PKM_EFFECT_BUSHING,
    PKM_EFFECT_ONE_SIDED, ///< cables: elements whose law changes with the sign of a gap
    PKM_EFFECT_PROGRAM,   ///< forces by functions of a program, see pkm_run_add_force
    PKM_EFFECT_TOOL_FORCE,
    PKM_EFFECT_TOOL_TORQUE,
    PKM_EFFECT_PAYLOAD,
    PKM_EFFECT_PASSING_PAYLOAD,
    PKM_EFFECT_FLEXIBLE_PAYLOAD,
    PKM_EFFECT_MOTOR,
    PKM_EFFECT_BACKLASH,
    PKM_EFFECT_LOCKED,
    PKM_EFFECT_FREE,
    PKM_EFFECT_PLAYBACK,
    PKM_EFFECT_FORCE,
    PKM_EFFECT_SERVO,
    PKM_EFFECT_CONTROLLER, ///< of a program, see pkm_run_set_controller
    PKM_EFFECT_MODEL,
    PKM_EFFECT_HOLD_SPRING,
    PKM_EFFECT_HOLD_FREE,
    PKM_EFFECT_START_RATE, ///< and offsets
    PKM_EFFECT_UNDEFORMED,
    PKM_EFFECT_START_MODES, ///< of flexible links
    PKM_EFFECT_IDLE,
    PKM_N_EFFECT,
} pkm_run_effect;

/// "pkm modes --weight"; "friction in joints".
const char* pkm_analysis_name(pkm_analysis analysis);
/// The same without the program: "modes --weight".
const char* pkm_analysis_words(pkm_analysis analysis);
/// The analysis that answers a task with the choices of a run: `modes` with `weight` is another
/// than without. PKM_N_ANALYSIS: none does (a study).
pkm_analysis pkm_analysis_of(pkm_task_kind kind, const pkm_run* run);
const char* pkm_effect_name(pkm_run_effect effect);
/// The key of the run file that asks for the effect: "friction", "loads.spring".
const char* pkm_effect_key(pkm_run_effect effect);

bool pkm_analysis_takes(pkm_analysis analysis, pkm_run_effect effect);

/// All that can bring an effect; any but the robot may be NULL.
typedef struct pkm_choices {
    const pkm_robot* robot;
    const pkm_effects* effects;
    const pkm_sim_settings* settings;
    const pkm_elastic_drive* hold; ///< [n_drive]
    const bool* has_drive;         ///< [n_drive] its kind was chosen; NULL: all were
    bool has_model;                ///< controllers know another robot
} pkm_choices;

/// Is the effect chosen? `item` (PKM_MAX_NAME characters) receives the name of what has it first.
bool pkm_choices_have(const pkm_choices* choices, pkm_run_effect effect, char* item);

/// PKM_OK when the analysis takes all that is chosen; else PKM_ERR_ARGUMENT in a sentence that
/// names the analysis, the effect with its item, and the analyses that take it.
PKM_NODISCARD pkm_status pkm_choices_require(const pkm_choices* choices, pkm_analysis analysis,
                                             pkm_error* err);
/// The same for a run.
PKM_NODISCARD pkm_status pkm_run_require(const pkm_run* run, pkm_analysis analysis, pkm_error* err);

/// The same for a task: its keys too.
PKM_NODISCARD pkm_status pkm_run_require_task(const pkm_run* run, pkm_task_kind kind,
                                              pkm_error* err);

/// The same for a run that is not complete yet, on a copy that is.
PKM_NODISCARD pkm_status pkm_run_check_analysis(const pkm_run* run, pkm_analysis analysis,
                                                pkm_error* err);

/// Which analysis answers `pkm simulate`: PKM_ANALYSIS_SEATED when the first joint with clearance
/// is to be seated (then pkm_run_require refuses others), else PKM_ANALYSIS_SIMULATE.
pkm_analysis pkm_simulate_analysis(const pkm_effects* effects);

#endif
