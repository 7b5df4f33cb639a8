// The tree of an answer with its tables, peaks and warnings, for the library's callers: the same
// names as in the program's JSON.
#include "pkm/answer.h"

#include "base/memory.h"
#include "write/json.h"

#include <string.h>

static void put_values(pkm_json* json, const pkm_answer* answer)
{
    pkm_json_open_object(json, "values");
    for (int i = 0; i < pkm_answer_n_value(answer); ++i) {
        pkm_json_open_object(json, pkm_answer_value_name(answer, i));
        pkm_json_put_number(json, "value", pkm_answer_value_at(answer, i));
        pkm_json_put_string(json, "unit", pkm_answer_value_unit(answer, i));
        pkm_json_object_end(json);
    }
    pkm_json_object_end(json);
}

/// Of all columns of tables over time.
static void put_peaks(pkm_json* json, const pkm_answer* answer)
{
    const pkm_table* table = pkm_answer_table(answer, "rows");
    pkm_json_open_object(json, "peaks");
    for (int c = 0; c < pkm_table_n_column(table); ++c) {
        double value, t, bar;
        bool chaotic;
        const char* name = pkm_table_name(table, c);
        if (pkm_answer_peak(answer, name, &value, &t, &bar, &chaotic) != PKM_OK) continue;
        pkm_json_open_object(json, name);
        pkm_json_put_number(json, "value", value);
        pkm_json_put_number(json, "t", t);
        pkm_json_put_string(json, "unit", pkm_table_unit(table, c));
        pkm_json_put_number(json, "error_bar", bar);
        pkm_json_put_bool(json, "chaotic", chaotic);
        pkm_json_object_end(json);
    }
    pkm_json_object_end(json);
}

static void put_warnings(pkm_json* json, const pkm_answer* answer)
{
    pkm_json_open_array(json, "warnings");
    for (int i = 0; i < pkm_answer_n_warning(answer); ++i) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "kind", pkm_answer_warning_kind(answer, i));
        pkm_json_put_string(json, "text", pkm_answer_warning_text(answer, i));
        pkm_json_put_number(json, "t", pkm_answer_warning_time(answer, i));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_table(pkm_json* json, const pkm_table* table)
{
    const int n = pkm_table_n_column(table);
    pkm_json_object_begin(json);
    pkm_json_open_array(json, "columns");
    for (int c = 0; c < n; ++c) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", pkm_table_name(table, c));
        pkm_json_put_string(json, "unit", pkm_table_unit(table, c));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    pkm_json_open_array(json, "rows");
    int stride;
    const double* value = pkm_table_column(table, 0, &stride);
    for (int i = 0; i < pkm_table_n_row(table); ++i)
        pkm_json_numbers(json, value + (size_t)i * (size_t)stride, n);
    pkm_json_array_end(json);
    pkm_json_object_end(json);
}

static void put_all(pkm_json* json, const pkm_answer* answer, bool rows)
{
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "analysis", pkm_answer_analysis(answer));
    pkm_json_put_bool(json, "complete", pkm_answer_is_complete(answer));
    put_values(json, answer);
    put_peaks(json, answer);
    put_warnings(json, answer);
    if (rows) {
        pkm_json_open_object(json, "tables");
        for (int i = 0; i < pkm_answer_n_table(answer); ++i) {
            const char* name = pkm_answer_table_name(answer, i);
            pkm_json_key(json, name);
            put_table(json, pkm_answer_table(answer, name));
        }
        pkm_json_object_end(json);
    }
    pkm_json_object_end(json);
}

char* pkm_answer_json(const pkm_answer* answer, bool rows)
{
    pkm_stream* stream = answer ? pkm_stream_to_memory() : NULL;
    if (!stream) return NULL;
    pkm_json json = pkm_json_make(stream);
    put_all(&json, answer, rows);
    const char* text = pkm_stream_get(stream);
    const size_t size = text ? strlen(text) + 1 : 0;
    char* out = text ? pkm_alloc(size, 1) : NULL;
    if (out) memcpy(out, text, size);
    pkm_stream_discard(stream);
    return out;
}
