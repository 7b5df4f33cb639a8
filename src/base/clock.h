/// Time that passes, for wall times and progress.
#ifndef PKM_BASE_CLOCK_H
#define PKM_BASE_CLOCK_H

/// Seconds since some fixed moment; never goes back.
double pkm_clock(void);

#endif
