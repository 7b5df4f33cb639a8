#include "pkm/table.h"

#include "base/memory.h"
#include "check.h"
#include "table/column.h"

/// Columns t [s], q1.force [N], ratio; q1.force is 3, -7, 5, 1 at t = 0, 1, 2, 3.
static pkm_table* small_table(void)
{
    const double force[] = {3.0, -7.0, 5.0, 1.0};
    pkm_table* table = pkm_table_create();
    pkm_table_add_column(table, "t", "s");
    pkm_table_add_column(table, "q1.force", "N");
    pkm_table_add_column(table, "ratio", "");
    for (int r = 0; r < 4; ++r) {
        double* row = pkm_table_append(table);
        row[0] = r;
        row[1] = force[r];
    }
    return table;
}

static void columns_keep_names_units_and_order(void)
{
    char name[] = "q1.force";
    pkm_table* table = pkm_table_create();
    CHECK(pkm_table_add_column(table, "t", "s") == 0);
    CHECK(pkm_table_add_column(table, name, "N") == 1);
    name[0] = 'X'; // the table holds a copy
    CHECK(pkm_table_add_column(table, "ratio", "") == 2);

    CHECK(pkm_table_n_column(table) == 3);
    CHECK(pkm_table_n_row(table) == 0);
    CHECK_TEXT(pkm_table_name(table, 1), "q1.force");
    CHECK_TEXT(pkm_table_unit(table, 1), "N");
    CHECK_TEXT(pkm_table_unit(table, 2), "");
    CHECK(pkm_table_find(table, "ratio") == 2);
    CHECK(pkm_table_find(table, "q1") == PKM_NONE);
    pkm_table_free(table);
}

static void many_columns_and_rows_come_back(void)
{
    pkm_table* table = pkm_table_create();
    for (int c = 0; c < 100; ++c) {
        char name[16];
        snprintf(name, sizeof name, "c%d", c);
        CHECK(pkm_table_add_column(table, name, "m") == c);
    }
    for (int r = 0; r < 1000; ++r) {
        double* row = pkm_table_append(table);
        for (int c = 0; c < 100; ++c)
            row[c] = 1000.0 * c + r;
    }

    CHECK(pkm_table_n_row(table) == 1000);
    for (int r = 0; r < 1000; r += 37)
        for (int c = 0; c < 100; c += 11)
            CHECK(pkm_table_get(table, r, c) == 1000.0 * c + r);
    CHECK(pkm_table_find(table, "c99") == 99);
    pkm_table_free(table);
}

static void reserved_rows_do_not_allocate(void)
{
    pkm_table* table = pkm_table_create();
    pkm_table_add_column(table, "a", "");
    pkm_table_add_column(table, "b", "");
    CHECK(pkm_table_reserve(table, 500) == PKM_OK);

    const size_t before = pkm_alloc_count();
    for (int r = 0; r < 500; ++r)
        CHECK(pkm_table_append(table) != NULL);
    CHECK(pkm_alloc_count() == before);
    CHECK(pkm_table_reserve(table, -1) == PKM_ERR_ARGUMENT);
    pkm_table_free(table);
}

// Reserved memory comes from realloc and holds anything, so a row is zeroed when it is made.
static void a_new_row_is_zero(void)
{
    pkm_table* table = pkm_table_create();
    for (int c = 0; c < 8; ++c)
        pkm_table_add_column(table, "c", "");
    for (int r = 0; r < 300; ++r) {
        double* row = pkm_table_append(table);
        for (int c = 0; c < 8; ++c)
            CHECK(row[c] == 0.0);
        for (int c = 0; c < 8; ++c)
            row[c] = -1.0;
    }
    pkm_table_free(table);
}

static void reductions_meet_hand_values(void)
{
    pkm_table* table = small_table();
    int row = 99;
    CHECK(pkm_table_reduce(table, 1, PKM_REDUCE_MAX, &row) == 5.0 && row == 2);
    CHECK(pkm_table_reduce(table, 1, PKM_REDUCE_MIN, &row) == -7.0 && row == 1);
    CHECK(pkm_table_reduce(table, 1, PKM_REDUCE_ABSMAX, &row) == 7.0 && row == 1);
    CHECK(pkm_table_reduce(table, 1, PKM_REDUCE_START, &row) == 3.0 && row == PKM_NONE);
    CHECK(pkm_table_reduce(table, 1, PKM_REDUCE_END, NULL) == 1.0);
    CHECK(pkm_table_reduce(table, 1, PKM_REDUCE_CHANGE, &row) == -2.0 && row == PKM_NONE);
    CHECK(pkm_table_reduce(table, 1, PKM_REDUCE_RANGE, NULL) == 12.0);
    // over time, by trapezoids: sqrt((9 / 2 + 49 + 25 + 1 / 2) / 3)
    CHECK_NEAR(pkm_table_reduce(table, 1, PKM_REDUCE_RMS, NULL), sqrt(79.0 / 3.0), 1e-15);
    CHECK(pkm_table_reduce(table, 2, PKM_REDUCE_RMS, NULL) == 0.0);
    pkm_table_free(table);
}

static void rms_survives_large_and_small_numbers(void)
{
    pkm_table* table = pkm_table_create();
    pkm_table_add_column(table, "large", "");
    pkm_table_add_column(table, "small", "");
    for (int r = 0; r < 3; ++r) {
        double* row = pkm_table_append(table);
        row[0] = 1e200;
        row[1] = -1e-200;
    }
    CHECK_NEAR(pkm_table_reduce(table, 0, PKM_REDUCE_RMS, NULL) / 1e200, 1.0, 1e-15);
    CHECK_NEAR(pkm_table_reduce(table, 1, PKM_REDUCE_RMS, NULL) / 1e-200, 1.0, 1e-15);
    pkm_table_free(table);
}

static void what_an_analysis_has_integrated_goes_before_the_rows(void)
{
    pkm_table* table = small_table();
    double up = 0.0, down = 0.0;
    CHECK(!pkm_table_has_rms(table, 1) && !pkm_table_get_parts(table, 1, &up, &down));
    pkm_table_set_rms(table, 1, 2.5);
    pkm_table_set_parts(table, 1, 3.0, 4.0);
    CHECK(pkm_table_has_rms(table, 1) && pkm_table_reduce(table, 1, PKM_REDUCE_RMS, NULL) == 2.5);
    CHECK(pkm_table_get_parts(table, 1, &up, &down) && up == 3.0 && down == 4.0);
    CHECK(!pkm_table_has_rms(table, 2) && !pkm_table_has_rms(table, 99));
    pkm_table_free(table);
}

static void one_row_is_its_own_rms(void)
{
    pkm_table* table = pkm_table_create();
    pkm_table_add_column(table, "x", "");
    *pkm_table_append(table) = -3.0;
    CHECK_NEAR(pkm_table_reduce(table, 0, PKM_REDUCE_RMS, NULL), 3.0, 1e-15);
    pkm_table_free(table);
}

static void a_nan_is_never_hidden_by_a_reduction(void)
{
    for (int at = 0; at < 3; ++at) {
        pkm_table* table = pkm_table_create();
        pkm_table_add_column(table, "x", "");
        for (int r = 0; r < 3; ++r)
            *pkm_table_append(table) = r == at ? NAN : (double)r;
        int row = 99;
        CHECK(isnan(pkm_table_reduce(table, 0, PKM_REDUCE_MAX, &row)) && row == at);
        CHECK(isnan(pkm_table_reduce(table, 0, PKM_REDUCE_MIN, NULL)));
        CHECK(isnan(pkm_table_reduce(table, 0, PKM_REDUCE_ABSMAX, NULL)));
        CHECK(isnan(pkm_table_reduce(table, 0, PKM_REDUCE_RANGE, NULL)));
        CHECK(isnan(pkm_table_reduce(table, 0, PKM_REDUCE_RMS, NULL)));
        pkm_table_free(table);
    }
}

static void an_empty_table_reduces_to_nan(void)
{
    pkm_table* table = pkm_table_create();
    pkm_table_add_column(table, "x", "");
    int row = 99;
    CHECK(isnan(pkm_table_reduce(table, 0, PKM_REDUCE_MAX, &row)) && row == PKM_NONE);
    double value = 0.0;
    pkm_error err = {0};
    CHECK(pkm_table_evaluate(table, "max x", &value, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "no rows");
    pkm_table_free(table);
}

static void quantities_are_read_in_words(void)
{
    const struct {
        const char* quantity;
        double value;
    } cases[] = {
        {"max q1.force", 5.0},    {"min q1.force", -7.0},     {"absmax q1.force", 7.0},
        {"start q1.force", 3.0},  {"end q1.force", 1.0},      {"change q1.force", -2.0},
        {"range q1.force", 12.0}, {"  max \t q1.force", 5.0}, {"rms ratio", 0.0},
    };
    pkm_table* table = small_table();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        double value = NAN;
        CHECK(pkm_table_evaluate(table, cases[k].quantity, &value, NULL) == PKM_OK);
        CHECK_NEAR(value, cases[k].value, 0.0);
    }
    pkm_table_free(table);
}

static void unknown_words_and_columns_are_named(void)
{
    pkm_table* table = small_table();
    double value = 0.0;
    pkm_error err = {0};
    CHECK(pkm_table_evaluate(table, "maximum q1.force", &value, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "unknown word \"maximum\"");
    CHECK(pkm_table_evaluate(table, "max q9.force", &value, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "no column \"q9.force\"; columns are t, q1.force, ratio");
    CHECK(pkm_table_evaluate(table, "max", &value, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_table_evaluate(table, "", &value, &err) == PKM_ERR_ARGUMENT);
    CHECK(isnan(value));
    pkm_table_free(table);
}

static void a_long_list_of_columns_is_cut(void)
{
    pkm_table* table = pkm_table_create();
    for (int c = 0; c < 200; ++c)
        pkm_table_add_column(table, "a_rather_long_name", "");
    double value = 0.0;
    pkm_error err = {0};
    CHECK(pkm_table_evaluate(table, "max x", &value, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "a_rather_long_name, ...");
    pkm_table_free(table);
}

/// Peaks between the rows may be found in any order; each stands in its place with all its columns.
static void located_rows_stand_in_order_of_time(void)
{
    static const double found[] = {0.5, 2.5, 1.5, 2.25, 0.25};
    static const double expected[] = {0, 0.25, 0.5, 1, 1.5, 2, 2.25, 2.5, 3};
    pkm_table* table = small_table();
    for (int i = 0; i < 5; ++i)
        CHECK(pkm_table_add_located(table, (double[]){found[i], 10.0 * found[i], -found[i]}));
    CHECK(pkm_table_n_located(table) == 5);
    pkm_table_walk walk;
    pkm_table_walk_begin(&walk, table);
    for (int i = 0; i < 9; ++i) {
        const int row = pkm_table_walk_next(&walk);
        CHECK(pkm_table_get(table, row, 0) == expected[i]);
        if (row < 4) continue;
        CHECK(pkm_table_get(table, row, 1) == 10.0 * expected[i]);
        CHECK(pkm_table_get(table, row, 2) == -expected[i]);
    }
    CHECK(pkm_table_walk_next(&walk) == PKM_NONE);
    pkm_table_free(table);
}

/// Build a table with every size of growth; false as soon as memory is out.
static int build(pkm_table* table)
{
    if (!table) return 0;
    for (int c = 0; c < 20; ++c)
        if (pkm_table_add_column(table, "c", "m") == PKM_NONE) return 0;
    if (pkm_table_reserve(table, 10) != PKM_OK) return 0;
    for (int r = 0; r < 300; ++r)
        if (!pkm_table_append(table)) return 0;
    return 1;
}

static void failing_memory_leaves_a_table_that_can_be_freed(void)
{
    int done = 0;
    for (size_t n = 1; !done && n < 100; ++n) {
        pkm_alloc_fail_at(n);
        pkm_table* table = pkm_table_create();
        done = build(table);
        pkm_alloc_fail_at(0);
        pkm_table_free(table);
    }
    CHECK(done);
    pkm_table_free(NULL);
}

/// Rows of a sine, 21 of them: eight in a wave tell its rms; four do not, since every second one
/// would say something else; what was integrated is told.
static void rms_of_too_few_rows_is_not_known(void)
{
    static const double waves[] = {2.5, 5.0};
    for (int k = 0; k < 2; ++k) {
        pkm_table* table = pkm_table_create();
        CHECK(pkm_table_add_item(table, "", "t", "s") && pkm_table_add_item(table, "", "x", "m"));
        for (int i = 0; i <= 20; ++i) {
            double* row = pkm_table_append(table);
            row[0] = 0.05 * i;
            row[1] = sin(2.0 * acos(-1.0) * waves[k] * row[0] + 0.3);
        }
        if (k == 0)
            CHECK_NEAR(pkm_table_rms(table, 1), sqrt(0.5), 1e-3);
        else
            CHECK(isnan(pkm_table_rms(table, 1)));
        pkm_table_set_rms(table, 1, 0.25);
        CHECK_NEAR(pkm_table_rms(table, 1), 0.25, 0.0);
        pkm_table_free(table);
    }
}

int main(void)
{
    RUN(columns_keep_names_units_and_order);
    RUN(many_columns_and_rows_come_back);
    RUN(reserved_rows_do_not_allocate);
    RUN(a_new_row_is_zero);
    RUN(reductions_meet_hand_values);
    RUN(what_an_analysis_has_integrated_goes_before_the_rows);
    RUN(one_row_is_its_own_rms);
    RUN(rms_survives_large_and_small_numbers);
    RUN(a_nan_is_never_hidden_by_a_reduction);
    RUN(an_empty_table_reduces_to_nan);
    RUN(quantities_are_read_in_words);
    RUN(unknown_words_and_columns_are_named);
    RUN(a_long_list_of_columns_is_cut);
    RUN(located_rows_stand_in_order_of_time);
    RUN(failing_memory_leaves_a_table_that_can_be_freed);
    RUN(rms_of_too_few_rows_is_not_known);
    return check_report();
}
