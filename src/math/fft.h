/// The discrete Fourier transform of any length, in double precision.
///
///     X_k = sum_j x_j exp(-2 pi i j k / n)
///
/// Lengths of small primes are split by the mixed-radix scheme of Cooley and Tukey; a length with a
/// large prime becomes a convolution with a chirp (Bluestein). The error is some 1e-16 log n of
/// the largest |X|; the same length gives the same bits every time.
#ifndef PKM_MATH_FFT_H
#define PKM_MATH_FFT_H

#include "pkm/status.h"

/// Transform the n >= 1 real samples `x` into the n / 2 + 1 lines re[k] + i im[k].
/// @return PKM_ERR_ARGUMENT, PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_fft_real(const double* x, int n, double* re, double* im);

#endif
