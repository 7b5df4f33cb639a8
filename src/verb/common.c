#include "verb/commands.h"

#include "base/error.h"
#include "report/render.h"
#include "verb/result_folder.h"

#include <stdio.h>
#include <string.h>

/// A folder that cannot be written is found before the work, not after it.
static pkm_status check_output(const cli_arguments* args, pkm_error* err)
{
    const char* given = cli_get(args, "-o");
    if (!given && !args->verb->writes) return PKM_OK;
    return cli_check_folder(given ? given : "pkm-out", err);
}

bool cli_begin(const cli_verb* verb, int argc, char** argv, cli_arguments* args, pkm_robot** robot,
               int* exit_code)
{
    pkm_error err = {0};
    *robot = NULL;
    *exit_code = 0;
    pkm_status status = cli_parse(verb, argc, argv, args, &err);
    if (status == PKM_OK && args->help) {
        cli_print_help(verb);
        return false;
    }
    if (status == PKM_OK) status = pkm_robot_load(args->model, args->set, args->n_set, robot, &err);
    if (status == PKM_OK) status = check_output(args, &err);
    if (status == PKM_OK) return true;
    pkm_robot_free(*robot);
    *robot = NULL;
    *exit_code = cli_fail(&err);
    return false;
}

bool cli_json_begin(cli_json* out)
{
    out->stream = pkm_stream_to_file(stdout);
    if (!out->stream) {
        fprintf(stderr, "pkm: out of memory\n");
        return false;
    }
    out->json = pkm_json_make(out->stream);
    pkm_json_object_begin(&out->json);
    return true;
}

int cli_json_end(cli_json* out)
{
    pkm_error err = {0};
    pkm_json_object_end(&out->json);
    return pkm_stream_close(out->stream, &err) == PKM_OK ? 0 : cli_fail(&err);
}

int cli_show(const cli_arguments* args, const pkm_result* result, const char* form)
{
    pkm_error err = {0};
    pkm_stream* stream = pkm_stream_to_file(stdout);
    if (!stream || pkm_result_failed(result)) {
        pkm_stream_discard(stream);
        pkm_fail(&err, PKM_ERR_MEMORY, "out of memory");
        return cli_fail(&err);
    }
    if (cli_has(args, "--json"))
        pkm_render_json(result, stream);
    else
        pkm_render_text(result, form, stream);
    return pkm_stream_close(stream, &err) == PKM_OK ? 0 : cli_fail(&err);
}

pkm_status cli_tool_force(const cli_arguments* args, pkm_vec3* force, pkm_vec3* torque,
                          pkm_error* err)
{
    static const char* const unit[] = {"N", "N", "N", "N m", "N m", "N m"};
    const char* text = cli_get(args, "--tool-force");
    double x[6] = {0.0};
    int n;
    if (!text) return PKM_OK;
    PKM_TRY(cli_numbers(text, unit, "--tool-force", 6, x, &n, err));
    if (n != 3 && n != 6)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--tool-force: %d numbers, expected 3 or 6", n);
    *force = (pkm_vec3){x[0], x[1], x[2]};
    *torque = (pkm_vec3){x[3], x[4], x[5]};
    return PKM_OK;
}

pkm_status cli_choose(pkm_run* run, const cli_arguments* args, pkm_error* err)
{
    const cli_option* option;
    if (cli_has(args, "--run")) PKM_TRY(pkm_run_read(run, cli_get(args, "--run"), err));
    for (int i = 0; (option = cli_option_at(args->verb, i)); ++i) {
        const char* text = args->value[i];
        if (!option->key || !text) continue;
        if (!option->argument) text = "true";
        for (int k = 0; text; ++k) {
            text = option->repeats ? cli_get_nth(args, option->name, k) : k == 0 ? text : NULL;
            if (text) PKM_TRY(pkm_run_set(run, option->key, text, option->name, err));
        }
    }
    return cli_tool_force(args, &run->settings.tool_force, &run->settings.tool_torque, err);
}

pkm_status cli_find_motion(const cli_arguments* args, const char* option, pkm_robot* robot,
                           pkm_motion** motion, int* index, pkm_error* err)
{
    const char* text = cli_get(args, option);
    if (!text || text[strspn(text, " ")] != '{')
        return pkm_robot_find_motion(robot, text, motion, index, err);
    pkm_run* run = NULL;
    PKM_TRY(pkm_run_create(robot, &run, err));
    const pkm_status status = pkm_run_set(run, "motion", text, option, err);
    if (status == PKM_OK) {
        if (motion) *motion = robot->desc->motion[run->settings.motion].motion;
        if (index) *index = run->settings.motion;
    }
    pkm_run_free(run);
    return status;
}
