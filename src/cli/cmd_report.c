#include "cli/commands.h"

#include "base/error.h"
#include "cli/report_parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const cli_option options[] = {
    {"-o", "FILE", "the page (default report.html in the folder)"},
};

static int run_report(const cli_verb* verb, int argc, char** argv);

const cli_verb cli_report = {
    .name = "report",
    .operand = "FOLDER",
    .text = "one page to send: animation, plots, tables of a run",
    .help =
        "Reads the folder that pkm simulate or pkm inverse has written and makes one HTML file\n"
        "of it, which needs no other file and no network.",
    .example = "pkm report pkm-out/siax-paper-simulate",
    .option = options,
    .n_option = sizeof options / sizeof options[0],
    .run = run_report,
};

static bool is_file(const char* folder, const char* name)
{
    char path[1100];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static pkm_status check_folder(const char* folder, pkm_error* err)
{
    struct stat info;
    if (strlen(folder) >= 1000)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "the name of the folder is too long");
    if (stat(folder, &info) != 0)
        return pkm_fail(err, PKM_ERR_FILE, "%s: there is no such folder", folder);
    if (!S_ISDIR(info.st_mode))
        return pkm_fail(err, PKM_ERR_FILE, "%s: expected the folder of a run", folder);
    if (!is_file(folder, "manifest.json"))
        return pkm_fail(err, PKM_ERR_FILE,
                        "%s: has no manifest.json, expected the folder of a run (pkm simulate, pkm "
                        "inverse)",
                        folder);
    return PKM_OK;
}

static pkm_status write_report(const char* folder, const char* path, pkm_error* err)
{
    PKM_TRY(check_folder(folder, err));
    pkm_stream* stream;
    PKM_TRY(pkm_stream_open(path, &stream, err));
    const pkm_status status = cli_report_run(folder, stream, err);
    if (status == PKM_OK) return pkm_stream_close(stream, err);
    pkm_stream_discard(stream);
    return status;
}

static int tell(const cli_arguments* args, const char* path)
{
    if (!cli_has(args, "--json")) {
        printf("report in %s\n", path);
        return 0;
    }
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    pkm_json_put_string(&out.json, "folder", args->model);
    pkm_json_put_string(&out.json, "report", path);
    return cli_json_end(&out);
}

static int run_report(const cli_verb* verb, int argc, char** argv)
{
    cli_arguments args;
    pkm_error err = {0};
    char path[1100];
    pkm_status status = cli_parse(verb, argc, argv, &args, &err);
    if (status == PKM_OK && args.help) {
        cli_print_help(verb);
        return 0;
    }
    if (status == PKM_OK && args.n_set > 0)
        status = pkm_fail(&err, PKM_ERR_ARGUMENT, "--set: a report changes nothing of its run");
    if (status != PKM_OK) return cli_fail(&err);
    const char* given = cli_get(&args, "-o");
    const size_t length = strlen(args.model);
    const char* slash = length > 0 && args.model[length - 1] == '/' ? "" : "/";
    snprintf(path, sizeof path, "%s%sreport.html", args.model, slash);
    if (given) snprintf(path, sizeof path, "%s", given);
    if (write_report(args.model, path, &err) != PKM_OK) return cli_fail(&err);
    return tell(&args, path);
}
