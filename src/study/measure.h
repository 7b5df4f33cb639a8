/// One number of a signal: what a study keeps of a case.
#ifndef PKM_STUDY_MEASURE_H
#define PKM_STUDY_MEASURE_H

#include "pkm/status.h"
#include "pkm/table.h"

typedef enum pkm_measure {
    PKM_MEASURE_PEAK,         ///< largest magnitude
    PKM_MEASURE_TIME_OF_PEAK, ///< [s]
    PKM_MEASURE_RMS,
    PKM_MEASURE_FINAL,
    PKM_MEASURE_MIN,
    PKM_MEASURE_MAX,
    PKM_MEASURE_FREQUENCY, ///< dominant [Hz]
    PKM_MEASURE_START,
    PKM_MEASURE_RANGE,    ///< max - min
    PKM_MEASURE_RELATIVE, ///< of a deviation: peak over the peak of what it deviates from
    PKM_N_MEASURE,
} pkm_measure;

/// The words of a study file, "time of peak"; NULL past the last.
extern const char* const pkm_measure_name[];
/// The unit of the measure of a column with this unit.
const char* pkm_measure_unit(pkm_measure measure, const char* unit);

/// Of a signal that is zero throughout: 0, NaN where the measure is a time, a frequency or a share.
double pkm_measure_of_nothing(pkm_measure measure);

/// PKM_ERR_ARGUMENT when the measure is not one of this column: `relative peak` is for deviations
/// of one quantity that the table has.
PKM_NODISCARD pkm_status pkm_measure_require(const pkm_table* table, int column,
                                             pkm_measure measure, pkm_error* err);

/// Of column `column` of a table whose column 0 is the time, evenly spaced. `t` receives the time
/// of an extreme, else NaN.
/// @return what pkm_measure_require returns; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_measure_column(const pkm_table* table, int column, pkm_measure measure,
                                            double* value, double* t, pkm_error* err);

#endif
