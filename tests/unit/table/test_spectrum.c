#include "table/spectrum.h"

#include "check.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

enum { N = 1000 };

static void fill(double* y, int n, double dt, double mean, double amplitude, double frequency,
                 double phase)
{
    for (int k = 0; k < n; ++k)
        y[k] = mean + amplitude * sin(2.0 * pi * frequency * k * dt + phase);
}

// 25 whole periods: the sine lies on line 25, and without a window on no other.
static void a_sine_of_whole_periods_is_one_line_with_its_amplitude(void)
{
    double y[N];
    pkm_spectrum* s;
    fill(y, N, 1e-3, 4.0, 3.0, 25.0, 0.3);
    CHECK(pkm_spectrum_create(y, N, 1e-3, PKM_WINDOW_NONE, &s, NULL) == PKM_OK);
    CHECK_NEAR(s->df, 1.0, 1e-15);
    CHECK_NEAR(s->mean, 4.0, 1e-13);
    for (int k = 0; k < s->n_line; ++k)
        CHECK_NEAR(s->amplitude[k], k == 25 ? 3.0 : 0.0, 1e-12);
    pkm_spectrum_free(s);
}

// sum y^2 / n = mean^2 + sum A_k^2 / 2, where the line at half the sampling rate counts fully.
static void parseval_holds_without_a_window(void)
{
    double y[N];
    pkm_spectrum* s;
    double square = 0.0;
    srand(3);
    for (int k = 0; k < N; ++k) {
        y[k] = 2.0 * rand() / RAND_MAX - 0.7;
        square += y[k] * y[k] / N;
    }
    CHECK(pkm_spectrum_create(y, N, 0.1, PKM_WINDOW_NONE, &s, NULL) == PKM_OK);
    double sum = s->mean * s->mean;
    for (int k = 1; k < s->n_line; ++k)
        sum += (2 * k == N ? 1.0 : 0.5) * s->amplitude[k] * s->amplitude[k];
    CHECK_NEAR(sum, square, 1e-13);
    pkm_spectrum_free(s);
}

// Between lines and for odd and prime numbers of samples. What is left is the mirror image at
// negative frequencies, which falls with the distance 2 f / df to the power 3 (Hann) and 1 (none).
static void frequency_and_amplitude_are_found_between_the_lines(void)
{
    static const int size[] = {1000, 997, 1001, 1024};
    double y[1024];
    for (int i = 0; i < 4; ++i)
        for (double f = 100.0; f < 102.0; f += 0.23) {
            pkm_spectrum* s;
            pkm_line line;
            fill(y, size[i], 1e-3, -1.0, 0.5, f, 1.1);
            CHECK(pkm_spectrum_create(y, size[i], 1e-3, PKM_WINDOW_HANN, &s, NULL) == PKM_OK);
            CHECK(pkm_spectrum_lines(s, 0.1, &line, 1) == 1);
            CHECK_NEAR(line.frequency, f, 1e-4);
            CHECK_NEAR(line.amplitude, 0.5, 1e-4);
            pkm_spectrum_free(s);
        }
}

static void the_flat_top_shows_amplitudes_wherever_the_line_lies(void)
{
    double y[N];
    for (double f = 50.0; f <= 51.0; f += 0.1) {
        pkm_spectrum* s;
        fill(y, N, 1e-3, 0.0, 2.0, f, 0.4);
        CHECK(pkm_spectrum_create(y, N, 1e-3, PKM_WINDOW_FLATTOP, &s, NULL) == PKM_OK);
        const int k = (int)lround(f);
        CHECK_NEAR(s->amplitude[k], 2.0, 0.004); // the window is flat to 0.01 dB
        pkm_spectrum_free(s);
    }
}

// The lobe of a Blackman window is a parabola of logarithms to 0.02 of a line, whatever the
// amplitude.
static void a_blackman_window_finds_frequencies_between_the_lines(void)
{
    double y[N];
    for (double f = 50.0; f <= 51.0; f += 0.1) {
        pkm_spectrum* s;
        pkm_line line;
        fill(y, N, 1e-3, 0.0, 1e-3, f, 0.4);
        CHECK(pkm_spectrum_create(y, N, 1e-3, PKM_WINDOW_BLACKMAN, &s, NULL) == PKM_OK);
        CHECK(pkm_spectrum_lines(s, 0.5, &line, 1) == 1);
        CHECK_NEAR(line.frequency, f, 0.02);
        pkm_spectrum_free(s);
    }
}

static void lines_come_by_size_and_above_the_floor(void)
{
    double y[N], other[N];
    pkm_spectrum* s;
    pkm_line line[4];
    fill(y, N, 1e-3, 0.0, 1.0, 40.3, 0.0);
    fill(other, N, 1e-3, 0.0, 3.0, 120.7, 2.0);
    for (int k = 0; k < N; ++k)
        y[k] += other[k];
    CHECK(pkm_spectrum_create(y, N, 1e-3, PKM_WINDOW_HANN, &s, NULL) == PKM_OK);
    CHECK(pkm_spectrum_lines(s, 0.1, line, 4) == 2);
    CHECK_NEAR(line[0].frequency, 120.7, 1e-3);
    CHECK_NEAR(line[1].frequency, 40.3, 1e-3);
    CHECK(pkm_spectrum_lines(s, 0.5, line, 4) == 1);
    pkm_spectrum_free(s);
}

static void nothing_is_made_of_one_sample(void)
{
    const double y = 1.0;
    pkm_spectrum* s;
    pkm_error err;
    CHECK(pkm_spectrum_create(&y, 1, 1.0, PKM_WINDOW_HANN, &s, &err) == PKM_ERR_ARGUMENT);
    CHECK(!s);
}

int main(void)
{
    RUN(a_sine_of_whole_periods_is_one_line_with_its_amplitude);
    RUN(a_blackman_window_finds_frequencies_between_the_lines);
    RUN(parseval_holds_without_a_window);
    RUN(frequency_and_amplitude_are_found_between_the_lines);
    RUN(the_flat_top_shows_amplitudes_wherever_the_line_lies);
    RUN(lines_come_by_size_and_above_the_floor);
    RUN(nothing_is_made_of_one_sample);
    return check_report();
}
