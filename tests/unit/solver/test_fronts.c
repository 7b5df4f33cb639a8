// Factors by fronts of random graphs of parts (trees, rings, rings with chords) against the sums
// themselves: what comes back from A x is x, to rounding; and what they cost.
#include "base/memory.h"
#include "check.h"
#include "math/chol.h"
#include "solver/fronts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PART = 40, MOST_ROW = 400, MOST_OF = 64 };

/// Parts with the rows of the joints between them.
typedef struct graph {
    int n_part, n_row;
    int n[MOST_PART], row[MOST_PART][MOST_OF];
    double A[MOST_ROW][MOST_ROW];
} graph;

static graph made;

/// Numbers between -1 and 1, the same every time.
static double any(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static int below(unsigned* seed, int n)
{
    return (int)(0.5 * (any(seed) + 1.0) * n) % n;
}

/// `n` rows between two parts, or in one.
static void join(graph* g, int a, int b, int n)
{
    for (int k = 0; k < n; ++k, ++g->n_row) {
        g->row[a][g->n[a]++] = g->n_row;
        if (b != a) g->row[b][g->n[b]++] = g->n_row;
    }
}

/// A tree (each part hangs on one before it), or a ring, and joints between any two parts.
static void draw(graph* g, unsigned* seed, int n_part, bool ring, int n_chord)
{
    memset(g, 0, sizeof *g);
    g->n_part = n_part;
    join(g, 0, 0, 1 + below(seed, 3)); // on the ground
    for (int p = 1; p < n_part; ++p)
        join(g, p, ring ? p - 1 : below(seed, p), 1 + below(seed, 4));
    if (ring && n_part > 1) join(g, 0, n_part - 1, 1 + below(seed, 4));
    for (int c = 0; c < n_chord; ++c)
        join(g, below(seed, n_part), below(seed, n_part), 1 + below(seed, 2));
}

static pkm_arena* arena; ///< of the fronts at hand

static pkm_fronts* create(const graph* g)
{
    pkm_fronts_part part[MOST_PART];
    pkm_fronts* fronts = NULL;
    for (int p = 0; p < g->n_part; ++p)
        part[p] = (pkm_fronts_part){g->n[p], g->row[p]};
    CHECK(pkm_fronts_create(arena, g->n_row, g->n_part, part, &fronts) == PKM_OK);
    return fronts;
}

/// Each part gets Z'Z of a random Z with more rows than columns; A is their sum.
static void fill(graph* g, unsigned* seed, pkm_fronts* fronts)
{
    static double Z[MOST_OF + 3][MOST_OF], T[MOST_OF * MOST_OF];
    memset(g->A, 0, sizeof g->A);
    pkm_fronts_clear(fronts);
    for (int p = 0; p < g->n_part; ++p) {
        const int n = g->n[p], stride = pkm_chol_stride(n);
        for (int i = 0; i < n + 3; ++i)
            for (int k = 0; k < n; ++k)
                Z[i][k] = any(seed);
        for (int k = 0; k < n; ++k)
            for (int l = 0; l < n; ++l) {
                double sum = 0.0;
                for (int i = 0; i < n + 3; ++i)
                    sum += Z[i][k] * Z[i][l];
                g->A[g->row[p][k]][g->row[p][l]] += sum;
                T[k * stride + l] = l >= k ? sum : 1e3; // the lower part is not read
            }
        pkm_fronts_add(fronts, p, T);
    }
}

/// Largest of |A x - b| against the rows of |A| and x: the backward error.
static double backward_error(const graph* g, const double* x, const double* b)
{
    double most = 0.0, size = 0.0;
    for (int i = 0; i < g->n_row; ++i) {
        double left = -b[i], sum = 0.0;
        for (int k = 0; k < g->n_row; ++k) {
            left += g->A[i][k] * x[k];
            sum += fabs(g->A[i][k] * x[k]);
        }
        most = fmax(most, fabs(left));
        size = fmax(size, sum + fabs(b[i]));
    }
    return most / size;
}

static void check_graph(graph* g, unsigned* seed)
{
    enum { WIDTH = 5, WIDE = 8 };
    static double x[MOST_ROW], b[MOST_ROW], X[MOST_ROW * WIDE];
    pkm_fronts* fronts = create(g);
    fill(g, seed, fronts);
    CHECK(pkm_fronts_factor(fronts, 1e-13));
    for (int i = 0; i < g->n_row; ++i) {
        b[i] = x[i] = any(seed);
        for (int c = 0; c < WIDE; ++c)
            X[i * WIDE + c] = c == 3 ? b[i] : any(seed);
    }
    pkm_fronts_solve_lower(fronts, x);
    pkm_fronts_solve_lower_many(fronts, WIDTH, X);
    for (int i = 0; i < g->n_row; ++i) // the same sums in the same order
        CHECK(X[i * WIDE + 3] == x[i]);
    pkm_fronts_solve_upper(fronts, x);
    CHECK(backward_error(g, x, b) < 1e-14);
    pkm_arena_clear(arena);
}

static void graphs_of_any_shape_are_solved_to_rounding(void)
{
    unsigned seed = 7;
    for (int n_part = 1; n_part <= MOST_PART; n_part += 1 + n_part / 6)
        for (int ring = 0; ring < 2; ++ring)
            for (int n_chord = 0; n_chord <= 6; n_chord += 3) {
                draw(&made, &seed, n_part, ring == 1, n_chord);
                CHECK(made.n_row <= MOST_ROW);
                check_graph(&made, &seed);
            }
}

/// Parts in a ring, or as `n_limb` limbs between two of them.
static double cost_of(int n_limb, int length)
{
    static int row[2048][MOST_OF];
    static pkm_fronts_part part[2048];
    const int n_part = 2 + n_limb * length;
    int n_row = 0;
    CHECK(n_part <= 2048);
    for (int p = 0; p < n_part; ++p)
        part[p] = (pkm_fronts_part){0, row[p]};
    for (int limb = 0; limb < n_limb; ++limb)
        for (int k = 0; k <= length; ++k) {
            const int a = k == 0 ? 0 : 1 + limb * length + k;
            const int b = k == length ? 1 : 2 + limb * length + k;
            for (int i = 0; i < 6; ++i, ++n_row) {
                row[a][part[a].n++] = n_row;
                row[b][part[b].n++] = n_row;
            }
        }
    pkm_fronts* fronts = NULL;
    CHECK(pkm_fronts_create(arena, n_row, n_part, part, &fronts) == PKM_OK);
    const double cost = pkm_fronts_cost(fronts);
    pkm_arena_clear(arena);
    return cost;
}

// Twice the length, twice the multiplications, whatever limbs there are; a row of a ring meets
// eighteen at most: six pivots, half of 18 by 18, and twice the 18 in solutions.
static void cost_is_that_of_the_length(void)
{
    for (int n_limb = 2; n_limb <= 6; n_limb += 2)
        for (int length = 16; length <= 128; length *= 2)
            CHECK(cost_of(n_limb, 2 * length) / cost_of(n_limb, length) < 2.01);
    CHECK(cost_of(2, 256) < 2.0 * 257.0 * 6.0 * (20.0 * 20.0 / 2.0 + 2.0 * 18.0));
}

// Rows that are the same twice over: the second one has no pivot; nor has one in no part.
static void a_pivot_that_is_nothing_ends_it(void)
{
    const int row[] = {0, 1};
    const pkm_fronts_part part = {2, row};
    const double T[2 * 4] = {1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
    pkm_fronts* fronts = NULL;
    for (int n = 2; n <= 3; ++n) {
        const double own = n == 2 ? 1.0 : 2.0; // then the third row is the one
        double sound[8];
        memcpy(sound, T, sizeof T);
        sound[5] = own;
        CHECK(pkm_fronts_create(arena, n, 1, &part, &fronts) == PKM_OK);
        pkm_fronts_clear(fronts);
        pkm_fronts_add(fronts, 0, sound);
        CHECK(!pkm_fronts_factor(fronts, 1e-13));
        pkm_arena_clear(arena);
    }
    CHECK(pkm_fronts_create(arena, 0, 0, NULL, &fronts) == PKM_OK); // none at all
    CHECK(pkm_fronts_factor(fronts, 1e-13));
    pkm_arena_clear(arena);
}

static void memory_that_is_out_is_said(void)
{
    pkm_fronts_part part[MOST_PART];
    unsigned seed = 11;
    draw(&made, &seed, MOST_PART, true, 3);
    for (int p = 0; p < made.n_part; ++p)
        part[p] = (pkm_fronts_part){made.n[p], made.row[p]};
    pkm_status status = PKM_ERR_MEMORY;
    for (size_t n = 1; n < 100 && status == PKM_ERR_MEMORY; ++n) {
        pkm_fronts* fronts = NULL;
        pkm_arena* mine = pkm_arena_create();
        pkm_alloc_fail_at(n);
        status = pkm_fronts_create(mine, made.n_row, made.n_part, part, &fronts);
        pkm_alloc_fail_at(0);
        CHECK((status == PKM_OK) == (fronts != NULL));
        CHECK(status != PKM_OK || n > 2); // more than one block of the arena
        pkm_arena_free(mine);
    }
    CHECK(status == PKM_OK);
}

// Rows that are chosen anew find the room of those before.
static void later_fronts_find_their_room(void)
{
    unsigned seed = 11;
    draw(&made, &seed, MOST_PART, true, 3);
    create(&made);
    pkm_arena_clear(arena);
    const size_t before = pkm_alloc_count();
    create(&made);
    CHECK(pkm_alloc_count() == before);
    pkm_arena_clear(arena);
}

int main(void)
{
    arena = pkm_arena_create();
    CHECK(arena);
    RUN(graphs_of_any_shape_are_solved_to_rounding);
    RUN(cost_is_that_of_the_length);
    RUN(a_pivot_that_is_nothing_ends_it);
    RUN(memory_that_is_out_is_said);
    RUN(later_fronts_find_their_room);
    pkm_arena_free(arena);
    return check_report();
}
