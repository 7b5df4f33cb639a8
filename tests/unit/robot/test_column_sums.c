// Rms values of the columns whose peaks are located, over uneven samples of polynomials.
#include "robot/column_sums.h"
#include "table/column.h"

#include "check.h"

#include <math.h>
#include <string.h>

enum { T, ROWS, X, Y, N_COLUMN };

/// One row alone, which would tell another rms value.
static pkm_table* make_table(void)
{
    const pkm_column located = {.quantity = "x", .unit = "m", .peak = PKM_PEAK_LOCATED};
    pkm_table* table = pkm_table_create();
    CHECK(pkm_table_add_column(table, "t", "s") == T);
    CHECK(pkm_table_add_column(table, "rows", "m") == ROWS);
    CHECK(pkm_table_add_column(table, "x", "m") == X);
    CHECK(pkm_table_add_column(table, "y", "m") == Y);
    pkm_table_describe(table, X, &located);
    pkm_table_describe(table, Y, &located);
    memcpy(pkm_table_append(table), (double[]){0.0, 1.0, 1.0, 1.0}, N_COLUMN * sizeof(double));
    return table;
}

/// Samples from t = 1 to t = 3, the closer the earlier.
static void sample(pkm_column_sums* sums)
{
    enum { N = 20 };
    for (int k = 0; k <= N; ++k) {
        const double s = (double)k / N, t = 1.0 + s * (1.0 + s);
        pkm_column_sums_sample(sums, (double[]){t, 100.0, t - 2.0, t * t}, NULL, NULL);
    }
}

// The mean squares of t - 2 and of t^2 from 1 to 3 are 1/3 and (3^5 - 1)/10; what is at rows alone
// has none of its own.
static void columns_have_their_own_mean_squares(void)
{
    pkm_table* table = make_table();
    pkm_column_sums* sums = pkm_column_sums_create(table, 0, 0);
    sample(sums);
    pkm_column_sums_break(sums);
    pkm_column_sums_put(sums, table);
    CHECK(pkm_table_has_rms(table, X) && pkm_table_has_rms(table, Y));
    CHECK(!pkm_table_has_rms(table, T) && !pkm_table_has_rms(table, ROWS));
    CHECK_NEAR(pkm_table_rms(table, X), sqrt(1.0 / 3.0), 1e-13);
    CHECK_NEAR(pkm_table_rms(table, Y), sqrt(24.2), 1e-13 * sqrt(24.2));
    pkm_column_sums_free(sums);
    pkm_table_free(table);
}

// A column that jumps at t = 3, where its samples go on at 3 + 2: the second piece is another
// parabola, and the time between the pieces counts for nothing.
static void what_lies_between_pieces_counts_for_nothing(void)
{
    pkm_table* table = make_table();
    pkm_column_sums* sums = pkm_column_sums_create(table, 0, 0);
    sample(sums);
    pkm_column_sums_break(sums);
    for (int k = 0; k <= 6; ++k)
        pkm_column_sums_sample(sums, (double[]){5.0 + 0.5 * k, 100.0, 4.0, -1.0}, NULL, NULL);
    pkm_column_sums_break(sums);
    pkm_column_sums_put(sums, table);
    CHECK_NEAR(pkm_table_rms(table, X), sqrt((2.0 / 3.0 + 3.0 * 16.0) / 5.0), 1e-12);
    CHECK_NEAR(pkm_table_rms(table, Y), sqrt((48.4 + 3.0) / 5.0), 1e-12);
    pkm_column_sums_free(sums);
    pkm_table_free(table);
}

static void without_samples_there_is_none(void)
{
    pkm_table* table = make_table();
    pkm_column_sums* sums = pkm_column_sums_create(table, 0, 0);
    pkm_column_sums_break(sums);
    pkm_column_sums_put(sums, table);
    CHECK(!pkm_table_has_rms(table, X));
    pkm_column_sums_free(sums);
    pkm_table_free(table);
}

// Beside them: the integrals of t and of 1 from 1 to 3 are 4 and 2; t - 3/2 is 1/8 below zero and
// 9/8 above. The mean squares stay what they are.
static void other_quantities_are_integrated_beside_them(void)
{
    enum { N = 20 };
    pkm_table* table = make_table();
    pkm_column_sums* sums = pkm_column_sums_create(table, 2, 1);
    double up, down;
    for (int k = 0; k <= N; ++k) {
        const double t = 1.0 + 2.0 * k / N;
        pkm_column_sums_sample(sums, (double[]){t, 100.0, t - 2.0, t * t}, (double[]){t, 1.0},
                               &(double){t - 1.5});
    }
    pkm_column_sums_break(sums);
    pkm_column_sums_put(sums, table);
    pkm_column_sums_get_parts(sums, 0, &up, &down);
    CHECK_NEAR(pkm_column_sums_get(sums, 0), 4.0, 1e-13);
    CHECK_NEAR(pkm_column_sums_get(sums, 1), 2.0, 1e-13);
    CHECK_NEAR(up, 1.125, 1e-13);
    CHECK_NEAR(down, 0.125, 1e-13);
    CHECK_NEAR(pkm_table_rms(table, X), sqrt(1.0 / 3.0), 1e-13);
    CHECK_NEAR(pkm_table_rms(table, Y), sqrt(24.2), 1e-13 * sqrt(24.2));
    pkm_column_sums_free(sums);
    pkm_table_free(table);
}

int main(void)
{
    RUN(columns_have_their_own_mean_squares);
    RUN(what_lies_between_pieces_counts_for_nothing);
    RUN(without_samples_there_is_none);
    RUN(other_quantities_are_integrated_beside_them);
    return check_report();
}
