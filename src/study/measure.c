// A measure is a reduction of one column (peak, rms, frequency, settling time); measures of what is
// not there are NaN, which the database keeps as unknown.
#include "study/measure.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/column.h"
#include "table/spectrum.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char* const pkm_measure_name[] = {
    "peak",  "time of peak", "rms",           "final", "min", "max", "dominant frequency",
    "start", "range",        "relative peak", NULL};

const char* pkm_measure_unit(pkm_measure measure, const char* unit)
{
    if (measure == PKM_MEASURE_TIME_OF_PEAK) return "s";
    if (measure == PKM_MEASURE_RELATIVE) return "";
    return measure == PKM_MEASURE_FREQUENCY ? "Hz" : unit;
}

double pkm_measure_of_nothing(pkm_measure measure)
{
    // what is not there has no time, frequency or ratio
    const bool is_amount = measure != PKM_MEASURE_TIME_OF_PEAK &&
                           measure != PKM_MEASURE_FREQUENCY && measure != PKM_MEASURE_RELATIVE;
    return is_amount ? 0.0 : NAN;
}

static pkm_status dominant_frequency(const pkm_table* table, int column, double* out,
                                     pkm_error* err)
{
    const int n = pkm_table_n_row(table);
    *out = NAN;
    // too few for a period
    if (n < 4) return PKM_OK;
    double* y = pkm_alloc((size_t)n, sizeof *y);
    if (!y) return pkm_out_of_memory(err);
    for (int k = 0; k < n; ++k)
        y[k] = pkm_table_get(table, k, column);
    // rows are evenly spaced
    const double dt = (pkm_table_get(table, n - 1, 0) - pkm_table_get(table, 0, 0)) / (n - 1);
    pkm_spectrum* spectrum = NULL;
    pkm_line line;
    const pkm_status status = pkm_spectrum_create(y, n, dt, PKM_WINDOW_HANN, &spectrum, err);
    if (status == PKM_OK && pkm_spectrum_lines(spectrum, 0.0, &line, 1) == 1) *out = line.frequency;
    pkm_spectrum_free(spectrum);
    pkm_free(y);
    return status;
}

/// The columns of X and of its deviation dX, for a column that is a difference of X alone.
static pkm_status find_whole(const pkm_table* table, int column, int* whole, int* off,
                             pkm_error* err)
{
    const char *of = pkm_table_of(table, column), *name = pkm_table_name(table, column);
    const char* dot = name ? strrchr(name, '.') : NULL;
    char item[PKM_MAX_NAME], change[PKM_MAX_NAME];
    snprintf(item, sizeof item, "%.*s", dot ? (int)(dot - name) : 0, name ? name : "");
    // "A.dforce" is a difference of "A.force": the column says of what
    snprintf(change, sizeof change, "d%s", of);
    *whole = pkm_table_find_item(table, item, of);
    *off = pkm_table_find_item(table, item, change);
    // one quantity alone: "x y z" names three
    if (*of && *whole != PKM_NONE && *off != PKM_NONE) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "relative peak of %s: expected a deviation of one quantity: .dforce, .dq, .dr, "
                    ".dspeed, .dacc, .dv or .da",
                    name ? name : "");
}

pkm_status pkm_measure_require(const pkm_table* table, int column, pkm_measure measure,
                               pkm_error* err)
{
    int whole, off;
    return measure == PKM_MEASURE_RELATIVE ? find_whole(table, column, &whole, &off, err) : PKM_OK;
}

/// Peak of the deviation over that of the ideal quantity, X - dX, located rows too.
static pkm_status relative_peak(const pkm_table* table, int column, double* value, double* t,
                                pkm_error* err)
{
    int whole, off, row = PKM_NONE;
    double most = 0.0;
    PKM_TRY(find_whole(table, column, &whole, &off, err));
    for (int i = 0; i < pkm_table_n_row(table) + pkm_table_n_located(table); ++i)
        most = fmax(most, fabs(pkm_table_get(table, i, whole) - pkm_table_get(table, i, off)));
    const double peak = pkm_table_reduce(table, column, PKM_REDUCE_ABSMAX, &row);
    *value = most > 0.0 ? peak / most : NAN;
    if (row != PKM_NONE) *t = pkm_table_get(table, row, 0);
    return PKM_OK;
}

pkm_status pkm_measure_column(const pkm_table* table, int column, pkm_measure measure,
                              double* value, double* t, pkm_error* err)
{
    static const pkm_reduction reduction[] = {
        [PKM_MEASURE_PEAK] = PKM_REDUCE_ABSMAX, [PKM_MEASURE_TIME_OF_PEAK] = PKM_REDUCE_ABSMAX,
        [PKM_MEASURE_FINAL] = PKM_REDUCE_END,   [PKM_MEASURE_MIN] = PKM_REDUCE_MIN,
        [PKM_MEASURE_MAX] = PKM_REDUCE_MAX,     [PKM_MEASURE_START] = PKM_REDUCE_START,
        [PKM_MEASURE_RANGE] = PKM_REDUCE_RANGE};
    // mean values have no time
    *t = NAN;
    if (measure == PKM_MEASURE_FREQUENCY) return dominant_frequency(table, column, value, err);
    if (measure == PKM_MEASURE_RELATIVE) return relative_peak(table, column, value, t, err);
    // NaN where the rows are too far apart to tell it
    if (measure == PKM_MEASURE_RMS) {
        *value = pkm_table_rms(table, column);
        return PKM_OK;
    }
    int row = PKM_NONE;
    *value = pkm_table_reduce(table, column, reduction[measure], &row);
    if (row != PKM_NONE) *t = pkm_table_get(table, row, 0);
    if (measure == PKM_MEASURE_TIME_OF_PEAK) *value = *t;
    return PKM_OK;
}
