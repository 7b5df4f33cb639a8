#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static const double per_batch = 0.3e6; // [ns] at least, so that reading the clock does not count
static const double in_all = 0.25e9;   // [ns] of batches per measurement

double bench_processor_time(void)
{
    struct timespec t;
    struct rusage others;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    getrusage(RUSAGE_CHILDREN, &others);
    return 1e9 * (double)(t.tv_sec + others.ru_utime.tv_sec + others.ru_stime.tv_sec) +
           (double)t.tv_nsec + 1e3 * (double)(others.ru_utime.tv_usec + others.ru_stime.tv_usec);
}

static double time_batch(bench_call call, void* user, int n, int n_round)
{
    const double start = bench_processor_time();
    for (int round = 0; round < n_round; ++round)
        for (int k = 0; k < n; ++k)
            call(user, k);
    return bench_processor_time() - start;
}

double bench_time(bench_call call, void* user, int n)
{
    // The first batch warms the caches, the second tells how many rounds a batch needs.
    time_batch(call, user, n, 1);
    const int n_round = 1 + (int)(per_batch / time_batch(call, user, n, 1));
    double best = INFINITY, spent = 0.0;
    for (int batch = 0; batch < 15 || spent < in_all; ++batch) {
        const double t = time_batch(call, user, n, n_round);
        if (t < best) best = t;
        spent += t;
    }
    return best / ((double)n * n_round);
}

double bench_time_long(bench_call call, void* user)
{
    const double first = time_batch(call, user, 1, 1);
    return fmin(first, time_batch(call, user, 1, 1));
}

void bench_line(const char* name, double ns, double error, double target)
{
    char error_text[32] = "-", target_text[32] = "-";
    if (!isnan(error)) snprintf(error_text, sizeof error_text, "%.1e", error);
    if (target > 0.0) snprintf(target_text, sizeof target_text, "%.0f", target);
    printf("%-58s, %10.1f, %8s, %8s\n", name, ns, error_text, target_text);
    fflush(stdout);
}

double bench_larger(double largest, double a, double b)
{
    const double size = fabs(a - b);
    return size <= largest || isnan(largest) ? largest : size;
}
