// Open addressing over FNV-1a; the table is at most half full.
#include "model/name_index.h"

#include "pkm/types.h"

#include <stdint.h>
#include <string.h>

enum { LEAST_SLOTS = 64 };

/// FNV-1a, 32 bits.
static uint32_t hash_of(const char* text)
{
    uint32_t hash = 2166136261u;
    for (; *text; ++text)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/// The slot that has `text`, or the free one where it belongs.
static int slot_of(const pkm_name_index* index, pkm_name_of name, const void* list,
                   const char* text)
{
    const uint32_t mask = (uint32_t)index->n_slot - 1u;
    uint32_t at = hash_of(text) & mask;
    while (index->slot[at] > 0 && strcmp(name(list, index->slot[at] - 1), text) != 0)
        at = (at + 1u) & mask;
    return (int)at;
}

/// Of equal names the first stays.
static void put(pkm_name_index* index, pkm_name_of name, const void* list, int i)
{
    const int at = slot_of(index, name, list, name(list, i));
    if (index->slot[at] == 0) index->slot[at] = i + 1;
}

bool pkm_name_index_grow(pkm_name_index* index, pkm_arena* arena, pkm_name_of name,
                         const void* list, int n)
{
    if (n == index->n) return true;
    if (2 * n > index->n_slot) { // more than half full: anew, for twice as many
        int n_slot = LEAST_SLOTS;
        while (n_slot < 4 * n)
            n_slot *= 2;
        int* slot = pkm_arena_alloc(arena, (size_t)n_slot, sizeof *slot);
        if (!slot) return false;
        *index = (pkm_name_index){.n_slot = n_slot, .slot = slot};
    }
    for (; index->n < n; ++index->n)
        put(index, name, list, index->n);
    return true;
}

int pkm_name_index_find(const pkm_name_index* index, pkm_name_of name, const void* list,
                        const char* text)
{
    if (index->n_slot == 0) return PKM_NONE;
    return index->slot[slot_of(index, name, list, text)] - 1;
}
