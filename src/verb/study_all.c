#include "verb/study_all.h"

#include "base/error.h"
#include "base/memory.h"
#include "verb/progress.h"
#include "verb/report_impl.h"
#include "verb/run_folder.h"
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
    const cli_arguments* args;
    int n;
    char name[MAX_STUDY][256];
    pkm_stream* overview;
    cli_json* json; ///< NULL: for people
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
    qsort(a->name, (size_t)a->n, sizeof a->name[0], compare);
    if (a->n > 0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_FILE, "%s: there are no study files (*.yaml) in it",
                    a->args->model);
}

static const char* output_folder(const all* a)
{
    const char* given = cli_get(a->args, "-o");
    return given ? given : "pkm-out";
}

static pkm_status open_overview(all* a, pkm_error* err)
{
    char path[PATH_SIZE];
    PKM_TRY(cli_make_folder(output_folder(a), err));
    snprintf(path, sizeof path, "%s/overview.csv", output_folder(a));
    PKM_TRY(pkm_stream_open(path, &a->overview, err));
    pkm_stream_text(a->overview,
                    "study,robot,what,case,published,computed,unit,difference,agrees,note\n");
    return PKM_OK;
}

// ---- published numbers ------------------------------------------------------------------------

static void put_published(all* a, const cli_study_work* work, int i)
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

static void tell(all* a, const cli_study_work* work, int met, int differ)
{
    if (a->json) {
        pkm_json_object_begin(&a->json->json);
        cli_study_put_json(work, &a->json->json);
        pkm_json_object_end(&a->json->json);
        return;
    }
    printf("  %-30s %5d %7d %10d %9d %8.3g s\n", work->study->name, work->study->n_case,
           work->findings->n_failed, met, differ, work->wall_time);
    fflush(stdout);
}

static void collect(all* a, const cli_study_work* work)
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

static int write_report(const char* folder)
{
    char path[PATH_SIZE];
    pkm_error err = {0};
    snprintf(path, sizeof path, "%s/report.html", folder);
    return cli_report_write(folder, false, path, &err) == PKM_OK ? 0 : cli_fail(&err);
}

static int run_one(all* a, int i)
{
    static cli_study_work work; // its list of files is large
    char path[PATH_SIZE];
    bool has_results = false;
    pkm_error err = {0};
    int code = 0;
    snprintf(path, sizeof path, "%.900s/%s", a->args->model, a->name[i]);
    work = (cli_study_work){.args = a->args, .path = path};
    if (cli_study_do(&work, &err) != PKM_OK)
        code = cli_fail(&err);
    else if (work.report.interrupted)
        code = cli_study_tell_interrupted(&work);
    else if (!work.is_helper)
        collect(a, &work), has_results = true, code = cli_study_code(&work);
    cli_study_end(&work);
    const int written = has_results ? write_report(work.folder) : 0;
    return written ? written : code;
}

// ---- all --------------------------------------------------------------------------------------

static void print_head(const all* a)
{
    printf("%d studies of %s\n\n", a->n, a->args->model);
    printf("  %-30s %5s %7s %10s %9s %10s\n", "study", "cases", "failed", "agree", "differ",
           "time");
}

static void print_end(const all* a)
{
    printf("\n%d published numbers agree, %d differ (reasons in overview.csv), %d were put in, "
           "%d are only quoted\n",
           a->n_met, a->n_differ, a->n_chosen, a->n_quoted);
    printf("results in %s, overview in %s/report.html\n", output_folder(a), output_folder(a));
}

static int run_list(all* a)
{
    int worst = 0;
    for (int i = 0; i < a->n && !pkm_interrupted(); ++i) {
        const int code = run_one(a, i);
        if (code > worst) worst = code;
    }
    return worst;
}

static int finish(all* a, int code)
{
    pkm_error err = {0};
    if (pkm_interrupted()) {
        pkm_stream_discard(a->overview);
        return pkm_interrupt_code();
    }
    if (pkm_stream_close(a->overview, &err) != PKM_OK) return cli_fail(&err);
    const int written = write_report(output_folder(a));
    if (written > code) code = written;
    if (!a->json) print_end(a);
    return code;
}

int cli_study_run_all(const cli_arguments* args)
{
    static all a;
    cli_json json;
    pkm_error err = {0};
    a = (all){.args = args};
    if (list_files(&a, &err) != PKM_OK) return cli_fail(&err);
    if (cli_study_is_helper()) return run_list(&a);
    if (open_overview(&a, &err) != PKM_OK) return cli_fail(&err);
    const bool is_json = cli_has(args, "--json");
    if (is_json) {
        if (!cli_json_begin(&json)) return 1;
        a.json = &json;
        pkm_json_key(&json.json, "studies");
        pkm_json_array_begin(&json.json);
    } else {
        print_head(&a);
    }
    const int code = finish(&a, run_list(&a));
    if (!is_json) return code;
    pkm_json_array_end(&json.json);
    const int end = cli_json_end(&json);
    return code ? code : end;
}
