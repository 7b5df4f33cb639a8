/// The one door to the heap, so that tests can count and fail allocations; and the arena.
#ifndef PKM_BASE_MEMORY_H
#define PKM_BASE_MEMORY_H

#include <stddef.h>

/// Zeroed memory for `count` items, or NULL. Freed with pkm_free.
void* pkm_alloc(size_t count, size_t size);
/// Grow to `count` items; NULL leaves the old block alone. New bytes are not zeroed.
void* pkm_realloc(void* old, size_t count, size_t size);
void pkm_free(void* block);

/// Allocations since the start of the program; a step that allocates nothing leaves it alone.
size_t pkm_alloc_count(void);
/// Let the n-th allocation from now on fail (n = 1 is the next); 0 switches this off.
void pkm_alloc_fail_at(size_t n);

/// Memory that lives and dies together.
typedef struct pkm_arena pkm_arena;
pkm_arena* pkm_arena_create(void);
void pkm_arena_free(pkm_arena* arena);
/// Empty it for the next use, which allocates nothing when it takes no more than a third more.
void pkm_arena_clear(pkm_arena* arena);
/// Zeroed, 16-byte aligned, or NULL.
void* pkm_arena_alloc(pkm_arena* arena, size_t count, size_t size);
/// A copy of the first `length` characters of `text`, terminated, or NULL.
char* pkm_arena_text(pkm_arena* arena, const char* text, size_t length);

#endif
