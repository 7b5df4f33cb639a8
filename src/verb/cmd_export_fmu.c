// pkm export fmu: one file for other simulation programs (export/fmu.h).
#include "verb/commands.h"

#include "base/error.h"
#include "run/takes.h"
#include "verb/fmu_library.h"
#include "verb/result_folder.h"

#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {"--run", "FILE",
     .text = "run file: drives, effects, how long (default: no motion, free drives)"},
    {"--kind", "KIND", .text = "cs (co-simulation, the default), me (model exchange) or both"},
    {"--fmi", "VERSION", .text = "2 (2.0, the default) or 3 (3.0)"},
    {"--sources", .text = "the engine as C source too, for platforms without a binary"},
    {"-o", "FILE", .text = "the FMU (default pkm-out/MODEL.fmu)"},
};

static pkm_status run_export(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_export_fmu = {
    .name = "export fmu",
    .operand = "MODEL",
    .text = "the robot as an FMU, for Simulink, OpenModelica and all that know FMI",
    .help = "Writes one file with the robot, its run and the engine inside. Inputs are forces of\n"
            "drives, references of controllers and the wrench on the tool; outputs the columns of\n"
            "pkm simulate; the numbers of the model are parameters. docs/guide/fmu.md tells more.",
    .example = "pkm export fmu robots/siax.yaml -o siax.fmu",
    .another = "pkm export fmu robots/gough-stewart.yaml --kind both --fmi 3 -o platform.fmu",
    VERB_OPTIONS(options),
    .run = run_export,
};

// ---- choices ----------------------------------------------------------------------------------

static pkm_status read_kind(const pkm_verb_arguments* args, pkm_fmu_spec* spec, pkm_error* err)
{
    const char* kind = pkm_verb_get(args, "--kind");
    const char* version = pkm_verb_get(args, "--fmi");
    const bool both = kind && strcmp(kind, "both") == 0;
    spec->steps = both || !kind || strcmp(kind, "cs") == 0;
    spec->exchange = both || (kind && strcmp(kind, "me") == 0);
    if (!spec->steps && !spec->exchange)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--kind: '%.40s', expected cs, me or both", kind);
    if (version && strcmp(version, "2") != 0 && strcmp(version, "3") != 0 &&
        strcmp(version, "2.0") != 0 && strcmp(version, "3.0") != 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--fmi: '%.40s', expected 2 or 3", version);
    spec->version = version && version[0] == '3' ? 3 : 2;
    return PKM_OK;
}

/// pkm-out/siax.fmu for robots/siax.yaml, unless -o says otherwise.
static pkm_status choose_path(const pkm_verb_arguments* args, char* out, size_t size,
                              pkm_error* err)
{
    const char* given = pkm_verb_get(args, "-o");
    const pkm_verb_stem stem = pkm_verb_stem_of(args->model);
    if (given)
        snprintf(out, size, "%s", given);
    else
        snprintf(out, size, "pkm-out/%.*s.fmu", stem.length, stem.text);
    return given ? PKM_OK : pkm_verb_make_folder("pkm-out", err);
}

/// Without a run file the drives wait for the forces of somebody else.
static pkm_status read_run(const pkm_verb_arguments* args, pkm_run* run, pkm_error* err)
{
    const char* file = pkm_verb_get(args, "--run");
    if (file) {
        PKM_TRY(pkm_run_read(run, file, err));
        return pkm_run_check_analysis(run, PKM_ANALYSIS_FMU, err);
    }
    PKM_TRY(pkm_run_choose(run, "motion", "none", err));
    return pkm_run_choose(run, "drives", "free", err);
}

// ---- the verb ---------------------------------------------------------------------------------

static void put_platforms(const pkm_fmu_spec* spec, pkm_result* out)
{
    pkm_result* list = pkm_result_list(out, "platforms");
    for (int i = 0; i < spec->n_library; ++i)
        pkm_result_text(list, NULL, spec->library[i].folder[spec->version - 2]);
}

static pkm_status tell(const pkm_verb_arguments* args, const pkm_fmu_spec* spec,
                       const pkm_fmu_report* report, pkm_error* err)
{
    static const char form[] =
        "{file}: FMI {version}, {kind}\n"
        "  {inputs:d} inputs, {outputs:d} outputs, {parameters:d} parameters[, {states:d} states"
        "{?states}]\n"
        "  binaries: {platforms:s/, }[, sources: {sources:d} files{?sources}]\n";
    pkm_result* r = pkm_verb_result(args);
    pkm_verb_wrote(args, NULL, spec->path);
    pkm_result_text(r, "file", spec->path);
    pkm_result_text(r, "model", report->name);
    pkm_result_text(r, "version", spec->version == 2 ? "2.0" : "3.0");
    pkm_result_text(r, "kind",
                    !spec->exchange ? "co-simulation"
                    : spec->steps   ? "co-simulation and model exchange"
                                    : "model exchange");
    put_platforms(spec, r);
    pkm_result_integer(r, "inputs", report->n_input);
    pkm_result_integer(r, "outputs", report->n_output);
    pkm_result_integer(r, "parameters", report->n_parameter);
    pkm_result_integer(r, "states", report->n_state);
    pkm_result_integer(r, "sources", report->n_source);
    pkm_result_integer(r, "description_bytes", (long long)report->seed);
    return pkm_verb_show(args, form, err);
}

static pkm_status export_fmu(const pkm_verb_arguments* args, pkm_robot* robot, pkm_fmu_spec* spec,
                             pkm_fmu_report* report, pkm_error* err)
{
    pkm_run* run = NULL;
    if (pkm_verb_n_fmu_library == 0)
        return pkm_fail(err, PKM_ERR_FILE, "this program was built without the library of FMUs");
    if (pkm_verb_has(args, "--sources") && pkm_verb_n_fmu_sources == 0)
        return pkm_fail(err, PKM_ERR_FILE,
                        "--sources: this program was built without the sources of SUNDIALS; "
                        "tools/sources.sh fetches them");
    pkm_status status = pkm_run_create_contacts(robot, &run, err);
    if (status == PKM_OK) status = read_run(args, run, err);
    spec->robot = robot;
    spec->run = run;
    spec->library = pkm_verb_fmu_library;
    spec->n_library = pkm_verb_n_fmu_library;
    spec->text = pkm_verb_fmu_licence;
    spec->n_text = pkm_verb_n_fmu_licence;
    spec->sources = pkm_verb_fmu_sources;
    spec->n_sources = pkm_verb_has(args, "--sources") ? pkm_verb_n_fmu_sources : 0;
    if (status == PKM_OK) status = pkm_fmu_write(spec, report, err);
    pkm_run_free(run);
    return status;
}

static pkm_status run_export(const pkm_verb_arguments* args, pkm_error* err)
{
    char path[1200];
    pkm_robot* robot = NULL;
    pkm_fmu_spec spec = {.path = path};
    pkm_fmu_report report;
    PKM_TRY(read_kind(args, &spec, err));
    PKM_TRY(choose_path(args, path, sizeof path, err));
    PKM_TRY(pkm_verb_load(args, &robot, err));
    PKM_TRY(export_fmu(args, robot, &spec, &report, err));
    return tell(args, &spec, &report, err);
}
