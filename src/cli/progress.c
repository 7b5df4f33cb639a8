// One line that is written over itself, at most ten times a second.
#include "cli/progress.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double draw_interval = 0.1; // [s]: ten lines per second

static volatile sig_atomic_t interrupt_flag = 0; // the number of the signal

/// Seconds since some moment; it never goes back.
static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

pkm_progress pkm_progress_begin(const char* what)
{
    const double t = clock_now();
    return (pkm_progress){.what = what, .shown = isatty(STDERR_FILENO) == 1, .start = t, .last = t};
}

/// Seconds as people say them: "8 s", "1 min 20 s", "2 h 5 min".
static void duration_text(char* text, int size, double seconds)
{
    const long s = lround(fmin(ceil(seconds), 3.6e8));
    if (s < 60) {
        snprintf(text, (size_t)size, "%ld s", s);
    } else if (s < 3600) {
        snprintf(text, (size_t)size, "%ld min %ld s", s / 60, s % 60);
    } else {
        snprintf(text, (size_t)size, "%ld h %ld min", s / 3600, s % 3600 / 60);
    }
}

void pkm_progress_text(char* text, int size, const char* what, double fraction, double elapsed)
{
    if (!(fraction > 0.0)) { // also NaN: nothing is known yet
        snprintf(text, (size_t)size, "%s ...", what);
        return;
    }
    const double f = fmin(fraction, 1.0);
    char left[32];
    duration_text(left, (int)sizeof left, elapsed * (1.0 - f) / f);
    snprintf(text, (size_t)size, "%s %3.0f %%, %s left", what, floor(100.0 * f), left);
}

void pkm_progress_update(pkm_progress* progress, double fraction)
{
    if (!progress->shown) return;
    const double t = clock_now();
    if (t - progress->last < draw_interval) return;

    char text[128];
    pkm_progress_text(text, (int)sizeof text, progress->what, fraction, t - progress->start);
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
    progress->last = t;
    progress->drawn = true;
}

void pkm_progress_end(pkm_progress* progress)
{
    if (!progress->drawn) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->drawn = false;
}

static void raise_flag(int signal_number)
{
    interrupt_flag = signal_number;
}

void pkm_interrupt_watch(void)
{
    static bool is_watching = false;
    if (is_watching) return;
    is_watching = true;
    struct sigaction action = {.sa_handler = raise_flag};
    action.sa_flags = (int)SA_RESETHAND; // the second signal acts as usual
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction old;
    const bool is_ignored = sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
    if (!is_ignored) sigaction(SIGHUP, &action, NULL); // nohup stays as the user wants it
}

int pkm_interrupt_code(void)
{
    return 128 + (interrupt_flag ? (int)interrupt_flag : SIGINT);
}

bool pkm_interrupted(void)
{
    return interrupt_flag != 0;
}
