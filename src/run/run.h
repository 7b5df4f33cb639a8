/// The choices of a run: motion, drives, friction, loads, how long, how exactly. They stand in a
/// run file (docs/reference/run-file.md), on the command line, or both; later ones rule.
#ifndef PKM_RUN_RUN_H
#define PKM_RUN_RUN_H

#include "model/yaml.h"
#include "pkm/run.h"
#include "robot/extra_columns.h"
#include "run/asked.h"
#include "run/settings.h"

/// A choice as it was written, so that it can be made again for another robot.
typedef struct pkm_run_layer {
    const char* key;          ///< NULL: the whole text of a file
    const char* text;         ///< or the joint of a force
    const char* name;         ///< of the file
    pkm_joint_force_fn force; ///< NULL: a choice in words
    void* user;
} pkm_run_layer;

struct pkm_run {
    const pkm_robot* robot;
    pkm_arena* arena; ///< what the choices need: texts, samples
    pkm_effects effects;
    pkm_column_request columns; ///< effects.columns
    pkm_fidelity fidelity;      ///< of clearance that names none
    bool is_open; ///< which analysis it will be, and so what a clearance must have, is known later
    pkm_sim_settings settings; ///< settings.effects are those above
    int given; ///< the motion that it brought along among those of the robot; PKM_NONE
    bool has_motion, has_end, has_integrator; ///< the choice was made
    bool has_drive[PKM_MAX_DRIVE];
    const char* chosen; ///< why pkm_run_complete took another integrator than the explicit one
    pkm_elastic_drive hold[PKM_MAX_DRIVE]; ///< in linear models about a pose; locked
    int n_made;
    struct pkm_flexible_body** made; ///< effects.made, owned
    double section; ///< period at which journals with clearance are looked at [s]; 0: none
    int n_formula;
    pkm_formula** formula; ///< of loads and forces
    int n_model_set;
    pkm_override* model_set; ///< what controllers believe of the robot
    pkm_robot* model;        ///< with these
    pkm_asked asked;         ///< what single analyses are told beside
    int n_layer;
    pkm_run_layer* layer; ///< what pkm_run_read, pkm_run_parse and pkm_run_choose took
    pkm_progress_fn progress;
    void* user;
};

/// A run without choices for what is no task: a clearance that names nothing else is one with
/// contacts, and needs what they need.
PKM_NODISCARD pkm_status pkm_run_create_contacts(const pkm_robot* robot, pkm_run** out,
                                                 pkm_error* err);
/// A run without choices for a task (0: none): which keys a clearance needs and how many rows there
/// are is the task's (run/task.c).
PKM_NODISCARD pkm_status pkm_run_create_for(const pkm_robot* robot, pkm_task_kind kind,
                                            pkm_run** out, pkm_error* err);
/// The same with the choices of `run` (NULL: none) made again.
PKM_NODISCARD pkm_status pkm_run_repeat(const pkm_run* run, const pkm_robot* robot,
                                        pkm_task_kind kind, pkm_run** out, pkm_error* err);

/// Links that were reduced before: equal ones of `run`, which has none yet, are not reduced again.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_run_share_links(pkm_run* run, int n,
                                             struct pkm_flexible_body* const* made);

/// Take one choice: the value of a key of the run file as YAML, "friction" and "S*: {static: 0.1,
/// radius: 5 mm}". `option` names it in messages.
PKM_NODISCARD pkm_status pkm_run_set(pkm_run* run, const char* key, const char* text,
                                     const char* option, pkm_error* err);

/// YAML takes a `*` at the start for an alias: the text with such a pattern in quotes, freed with
/// pkm_free; NULL: memory is out.
char* pkm_run_quote(const char* text);

/// Parameters for expressions in choices: a map of a file (NULL: none), with other values for some.
typedef struct pkm_run_names {
    const pkm_yaml* parameters;
    const pkm_override* set;
    int n_set;
} pkm_run_names;

/// Take the choices in a map of another file `file`; its other keys are passed over.
PKM_NODISCARD pkm_status pkm_run_take(pkm_run* run, const pkm_yaml* map, const char* file,
                                      const pkm_run_names* names, pkm_error* err);
/// Let every link bend that has a bar of an elastic material; none is fine.
PKM_NODISCARD pkm_status pkm_run_flexible_all(pkm_run* run, pkm_error* err);

/// Fill what was left open: the first motion of the model, its duration, drives prescribed (or free
/// without a motion). Where controllers have a model of their own it is loaded, with the overrides
/// of the robot and those of the run.
PKM_NODISCARD pkm_status pkm_run_complete(pkm_run* run, pkm_error* err);
/// The same for a task: links bend where it is about them, what it does not take is refused.
PKM_NODISCARD pkm_status pkm_run_complete_for(pkm_run* run, pkm_task_kind kind, pkm_error* err);

/// Is anything left that drives do not prescribe? Of a complete run.
bool pkm_run_leaves_free(const pkm_run* run);

#endif
