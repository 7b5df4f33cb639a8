// pkm study: cases of a design, each finished one committed at once; what is done is never computed
// again unless it is wanted.
#include "base/error.h"
#include "verb/study_all.h"

static const pkm_verb_option options[] = {
    {"-j", "N", .text = "processes that run cases at the same time; one per core when not given"},
    {"--resume", NULL,
     .text = "continue where an interrupted study was; starts it when there is nothing yet"},
    {"--fresh", NULL,
     .text = "compute every case anew, in place of the results in the folder: those of this study "
             "or of another one, never a file that is not pkm's"},
    {"--accept-build", NULL,
     .text = "with `--resume`: go on although another build of pkm began; which build ran "
             "which case is kept in the table `case_builds`"},
    {"--all", NULL,
     .text = "STUDY is a folder: run every study (`*.yaml`) in it, each into a folder of its "
             "own below `-o DIR`, and write `overview.csv` and the page `report.html` with all "
             "published numbers beside ours, and the report of each study"},
    {"-o", "DIR", .text = "folder for the results; `pkm-out/STUDY` when not given"},
};

static pkm_status run_study(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_study = {
    .name = "study",
    .operand = "STUDY",
    .text = "many cases compared: effects one by one and together, sweeps of parameters",
    .help = "Runs every case of the design in a study file and says how the results differ: main\n"
            "effects, interactions, coupled deviations against the sum of single ones, response\n"
            "curves. Each finished case is kept in study.sqlite at once. Also runs under mpirun.",
    .example = "pkm study studies/siax-scenarios.yaml",
    .another = "pkm study studies/000-1-triglide.yaml -o triglide -j 2",
    VERB_OPTIONS(options),
    .run = run_study,
};

pkm_status pkm_verb_study_tell_interrupted(const pkm_verb_study_work* work, pkm_error* err)
{
    const pkm_scheduler_report* r = &work->report;
    return pkm_fail(err, PKM_ERR_INTERRUPTED,
                    "interrupted: %d of %d cases are finished; --resume continues",
                    r->n_before + r->n_done + r->n_failed, work->study->n_case);
}

pkm_status pkm_verb_study_status(const pkm_verb_study_work* work, pkm_error* err)
{
    const int n = work->findings->n_failed;
    if (n == 0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_CASES, "%d of %d cases of %s failed", n, work->study->n_case,
                    work->study->name);
}

static pkm_status tell(const pkm_verb_study_work* work, pkm_error* err)
{
    if (work->is_helper) return PKM_OK;
    if (work->report.interrupted) return pkm_verb_study_tell_interrupted(work, err);
    pkm_verb_study_result(work, pkm_verb_result(work->args));
    PKM_TRY(pkm_verb_show(work->args, pkm_verb_study_text, err));
    return pkm_verb_study_status(work, err);
}

/// To go on and to begin anew are not the same wish, and builds are mixed only by going on.
static pkm_status check_wish(const pkm_verb_arguments* args, pkm_error* err)
{
    const bool resumes = pkm_verb_has(args, "--resume");
    if (resumes && pkm_verb_has(args, "--fresh"))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--resume and --fresh: expected one of them");
    if (!resumes && pkm_verb_has(args, "--accept-build"))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--accept-build: expected --resume beside it");
    return PKM_OK;
}

static pkm_status run_study(const pkm_verb_arguments* args, pkm_error* err)
{
    PKM_TRY(check_wish(args, err));
    if (pkm_verb_has(args, "--all")) return pkm_verb_study_run_all(args, err);
    pkm_verb_study_work* work = pkm_verb_work(args, sizeof *work, err);
    if (!work) return PKM_ERR_MEMORY;
    work->args = args;
    work->path = args->model;
    pkm_status status = pkm_verb_study_do(work, err);
    if (status == PKM_OK) status = tell(work, err);
    pkm_verb_study_end(work);
    return status;
}
