/// The one reader of JSON (RFC 8259), for files of strangers: bounds are checked, nesting and items
/// counted. It makes a tree, or only checks.
#ifndef PKM_MODEL_JSON_TREE_H
#define PKM_MODEL_JSON_TREE_H

#include "base/memory.h"
#include "pkm/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum pkm_json_kind {
    PKM_JSON_OTHER, ///< null, true, false
    PKM_JSON_NUMBER,
    PKM_JSON_TEXT,
    PKM_JSON_LIST,
    PKM_JSON_MAP,
} pkm_json_kind;

typedef struct pkm_json_tree pkm_json_tree;
struct pkm_json_tree {
    pkm_json_kind kind;
    const char* key; ///< inside a map, else NULL; as it is written, escapes and all, like `text`
    size_t key_length;
    const char* text;
    size_t length;
    double number; ///< NaN for what is no number
    int n_child;
    pkm_json_tree *first, *next;
    pkm_json_tree** item; ///< of a list: its children in order
};

/// Parse `length` bytes; the nodes live in `arena` and point into `text`.
/// @return PKM_ERR_SYNTAX with line and column in `name`; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_json_tree_parse(const char* text, size_t length, const char* name,
                                             pkm_arena* arena, const pkm_json_tree** out,
                                             pkm_error* err);

/// Is a text JSON? The same without nodes: allocates nothing.
/// @return PKM_ERR_SYNTAX with line and column of the first byte that cannot stand where it is.
PKM_NODISCARD pkm_status pkm_json_check(const char* text, size_t length, const char* name,
                                        pkm_error* err);

/// The value of `key` in a map, item `i` of a list; NULL where there is none, and for a NULL node.
const pkm_json_tree* pkm_json_tree_get(const pkm_json_tree* node, const char* key);
const pkm_json_tree* pkm_json_tree_item(const pkm_json_tree* node, int i);

/// A whole number from 0 to `most`, `fallback` where the node is NULL. False: it is none.
bool pkm_json_tree_count(const pkm_json_tree* node, size_t most, size_t fallback, size_t* out);
/// A text without escapes that is `wanted`.
bool pkm_json_tree_is(const pkm_json_tree* node, const char* wanted);

#endif
