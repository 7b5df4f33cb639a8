/// Is a text JSON (RFC 8259)?
#ifndef PKM_WRITE_JSON_CHECK_H
#define PKM_WRITE_JSON_CHECK_H

#include "pkm/status.h"

#include <stddef.h>

/// PKM_ERR_SYNTAX with line and column of the first byte that cannot stand where it is; `name`
/// stands for the file in the message. Allocates nothing.
PKM_NODISCARD pkm_status pkm_json_check(const char* text, size_t length, const char* name,
                                        pkm_error* err);

#endif
