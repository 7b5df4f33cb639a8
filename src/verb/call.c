// The life of a call: options are taken by words or one by one, the verb runs once and leaves tree,
// tables and files. Here alone it is decided what a caller hears before the answer.
#include "verb/call.h"

#include "base/error.h"
#include "math/lapack.h"
#include "model/nearest.h"
#include "model/source.h"
#include "report/render.h"
#include "robot/guard.h"
#include "verb/commands.h"

#include <string.h>

static pkm_status no_call(pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_ARGUMENT, "NULL, expected a call and texts");
}

// ---- making one -------------------------------------------------------------------------------

static pkm_status fail_verb(const char* name, pkm_error* err)
{
    pkm_nearest near = pkm_nearest_make(name);
    for (int v = 0; pkm_verb_top(v); ++v)
        pkm_nearest_offer(&near, pkm_verb_top(v)->name);
    pkm_fail(err, PKM_ERR_ARGUMENT, "'%.200s' is no verb%s (pkm --help lists them)", name,
             pkm_nearest_hint(&near).text);
    if (err) pkm_source_clean(err->text);
    return PKM_ERR_ARGUMENT;
}

pkm_status pkm_call_create(const char* name, pkm_call** out, pkm_error* err)
{
    if (out) *out = NULL;
    if (!name || !out) return pkm_fail(err, PKM_ERR_ARGUMENT, "NULL, expected the name of a verb");
    const pkm_verb* verb = pkm_verb_find(name);
    if (!verb) return fail_verb(name, err);
    pkm_call* call = pkm_alloc(1, sizeof *call);
    if (call) {
        call->args = (pkm_verb_arguments){.verb = verb, .call = call};
        call->arena = pkm_arena_create();
        call->result = pkm_result_create();
        call->said = pkm_stream_to_memory();
    }
    if (!call || !call->arena || !call->result || !call->said) {
        pkm_call_free(call);
        return pkm_out_of_memory(err);
    }
    *out = call;
    return PKM_OK;
}

void pkm_call_free(pkm_call* call)
{
    if (!call) return;
    for (int i = 0; i < call->n_table; ++i)
        pkm_table_free(call->table[i]);
    if (!call->robot_is_lent) pkm_robot_free(call->robot);
    pkm_stream_discard(call->said);
    pkm_stream_discard(call->rendered);
    pkm_result_free(call->result);
    pkm_free(call->file);
    pkm_arena_free(call->arena);
    pkm_free(call);
}

// ---- options ----------------------------------------------------------------------------------

/// Errors go to terminals: without characters that steer one. What has been said by
/// pkm_call_hear has no sentence, but its status; memory that is out is always said.
static pkm_status cleaned(pkm_status status, pkm_error* err)
{
    if (status == PKM_OK || !err) return status;
    if (status == PKM_ERR_MEMORY && !err->text[0]) pkm_fail(err, status, "out of memory");
    err->status = status;
    pkm_source_clean(err->text);
    pkm_source_clean(err->file);
    return status;
}

static pkm_status check_time(const pkm_call* call, pkm_error* err)
{
    if (!call->has_run) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "the call of %s has been made", call->args.verb->name);
}

pkm_status pkm_call_set(pkm_call* call, const char* option, const char* value, pkm_error* err)
{
    if (!call || !option) return no_call(err);
    PKM_TRY(check_time(call, err));
    char* copy = value ? pkm_arena_text(call->arena, value, strlen(value)) : NULL;
    if (value && !copy) return pkm_out_of_memory(err);
    return cleaned(pkm_verb_take(&call->args, option, copy, err), err);
}

/// The word behind "export " in the name of a kind.
static const char* kind_name(const pkm_verb* kind)
{
    return strchr(kind->name, ' ') + 1;
}

/// Of a verb with kinds the first word says which.
static pkm_status choose_kind(pkm_verb_arguments* args, int n, const char* const* words,
                              pkm_error* err)
{
    const pkm_verb* verb = args->verb;
    if (n == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: expected a KIND and a MODEL (pkm %s --help)",
                        verb->name, verb->name);
    args->help = strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0;
    if (args->help) return PKM_OK;
    pkm_nearest near = pkm_nearest_make(words[0]);
    for (int k = 0; verb->kinds[k]; ++k) {
        pkm_nearest_offer(&near, kind_name(verb->kinds[k]));
        if (strcmp(words[0], kind_name(verb->kinds[k])) == 0) args->verb = verb->kinds[k];
    }
    if (args->verb != verb) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%.60s'%s, expected fmu or c (pkm %s --help)",
                    verb->name, words[0], pkm_nearest_hint(&near).text, verb->name);
}

pkm_status pkm_call_words(pkm_call* call, int n, const char* const* words, pkm_error* err)
{
    if (!call || n < 0 || (n > 0 && !words)) return no_call(err);
    PKM_TRY(check_time(call, err));
    const char** copy = pkm_arena_alloc(call->arena, (size_t)n + 1, sizeof *copy);
    if (!copy) return pkm_out_of_memory(err);
    for (int k = 0; k < n; ++k) {
        if (!words[k]) return no_call(err);
        copy[k] = pkm_arena_text(call->arena, words[k], strlen(words[k]));
        if (!copy[k]) return pkm_out_of_memory(err);
    }
    if (call->args.verb->kinds) {
        PKM_TRY(cleaned(choose_kind(&call->args, n, copy, err), err));
        if (call->args.help) return PKM_OK;
        // the kind is taken, the other words are those of its verb
        ++copy, --n;
    }
    return cleaned(pkm_verb_take_words(&call->args, n, copy, err), err);
}

pkm_status pkm_call_robot(pkm_call* call, pkm_robot* robot, pkm_error* err)
{
    if (!call || !robot) return no_call(err);
    PKM_TRY(check_time(call, err));
    if (strcmp(call->args.verb->operand, "MODEL") != 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s works on a %s, not on a robot",
                        call->args.verb->name, call->args.verb->operand);
    if (call->args.model)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "a robot beside '%s', expected one of them",
                        call->args.model);
    call->args.model = pkm_robot_name(robot);
    call->robot = robot;
    call->robot_is_lent = true;
    return PKM_OK;
}

void pkm_call_write(pkm_call* call, bool always)
{
    if (call) call->writes_always = always;
}

void pkm_call_listen(pkm_call* call, pkm_call_progress progress, pkm_call_hear hear, void* user)
{
    if (!call) return;
    call->progress = progress;
    call->hear = hear;
    call->user = user;
}

// ---- running ----------------------------------------------------------------------------------

static pkm_status run(pkm_call* call, pkm_error* err)
{
    const pkm_verb_arguments* args = &call->args;
    if (args->help) {
        pkm_verb_write_help(args->verb, call->said);
        return PKM_OK;
    }
    if (args->verb->kinds)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: expected its KIND (pkm %s --help)",
                        args->verb->name, args->verb->name);
    PKM_TRY(pkm_verb_check_given(args, err));
    pkm_sources_begin(); // every input, for the manifest
    const pkm_status status = args->verb->run(args, err);
    pkm_sources_end();
    return status;
}

pkm_status pkm_call_run(pkm_call* call, pkm_error* err)
{
    if (!call) return no_call(err);
    PKM_TRY(check_time(call, err));
    pkm_robot* lent = call->robot_is_lent ? call->robot : NULL;
    if (lent) PKM_TRY(pkm_robot_hold(lent, err));
    // also of a call that fails: its tables are half filled, and a second run would append to them
    call->has_run = true;
    // an error left from an earlier call would be taken for this one's
    if (err) *err = (pkm_error){.status = PKM_OK};
    pkm_lapack_begin();
    const pkm_status status = cleaned(run(call, err), err);
    pkm_lapack_end();
    pkm_robot_release(&lent);
    return status;
}

// ---- what it gives ----------------------------------------------------------------------------

const pkm_result* pkm_call_result(const pkm_call* call)
{
    return call && call->is_answered ? call->result : NULL;
}

const char* pkm_call_json(pkm_call* call)
{
    if (!call || !call->is_answered) return NULL;
    if (!call->rendered) {
        call->rendered = pkm_stream_to_memory();
        if (call->rendered) pkm_render_json(call->result, call->rendered);
    }
    return call->rendered ? pkm_stream_get(call->rendered) : NULL;
}

const char* pkm_call_text(pkm_call* call)
{
    if (!call || !call->has_run) return NULL;
    if (call->is_answered && pkm_verb_has(&call->args, "--json")) return pkm_call_json(call);
    // lines that were said while the verb ran stand before the text of its answer
    if (call->form) pkm_render_text(call->result, call->form, call->said);
    // rendered once: the text is kept in `said`
    call->form = NULL;
    return pkm_stream_get(call->said);
}

int pkm_call_n_table(const pkm_call* call)
{
    return call ? call->n_table : 0;
}

const char* pkm_call_table_name(const pkm_call* call, int i)
{
    return i >= 0 && i < pkm_call_n_table(call) ? call->table_name[i] : NULL;
}

const pkm_table* pkm_call_table(const pkm_call* call, const char* name)
{
    for (int i = 0; i < pkm_call_n_table(call); ++i)
        if (!name || strcmp(call->table_name[i], name) == 0) return call->table[i];
    return NULL;
}

int pkm_call_n_file(const pkm_call* call)
{
    return call ? call->n_file : 0;
}

const char* pkm_call_file(const pkm_call* call, int i)
{
    return i >= 0 && i < pkm_call_n_file(call) ? call->file[i] : NULL;
}
