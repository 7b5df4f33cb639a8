// Numbers in rows of a text, separated by blanks, commas or semicolons: CSV of ours and of others.
#include "model/text_table.h"

#include "base/error.h"
#include "model/units.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIELD = 512, MAX_COLUMN = 4096 };

/// A text being read, line by line.
typedef struct csv {
    const char* at;
    const char* path;
    int line;
    pkm_error* err;
} csv;

/// Between fields: a comma, semicolon or tab; blanks where the line has none of them. A blank
/// before a unit in brackets belongs to the name.
static bool is_separator(const char* s, bool by_blanks)
{
    return *s == ',' || *s == ';' || *s == '\t' ||
           (by_blanks && *s == ' ' && s[1] != '[' && s[1] != '(');
}

/// The end of the line, or a comment behind a blank.
static bool is_end(const char* s)
{
    return *s == '\n' || *s == '\r' || *s == '\0' || (*s == '#' && (s[-1] == ' ' || s[-1] == '\t'));
}

static bool has_blanks_only(const char* s)
{
    while (*s && *s != '\n' && *s != ',' && *s != ';' && *s != '\t' && *s != '#')
        ++s;
    return *s != ',' && *s != ';' && *s != '\t';
}

/// The next field of the line, without quotes and the spaces around it.
static void next_field(const char** s, bool by_blanks, char out[MAX_FIELD], bool* is_last)
{
    size_t n = 0;
    while (**s == ' ')
        ++*s;
    const bool is_quoted = **s == '"';
    if (is_quoted) ++*s;
    while (**s && !(is_quoted ? **s == '"' && (*s)[1] != '"'
                              : is_separator(*s, by_blanks) || is_end(*s))) {
        if (is_quoted && **s == '"') ++*s; // a doubled quote stands for one
        if (n + 1 < MAX_FIELD) out[n++] = **s;
        ++*s;
    }
    if (is_quoted && **s == '"') ++*s;
    while (**s == ' ')
        ++*s;
    while (n > 0 && out[n - 1] == ' ')
        --n;
    out[n] = '\0';
    const bool has_more = is_separator(*s, false);
    *is_last = by_blanks ? is_end(*s) : !has_more;
    if (has_more) ++*s;
}

static void skip_line(csv* in)
{
    while (*in->at && *in->at != '\n')
        ++in->at;
    if (*in->at == '\n') ++in->at;
    ++in->line;
}

static bool is_blank(const char* s)
{
    while (*s == ' ' || *s == '\t')
        ++s;
    return *s == '#' || is_end(s);
}

static bool is_number(const char* text, double* out)
{
    char* end;
    *out = strtod(text, &end);
    return end != text && *end == '\0';
}

static bool is_unit(const char* text, pkm_unit* out)
{
    pkm_fault fault;
    return *text && pkm_unit_scan(text, false, out, &fault) == strlen(text);
}

/// Where the brackets begin that end a heading; what stands in round ones has to be a unit.
static char* find_brackets(char* field)
{
    const size_t length = strlen(field);
    const bool is_round = length > 0 && field[length - 1] == ')';
    char* bracket = strrchr(field, is_round ? '(' : '[');
    if (!bracket || bracket == field || (!is_round && field[length - 1] != ']')) return NULL;
    pkm_unit read;
    field[length - 1] = '\0';
    if (!is_round || is_unit(bracket + 1, &read)) return bracket;
    field[length - 1] = ')';
    return NULL;
}

/// "q1.force [N]" is the column q1.force with the unit N.
static int add_named(pkm_table* table, char* field)
{
    char* bracket = find_brackets(field);
    const char* unit = "";
    if (bracket) {
        unit = bracket + 1;
        while (bracket > field && bracket[-1] == ' ')
            --bracket;
        *bracket = '\0';
    }
    return pkm_table_add_column(table, field, unit);
}

/// Columns from the first line, which is a heading unless its first field is a number.
static pkm_status read_head(csv* in, pkm_table* table)
{
    const char* s = in->at;
    char field[MAX_FIELD], name[24];
    const bool by_blanks = has_blanks_only(s);
    bool is_last = false, is_heading = true;
    for (int c = 0; !is_last; ++c) {
        double number;
        next_field(&s, by_blanks, field, &is_last);
        if (c == 0) is_heading = !is_number(field, &number);
        if (c == MAX_COLUMN)
            return pkm_fail_at(in->err, PKM_ERR_SYNTAX, in->path, in->line, 1,
                               "more than %d columns", MAX_COLUMN);
        snprintf(name, sizeof name, "c%d", c + 1);
        const int added =
            is_heading ? add_named(table, field) : pkm_table_add_column(table, name, "");
        if (added == PKM_NONE) return pkm_out_of_memory(in->err);
    }
    if (is_heading) skip_line(in);
    return PKM_OK;
}

static pkm_status read_row(csv* in, pkm_table* table)
{
    const int n = pkm_table_n_column(table);
    const char* s = in->at;
    const bool by_blanks = has_blanks_only(s);
    double* row = pkm_table_append(table);
    char field[MAX_FIELD];
    bool is_last = false;
    int c = 0;
    if (!row) return pkm_out_of_memory(in->err);
    for (; !is_last; ++c) {
        double value;
        next_field(&s, by_blanks, field, &is_last);
        if (!is_number(field, &value) || !isfinite(value))
            return pkm_fail_at(in->err, PKM_ERR_SYNTAX, in->path, in->line, 1,
                               "column %d: '%.40s', expected a finite number", c + 1, field);
        if (c < n) row[c] = value;
    }
    if (c == n) return PKM_OK;
    return pkm_fail_at(in->err, PKM_ERR_SYNTAX, in->path, in->line, 1, "%d numbers, expected %d", c,
                       n);
}

pkm_status pkm_table_parse(const char* text, const char* path, pkm_table* table, pkm_error* err)
{
    csv in = {.at = text, .path = path, .line = 1, .err = err};
    while (*in.at) {
        const bool is_first = pkm_table_n_column(table) == 0;
        if (is_blank(in.at)) {
            skip_line(&in);
            continue;
        }
        PKM_TRY(is_first ? read_head(&in, table) : read_row(&in, table));
        if (!is_first) skip_line(&in);
    }
    if (pkm_table_n_row(table) > 0) return PKM_OK;
    return pkm_fail_at(err, PKM_ERR_SYNTAX, path, 0, 0, "it has no rows of numbers");
}

/// The unit other than that of SI that the end of a name seems to mean, or NULL. Behind a blank or
/// a line one letter says nothing, nor do words that mean something else, too.
static const char* loose_unit(const char* name)
{
    static const char* const words[] = {"min", "in", "turn", "bar"};
    const char* at = name + strlen(name);
    while (at > name && !strchr(" _/", at[-1]))
        --at;
    pkm_unit unit;
    if (at - name < 2 || !is_unit(at, &unit) || unit.numerator == unit.denominator) return NULL;
    if (at[-1] == '/') return at;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcmp(at, words[i]) == 0) return NULL;
    return at[1] ? at : NULL;
}

pkm_status pkm_table_require_unit(const pkm_table* table, int column, const char* path,
                                  pkm_error* err)
{
    const char* name = pkm_table_name(table, column);
    const char* unit = *pkm_table_unit(table, column) ? NULL : loose_unit(name);
    if (!unit) return PKM_OK;
    return pkm_fail_at(err, PKM_ERR_SYNTAX, path, 0, 0,
                       "column %d is '%.60s': expected its unit in brackets, '[%.40s]'", column + 1,
                       name, unit);
}
