// The last of the counters of coverage, see count.c: behind it nothing else is on their pages. From
// a library, so that it is linked behind all that has some.
#include "fuzz.h"

uint8_t fuzz_count_end[FUZZ_PAGE] __attribute__((section("__sancov_cntrs")));
