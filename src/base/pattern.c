// `*` and `?` by going back to the last star, without recursion.
#include "base/pattern.h"

#include <stddef.h>
#include <string.h>

/// Goes on at the last `*` after a mismatch, with one letter more for it: linear in practice, and
/// no recursion.
bool pkm_pattern_matches(const char* pattern, const char* name)
{
    const char *star = NULL, *taken = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            taken = name;
        } else if (*pattern == '?' || *pattern == *name) {
            ++pattern;
            ++name;
        } else if (star) {
            pattern = star;
            name = ++taken;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        ++pattern;
    return *pattern == '\0';
}

bool pkm_pattern_is_wild(const char* pattern)
{
    return strpbrk(pattern, "*?") != NULL;
}
