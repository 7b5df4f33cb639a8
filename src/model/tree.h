/// A tree of maps, lists and texts as one text of counted parts, to be carried where no YAML is
/// read: every node is one line of numbers with its key and its text behind it,
///
///     KIND line column key_line key_column text_column key_length text_length n_child
///
/// then the bytes of key and text and a line break, then its children. KIND is t, l or m; a key
/// length of -1 means that there is no key. Places stay, so messages name line and column of the
/// file that was written.
#ifndef PKM_MODEL_TREE_H
#define PKM_MODEL_TREE_H

#include "model/yaml.h"

/// The text of a tree, freed with pkm_free; NULL: memory is out.
char* pkm_tree_write(const pkm_yaml* root);

/// The same for one text without a place.
char* pkm_tree_write_text(const char* text);

/// The tree of such a text, as pkm_yaml_parse gives it.
/// @return PKM_ERR_SYNTAX for what pkm_tree_write does not write; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_tree_read(const char* text, size_t length, const char* name,
                                       pkm_arena* arena, const pkm_yaml** out, pkm_error* err);

#endif
