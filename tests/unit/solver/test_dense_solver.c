#include "solver/dense_solver.h"

#include "check.h"

#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

// The truth is the library's own solver: the same factors, the same solution, bit for bit.

enum { MOST = 23 };

typedef struct side {
    SUNMatrix A;
    SUNLinearSolver solver;
    N_Vector x;
    int flag;
} side;

/// Where there are many zeros the others are 1 and -1: of several pivots as large the first counts.
static double entry(double part_of_zeros)
{
    const double number = 2.0 * rand() / RAND_MAX - 1.0;
    const double value = part_of_zeros > 0.5 ? copysign(1.0, number) : number;
    return rand() < part_of_zeros * RAND_MAX ? 0.0 : value;
}

static side make_side(int n, const double* A, N_Vector b, bool is_own, SUNContext context)
{
    side s = {.A = SUNDenseMatrix(n, n, context), .x = N_VClone(b)};
    memcpy(SUNDenseMatrix_Data(s.A), A, (size_t)(n * n) * sizeof *A);
    s.solver = SUNLinSol_Dense(b, s.A, context);
    if (is_own) pkm_dense_solver_use_own(s.solver);
    s.flag = SUNLinSolSetup(s.solver, s.A);
    if (s.flag == 0) CHECK(SUNLinSolSolve(s.solver, s.A, s.x, b, 0.0) == 0);
    return s;
}

static void free_side(side* s)
{
    SUNLinSolFree(s->solver);
    SUNMatDestroy(s->A);
    N_VDestroy(s->x);
}

static void compare(int n, const double* A, SUNContext context)
{
    N_Vector b = N_VNew_Serial(n, context);
    for (int i = 0; i < n; ++i)
        NV_Ith_S(b, i) = entry(0.2);
    side own = make_side(n, A, b, true, context), library = make_side(n, A, b, false, context);
    CHECK(own.flag == library.flag);
    CHECK(SUNLinSolLastFlag(own.solver) == SUNLinSolLastFlag(library.solver));
    for (int i = 0; own.flag == 0 && i < n * n; ++i)
        CHECK_NEAR(SUNDenseMatrix_Data(own.A)[i], SUNDenseMatrix_Data(library.A)[i], 0.0);
    for (int i = 0; own.flag == 0 && i < n; ++i)
        CHECK_NEAR(NV_Ith_S(own.x, i), NV_Ith_S(library.x, i), 0.0);
    free_side(&own);
    free_side(&library);
    N_VDestroy(b);
}

static void factors_and_solutions_are_those_of_the_library(void)
{
    static const double zeros[] = {0.0, 0.3, 0.7};
    SUNContext context;
    double A[MOST * MOST];
    CHECK(SUNContext_Create(NULL, &context) == 0);
    for (int n = 1; n <= MOST; ++n)
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < n * n; ++i)
                A[i] = entry(zeros[k]);
            compare(n, A, context);
        }
    SUNContext_Free(&context);
}

static void a_singular_matrix_is_told_with_its_column(void)
{
    // the third column is twice the first
    const double A[] = {2.0, 1.0, 0.0, 0.0, 0.0, 1.0, 4.0, 2.0, 0.0};
    SUNContext context;
    CHECK(SUNContext_Create(NULL, &context) == 0);
    N_Vector b = N_VNew_Serial(3, context);
    N_VConst(1.0, b);
    side own = make_side(3, A, b, true, context);
    CHECK(own.flag == SUNLS_LUFACT_FAIL && SUNLinSolLastFlag(own.solver) == 3);
    compare(3, A, context);
    free_side(&own);
    N_VDestroy(b);
    SUNContext_Free(&context);
}

int main(void)
{
    srand(1);
    RUN(factors_and_solutions_are_those_of_the_library);
    RUN(a_singular_matrix_is_told_with_its_column);
    return check_report();
}
