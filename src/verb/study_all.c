// All studies of a folder, one after the other, each into a folder of its own; one that fails does
// not keep the next from running.
#include "verb/study_all.h"

#include "base/error.h"
#include "verb/report_impl.h"
#include "write/csv.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STUDY = 256, PATH_SIZE = 1200 };

/// The studies of a folder, and what they come to.
typedef struct all {
    const pkm_verb_arguments* args;
    int n;
    char name[MAX_STUDY][256];
    pkm_stream* overview;
    pkm_result* studies; ///< of the answer
    int n_met, n_differ, n_chosen, n_quoted;
} all;

// ---- files ------------------------------------------------------------------------------------

static int compare(const void* a, const void* b)
{
    return strcmp(a, b);
}

static pkm_status list_files(all* a, pkm_error* err)
{
    DIR* folder = opendir(a->args->model);
    if (!folder) return pkm_fail(err, PKM_ERR_FILE, "%s: %s", a->args->model, strerror(errno));
    for (struct dirent* entry; (entry = readdir(folder)) && a->n < MAX_STUDY;) {
        const size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".yaml") != 0) continue;
        snprintf(a->name[a->n++], sizeof a->name[0], "%s", entry->d_name);
    }
    closedir(folder);
    // the order of a folder is that of the disk; results are to repeat
    qsort(a->name, (size_t)a->n, sizeof a->name[0], compare);
    if (a->n > 0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_FILE, "%s: there are no study files (*.yaml) in it",
                    a->args->model);
}

static const char* output_folder(const all* a)
{
    const char* given = pkm_verb_get(a->args, "-o");
    return given ? given : "pkm-out";
}

static pkm_status open_overview(all* a, pkm_error* err)
{
    char path[PATH_SIZE];
    PKM_TRY(pkm_verb_make_folder(output_folder(a), err));
    snprintf(path, sizeof path, "%s/overview.csv", output_folder(a));
    PKM_TRY(pkm_stream_open(path, &a->overview, err));
    pkm_stream_text(a->overview,
                    "study,robot,what,where,case,published,computed,unit,difference,agrees,note\n");
    return PKM_OK;
}

// ---- published numbers ------------------------------------------------------------------------

static void put_published(all* a, const pkm_verb_study_work* work, int i)
{
    static const char* const side[] = {"", "> ", "< "};
    const pkm_desc_published* p = &work->study->published[i].printed;
    const pkm_found_published* found = &work->findings->published[i];
    char name[600];
    pkm_study_case_name(work->study, work->study->published[i].case_id, name, sizeof name);
    pkm_csv_text(a->overview, work->study->name);
    pkm_stream_text(a->overview, ",");
    pkm_csv_text(a->overview, work->study->robot_name);
    pkm_stream_text(a->overview, ",");
    pkm_csv_text(a->overview, p->text);
    pkm_stream_text(a->overview, ",");
    pkm_csv_text(a->overview, p->where);
    pkm_stream_text(a->overview, ",");
    pkm_csv_text(a->overview, name);
    pkm_stream_format(a->overview, ",%s", side[p->bound]);
    pkm_stream_number(a->overview, p->value / p->unit_factor);
    pkm_stream_text(a->overview, ",");
    if (!isnan(found->ours)) pkm_stream_number(a->overview, found->ours / p->unit_factor);
    pkm_stream_text(a->overview, ",");
    pkm_csv_text(a->overview, p->unit);
    pkm_stream_text(a->overview, ",");
    if (!isnan(found->ours) && p->value != 0.0)
        pkm_stream_format(a->overview, "%+.3g %%",
                          100.0 * (found->ours - p->value) / fabs(p->value));
    pkm_stream_format(a->overview, ",%s,",
                      isnan(found->ours) ? ""
                      : p->chosen        ? "put in"
                      : found->agrees    ? "yes"
                                         : "no");
    pkm_csv_text(a->overview, p->note);
    pkm_stream_text(a->overview, "\n");
}

// ---- one study --------------------------------------------------------------------------------

static void tell(all* a, const pkm_verb_study_work* work, int met, int differ)
{
    pkm_verb_study_result(work, pkm_result_group(a->studies, NULL));
    pkm_verb_say(a->args, "  %-30s %5d %7d %10d %9d %8.3g s\n", work->study->name,
                 work->study->n_case, work->findings->n_failed, met, differ, work->wall_time);
}

static void collect(all* a, const pkm_verb_study_work* work)
{
    int met = 0, differ = 0;
    for (int i = 0; i < work->study->n_published; ++i) {
        const pkm_found_published* found = &work->findings->published[i];
        put_published(a, work, i);
        met += found->agrees;
        const bool chosen = work->study->published[i].printed.chosen && !isnan(found->ours);
        differ += !found->agrees && !chosen && !isnan(found->ours);
        a->n_chosen += chosen;
        a->n_quoted += isnan(found->ours);
    }
    a->n_met += met;
    a->n_differ += differ;
    tell(a, work, met, differ);
}

static pkm_status write_report(const all* a, const char* folder, pkm_error* err)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/report.html", folder);
    PKM_TRY(pkm_verb_report_write(folder, false, path, err));
    pkm_verb_wrote(a->args, NULL, path);
    return PKM_OK;
}

static pkm_status run_one(all* a, pkm_verb_study_work* work, pkm_error* err)
{
    PKM_TRY(pkm_verb_study_do(work, err));
    if (work->report.interrupted) return pkm_verb_study_tell_interrupted(work, err);
    if (work->is_helper) return PKM_OK;
    collect(a, work);
    return pkm_verb_study_status(work, err);
}

// ---- all --------------------------------------------------------------------------------------

static void say_head(const all* a)
{
    pkm_verb_say(a->args, "%d studies of %.900s\n\n", a->n, a->args->model);
    pkm_verb_say(a->args, "  %-30s %5s %7s %10s %9s %10s\n", "study", "cases", "failed", "agree",
                 "differ", "time");
}

static void say_end(const all* a)
{
    pkm_verb_say(
        a->args,
        "\n%d published numbers agree, %d differ (reasons in overview.csv), %d were put in, "
        "%d are only quoted\n",
        a->n_met, a->n_differ, a->n_chosen, a->n_quoted);
    pkm_verb_say(a->args, "results in %.400s, overview in %.400s/report.html\n", output_folder(a),
                 output_folder(a));
}

/// The worse of two ends, by their exit codes.
static pkm_status worse(pkm_status a, pkm_status b)
{
    return pkm_status_exit_code(b) > pkm_status_exit_code(a) ? b : a;
}

/// What is wrong with a study is said at once, and the others are run.
static pkm_status run_list(all* a, pkm_error* err)
{
    pkm_status worst = PKM_OK;
    pkm_verb_study_work* work = pkm_verb_work(a->args, sizeof *work, err);
    if (!work) return PKM_ERR_MEMORY;
    for (int i = 0; i < a->n && !pkm_verb_stopped(a->args); ++i) {
        char path[PATH_SIZE];
        pkm_error why = {0};
        snprintf(path, sizeof path, "%.900s/%s", a->args->model, a->name[i]);
        // one room for all: a study holds megabytes
        *work = (pkm_verb_study_work){.args = a->args, .path = path};
        pkm_status status = run_one(a, work, &why);
        if (status != PKM_OK) pkm_verb_note(a->args, &why);
        // asked before the end frees them
        const bool has_results = work->findings != NULL;
        pkm_verb_study_end(work);
        worst = worse(worst, status);
        status = has_results ? write_report(a, work->folder, &why) : PKM_OK;
        if (status != PKM_OK) pkm_verb_note(a->args, &why);
        worst = worse(worst, status);
    }
    return worst;
}

static pkm_status finish(all* a, pkm_error* err)
{
    char path[PATH_SIZE];
    if (pkm_verb_stopped(a->args)) {
        pkm_stream_discard(a->overview);
        return PKM_ERR_INTERRUPTED;
    }
    PKM_TRY(pkm_stream_close(a->overview, err));
    snprintf(path, sizeof path, "%s/overview.csv", output_folder(a));
    pkm_verb_wrote(a->args, NULL, path);
    PKM_TRY(write_report(a, output_folder(a), err));
    say_end(a);
    return PKM_OK;
}

pkm_status pkm_verb_study_run_all(const pkm_verb_arguments* args, pkm_error* err)
{
    all* a = pkm_verb_work(args, sizeof *a, err);
    if (!a) return PKM_ERR_MEMORY;
    a->args = args;
    PKM_TRY(list_files(a, err));
    // under MPI every process goes through the list, one of them writes
    if (pkm_verb_study_is_helper()) return run_list(a, err);
    PKM_TRY(open_overview(a, err));
    a->studies = pkm_result_list(pkm_verb_result(args), "studies");
    say_head(a);
    pkm_status status = run_list(a, err);
    status = worse(status, finish(a, err));
    const pkm_status shown = pkm_verb_show(args, NULL, err);
    return status == PKM_OK ? shown : status;
}
