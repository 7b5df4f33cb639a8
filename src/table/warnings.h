/// Warnings: what a user must know beside the numbers. Every analysis puts them here and nowhere
/// else; text, JSON, summaries, studies and reports take them from here.
#ifndef PKM_TABLE_WARNINGS_H
#define PKM_TABLE_WARNINGS_H

#include "pkm/table.h"

enum { PKM_MAX_WARNING = 32, PKM_WARNING_KIND = 24, PKM_WARNING_TEXT = 400 };

typedef struct pkm_warning {
    char kind[PKM_WARNING_KIND]; ///< for machines: "singularity", "flexible", "limit" ...
    char text[PKM_WARNING_TEXT]; ///< a sentence that names item and value
    double t;                    ///< [s]; NaN: of no instant
} pkm_warning;

/// A list without memory of its own. Zeroed: empty.
typedef struct pkm_warnings {
    int n;
    int lost; ///< that found no room
    pkm_warning item[PKM_MAX_WARNING];
} pkm_warnings;

/// Add a warning; the same kind and text is kept once. `to` may be NULL.
void pkm_warn(pkm_warnings* to, const char* kind, double t, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

/// Those that came with the rows of a table; NULL for NULL.
pkm_warnings* pkm_table_warnings(pkm_table* table);
const pkm_warnings* pkm_table_get_warnings(const pkm_table* table);

#endif
