#include "base/error.h"
#include "verb/progress.h"
#include "verb/study_all.h"

#include <stdio.h>

static const cli_option options[] = {
    {"-j", "N", .text = "processes that run cases at the same time; one per core when not given"},
    {"--resume", NULL,
     .text = "continue where an interrupted study was; starts it when there is nothing yet"},
    {"--fresh", NULL,
     .text = "begin anew, in place of the results in the folder: those of this study or of "
             "another one, never a file that is not pkm's"},
    {"--accept-build", NULL,
     .text = "with `--resume`: go on although another build of pkm began; which build ran "
             "which case is kept in the table `case_builds`"},
    {"--all", NULL,
     .text = "STUDY is a folder: run every study (`*.yaml`) in it, each into a folder of its "
             "own below `-o DIR`, and write `overview.csv` and the page `report.html` with all "
             "published numbers beside ours, and the report of each study"},
    {"-o", "DIR", .text = "folder for the results; `pkm-out/STUDY` when not given"},
};

static int run_study(const cli_verb* verb, int argc, char** argv);

const cli_verb cli_study = {
    .name = "study",
    .operand = "STUDY",
    .text = "many cases compared: effects one by one and together, sweeps of parameters",
    .help = "Runs every case of the design in a study file and says how the results differ: main\n"
            "effects, interactions, coupled deviations against the sum of single ones, response\n"
            "curves. Each finished case is kept in study.sqlite at once. Also runs under mpirun.",
    .example = "pkm study studies/siax-scenarios.yaml",
    .another = "pkm study studies/000-1-triglide.yaml -o triglide -j 2",
    .option = options,
    .n_option = sizeof options / sizeof options[0],
    .run = run_study,
};

int cli_study_tell_interrupted(const cli_study_work* work)
{
    const pkm_scheduler_report* r = &work->report;
    fprintf(stderr, "pkm: interrupted: %d of %d cases are finished; --resume continues\n",
            r->n_before + r->n_done + r->n_failed, work->study->n_case);
    return pkm_interrupt_code();
}

int cli_study_code(const cli_study_work* work)
{
    const int n = work->findings->n_failed;
    if (n == 0) return 0;
    fprintf(stderr, "pkm: %d of %d cases of %s failed\n", n, work->study->n_case,
            work->study->name);
    return pkm_status_exit_code(PKM_ERR_CASES);
}

static int tell(const cli_study_work* work)
{
    int code = 0;
    if (cli_has(work->args, "--json"))
        code = cli_study_print_json(work);
    else
        cli_study_print(work);
    return code ? code : cli_study_code(work);
}

static int run_study(const cli_verb* verb, int argc, char** argv)
{
    cli_arguments args;
    pkm_error err = {0};
    pkm_status status = cli_parse(verb, argc, argv, &args, &err);
    if (status != PKM_OK) return cli_fail(&err);
    if (args.help) {
        cli_print_help(verb);
        return 0;
    }
    if (cli_has(&args, "--all")) return cli_study_run_all(&args);
    cli_study_work work = {.args = &args, .path = args.model};
    int code = 0;
    status = cli_study_do(&work, &err);
    if (status != PKM_OK)
        code = cli_fail(&err);
    else if (work.is_helper)
        code = 0;
    else if (work.report.interrupted)
        code = cli_study_tell_interrupted(&work);
    else
        code = tell(&work);
    cli_study_end(&work);
    return code;
}
