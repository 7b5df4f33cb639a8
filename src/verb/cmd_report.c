// pkm report: the folder says what it holds (a study, a run, several studies), and the page is
// written for that.
#include "verb/commands.h"

#include "base/error.h"
#include "verb/report_impl.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const pkm_verb_option options[] = {
    {"--no-grasp", NULL,
     .text = "without model and engine, by which the robot can be led by hand: 0.8 MB "
             "less"},
    {"-o", "FILE", .text = "where; `report.html` in the folder when not given"},
};

static pkm_status run_report(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_report = {
    .name = "report",
    .operand = "FOLDER",
    .text = "one page to send: animation, plots, tables of a run or a study",
    .help =
        "Reads the folder that pkm simulate, pkm inverse, pkm study or another verb has written\n"
        "and makes one HTML file of it, which needs no other file and no network. Of a folder of\n"
        "studies it makes an overview: published numbers beside ours.",
    .example = "pkm report pkm-out/siax-paper-simulate",
    .another = "pkm report pkm-out/siax-scenarios -o siax.html",
    VERB_OPTIONS(options),
    .run = run_report,
};

typedef pkm_status (*writer)(const char* folder, bool grasp, pkm_stream* stream, pkm_error* err);

/// What the folder holds: a study, a run, or folders of studies.
static pkm_status choose_writer(const char* folder, writer* out, pkm_error* err)
{
    struct stat info;
    if (strlen(folder) >= 1000)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "the name of the folder is too long");
    if (stat(folder, &info) != 0)
        return pkm_fail(err, PKM_ERR_FILE, "%s: there is no such folder", folder);
    if (!S_ISDIR(info.st_mode))
        return pkm_fail(err, PKM_ERR_FILE, "%s: expected the folder of a run or a study", folder);
    char name[VERB_REPORT_MAX_FOLDER][256];
    *out = pkm_verb_report_has(folder, "study.sqlite")    ? pkm_verb_report_study
           : pkm_verb_report_has(folder, "manifest.json") ? pkm_verb_report_run
           : pkm_verb_report_studies(folder, name) > 0    ? pkm_verb_report_overview
                                                          : NULL;
    if (*out) return PKM_OK;
    return pkm_fail(err, PKM_ERR_FILE,
                    "%s: has no manifest.json and no study.sqlite, expected the folder of a run "
                    "(pkm simulate, pkm inverse) or of a study (pkm study)",
                    folder);
}

pkm_status pkm_verb_report_write(const char* folder, bool grasp, const char* path, pkm_error* err)
{
    writer write = NULL;
    pkm_stream* stream;
    PKM_TRY(choose_writer(folder, &write, err));
    PKM_TRY(pkm_stream_open(path, &stream, err));
    const pkm_status status = write(folder, grasp, stream, err);
    if (status == PKM_OK) return pkm_stream_close(stream, err);
    pkm_stream_discard(stream);
    return status;
}

static pkm_status run_report(const pkm_verb_arguments* args, pkm_error* err)
{
    char path[1100];
    const char* given = pkm_verb_get(args, "-o");
    const size_t length = strlen(args->model);
    const char* slash = length > 0 && args->model[length - 1] == '/' ? "" : "/";
    if (args->n_set > 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--set: a report changes nothing of its run");
    snprintf(path, sizeof path, "%s%sreport.html", args->model, slash);
    if (given) snprintf(path, sizeof path, "%s", given);
    PKM_TRY(pkm_verb_report_write(args->model, !pkm_verb_has(args, "--no-grasp"), path, err));
    pkm_verb_wrote(args, NULL, path);
    pkm_result_text(pkm_verb_result(args), "folder", args->model);
    pkm_result_text(pkm_verb_result(args), "report", path);
    return pkm_verb_show(args, "report in {report}\n", err);
}
