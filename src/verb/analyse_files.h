/// What pkm analyse finds, and how it is told.
#ifndef PKM_VERB_ANALYSE_FILES_H
#define PKM_VERB_ANALYSE_FILES_H

#include "pkm/table.h"
#include "table/residual.h"
#include "table/spectrum.h"
#include "verb/commands.h"

enum { VERB_MAX_SIGNAL = 24, VERB_MAX_LINE = 20 };

typedef struct pkm_verb_signal {
    int column;
    double* y;
    pkm_spectrum* spectrum;
    int n_line;
    pkm_line line[VERB_MAX_LINE]; ///< by size
    pkm_residual residual;        ///< when there is a stop
} pkm_verb_signal;

typedef struct pkm_verb_analysis {
    const pkm_verb_arguments* args;
    pkm_table* table;
    pkm_window window;
    double from, to;               ///< [s]
    double stop;                   ///< of the motion [s]; NaN: none
    double band_share, band_width; ///< width 0: by the share of the swing
    int n_line;                    ///< wanted
    int n;                         ///< samples
    double* t;
    int n_signal;
    pkm_verb_signal signal[VERB_MAX_SIGNAL];
    char folder[1024];
    double start; ///< when it began [s]
} pkm_verb_analysis;

/// Name the folder of the results; none when nothing is written.
void pkm_verb_analysis_folder(pkm_verb_analysis* a);
/// Write spectra.csv, spectra.svg, signals.svg, summary.json (of `tree`), manifest.json.
PKM_NODISCARD pkm_status pkm_verb_analysis_write(const pkm_verb_analysis* a, const pkm_result* tree,
                                                 pkm_error* err);

/// What --json prints, and its text for people (report/render.h).
void pkm_verb_analysis_result(const pkm_verb_analysis* a, pkm_result* out);
extern const char pkm_verb_analysis_text[];

#endif
