// Findings of a study as CSV files, for those who go on with other programs.
#include "verb/study_work.h"

#include "base/error.h"
#include "verb/study_plots.h"
#include "write/csv.h"
#include "write/manifest.h"
#include "write/stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 600, PATH_SIZE = 1200, BUILDS_SIZE = 400 };

// ---- comma-separated values -------------------------------------------------------------------

/// What is not a number is left empty.
static void put_number(pkm_stream* out, double value)
{
    pkm_stream_text(out, ",");
    if (!isnan(value)) pkm_stream_number(out, value);
}

static void put_unit(pkm_stream* out, const pkm_study_output* output, const char* what)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", output->name, what);
    pkm_stream_text(out, ",");
    pkm_csv_heading(out, name, output->unit);
}

static void put_verdict_head(pkm_stream* out, const pkm_study_output* output)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s verdict", output->name);
    pkm_stream_text(out, ",");
    pkm_csv_text(out, name);
}

/// Name and unit of an output, and the comma behind them.
static void put_output(pkm_stream* out, const pkm_study_output* output)
{
    pkm_csv_text(out, output->name);
    pkm_stream_text(out, ",");
    pkm_csv_text(out, output->unit);
    pkm_stream_text(out, ",");
}

static pkm_status open_csv(pkm_verb_study_work* work, const char* file, pkm_stream** out,
                           pkm_error* err)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", work->folder, file);
    PKM_TRY(pkm_stream_open(path, out, err));
    snprintf(work->file[work->n_file++], sizeof work->file[0], "%s", file);
    return PKM_OK;
}

static void put_case_head(pkm_stream* out, const pkm_study* s)
{
    pkm_stream_text(out, "case,name");
    for (int f = 0; f < s->n_factor; ++f) {
        pkm_stream_text(out, ",");
        pkm_csv_heading(out, s->factor[f].name, s->factor[f].unit);
    }
    pkm_stream_text(out, ",done");
    for (int k = 0; k < s->n_output; ++k) {
        put_unit(out, &s->output[k], "");
        if (!s->verify) continue;
        put_unit(out, &s->output[k], " error bar");
        put_verdict_head(out, &s->output[k]);
        put_unit(out, &s->output[k], " low");
        put_unit(out, &s->output[k], " high");
    }
    pkm_stream_text(out, "\n");
}

static void put_case(pkm_stream* out, const pkm_verb_study_work* work, int id)
{
    const pkm_study* s = work->study;
    char name[NAME_SIZE];
    int level[PKM_MAX_FACTOR];
    pkm_study_case_name(s, id, name, sizeof name);
    pkm_study_levels(s, id, level);
    pkm_stream_format(out, "%d,", id);
    pkm_csv_text(out, name);
    for (int f = 0; f < s->n_factor; ++f) {
        const pkm_study_level* l = &s->factor[f].level[level[f]];
        // levels of sweeps and of parameters are numbers; others have a name only
        if (!isnan(l->value)) {
            put_number(out, l->value);
            continue;
        }
        pkm_stream_text(out, ",");
        pkm_csv_text(out, l->name);
    }
    pkm_stream_format(out, ",%d", work->findings->is_done[id]);
    for (int k = 0; k < s->n_output; ++k) {
        const pkm_case_value* v = pkm_findings_value(work->findings, k, id);
        const char* verdict = pkm_verdict_name(v->verdict);
        put_number(out, v->value);
        if (!s->verify) continue;
        put_number(out, v->spread.error_bar);
        pkm_stream_format(out, ",%s", verdict ? verdict : "");
        put_number(out, v->spread.low);
        put_number(out, v->spread.high);
    }
    pkm_stream_text(out, "\n");
}

static pkm_status write_cases(pkm_verb_study_work* work, pkm_error* err)
{
    pkm_stream* out;
    PKM_TRY(open_csv(work, "cases.csv", &out, err));
    put_case_head(out, work->study);
    for (int id = 0; id < work->study->n_case; ++id)
        put_case(out, work, id);
    return pkm_stream_close(out, err);
}

static pkm_status write_effects(pkm_verb_study_work* work, pkm_error* err)
{
    pkm_stream* out;
    PKM_TRY(open_csv(work, "effects.csv", &out, err));
    pkm_stream_text(out, "output,unit,term,levels,value,average,error_bar,share,verdict\n");
    for (int i = 0; i < work->findings->n_effect; ++i) {
        const pkm_effect* e = &work->findings->effect[i];
        char factors[NAME_SIZE], levels[NAME_SIZE];
        pkm_effect_names(work->study, &e->term, factors, levels, NAME_SIZE);
        put_output(out, &work->study->output[e->output]);
        pkm_csv_text(out, factors);
        pkm_stream_text(out, ",");
        pkm_csv_text(out, levels);
        put_number(out, e->value);
        put_number(out, e->average);
        put_number(out, work->study->verify ? e->error_bar : NAN);
        put_number(out, e->share);
        pkm_stream_format(out, ",%s\n", pkm_claim_name(e->claim));
    }
    return pkm_stream_close(out, err);
}

static pkm_status write_couplings(pkm_verb_study_work* work, pkm_error* err)
{
    pkm_stream* out;
    PKM_TRY(open_csv(work, "couplings.csv", &out, err));
    pkm_stream_text(out,
                    "output,unit,case,coupled,sum,sum_of_peaks,rest,rest_share,ratio,verdict\n");
    for (int i = 0; i < work->findings->n_coupling; ++i) {
        const pkm_coupling* c = &work->findings->coupling[i];
        char name[NAME_SIZE];
        pkm_study_case_name(work->study, c->case_id, name, sizeof name);
        put_output(out, &work->study->output[c->output]);
        pkm_csv_text(out, name);
        put_number(out, c->coupled);
        put_number(out, c->sum);
        put_number(out, c->sum_of_peaks);
        put_number(out, c->rest);
        put_number(out, pkm_coupling_share(c));
        put_number(out, pkm_coupling_ratio(c));
        pkm_stream_format(out, ",%s\n", pkm_claim_name(c->claim));
    }
    return pkm_stream_close(out, err);
}

// ---- the manifest -----------------------------------------------------------------------------

static bool add_build(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    char* list = user;
    const size_t used = strlen(list);
    snprintf(list + used, BUILDS_SIZE - used, "%s%s", used ? ", " : "",
             pkm_cell_get_text(&cell[0]));
    return true;
}

/// The builds that ran the cases, when they are several; "" for one.
static pkm_status list_builds(const pkm_verb_study_work* work, char list[BUILDS_SIZE],
                              pkm_error* err)
{
    list[0] = '\0';
    PKM_TRY(pkm_store_query(work->store, "select distinct build from case_builds order by case_id",
                            NULL, 0, add_build, list, err));
    // one build is that of the manifest: only a mixture is told
    if (!strchr(list, ',')) list[0] = '\0';
    return PKM_OK;
}

static pkm_status write_manifest(const pkm_verb_study_work* work, pkm_error* err)
{
    char builds[BUILDS_SIZE];
    PKM_TRY(list_builds(work, builds, err));
    const pkm_verb_arguments* args = work->args;
    char path[PATH_SIZE], command[1100], n_case[16], n_failed[16];
    char set[VERB_MAX_SET][256];
    pkm_manifest_option option[VERB_MAX_SET + 8];
    const char* file[VERB_STUDY_MAX_FILE];
    int n = 0;
    snprintf(command, sizeof command, "pkm study %s", work->path);
    snprintf(n_case, sizeof n_case, "%d", work->study->n_case);
    snprintf(n_failed, sizeof n_failed, "%d", work->findings->n_failed);
    option[n++] = (pkm_manifest_option){"study sha256", work->study->hash};
    option[n++] = (pkm_manifest_option){"motion", work->study->motion};
    option[n++] = (pkm_manifest_option){"cases", n_case};
    option[n++] = (pkm_manifest_option){"failed cases", n_failed};
    if (builds[0]) option[n++] = (pkm_manifest_option){"builds", builds};
    for (int i = 0; i < args->n_set; ++i) {
        snprintf(set[i], sizeof set[i], "%s=%s", args->set[i].name, args->set[i].value);
        option[n++] = (pkm_manifest_option){"--set", set[i]};
    }
    for (int i = 0; i < work->n_file; ++i)
        file[i] = work->file[i];
    const pkm_manifest manifest = {.command = command,
                                   .model_path = work->study->robot_file,
                                   .model_hash = work->study->robot_hash,
                                   .robot = work->study->robot_name,
                                   .option = option,
                                   .n_option = n,
                                   .file = file,
                                   .n_file = work->n_file,
                                   .wall_time = work->wall_time};
    snprintf(path, sizeof path, "%s/manifest.json", work->folder);
    for (int i = 0; i < work->n_file; ++i)
        pkm_verb_wrote(args, work->folder, work->file[i]);
    pkm_verb_wrote(args, work->folder, "manifest.json");
    return pkm_manifest_write(&manifest, path, err);
}

pkm_status pkm_verb_study_write(pkm_verb_study_work* work, pkm_error* err)
{
    snprintf(work->file[work->n_file++], sizeof work->file[0], "study.sqlite");
    PKM_TRY(write_cases(work, err));
    if (!work->study->is_sweep) PKM_TRY(write_effects(work, err));
    if (work->findings->n_coupling > 0) PKM_TRY(write_couplings(work, err));
    PKM_TRY(pkm_verb_study_plot(work, err));
    return write_manifest(work, err);
}
