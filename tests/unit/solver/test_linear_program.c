#include "solver/linear_program.h"

#include "base/memory.h"
#include "check.h"
#include "physics/reference_file.h"

/// max x + y over x + 2 y <= 1, 3 x + y <= 1 within [-1, 1]: the corner (1/5, 2/5).
static void the_best_corner_is_found(void)
{
    pkm_lp* lp = NULL;
    double x[2], value;
    CHECK(pkm_lp_create(2, &lp) == PKM_OK);
    CHECK(pkm_lp_add_below(lp, (double[]){1.0, 2.0}, 1.0) == PKM_OK);
    CHECK(pkm_lp_add_below(lp, (double[]){3.0, 1.0}, 1.0) == PKM_OK);
    CHECK(pkm_lp_solve(lp, (double[]){1.0, 1.0}, x, &value) == PKM_OK);
    CHECK_NEAR(x[0], 0.2, 1e-12);
    CHECK_NEAR(x[1], 0.4, 1e-12);
    CHECK_NEAR(value, 0.6, 1e-12);
    CHECK(pkm_lp_solve(lp, (double[]){-1.0, 0.0}, x, &value) == PKM_OK); // again, another way
    CHECK_NEAR(value, 1.0, 1e-12);
    pkm_lp_free(lp);
}

static void equations_and_fixed_variables_hold(void)
{
    pkm_lp* lp = NULL;
    double x[3], value;
    CHECK(pkm_lp_create(3, &lp) == PKM_OK);
    CHECK(pkm_lp_add_equal(lp, (double[]){1.0, 1.0, 1.0}, 0.5) == PKM_OK);
    pkm_lp_bound(lp, 2, 0.25, 0.25);
    CHECK(pkm_lp_solve(lp, (double[]){1.0, 0.0, 1.0}, x, &value) == PKM_OK);
    CHECK_NEAR(x[0], 1.0, 1e-12);
    CHECK_NEAR(x[1], -0.75, 1e-12);
    CHECK_NEAR(x[2], 0.25, 1e-12);
    pkm_lp_free(lp);
}

static void a_program_without_points_says_so(void)
{
    pkm_lp* lp = NULL;
    double x[1], value;
    CHECK(pkm_lp_create(1, &lp) == PKM_OK);
    CHECK(pkm_lp_add_equal(lp, (double[]){1.0}, 2.0) == PKM_OK);
    CHECK(pkm_lp_solve(lp, (double[]){1.0}, x, &value) == PKM_ERR_CONVERGENCE);
    pkm_lp_free(lp);
}

// ---- against another solver -------------------------------------------------------------------

/// Multiples of 1/8 from -1 to 1: many ties and corners with more rows than needed.
static double draw(unsigned* seed)
{
    *seed = (1103515245u * *seed + 12345u) % (1u << 31);
    return ((int)((*seed >> 16) % 17) - 8) / 8.0;
}

enum { MOST = 40 };

/// The program that `seed` makes. Equations hold at a point of the box; `redundant` more are
/// differences of others. Every third block of ten has right sides below zero.
typedef struct drawn {
    int n, below, equal, redundant;
    double c[MOST], p[MOST], equation[16][MOST], right[16];
} drawn;

static void draw_rows(pkm_lp* lp, drawn* d, unsigned* seed, bool is_narrow)
{
    static double row[200][MOST];
    for (int i = 0; i < d->below; ++i)
        for (int j = 0; j < d->n; ++j)
            row[i][j] = draw(seed);
    for (int i = 0; i < d->below; ++i)
        CHECK(pkm_lp_add_below(lp, row[i], fabs(draw(seed)) - (is_narrow ? 0.25 : 0.0)) == PKM_OK);
}

static void draw_equations(pkm_lp* lp, drawn* d, unsigned* seed)
{
    for (int i = 0; i < d->equal; ++i)
        for (int j = 0; j < d->n; ++j)
            d->equation[i][j] = draw(seed);
    for (int j = 0; j < d->n; ++j)
        d->p[j] = draw(seed) / 2.0;
    for (int i = 0; i < d->equal; ++i)
        for (int j = 0; j < d->n; ++j)
            d->right[i] += d->equation[i][j] * d->p[j];
    for (int i = 0; i < d->redundant; ++i) {
        const int a = i % d->equal, b = (i + 1) % d->equal, to = d->equal + i;
        d->right[to] = d->right[a] - 2.0 * d->right[b];
        for (int j = 0; j < d->n; ++j)
            d->equation[to][j] = d->equation[a][j] - 2.0 * d->equation[b][j];
    }
    for (int i = 0; i < d->equal + d->redundant; ++i)
        CHECK(pkm_lp_add_equal(lp, d->equation[i], d->right[i]) == PKM_OK);
}

// The values are those of HiGHS (scipy 1.10.1, dual simplex), for the same programs.
static void values_are_those_of_another_solver(void)
{
    int n_feasible = 0;
    read_reference("linear_programs.csv");
    CHECK(ref.n_row == 120);
    for (int k = 0; k < ref.n_row; ++k) {
        const double* v = ref.value[k];
        drawn d = {.n = (int)v[1], .below = (int)v[2], .equal = (int)v[3], .redundant = (int)v[4]};
        unsigned seed = (unsigned)v[0];
        double x[MOST], value;
        pkm_lp* lp = NULL;
        CHECK(pkm_lp_create(d.n, &lp) == PKM_OK);
        for (int j = 0; j < d.n; ++j)
            d.c[j] = draw(&seed);
        draw_rows(lp, &d, &seed, k / 10 % 3 == 0);
        draw_equations(lp, &d, &seed);
        const bool is_feasible = v[5] == 1.0;
        const pkm_status status = pkm_lp_solve(lp, d.c, x, &value);
        CHECK(status == (is_feasible ? PKM_OK : PKM_ERR_CONVERGENCE));
        if (is_feasible) CHECK_NEAR(value, v[6], 1e-8);
        n_feasible += is_feasible;
        pkm_lp_free(lp);
    }
    CHECK(n_feasible > 60 && n_feasible < 120); // both kinds are there
}

// Rows that come later, as tangent planes do: the answer is that of all rows at once.
static void more_rows_lead_on_from_the_last_answer(void)
{
    pkm_lp *lp = NULL, *whole = NULL;
    const double c[] = {1.0, 0.5, 0.25};
    double x[3], value = 0.0, all;
    unsigned seed = 5;
    CHECK(pkm_lp_create(3, &lp) == PKM_OK && pkm_lp_create(3, &whole) == PKM_OK);
    for (int i = 0; i < 60; ++i) {
        const double row[] = {draw(&seed), draw(&seed), draw(&seed)};
        CHECK(pkm_lp_add_below(lp, row, 0.5) == PKM_OK);
        CHECK(pkm_lp_add_below(whole, row, 0.5) == PKM_OK);
        CHECK(pkm_lp_solve(lp, c, x, &value) == PKM_OK);
    }
    CHECK(pkm_lp_solve(whole, c, x, &all) == PKM_OK);
    CHECK_NEAR(value, all, 1e-12);
    pkm_lp_free(lp);
    pkm_lp_free(whole);
}

static void memory_that_fails_is_told(void)
{
    pkm_lp* full = NULL;
    CHECK(pkm_lp_create(1, &full) == PKM_OK);
    CHECK(pkm_lp_add_below(full, (double[]){1.0}, 1.0) == PKM_OK);
    CHECK(pkm_lp_add_below(full, (double[]){1.0}, 1.0) == PKM_OK);
    pkm_alloc_fail_at(1);
    CHECK(pkm_lp_add_below(full, (double[]){1.0}, 1.0) == PKM_ERR_MEMORY);
    pkm_lp_free(full);
    for (size_t n = 1; n <= 6; ++n) {
        pkm_lp* lp = NULL;
        pkm_alloc_fail_at(n);
        CHECK(pkm_lp_create(4, &lp) == PKM_ERR_MEMORY);
        CHECK(lp == NULL);
    }
    pkm_alloc_fail_at(0);
    pkm_lp_free(NULL);
}

int main(void)
{
    RUN(the_best_corner_is_found);
    RUN(equations_and_fixed_variables_hold);
    RUN(a_program_without_points_says_so);
    RUN(values_are_those_of_another_solver);
    RUN(more_rows_lead_on_from_the_last_answer);
    RUN(memory_that_fails_is_told);
    return check_report();
}
