// Nodes of one arena in the order in which they were added. Whoever builds asks for errors once, at
// the end: without memory all further nodes are NULL, and so are their children.
#include "table/result.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/// What the nodes of one tree share.
typedef struct tree {
    pkm_arena* arena;
    bool failed;
} tree;

/// One block of the arena each, freed with the tree: a node is never taken out again.
struct pkm_result {
    pkm_result_kind kind;
    const char *key, *unit;
    tree* tree;
    pkm_result *first, *last, *next; ///< children; sibling
    int n;                           ///< of the children or numbers
    double number;
    const char* text;
    const double* vector;
};

pkm_result* pkm_result_create(void)
{
    pkm_arena* arena = pkm_arena_create();
    if (!arena) return NULL;
    tree* t = pkm_arena_alloc(arena, 1, sizeof *t);
    // nodes and texts live in one arena: freeing the root frees all
    pkm_result* root = pkm_arena_alloc(arena, 1, sizeof *root);
    if (!t || !root) {
        pkm_arena_free(arena);
        return NULL;
    }
    *t = (tree){.arena = arena};
    *root = (pkm_result){.kind = PKM_RESULT_GROUP, .key = "", .unit = "", .tree = t};
    return root;
}

void pkm_result_free(pkm_result* root)
{
    if (root) pkm_arena_free(root->tree->arena);
}

bool pkm_result_failed(const pkm_result* root)
{
    return !root || root->tree->failed;
}

// ---- building ---------------------------------------------------------------------------------

/// Building goes on without memory: nodes are NULL then, and the tree says so at the end.
static pkm_result* fail(pkm_result* in)
{
    if (in) in->tree->failed = true;
    return NULL;
}

static const char* copy(pkm_result* node, const char* text)
{
    if (!*text) return "";
    const char* out = pkm_arena_text(node->tree->arena, text, strlen(text));
    if (!out) fail(node);
    return out ? out : "";
}

/// In the order of the calls, in which JSON prints them.
static pkm_result* add(pkm_result* in, pkm_result_kind kind, const char* key)
{
    if (!in) return NULL;
    // numbers and texts have no children: a writer that nests below one has lost its place
    PKM_ASSERT(in->kind == PKM_RESULT_GROUP || in->kind == PKM_RESULT_LIST);
    pkm_result* node = pkm_arena_alloc(in->tree->arena, 1, sizeof *node);
    if (!node) return fail(in);
    *node = (pkm_result){
        .kind = kind, .key = key ? copy(in, key) : "", .unit = "", .tree = in->tree, .number = NAN};
    // appended at the end without a walk
    if (in->last)
        in->last->next = node;
    else
        in->first = node;
    in->last = node;
    ++in->n;
    return node;
}

pkm_result* pkm_result_group(pkm_result* in, const char* key)
{
    return add(in, PKM_RESULT_GROUP, key);
}

pkm_result* pkm_result_list(pkm_result* in, const char* key)
{
    return add(in, PKM_RESULT_LIST, key);
}

void pkm_result_number(pkm_result* in, const char* key, const char* unit, double value)
{
    pkm_result* node = add(in, PKM_RESULT_NUMBER, key);
    if (!node) return;
    // NaN stands for "not known" and becomes null in JSON
    node->number = value;
    node->unit = copy(node, unit);
}

void pkm_result_integer(pkm_result* in, const char* key, long long value)
{
    pkm_result* node = add(in, PKM_RESULT_INTEGER, key);
    if (node) node->number = (double)value;
}

void pkm_result_bool(pkm_result* in, const char* key, bool value)
{
    pkm_result* node = add(in, PKM_RESULT_BOOL, key);
    if (node) node->number = value;
}

void pkm_result_text(pkm_result* in, const char* key, const char* text)
{
    pkm_result* node = add(in, PKM_RESULT_TEXT, key);
    if (node && text) node->text = copy(node, text);
}

void pkm_result_format(pkm_result* in, const char* key, const char* format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pkm_result_text(in, key, text);
}

void pkm_result_numbers(pkm_result* in, const char* key, const char* unit, const double* value,
                        int n)
{
    pkm_result* node = add(in, PKM_RESULT_NUMBERS, key);
    if (!node) return;
    // a copy: the caller's array may be gone when the tree is read
    double* vector = pkm_arena_alloc(node->tree->arena, (size_t)n, sizeof *vector);
    if (!vector && n > 0) {
        fail(node);
        return;
    }
    if (n > 0) memcpy(vector, value, (size_t)n * sizeof *vector);
    node->vector = vector;
    node->unit = copy(node, unit);
    node->n = n;
}

void pkm_result_vec(pkm_result* in, const char* key, const char* unit, pkm_vec3 v)
{
    pkm_result_numbers(in, key, unit, (const double[]){v.x, v.y, v.z}, 3);
}

void pkm_result_warnings(pkm_result* in, const pkm_warnings* warnings)
{
    pkm_result* list = pkm_result_list(in, "warnings");
    for (int i = 0; i < warnings->n; ++i) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "kind", warnings->item[i].kind);
        pkm_result_text(item, "text", warnings->item[i].text);
        pkm_result_number(item, "t", "s", warnings->item[i].t);
    }
    // how many found no room in the list
    if (warnings->lost > 0) pkm_result_integer(in, "_lost", warnings->lost);
}

// ---- reading ----------------------------------------------------------------------------------

pkm_result_kind pkm_result_get_kind(const pkm_result* node)
{
    return node ? node->kind : PKM_RESULT_GROUP;
}

const char* pkm_result_key(const pkm_result* node)
{
    return node ? node->key : "";
}

const char* pkm_result_unit(const pkm_result* node)
{
    return node ? node->unit : "";
}

const pkm_result* pkm_result_first(const pkm_result* node)
{
    return node ? node->first : NULL;
}

const pkm_result* pkm_result_next(const pkm_result* node)
{
    return node ? node->next : NULL;
}

int pkm_result_count(const pkm_result* node)
{
    return node ? node->n : 0;
}

double pkm_result_value(const pkm_result* node, int k)
{
    if (!node) return NAN;
    if (node->kind != PKM_RESULT_NUMBERS) return node->number;
    return k >= 0 && k < node->n ? node->vector[k] : NAN;
}

const double* pkm_result_vector(const pkm_result* node)
{
    return node ? node->vector : NULL;
}

const char* pkm_result_get_text(const pkm_result* node)
{
    return node ? node->text : NULL;
}

const pkm_result* pkm_result_child(const pkm_result* node, const char* key, size_t length)
{
    // by a walk: groups are short, and asked for a few of their keys
    const pkm_result* child = node ? node->first : NULL;
    while (child && (strlen(child->key) != length || memcmp(child->key, key, length) != 0))
        child = child->next;
    return child;
}

/// The member of a list at the place that the first `length` characters of `digits` say.
static const pkm_result* member(const pkm_result* list, const char* digits, size_t length)
{
    const pkm_result* at = list->first;
    int k = 0;
    for (size_t i = 0; i < length; ++i) {
        // left before k overflows: a place beyond the list is none
        if (digits[i] < '0' || digits[i] > '9' || k > list->n) return NULL;
        k = 10 * k + (digits[i] - '0');
    }
    while (at && k-- > 0)
        at = at->next;
    return length > 0 ? at : NULL;
}

const pkm_result* pkm_result_find(const pkm_result* node, const char* path)
{
    while (node && path && *path) {
        // keys have no dots, so that a path is taken apart without quotes
        const size_t length = strcspn(path, ".");
        node = node->kind == PKM_RESULT_LIST ? member(node, path, length)
                                             : pkm_result_child(node, path, length);
        path += length + (path[length] == '.');
    }
    return path ? node : NULL;
}
