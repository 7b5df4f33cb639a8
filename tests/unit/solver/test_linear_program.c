#include "solver/linear_program.h"

#include "base/memory.h"
#include "check.h"

/// max x + y over x + 2 y <= 1, 3 x + y <= 1 within [-1, 1]: the corner (1/5, 2/5).
static void the_best_corner_is_found(void)
{
    pkm_lp* lp = NULL;
    double x[2], value;
    CHECK(pkm_lp_create(2, &lp) == PKM_OK);
    pkm_lp_add_below(lp, (double[]){1.0, 2.0}, 1.0);
    pkm_lp_add_below(lp, (double[]){3.0, 1.0}, 1.0);
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
    pkm_lp_add_equal(lp, (double[]){1.0, 1.0, 1.0}, 0.5);
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
    pkm_lp_add_equal(lp, (double[]){1.0}, 2.0);
    CHECK(pkm_lp_solve(lp, (double[]){1.0}, x, &value) == PKM_ERR_CONVERGENCE);
    pkm_lp_free(lp);
}

static void memory_that_fails_is_told(void)
{
    for (size_t n = 1; n <= 3; ++n) {
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
    RUN(memory_that_fails_is_told);
    return check_report();
}
