// The settings of a case as one JSON text, layer upon layer: what the database keeps and a case is
// known by.
#include "base/memory.h"
#include "study/study_impl.h"
#include "write/json.h"

#include <string.h>

/// Nodes of the same key in the layers, the last of which rules; maps are put together.
typedef struct stack {
    int n;
    const pkm_yaml* node[PKM_MAX_LAYER];
} stack;

static void put(pkm_json* json, const stack* nodes, bool is_root);

/// Drop what a later text or list replaces.
static stack top_maps(const stack* all)
{
    int from = all->n - 1;
    while (from > 0 && all->node[from]->kind == PKM_YAML_MAP &&
           all->node[from - 1]->kind == PKM_YAML_MAP)
        --from;
    stack out = {.n = 0};
    for (int k = from; k < all->n; ++k)
        out.node[out.n++] = all->node[k];
    return out;
}

static bool came_before(const stack* maps, int layer, const char* key)
{
    for (int k = 0; k < layer; ++k)
        if (pkm_yaml_get(maps->node[k], key)) return true;
    return false;
}

static void put_map(pkm_json* json, const stack* maps, bool is_root)
{
    pkm_json_object_begin(json);
    for (int k = 0; k < maps->n; ++k)
        for (const pkm_yaml* item = maps->node[k]->first; item; item = item->next) {
            if (is_root && pkm_study_is_own_key(item->key)) continue;
            if (came_before(maps, k, item->key)) continue;
            stack nodes = {.n = 0};
            for (int l = k; l < maps->n; ++l) {
                const pkm_yaml* child = pkm_yaml_get(maps->node[l], item->key);
                if (child) nodes.node[nodes.n++] = child;
            }
            pkm_json_key(json, item->key);
            put(json, &nodes, false);
        }
    pkm_json_object_end(json);
}

static void put(pkm_json* json, const stack* nodes, bool is_root)
{
    const stack top = top_maps(nodes);
    const pkm_yaml* last = top.node[top.n - 1];
    if (last->kind == PKM_YAML_MAP) {
        put_map(json, &top, is_root);
    } else if (last->kind == PKM_YAML_TEXT) {
        pkm_json_string(json, last->text);
    } else {
        pkm_json_array_begin(json);
        for (const pkm_yaml* item = last->first; item; item = item->next) {
            const stack one = {.n = 1, .node = {item}};
            put(json, &one, false);
        }
        pkm_json_array_end(json);
    }
}

char* pkm_settings_json(const pkm_settings* settings)
{
    pkm_stream* stream = pkm_stream_to_memory();
    if (!stream) return NULL;
    stack nodes = {.n = settings->n};
    for (int k = 0; k < settings->n; ++k)
        nodes.node[k] = settings->layer[k];
    pkm_json json = pkm_json_make(stream);
    put(&json, &nodes, true);
    const char* text = pkm_stream_get(stream);
    char* out = text ? pkm_alloc(strlen(text) + 1, 1) : NULL;
    if (out) strcpy(out, text);
    pkm_stream_discard(stream);
    return out;
}
