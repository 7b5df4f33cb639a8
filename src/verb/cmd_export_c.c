// pkm export c: files of C for controllers (generate/code.h), and the sizes they state: operations,
// bytes, what they were tested against.
#include "base/error.h"
#include "generate/code.h"
#include "model/nearest.h"
#include "verb/commands.h"
#include "verb/result_folder.h"

#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {"--what", "LIST", .text = "of ik, fk, jacobian, inverse, forward (all)"},
    {"--general", .text = "from the mechanism, also where the robot has a closed form"},
    {"--passes", "N", .text = "of Newton's method, at most (8)"},
    {"--latex", .text = "ROBOT.tex too: the derivation, for papers"},
    {"--sfunction", .text = "ROBOT_torque.c, ROBOT_plant.c too: blocks for Simulink"},
    {"-o", "DIR", .text = "folder for the files (pkm-out/ROBOT-c)"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_export_c = {
    .name = "export c",
    .operand = "MODEL",
    .text = "kinematics and dynamics as C99 source for controllers",
    .help =
        "Straight-line code: no allocation, no recursion, no calls beyond libm, a stated bound\n"
        "on operations. It is the closed form where the robot has one, in the branch of home;\n"
        "else it is made from the mechanism, and loops are closed by Newton's method from the\n"
        "last call. Beside ROBOT.h and ROBOT.c a test with results of the engine.",
    .example = "pkm export c robots/siax.yaml",
    .another = "pkm export c robots/gough-stewart.yaml --what ik,inverse -o platform",
    VERB_OPTIONS(options),
    .writes = true,
    .run = run,
};

static const struct {
    const char* name;
    unsigned bit;
} functions[] = {{"ik", PKM_CODE_IK},
                 {"fk", PKM_CODE_FK},
                 {"jacobian", PKM_CODE_JACOBIAN},
                 {"inverse", PKM_CODE_INVERSE},
                 {"forward", PKM_CODE_FORWARD}};
enum { N_FUNCTION = sizeof functions / sizeof functions[0] };

static pkm_status read_one(const char* name, unsigned* what, pkm_error* err)
{
    pkm_nearest near = pkm_nearest_make(name);
    for (int k = 0; k < N_FUNCTION; ++k) {
        pkm_nearest_offer(&near, functions[k].name);
        if (strcmp(functions[k].name, name) != 0) continue;
        *what |= functions[k].bit;
        return PKM_OK;
    }
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "--what: '%s'%s, expected ik, fk, jacobian, inverse or forward", name,
                    pkm_nearest_hint(&near).text);
}

static pkm_status read_what(const char* text, unsigned* what, pkm_error* err)
{
    // without --what all functions are written
    *what = text ? 0 : PKM_CODE_ALL;
    while (text) {
        char name[32];
        const size_t n = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, text);
        PKM_TRY(read_one(name, what, err));
        text = text[n] ? text + n + 1 : NULL;
    }
    return PKM_OK;
}

static pkm_status read_settings(const pkm_verb_arguments* args, pkm_code_settings* out,
                                pkm_error* err)
{
    const char* passes = pkm_verb_get(args, "--passes");
    *out = (pkm_code_settings){.passes = 8,
                               .general = pkm_verb_has(args, "--general"),
                               .latex = pkm_verb_has(args, "--latex"),
                               .sfunction = pkm_verb_has(args, "--sfunction")};
    PKM_TRY(read_what(pkm_verb_get(args, "--what"), &out->what, err));
    if (passes) PKM_TRY(pkm_verb_integer(passes, 1, "--passes", &out->passes, err));
    // Newton's method doubles the digits in each: what has not arrived then will not
    if (out->passes > 100)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--passes: %d, expected at most 100", out->passes);
    return PKM_OK;
}

static const char text[] =
    "{name}: {folder}/{files:s/, }\n"
    "{form}\n\n"
    "  operations of a call at most      sums  products  quotients  roots  trigonometric\n"
    "{*functions}  {function:-30s} {sums:8d} {products:9d} {quotients:10d} {roots:6d} "
    "{trigonometric:9d}\n{/}"
    "\nThe test has {vectors:d} instants of the engine:\n"
    "  cc -std=c99 -O2 {folder}/{prefix}.c {folder}/{prefix}_test.c -lm -o {folder}/test && "
    "{folder}/test\n";

static void put_function(pkm_result* list, const pkm_code_cost* c, int passes)
{
    pkm_result* item = pkm_result_group(list, NULL);
    // the worst call takes all passes: a controller needs its bound, not its mean
    const int n = c->iterates ? passes : 0;
    pkm_result_text(item, "function", c->function);
    pkm_result_integer(item, "sums", c->once.add + n * c->pass.add);
    pkm_result_integer(item, "products", c->once.multiply + n * c->pass.multiply);
    pkm_result_integer(item, "quotients", c->once.divide + n * c->pass.divide);
    pkm_result_integer(item, "roots", c->once.root + n * c->pass.root);
    pkm_result_integer(item, "trigonometric", c->once.trigonometric + n * c->pass.trigonometric);
}

/// The files that were written.
static void put_files(pkm_result* result, const pkm_code_settings* settings, const char* prefix)
{
    const struct {
        const char* end;
        bool is_there;
    } file[] = {{".h", true},
                {".c", true},
                {"_test.c", true},
                {".tex", settings->latex},
                {"_torque.c", settings->sfunction && (settings->what & PKM_CODE_INVERSE)},
                {"_plant.c", settings->sfunction && (settings->what & PKM_CODE_FORWARD)}};
    pkm_result* list = pkm_result_list(result, "files");
    for (size_t k = 0; k < sizeof file / sizeof file[0]; ++k) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", prefix, file[k].end);
        if (file[k].is_there) pkm_result_text(list, NULL, name);
    }
}

static pkm_status show(const pkm_verb_arguments* args, const pkm_robot* robot, const char* folder,
                       const pkm_code_settings* settings, const pkm_code_report* report,
                       pkm_error* err)
{
    pkm_result* result = pkm_verb_result(args);
    pkm_result_text(result, "name", pkm_robot_name(robot));
    pkm_result_text(result, "folder", folder);
    pkm_result_text(result, "prefix", report->prefix);
    char form[80];
    snprintf(form, sizeof form, report->family ? "closed form %s" : "from the mechanism",
             report->family);
    pkm_result_text(result, "form", form);
    put_files(result, settings, report->prefix);
    pkm_result_integer(result, "passes", settings->passes);
    pkm_result_integer(result, "vectors", report->n_vector);
    pkm_result* list = pkm_result_list(result, "functions");
    for (int k = 0; k < report->n_function; ++k)
        put_function(list, &report->function[k], report->passes);
    const pkm_result* file = pkm_result_first(pkm_result_find(result, "files"));
    for (; file; file = pkm_result_next(file))
        pkm_verb_wrote(args, folder, pkm_result_get_text(file));
    return pkm_verb_show(args, text, err);
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    pkm_robot* robot;
    pkm_code* code;
    pkm_code_settings settings;
    pkm_code_report report;
    char folder[4096];
    PKM_TRY(pkm_verb_begin(args, &robot, err));
    const char* given = pkm_verb_get(args, "-o");
    snprintf(folder, sizeof folder, given ? "%s" : "pkm-out/%s-c",
             given ? given : pkm_robot_name(robot));
    PKM_TRY(read_settings(args, &settings, err));
    PKM_TRY(pkm_code_create(robot, &settings, &code, err));
    pkm_status status = pkm_verb_make_folder(folder, err);
    if (status == PKM_OK) status = pkm_code_write(code, folder, &report, err);
    pkm_code_free(code);
    if (status != PKM_OK) return status;
    return show(args, robot, folder, &settings, &report, err);
}
