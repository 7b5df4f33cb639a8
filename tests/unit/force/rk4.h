/// The classical Runge-Kutta method, for tests that let a force act for a while.
#ifndef PKM_TESTS_RK4_H
#define PKM_TESTS_RK4_H

enum { RK4_SIZE = 8 };

typedef void (*rk4_rate)(double t, const double* y, double* rate, const void* user);

/// One step of length `h` from `t`; `n` <= RK4_SIZE states.
static inline void rk4_step(rk4_rate f, const void* user, double t, double h, int n, double* y)
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double start[RK4_SIZE], stage[RK4_SIZE], rate[RK4_SIZE] = {0.0};
    for (int i = 0; i < n; ++i)
        start[i] = y[i];
    for (int s = 0; s < 4; ++s) {
        for (int i = 0; i < n; ++i)
            stage[i] = start[i] + node[s] * h * rate[i];
        f(t + node[s] * h, stage, rate, user);
        for (int i = 0; i < n; ++i)
            y[i] += weight[s] * h * rate[i];
    }
}

#endif
