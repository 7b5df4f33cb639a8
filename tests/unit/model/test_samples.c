#include "check.h"
#include "model/reader.h"

#include <stdlib.h>
#include <unistd.h>

static pkm_arena* arena;
static double* table;
static int n_row, n_column;
static pkm_error err;

static pkm_status read_text(const char* text)
{
    char path[] = "/tmp/pkm_test_XXXXXX";
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    memset(&err, 0, sizeof err);
    static const char* const units[2] = {"m", "rad"};
    const pkm_status status = pkm_samples_read(path, units, arena, &table, &n_row, &n_column, &err);
    close(fd);
    unlink(path);
    return status;
}

static void columns_are_read_one_behind_the_other(void)
{
    CHECK(read_text("t, x\n0, 1.5\n1, -2e-3\n2,3\n") == PKM_OK);
    CHECK(n_row == 3 && n_column == 2);
    CHECK_NEAR(table[2], 2.0, 0.0);
    CHECK_NEAR(table[3], 1.5, 0.0);
    CHECK_NEAR(table[4], -2e-3, 0.0);
}

static void separators_comments_and_blank_lines_are_free(void)
{
    CHECK(read_text("# made by hand\n\n0;1\r\n1\t2 # last\n   \n2 , 3") == PKM_OK);
    CHECK(n_row == 3 && n_column == 2);
    CHECK_NEAR(table[5], 3.0, 0.0);
}

/// A comment may hold what separates fields, and names may have units behind a blank.
static void comments_and_headings_are_no_fields(void)
{
    CHECK(read_text("t [s] x [m]\n0 1 # a,b;c\n1 2 #,\n") == PKM_OK);
    CHECK(n_row == 2 && n_column == 2);
    CHECK_NEAR(table[3], 2.0, 0.0);
    CHECK(read_text("0 1#2,3\n") == PKM_ERR_SYNTAX);
}

static void check_refused(const char* text, int line, const char* part)
{
    CHECK(read_text(text) == PKM_ERR_SYNTAX);
    CHECK_CONTAINS(err.text, part);
    CHECK_NEAR(err.line, line, 0.0);
}

static void what_is_no_table_is_refused_with_its_line(void)
{
    check_refused("0 1\n1 2 3\n", 2, "3 numbers, expected 2");
    check_refused("t x\n0 1\nt x\n", 3, "expected a finite number");
    check_refused("0 1\n1 nan\n", 2, "expected a finite number");
    check_refused("0 1\n1 1e999\n", 2, "expected a finite number");
    check_refused("0 1\n1 2x\n", 2, "expected a finite number");
    check_refused("", 0, "no rows of numbers");
    check_refused("t x\n# nothing\n", 0, "no rows of numbers");
    check_refused("0 \x01\n", 1, "control byte");
}

/// Units in round brackets are read as those in square ones; what is no unit belongs to the name.
static void units_may_stand_in_round_brackets(void)
{
    CHECK(read_text("t (ms),x (mm)\n0,1\n1000,2\n") == PKM_OK);
    CHECK_NEAR(table[1], 1.0, 1e-15);
    CHECK_NEAR(table[3], 2e-3, 1e-18);
    CHECK(read_text("t (ms) x(deg)\n0 1\n1000 180\n") == PKM_OK);
    CHECK_NEAR(table[1], 1.0, 1e-15);
    CHECK_NEAR(table[3], 3.14159265358979, 1e-14);
    CHECK(read_text("t (run 1),x (left)\n0,1\n1,2\n") == PKM_OK);
    CHECK_NEAR(table[3], 2.0, 0.0);
    check_refused("t (mm),x\n0,1\n1,2\n", 0, "column 1 (t) is in [mm], expected a unit like s");
}

/// Without brackets a unit is asked for, where it is not that of SI; letters and words are names.
static void units_without_brackets_are_asked_for(void)
{
    check_refused("t/ms,x\n0,1\n1,2\n", 0,
                  "column 1 is 't/ms': expected its unit in brackets, '[ms]'");
    check_refused("t in ms,x\n0,1\n1,2\n", 0, "'[ms]'");
    check_refused("t,q1_deg\n0,1\n1,2\n", 0, "column 2 is 'q1_deg'");
    check_refused("t/h,x\n0,1\n1,2\n", 0, "'[h]'");
    CHECK(read_text("t_s,x/m,x_min,y_g,deg,z_left\n0,1,2,3,4,5\n") == PKM_OK);
    CHECK_NEAR(table[2], 2.0, 0.0);
}

int main(void)
{
    arena = pkm_arena_create();
    RUN(columns_are_read_one_behind_the_other);
    RUN(separators_comments_and_blank_lines_are_free);
    RUN(comments_and_headings_are_no_fields);
    RUN(what_is_no_table_is_refused_with_its_line);
    RUN(units_may_stand_in_round_brackets);
    RUN(units_without_brackets_are_asked_for);
    pkm_arena_free(arena);
    return check_report();
}
