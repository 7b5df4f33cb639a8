// Program, machine, model, inputs by the digest of their bytes, options, results, files with a sum
// of what is read again, columns: what it takes to repeat a run and to notice a changed number.
#include "write/manifest.h"

#include "base/build.h"
#include "base/crc32.h"
#include "base/error.h"
#include "model/source.h"
#include "table/column.h"
#include "write/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/// Now, or the instant of SOURCE_DATE_EPOCH (seconds since 1970), for builds that repeat.
static time_t run_time(void)
{
    const char* text = getenv("SOURCE_DATE_EPOCH");
    if (!text || *text == '\0') return time(NULL);
    char* end;
    errno = 0;
    const long long seconds = strtoll(text, &end, 10);
    return errno == 0 && *end == '\0' && seconds >= 0 ? (time_t)seconds : time(NULL);
}

static void put_date(pkm_json* json)
{
    char text[64] = "";
    const time_t seconds = run_time();
    struct tm utc;
    if (gmtime_r(&seconds, &utc)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    pkm_json_put_string(json, "date", text);
}

static void put_machine(pkm_json* json)
{
    struct utsname name;
    // a manifest without a machine is better than none
    if (uname(&name) != 0) memset(&name, 0, sizeof name);
    pkm_json_open_object(json, "machine");
    pkm_json_put_string(json, "system", name.sysname);
    pkm_json_put_string(json, "release", name.release);
    pkm_json_put_string(json, "architecture", name.machine);
    pkm_json_put_integer(json, "processors", sysconf(_SC_NPROCESSORS_ONLN));
    pkm_json_object_end(json);
}

static void put_model(pkm_json* json, const pkm_manifest* manifest)
{
    pkm_json_open_object(json, "model");
    pkm_json_put_string(json, "file", manifest->model_path);
    pkm_json_put_string(json, "sha256", manifest->model_hash);
    pkm_json_put_string(json, "robot", manifest->robot);
    pkm_json_object_end(json);
}

/// Every file that took part, by the bytes that were read.
static void put_inputs(pkm_json* json)
{
    pkm_json_open_array(json, "inputs");
    const pkm_source_note* note;
    for (int i = 0; (note = pkm_sources_get(i)); ++i) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "file", note->path);
        pkm_json_put_string(json, "sha256", note->sha256);
        pkm_json_put_number(json, "bytes", (double)note->size);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

/// A list, since an option such as --set may be given several times.
static void put_options(pkm_json* json, const pkm_manifest* manifest)
{
    pkm_json_open_array(json, "options");
    for (int k = 0; k < manifest->n_option; ++k) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", manifest->option[k].name);
        pkm_json_put_string(json, "value", manifest->option[k].value);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_results(pkm_json* json, const pkm_manifest* manifest)
{
    pkm_json_open_array(json, "results");
    for (int k = 0; k < manifest->n_result; ++k) {
        const char* unit = manifest->result[k].unit;
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", manifest->result[k].name);
        pkm_json_put_number(json, "value", manifest->result[k].value);
        pkm_json_put_string(json, "unit", unit ? unit : "");
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

/// Pictures follow from these and are made anew; only what is read again is guarded.
static bool has_numbers(const char* file)
{
    const char* dot = strrchr(file, '.');
    return dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".json") == 0);
}

/// Numbers beside the manifest by size and sum, so that other ones are noticed.
static void put_written(pkm_json* json, const pkm_manifest* manifest, const char* path)
{
    char name[1400], text[16];
    uint32_t sum;
    double bytes;
    const char* slash = strrchr(path, '/');
    pkm_json_open_array(json, "written");
    for (int k = 0; k < manifest->n_file; ++k) {
        if (!has_numbers(manifest->file[k])) continue;
        snprintf(name, sizeof name, "%.*s%.200s", slash ? (int)(slash + 1 - path) : 0, path,
                 manifest->file[k]);
        // what cannot be read back is not listed as written
        if (pkm_crc32_file(name, &sum, &bytes, NULL) != PKM_OK) continue;
        snprintf(text, sizeof text, "%08lx", (unsigned long)sum);
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "file", manifest->file[k]);
        pkm_json_put_number(json, "bytes", bytes);
        pkm_json_put_string(json, "crc32", text);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_files(pkm_json* json, const pkm_manifest* manifest)
{
    pkm_json_open_array(json, "files");
    for (int k = 0; k < manifest->n_file; ++k)
        pkm_json_string(json, manifest->file[k]);
    pkm_json_array_end(json);
}

/// What the columns of the table are, for people.
static void put_columns(pkm_json* json, const pkm_table* table)
{
    if (!table) return;
    pkm_json_open_array(json, "columns");
    for (int c = 0; c < pkm_table_n_column(table); ++c) {
        const pkm_column_words words = pkm_table_words(table, c);
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", pkm_table_name(table, c));
        pkm_json_put_string(json, "unit", pkm_table_unit(table, c));
        pkm_json_put_string(json, "item", words.item);
        pkm_json_put_string(json, "quantity", words.quantity);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_manifest(pkm_stream* stream, const pkm_manifest* manifest, const char* path)
{
    pkm_json json = pkm_json_make(stream);
    pkm_json_object_begin(&json);
    pkm_json_put_string(&json, "program", "pkm");
    pkm_json_put_string(&json, "version", PKM_VERSION);
    pkm_json_put_string(&json, "build", pkm_build_id());
    pkm_json_put_string(&json, "command", manifest->command);
    put_model(&json, manifest);
    put_inputs(&json);
    put_options(&json, manifest);
    put_date(&json);
    put_machine(&json);
    pkm_json_put_number(&json, "wall_time_s", manifest->wall_time);
    put_results(&json, manifest);
    put_columns(&json, manifest->table);
    put_files(&json, manifest);
    put_written(&json, manifest, path);
    pkm_json_object_end(&json);
}

pkm_status pkm_manifest_write(const pkm_manifest* manifest, const char* path, pkm_error* err)
{
    pkm_stream* stream;
    PKM_TRY(pkm_stream_open(path, &stream, err));
    put_manifest(stream, manifest, path);
    return pkm_stream_close(stream, err);
}
