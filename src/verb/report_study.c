// The page of a study from its database: tables of the design and of values, signals and scenes as
// many as a page can hold.
#include "base/error.h"
#include "base/memory.h"
#include "study/store.h"
#include "verb/report_frame.h"
#include "verb/report_impl.h"
#include "verb/result_folder.h"
#include "write/base64.h"
#include "write/json.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SIGNALS = 6 << 20, MAX_SCENES = 6 << 20 }; // in the page [bytes]

// ---- tables -----------------------------------------------------------------------------------

/// A table of the database in the page: its columns, and where the rows come from.
typedef struct source {
    const char* name;
    const char* columns; ///< separated by ", "
    const char* from;
} source;

static const source tables[] = {
    {"about", "key, value", "about order by key"},
    {"factors", "id, name, unit", "factors order by id"},
    {"levels", "factor_id, id, name, value, settings", "levels order by factor_id, id"},
    {"outputs", "id, name, label, column_name, measure, unit", "outputs order by id"},
    {"cases", "id, name, settings, state, reason, notes, t_end, steps, integrator, tolerance",
     "cases order by id"},
    {"case_levels", "case_id, factor_id, level_id", "case_levels order by case_id, factor_id"},
    {"results", "case_id, output_id, value, t, error_bar, verdict, low, high",
     "results order by case_id, output_id"},
    {"ledgers", "case_id, name, value", "ledgers order by case_id, name"},
    {"effects", "output_id, term, n_factor, levels, value, average, error_bar, share, verdict",
     "effects order by output_id, n_factor, term, levels"},
    {"couplings",
     "output_id, case_id, coupled, sum, sum_of_peaks, rest, rest_share, ratio, verdict",
     "couplings order by output_id, case_id"},
    {"published",
     "id, text, case_id, quantity, value, unit, unit_factor, bound, tolerance, note, ours, agrees",
     "published order by id"},
    {"timing", "case_id, wall_time", "timing order by case_id"},
};

static void put_cell(pkm_json* json, const pkm_cell* cell)
{
    switch (cell->kind) {
    case PKM_CELL_INTEGER:
        pkm_json_integer(json, cell->integer);
        return;
    case PKM_CELL_NUMBER:
        pkm_json_number(json, cell->number);
        return;
    case PKM_CELL_TEXT:
        pkm_json_string(json, cell->bytes);
        return;
    case PKM_CELL_NULL:
    case PKM_CELL_BYTES:
        break;
    }
    pkm_json_null(json);
}

/// A row of a query as an array.
static bool put_row(void* user, const pkm_cell* cell, int n)
{
    pkm_json* json = user;
    pkm_json_array_begin(json);
    for (int k = 0; k < n; ++k)
        put_cell(json, &cell[k]);
    pkm_json_array_end(json);
    return true;
}

/// {"columns": "id, name", "rows": [[0, "dp"], ...]}.
static pkm_status put_table(pkm_store* store, const source* from, pkm_json* json, pkm_error* err)
{
    char sql[512];
    snprintf(sql, sizeof sql, "select %s from %s", from->columns, from->from);
    pkm_json_open_object(json, from->name);
    pkm_json_put_string(json, "columns", from->columns);
    pkm_json_open_array(json, "rows");
    const pkm_status status = pkm_store_query(store, sql, NULL, 0, put_row, json, err);
    pkm_json_array_end(json);
    pkm_json_object_end(json);
    return status;
}

/// The first `n` tables of the database as one object.
static pkm_status put_tables(pkm_store* store, int n, pkm_stream* stream, pkm_error* err)
{
    pkm_json json = pkm_json_make(stream);
    pkm_json_object_begin(&json);
    pkm_status status = PKM_OK;
    for (int k = 0; k < n && status == PKM_OK; ++k)
        status = put_table(store, &tables[k], &json, err);
    pkm_json_object_end(&json);
    return status;
}

/// All tables as block `block`.
static pkm_status put_study(pkm_store* store, const char* block, pkm_stream* stream, pkm_error* err)
{
    const int n = sizeof tables / sizeof tables[0];
    pkm_stream* memory = pkm_stream_to_memory();
    if (!memory) return pkm_out_of_memory(err);
    pkm_status status = put_tables(store, n, memory, err);
    const char* text = pkm_stream_get(memory);
    if (status == PKM_OK && !text) status = pkm_out_of_memory(err);
    if (status == PKM_OK) pkm_page_put_json(stream, block, text, strlen(text));
    pkm_stream_discard(memory);
    return status;
}

// ---- signals ----------------------------------------------------------------------------------

typedef struct signal_writer {
    pkm_json json;
    size_t size; ///< bytes so far
    bool is_out; ///< of memory
} signal_writer;

/// Doubles as base64 of floats, which is enough to draw them; freed with pkm_free.
static char* floats_text(const pkm_cell* cell)
{
    const size_t n = cell->kind == PKM_CELL_BYTES ? cell->size / sizeof(double) : 0;
    float* value = pkm_alloc(n + 1, sizeof *value);
    char* text = pkm_alloc(pkm_base64_length(n * sizeof *value) + 1, 1);
    for (size_t i = 0; value && i < n; ++i) {
        double x;
        memcpy(&x, (const char*)cell->bytes + i * sizeof x, sizeof x);
        // seven digits: half the bytes, and more than a screen shows
        value[i] = (float)x;
    }
    if (value && text) pkm_base64_encode(value, n * sizeof *value, text);
    pkm_free(value);
    return text;
}

/// A row whose last cell is the signal.
static bool put_signal(void* user, const pkm_cell* cell, int n)
{
    signal_writer* w = user;
    char* text = floats_text(&cell[n - 1]);
    w->is_out = !text;
    if (!text) return false;
    pkm_json_array_begin(&w->json);
    for (int k = 0; k < n - 1; ++k)
        put_cell(&w->json, &cell[k]);
    pkm_json_string(&w->json, text);
    pkm_json_array_end(&w->json);
    w->size += strlen(text);
    pkm_free(text);
    // false ends the query: pages stay loadable
    return w->size < MAX_SIGNALS;
}

/// The rows of a query with signals as block `block`, as many as the page takes.
static pkm_status put_signals(pkm_store* store, const char* sql, const char* block,
                              pkm_stream* stream, pkm_error* err)
{
    pkm_stream* memory = pkm_stream_to_memory();
    if (!memory) return pkm_out_of_memory(err);
    signal_writer writer = {.json = pkm_json_make(memory)};
    pkm_json_array_begin(&writer.json);
    pkm_status status = pkm_store_query(store, sql, NULL, 0, put_signal, &writer, err);
    pkm_json_array_end(&writer.json);
    const char* text = pkm_stream_get(memory);
    if (status == PKM_OK && (writer.is_out || !text)) status = pkm_out_of_memory(err);
    if (status == PKM_OK) pkm_page_put_json(stream, block, text, strlen(text));
    pkm_stream_discard(memory);
    return status;
}

// ---- scenes -----------------------------------------------------------------------------------

typedef struct scene_writer {
    pkm_stream* stream;
    char* first[2]; ///< robot and motion of the first case
    size_t size;
    int n;
} scene_writer;

/// A piece that is JSON; null where it is that of the first case.
static void put_piece(scene_writer* w, const pkm_cell* cell, int k)
{
    const char* text = cell->kind == PKM_CELL_TEXT ? cell->bytes : NULL;
    const bool is_same = k < 2 && text && w->n > 0 && w->first[k] && strcmp(text, w->first[k]) == 0;
    pkm_stream_text(w->stream, ",");
    if (!text || is_same) {
        pkm_stream_text(w->stream, "null");
        return;
    }
    pkm_page_block_json(w->stream, text, strlen(text));
    w->size += strlen(text);
    if (k >= 2 || w->n > 0) return;
    w->first[k] = pkm_alloc(strlen(text) + 1, 1); // without memory every case brings its own
    if (w->first[k]) strcpy(w->first[k], text);
}

/// A case as an array: its number, robot, motion, deviations.
static bool put_scene(void* user, const pkm_cell* cell, int n)
{
    scene_writer* w = user;
    pkm_stream_format(w->stream, "%s[%lld", w->n > 0 ? "," : "", cell[0].integer);
    for (int k = 0; k + 1 < n; ++k)
        put_piece(w, &cell[k + 1], k);
    pkm_stream_text(w->stream, "]");
    ++w->n;
    return w->size < MAX_SCENES;
}

/// [[case, robot, motion, deviations], ...].
static pkm_status put_scenes(pkm_store* store, pkm_stream* stream, pkm_error* err)
{
    scene_writer writer = {.stream = stream};
    pkm_page_block_begin(stream, "scenes");
    pkm_stream_text(stream, "[");
    const pkm_status status = pkm_store_query(
        store, "select case_id, robot, motion, deviations from scenes order by case_id", NULL, 0,
        put_scene, &writer, err);
    pkm_stream_text(stream, "]");
    pkm_page_block_end(stream);
    pkm_free(writer.first[0]);
    pkm_free(writer.first[1]);
    return status;
}

// ---- the pages --------------------------------------------------------------------------------

static pkm_status open_study(const char* folder, pkm_store** out, pkm_error* err)
{
    char path[1400];
    snprintf(path, sizeof path, "%s/study.sqlite", folder);
    return pkm_store_read(path, out, err);
}

static pkm_status put_database(pkm_store* store, pkm_stream* stream, pkm_error* err)
{
    PKM_TRY(put_study(store, "study", stream, err));
    PKM_TRY(put_signals(store,
                        "select case_id, name, unit, data from signals order by case_id, name",
                        "signals", stream, err));
    PKM_TRY(put_signals(store,
                        "select output_id, case_id, kind, data from deviations order by output_id, "
                        "case_id, kind",
                        "deviations", stream, err));
    return put_scenes(store, stream, err);
}

pkm_status pkm_verb_report_study(const char* folder, bool grasp, pkm_stream* stream, pkm_error* err)
{
    pkm_store* store;
    PKM_TRY(open_study(folder, &store, err));
    pkm_page_begin(stream, &pkm_verb_report_frame, "pkm report");
    const pkm_status status = put_database(store, stream, err);
    if (status == PKM_OK && grasp) pkm_verb_report_grasp_study(store, stream);
    pkm_store_free(store);
    PKM_TRY(status);
    PKM_TRY(pkm_verb_report_json(folder, "manifest.json", "manifest", stream, err));
    PKM_TRY(pkm_verb_report_files(folder, ".svg", "pictures", stream, err));
    PKM_TRY(pkm_verb_report_files(folder, ".csv", "tables", stream, err));
    PKM_TRY(pkm_verb_folder_verify(folder, err));
    pkm_page_end(stream, &pkm_verb_report_frame);
    return PKM_OK;
}

// ---- the overview -----------------------------------------------------------------------------

/// One study of the overview: {"folder": ..., "study": its tables}.
static pkm_status put_entry(const char* folder, const char* name, pkm_stream* stream,
                            pkm_error* err)
{
    char path[1300];
    pkm_store* store;
    snprintf(path, sizeof path, "%.1000s/%.255s", folder, name);
    PKM_TRY(open_study(path, &store, err));
    pkm_stream_text(stream, "{\"folder\": ");
    pkm_json json = pkm_json_make(stream);
    pkm_json_string(&json, name);
    pkm_stream_text(stream, pkm_verb_report_has(path, "report.html") ? ", \"has_report\": true"
                                                                     : ", \"has_report\": false");
    pkm_stream_text(stream, ", \"study\": ");
    const pkm_status status = put_tables(store, sizeof tables / sizeof tables[0], stream, err);
    pkm_stream_text(stream, "}");
    pkm_store_free(store);
    return status;
}

pkm_status pkm_verb_report_overview(const char* folder, bool grasp, pkm_stream* stream,
                                    pkm_error* err)
{
    (void)grasp; // no robot
    char name[VERB_REPORT_MAX_FOLDER][256];
    const int n = pkm_verb_report_studies(folder, name);
    pkm_stream* memory = pkm_stream_to_memory();
    if (!memory) return pkm_out_of_memory(err);
    pkm_status status = PKM_OK;
    pkm_stream_text(memory, "[");
    for (int k = 0; k < n && status == PKM_OK; ++k) {
        if (k > 0) pkm_stream_text(memory, ",");
        status = put_entry(folder, name[k], memory, err);
    }
    pkm_stream_text(memory, "]");
    const char* text = pkm_stream_get(memory);
    if (status == PKM_OK && !text) status = pkm_out_of_memory(err);
    if (status == PKM_OK) {
        pkm_page_begin(stream, &pkm_verb_report_frame, "pkm studies");
        pkm_page_put_json(stream, "overview", text, strlen(text));
        pkm_page_end(stream, &pkm_verb_report_frame);
    }
    pkm_stream_discard(memory);
    return status;
}
