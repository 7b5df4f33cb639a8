#include "base/error.h"
#include "model/reader_impl.h"
#include "model/source.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MB = 64, MAX_COLUMN = 64 };

static bool is_separator(char c)
{
    return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r';
}

/// The numbers of one line. @return how many; 0 for a blank or comment line; -1 for other text.
static int parse_line(const char* s, double* out)
{
    int n = 0;
    for (;;) {
        while (is_separator(*s))
            ++s;
        if (*s == '\n' || *s == '\0' || *s == '#') return n;
        if (n == MAX_COLUMN || !strchr("+-.0123456789", *s)) return -1;
        char* end = NULL;
        out[n] = strtod(s, &end);
        const bool ends_well = is_separator(*end) || *end == '\n' || *end == '\0' || *end == '#';
        if (end == s || !ends_well || !isfinite(out[n])) return -1;
        s = end;
        ++n;
    }
}

static const char* next_line(const char* s)
{
    const char* end = strchr(s, '\n');
    return end ? end + 1 : s + strlen(s);
}

static pkm_status count_rows(const char* text, const char* path, int* n_row, int* n_column,
                             pkm_error* err)
{
    double row[MAX_COLUMN];
    int line = 1;
    bool may_be_heading = true;
    *n_row = *n_column = 0;
    for (const char* s = text; *s; s = next_line(s), ++line) {
        const int n = parse_line(s, row);
        if (n == 0) continue;
        if (n < 0 && !may_be_heading)
            return pkm_fail_at(err, PKM_ERR_SYNTAX, path, line, 1, "expected finite numbers");
        may_be_heading = false;
        if (n < 0) continue;
        if (*n_row > 0 && n != *n_column)
            return pkm_fail_at(err, PKM_ERR_SYNTAX, path, line, 1, "%d numbers, expected %d", n,
                               *n_column);
        *n_column = n;
        ++*n_row;
    }
    if (*n_row > 0) return PKM_OK;
    return pkm_fail_at(err, PKM_ERR_SYNTAX, path, 0, 0, "it has no rows of numbers");
}

static pkm_status parse(const char* text, const char* path, pkm_arena* arena, double** out,
                        int* n_row, int* n_column, pkm_error* err)
{
    PKM_TRY(count_rows(text, path, n_row, n_column, err));
    *out = pkm_arena_alloc(arena, (size_t)*n_row * (size_t)*n_column, sizeof **out);
    if (!*out) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    double row[MAX_COLUMN];
    int i = 0;
    for (const char* s = text; *s; s = next_line(s)) {
        const int n = parse_line(s, row);
        if (n <= 0) continue;
        for (int j = 0; j < n; ++j)
            (*out)[(size_t)j * (size_t)*n_row + (size_t)i] = row[j];
        ++i;
    }
    return PKM_OK;
}

pkm_status pkm_samples_read(const char* path, pkm_arena* arena, double** out, int* n_row,
                            int* n_column, pkm_error* err)
{
    char* text = NULL;
    size_t length = 0;
    *out = NULL;
    PKM_TRY(pkm_source_read(path, (size_t)MAX_MB << 20, &text, &length, err));
    pkm_status status = pkm_source_check_text(text, length, path, err);
    if (status == PKM_OK) status = parse(text, path, arena, out, n_row, n_column, err);
    pkm_free(text);
    return status;
}
