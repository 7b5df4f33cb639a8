/// A YAML file as a tree of maps, lists and texts, each with its place. The parser behind it stays
/// behind it.
#ifndef PKM_MODEL_YAML_H
#define PKM_MODEL_YAML_H

#include "base/memory.h"
#include "model/description.h"

typedef enum pkm_yaml_kind {
    PKM_YAML_TEXT, ///< every scalar; "" for an empty value
    PKM_YAML_LIST,
    PKM_YAML_MAP,
} pkm_yaml_kind;

typedef struct pkm_yaml pkm_yaml;
struct pkm_yaml {
    pkm_yaml_kind kind;
    const char* key;  ///< inside a map, else NULL
    const char* text; ///< of a scalar, else ""
    pkm_place place, key_place;
    int text_column; ///< column of text[0] where the text stands as it is in one line, else 0
    int index;       ///< in its parent, from 0
    int n_child;
    const pkm_yaml *parent, *first, *next;
};

/// Parse `text` into nodes that live in `arena`; `name` stands for the file in messages.
///
/// A model file needs little of YAML, so the rest is refused: anchors and aliases (a few lines of
/// them can unfold to gigabytes), tags, several documents, maps as keys, the same key twice, and
/// nesting beyond any model.
///
/// @return PKM_ERR_SYNTAX with the place; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_yaml_parse(const char* text, size_t length, const char* name,
                                        pkm_arena* arena, const pkm_yaml** out, pkm_error* err);

/// A description from the tree of a model file that stands for `text`, as pkm_description_parse
/// makes it: for files that are read many times with other overrides. The tree is only read.
PKM_NODISCARD pkm_status pkm_description_from_tree(const pkm_yaml* root, const char* text,
                                                   const char* name, const pkm_override* set,
                                                   int n_set, pkm_description** out,
                                                   pkm_error* err);

/// The value of `key` in a map, or NULL; NULL for what is no map, and for a NULL node.
const pkm_yaml* pkm_yaml_get(const pkm_yaml* node, const char* key);

/// The place of byte `at` of the node's text; the node's start where that is not known.
pkm_place pkm_yaml_text_place(const pkm_yaml* node, int at);

/// "a map", "a list", "nothing" or the text in quotes, for messages.
typedef struct pkm_yaml_shown {
    char text[80];
} pkm_yaml_shown;

pkm_yaml_shown pkm_yaml_show(const pkm_yaml* node);

#endif
