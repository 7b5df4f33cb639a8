// Settling by the last sample outside the band, frequency and damping by the maxima that follow:
// ln(a_k) = c - zeta omega t_k, a straight line through the logarithms of the peaks.
#include "table/residual.h"

#include "base/error.h"
#include "math/angle.h"
#include "table/spectrum.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/// Peaks of the decay that are smaller than this part of the first are noise.
static const double least_peak = 0.01;

static double mean_of(const double* y, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k)
        sum += y[k];
    return sum / n;
}

/// When the signal enters the band for good: between the last sample outside and the next one.
static double settling_time(const double* t, const double* y, int n, const pkm_residual* r)
{
    int last = n - 1;
    while (last >= 0 && fabs(y[last] - r->final) <= r->band)
        --last;
    if (last < 0) return 0.0;
    if (last == n - 1) return NAN;
    const double a = fabs(y[last] - r->final), b = fabs(y[last + 1] - r->final);
    const double part = a > b ? (a - r->band) / (a - b) : 1.0;
    return t[last] + part * (t[last + 1] - t[last]) - t[0];
}

/// A local maximum of |y - final| by a parabola through three samples; false where there is none.
static bool find_peak(const double* t, const double* y, int k, double final, double* at,
                      double* size)
{
    const double sign = y[k] > final ? 1.0 : -1.0;
    const double a = sign * (y[k - 1] - final), b = sign * (y[k] - final),
                 c = sign * (y[k + 1] - final);
    if (!(b > a && b >= c && b > 0.0)) return false;
    const double d = 0.5 * (a - c) / (a - 2.0 * b + c);
    *at = t[k] + d * (t[k + 1] - t[k]);
    *size = b - 0.25 * (a - c) * d;
    return true;
}

/// The ratio from the straight line through the logarithms of the peaks over time: slope -sigma,
///     zeta = sigma / sqrt(sigma^2 + (2 pi f)^2).
static double damping_ratio(const double* t, const double* y, int n, const pkm_residual* r)
{
    double s = 0.0, st = 0.0, sl = 0.0, stt = 0.0, stl = 0.0;
    for (int k = 1; k + 1 < n; ++k) {
        double at, size;
        if (!find_peak(t, y, k, r->final, &at, &size) || size < least_peak * r->swing) continue;
        const double l = log(size), x = at - t[0];
        s += 1.0, st += x, sl += l, stt += x * x, stl += x * l;
    }
    const double det = s * stt - st * st;
    if (s < 3.0 || !(det > 0.0) || isnan(r->frequency)) return NAN;
    const double sigma = (st * sl - s * stl) / det;
    const double omega = 2.0 * PKM_PI * r->frequency;
    return sigma / sqrt(sigma * sigma + omega * omega);
}

pkm_status pkm_residual_find(const double* t, const double* y, int n, double stop, double share,
                             double width, pkm_residual* out, pkm_error* err)
{
    int first = 0;
    while (first < n && t[first] < stop)
        ++first;
    t += first, y += first, n -= first;
    if (n < 8)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%d samples after the stop at %g s, expected 8", n,
                        stop);
    const int tail = n / 10 > 0 ? n / 10 : 1;
    double square = 0.0;
    *out = (pkm_residual){.final = mean_of(y + n - tail, tail), .frequency = NAN};
    for (int k = 0; k < n; ++k) {
        const double e = y[k] - out->final;
        out->swing = fmax(out->swing, fabs(e));
        square += e * e;
    }
    out->rms = sqrt(square / n);
    out->band = width > 0.0 ? width : share * out->swing;
    out->settling = settling_time(t, y, n, out);
    pkm_spectrum* spectrum = NULL;
    pkm_line line;
    PKM_TRY(
        pkm_spectrum_create(y, n, (t[n - 1] - t[0]) / (n - 1), PKM_WINDOW_HANN, &spectrum, err));
    if (pkm_spectrum_lines(spectrum, 0.0, &line, 1) == 1) out->frequency = line.frequency;
    pkm_spectrum_free(spectrum);
    out->damping = damping_ratio(t, y, n, out);
    return PKM_OK;
}
