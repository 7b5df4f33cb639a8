// Every write of a study to its database is one transaction: a process that is killed leaves whole
// cases only. Resuming compares the digests of all files that took part.
#include "study/record.h"

#include "base/build.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/source.h"
#include "write/json.h"
#include "write/number.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 1024 };

// ---- the design -------------------------------------------------------------------------------

/// The overrides of the command line as a JSON object, freed with pkm_free.
static char* set_json(const pkm_study* study)
{
    // numbers stay as they were written: "14 mm" says more than 0.014
    pkm_stream* stream = pkm_stream_to_memory();
    if (!stream) return NULL;
    pkm_json json = pkm_json_make(stream);
    pkm_json_object_begin(&json);
    for (int i = 0; i < study->n_set; ++i)
        pkm_json_put_string(&json, study->set[i].name, study->set[i].value);
    pkm_json_object_end(&json);
    const char* text = pkm_stream_get(stream);
    char* out = text ? pkm_alloc(strlen(text) + 1, 1) : NULL;
    if (out) strcpy(out, text);
    pkm_stream_discard(stream);
    return out;
}

/// What the study is, for people who find the database alone.
static pkm_status put_about(pkm_store* store, const pkm_study* study, pkm_error* err)
{
    char n_case[16], chaotic[PKM_NUMBER_SIZE];
    char* set = set_json(study);
    snprintf(n_case, sizeof n_case, "%d", study->n_case);
    pkm_number_format(study->chaotic_above, chaotic);
    const char* const about[][2] = {{"format", "2"},
                                    {"program", "pkm"},
                                    {"version", PKM_VERSION},
                                    {"build", pkm_build_id()},
                                    {"name", study->name},
                                    {"description", study->description},
                                    {"source", study->source},
                                    {"file", study->file},
                                    {"sha256", study->hash},
                                    {"robot", study->robot_name},
                                    {"robot_file", study->robot_file},
                                    {"robot_sha256", study->robot_hash},
                                    {"motion", study->motion},
                                    {"analysis", pkm_study_analysis_name[study->analysis]},
                                    {"design", study->is_sweep   ? "sweep"
                                               : study->n_factor ? "factors"
                                                                 : "single"},
                                    {"verify", study->verify ? "1" : "0"},
                                    {"chaotic_above", chaotic},
                                    {"n_case", n_case},
                                    {"set", set ? set : "{}"}};
    pkm_status status = set ? PKM_OK : pkm_out_of_memory(err);
    for (size_t i = 0; i < sizeof about / sizeof about[0] && status == PKM_OK; ++i)
        status = pkm_store_put_about(store, about[i][0], about[i][1], err);
    pkm_free(set);
    return status;
}

/// Its settings as JSON, so that the database says what was computed.
static pkm_status put_level(pkm_store* store, int f, int l, const pkm_study_level* level,
                            pkm_error* err)
{
    const pkm_settings settings = {.n = 1, .layer = {level->settings}};
    char* json = pkm_settings_json(&settings);
    if (!json) return pkm_out_of_memory(err);
    // levels are numbered as in the file; a case names its level of each factor by these numbers
    const pkm_cell cell[] = {pkm_cell_integer(f), pkm_cell_integer(l), pkm_cell_text(level->name),
                             pkm_cell_number(level->value), pkm_cell_text(json)};
    const pkm_status status =
        pkm_store_run(store, "insert into levels values (?, ?, ?, ?, ?)", cell, 5, err);
    pkm_free(json);
    return status;
}

static pkm_status put_factors(pkm_store* store, const pkm_study* study, pkm_error* err)
{
    for (int f = 0; f < study->n_factor; ++f) {
        // names and unit of each factor, then its levels
        const pkm_study_factor* factor = &study->factor[f];
        const pkm_cell cell[] = {pkm_cell_integer(f), pkm_cell_text(factor->name),
                                 pkm_cell_text(factor->unit)};
        PKM_TRY(pkm_store_run(store, "insert into factors values (?, ?, ?)", cell, 3, err));
        for (int l = 0; l < factor->n_level; ++l)
            PKM_TRY(put_level(store, f, l, &factor->level[l], err));
    }
    return PKM_OK;
}

static pkm_status put_outputs(pkm_store* store, const pkm_study* study, pkm_error* err)
{
    for (int k = 0; k < study->n_output; ++k) {
        const pkm_study_output* o = &study->output[k];
        const pkm_cell cell[] = {pkm_cell_integer(k),
                                 pkm_cell_text(o->name),
                                 pkm_cell_text(o->label),
                                 pkm_cell_text(o->column),
                                 pkm_cell_text(pkm_measure_name[o->measure]),
                                 pkm_cell_text(o->unit)};
        PKM_TRY(
            pkm_store_run(store, "insert into outputs values (?, ?, ?, ?, ?, ?)", cell, 6, err));
    }
    return PKM_OK;
}

/// A row that waits; results come when it is done.
static pkm_status put_case(pkm_store* store, const pkm_study* study, int id, pkm_error* err)
{
    char name[NAME_SIZE];
    int level[PKM_MAX_FACTOR];
    // the whole settings of the case: a row can be run again without the study file
    const pkm_settings settings = pkm_study_settings(study, id);
    char* json = pkm_settings_json(&settings);
    if (!json) return pkm_out_of_memory(err);
    // the name is for people, the number is what other tables refer to
    pkm_study_case_name(study, id, name, sizeof name);
    pkm_study_levels(study, id, level);
    const pkm_cell cell[] = {pkm_cell_integer(id), pkm_cell_text(name), pkm_cell_text(json)};
    pkm_status status = pkm_store_run(
        store, "insert into cases (id, name, settings) values (?, ?, ?)", cell, 3, err);
    pkm_free(json);
    for (int f = 0; f < study->n_factor && status == PKM_OK; ++f) {
        const pkm_cell row[] = {pkm_cell_integer(id), pkm_cell_integer(f),
                                pkm_cell_integer(level[f])};
        status = pkm_store_run(store, "insert into case_levels values (?, ?, ?)", row, 3, err);
    }
    return status;
}

static pkm_status put_design(pkm_store* store, const pkm_study* study, pkm_error* err)
{
    PKM_TRY(put_about(store, study, err));
    PKM_TRY(put_factors(store, study, err));
    PKM_TRY(put_outputs(store, study, err));
    for (int id = 0; id < study->n_case; ++id)
        PKM_TRY(put_case(store, study, id, err));
    return PKM_OK;
}

/// Commit what `status` says was written, else take it back.
static pkm_status end(pkm_store* store, pkm_status status, pkm_error* err)
{
    if (status == PKM_OK) status = pkm_store_commit(store, err);
    // a killed process leaves a journal, and SQLite takes the half transaction back at the next
    // opening
    if (status != PKM_OK) pkm_store_roll_back(store);
    return status;
}

pkm_status pkm_record_study(pkm_store* store, const pkm_study* study, pkm_error* err)
{
    PKM_TRY(pkm_store_begin(store, err));
    return end(store, put_design(store, study, err), err);
}

/// Rows of the table `files` against the files as they are now.
typedef struct file_check {
    pkm_status status;
    pkm_error* err;
} file_check;

/// The first file that differs ends the query.
static bool check_file(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    file_check* check = user;
    char now[PKM_SHA256_SIZE];
    const char* path = pkm_cell_get_text(&cell[0]);
    // of the bytes as they are now; a file that is gone is an error of its own
    check->status = pkm_sha256_file(path, now, check->err);
    if (check->status == PKM_OK && strcmp(now, pkm_cell_get_text(&cell[1])) != 0)
        check->status = pkm_fail(check->err, PKM_ERR_ARGUMENT,
                                 "--resume: %s has changed since this study began; --fresh begins "
                                 "anew",
                                 path);
    return check->status == PKM_OK;
}

static pkm_status check_files(pkm_store* store, pkm_error* err)
{
    file_check check = {.status = PKM_OK, .err = err};
    PKM_TRY(
        pkm_store_query(store, "select path, sha256 from files", NULL, 0, check_file, &check, err));
    return check.status;
}

pkm_status pkm_record_resume(pkm_store* store, const pkm_study* study, bool any_build,
                             pkm_error* err)
{
    char hash[2 * PKM_SHA256_SIZE], build[64];
    // study, robot and overrides in one digest, the files that they name one by one
    PKM_TRY(pkm_store_get_about(store, "sha256", hash, sizeof hash, err));
    // a process was killed before its design was written
    if (hash[0] == '\0') return pkm_record_study(store, study, err);
    if (strcmp(hash, study->hash) != 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "--resume: study, robot or --set have changed since this study began; "
                        "--fresh begins anew");
    PKM_TRY(pkm_store_get_about(store, "build", build, sizeof build, err));
    // two builds may differ in the last digits: a resumed study would compare cases that were
    // computed differently
    if (strcmp(build, pkm_build_id()) != 0 && !any_build)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "--resume: build %.12s of pkm began this study, this is build %.12s; "
                        "--accept-build mixes their results, --fresh begins anew",
                        build, pkm_build_id());
    return check_files(store, err);
}

// ---- results ----------------------------------------------------------------------------------

static pkm_status put_values(pkm_store* store, const pkm_case_result* r, pkm_error* err)
{
    for (int k = 0; k < r->n_value; ++k) {
        // NaN becomes null: unknown, not zero
        const pkm_case_value* v = &r->value[k];
        const pkm_cell cell[] = {pkm_cell_integer(r->case_id),
                                 pkm_cell_integer(k),
                                 pkm_cell_number(v->value),
                                 pkm_cell_number(v->t),
                                 pkm_cell_number(v->spread.error_bar),
                                 pkm_cell_text(pkm_verdict_name(v->verdict)),
                                 pkm_cell_number(v->spread.low),
                                 pkm_cell_number(v->spread.high)};
        PKM_TRY(pkm_store_run(
            store, "insert or replace into results values (?, ?, ?, ?, ?, ?, ?, ?)", cell, 8, err));
    }
    return PKM_OK;
}

static pkm_status put_signals(pkm_store* store, const pkm_case_result* r, pkm_error* err)
{
    const int n = pkm_table_n_row(r->signals);
    double* column = pkm_alloc((size_t)n + 1, sizeof *column);
    pkm_status status = column ? PKM_OK : pkm_out_of_memory(err);
    for (int c = 0; c < pkm_table_n_column(r->signals) && status == PKM_OK; ++c) {
        for (int i = 0; i < n; ++i)
            column[i] = pkm_table_get(r->signals, i, c);
        const pkm_cell cell[] = {
            pkm_cell_integer(r->case_id), pkm_cell_text(pkm_table_name(r->signals, c)),
            pkm_cell_text(pkm_table_unit(r->signals, c)), pkm_cell_numbers(column, n)};
        status = pkm_store_run(store, "insert or replace into signals values (?, ?, ?, ?)", cell, 4,
                               err);
    }
    pkm_free(column);
    return status;
}

static pkm_status put_ledger(pkm_store* store, const pkm_case_result* r, pkm_error* err)
{
    for (int i = 0; i < r->n_ledger; ++i) {
        const pkm_cell cell[] = {pkm_cell_integer(r->case_id), pkm_cell_text(r->ledger[i].name),
                                 pkm_cell_number(r->ledger[i].value)};
        PKM_TRY(
            pkm_store_run(store, "insert or replace into ledgers values (?, ?, ?)", cell, 3, err));
    }
    return PKM_OK;
}

static pkm_status put_files(pkm_store* store, const pkm_case_result* r, pkm_error* err)
{
    char path[1024], hash[PKM_SHA256_SIZE];
    size_t size;
    for (const char* text = r->sources;
         text && pkm_sources_next(&text, path, sizeof path, hash, &size);) {
        char full[PATH_MAX]; // a study may be resumed from another folder
        const pkm_cell cell[] = {pkm_cell_text(realpath(path, full) ? full : path),
                                 pkm_cell_text(hash), pkm_cell_integer((long long)size)};
        PKM_TRY(pkm_store_run(store, "insert or ignore into files values (?, ?, ?)", cell, 3, err));
    }
    return PKM_OK;
}

static pkm_status put_build(pkm_store* store, const pkm_case_result* r, pkm_error* err)
{
    const pkm_cell cell[] = {pkm_cell_integer(r->case_id), pkm_cell_text(pkm_build_id())};
    return pkm_store_run(store, "insert or replace into case_builds values (?, ?)", cell, 2, err);
}

static pkm_status put_scene(pkm_store* store, const pkm_case_result* r, pkm_error* err)
{
    if (!r->scene[0]) return PKM_OK;
    const pkm_cell cell[] = {pkm_cell_integer(r->case_id), pkm_cell_text(r->scene[0]),
                             pkm_cell_text(r->scene[1]), pkm_cell_text(r->scene[2])};
    return pkm_store_run(store, "insert or replace into scenes values (?, ?, ?, ?)", cell, 4, err);
}

static const char* text_or_null(const char* text)
{
    return text[0] ? text : NULL;
}

static pkm_status put_result(pkm_store* store, const pkm_case_result* r, const char* process,
                             pkm_error* err)
{
    const pkm_cell state[] = {pkm_cell_text(r->is_done    ? "done"
                                            : r->has_died ? "died"
                                                          : "failed"),
                              pkm_cell_text(text_or_null(r->reason)),
                              pkm_cell_text(text_or_null(r->notes)),
                              pkm_cell_number(r->t_end),
                              pkm_cell_integer(r->steps),
                              pkm_cell_text(text_or_null(r->integrator)),
                              pkm_cell_number(r->tolerance),
                              pkm_cell_integer(r->case_id)};
    PKM_TRY(pkm_store_run(store,
                          "update cases set state = ?, reason = ?, notes = ?, t_end = ?, steps = "
                          "?, integrator = ?, tolerance = ? where id = ?",
                          state, 8, err));
    // all of a case in one transaction: whoever reads sees it whole or not at all
    PKM_TRY(put_values(store, r, err));
    PKM_TRY(put_signals(store, r, err));
    PKM_TRY(put_ledger(store, r, err));
    PKM_TRY(put_scene(store, r, err));
    PKM_TRY(put_files(store, r, err));
    PKM_TRY(put_build(store, r, err));
    // which process took how long: for planning, no part of the results
    const pkm_cell timing[] = {pkm_cell_integer(r->case_id), pkm_cell_number(r->wall_time),
                               pkm_cell_text(process)};
    return pkm_store_run(store, "insert or replace into timing values (?, ?, ?)", timing, 3, err);
}

void pkm_record_check_sources(pkm_case_result* r)
{
    char path[1024], hash[PKM_SHA256_SIZE];
    size_t size;
    pkm_error why = {.status = PKM_OK};
    for (const char* text = r->sources;
         text && pkm_sources_next(&text, path, sizeof path, hash, &size);) {
        // two cases have read one path with different content: the file changed while the study
        // ran
        if (pkm_sources_add(path, hash, size, &why) == PKM_OK) continue;
        r->is_done = false;
        snprintf(r->reason, sizeof r->reason, "%.300s: %.400s", path, why.text);
        return;
    }
}

pkm_status pkm_record_case(pkm_store* store, const pkm_case_result* result, const char* process,
                           pkm_error* err)
{
    PKM_TRY(pkm_store_begin(store, err));
    return end(store, put_result(store, result, process, err), err);
}

// ---- what waits -------------------------------------------------------------------------------

typedef struct id_list {
    int *id, n, n_max;
} id_list;

static bool add_id(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    id_list* list = user;
    // more cases than the design has: a file of somebody else
    if (list->n == list->n_max) return false;
    if (cell[0].integer < 0 || cell[0].integer >= list->n_max) return true; // a damaged file
    list->id[list->n++] = (int)cell[0].integer;
    return true;
}

pkm_status pkm_record_waiting(pkm_store* store, int n_max, int* out, int* n, pkm_error* err)
{
    id_list list = {.id = out, .n_max = n_max};
    const pkm_status status = pkm_store_query(
        // failed ones are answered: the same input fails again. A worker that died may have been
        // killed.
        store, "select id from cases where state in ('waiting', 'died') order by id", NULL, 0,
        add_id, &list, err);
    *n = list.n;
    return status;
}
