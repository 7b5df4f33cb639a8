#include "pkm/output.h"

#include "base/memory.h"
#include "check.h"
#include "unit/write/scratch_folder.h"
#include "write/csv.h"

#include <stdint.h>
#include <time.h>

static uint64_t random_state = 0x9E3779B97F4A7C15u;

/// A finite double of any size: random bits, subnormals, whole numbers, zeros, in turn.
static double random_double(int k)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    const uint64_t bits = k % 4 == 1 ? random_state >> 12 : random_state;
    double v;
    memcpy(&v, &bits, sizeof v);
    if (k % 4 == 2 || !isfinite(v)) v = (double)(int64_t)(random_state >> (k % 64)) - 1e6;
    if (k % 40 == 3) v = -0.0;
    return v;
}

static pkm_table* random_table(int n_row, int n_column)
{
    pkm_table* table = pkm_table_create();
    for (int c = 0; c < n_column; ++c) {
        char name[24];
        snprintf(name, sizeof name, "q%d.force", c);
        pkm_table_add_column(table, name, "N");
    }
    for (int r = 0; r < n_row; ++r) {
        double* row = pkm_table_append(table);
        for (int c = 0; c < n_column; ++c)
            row[c] = random_double(r * n_column + c);
    }
    return table;
}

static void every_double_reads_back_bit_for_bit(void)
{
    enum { ROWS = 3000, COLUMNS = 7 };
    pkm_table* table = random_table(ROWS, COLUMNS);
    const char* path = scratch_path("random.csv");
    CHECK(pkm_csv_write(table, path, NULL) == PKM_OK);

    char* text = scratch_read(path);
    char* at = text ? strchr(text, '\n') + 1 : NULL;
    int bad = 0;
    for (int k = 0; at && k < ROWS * COLUMNS; ++k) {
        const double back = strtod(at, &at), v = pkm_table_get(table, k / COLUMNS, k % COLUMNS);
        bad += memcmp(&back, &v, sizeof v) != 0;
        bad += *at++ != (k % COLUMNS == COLUMNS - 1 ? '\n' : ',');
    }
    CHECK(at && *at == '\0');
    CHECK(bad == 0);
    free(text);
    pkm_table_free(table);
}

static void the_header_names_columns_and_units(void)
{
    pkm_table* table = pkm_table_create();
    pkm_table_add_column(table, "t", "s");
    pkm_table_add_column(table, "q1.q", "m");
    pkm_table_add_column(table, "ratio", "");
    pkm_table_add_column(table, "a,b \"c\"", "m");
    double* row = pkm_table_append(table);
    row[0] = 0.5;
    row[1] = -1.0 / 3.0;
    const char* path = scratch_path("header.csv");
    CHECK(pkm_csv_write(table, path, NULL) == PKM_OK);
    char* text = scratch_read(path);
    CHECK_TEXT(text, "t [s],q1.q [m],ratio,\"a,b \"\"c\"\" [m]\"\n0.5,-0.3333333333333333,0,0\n");
    free(text);
    pkm_table_free(table);
}

static void a_table_without_rows_is_its_header(void)
{
    pkm_table* table = pkm_table_create();
    pkm_error err = {0};
    CHECK(pkm_csv_write(table, scratch_path("empty.csv"), &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "no columns");
    pkm_table_add_column(table, "t", "s");
    CHECK(pkm_csv_write(table, scratch_path("empty.csv"), NULL) == PKM_OK);
    char* text = scratch_read(scratch_path("empty.csv"));
    CHECK_TEXT(text, "t [s]\n");
    free(text);
    pkm_table_free(table);
}

static void nan_and_infinity_are_refused_by_row_and_column(void)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; ++k) {
        scratch_clear();
        pkm_table* table = random_table(5, 3);
        pkm_table_append(table)[1] = bad[k];
        pkm_error err = {0};
        CHECK(pkm_csv_write(table, scratch_path("nan.csv"), &err) == PKM_ERR_ARGUMENT);
        CHECK_CONTAINS(err.text, "row 6, column \"q1.force\"");
        CHECK(scratch_count() == 0);
        pkm_table_free(table);
    }
}

static void a_path_that_cannot_be_written_leaves_nothing(void)
{
    scratch_clear();
    pkm_table* table = random_table(10, 3);
    pkm_error err = {0};
    CHECK(pkm_csv_write(table, scratch_path("no/such/folder.csv"), &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "no/such/folder.csv: cannot write: No such file or directory");
    CHECK(pkm_csv_write(table, "/dev/full", &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "/dev/full: cannot write: No space left on device");
    CHECK(scratch_count() == 0);
    pkm_table_free(table);
}

static void a_full_disk_leaves_nothing(void)
{
    scratch_clear();
    pkm_table* table = random_table(10000, 3);
    pkm_error err = {0};
    scratch_limit_size(70000);
    CHECK(pkm_csv_write(table, scratch_path("full.csv"), &err) == PKM_ERR_FILE);
    scratch_limit_size(0);
    CHECK_CONTAINS(err.text, "full.csv: cannot write: ");
    CHECK(scratch_count() == 0);
    pkm_table_free(table);
}

static void failing_memory_is_reported(void)
{
    scratch_clear();
    pkm_table* table = random_table(10, 3);
    pkm_status status = PKM_ERR_MEMORY;
    for (size_t n = 1; status == PKM_ERR_MEMORY && n < 20; ++n) {
        CHECK(scratch_count() == 0);
        pkm_alloc_fail_at(n);
        status = pkm_csv_write(table, scratch_path("memory.csv"), NULL);
        pkm_alloc_fail_at(0);
    }
    CHECK(status == PKM_OK);
    pkm_table_free(table);
}

// The budget is 0.3 s for 10,000 rows of 40 columns in the release build; sanitizers are slower.
static void a_large_table_is_written_fast(void)
{
    pkm_table* table = pkm_table_create();
    for (int c = 0; c < 40; ++c)
        pkm_table_add_column(table, "c", "N");
    for (int r = 0; r < 10000; ++r) {
        double* row = pkm_table_append(table);
        for (int c = 0; c < 40; ++c)
            row[c] = sin(0.001 * r * (c + 1)) * 100.0;
    }
    const clock_t start = clock();
    CHECK(pkm_csv_write(table, scratch_path("large.csv"), NULL) == PKM_OK);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("    400000 numbers in %.3f s\n", seconds);
    CHECK(seconds < 3.0);
    pkm_table_free(table);
}

/// A text as it stands in a file.
static void check_text(const char* text, const char* expected)
{
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_csv_text(stream, text);
    CHECK_TEXT(pkm_stream_get(stream), expected);
    pkm_stream_discard(stream);
}

/// Spreadsheets run what begins with = + - @; numbers stay numbers.
static void texts_are_quoted_and_harmless(void)
{
    check_text("plain", "plain");
    check_text("", "");
    check_text(NULL, "");
    check_text("a,b", "\"a,b\"");
    check_text("a;b", "\"a;b\"");
    check_text("say \"a\"", "\"say \"\"a\"\"\"");
    check_text("two\nlines", "\"two\nlines\"");
    check_text("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
    check_text("@sum(1,2)", "\"'@sum(1,2)\"");
    check_text("+1+2", "'+1+2");
    check_text("-5 mm", "'-5 mm");
    check_text("-5e-3", "-5e-3");
    check_text("+7", "+7");
}

int main(void)
{
    if (!scratch_create()) return 1;
    RUN(every_double_reads_back_bit_for_bit);
    RUN(the_header_names_columns_and_units);
    RUN(a_table_without_rows_is_its_header);
    RUN(nan_and_infinity_are_refused_by_row_and_column);
    RUN(a_path_that_cannot_be_written_leaves_nothing);
    RUN(a_full_disk_leaves_nothing);
    RUN(failing_memory_is_reported);
    RUN(a_large_table_is_written_fast);
    RUN(texts_are_quoted_and_harmless);
    scratch_remove();
    return check_report();
}
