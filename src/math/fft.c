// Powers of small primes by recursion, lengths with large primes as a convolution of a power of two
// (Bluestein): n log n for every length.
#include "math/fft.h"

#include "base/memory.h"
#include "math/angle.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef double complex number;

enum {
    MOST_FACTOR = 32, ///< of a length below 2^31
    MOST_RADIX = 13,  ///< larger primes cost p^2 and go through the chirp
};

/// A product without the checks for infinities that C prescribes.
static number times(number a, number b)
{
    const double ar = creal(a), ai = cimag(a), br = creal(b), bi = cimag(b);
    return CMPLX(ar * br - ai * bi, ar * bi + ai * br);
}

/// exp(-2 pi i k / n), from the angle within an eighth of a turn, where sine and cosine are exact.
static number root(long long k, long long n)
{
    long long eighth = 8 * (k % n) / n; // the octant
    const double angle = 2.0 * PKM_PI * (double)(8 * (k % n) - eighth * n) / (8.0 * (double)n);
    const double half = 0.70710678118654752440;
    static const signed char quarter[8][2] = {{1, 0},  {1, -1}, {0, -1}, {-1, -1},
                                              {-1, 0}, {-1, 1}, {0, 1},  {1, 1}};
    const double scale = eighth % 2 ? half : 1.0;
    const number start = CMPLX(scale * quarter[eighth][0], scale * quarter[eighth][1]);
    return times(start, CMPLX(cos(angle), -sin(angle)));
}

// ---- small primes -----------------------------------------------------------------------------

/// Factors of n, fours first; their number, 0 when a prime is too large.
static int split(int n, int* factor)
{
    int count = 0;
    while (n % 4 == 0)
        factor[count++] = 4, n /= 4;
    for (int p = 2; p <= MOST_RADIX; ++p)
        while (n % p == 0)
            factor[count++] = p, n /= p;
    return n == 1 ? count : 0;
}

typedef struct plan {
    int n;
    const number* root; ///< [n] exp(-2 pi i k / n)
} plan;

/// Combine the p transforms of length m in `x`:
///
///     X_{k + r m} = sum_q w_p^{q r} (w_{p m}^{q k} X_k^{(q)})
static void combine(const plan* f, int p, int m, number* x)
{
    const int step = f->n / (p * m), turn = f->n / p;
    number part[MOST_RADIX];
    for (int k = 0; k < m; ++k) {
        for (int q = 0; q < p; ++q)
            part[q] = times(x[q * m + k], f->root[q * k * step]);
        for (int r = 0; r < p; ++r) {
            number sum = part[0];
            for (int q = 1; q < p; ++q)
                sum += times(part[q], f->root[q * r % p * turn]);
            x[r * m + k] = sum;
        }
    }
}

/// Every `stride`-th sample of `in`, n of them, to `out`.
static void transform(const plan* f, const int* factor, int n, const number* in, int stride,
                      number* out)
{
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    const int p = *factor, m = n / p;
    for (int q = 0; q < p; ++q)
        transform(f, factor + 1, m, in + (ptrdiff_t)q * stride, stride * p, out + q * m);
    combine(f, p, m, out);
}

static void make_roots(int n, number* out)
{
    for (int k = 0; k < n; ++k)
        out[k] = root(k, n);
}

// ---- large primes -----------------------------------------------------------------------------

/// Arrays of the convolution of length m.
typedef struct chirp {
    int n, m;
    number *wave, *root, *a, *b, *c;
} chirp;

static void transform_power(const chirp* s, const number* in, number* out)
{
    int factor[MOST_FACTOR];
    const plan f = {s->m, s->root};
    split(s->m, factor);
    transform(&f, factor, s->m, in, 1, out);
}

/// With j k = (j^2 + k^2 - (k - j)^2) / 2 and wave_j = exp(-pi i j^2 / n):
///
///     X_k = wave_k sum_j (x_j wave_j) conj(wave_{k - j})
static void convolve(chirp* s, const number* x, number* out)
{
    memset(s->a, 0, (size_t)s->m * sizeof *s->a);
    for (int j = 0; j < s->n; ++j)
        s->a[j] = times(x[j], s->wave[j]);
    transform_power(s, s->a, s->c);
    memset(s->a, 0, (size_t)s->m * sizeof *s->a);
    s->a[0] = conj(s->wave[0]);
    for (int j = 1; j < s->n; ++j)
        s->a[j] = s->a[s->m - j] = conj(s->wave[j]);
    transform_power(s, s->a, s->b);
    for (int k = 0; k < s->m; ++k) // the inverse transform by conjugates
        s->a[k] = conj(times(s->b[k], s->c[k]));
    transform_power(s, s->a, s->b);
    for (int k = 0; k < s->n; ++k)
        out[k] = times(s->wave[k], conj(s->b[k]) / s->m);
}

static pkm_status transform_by_chirp(const number* x, int n, number* out)
{
    chirp s = {.n = n, .m = 1};
    while (s.m < 2 * n - 1)
        s.m *= 2;
    const size_t m = (size_t)s.m;
    s.wave = pkm_alloc((size_t)n + 4 * m, sizeof *s.wave);
    if (!s.wave) return PKM_ERR_MEMORY;
    s.root = s.wave + n;
    s.a = s.root + m;
    s.b = s.a + m;
    s.c = s.b + m;
    make_roots(s.m, s.root);
    for (long long j = 0; j < n; ++j)
        s.wave[j] = root(j * j % (2LL * n), 2LL * n);
    convolve(&s, x, out);
    pkm_free(s.wave);
    return PKM_OK;
}

pkm_status pkm_fft_real(const double* x, int n, double* re, double* im)
{
    int factor[MOST_FACTOR];
    if (n < 1 || n > 1 << 28) return PKM_ERR_ARGUMENT;
    number* memory = pkm_alloc(3 * (size_t)n, sizeof *memory);
    if (!memory) return PKM_ERR_MEMORY;
    number *in = memory, *out = memory + n, *roots = memory + 2 * (size_t)n;
    for (int k = 0; k < n; ++k)
        in[k] = x[k];
    pkm_status status = PKM_OK;
    if (n == 1 || split(n, factor) > 0) {
        const plan f = {n, roots};
        make_roots(n, roots);
        transform(&f, factor, n, in, 1, out);
    } else {
        status = transform_by_chirp(in, n, out);
    }
    for (int k = 0; status == PKM_OK && k <= n / 2; ++k) {
        re[k] = creal(out[k]);
        im[k] = cimag(out[k]);
    }
    pkm_free(memory);
    return status;
}
