/// Filling a pkm_error; a NULL error is allowed everywhere.
#ifndef PKM_BASE_ERROR_H
#define PKM_BASE_ERROR_H

#include "pkm/status.h"

#include <assert.h>

#define PKM_ASSERT(condition) assert(condition)

/// Return from the caller when `call` fails; only where nothing is owned.
#define PKM_TRY(call)                                                                              \
    do {                                                                                           \
        const pkm_status pkm_try_status = (call);                                                  \
        if (pkm_try_status != PKM_OK) return pkm_try_status;                                       \
    } while (0)

/// Store status and sentence in `err` (which may be NULL), without a place; returns `status`.
pkm_status pkm_fail(pkm_error* err, pkm_status status, const char* format, ...) PKM_PRINTF(3, 4);

/// The same with a place: `file` may be NULL, `line` and `column` count from 1.
pkm_status pkm_fail_at(pkm_error* err, pkm_status status, const char* file, int line, int column,
                       const char* format, ...) PKM_PRINTF(6, 7);

/// Memory is out: the sentence and the status of every allocation that fails.
pkm_status pkm_out_of_memory(pkm_error* err);

#endif
