#include "model/json_tree.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 64,
    MAX_NODE = 1000000,
    MAX_KEY = 1000,  // of a map: searching one stays cheap
    MAX_NUMBER = 40, // bytes of a number: more have no meaning in a double
};

typedef struct parser {
    const char *text, *at, *end, *name;
    pkm_arena* arena;
    pkm_error* err;
    int n_node;
} parser;

static pkm_status fail(const parser* p, const char* what)
{
    int line = 1, column = 1;
    for (const char* c = p->text; c < p->at && c < p->end; ++c) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    return pkm_fail_at(p->err, PKM_ERR_SYNTAX, p->name, line, column, "this is no JSON: %s", what);
}

static void skip_space(parser* p)
{
    while (p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at)
        ++p->at;
}

static bool take(parser* p, char c)
{
    skip_space(p);
    if (p->at == p->end || *p->at != c) return false;
    ++p->at;
    return true;
}

/// A text in quotes, as it is written.
static pkm_status read_text(parser* p, const char** text, size_t* length)
{
    if (!take(p, '"')) return fail(p, "expected a text in quotes");
    *text = p->at;
    for (; p->at < p->end && *p->at != '"'; ++p->at) {
        if ((unsigned char)*p->at < 0x20) return fail(p, "a control character in a text");
        if (*p->at == '\\' && ++p->at == p->end) break;
    }
    if (p->at == p->end) return fail(p, "a text does not end");
    *length = (size_t)(p->at - *text);
    ++p->at;
    return PKM_OK;
}

static pkm_status read_number(parser* p, pkm_json_tree* node)
{
    char copy[MAX_NUMBER + 1];
    size_t n = 0;
    while (p->at + n < p->end && n < MAX_NUMBER && p->at[n] &&
           strchr("+-.0123456789eE", p->at[n])) {
        copy[n] = p->at[n];
        ++n;
    }
    copy[n] = 0;
    char* end = copy;
    node->number = strtod(copy, &end);
    if (n == 0 || *end || !isfinite(node->number)) return fail(p, "expected a value");
    node->kind = PKM_JSON_NUMBER;
    p->at += n;
    return PKM_OK;
}

static pkm_status read_word(parser* p)
{
    static const char* const words[] = {"null", "true", "false"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k) {
        const size_t n = strlen(words[k]);
        if ((size_t)(p->end - p->at) < n || memcmp(p->at, words[k], n) != 0) continue;
        p->at += n;
        return PKM_OK;
    }
    return fail(p, "expected a value");
}

static pkm_status read_value(parser* p, int depth, pkm_json_tree** out);

/// Children of a map or a list, after its bracket.
static pkm_status read_children(parser* p, int depth, pkm_json_tree* node)
{
    const bool is_map = node->kind == PKM_JSON_MAP;
    const char close = is_map ? '}' : ']';
    if (depth == MAX_DEPTH) return fail(p, "it is nested too deeply");
    if (take(p, close)) return PKM_OK;
    for (pkm_json_tree** end = &node->first;; end = &(*end)->next) {
        const char* key = NULL;
        size_t length = 0;
        if (is_map) {
            PKM_TRY(read_text(p, &key, &length));
            if (!take(p, ':')) return fail(p, "expected ':'");
        }
        PKM_TRY(read_value(p, depth + 1, end));
        (*end)->key = key;
        (*end)->key_length = length;
        ++node->n_child;
        if (is_map && node->n_child > MAX_KEY) return fail(p, "a map has too many keys");
        if (take(p, close)) return PKM_OK;
        if (!take(p, ',')) return fail(p, "expected ',' or a closing bracket");
    }
}

/// A list has its children in an array, too.
static pkm_status read_items(parser* p, int depth, pkm_json_tree* node)
{
    PKM_TRY(read_children(p, depth, node));
    if (node->kind != PKM_JSON_LIST || !node->first) return PKM_OK;
    node->item = pkm_arena_alloc(p->arena, (size_t)node->n_child, sizeof *node->item);
    if (!node->item) return pkm_fail(p->err, PKM_ERR_MEMORY, "out of memory");
    int k = 0;
    for (pkm_json_tree* child = node->first; child; child = child->next)
        node->item[k++] = child;
    return PKM_OK;
}

static pkm_status read_value(parser* p, int depth, pkm_json_tree** out)
{
    pkm_json_tree* node = pkm_arena_alloc(p->arena, 1, sizeof *node);
    if (!node) return pkm_fail(p->err, PKM_ERR_MEMORY, "out of memory");
    *node = (pkm_json_tree){.number = NAN};
    *out = node;
    if (++p->n_node > MAX_NODE) return fail(p, "it has too many items");
    skip_space(p);
    const char c = p->at < p->end ? *p->at : 0;
    if (c == '{' || c == '[') {
        node->kind = c == '{' ? PKM_JSON_MAP : PKM_JSON_LIST;
        ++p->at;
        return read_items(p, depth, node);
    }
    if (c == '"') {
        node->kind = PKM_JSON_TEXT;
        return read_text(p, &node->text, &node->length);
    }
    return c == 'n' || c == 't' || c == 'f' ? read_word(p) : read_number(p, node);
}

pkm_status pkm_json_tree_parse(const char* text, size_t length, const char* name, pkm_arena* arena,
                               const pkm_json_tree** out, pkm_error* err)
{
    parser p = {.text = text, .at = text, .end = text + length, .name = name};
    p.arena = arena;
    p.err = err;
    pkm_json_tree* node = NULL;
    *out = NULL;
    PKM_TRY(read_value(&p, 0, &node));
    skip_space(&p);
    if (p.at < p.end) return fail(&p, "something follows its end");
    *out = node;
    return PKM_OK;
}

const pkm_json_tree* pkm_json_tree_get(const pkm_json_tree* node, const char* key)
{
    if (!node || node->kind != PKM_JSON_MAP) return NULL;
    const size_t n = strlen(key);
    for (const pkm_json_tree* item = node->first; item; item = item->next)
        if (item->key_length == n && memcmp(item->key, key, n) == 0) return item;
    return NULL;
}

const pkm_json_tree* pkm_json_tree_item(const pkm_json_tree* node, int i)
{
    return node && node->item && i >= 0 && i < node->n_child ? node->item[i] : NULL;
}

bool pkm_json_tree_count(const pkm_json_tree* node, size_t most, size_t fallback, size_t* out)
{
    *out = fallback;
    if (!node) return true;
    const double value = node->number; // NaN for what is no number
    if (!(value >= 0.0 && value <= (double)most) || floor(value) != value) return false;
    *out = (size_t)value;
    return true;
}

bool pkm_json_tree_is(const pkm_json_tree* node, const char* wanted)
{
    return node && node->kind == PKM_JSON_TEXT && node->length == strlen(wanted) &&
           memcmp(node->text, wanted, node->length) == 0;
}
