/// Spectra of evenly sampled signals: lines of a windowed discrete Fourier transform, and the
/// largest of them between the bins.
#ifndef PKM_TABLE_SPECTRUM_H
#define PKM_TABLE_SPECTRUM_H

#include "pkm/status.h"

typedef enum pkm_window {
    PKM_WINDOW_HANN, ///< good separation, frequencies exact for single lines
    PKM_WINDOW_NONE, ///< for whole periods
    PKM_WINDOW_BLACKMAN,
    PKM_WINDOW_FLATTOP, ///< amplitudes within 0.1 % wherever the line lies
    PKM_N_WINDOW,
} pkm_window;

/// "hann", "none", "blackman", "flattop"; NULL past the last.
const char* pkm_window_name(int window);

typedef struct pkm_spectrum {
    pkm_window window;
    int n_sample;
    int n_line;        ///< n_sample / 2 + 1: 0, df, 2 df ...
    double df;         ///< [Hz]
    double mean;       ///< removed before
    double* amplitude; ///< of the sine that lies on the line; owned
} pkm_spectrum;

/// The spectrum of y[n] sampled every `dt` [s]. The mean is removed, the rest weighted with the
/// window and transformed; amplitudes are divided by the mean weight:
///
///     A_k = c_k |sum w_j (y_j - mean) exp(-2 pi i j k / n)| / sum w_j,   c_k = 2, 1 at 0 and n/2
/// @return PKM_ERR_ARGUMENT for n < 2 or dt <= 0; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_spectrum_create(const double* y, int n, double dt, pkm_window window,
                                             pkm_spectrum** out, pkm_error* err);
void pkm_spectrum_free(pkm_spectrum* spectrum);

typedef struct pkm_line {
    double frequency; ///< [Hz], between the bins
    double amplitude; ///< corrected for that
} pkm_line;

/// The `n_max` largest local maxima above `floor` (a share of the largest), by size.
/// Frequency and amplitude are exact for a single sine with the Hann window and without one, as far
/// as its mirror image at negative frequencies can be neglected; others by a parabola through the
/// logarithms. @return their number.
int pkm_spectrum_lines(const pkm_spectrum* spectrum, double floor, pkm_line* out, int n_max);

#endif
