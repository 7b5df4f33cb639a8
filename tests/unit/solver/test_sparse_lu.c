/// Sparse LU with a replayed elimination, against dense solutions by LAPACK.
#include "base/memory.h"
#include "check.h"
#include "solver/sparse_lu.h"

#include <lapacke.h>
#include <stdlib.h>

enum { MAX = 24, MAX_ROW = 32 };
static const double TOLERANCE = 1e-9; // of the pivots, as in the motion solver

/// A matrix with its pattern, row by row.
typedef struct sample {
    int n_row, n_column;
    int start[MAX_ROW + 1];
    int column[MAX_ROW * MAX];
    double value[MAX_ROW * MAX];
} sample;

static double noise(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/// Append a row from its dense form; entries that are exactly zero are not part of the pattern.
static void add_row(sample* s, const double* dense)
{
    int at = s->start[s->n_row];
    for (int c = 0; c < s->n_column; ++c) {
        if (dense[c] == 0.0) continue;
        s->column[at] = c;
        s->value[at++] = dense[c];
    }
    s->start[++s->n_row] = at;
}

/// Square, about a third full, with a diagonal that keeps it regular; rows of different size.
static sample random_square(int n, unsigned seed)
{
    sample s = {.n_column = n};
    for (int r = 0; r < n; ++r) {
        double row[MAX];
        const double size = pow(10.0, 2.0 * noise(&seed));
        for (int c = 0; c < n; ++c)
            row[c] = noise(&seed) > 0.3 ? size * noise(&seed) : 0.0;
        row[(r * 7 + 3) % n] = size * (1.5 + noise(&seed)); // a permuted diagonal, n not 7 k
        add_row(&s, row);
    }
    return s;
}

/// The same with `extra` further rows, each a sum of two others, at the front or at the end.
static sample with_dependent_rows(const sample* s, int extra, bool front, unsigned seed)
{
    sample out = {.n_column = s->n_column};
    double dense[MAX_ROW][MAX] = {{0}};
    for (int r = 0; r < s->n_row; ++r)
        for (int e = s->start[r]; e < s->start[r + 1]; ++e)
            dense[r][s->column[e]] = s->value[e];
    for (int k = 0; k < s->n_row + extra; ++k) {
        const int r = front ? k - extra : k;
        if (r >= 0 && r < s->n_row) {
            add_row(&out, dense[r]);
            continue;
        }
        double row[MAX];
        const int a = (5 * k + 1) % s->n_row, b = (3 * k + 2) % s->n_row;
        const double fa = noise(&seed), fb = 2.0 + noise(&seed);
        for (int c = 0; c < s->n_column; ++c)
            row[c] = fa * dense[a][c] + fb * dense[b][c];
        add_row(&out, row);
    }
    return out;
}

static pkm_sparse_lu* create(const sample* s)
{
    pkm_sparse_lu* lu = NULL;
    CHECK(pkm_sparse_lu_create(s->n_row, s->n_column, s->start, s->column, &lu) == PKM_OK);
    return lu;
}

static void to_dense(const sample* s, double* out)
{
    memset(out, 0, sizeof(double) * (size_t)(s->n_row * s->n_column));
    for (int r = 0; r < s->n_row; ++r)
        for (int e = s->start[r]; e < s->start[r + 1]; ++e)
            out[s->column[e] * s->n_row + r] = s->value[e];
}

/// x from LAPACK: A x = b, or A' x = b with trans = 'T'. Also the sign of the determinant.
static int solve_dense(const sample* s, char trans, const double* b, double* x)
{
    double A[MAX * MAX];
    lapack_int pivot[MAX];
    const int n = s->n_column;
    to_dense(s, A);
    memcpy(x, b, (size_t)n * sizeof(double));
    CHECK(LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, A, n, pivot) == 0);
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, trans, n, 1, A, n, pivot, x, n);
    int sign = 1;
    for (int k = 0; k < n; ++k) {
        if (pivot[k] != k + 1) sign = -sign;
        if (A[k * n + k] < 0.0) sign = -sign;
    }
    return sign;
}

static double largest_gap(const double* a, const double* b, int n)
{
    double gap = 0.0, size = 0.0;
    for (int i = 0; i < n; ++i) {
        gap = fmax(gap, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return gap / size;
}

/// A x = b and A' y = f and the sign of det A, all against LAPACK.
static void check_square(pkm_sparse_lu* lu, const sample* s, unsigned seed)
{
    double b[MAX], x[MAX], y[MAX], want[MAX];
    for (int i = 0; i < s->n_column; ++i)
        b[i] = noise(&seed);
    pkm_sparse_lu_solve(lu, b, x);
    const int sign = solve_dense(s, 'N', b, want);
    // condition numbers of these matrices are below 1e4
    CHECK_NEAR(largest_gap(x, want, s->n_column), 0.0, 1e-11);
    CHECK(pkm_sparse_lu_sign(lu) == sign);

    pkm_sparse_lu_solve_transposed(lu, b, y);
    solve_dense(s, 'T', b, want);
    CHECK_NEAR(largest_gap(y, want, s->n_column), 0.0, 1e-11);
}

static void random_systems_meet_the_dense_solution(void)
{
    for (unsigned k = 0; k < 60; ++k) {
        const int n = 1 + (int)(k * 5 % 23);
        if (n % 7 == 0) continue;
        const sample s = random_square(n, 100 + k);
        pkm_sparse_lu* lu = create(&s);
        CHECK(pkm_sparse_lu_analyse(lu, s.value, TOLERANCE) == PKM_OK);
        check_square(lu, &s, k);
        CHECK(pkm_sparse_lu_analyses(lu) == 1);
        pkm_sparse_lu_free(lu);
    }
}

static void the_elimination_is_replayed_for_other_values(void)
{
    unsigned seed = 7;
    sample s = random_square(20, 3);
    pkm_sparse_lu* lu = create(&s);
    CHECK(pkm_sparse_lu_analyse(lu, s.value, TOLERANCE) == PKM_OK);
    for (int k = 0; k < 20; ++k) {
        for (int e = 0; e < s.start[s.n_row]; ++e)
            s.value[e] *= 1.0 + 0.02 * noise(&seed);
        CHECK(pkm_sparse_lu_factor(lu, s.value) == PKM_OK);
        check_square(lu, &s, (unsigned)k);
    }
    CHECK(pkm_sparse_lu_analyses(lu) == 1);
    pkm_sparse_lu_free(lu);
}

// All entries change by orders of magnitude: the old pivots would cost all digits.
static void pivots_are_chosen_anew_when_values_change_much(void)
{
    unsigned seed = 11;
    sample s = random_square(20, 5);
    pkm_sparse_lu* lu = create(&s);
    CHECK(pkm_sparse_lu_analyse(lu, s.value, TOLERANCE) == PKM_OK);
    for (int k = 0; k < 40; ++k) {
        for (int e = 0; e < s.start[s.n_row]; ++e)
            s.value[e] = noise(&seed) * pow(10.0, 3.0 * noise(&seed));
        CHECK(pkm_sparse_lu_factor(lu, s.value) == PKM_OK);
        double b[MAX], x[MAX], residual = 0.0, size = 0.0;
        for (int i = 0; i < s.n_row; ++i)
            b[i] = noise(&seed);
        pkm_sparse_lu_solve(lu, b, x);
        // backward error: |A x - b| against |A| |x|
        for (int r = 0; r < s.n_row; ++r) {
            double sum = -b[r], sizes = fabs(b[r]);
            for (int e = s.start[r]; e < s.start[r + 1]; ++e) {
                sum += s.value[e] * x[s.column[e]];
                sizes += fabs(s.value[e] * x[s.column[e]]);
            }
            residual = fmax(residual, fabs(sum));
            size = fmax(size, sizes);
        }
        CHECK_NEAR(residual / size, 0.0, 1e-9); // 1e4 of growth allowed, squared at worst
    }
    CHECK(pkm_sparse_lu_analyses(lu) > 1);
    pkm_sparse_lu_free(lu);
}

// Each pivot is watched by itself: below a twentieth of what it was another row takes its place,
// where there is one.
static void a_shrunk_pivot_gives_way_to_a_spare_row(void)
{
    static const int start[] = {0, 1, 2, 4}, column[] = {0, 1, 0, 1};
    for (int n_row = 2; n_row <= 3; ++n_row)
        for (int k = 0; k < 2; ++k) {
            double value[] = {1.0, 10.0, 0.3, 0.4};
            pkm_sparse_lu* lu = NULL;
            CHECK(pkm_sparse_lu_create(n_row, 2, start, column, &lu) == PKM_OK);
            CHECK(pkm_sparse_lu_analyse(lu, value, TOLERANCE) == PKM_OK);
            value[k] *= 0.06;
            CHECK(pkm_sparse_lu_factor(lu, value) == PKM_OK && pkm_sparse_lu_analyses(lu) == 1);
            value[k] *= 0.7;
            CHECK(pkm_sparse_lu_factor(lu, value) == PKM_OK);
            CHECK(pkm_sparse_lu_analyses(lu) == n_row - 1);
            pkm_sparse_lu_free(lu);
        }
}

// A pivot that becomes exactly zero: [[0 1][1 0]] from [[1 eps][eps 1]].
static void a_vanishing_pivot_is_replaced(void)
{
    const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    const double first[] = {1.0, 0.5, 0.5, 2.0}, second[] = {0.0, 3.0, 4.0, 0.0};
    const double b[] = {6.0, 8.0};
    double x[2];
    pkm_sparse_lu* lu = NULL;
    CHECK(pkm_sparse_lu_create(2, 2, start, column, &lu) == PKM_OK);
    CHECK(pkm_sparse_lu_analyse(lu, first, TOLERANCE) == PKM_OK);
    CHECK(pkm_sparse_lu_sign(lu) == 1);
    CHECK(pkm_sparse_lu_factor(lu, second) == PKM_OK);
    CHECK(pkm_sparse_lu_sign(lu) == -1);
    pkm_sparse_lu_solve(lu, b, x);
    CHECK_NEAR(x[0], 2.0, 1e-15);
    CHECK_NEAR(x[1], 2.0, 1e-15);
    pkm_sparse_lu_free(lu);
}

static void dependent_rows_are_found_and_left_out(void)
{
    for (unsigned k = 0; k < 20; ++k) {
        const int extra = 1 + (int)(k % 6);
        const sample square = random_square(16 + (int)(k % 3), 40 + k);
        const sample s = with_dependent_rows(&square, extra, k % 2 == 0, k);
        pkm_sparse_lu* lu = create(&s);
        CHECK(pkm_sparse_lu_analyse(lu, s.value, TOLERANCE) == PKM_OK);
        int used = 0;
        for (int r = 0; r < s.n_row; ++r)
            used += pkm_sparse_lu_uses_row(lu, r);
        CHECK(used == s.n_column);

        // A x = b for a b that lies in the range
        unsigned seed = k;
        double x0[MAX], x[MAX], b[MAX_ROW], f[MAX], y[MAX_ROW];
        for (int c = 0; c < s.n_column; ++c)
            x0[c] = noise(&seed);
        for (int r = 0; r < s.n_row; ++r) {
            b[r] = 0.0;
            for (int e = s.start[r]; e < s.start[r + 1]; ++e)
                b[r] += s.value[e] * x0[s.column[e]];
        }
        pkm_sparse_lu_solve(lu, b, x);
        CHECK_NEAR(largest_gap(x, x0, s.n_column), 0.0, 1e-11);

        // A' y = f: f is met and rows left out carry nothing
        pkm_sparse_lu_solve_transposed(lu, x0, y);
        memset(f, 0, sizeof f);
        for (int r = 0; r < s.n_row; ++r) {
            if (!pkm_sparse_lu_uses_row(lu, r)) CHECK(y[r] == 0.0);
            for (int e = s.start[r]; e < s.start[r + 1]; ++e)
                f[s.column[e]] += s.value[e] * y[r];
        }
        CHECK_NEAR(largest_gap(f, x0, s.n_column), 0.0, 1e-11);
        pkm_sparse_lu_free(lu);
    }
}

static void dependent_columns_are_singular(void)
{
    sample s = random_square(12, 9);
    for (int r = 0; r < s.n_row; ++r) { // column 4 becomes half of column 8, where both exist
        int at4 = -1, at8 = -1;
        for (int e = s.start[r]; e < s.start[r + 1]; ++e) {
            if (s.column[e] == 4) at4 = e;
            if (s.column[e] == 8) at8 = e;
        }
        if (at4 >= 0) s.value[at4] = at8 >= 0 ? 0.5 * s.value[at8] : 0.0;
        if (at4 < 0 && at8 >= 0) s.value[at8] = 0.0;
    }
    pkm_sparse_lu* lu = create(&s);
    CHECK(pkm_sparse_lu_analyse(lu, s.value, TOLERANCE) == PKM_ERR_SINGULAR);
    pkm_sparse_lu_free(lu);
}

// The replay itself must notice: nothing is eliminated after the last pivot.
static void a_last_pivot_that_vanishes_is_singular(void)
{
    const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    const double first[] = {1.0, 0.5, 0.5, 2.0}, second[] = {1.0, 0.5, 0.5, 0.25 + 1e-14};
    pkm_sparse_lu* lu = NULL;
    CHECK(pkm_sparse_lu_create(2, 2, start, column, &lu) == PKM_OK);
    CHECK(pkm_sparse_lu_analyse(lu, first, TOLERANCE) == PKM_OK);
    CHECK(pkm_sparse_lu_factor(lu, second) == PKM_ERR_SINGULAR);
    CHECK(pkm_sparse_lu_factor(lu, first) == PKM_OK);
    pkm_sparse_lu_free(lu);
}

static void numbers_that_are_not_finite_are_singular(void)
{
    sample s = random_square(10, 21);
    pkm_sparse_lu* lu = create(&s);
    CHECK(pkm_sparse_lu_analyse(lu, s.value, TOLERANCE) == PKM_OK);
    for (int e = 0; e < s.start[s.n_row]; ++e)
        s.value[e] = NAN;
    CHECK(pkm_sparse_lu_factor(lu, s.value) == PKM_ERR_SINGULAR);
    pkm_sparse_lu_free(lu);
}

// A search for positions may step on singular ones; good ones after it are solved as before.
static void a_singular_matrix_does_not_spoil_the_next(void)
{
    sample s = random_square(15, 33);
    sample zero = s;
    memset(zero.value, 0, sizeof zero.value);
    pkm_sparse_lu* lu = create(&s);
    CHECK(pkm_sparse_lu_analyse(lu, s.value, TOLERANCE) == PKM_OK);
    for (int cut = 1; cut < s.n_row; cut += 3) {
        sample bad = zero; // regular in its first rows: the choice gets half way
        memcpy(bad.value, s.value, (size_t)s.start[cut] * sizeof(double));
        CHECK(pkm_sparse_lu_factor(lu, bad.value) == PKM_ERR_SINGULAR);
        CHECK(pkm_sparse_lu_factor(lu, s.value) == PKM_OK);
        check_square(lu, &s, (unsigned)cut);
    }
    pkm_sparse_lu_free(lu);
}

/// First row, first column and diagonal; the diagonal has the given size.
static sample arrow(double diagonal)
{
    sample s = {.n_column = 10};
    for (int r = 0; r < 10; ++r) {
        double row[MAX] = {0};
        row[0] = 1.0 + 0.1 * r;
        row[r] = r > 0 ? diagonal * (4.0 + r) : 3.0;
        for (int c = 1; r == 0 && c < 10; ++c)
            row[c] = 1.0 + c;
        add_row(&s, row);
    }
    return s;
}

// For a matrix of arrow form the Markowitz choice fills nothing in.
static void an_arrow_matrix_costs_no_fill(void)
{
    const sample s = arrow(1.0);
    pkm_sparse_lu* lu = create(&s);
    CHECK(pkm_sparse_lu_analyse(lu, s.value, TOLERANCE) == PKM_OK);
    CHECK(pkm_sparse_lu_cost(lu) == 9); // one subtraction for each row below the head
    check_square(lu, &s, 1);
    pkm_sparse_lu_free(lu);
}

// Triangular matrices need multipliers alone: the program of the elimination is empty.
static void a_triangular_matrix_has_an_empty_program(void)
{
    static const double dense[2][3][3] = {{{2, 0, 0}, {1, 3, 0}, {-1, 1, 5}},
                                          {{2, 1, -1}, {0, 3, 1}, {0, 0, 5}}};
    for (int i = 0; i < 2; ++i) {
        sample s = {.n_column = 3};
        for (int r = 0; r < 3; ++r)
            add_row(&s, dense[i][r]);
        pkm_sparse_lu* lu = create(&s);
        CHECK(pkm_sparse_lu_analyse(lu, s.value, TOLERANCE) == PKM_OK);
        CHECK(pkm_sparse_lu_cost(lu) == 0);
        check_square(lu, &s, 1);
        CHECK(pkm_sparse_lu_factor(lu, s.value) == PKM_OK);
        check_square(lu, &s, 2);
        pkm_sparse_lu_free(lu);
    }
}

static void failing_memory_is_reported(void)
{
    const sample s = random_square(12, 4);
    for (size_t n = 1;; ++n) {
        pkm_sparse_lu* lu = NULL;
        pkm_alloc_fail_at(n);
        pkm_status status = pkm_sparse_lu_create(s.n_row, s.n_column, s.start, s.column, &lu);
        if (status == PKM_OK) status = pkm_sparse_lu_analyse(lu, s.value, TOLERANCE);
        pkm_alloc_fail_at(0);
        if (status == PKM_OK) check_square(lu, &s, 1);
        pkm_sparse_lu_free(lu);
        if (status == PKM_OK) break;
        CHECK(status == PKM_ERR_MEMORY);
        CHECK(n < 100);
        if (n >= 100) break;
    }
}

/// Three full rows and columns at the front beside the diagonal: nothing fills in behind them.
static sample wide_arrow(void)
{
    unsigned seed = 3;
    sample s = {.n_column = MAX};
    for (int r = 0; r < MAX; ++r) {
        double row[MAX] = {0};
        for (int c = 0; c < (r < 3 ? MAX : 3); ++c)
            row[c] = 2.0 + noise(&seed);
        row[r] = 40.0 + noise(&seed);
        add_row(&s, row);
    }
    return s;
}

/// As many entries, scattered: most of the factors fill in.
static sample scattered(void)
{
    static const int step[] = {0, 1, 5, 11, 14, 18, 21};
    unsigned seed = 4;
    sample s = {.n_column = MAX};
    for (int r = 0; r < MAX; ++r) {
        double row[MAX] = {0};
        for (int k = 0; k < (r < MAX / 2 ? 7 : 6); ++k)
            row[(r + step[k]) % MAX] = 2.0 + noise(&seed);
        row[r] = 40.0 + noise(&seed);
        add_row(&s, row);
    }
    return s;
}

// Memory that runs out while the pivots of another matrix are chosen, whose factors need more room
// than those of the first, costs this factorisation only.
static void later_factors_survive_failing_memory(void)
{
    const sample good = wide_arrow(), other = scattered();
    size_t n = 1;
    for (; n < 60; ++n) {
        pkm_sparse_lu* lu = create(&good);
        CHECK(pkm_sparse_lu_analyse(lu, good.value, TOLERANCE) == PKM_OK);
        CHECK(pkm_sparse_lu_take(lu, other.n_row, other.start, other.column));
        pkm_alloc_fail_at(n);
        const pkm_status status = pkm_sparse_lu_analyse(lu, other.value, TOLERANCE);
        pkm_alloc_fail_at(0);
        CHECK(status == PKM_OK || status == PKM_ERR_MEMORY);
        CHECK(pkm_sparse_lu_take(lu, good.n_row, good.start, good.column));
        CHECK(pkm_sparse_lu_factor(lu, good.value) == PKM_OK);
        check_square(lu, &good, 5);
        pkm_sparse_lu_free(lu);
        if (status == PKM_OK) break;
    }
    CHECK(n > 1 && n < 60);
}

// A system whose rows are chosen anew on the way: factors of another matrix of the same size need
// no memory once two of them have been made, and are those of a matrix of their own.
static void another_matrix_of_the_same_size_takes_the_same_memory(void)
{
    const sample one = arrow(1.0), other = arrow(2.0);
    pkm_sparse_lu* lu = create(&one);
    CHECK(pkm_sparse_lu_analyse(lu, one.value, TOLERANCE) == PKM_OK);
    const size_t before = pkm_alloc_count();
    CHECK(pkm_sparse_lu_take(lu, other.n_row, other.start, other.column));
    CHECK(pkm_sparse_lu_analyse(lu, other.value, TOLERANCE) == PKM_OK);
    CHECK(pkm_alloc_count() == before);
    check_square(lu, &other, 3);
    const sample larger = random_square(one.n_row + 1, 4);
    CHECK(!pkm_sparse_lu_take(lu, larger.n_row, larger.start, larger.column));
    pkm_sparse_lu_free(lu);
}

static void check_units(pkm_sparse_lu* lu, const sample* s, const int* row, int n)
{
    double X[PKM_SPARSE_MAX_UNIT * MAX], work[PKM_SPARSE_MAX_UNIT * MAX];
    pkm_sparse_lu_solve_units(lu, row, n, X, work);
    for (int j = 0; j < n; ++j) {
        double b[MAX_ROW] = {0.0}, x[MAX] = {0.0};
        b[row[j]] = 1.0;
        pkm_sparse_lu_solve(lu, b, x);
        for (int i = 0; i < s->n_column; ++i)
            CHECK_NEAR(X[j * s->n_column + i], x[i], 1e-13 * (1.0 + fabs(x[i])));
    }
}

// Columns of the inverse, several at once, are those of one solution each; rows that are left out
// give nothing.
static void columns_of_the_inverse_are_found_together(void)
{
    const sample square = random_square(17, 3), tall = with_dependent_rows(&square, 4, true, 8);
    const sample* const all[] = {&square, &tall};
    for (int k = 0; k < 2; ++k) {
        const sample* s = all[k];
        pkm_sparse_lu* lu = create(s);
        CHECK(pkm_sparse_lu_analyse(lu, s->value, TOLERANCE) == PKM_OK);
        for (int n = 1; n <= PKM_SPARSE_MAX_UNIT; ++n) {
            int row[PKM_SPARSE_MAX_UNIT];
            for (int j = 0; j < n; ++j)
                row[j] = (3 * j + n) % s->n_row;
            check_units(lu, s, row, n);
        }
        pkm_sparse_lu_free(lu);
    }
}

// Entries of the columns that are asked for are those of the whole columns, wherever the pivots of
// these entries stand; the others are left as they are.
static void entries_of_the_inverse_are_found_alone(void)
{
    const sample s = random_square(17, 3);
    pkm_sparse_lu* lu = create(&s);
    CHECK(pkm_sparse_lu_analyse(lu, s.value, TOLERANCE) == PKM_OK);
    const int row[3] = {4, 0, 11};
    for (int at = 0; at < s.n_column; ++at) {
        double all[3 * MAX], X[3 * MAX], work[3 * MAX];
        const int column[2] = {at, (at + 5) % s.n_column};
        for (int i = 0; i < 3 * s.n_column; ++i)
            X[i] = 7.0;
        pkm_sparse_lu_solve_units(lu, row, 3, all, work);
        pkm_sparse_lu_solve_units_at(lu, row, 3, column, 2, X, work);
        for (int i = 0; i < 3 * s.n_column; ++i) {
            const int k = i % s.n_column;
            CHECK_NEAR(X[i], k == column[0] || k == column[1] ? all[i] : 7.0, 0.0);
        }
    }
    pkm_sparse_lu_free(lu);
}

/// As a robot with three limbs: a row of one entry for the drive of each, and rows of a limb's five
/// columns with the six of the platform.
static sample limbs(unsigned seed)
{
    sample s = {.n_column = 21};
    for (int r = 0; r < 21; ++r) {
        double row[MAX] = {0};
        for (int c = 0; c < 21; ++c) {
            const bool is_own = c < 15 && c % 3 == r % 3, is_drive = r < 3;
            if (is_drive ? c == r : is_own || c >= 15) row[c] = noise(&seed);
        }
        add_row(&s, row);
    }
    return s;
}

// Unit vectors that are asked for again go one by one until they meet, in each order of pivots
// anew; the same row twice, and others between, change nothing.
static void unit_vectors_of_limbs_meet_late(void)
{
    static const int drive[3] = {2, 0, 1}, other[3] = {2, 0, 9}, twice[3] = {1, 7, 1};
    const sample first = limbs(5);
    pkm_sparse_lu* lu = create(&first);
    CHECK(pkm_sparse_lu_analyse(lu, first.value, TOLERANCE) == PKM_OK);
    for (unsigned seed = 6; seed < 12; ++seed) {
        for (int k = 0; k < 3; ++k)
            check_units(lu, &first, drive, 3);
        for (int k = 0; k < 2; ++k)
            check_units(lu, &first, twice, 3);
        check_units(lu, &first, other, 3);
        for (int k = 0; k < 2; ++k)
            check_units(lu, &first, drive, 3);
        const sample next = limbs(seed);
        CHECK(pkm_sparse_lu_analyse(lu, next.value, TOLERANCE) == PKM_OK);
    }
    pkm_sparse_lu_free(lu);
}

int main(void)
{
    RUN(random_systems_meet_the_dense_solution);
    RUN(the_elimination_is_replayed_for_other_values);
    RUN(pivots_are_chosen_anew_when_values_change_much);
    RUN(a_shrunk_pivot_gives_way_to_a_spare_row);
    RUN(a_vanishing_pivot_is_replaced);
    RUN(dependent_rows_are_found_and_left_out);
    RUN(dependent_columns_are_singular);
    RUN(a_last_pivot_that_vanishes_is_singular);
    RUN(numbers_that_are_not_finite_are_singular);
    RUN(a_singular_matrix_does_not_spoil_the_next);
    RUN(an_arrow_matrix_costs_no_fill);
    RUN(a_triangular_matrix_has_an_empty_program);
    RUN(columns_of_the_inverse_are_found_together);
    RUN(entries_of_the_inverse_are_found_alone);
    RUN(unit_vectors_of_limbs_meet_late);
    RUN(failing_memory_is_reported);
    RUN(later_factors_survive_failing_memory);
    RUN(another_matrix_of_the_same_size_takes_the_same_memory);
    return check_report();
}
