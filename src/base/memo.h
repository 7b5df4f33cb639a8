/// A memo of what changes: one walk over an object counts, saves or restores it, so that the three
/// cannot part.
#ifndef PKM_BASE_MEMO_H
#define PKM_BASE_MEMO_H

#include <stddef.h>
#include <string.h>

typedef enum pkm_memo_way {
    PKM_MEMO_COUNT,
    PKM_MEMO_SAVE,
    PKM_MEMO_RESTORE,
} pkm_memo_way;

/// Where the walk is in its bytes.
typedef struct pkm_memo {
    pkm_memo_way way;
    unsigned char* bytes; ///< not read while counting
    size_t used;
} pkm_memo;

/// Count, save or restore `size` bytes at `data`.
static inline void pkm_memo_pass(pkm_memo* memo, void* data, size_t size)
{
    if (memo->way == PKM_MEMO_SAVE && size > 0) memcpy(memo->bytes + memo->used, data, size);
    if (memo->way == PKM_MEMO_RESTORE && size > 0) memcpy(data, memo->bytes + memo->used, size);
    memo->used += size;
}

#endif
