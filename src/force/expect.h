/// What force laws expect of their numbers, and the one sentence that says so:
/// "NAME: KEY -1, expected a number >= 0".
#ifndef PKM_FORCE_EXPECT_H
#define PKM_FORCE_EXPECT_H

#include "pkm/status.h"

#include <stdbool.h>

/// PKM_ERR_ARGUMENT unless `is_fine`; `what` was expected.
PKM_NODISCARD pkm_status pkm_expect(bool is_fine, const char* name, const char* key, double value,
                                    const char* what, pkm_error* err);
PKM_NODISCARD pkm_status pkm_expect_finite(const char* name, const char* key, double value,
                                           pkm_error* err);
PKM_NODISCARD pkm_status pkm_expect_not_negative(const char* name, const char* key, double value,
                                                 pkm_error* err);
PKM_NODISCARD pkm_status pkm_expect_positive(const char* name, const char* key, double value,
                                             pkm_error* err);
/// Above 0 and at most 1: efficiencies.
PKM_NODISCARD pkm_status pkm_expect_part(const char* name, const char* key, double value,
                                         pkm_error* err);

#endif
