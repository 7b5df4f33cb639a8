#include "workspace/distance.h"

#include "base/memory.h"
#include "check.h"

enum { MAX = 20 * 13 * 9 };
static double field[MAX];
static int marked[MAX];

static unsigned long long seed = 7;

static double random_number(void) // in (0, 1), the same on every machine
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static double nearest(const int n[3], const double h[3], int at)
{
    double best = INFINITY;
    const int i = at % n[0], j = at / n[0] % n[1], k = at / n[0] / n[1];
    for (int m = 0; m < n[0] * n[1] * n[2]; ++m) {
        if (!marked[m]) continue;
        const double x = h[0] * (m % n[0] - i), y = h[1] * (m / n[0] % n[1] - j);
        const double z = h[2] * (m / n[0] / n[1] - k);
        best = fmin(best, sqrt(x * x + y * y + z * z));
    }
    return best;
}

static void check_grid(const int n[3], const double h[3], double share)
{
    const int total = n[0] * n[1] * n[2];
    for (int m = 0; m < total; ++m) {
        marked[m] = random_number() < share;
        field[m] = marked[m] ? 0.0 : INFINITY;
    }
    CHECK(pkm_distance_transform(field, n, h) == PKM_OK);
    for (int m = 0; m < total; ++m) {
        const double d = nearest(n, h, m);
        if (isinf(d))
            CHECK(isinf(field[m]));
        else
            CHECK_NEAR(field[m], d, 1e-14);
    }
}

static void distances_meet_a_search_over_all_points(void)
{
    const int n[6][3] = {{20, 13, 9}, {20, 13, 1}, {1, 13, 9}, {20, 1, 9}, {20, 1, 1}, {1, 1, 9}};
    const double h[3] = {0.1, 0.23, 0.04}, share[4] = {0.3, 0.01, 0.001, 0.9};
    for (int g = 0; g < 6; ++g) {
        for (int s = 0; s < 4; ++s)
            check_grid(n[g], h, share[s]);
    }
}

static void without_marks_all_is_far(void)
{
    const int n[3] = {4, 3, 2};
    const double h[3] = {1.0, 1.0, 1.0};
    check_grid(n, h, 0.0);
    check_grid(n, h, 1.0);
}

static void memory_that_fails_is_reported(void)
{
    const int n[3] = {4, 3, 2};
    const double h[3] = {1.0, 1.0, 1.0};
    pkm_alloc_fail_at(1);
    CHECK(pkm_distance_transform(field, n, h) == PKM_ERR_MEMORY);
    pkm_alloc_fail_at(0);
}

int main(void)
{
    RUN(distances_meet_a_search_over_all_points);
    RUN(without_marks_all_is_far);
    RUN(memory_that_fails_is_reported);
    return check_report();
}
