/// Peaks between the rows of a table: where a column is largest, between the samples that an
/// analysis has taken (docs/reference/output.md, docs/theory/simulation.md, section 7). One rule
/// for every analysis along a motion: simulate/peak_watch.c uses the same vertices and the same
/// gain.
#ifndef PKM_ROBOT_PEAKS_H
#define PKM_ROBOT_PEAKS_H

#include "table/column.h"

/// A vertex is located when it promises more than this part of the largest value so far.
#define PKM_PEAK_GAIN 1e-5
enum { PKM_PEAK_TRIALS = 4 }; ///< parabolas until a vertex is taken as it is

/// The largest magnitude of a quantity whose largest value, and largest value of its negative, are
/// these; 0: there is none yet.
double pkm_peak_size(double most, double most_negative);
/// Where the parabola through three samples has its vertex, and how high; false: it has no maximum.
bool pkm_peak_vertex(const double t[3], const double f[3], double* at, double* height);
/// Put a new sample between three of which the middle one is the largest.
void pkm_peak_narrow(double t[3], double f[3], double at, double value);

/// Does a signal go on rising or falling from the third to the last of four samples, in the order
/// of time? The parabola through the first three must meet the last one to a tenth of the way
/// between both, and that through the last three must keep a quarter of its mean slope at both
/// ends: then no maximum lies between them. Anything else (turns, kinks, noise, a much longer
/// step): false.
bool pkm_peak_goes_on(const double t[4], const double f[4]);

/// The largest magnitude of a signal of which evenly spaced samples are all that is known: that of
/// the samples, and of the vertices between them. Where the signal is not smooth (the polynomials
/// of second and fourth degree differ) a vertex is that of the parabola.
double pkm_peak_of_samples(const double* y, int n);

typedef struct pkm_peaks pkm_peaks;

/// Write the row at time `t` to `row`, from the `place` of a sample nearby.
typedef pkm_status (*pkm_peaks_look)(void* user, double t, const double* place, double* row);

/// Watch the columns of `table` whose peaks are to be located. A place is what brings the analysis
/// back to a sample: `n_place` numbers. NULL: memory is out.
pkm_peaks* pkm_peaks_create(const pkm_table* table, int n_place);
void pkm_peaks_free(pkm_peaks* peaks);

/// The next sample in the order of time; `is_row`: the table has it.
void pkm_peaks_sample(pkm_peaks* peaks, const double* row, const double* place, bool is_row);
/// What follows does not continue smoothly what was before.
void pkm_peaks_break(pkm_peaks* peaks);

/// Find the peaks and add their rows to the table. An instant that `look` refuses is no peak.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_peaks_locate(pkm_peaks* peaks, pkm_peaks_look look, void* user,
                                          pkm_table* table);

#endif
