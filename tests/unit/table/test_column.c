#include "table/column.h"

#include "check.h"

#include <stddef.h>

typedef struct values {
    double force, speed, slow;
} values;

static const pkm_column columns[] = {
    {"speed", "m/s", offsetof(values, speed), .title = "velocity of *"},
    {"slow", "m/s", offsetof(values, slow), .title = "deviation", .of = "speed"},
    {"force", "N", offsetof(values, force), .title = "force", .peak = PKM_PEAK_LOCATED},
};
static const pkm_column alone = {"t", "s", 0, .title = "time"};

static void walk(pkm_layout* to, double t, const values* a, const values* b)
{
    pkm_layout_put_value(to, &alone, t);
    pkm_layout_put(to, "A", columns, 3, a);
    pkm_layout_put(to, "B", columns + 2, 1, b);
}

static pkm_table* example(void)
{
    pkm_table* table = pkm_table_create();
    pkm_layout head = {.table = table};
    walk(&head, 0.0, NULL, NULL);
    CHECK(!head.failed);
    for (int i = 0; i < 3; ++i) {
        pkm_layout row = {.out = pkm_table_append(table)};
        walk(&row, i, &(values){.force = 10.0 + i, .speed = 20.0 + i, .slow = 1e-9},
             &(values){.force = 30.0 + i});
    }
    return table;
}

static void one_walk_gives_names_and_values(void)
{
    static const char* const name[] = {"t", "A.speed", "A.slow", "A.force", "B.force"};
    pkm_table* table = example();
    CHECK(pkm_table_n_column(table) == 5);
    for (int c = 0; c < 5; ++c)
        CHECK_TEXT(pkm_table_name(table, c), name[c]);
    CHECK(pkm_table_get(table, 2, pkm_table_find_item(table, "", "t")) == 2.0);
    CHECK(pkm_table_get(table, 2, pkm_table_find_item(table, "A", "speed")) == 22.0);
    CHECK(pkm_table_get(table, 2, pkm_table_find_item(table, "A", "force")) == 12.0);
    CHECK(pkm_table_get(table, 2, pkm_table_find_item(table, "B", "force")) == 32.0);
    CHECK(pkm_table_find_item(table, "B", "speed") == PKM_NONE);
    pkm_table_free(table);
}

static void a_table_knows_what_its_columns_are(void)
{
    pkm_table* table = example();
    const int slow = pkm_table_find(table, "A.slow"), force = pkm_table_find(table, "B.force");
    CHECK_TEXT(pkm_table_title(table, slow), "deviation");
    CHECK_TEXT(pkm_table_of(table, slow), "speed");
    CHECK(pkm_table_peak_rule(table, slow) == PKM_PEAK_AT_ROWS);
    CHECK(pkm_table_peak_rule(table, force) == PKM_PEAK_LOCATED);
    CHECK(pkm_table_size(table, slow) == 22.0); // of the speed that it is a difference of
    CHECK_TEXT(pkm_table_title(table, 99), "");
    CHECK(pkm_table_peak_rule(table, PKM_NONE) == PKM_PEAK_AT_ROWS);
    pkm_table_free(table);
}

/// Every second of five rows: the row's number, and ten times that.
static void put_numbers(const void* user, int row, pkm_layout* to)
{
    const double* factor = user;
    pkm_layout_put_value(to, &alone, row);
    pkm_layout_put(to, "A", columns, 1, &(values){.speed = factor[0] * row});
}

static void one_loop_fills_all_rows(void)
{
    const double ten = 10.0;
    pkm_table* table = pkm_table_create();
    CHECK(pkm_layout_fill(table, 5, 2, put_numbers, &ten));
    CHECK(pkm_table_n_column(table) == 2 && pkm_table_n_row(table) == 3);
    for (int i = 0; i < 3; ++i)
        CHECK(pkm_table_get(table, i, 0) == 2.0 * i && pkm_table_get(table, i, 1) == 20.0 * i);
    CHECK(!pkm_layout_fill(NULL, 5, 2, put_numbers, &ten));
    pkm_table_free(table);
}

static void values_are_put_by_name(void)
{
    pkm_table* table = example();
    double row[5] = {1.0, 2.0, 3.0, 4.0, 5.0};
    pkm_table_put(table, row, "B", columns, 3, &(values){.force = 7.0, .speed = 8.0});
    CHECK(row[4] == 7.0 && row[1] == 2.0 && row[3] == 4.0); // B has no speed, and A is another
    pkm_table_free(table);
}

int main(void)
{
    RUN(one_walk_gives_names_and_values);
    RUN(a_table_knows_what_its_columns_are);
    RUN(one_loop_fills_all_rows);
    RUN(values_are_put_by_name);
    return check_report();
}
