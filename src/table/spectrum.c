// A window keeps lines from leaking over the whole spectrum; between two bins the frequency follows
// from the ratio of their amplitudes, which is known for each window.
#include "table/spectrum.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/angle.h"
#include "math/fft.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/// Coefficients of the cosines of each window.
static const double cosines[PKM_N_WINDOW][5] = {
    [PKM_WINDOW_HANN] = {0.5, -0.5},
    [PKM_WINDOW_NONE] = {1.0},
    [PKM_WINDOW_BLACKMAN] = {0.42, -0.5, 0.08},
    [PKM_WINDOW_FLATTOP] = {0.21557895, -0.41663158, 0.277263158, -0.083578947, 0.006947368},
};

const char* pkm_window_name(int window)
{
    static const char* const name[PKM_N_WINDOW] = {"hann", "none", "blackman", "flattop"};
    return window >= 0 && window < PKM_N_WINDOW ? name[window] : NULL;
}

/// Weight of sample `k` of `n`, periodic: sum of a_i cos(2 pi i k / n).
static double window_weight(pkm_window window, int k, int n)
{
    double sum = 0.0;
    for (int i = 0; i < 5; ++i)
        sum += cosines[window][i] * cos(2.0 * PKM_PI * i * k / n);
    return sum;
}

// ---- the transform ----------------------------------------------------------------------------

/// Amplitudes of the n/2 + 1 lines of the weighted samples.
static pkm_status transform(const double* samples, int n, double scale, double* amplitude)
{
    const size_t n_line = (size_t)n / 2 + 1;
    double* lines = pkm_alloc(2 * n_line, sizeof *lines);
    if (!lines) return PKM_ERR_MEMORY;
    const pkm_status status = pkm_fft_real(samples, n, lines, lines + n_line);
    for (size_t k = 0; status == PKM_OK && k < n_line; ++k) {
        const bool is_edge = k == 0 || 2 * k == (size_t)n;
        amplitude[k] = (is_edge ? 1.0 : 2.0) * scale * hypot(lines[k], lines[n_line + k]);
    }
    pkm_free(lines);
    return status;
}

static double mean_of(const double* y, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k)
        sum += y[k];
    return sum / n;
}

static pkm_status fill(pkm_spectrum* s, const double* y)
{
    const int n = s->n_sample;
    double* samples = pkm_alloc((size_t)n, sizeof *samples);
    if (!samples) return PKM_ERR_MEMORY;
    double weights = 0.0;
    s->mean = mean_of(y, n);
    for (int k = 0; k < n; ++k) {
        const double w = window_weight(s->window, k, n);
        samples[k] = w * (y[k] - s->mean);
        weights += w;
    }
    const pkm_status status = transform(samples, n, 1.0 / weights, s->amplitude);
    pkm_free(samples);
    return status;
}

pkm_status pkm_spectrum_create(const double* y, int n, double dt, pkm_window window,
                               pkm_spectrum** out, pkm_error* err)
{
    *out = NULL;
    if (n < 2 || !(dt > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "spectrum: %d samples every %g s, expected at least 2 and above 0", n, dt);
    pkm_spectrum* s = pkm_alloc(1, sizeof *s);
    if (s) {
        *s = (pkm_spectrum){.window = window, .n_sample = n, .n_line = n / 2 + 1};
        s->df = 1.0 / (n * dt);
        s->amplitude = pkm_alloc((size_t)s->n_line, sizeof *s->amplitude);
    }
    if (!s || !s->amplitude || fill(s, y) != PKM_OK) {
        pkm_spectrum_free(s);
        return pkm_out_of_memory(err);
    }
    *out = s;
    return PKM_OK;
}

void pkm_spectrum_free(pkm_spectrum* spectrum)
{
    if (!spectrum) return;
    pkm_free(spectrum->amplitude);
    pkm_free(spectrum);
}

// ---- lines ------------------------------------------------------------------------------------

/// Where between bin k and the next one (d > 0) or the one before (d < 0) the line of a sine lies,
/// from the ratio r of the larger neighbour: without a window the lines fall as 1/|d|, with the
/// Hann window as 1/(d (1 - d^2)).
static double offset_of(pkm_window window, double before, double at, double after)
{
    const double sign = after >= before ? 1.0 : -1.0, r = fmax(before, after) / at;
    if (window == PKM_WINDOW_NONE) return sign * r / (1.0 + r);
    if (window == PKM_WINDOW_HANN) return sign * fmax(2.0 * r - 1.0, 0.0) / (1.0 + r);
    if (!(before > 0.0 && after > 0.0)) return 0.0;
    const double a = log(before), b = log(at), c = log(after);
    return 0.5 * (a - c) / (a - 2.0 * b + c);
}

/// The amplitude of the sine whose line lies `d` beside the bin with amplitude `at`.
static double amplitude_of(pkm_window window, double before, double at, double after, double d)
{
    const double sinc = fabs(d) < 1e-9 ? 1.0 : sin(PKM_PI * d) / (PKM_PI * d);
    if (window == PKM_WINDOW_NONE) return at / sinc;
    if (window == PKM_WINDOW_HANN) return at * (1.0 - d * d) / sinc;
    if (!(before > 0.0 && after > 0.0)) return at;
    return exp(log(at) - 0.25 * (log(before) - log(after)) * d);
}

static pkm_line line_at(const pkm_spectrum* s, int k)
{
    const double before = s->amplitude[k - 1], at = s->amplitude[k];
    const double after = k + 1 < s->n_line ? s->amplitude[k + 1] : 0.0;
    const double d = offset_of(s->window, before, at, after);
    return (pkm_line){.frequency = (k + d) * s->df,
                      .amplitude = amplitude_of(s->window, before, at, after, d)};
}

static bool is_peak(const pkm_spectrum* s, int k, double least)
{
    const double at = s->amplitude[k];
    const bool above_next = k + 1 >= s->n_line || at >= s->amplitude[k + 1];
    return at > least && at > s->amplitude[k - 1] && above_next;
}

/// Put `line` into the sorted list of at most n_max.
static int insert(pkm_line line, pkm_line* out, int n, int n_max)
{
    int at = n;
    while (at > 0 && out[at - 1].amplitude < line.amplitude)
        --at;
    if (at == n_max) return n;
    const int last = n < n_max ? n : n_max - 1;
    for (int i = last; i > at; --i)
        out[i] = out[i - 1];
    out[at] = line;
    return last + 1;
}

int pkm_spectrum_lines(const pkm_spectrum* spectrum, double floor, pkm_line* out, int n_max)
{
    double largest = 0.0;
    for (int k = 1; k < spectrum->n_line; ++k)
        largest = fmax(largest, spectrum->amplitude[k]);
    int n = 0;
    for (int k = 1; k < spectrum->n_line && n_max > 0; ++k)
        if (is_peak(spectrum, k, floor * largest)) n = insert(line_at(spectrum, k), out, n, n_max);
    return n;
}
