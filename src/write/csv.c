// Heading with units, then the rows, every number with the fewest digits that read back. Texts that
// a spreadsheet would take for a formula get a quote in front.
#include "pkm/output.h"

#include "base/error.h"
#include "write/csv.h"
#include "write/number.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char* text)
{
    char* end;
    strtod(text, &end);
    return end != text && *end == '\0';
}

/// `text`, its quotes doubled when it stands in quotes.
static void write_part(pkm_stream* stream, const char* text, bool is_quoted)
{
    for (; *text; ++text) {
        if (is_quoted && *text == '"') pkm_stream_text(stream, "\"");
        pkm_stream_write(stream, text, 1);
    }
}

void pkm_csv_heading(pkm_stream* stream, const char* name, const char* unit)
{
    static const char special[] = ",;\"\t\r\n";
    if (!name) name = "";
    if (!unit) unit = "";
    const bool is_quoted = strpbrk(name, special) || strpbrk(unit, special);
    const bool is_formula = name[0] && strchr("=+-@", name[0]) && !is_number(name);
    if (is_quoted) pkm_stream_text(stream, "\"");
    if (is_formula) pkm_stream_text(stream, "'");
    write_part(stream, name, is_quoted);
    if (unit[0] != '\0') {
        pkm_stream_text(stream, " [");
        write_part(stream, unit, is_quoted);
        pkm_stream_text(stream, "]");
    }
    if (is_quoted) pkm_stream_text(stream, "\"");
}

void pkm_csv_text(pkm_stream* stream, const char* text)
{
    pkm_csv_heading(stream, text, NULL);
}

static void write_rows(pkm_stream* stream, const pkm_table* table)
{
    const int n_row = pkm_table_n_row(table), n_column = pkm_table_n_column(table);
    for (int r = 0; r < n_row; ++r)
        for (int c = 0; c < n_column; ++c) {
            char text[PKM_NUMBER_SIZE + 1];
            int n = pkm_number_format(pkm_table_get(table, r, c), text);
            text[n++] = c + 1 < n_column ? ',' : '\n';
            pkm_stream_write(stream, text, (size_t)n);
        }
}

pkm_status pkm_csv_write(const pkm_table* table, const char* path, pkm_error* err)
{
    if (!table || !path) return pkm_fail(err, PKM_ERR_ARGUMENT, "CSV: the table or path is NULL");
    const int n_column = pkm_table_n_column(table);
    if (n_column == 0) return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: the table has no columns", path);
    PKM_TRY(pkm_table_check_finite(table, err));

    pkm_stream* stream;
    PKM_TRY(pkm_stream_open(path, &stream, err));
    for (int c = 0; c < n_column; ++c) {
        pkm_csv_heading(stream, pkm_table_name(table, c), pkm_table_unit(table, c));
        pkm_stream_text(stream, c + 1 < n_column ? "," : "\n");
    }
    write_rows(stream, table);
    return pkm_stream_close(stream, err);
}
