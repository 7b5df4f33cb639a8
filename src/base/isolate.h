/// Work in a process of its own: a library that crashes, loops or takes all memory on a damaged
/// file ends that process and nothing else.
#ifndef PKM_BASE_ISOLATE_H
#define PKM_BASE_ISOLATE_H

#include "pkm/status.h"

#include <stdbool.h>
#include <stddef.h>

/// What the work may use; 0 means: no limit.
typedef struct pkm_isolate_limits {
    unsigned seconds; ///< of the processor
    size_t bytes;     ///< of memory, above what the program holds already
    size_t answer;    ///< bytes that it may send
} pkm_isolate_limits;

/// Where the work sends its bytes.
typedef struct pkm_isolate_pipe pkm_isolate_pipe;

/// Send bytes; false when nobody listens any more.
bool pkm_isolate_send(pkm_isolate_pipe* pipe, const void* bytes, size_t size);

/// The work. It runs in a copy of the program: what it changes in memory is lost, what it sends
/// arrives. Status and `err` reach the caller.
typedef pkm_status (*pkm_isolate_work)(void* user, pkm_isolate_pipe* pipe, pkm_error* err);

/// Do `work` in a child process and wait for its end. `bytes` (freed with pkm_free) are what it
/// sent.
/// @return the status of the work; PKM_ERR_FILE with how it ended when it crashed or passed a
///         limit; PKM_ERR_MEMORY. After a failure `bytes` is NULL.
PKM_NODISCARD pkm_status pkm_isolate(pkm_isolate_work work, void* user,
                                     const pkm_isolate_limits* limits, char** bytes, size_t* size,
                                     pkm_error* err);

#endif
