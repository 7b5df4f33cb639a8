/// Patterns of names: `*` stands for any letters (none, too), `?` for one.
#ifndef PKM_BASE_PATTERN_H
#define PKM_BASE_PATTERN_H

#include <stdbool.h>

/// True when the whole of `name` is as `pattern` says.
bool pkm_pattern_matches(const char* pattern, const char* name);

/// True when `pattern` has a `*` or `?`, so that it may stand for several names.
bool pkm_pattern_is_wild(const char* pattern);

#endif
