#include "math/differences.h"

#include "check.h"

static double power(double x, int n)
{
    double out = 1.0;
    for (int i = 0; i < n; ++i)
        out *= x;
    return out;
}

/// Through n samples polynomials of degree n - 1 are exact, wherever the samples lie.
static void polynomials_are_exact(void)
{
    static const double place[][7] = {
        {-3, -2, -1, 0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6}, {-0.3, 0.1, 0.25, 0.7, 1.1, -1.4, 2.0}};
    for (int p = 0; p < 3; ++p) {
        for (int n = 3; n <= 7; ++n) {
            double first[7], second[7];
            pkm_differences(place[p], n, first, second);
            for (int degree = 0; degree < n; ++degree) {
                double d1 = 0.0, d2 = 0.0;
                for (int i = 0; i < n; ++i) {
                    d1 += first[i] * power(place[p][i], degree);
                    d2 += second[i] * power(place[p][i], degree);
                }
                CHECK_NEAR(d1, degree == 1 ? 1.0 : 0.0, 1e-10);
                CHECK_NEAR(d2, degree == 2 ? 2.0 : 0.0, 1e-10);
            }
        }
    }
}

/// Even samples give the weights of the tables.
static void even_samples_give_known_weights(void)
{
    const double x[] = {-1.0, 0.0, 1.0};
    double first[3], second[3];
    pkm_differences(x, 3, first, second);
    CHECK_NEAR(first[0], -0.5, 1e-15);
    CHECK_NEAR(first[1], 0.0, 1e-15);
    CHECK_NEAR(first[2], 0.5, 1e-15);
    CHECK_NEAR(second[0], 1.0, 1e-15);
    CHECK_NEAR(second[1], -2.0, 1e-15);
    CHECK_NEAR(second[2], 1.0, 1e-15);
}

int main(void)
{
    RUN(polynomials_are_exact);
    RUN(even_samples_give_known_weights);
    return check_report();
}
