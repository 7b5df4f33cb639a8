/// What lets the robot of a report be grasped: its model as it was when the run was made, and the
/// engine of the page.
#include "base/error.h"
#include "model/source.h"
#include "model/yaml.h"
#include "study/store.h"
#include "verb/report_frame.h"
#include "verb/report_impl.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MAX_MODEL = 8 << 20,   // of a model [bytes]
    MAX_DATA = 1100 << 10, // of the run's own data, so that the page stays below 3 MB [bytes]
};

static const char* text_of(const pkm_yaml* node)
{
    return node && node->kind == PKM_YAML_TEXT ? node->text : "";
}

static bool is_yaml(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/// Is all that the run read in YAML files? Meshes and samples are not taken along.
static bool is_alone(const pkm_yaml* inputs)
{
    for (const pkm_yaml* item = inputs ? inputs->first : NULL; item; item = item->next)
        if (!is_yaml(text_of(pkm_yaml_get(item, "file")))) return false;
    return true;
}

/// Are the data of the run small enough for an engine beside them?
static bool is_small(const char* folder)
{
    static const char* const name[] = {"table.csv", "peaks.csv", "scene.json"};
    struct stat info;
    char path[1400];
    long long sum = 0;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        if (stat(path, &info) == 0) sum += (long long)info.st_size;
    }
    return sum <= MAX_DATA;
}

/// The engine stands at the beginning of the last piece of the other page, in a block of its own.
static void put_engine(pkm_stream* stream)
{
    const unsigned char* from = pkm_verb_view_frame.after_data;
    const unsigned char* base64 = memchr(from, '>', pkm_verb_view_frame.size[2]);
    if (!base64) return;
    const size_t left = pkm_verb_view_frame.size[2] - (size_t)(base64 - from);
    const unsigned char* end = memchr(base64, '<', left);
    if (!end) return;
    pkm_stream_write(stream, from, (size_t)(end - from));
    pkm_stream_text(stream, "</script>\n");
}

/// The model's text, unless the file has changed since the run.
static void put_model(const char* path, const char* sha256, pkm_stream* stream)
{
    char now[PKM_SHA256_SIZE];
    char* text = NULL;
    size_t length = 0;
    pkm_error err = {0};
    if (pkm_source_peek(path, MAX_MODEL, &text, &length, &err) != PKM_OK) return;
    pkm_sha256 sha = pkm_sha256_make();
    pkm_sha256_add(&sha, text, length);
    pkm_sha256_finish(&sha, now);
    // another model would be led than the one that was run
    if (strcmp(now, sha256) == 0) {
        pkm_page_put_text(stream, "model", text, length);
        put_engine(stream);
    }
    pkm_free(text);
}

void pkm_verb_report_grasp(const char* folder, pkm_stream* stream)
{
    char path[1400];
    char* text = NULL;
    size_t length = 0;
    const pkm_yaml* root = NULL;
    pkm_error err = {0};
    if (pkm_verb_view_frame.size[0] == 0 || !is_small(folder) ||
        !pkm_verb_report_has(folder, "scene.json"))
        return;
    snprintf(path, sizeof path, "%s/manifest.json", folder);
    if (pkm_source_peek(path, MAX_MODEL, &text, &length, &err) != PKM_OK) return;
    pkm_arena* arena = pkm_arena_create();
    if (arena && pkm_yaml_parse(text, length, path, arena, &root, &err) == PKM_OK &&
        is_alone(pkm_yaml_get(root, "inputs"))) {
        const pkm_yaml* model = pkm_yaml_get(root, "model");
        put_model(text_of(pkm_yaml_get(model, "file")), text_of(pkm_yaml_get(model, "sha256")),
                  stream);
    }
    pkm_arena_free(arena);
    pkm_free(text);
}

/// File and hash of the robot, where nothing but YAML files took part.
static bool put_robot(void* user, const pkm_cell* cell, int n)
{
    if (n == 2 && cell[0].kind == PKM_CELL_TEXT && cell[1].kind == PKM_CELL_TEXT)
        put_model(cell[0].bytes, cell[1].bytes, user);
    return false;
}

void pkm_verb_report_grasp_study(pkm_store* store, pkm_stream* stream)
{
    static const char sql[] =
        "select f.value, h.value from about f, about h where f.key = 'robot_file' and h.key = "
        "'robot_sha256' and exists (select 1 from scenes) and not exists (select 1 from files "
        "where path not like '%.yaml' and path not like '%.yml')";
    pkm_error err = {0};
    if (pkm_verb_view_frame.size[0] == 0) return;
    (void)!pkm_store_query(store, sql, NULL, 0, put_robot, stream, &err); // an old store has less
}
