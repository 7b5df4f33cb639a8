// One number of a column: against signals whose number is known.
#include "study/measure.h"

#include "check.h"
#include "table/column.h"

static pkm_table* signal(int n, double dt, double frequency)
{
    pkm_table* table = pkm_table_create();
    CHECK(pkm_table_add_column(table, "t", "s") == 0);
    CHECK(pkm_table_add_column(table, "y", "m") == 1);
    for (int i = 0; i < n; ++i) {
        double* row = pkm_table_append(table);
        row[0] = i * dt;
        row[1] = 3.0 * sin(2.0 * 3.14159265358979323846 * frequency * row[0]) - 0.5;
    }
    return table;
}

// A sine between two lines of the spectrum (1 Hz apart): found to a hundredth of their distance.
static void dominant_frequency_is_that_of_the_sine(void)
{
    static const double frequency[] = {17.0, 40.3, 77.77};
    for (int k = 0; k < 3; ++k) {
        pkm_table* table = signal(1001, 1e-3, frequency[k]);
        double value = NAN, t = 0.0;
        CHECK(pkm_measure_column(table, 1, PKM_MEASURE_FREQUENCY, &value, &t, NULL) == PKM_OK);
        CHECK_NEAR(value, frequency[k], 0.01);
        CHECK(isnan(t));
        pkm_table_free(table);
    }
}

static void peak_has_its_time_and_extremes_their_signs(void)
{
    pkm_table* table = signal(1001, 1e-3, 2.5);
    double value = NAN, t = NAN;
    CHECK(pkm_measure_column(table, 1, PKM_MEASURE_PEAK, &value, &t, NULL) == PKM_OK);
    CHECK_NEAR(value, 3.5, 1e-12);
    CHECK_NEAR(t, 0.3, 1e-12); // the first trough of a sine of 0.4 s
    CHECK(pkm_measure_column(table, 1, PKM_MEASURE_TIME_OF_PEAK, &value, &t, NULL) == PKM_OK);
    CHECK_NEAR(value, 0.3, 1e-12);
    CHECK(pkm_measure_column(table, 1, PKM_MEASURE_MAX, &value, &t, NULL) == PKM_OK);
    CHECK_NEAR(value, 2.5, 1e-12);
    CHECK(pkm_measure_column(table, 1, PKM_MEASURE_MIN, &value, &t, NULL) == PKM_OK);
    CHECK_NEAR(value, -3.5, 1e-12);
    CHECK(pkm_measure_column(table, 1, PKM_MEASURE_RANGE, &value, &t, NULL) == PKM_OK);
    CHECK_NEAR(value, 6.0, 1e-12);
    CHECK(pkm_measure_column(table, 1, PKM_MEASURE_START, &value, &t, NULL) == PKM_OK);
    CHECK_NEAR(value, -0.5, 1e-12);
    pkm_table_free(table);
}

// dX relative to the peak of X - dX: 0.01 of 0.2, though a tenth of a unit is small.
static void relative_peaks_are_those_of_small_quantities_too(void)
{
    static const pkm_column column[] = {{"speed", "m/s", 0, .of = ""},
                                        {"dspeed", "m/s", 0, .of = "speed"}};
    pkm_table* table = pkm_table_create();
    CHECK(pkm_table_add_column(table, "t", "s") == 0);
    pkm_layout layout = {.table = table};
    pkm_layout_put(&layout, "P", column, 2, NULL);
    const double off[3] = {0.001, -0.01, 0.004}, ideal[3] = {0.1, 0.05, -0.2};
    for (int i = 0; i < 3; ++i) {
        double* row = pkm_table_append(table);
        row[0] = i, row[1] = ideal[i] + off[i], row[2] = off[i];
    }
    double value = NAN, t = NAN;
    CHECK(pkm_measure_column(table, 2, PKM_MEASURE_RELATIVE, &value, &t, NULL) == PKM_OK);
    CHECK_NEAR(value, 0.05, 1e-12);
    CHECK_NEAR(t, 1.0, 0.0);
    pkm_table_free(table);
}

static void measures_have_units(void)
{
    for (int m = 0; pkm_measure_name[m]; ++m) {
        const char* unit = m == PKM_MEASURE_TIME_OF_PEAK ? "s"
                           : m == PKM_MEASURE_FREQUENCY  ? "Hz"
                           : m == PKM_MEASURE_RELATIVE   ? ""
                                                         : "N m";
        CHECK_TEXT(pkm_measure_unit((pkm_measure)m, "N m"), unit);
    }
}

int main(void)
{
    RUN(dominant_frequency_is_that_of_the_sine);
    RUN(peak_has_its_time_and_extremes_their_signs);
    RUN(relative_peaks_are_those_of_small_quantities_too);
    RUN(measures_have_units);
    return check_report();
}
