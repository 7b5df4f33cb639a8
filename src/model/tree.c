// A tree of YAML as text and back, with kinds and places, in the order of the file: what an FMU
// carries, since it has no parser.
#include "model/tree.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char KINDS[] = "tlm"; // in the order of pkm_yaml_kind
enum { MAX_DEPTH = 64 };

// ---- writing ----------------------------------------------------------------------------------

/// Where the next bytes go; `to` NULL: they are only counted.
typedef struct sink {
    char* to;
    size_t used;
} sink;

static void put(sink* s, const char* bytes, size_t length)
{
    if (s->to) memcpy(s->to + s->used, bytes, length);
    s->used += length;
}

static void put_node(sink* s, const pkm_yaml* n)
{
    char head[160];
    const int length =
        snprintf(head, sizeof head, "%c %d %d %d %d %d %ld %zu %d\n", KINDS[n->kind], n->place.line,
                 n->place.column, n->key_place.line, n->key_place.column, n->text_column,
                 n->key ? (long)strlen(n->key) : -1L, strlen(n->text), n->n_child);
    put(s, head, (size_t)length);
    if (n->key) put(s, n->key, strlen(n->key));
    put(s, n->text, strlen(n->text));
    put(s, "\n", 1);
    for (const pkm_yaml* child = n->first; child; child = child->next)
        put_node(s, child);
}

char* pkm_tree_write(const pkm_yaml* root)
{
    sink s = {.to = NULL};
    put_node(&s, root);
    char* text = pkm_alloc(s.used + 1, 1);
    if (!text) return NULL;
    s = (sink){.to = text};
    put_node(&s, root);
    return text;
}

char* pkm_tree_write_text(const char* text)
{
    const pkm_yaml node = {.kind = PKM_YAML_TEXT, .text = text};
    return pkm_tree_write(&node);
}

// ---- reading ----------------------------------------------------------------------------------

typedef struct source {
    const char* at;
    const char* end;
    const char* name;
    pkm_arena* arena;
    pkm_error* err;
} source;

static pkm_status refuse(const source* s)
{
    return pkm_fail_at(s->err, PKM_ERR_SYNTAX, s->name, 0, 0,
                       "the tree is damaged, expected what pkm has written");
}

/// The next number of a line and the space or line break behind it.
static bool take_number(source* s, long* out)
{
    char* end = NULL;
    if (s->at >= s->end) return false;
    *out = strtol(s->at, &end, 10); // the text ends with a zero
    if (end == s->at || end >= s->end || (*end != ' ' && *end != '\n')) return false;
    s->at = end + 1;
    return *out >= -1 && *out <= 1L << 30;
}

/// `length` bytes as a text of its own.
static pkm_status take_text(source* s, long length, const char** out)
{
    if (length < 0 || length >= s->end - s->at) return refuse(s);
    *out = pkm_arena_text(s->arena, s->at, (size_t)length);
    s->at += length;
    return *out ? PKM_OK : pkm_out_of_memory(s->err);
}

static pkm_status take_head(source* s, pkm_yaml* node, long number[8])
{
    const char* kind = s->at < s->end ? strchr(KINDS, *s->at) : NULL;
    if (!kind || !*kind || s->end - s->at < 2) return refuse(s);
    s->at += 2;
    for (int i = 0; i < 8; ++i)
        if (!take_number(s, &number[i])) return refuse(s);
    node->kind = (pkm_yaml_kind)(kind - KINDS);
    node->place = (pkm_place){(int)number[0], (int)number[1]};
    node->key_place = (pkm_place){(int)number[2], (int)number[3]};
    node->text_column = (int)number[4];
    return PKM_OK;
}

static pkm_status take_node(source* s, const pkm_yaml* parent, int depth, pkm_yaml** out);

static pkm_status take_children(source* s, pkm_yaml* node, long n, int depth)
{
    pkm_yaml* last = NULL;
    if (n < 0 || n > s->end - s->at || (n > 0 && node->kind == PKM_YAML_TEXT)) return refuse(s);
    for (; node->n_child < n; ++node->n_child) {
        pkm_yaml* child;
        PKM_TRY(take_node(s, node, depth + 1, &child));
        if ((node->kind == PKM_YAML_MAP) != (child->key != NULL)) return refuse(s);
        child->index = node->n_child;
        if (last)
            last->next = child;
        else
            node->first = child;
        last = child;
    }
    return PKM_OK;
}

static pkm_status take_node(source* s, const pkm_yaml* parent, int depth, pkm_yaml** out)
{
    long number[8];
    pkm_yaml* node = pkm_arena_alloc(s->arena, 1, sizeof *node);
    if (!node) return pkm_out_of_memory(s->err);
    if (depth > MAX_DEPTH) return refuse(s);
    PKM_TRY(take_head(s, node, number));
    node->parent = parent;
    if (number[5] >= 0) PKM_TRY(take_text(s, number[5], &node->key));
    PKM_TRY(take_text(s, number[6], &node->text));
    if (s->at >= s->end || *s->at++ != '\n') return refuse(s);
    *out = node;
    return take_children(s, node, number[7], depth);
}

pkm_status pkm_tree_read(const char* text, size_t length, const char* name, pkm_arena* arena,
                         const pkm_yaml** out, pkm_error* err)
{
    source s = {.at = text, .end = text + length, .name = name, .arena = arena, .err = err};
    pkm_yaml* root = NULL;
    *out = NULL;
    PKM_TRY(take_node(&s, NULL, 0, &root));
    if (s.at != s.end) return refuse(&s);
    *out = root;
    return PKM_OK;
}
