// The clock that is never set: steps of the time of day would make wall times negative.
#include "base/clock.h"

#include <time.h>

double pkm_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
