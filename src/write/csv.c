#include "pkm/output.h"

#include "base/error.h"
#include "write/number.h"
#include "write/stream.h"

#include <string.h>

/// `text`, its quotes doubled when it stands in quotes.
static void write_part(pkm_stream* stream, const char* text, int quoted)
{
    for (; *text; ++text) {
        if (quoted && *text == '"') pkm_stream_text(stream, "\"");
        pkm_stream_write(stream, text, 1);
    }
}

/// `name [unit]`, in quotes where a reader would otherwise split it.
static void write_heading(pkm_stream* stream, const char* name, const char* unit)
{
    const int quoted = strpbrk(name, ",\"\r\n") != NULL || strpbrk(unit, ",\"\r\n") != NULL;
    if (quoted) pkm_stream_text(stream, "\"");
    write_part(stream, name, quoted);
    if (unit[0] != '\0') {
        pkm_stream_text(stream, " [");
        write_part(stream, unit, quoted);
        pkm_stream_text(stream, "]");
    }
    if (quoted) pkm_stream_text(stream, "\"");
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
        write_heading(stream, pkm_table_name(table, c), pkm_table_unit(table, c));
        pkm_stream_text(stream, c + 1 < n_column ? "," : "\n");
    }
    write_rows(stream, table);
    return pkm_stream_close(stream, err);
}
