#include "study/factorial.h"

#include "check.h"

static const pkm_grid two_by_three_by_two = {.n_factor = 3, .n_case = 12, .n_level = {2, 3, 2}};

/// A response with known terms: x of each factor by its level.
static double response(const int level[3])
{
    static const double a[] = {0.0, 2.0}, b[] = {0.0, 3.0, -1.0}, c[] = {0.0, 0.5};
    const double x = a[level[0]], y = b[level[1]], z = c[level[2]];
    return 7.0 + 1.5 * x - 2.0 * y + 4.0 * z + 0.25 * x * y - 3.0 * y * z + 10.0 * x * y * z;
}

static void fill(const pkm_grid* grid, double* out)
{
    for (int id = 0; id < grid->n_case; ++id) {
        const int level[3] = {id / 6, id / 2 % 3, id % 2};
        out[id] = response(level);
    }
}

static pkm_term term(unsigned set, int a, int b, int c)
{
    return (pkm_term){.set = set, .level = {a, b, c}};
}

static void products_come_back_exactly(void)
{
    const pkm_grid* g = &two_by_three_by_two;
    double y[12];
    fill(g, y);
    const pkm_term a = term(1, 1, 0, 0), b2 = term(2, 0, 2, 0), ab = term(3, 1, 1, 0),
                   bc2 = term(6, 0, 2, 1), ac = term(5, 1, 0, 1), abc = term(7, 1, 1, 1);
    CHECK_NEAR(pkm_term_value(g, &a, y), 1.5 * 2.0, 1e-14);
    CHECK_NEAR(pkm_term_value(g, &b2, y), -2.0 * -1.0, 1e-14);
    CHECK_NEAR(pkm_term_value(g, &ab, y), 0.25 * 2.0 * 3.0, 1e-14);
    CHECK_NEAR(pkm_term_value(g, &bc2, y), -3.0 * -1.0 * 0.5, 1e-14);
    CHECK_NEAR(pkm_term_value(g, &ac, y), 0.0, 1e-14);
    CHECK_NEAR(pkm_term_value(g, &abc, y), 10.0 * 2.0 * 3.0 * 0.5, 1e-14);
}

static void averages_run_over_all_levels_of_the_others(void)
{
    const pkm_grid* g = &two_by_three_by_two;
    double y[12];
    fill(g, y);
    // Mean of y over its levels 2/3, of z 1/4: the mean of y z is 1/6.
    const pkm_term a = term(1, 1, 0, 0), ab = term(3, 1, 1, 0);
    CHECK_NEAR(pkm_term_average(g, &a, y), 2.0 * (1.5 + 0.25 * 2.0 / 3.0 + 10.0 / 6.0), 1e-13);
    CHECK_NEAR(pkm_term_average(g, &ab, y), 2.0 * 3.0 * (0.25 + 10.0 / 4.0), 1e-13);
}

static void all_terms_are_visited_once_by_order(void)
{
    const pkm_grid* g = &two_by_three_by_two;
    int count[4] = {0}, order = 0, n = 0;
    double y[12], sum = 0.0;
    fill(g, y);
    for (pkm_term t = {.set = 0}; pkm_term_next(g, &t); ++n) {
        CHECK(pkm_term_order(&t) >= order);
        order = pkm_term_order(&t);
        ++count[order];
        // The terms of a case add up to it.
        const bool in_last = (!(t.set & 2u) || t.level[1] == 2);
        if (in_last) sum += pkm_term_value(g, &t, y);
    }
    CHECK(n == 11);
    CHECK(count[1] == 4 && count[2] == 5 && count[3] == 2);
    CHECK_NEAR(y[0] + sum, y[11], 1e-13);
}

static void shares_are_those_of_the_variance(void)
{
    const pkm_grid* g = &two_by_three_by_two;
    double y[12], share[8], sum = 0.0;
    fill(g, y);
    CHECK(pkm_grid_shares(g, y, share, NULL) == PKM_OK);
    for (int s = 0; s < 8; ++s)
        sum += share[s];
    CHECK_NEAR(sum, 1.0, 1e-14);
    CHECK_NEAR(share[0], 0.0, 0.0);

    // y = u + v with variances 1/4 (levels 0, 1) and 8/9 of b/... : a and c do not interact.
    for (int id = 0; id < 12; ++id)
        y[id] = 3.0 * (id / 6) + (id / 2 % 3);
    CHECK(pkm_grid_shares(g, y, share, NULL) == PKM_OK);
    const double a = 9.0 / 4.0, b = 2.0 / 3.0;
    CHECK_NEAR(share[1], a / (a + b), 1e-14);
    CHECK_NEAR(share[2], b / (a + b), 1e-14);
    CHECK_NEAR(share[3], 0.0, 1e-14);
}

static void a_missing_value_is_not_passed_over(void)
{
    const pkm_grid* g = &two_by_three_by_two;
    double y[12], share[8];
    fill(g, y);
    y[6] = NAN; // a on, the others at their references
    const pkm_term a = term(1, 1, 0, 0), c = term(4, 0, 0, 1);
    CHECK(isnan(pkm_term_value(g, &a, y)));
    CHECK(!isnan(pkm_term_value(g, &c, y)));
    CHECK(pkm_grid_shares(g, y, share, NULL) == PKM_OK);
    CHECK(isnan(share[1]));
}

static void nothing_varies_without_shares(void)
{
    const pkm_grid* g = &two_by_three_by_two;
    double y[12], share[8];
    for (int id = 0; id < 12; ++id)
        y[id] = 5.0;
    CHECK(pkm_grid_shares(g, y, share, NULL) == PKM_OK);
    for (int s = 0; s < 8; ++s)
        CHECK_NEAR(share[s], 0.0, 0.0);
}

static void cases_are_numbered_with_the_last_factor_fastest(void)
{
    for (int id = 0; id < 12; ++id) {
        int level[3];
        pkm_grid_levels(&two_by_three_by_two, id, level);
        CHECK(level[0] == id / 6 && level[1] == id / 2 % 3 && level[2] == id % 2);
        CHECK(pkm_grid_case(&two_by_three_by_two, level) == id);
    }
}

int main(void)
{
    RUN(cases_are_numbered_with_the_last_factor_fastest);
    RUN(products_come_back_exactly);
    RUN(averages_run_over_all_levels_of_the_others);
    RUN(all_terms_are_visited_once_by_order);
    RUN(shares_are_those_of_the_variance);
    RUN(a_missing_value_is_not_passed_over);
    RUN(nothing_varies_without_shares);
    return check_report();
}
