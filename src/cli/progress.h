/// Progress with the time left, on stderr, for people who watch; and the question whether they have
/// pressed Ctrl-C.
#ifndef PKM_CLI_PROGRESS_H
#define PKM_CLI_PROGRESS_H

#include <stdbool.h>

/// One running bar. A value: nothing to free.
typedef struct pkm_progress {
    const char* what; ///< what is being done, for example "inverse dynamics"; lent
    bool shown;       ///< stderr is a terminal
    bool drawn;       ///< there is a line to erase
    double start;     ///< time of the beginning [s]
    double last;      ///< time of the last line [s]
} pkm_progress;

/// Begin. Nothing is written when stderr is not a terminal, nor before the first tenth of a second
/// has passed: short work leaves no trace.
pkm_progress pkm_progress_begin(const char* what);

/// Say that `fraction` (0 to 1) of the work is done; writes at most ten times per second.
void pkm_progress_update(pkm_progress* progress, double fraction);

/// Erase the line.
void pkm_progress_end(pkm_progress* progress);

/// Write what a line says into `text`: "inverse dynamics  42 %, 1 min 20 s left". The time left is
/// the time used times (1 - f) / f, for work that goes on as it went so far.
void pkm_progress_text(char* text, int size, const char* what, double fraction, double elapsed);

/// From now on Ctrl-C (SIGINT), SIGTERM and SIGHUP (a lost connection) only raise a flag; a second
/// one ends the program as usual.
void pkm_interrupt_watch(void);

/// True after one of them: stop at the next instant, keep the rows, exit with the code below.
bool pkm_interrupted(void);
/// 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP.
int pkm_interrupt_code(void);

#endif
