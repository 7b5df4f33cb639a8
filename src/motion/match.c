// Durations that leave no vibration of a known frequency behind: the first minimum of R(k) over
// stretching factors k >= 1. Equations: docs/theory/motion.md, section 8, (29).
#include "motion/match.h"

#include "base/memory.h"
#include "math/quadrature.h"
#include "motion/breaks.h"
#include "motion/data.h"

#include <math.h>
#include <stdbool.h>

/// Parts of the motion between its breaks, at least; steps of the search per period of the
/// vibration, periods that are searched, and steps that refine.
enum { LEAST_PARTS = 64, STEPS = 64, PERIODS = 6, REFINE = 100, MAX_COLUMN = PKM_MAX_DRIVE + 6 };

/// Accelerations of all coordinates at the points of a quadrature.
typedef struct samples {
    int n, n_column;
    double *t, *weight; ///< [n]
    double* a;          ///< [n x n_column]
} samples;

/// Points between two breaks; returns how many (counting alone when there is no room yet).
static int fill_part(const pkm_motion* m, double from, double to, double longest, samples* s)
{
    const int n_part = (int)ceil((to - from) / longest);
    for (int p = 0; p < n_part; ++p)
        for (int k = 0; k < PKM_N_GAUSS; ++k) {
            if (s->t) {
                const double h = (to - from) / n_part;
                s->t[s->n] = from + h * (p + pkm_gauss_at[k]);
                s->weight[s->n] = h * pkm_gauss_weight[k];
                s->n_column = pkm_motion_components(m, s->t[s->n], 2,
                                                    s->a + (size_t)s->n * (size_t)MAX_COLUMN);
            }
            ++s->n;
        }
    return s->n;
}

static void fill(const pkm_motion* m, samples* s)
{
    const double end = pkm_motion_duration(m), longest = end / LEAST_PARTS;
    double from = 0.0;
    s->n = 0;
    while (from < end) {
        const double to = fmin(pkm_motion_next_break(m, from), end);
        fill_part(m, from, to, longest, s);
        from = to;
    }
}

static bool moves(const samples* s)
{
    for (int i = 0; i < s->n; ++i)
        for (int c = 0; c < s->n_column; ++c)
            if (s->a[i * MAX_COLUMN + c] != 0.0) return true;
    return false;
}

/// What an undamped oscillator keeps behind the motion that is stretched by `k`, (29).
static double left_over(const samples* s, double omega, double k)
{
    double square = 0.0;
    for (int c = 0; c < s->n_column; ++c) {
        double re = 0.0, im = 0.0;
        for (int i = 0; i < s->n; ++i) {
            const double x = s->weight[i] * s->a[i * MAX_COLUMN + c];
            re += x * cos(omega * k * s->t[i]);
            im += x * sin(omega * k * s->t[i]);
        }
        square += re * re + im * im;
    }
    return sqrt(square) / (k * omega);
}

/// The place of the minimum between `low` and `high` by thirds.
static double refine(const samples* s, double omega, double low, double high)
{
    for (int i = 0; i < REFINE; ++i) {
        const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
        if (left_over(s, omega, left) < left_over(s, omega, right))
            high = right;
        else
            low = left;
    }
    return 0.5 * (low + high);
}

/// The stretch; 1 where no minimum comes within PERIODS.
static double search(const samples* s, double omega, double end)
{
    // k end grows by a part of the vibration's period
    const double step = 2.0 * acos(-1.0) / (omega * end * STEPS);
    double before = left_over(s, omega, 1.0), now = left_over(s, omega, 1.0 + step);
    for (int i = 2; i <= STEPS * PERIODS; ++i) {
        const double next = left_over(s, omega, 1.0 + i * step);
        if (now <= before && now < next)
            return refine(s, omega, 1.0 + (i - 2) * step, 1.0 + i * step);
        before = now;
        now = next;
    }
    return 1.0;
}

pkm_status pkm_motion_match(const pkm_motion* motion, double omega, double* stretch)
{
    samples s = {0};
    const double end = pkm_motion_duration(motion);
    // counts alone, then fills
    fill(motion, &s);
    const size_t n = (size_t)s.n;
    double* memory = pkm_alloc(n * (2 + MAX_COLUMN), sizeof *memory);
    if (!memory) return PKM_ERR_MEMORY;
    s.t = memory;
    s.weight = memory + n;
    s.a = memory + 2 * n;
    fill(motion, &s);
    const bool is_sound = moves(&s) && omega > 0.0;
    *stretch = is_sound ? search(&s, omega, end) : 1.0;
    pkm_free(memory);
    return is_sound ? PKM_OK : PKM_ERR_ARGUMENT;
}
