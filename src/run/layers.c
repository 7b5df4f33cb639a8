// A run in layers, as they were written: files, options, calls of a program. At the end it is made
// of all of them; what an analysis takes is asked of that.
#include "base/error.h"
#include "flexible/body.h"
#include "force/user_force.h"
#include "model/nearest.h"
#include "robot/guard.h"
#include "run/run_impl.h"
#include "run/takes.h"

#include <math.h>
#include <string.h>

// ---- choices as they were written -------------------------------------------------------------

/// A copy that lives with the run.
static const char* keep(pkm_run* run, const char* text)
{
    const size_t size = strlen(text) + 1;
    char* copy = pkm_arena_alloc(run->arena, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

/// Room for one more layer, twice as many when they are full.
static bool grow(pkm_run* run)
{
    const int n = run->n_layer;
    // full at powers of two only
    if (n > 0 && (n & (n - 1)) != 0) return true;
    pkm_run_layer* all = pkm_arena_alloc(run->arena, n ? 2 * (size_t)n : 1, sizeof *all);
    if (!all) return false;
    if (n > 0) memcpy(all, run->layer, (size_t)n * sizeof *all);
    run->layer = all;
    return true;
}

pkm_status pkm_run_note_layer(pkm_run* run, const pkm_run_layer* layer, pkm_error* err)
{
    pkm_run_layer copy = *layer;
    copy.text = keep(run, layer->text);
    if (layer->key) copy.key = keep(run, layer->key);
    if (layer->name) copy.name = keep(run, layer->name);
    if (!copy.text || (layer->key && !copy.key) || (layer->name && !copy.name) || !grow(run))
        return pkm_out_of_memory(err);
    run->layer[run->n_layer++] = copy;
    return PKM_OK;
}

static const char* name_of(const pkm_key* key)
{
    return key ? key->name : NULL;
}

const char* pkm_run_key(int i)
{
    return name_of(pkm_section_key(&pkm_run_choices, i));
}

const char* pkm_run_task_key(int i)
{
    return name_of(pkm_section_key(&pkm_run_tasks, i));
}

/// Of the choices or of an analysis: which of both, the analysis will ask.
static pkm_status check_key(const char* key, pkm_error* err)
{
    static const pkm_key all[] = {{.kind = PKM_KEY_INCLUDE, .section = &pkm_run_choices},
                                  {.kind = PKM_KEY_INCLUDE, .section = &pkm_run_tasks},
                                  {.name = NULL}};
    const pkm_section known = {.key = all};
    pkm_nearest near = pkm_nearest_make(key);
    if (pkm_section_find(&known, key, NULL)) return PKM_OK;
    for (int i = 0; pkm_section_key(&known, i); ++i)
        pkm_nearest_offer(&near, pkm_section_key(&known, i)->name);
    return pkm_fail(err, PKM_ERR_ARGUMENT, "run: unknown key '%.60s'%s", key,
                    pkm_nearest_hint(&near).text);
}

pkm_status pkm_run_choose(pkm_run* run, const char* key, const char* value, pkm_error* err)
{
    if (!run || !key || !value)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm_run_choose: a run, a key or a value is NULL");
    PKM_HOLD((pkm_robot*)run->robot, err); // a motion of its own is put there
    PKM_TRY(check_key(key, err));
    PKM_TRY(pkm_run_set(run, key, value, key, err));
    return pkm_run_note_layer(run, &(pkm_run_layer){.key = key, .text = value}, err);
}

// ---- forces of a program ----------------------------------------------------------------------

/// Put the force to the run's elements. Their list is copied: it is seldom long.
static pkm_status add_force(pkm_run* run, const pkm_run_layer* layer, pkm_error* err)
{
    const pkm_mechanism* mech = run->robot->mech;
    pkm_effects* e = &run->effects;
    const int joint = pkm_mechanism_find_joint(mech, layer->text);
    if (joint == PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "force: %s has no joint '%.60s'",
                        run->robot->desc->name, layer->text);
    const pkm_joint_type type = mech->joint[joint].type;
    if (type != PKM_JOINT_REVOLUTE && type != PKM_JOINT_PRISMATIC)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "force: joint %.60s is %s, expected revolute or prismatic", layer->text,
                        pkm_joint_type_name(type));
    size_t room = 1; // a power of two, as pkm_run_grow has it
    while (room < (size_t)e->n_element + 1)
        room *= 2;
    pkm_element* all = pkm_arena_alloc(run->arena, room, sizeof *all);
    if (!all) return pkm_out_of_memory(err);
    if (e->n_element > 0) memcpy(all, e->element, (size_t)e->n_element * sizeof *all);
    pkm_element* last = &all[e->n_element];
    *last = (pkm_element){.name = mech->joint[joint].name,
                          .type = &pkm_element_user,
                          .marker_a = PKM_NONE,
                          .marker_b = PKM_NONE,
                          .joint = joint};
    *(pkm_user_force*)(void*)last->data =
        (pkm_user_force){.force = layer->force, .user = layer->user};
    e->element = all;
    ++e->n_element;
    return PKM_OK;
}

pkm_status pkm_run_add_force(pkm_run* run, const char* joint, pkm_joint_force_fn force, void* user,
                             pkm_error* err)
{
    if (!run || !joint || !force)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "pkm_run_add_force: a run, a joint or a force is NULL");
    const pkm_run_layer layer = {.text = joint, .force = force, .user = user};
    PKM_TRY(add_force(run, &layer, err));
    return pkm_run_note_layer(run, &layer, err);
}

pkm_status pkm_run_set_controller(pkm_run* run, double period, pkm_controller_fn control,
                                  void* user, pkm_error* err)
{
    if (!run || (control && !(period > 0.0 && isfinite(period))))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "pkm_run_set_controller: a run is NULL, or a period of %g s, expected > 0",
                        period);
    // no layer: a function has no text, and pkm_run_repeat copies it
    run->settings.program =
        (pkm_program_plan){.control = control, .user = user, .period = control ? period : 0.0};
    return PKM_OK;
}

pkm_status pkm_run_share_links(pkm_run* run, int n, struct pkm_flexible_body* const* made)
{
    PKM_ASSERT(run->n_made == 0);
    size_t room = 1; // lists grow at powers of two
    while (room < (size_t)n)
        room *= 2;
    if (n == 0) return PKM_OK;
    run->made = pkm_arena_alloc(run->arena, room, sizeof *run->made);
    if (!run->made) return PKM_ERR_MEMORY;
    for (int i = 0; i < n; ++i)
        run->made[run->n_made++] = pkm_flexible_body_share(made[i]);
    run->effects.made =
        (pkm_flexible_made){run->n_made, (const pkm_flexible_body* const*)run->made};
    return PKM_OK;
}

pkm_status pkm_run_repeat(const pkm_run* run, const pkm_robot* robot, pkm_task_kind kind,
                          pkm_run** out, pkm_error* err)
{
    PKM_TRY(pkm_run_create_for(robot, kind, out, err));
    pkm_status status = run ? pkm_run_share_links(*out, run->n_made, run->made) : PKM_OK;
    if (status != PKM_OK) pkm_fail(err, status, "out of memory");
    for (int i = 0; run && i < run->n_layer && status == PKM_OK; ++i) {
        const pkm_run_layer* l = &run->layer[i];
        // a function of the caller, one key, or the text of a file
        status = l->force ? add_force(*out, l, err)
                 : l->key ? pkm_run_set(*out, l->key, l->text, l->key, err)
                          : pkm_run_parse(*out, l->text, l->name, err);
    }
    if (run) {
        // what no file can say: functions of the caller
        (*out)->settings.program = run->settings.program;
        (*out)->progress = run->progress;
        (*out)->user = run->user;
    }
    if (status == PKM_OK) return PKM_OK;
    pkm_run_free(*out);
    // what was half made is freed; the caller's run stays as it was
    *out = NULL;
    return status;
}

void pkm_run_set_progress(pkm_run* run, pkm_progress_fn progress, void* user)
{
    if (!run) return;
    run->progress = progress;
    run->user = user;
}

// ---- what an analysis takes -------------------------------------------------------------------

/// The run as it is made at the end, with all its layers, asked by one of the two questions.
static pkm_status check_made(const pkm_run* run, pkm_task_kind kind, pkm_analysis analysis,
                             pkm_error* err)
{
    pkm_run* made = NULL;
    pkm_status status = pkm_run_repeat(run, run->robot, kind, &made, err);
    if (status == PKM_OK)
        status = kind ? pkm_run_complete_for(made, kind, err) : pkm_run_complete(made, err);
    if (status == PKM_OK && !kind) status = pkm_run_require(made, analysis, err);
    pkm_run_free(made);
    return status;
}

pkm_status pkm_run_check(const pkm_run* run, const char* analysis, pkm_error* err)
{
    const pkm_task_kind kind = analysis ? pkm_task_find(analysis) : (pkm_task_kind)0;
    if (!run || !kind || kind == PKM_TASK_STUDY)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm_run_check: expected a run and an analysis");
    PKM_HOLD((pkm_robot*)run->robot, err);
    return check_made(run, kind, PKM_N_ANALYSIS, err);
}

pkm_status pkm_run_check_analysis(const pkm_run* run, pkm_analysis analysis, pkm_error* err)
{
    return check_made(run, (pkm_task_kind)0, analysis, err);
}
