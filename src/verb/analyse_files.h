/// What pkm analyse finds, and how it is told.
#ifndef PKM_VERB_ANALYSE_FILES_H
#define PKM_VERB_ANALYSE_FILES_H

#include "pkm/table.h"
#include "table/residual.h"
#include "table/spectrum.h"
#include "verb/commands.h"

enum { CLI_MAX_SIGNAL = 24, CLI_MAX_LINE = 20 };

typedef struct cli_signal {
    int column;
    double* y;
    pkm_spectrum* spectrum;
    int n_line;
    pkm_line line[CLI_MAX_LINE]; ///< by size
    pkm_residual residual;       ///< when there is a stop
} cli_signal;

typedef struct cli_analysis {
    const cli_arguments* args;
    pkm_table* table;
    pkm_window window;
    double from, to;               ///< [s]
    double stop;                   ///< of the motion [s]; NaN: none
    double band_share, band_width; ///< width 0: by the share of the swing
    int n_line;                    ///< wanted
    int n;                         ///< samples
    double* t;
    int n_signal;
    cli_signal signal[CLI_MAX_SIGNAL];
    char folder[1024];
} cli_analysis;

/// Write spectra.csv, spectra.svg, signals.svg, manifest.json.
PKM_NODISCARD pkm_status cli_analysis_write(cli_analysis* a, pkm_error* err);

/// What --json prints, and its text for people (report/render.h).
void cli_analysis_result(const cli_analysis* a, pkm_result* out);
extern const char cli_analysis_text[];

#endif
