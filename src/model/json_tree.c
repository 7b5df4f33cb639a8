// Recursive descent with bounds on depth and number of nodes. Texts and numbers stay where they are
// in the file; a node only points to them.
#include "model/json_tree.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 64,
    // of trees:
    MAX_NODE = 1000000,
    MAX_KEY = 1000,  // of a map: searching one stays cheap
    MAX_NUMBER = 40, // bytes of a number: more have no meaning in a double
};

/// A text and how far it has been read. Every function below reads one thing, and fails at the byte
/// that cannot be part of it.
typedef struct parser {
    const char *text, *at, *end, *name;
    pkm_arena* arena; ///< of the nodes; NULL: none are made
    pkm_error* err;
    int n_node;
} parser;

static pkm_status fail(const parser* p, const char* expected)
{
    int line = 1, column = 1;
    // counted when something is wrong, not on the way
    for (const char* c = p->text; c < p->at && c < p->end; ++c) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    return pkm_fail_at(p->err, PKM_ERR_SYNTAX, p->name, line, column,
                       "this is no JSON, expected %s here", expected);
}

// ---- words, texts, numbers --------------------------------------------------------------------

static void skip_space(parser* p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t'))
        ++p->at;
}

/// The byte `c`, at once.
static bool take(parser* p, char c)
{
    if (p->at == p->end || *p->at != c) return false;
    ++p->at;
    return true;
}

/// The byte `c` behind spaces.
static bool take_mark(parser* p, char c)
{
    skip_space(p);
    return take(p, c);
}

static bool is_one_of(const parser* p, const char* bytes)
{
    return p->at < p->end && *p->at && strchr(bytes, *p->at);
}

static pkm_status read_escape(parser* p)
{
    if (!is_one_of(p, "\"\\/bfnrtu")) return fail(p, "an escape of JSON");
    if (*p->at++ != 'u') return PKM_OK;
    for (int k = 0; k < 4; ++k, ++p->at)
        if (!is_one_of(p, "0123456789abcdefABCDEF")) return fail(p, "four hexadecimal digits");
    return PKM_OK;
}

/// A text in quotes, as it is written.
static pkm_status read_text(parser* p, const char** text, size_t* length)
{
    if (!take_mark(p, '"')) return fail(p, "a string");
    *text = p->at;
    while (p->at < p->end && *p->at != '"') {
        if ((unsigned char)*p->at < 0x20) return fail(p, "the end of the string");
        // kept as written: names and units that are compared have no escapes
        if (*p->at++ == '\\') PKM_TRY(read_escape(p));
    }
    *length = (size_t)(p->at - *text);
    return take(p, '"') ? PKM_OK : fail(p, "the end of the string");
}

static bool take_digits(parser* p)
{
    const char* from = p->at;
    while (is_one_of(p, "0123456789"))
        ++p->at;
    return p->at > from;
}

static pkm_status scan_number(parser* p)
{
    take(p, '-');
    // JSON has no leading zeros: after one a point or an end follows
    if (!take(p, '0') && !take_digits(p)) return fail(p, "a value");
    if (take(p, '.') && !take_digits(p)) return fail(p, "a digit");
    if (!take(p, 'e') && !take(p, 'E')) return PKM_OK;
    if (!take(p, '+')) take(p, '-');
    return take_digits(p) ? PKM_OK : fail(p, "a digit");
}

static pkm_status read_number(parser* p, pkm_json_tree* node)
{
    char copy[MAX_NUMBER + 1];
    const char* from = p->at;
    PKM_TRY(scan_number(p));
    if (!node) return PKM_OK;
    const size_t n = (size_t)(p->at - from);
    p->at = from;
    // back at the number, so that the fault has its place
    if (n > MAX_NUMBER) return fail(p, "a number with fewer digits");
    memcpy(copy, from, n);
    copy[n] = 0;
    node->kind = PKM_JSON_NUMBER;
    node->number = strtod(copy, NULL);
    if (!isfinite(node->number)) return fail(p, "a number that a double holds");
    p->at += n;
    return PKM_OK;
}

static pkm_status read_word(parser* p)
{
    const char* word = *p->at == 't' ? "true" : *p->at == 'f' ? "false" : "null";
    for (; *word; ++word)
        if (!take(p, *word)) return fail(p, "true, false or null");
    return PKM_OK;
}

// ---- lists and maps ---------------------------------------------------------------------------

static pkm_status read_value(parser* p, int depth, pkm_json_tree** out);

/// Children up to `close`, behind the opening bracket; `node` (may be NULL) receives them.
static pkm_status read_children(parser* p, int depth, char close, pkm_json_tree* node)
{
    const bool is_map = close == '}';
    pkm_json_tree *unread = NULL, **end = node ? &node->first : &unread;
    // the recursion is as deep as the text nests, and the text is anybody's
    if (depth == MAX_DEPTH) return fail(p, "fewer levels");
    if (take_mark(p, close)) return PKM_OK;
    for (int n = 1;; ++n) {
        const char* key = NULL;
        size_t length = 0;
        if (is_map) PKM_TRY(read_text(p, &key, &length));
        if (is_map && !take_mark(p, ':')) return fail(p, "a colon");
        PKM_TRY(read_value(p, depth + 1, end));
        if (node) {
            (*end)->key = key;
            (*end)->key_length = length;
            node->n_child = n;
            end = &(*end)->next;
            // keys are found by a walk: a map with a million would take a million squared
            if (is_map && n > MAX_KEY) return fail(p, "a map with fewer keys");
        }
        if (take_mark(p, close)) return PKM_OK;
        if (!take(p, ',')) return fail(p, is_map ? "a comma or }" : "a comma or ]");
    }
}

/// A list has its children in an array, too.
static pkm_status list_children(parser* p, pkm_json_tree* node)
{
    if (!node || node->kind != PKM_JSON_LIST || !node->first) return PKM_OK;
    node->item = pkm_arena_alloc(p->arena, (size_t)node->n_child, sizeof *node->item);
    if (!node->item) return pkm_out_of_memory(p->err);
    int k = 0;
    for (pkm_json_tree* child = node->first; child; child = child->next)
        node->item[k++] = child;
    return PKM_OK;
}

static pkm_status make_node(parser* p, pkm_json_tree** out)
{
    // a check alone makes no tree
    if (!p->arena) return PKM_OK;
    if (++p->n_node > MAX_NODE) return fail(p, "fewer items");
    *out = pkm_arena_alloc(p->arena, 1, sizeof **out);
    if (!*out) return pkm_out_of_memory(p->err);
    **out = (pkm_json_tree){.number = NAN};
    return PKM_OK;
}

static pkm_status read_value(parser* p, int depth, pkm_json_tree** out)
{
    const char* text;
    size_t length;
    PKM_TRY(make_node(p, out));
    pkm_json_tree* node = *out;
    skip_space(p);
    const char c = p->at < p->end ? *p->at : 0;
    if (c == '{' || c == '[') {
        if (node) node->kind = c == '{' ? PKM_JSON_MAP : PKM_JSON_LIST;
        ++p->at;
        PKM_TRY(read_children(p, depth, c == '{' ? '}' : ']', node));
        return list_children(p, node);
    }
    if (c == '"') {
        PKM_TRY(read_text(p, &text, &length));
        if (node) node->kind = PKM_JSON_TEXT, node->text = text, node->length = length;
        return PKM_OK;
    }
    return c == 'n' || c == 't' || c == 'f' ? read_word(p) : read_number(p, node);
}

static pkm_status read_all(parser* p, pkm_json_tree** out)
{
    PKM_TRY(read_value(p, 0, out));
    skip_space(p);
    return p->at == p->end ? PKM_OK : fail(p, "the end");
}

pkm_status pkm_json_tree_parse(const char* text, size_t length, const char* name, pkm_arena* arena,
                               const pkm_json_tree** out, pkm_error* err)
{
    parser p = {text, text, text + length, name, .arena = arena, .err = err};
    pkm_json_tree* node = NULL;
    *out = NULL;
    PKM_TRY(read_all(&p, &node));
    *out = node;
    return PKM_OK;
}

pkm_status pkm_json_check(const char* text, size_t length, const char* name, pkm_error* err)
{
    parser p = {text, text, text + length, name, .err = err};
    pkm_json_tree* none = NULL;
    return read_all(&p, &none);
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
    // in doubles, before the cast: out of range it would be undefined
    if (!(value >= 0.0 && value <= (double)most) || floor(value) != value) return false;
    *out = (size_t)value;
    return true;
}

bool pkm_json_tree_is(const pkm_json_tree* node, const char* wanted)
{
    return node && node->kind == PKM_JSON_TEXT && node->length == strlen(wanted) &&
           memcmp(node->text, wanted, node->length) == 0;
}
