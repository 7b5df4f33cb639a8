/// Which of many names is it? An index of the names of a list that only grows, so that finding one
/// does not take longer in large models.
#ifndef PKM_MODEL_NAME_INDEX_H
#define PKM_MODEL_NAME_INDEX_H

#include "base/memory.h"

#include <stdbool.h>

typedef struct pkm_name_index {
    int n;      ///< names that are in it
    int n_slot; ///< a power of two; 0: none yet
    int* slot;  ///< [n_slot] number of the name + 1; 0: free
} pkm_name_index;

/// The i-th name of the list.
typedef const char* (*pkm_name_of)(const void* list, int i);

/// Take in the names from index->n on, up to `n`. Memory comes from `arena`.
bool pkm_name_index_grow(pkm_name_index* index, pkm_arena* arena, pkm_name_of name,
                         const void* list, int n);
/// The number of `text`; PKM_NONE: it is none of them.
int pkm_name_index_find(const pkm_name_index* index, pkm_name_of name, const void* list,
                        const char* text);

#endif
