// pkm view: one page with the engine inside; model, run and the files they name go into it as they
// were read, so that it opens anywhere.
#include "verb/commands.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/source.h"
#include "model/yaml.h"
#include "pkm/run.h"
#include "verb/report_frame.h"
#include "verb/report_impl.h"
#include "verb/result_folder.h"
#include "write/base64.h"
#include "write/json.h"

#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { MAX_FILE = 64 << 20 }; // of a file that goes into the page [bytes]

static const pkm_verb_option options[] = {
    {"--run", "FILE", .text = "a run file, whose choices the page runs"},
    {"--no-open", NULL, .text = "write the page and print its path only"},
    {"-o", "FILE",
     .text = "where; `pkm-out/MODEL-view.html` when not given, `report.html` in a folder"},
};

static pkm_status run_view(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_view = {
    .name = "view",
    .operand = "MODEL|STUDY|FOLDER",
    .text = "one page to lead the robot by hand, run it and change it; opens in the browser",
    .help =
        "Writes one HTML file with the robot and the engine inside, which needs no other file,\n"
        "no server and no network, and opens it: of a model, or of the robot of a study file. Of\n"
        "the folder of a run or a study it makes and opens the report.",
    .example = "pkm view robots/siax.yaml",
    .another = "pkm view robots/gough-stewart.yaml --no-open -o platform.html",
    VERB_OPTIONS(options),
    .run = run_view,
};

// ---- what goes into the page ------------------------------------------------------------------

/// The last part of a path; `folder` receives how many letters stand before it.
static const char* base_name(const char* path, size_t* folder)
{
    // both for files beside the model and for those in folders below it
    const char* slash = strrchr(path, '/');
    *folder = slash ? (size_t)(slash + 1 - path) : 0;
    return path + *folder;
}

/// An object as one block of the page.
static pkm_status put_block(pkm_stream* page, const char* name, pkm_stream* json, pkm_error* err)
{
    const char* text = pkm_stream_get(json);
    if (text) pkm_page_put_json(page, name, text, strlen(text));
    pkm_stream_discard(json);
    return text ? PKM_OK : pkm_out_of_memory(err);
}

/// The text, not the robot: the engine of the page reads it, and can change its parameters.
static pkm_status put_model(pkm_stream* page, const pkm_verb_arguments* args, const char* text,
                            pkm_error* err)
{
    size_t folder;
    pkm_stream* stream = pkm_stream_to_memory();
    if (!stream) return pkm_out_of_memory(err);
    pkm_json json = pkm_json_make(stream);
    pkm_json_object_begin(&json);
    pkm_json_put_string(&json, "name", base_name(args->model, &folder));
    pkm_json_put_string(&json, "text", text);
    // the engine inside is of this version: the page tells which
    pkm_json_put_string(&json, "version", PKM_VERSION);
    pkm_json_open_object(&json, "set");
    for (int i = 0; i < args->n_set; ++i)
        pkm_json_put_string(&json, args->set[i].name, args->set[i].value);
    pkm_json_object_end(&json);
    pkm_json_object_end(&json);
    return put_block(page, "model", stream, err);
}

/// The run file of the user: name and text.
static pkm_status put_run(pkm_stream* page, const char* file, pkm_error* err)
{
    size_t folder, length = 0;
    char* text = NULL;
    if (!file) return PKM_OK;
    PKM_TRY(pkm_source_peek(file, MAX_FILE, &text, &length, err));
    pkm_stream* stream = pkm_stream_to_memory();
    if (!stream) {
        pkm_free(text);
        return pkm_out_of_memory(err);
    }
    pkm_json json = pkm_json_make(stream);
    pkm_json_object_begin(&json);
    pkm_json_put_string(&json, "name", base_name(file, &folder));
    pkm_json_put_string(&json, "text", text);
    pkm_json_object_end(&json);
    pkm_free(text);
    return put_block(page, "run", stream, err);
}

/// A file that the model names, under the name by which the model finds it.
static pkm_status put_file(pkm_json* json, const char* path, size_t folder, pkm_error* err)
{
    char* bytes = NULL;
    size_t length = 0;
    // as it is on the disk, without a note among the inputs: it has one already
    PKM_TRY(pkm_source_peek(path, MAX_FILE, &bytes, &length, err));
    char* text = pkm_alloc(pkm_base64_length(length) + 1, 1);
    if (text) pkm_base64_encode(bytes, length, text);
    pkm_free(bytes);
    if (!text) return pkm_out_of_memory(err);
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "name", path + folder);
    pkm_json_put_string(json, "base64", text);
    pkm_json_object_end(json);
    pkm_free(text);
    return PKM_OK;
}

/// Files that were read beside model and run: meshes, samples.
static pkm_status put_files(pkm_stream* page, const char* model, const char* run, pkm_error* err)
{
    size_t folder, beside = 0;
    base_name(model, &folder);
    if (run) base_name(run, &beside);
    pkm_stream* stream = pkm_stream_to_memory();
    if (!stream) return pkm_out_of_memory(err);
    pkm_json json = pkm_json_make(stream);
    pkm_status status = PKM_OK;
    pkm_json_array_begin(&json);
    for (int i = 0; status == PKM_OK && pkm_sources_get(i); ++i) {
        const char* path = pkm_sources_get(i)->path;
        if (strcmp(path, model) == 0 || (run && strcmp(path, run) == 0)) continue;
        // names as model or run write them, relative to the folder of each
        const bool below = strncmp(path, model, folder) == 0;
        const bool of_run = run && strncmp(path, run, beside) == 0;
        status = put_file(&json, path, below ? folder : of_run ? beside : 0, err);
    }
    pkm_json_array_end(&json);
    if (status == PKM_OK) return put_block(page, "files", stream, err);
    pkm_stream_discard(stream);
    return status;
}

static pkm_status write_page(const pkm_verb_arguments* args, const char* title, const char* path,
                             pkm_error* err)
{
    char* text = NULL;
    size_t length = 0;
    pkm_stream* page;
    // before the page is opened: a page without a model would be left
    PKM_TRY(pkm_source_peek(args->model, MAX_FILE, &text, &length, err));
    pkm_status status = pkm_stream_open(path, &page, err);
    if (status == PKM_OK) {
        pkm_page_begin(page, &pkm_verb_view_frame, title);
        status = put_model(page, args, text, err);
        if (status == PKM_OK) status = put_run(page, pkm_verb_get(args, "--run"), err);
        if (status == PKM_OK)
            status = put_files(page, args->model, pkm_verb_get(args, "--run"), err);
        pkm_page_end(page, &pkm_verb_view_frame);
        if (status == PKM_OK)
            status = pkm_stream_close(page, err);
        else
            pkm_stream_discard(page);
    }
    pkm_free(text);
    return status;
}

// ---- where it goes ----------------------------------------------------------------------------

/// pkm-out/siax-view.html for robots/siax.yaml, unless -o says otherwise.
static pkm_status choose_path(const pkm_verb_arguments* args, char* out, size_t size,
                              pkm_error* err)
{
    const char* given = pkm_verb_get(args, "-o");
    if (given) {
        snprintf(out, size, "%s", given);
        return PKM_OK;
    }
    const pkm_verb_stem stem = pkm_verb_stem_of(args->model);
    snprintf(out, size, "pkm-out/%.*s-view.html", stem.length, stem.text);
    return pkm_verb_make_folder("pkm-out", err);
}

/// Let the desktop open the page; false where it has no means to.
static bool open_page(char* path)
{
    static char* opener[] = {"xdg-open", "open"};
    extern char** environ;
    for (size_t i = 0; i < sizeof opener / sizeof opener[0]; ++i) {
        char* const argv[] = {opener[i], path, NULL};
        pid_t child;
        int state;
        // by its name, without a shell: paths may hold anything
        if (posix_spawnp(&child, opener[i], NULL, NULL, argv, environ) != 0) continue;
        // openers return at once; one that fails lets the next one try
        if (waitpid(child, &state, 0) == child && WIFEXITED(state) && WEXITSTATUS(state) == 0)
            return true;
    }
    return false;
}

static pkm_status tell(const pkm_verb_arguments* args, char* path, pkm_error* err)
{
    const bool opened = !pkm_verb_has(args, "--no-open") && open_page(path);
    pkm_result* result = pkm_verb_result(args);
    pkm_verb_wrote(args, NULL, path);
    pkm_result_text(result, "page", path);
    pkm_result_bool(result, "opened", opened);
    pkm_result_bool(result, "_told", opened || pkm_verb_has(args, "--no-open"));
    return pkm_verb_show(args, "page in {page}[{!_told}; open it in a browser]\n", err);
}

// ---- the verb ---------------------------------------------------------------------------------

static bool is_folder(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/// The report of the folder, made anew.
static pkm_status view_folder(const pkm_verb_arguments* args, char* path, size_t size,
                              pkm_error* err)
{
    const char* given = pkm_verb_get(args, "-o");
    const size_t length = strlen(args->model);
    if (args->n_set > 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--set: a report changes nothing of its run");
    if (pkm_verb_has(args, "--run"))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--run: the folder of a run or a study has its own");
    snprintf(path, size, "%s%sreport.html", args->model,
             length > 0 && args->model[length - 1] == '/' ? "" : "/");
    if (given) snprintf(path, size, "%s", given);
    return pkm_verb_report_write(args->model, true, path, err);
}

/// Is the run file one for this robot that can be simulated? Said here, not when the page runs it.
static pkm_status check_run(pkm_robot* robot, const char* file, pkm_error* err)
{
    pkm_run* run = NULL;
    if (!file) return PKM_OK;
    PKM_TRY(pkm_run_create_contacts(robot, &run, err));
    pkm_status status = pkm_run_read(run, file, err);
    if (status == PKM_OK) status = pkm_run_check(run, "simulate", err);
    pkm_run_free(run);
    return status;
}

static pkm_status view_model(const pkm_verb_arguments* args, char* path, size_t size,
                             pkm_error* err)
{
    pkm_robot* robot = NULL;
    PKM_TRY(pkm_robot_load(args->model, args->set, args->n_set, &robot, err));
    pkm_status status = check_run(robot, pkm_verb_get(args, "--run"), err);
    if (status == PKM_OK && pkm_verb_view_frame.size[0] == 0)
        status =
            pkm_fail(err, PKM_ERR_FILE,
                     "this program was built without the engine of the page, for which clang-16, "
                     "lld-16 and wasi-libc were missing (make setup installs them, make build "
                     "then builds it)");
    if (status == PKM_OK) status = choose_path(args, path, size, err);
    if (status == PKM_OK) status = write_page(args, pkm_robot_name(robot), path, err);
    pkm_robot_free(robot);
    return status;
}

static const char* text_of(const pkm_yaml* root, const char* key)
{
    const pkm_yaml* node = root->kind == PKM_YAML_MAP ? pkm_yaml_get(root, key) : NULL;
    return node && node->kind == PKM_YAML_TEXT ? node->text : NULL;
}

/// A study file stands for its robot: `model` [size] becomes that file. A run file has none.
static pkm_status find_model(const char* file, char* model, size_t size, pkm_error* err)
{
    char* text = NULL;
    size_t length = 0, folder;
    const pkm_yaml* root = NULL;
    pkm_status status = PKM_OK;
    snprintf(model, size, "%s", file);
    pkm_error unread; // what is wrong with the file is said when it is read as a model
    if (pkm_source_peek(file, MAX_FILE, &text, &length, &unread) != PKM_OK) return PKM_OK;
    pkm_arena* arena = pkm_arena_create();
    if (arena && pkm_yaml_parse(text, length, file, arena, &root, &unread) == PKM_OK) {
        const char* robot = text_of(root, "study") ? text_of(root, "robot") : NULL;
        base_name(file, &folder);
        // paths in a study are relative to its folder
        if (robot && robot[0] != '/')
            snprintf(model, size, "%.*s%s", (int)folder, file, robot);
        else if (robot)
            snprintf(model, size, "%s", robot);
        else if (text_of(root, "run"))
            status = pkm_fail(err, PKM_ERR_ARGUMENT,
                              "%s: a run file, expected a model, a study or a folder; "
                              "pkm view MODEL --run %s",
                              file, file);
    }
    pkm_arena_free(arena);
    pkm_free(text);
    return status;
}

static pkm_status run_view(const pkm_verb_arguments* args, pkm_error* err)
{
    char model[2100], path[1200];
    pkm_verb_arguments named = *args;
    if (strlen(args->model) >= 1000)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "the name of the model is too long");
    if (!is_folder(args->model)) {
        PKM_TRY(find_model(args->model, model, sizeof model, err));
        named.model = model;
    }
    PKM_TRY(is_folder(named.model) ? view_folder(&named, path, sizeof path, err)
                                   : view_model(&named, path, sizeof path, err));
    return tell(args, path, err);
}
