/// The code of `pkm export c`, compiled as a controller would: from the tool's motion to the forces
/// of the drives, in ticks of 1 ms along a path, and at poses far from the last call.
#include "bench.h"
#include "delta_siax_d3_1600.h"
#include "gough_stewart_platform_6_ups.h"

#include <math.h>
#include <stdio.h>

enum { N_TICK = 314, MAX_DRIVE = 6 };

static const double UPRIGHT[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, NONE[6] = {0};

/// A round trip of 20 mm about a point at 20 rad/s, and what the last call found.
typedef struct trip {
    double p[N_TICK][3], twist[N_TICK][6], rate[N_TICK][6];
    double drive[MAX_DRIVE], v[MAX_DRIVE], a[MAX_DRIVE], force[MAX_DRIVE];
    struct delta_siax_d3_1600_state delta;
    struct gough_stewart_platform_6_ups_state platform;
    int failed;
} trip;

static void make_trip(trip* t, double height)
{
    const double size = 0.02, speed = 20.0;
    const double centre[3] = {0.0, 0.0, height};
    *t = (trip){.failed = 0};
    for (int k = 0; k < N_TICK; ++k)
        for (int i = 0; i < 3; ++i) {
            const double x = 2.0 * M_PI * k / N_TICK + i;
            t->p[k][i] = centre[i] + size * sin(x);
            t->twist[k][i] = size * speed * cos(x);
            t->rate[k][i] = -size * speed * speed * sin(x);
        }
}

static void delta(void* user, int k)
{
    trip* t = user;
    t->failed += delta_siax_d3_1600_inverse(&t->delta, t->p[k], UPRIGHT, t->twist[k], t->rate[k],
                                            NONE, t->drive, t->v, t->a, t->force);
}

static void platform(void* user, int k)
{
    trip* t = user;
    t->failed +=
        gough_stewart_platform_6_ups_inverse(&t->platform, t->p[k], UPRIGHT, t->twist[k],
                                             t->rate[k], NONE, t->drive, t->v, t->a, t->force);
}

/// Every seventy-first tick: jumps of up to 40 mm, for which extrapolation is of no use.
static void delta_jumps(void* user, int k)
{
    delta(user, k * 71 % N_TICK);
}

static void platform_jumps(void* user, int k)
{
    platform(user, k * 71 % N_TICK);
}

int main(void)
{
    static trip t;
    int failed = 0;
    make_trip(&t, -0.8);
    delta_siax_d3_1600_home(&t.delta);
    bench_line("pkm generated code SIAX: tool motion to forces (1 kHz)",
               bench_time(delta, &t, N_TICK), NAN, 2000.0);
    bench_line("pkm generated code SIAX: tool motion to forces (jumps)",
               bench_time(delta_jumps, &t, N_TICK), NAN, 0.0);
    failed += t.failed;
    make_trip(&t, 0.53);
    gough_stewart_platform_6_ups_home(&t.platform);
    bench_line("pkm generated code Gough-Stewart: tool motion to forces (1 kHz)",
               bench_time(platform, &t, N_TICK), NAN, 1500.0);
    bench_line("pkm generated code Gough-Stewart: tool motion to forces (jumps)",
               bench_time(platform_jumps, &t, N_TICK), NAN, 0.0);
    failed += t.failed;
    if (failed > 0) fprintf(stderr, "bench_generated: %d calls failed\n", failed);
    return failed > 0;
}
