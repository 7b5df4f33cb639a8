// Allocations are counted, and the n-th can be made to fail: tests walk through all of them. The
// arena hands out zeroed pieces of larger blocks and frees all at once.
#include "base/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Of the whole process, so that tests count what any thread allocates and let any of it fail.
static atomic_size_t alloc_count;
static atomic_size_t fail_at;

static int may_allocate(void)
{
    atomic_fetch_add(&alloc_count, 1);
    const size_t n = atomic_load(&fail_at);
    if (n == 0) return 1;
    if (n == 1) return 0; // from the n-th on, all fail
    atomic_store(&fail_at, n - 1);
    return 1;
}

size_t pkm_alloc_count(void)
{
    return atomic_load(&alloc_count);
}

void pkm_alloc_fail_at(size_t n)
{
    atomic_store(&fail_at, n);
}

void* pkm_alloc(size_t count, size_t size)
{
    if (!may_allocate()) return NULL;
    // zeroed, and never of size zero: NULL always means that memory is out
    return calloc(count ? count : 1, size ? size : 1);
}

void* pkm_realloc(void* old, size_t count, size_t size)
{
    // calloc checks its product, realloc has none to check
    if (size && count > SIZE_MAX / size) return NULL;
    if (!may_allocate()) return NULL;
    const size_t bytes = count * size;
    return realloc(old, bytes > 0 ? bytes : 1);
}

void pkm_free(void* block)
{
    free(block);
}

enum { ARENA_BLOCK = 16 * 1024, ARENA_ALIGN = 16 };

typedef struct arena_block {
    struct arena_block* next;
    size_t used, size;
    _Alignas(ARENA_ALIGN) unsigned char data[];
} arena_block;

struct pkm_arena {
    arena_block* first;
};

pkm_arena* pkm_arena_create(void)
{
    return pkm_alloc(1, sizeof(pkm_arena));
}

static void free_blocks(pkm_arena* arena)
{
    for (arena_block* block = arena->first; block;) {
        arena_block* next = block->next;
        pkm_free(block);
        block = next;
    }
    arena->first = NULL;
}

void pkm_arena_free(pkm_arena* arena)
{
    if (!arena) return;
    free_blocks(arena);
    pkm_free(arena);
}

/// A block in front of the others; NULL when memory is out.
static arena_block* add_block(pkm_arena* arena, size_t size)
{
    arena_block* block = pkm_alloc(1, sizeof(arena_block) + size);
    if (!block) return NULL;
    block->size = size;
    block->next = arena->first;
    arena->first = block;
    return block;
}

void pkm_arena_clear(pkm_arena* arena)
{
    size_t used = 0;
    for (const arena_block* block = arena->first; block; block = block->next)
        used += block->used;
    arena_block* first = arena->first;
    if (first && !first->next && first->size >= used + used / 3) {
        memset(first->data, 0, first->used);
        first->used = 0;
        return;
    }
    // one block with room to spare; without memory for it the next use asks again
    free_blocks(arena);
    if (used > 0) (void)add_block(arena, 2 * used);
}

void* pkm_arena_alloc(pkm_arena* arena, size_t count, size_t size)
{
    // half, so that rounding up to the alignment cannot overflow either
    if (size && count > (SIZE_MAX / 2) / size) return NULL;
    const size_t want = (count * size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    arena_block* block = arena->first;
    // the rest of the old block is left: it is small, or the new piece is larger than a block
    if (!block || block->size - block->used < want) {
        block = add_block(arena, want > ARENA_BLOCK ? want : ARENA_BLOCK);
        if (!block) return NULL;
    }
    void* out = block->data + block->used;
    block->used += want;
    return out;
}

char* pkm_arena_text(pkm_arena* arena, const char* text, size_t length)
{
    char* out = pkm_arena_alloc(arena, length + 1, 1);
    if (out) memcpy(out, text, length);
    return out;
}
