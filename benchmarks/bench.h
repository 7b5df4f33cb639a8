/// Timing, and the one line in which every benchmark reports.
#ifndef PKM_BENCH_H
#define PKM_BENCH_H

#ifdef __cplusplus
extern "C" {
#endif

/// What is timed: the k-th of a batch of calls, on data that `user` holds.
typedef void (*bench_call)(void* user, int k);

/// Of this process and of those that it started and waited for [ns].
double bench_processor_time(void);

/// Nanoseconds of processor time per call, k from 0 to n - 1: the best of many batches, so that
/// what else the machine does counts as little as possible. Programs that the call runs count.
double bench_time(bench_call call, void* user, int n);

/// The same for calls of seconds: the better of two.
double bench_time_long(bench_call call, void* user);

/// Print `name, ns per call, error, target`; there is no comma in a name. `error` is relative to
/// the largest value, of a simulation it is the platform's [m] (NaN: not measured, "-"); `target`
/// is the most that we allow ourselves [ns] (0: none).
void bench_line(const char* name, double ns, double error, double target);

/// The larger of `largest` and |a - b|; a NaN stays.
double bench_larger(double largest, double a, double b);

#ifdef __cplusplus
}
#endif
#endif
