// What every verb asks of its call: the robot, memory, tables, the tree, progress, files. Options
// reach the run here, so that a key of a run file and its option cannot differ.
#include "verb/commands.h"

#include "base/error.h"
#include "run/takes.h"
#include "verb/call.h"
#include "verb/result_folder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- robot and memory -------------------------------------------------------------------------

pkm_status pkm_verb_load(const pkm_verb_arguments* args, pkm_robot** robot, pkm_error* err)
{
    pkm_call* call = args->call;
    if (!call->robot)
        PKM_TRY(pkm_robot_load(args->model, args->set, args->n_set, &call->robot, err));
    else if (args->n_set > 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--set: the robot was lent, it is as it is");
    if (call->robot_is_lent) pkm_robot_go_home(call->robot); // it stood where it was left
    *robot = call->robot;
    return PKM_OK;
}

bool pkm_verb_writes(const pkm_verb_arguments* args)
{
    return pkm_verb_has(args, "-o") || args->call->writes_always;
}

/// A folder that cannot be written is found before the work, not after it.
static pkm_status check_output(const pkm_verb_arguments* args, pkm_error* err)
{
    const char* given = pkm_verb_get(args, "-o");
    if (!given && !(args->verb->writes && pkm_verb_writes(args))) return PKM_OK;
    return pkm_verb_check_folder(given ? given : "pkm-out", err);
}

pkm_status pkm_verb_begin(const pkm_verb_arguments* args, pkm_robot** robot, pkm_error* err)
{
    PKM_TRY(pkm_verb_load(args, robot, err));
    return check_output(args, err);
}

void* pkm_verb_work(const pkm_verb_arguments* args, size_t size, pkm_error* err)
{
    void* work = pkm_arena_alloc(args->call->arena, 1, size);
    if (!work) pkm_out_of_memory(err);
    return work;
}

// ---- the answer -------------------------------------------------------------------------------

pkm_result* pkm_verb_result(const pkm_verb_arguments* args)
{
    return args->call->result;
}

pkm_table* pkm_verb_table(const pkm_verb_arguments* args, const char* name)
{
    pkm_call* call = args->call;
    // which tables a verb has is known when it is written
    PKM_ASSERT(call->n_table < VERB_MAX_TABLE);
    pkm_table* table = pkm_table_create();
    if (!table) return NULL;
    call->table_name[call->n_table] = name;
    call->table[call->n_table++] = table;
    return table;
}

pkm_status pkm_verb_show(const pkm_verb_arguments* args, const char* form, pkm_error* err)
{
    pkm_call* call = args->call;
    if (pkm_result_failed(call->result)) return pkm_out_of_memory(err);
    call->form = form;
    call->is_answered = true;
    return PKM_OK;
}

pkm_stream* pkm_verb_said(const pkm_verb_arguments* args)
{
    return args->call->said;
}

void pkm_verb_say(const pkm_verb_arguments* args, const char* format, ...)
{
    char line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    pkm_stream_text(args->call->said, line);
    // JSON on the terminal must stay one document
    if (args->call->hear && !pkm_verb_has(args, "--json"))
        args->call->hear(args->call->user, true, line);
}

void pkm_verb_note(const pkm_verb_arguments* args, const pkm_error* err)
{
    char line[1200];
    if (err->file[0] && err->line > 0)
        snprintf(line, sizeof line, "%s:%d:%d: %s", err->file, err->line, err->column, err->text);
    else
        snprintf(line, sizeof line, "%s%s%s", err->file, err->file[0] ? ": " : "", err->text);
    if (args->call->hear) args->call->hear(args->call->user, false, line);
}

void pkm_verb_wrote(const pkm_verb_arguments* args, const char* folder, const char* file)
{
    pkm_call* call = args->call;
    char path[2400];
    // names of files are a service: without memory for one, the answer still stands
    if (call->n_file == call->file_room) {
        const int room = call->file_room ? 2 * call->file_room : 16;
        const char** grown = pkm_realloc(call->file, (size_t)room, sizeof *grown);
        if (!grown) return;
        call->file = grown;
        call->file_room = room;
    }
    snprintf(path, sizeof path, "%s%s%s", folder ? folder : "", folder ? "/" : "", file);
    const char* copy = pkm_arena_text(call->arena, path, strlen(path));
    if (copy) call->file[call->n_file++] = copy;
}

// ---- progress ---------------------------------------------------------------------------------

bool pkm_verb_progress_tick(void* progress, double fraction)
{
    const pkm_verb_progress* p = progress;
    pkm_call* call = p->args->call;
    if (call->progress && !call->progress(call->user, p->what, fraction)) call->is_stopped = true;
    return !call->is_stopped;
}

pkm_verb_progress pkm_verb_progress_begin(const pkm_verb_arguments* args, const char* what)
{
    pkm_verb_progress progress = {.args = args, .what = what};
    pkm_verb_progress_tick(&progress, 0.0);
    return progress;
}

void pkm_verb_progress_end(const pkm_verb_progress* progress)
{
    pkm_verb_progress end = *progress;
    pkm_verb_progress_tick(&end, 1.0);
}

bool pkm_verb_stopped(const pkm_verb_arguments* args)
{
    return args->call->is_stopped;
}

// ---- choices ----------------------------------------------------------------------------------

pkm_status pkm_verb_tool_force(const pkm_verb_arguments* args, pkm_vec3* force, pkm_vec3* torque,
                               pkm_error* err)
{
    static const char* const unit[] = {"N", "N", "N", "N m", "N m", "N m"};
    const char* text = pkm_verb_get(args, "--tool-force");
    double x[6] = {0.0};
    int n;
    if (!text) return PKM_OK;
    PKM_TRY(pkm_verb_numbers(text, unit, "--tool-force", 6, x, &n, err));
    if (n != 3 && n != 6)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--tool-force: %d numbers, expected 3 or 6", n);
    *force = (pkm_vec3){x[0], x[1], x[2]};
    *torque = (pkm_vec3){x[3], x[4], x[5]};
    return PKM_OK;
}

pkm_status pkm_verb_choose(pkm_run* run, const pkm_verb_arguments* args, pkm_error* err)
{
    const pkm_verb_option* option;
    if (pkm_verb_has(args, "--run")) PKM_TRY(pkm_run_read(run, pkm_verb_get(args, "--run"), err));
    for (int i = 0; (option = pkm_verb_option_at(args->verb, i)); ++i) {
        const char* text = args->value[i];
        if (!option->key || !text) continue;
        if (!option->argument) text = "true";
        for (int k = 0; text; ++k) {
            text = option->repeats ? pkm_verb_get_nth(args, option->name, k) : k == 0 ? text : NULL;
            // in the order in which they were given: later patterns rule over earlier ones
            if (text) PKM_TRY(pkm_run_set(run, option->key, text, option->name, err));
        }
    }
    return pkm_verb_tool_force(args, &run->settings.tool_force, &run->settings.tool_torque, err);
}

pkm_status pkm_verb_run_begin(const pkm_verb_arguments* args, const pkm_robot* robot, pkm_run** out,
                              pkm_error* err)
{
    PKM_TRY(pkm_run_create_for(robot, pkm_task_find(args->verb->name), out, err));
    return pkm_verb_choose(*out, args, err);
}

pkm_status pkm_verb_run_complete(const pkm_verb_arguments* args, pkm_run* run, pkm_error* err)
{
    return pkm_run_complete_for(run, pkm_task_find(args->verb->name), err);
}

pkm_status pkm_verb_find_motion(const pkm_verb_arguments* args, const char* option,
                                pkm_robot* robot, pkm_motion** motion, int* index, pkm_error* err)
{
    const char* text = pkm_verb_get(args, option);
    // a motion of the option's own is a map; else it is a name of the model's
    if (!text || text[strspn(text, " ")] != '{')
        return pkm_robot_find_motion(robot, text, motion, index, err);
    pkm_run* run = NULL;
    PKM_TRY(pkm_run_create(robot, &run, err));
    const pkm_status status = pkm_run_set(run, "motion", text, option, err);
    if (status == PKM_OK) {
        if (motion) *motion = robot->desc->motion[run->settings.motion].motion;
        if (index) *index = run->settings.motion;
        run->given = PKM_NONE; // the robot keeps it
    }
    pkm_run_free(run);
    return status;
}
