/// Integrals over time of quantities of which an analysis has samples: works, mean squares, what
/// motors take and give back (docs/theory/engine.md, 4.8). Samples may be uneven, and there
/// are breaks, where values jump: the quantities are smooth in the pieces between them.
#ifndef PKM_ROBOT_SUMS_H
#define PKM_ROBOT_SUMS_H

typedef struct pkm_sums pkm_sums;

/// The integrals of `n_smooth` quantities, and of the positive and the negative parts of `n_part`
/// others. NULL: memory is out.
pkm_sums* pkm_sums_create(int n_smooth, int n_part);
void pkm_sums_free(pkm_sums* sums);

/// Room for the values of the next sample in the order of time [s]: [n_smooth] is returned, `part`
/// [n_part] beside it; filled by the caller, then taken. NULL: the same instant once more, which is
/// no sample.
double* pkm_sums_next(pkm_sums* sums, double t, double** part);
void pkm_sums_take(pkm_sums* sums);
/// The same of values that lie elsewhere: smooth[n_smooth], part[n_part].
void pkm_sums_sample(pkm_sums* sums, double t, const double* smooth, const double* part);
/// What follows does not continue smoothly what was before. Also asked for before reading.
void pkm_sums_break(pkm_sums* sums);

/// Time that the samples cover, without what lies at breaks [s].
double pkm_sums_span(const pkm_sums* sums);
/// Integral of quantity k; unit times s.
double pkm_sums_get(const pkm_sums* sums, int k);
/// Integrals of max(f, 0) and of max(-f, 0).
void pkm_sums_get_parts(const pkm_sums* sums, int k, double* up, double* down);

#endif
