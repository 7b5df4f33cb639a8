/// The choices of a run: motion, drives, friction, loads, how long, how exactly. They stand in a
/// run file (docs/reference/run-file.md), on the command line, or both; later ones rule.
#ifndef PKM_RUN_RUN_H
#define PKM_RUN_RUN_H

#include "model/yaml.h"
#include "run/settings.h"

typedef struct pkm_run {
    const pkm_robot* robot;
    pkm_arena* arena; ///< what the choices need: texts, samples
    pkm_effects effects;
    pkm_fidelity fidelity;                    ///< of clearance that names none
    pkm_sim_settings settings;                ///< settings.effects are those above
    bool has_motion, has_end, has_integrator; ///< the choice was made
    bool has_drive[PKM_MAX_DRIVE];
    const char* chosen; ///< why pkm_run_complete took another integrator than the explicit one
    pkm_elastic_drive hold[PKM_MAX_DRIVE]; ///< in linear models about a pose; locked
    double section; ///< period at which journals with clearance are looked at [s]; 0: none
    int n_formula;
    pkm_formula** formula; ///< of loads and forces
    int n_model_set;
    pkm_override* model_set; ///< what controllers believe of the robot
    pkm_robot* model;        ///< with these
} pkm_run;

/// A run with defaults: no effects.
PKM_NODISCARD pkm_status pkm_run_create(const pkm_robot* robot, pkm_run** out, pkm_error* err);
void pkm_run_free(pkm_run* run);

/// Take the choices of the run file `path`.
/// @return PKM_ERR_FILE, PKM_ERR_SYNTAX, PKM_ERR_MODEL with file, line and column.
PKM_NODISCARD pkm_status pkm_run_read(pkm_run* run, const char* path, pkm_error* err);
/// The same from text in memory; `name` stands for the file in messages.
PKM_NODISCARD pkm_status pkm_run_parse(pkm_run* run, const char* text, const char* name,
                                       pkm_error* err);

/// Take one choice: the value of a key of the run file as YAML, "friction" and "S*: {static: 0.1,
/// radius: 5 mm}". `option` names it in messages.
PKM_NODISCARD pkm_status pkm_run_set(pkm_run* run, const char* key, const char* text,
                                     const char* option, pkm_error* err);

/// Parameters for expressions in choices: a map of a file (NULL: none), with other values for some.
typedef struct pkm_run_names {
    const pkm_yaml* parameters;
    const pkm_override* set;
    int n_set;
} pkm_run_names;

/// Take the choices in a map of another file `file`; its other keys are passed over.
PKM_NODISCARD pkm_status pkm_run_take(pkm_run* run, const pkm_yaml* map, const char* file,
                                      const pkm_run_names* names, pkm_error* err);
/// The i-th key of choices, NULL past the last.
const char* pkm_run_key(int i);

/// Let every link bend that has a bar of an elastic material; none is fine.
PKM_NODISCARD pkm_status pkm_run_flexible_all(pkm_run* run, pkm_error* err);

/// Fill what was left open: the first motion of the model, its duration, drives prescribed (or free
/// without a motion). Where controllers have a model of their own it is loaded, with the overrides
/// `set` of the robot and those of the run.
PKM_NODISCARD pkm_status pkm_run_complete(pkm_run* run, const pkm_override* set, int n_set,
                                          pkm_error* err);

#endif
