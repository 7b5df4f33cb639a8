#include "study/measure.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/spectrum.h"

#include <math.h>
#include <stddef.h>

const char* const pkm_measure_name[] = {"peak", "time of peak",       "rms",   "final", "min",
                                        "max",  "dominant frequency", "start", "range", NULL};

const char* pkm_measure_unit(pkm_measure measure, const char* unit)
{
    if (measure == PKM_MEASURE_TIME_OF_PEAK) return "s";
    return measure == PKM_MEASURE_FREQUENCY ? "Hz" : unit;
}

static pkm_status dominant_frequency(const pkm_table* table, int column, double* out,
                                     pkm_error* err)
{
    const int n = pkm_table_n_row(table);
    *out = NAN;
    if (n < 4) return PKM_OK;
    double* y = pkm_alloc((size_t)n, sizeof *y);
    if (!y) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int k = 0; k < n; ++k)
        y[k] = pkm_table_get(table, k, column);
    const double dt = (pkm_table_get(table, n - 1, 0) - pkm_table_get(table, 0, 0)) / (n - 1);
    pkm_spectrum* spectrum = NULL;
    pkm_line line;
    const pkm_status status = pkm_spectrum_create(y, n, dt, PKM_WINDOW_HANN, &spectrum, err);
    if (status == PKM_OK && pkm_spectrum_lines(spectrum, 0.0, &line, 1) == 1) *out = line.frequency;
    pkm_spectrum_free(spectrum);
    pkm_free(y);
    return status;
}

pkm_status pkm_measure_column(const pkm_table* table, int column, pkm_measure measure,
                              double* value, double* t, pkm_error* err)
{
    static const pkm_reduction reduction[] = {
        [PKM_MEASURE_PEAK] = PKM_REDUCE_ABSMAX, [PKM_MEASURE_TIME_OF_PEAK] = PKM_REDUCE_ABSMAX,
        [PKM_MEASURE_RMS] = PKM_REDUCE_RMS,     [PKM_MEASURE_FINAL] = PKM_REDUCE_END,
        [PKM_MEASURE_MIN] = PKM_REDUCE_MIN,     [PKM_MEASURE_MAX] = PKM_REDUCE_MAX,
        [PKM_MEASURE_START] = PKM_REDUCE_START, [PKM_MEASURE_RANGE] = PKM_REDUCE_RANGE};
    *t = NAN;
    if (measure == PKM_MEASURE_FREQUENCY) return dominant_frequency(table, column, value, err);
    int row = PKM_NONE;
    *value = pkm_table_reduce(table, column, reduction[measure], &row);
    if (row != PKM_NONE) *t = pkm_table_get(table, row, 0);
    if (measure == PKM_MEASURE_TIME_OF_PEAK) *value = *t;
    return PKM_OK;
}
