/// Many forces B, solved half way: A^-1 = L'^-1 D L^-1 with D = 1 for velocities and -1 for rows of
/// constraints, X = L^-1 B. Then B' A^-1 B = X' D X and B' A^-1 f = X' D (L^-1 f), and what the
/// forces B g add to the half of a solution is X g. Forces between two bodies have something in two
/// limbs only, so X is kept in parts, each with the columns that it has.
#ifndef PKM_DYNAMICS_HALVES_H
#define PKM_DYNAMICS_HALVES_H

#include "pkm/status.h"

/// Entries of the halves that belong together: those of a limb, or those of the rows.
typedef struct pkm_half_part {
    int at, n;   ///< the first one, and how many
    double sign; ///< of D
    int m;       ///< columns that have something here
    int* column; ///< [m] which, ascending
    double* X;   ///< [n x m] rows with the stride of pkm_chol_stride(m), zero behind m
} pkm_half_part;

typedef struct pkm_halves {
    int n_part;
    int most; ///< columns
    pkm_half_part* part;
    double* rows;  ///< [all entries x stride of `most`] work of who fills it
    double* sum;   ///< [stride of `most`] work
    double* gram;  ///< [stride x stride] work
    double* block; ///< X of all parts
    int* columns;  ///< of all parts
} pkm_halves;

/// Room for `most` columns in parts of at most size[i] entries. @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_halves_create(int n_part, const int* size, int most, pkm_halves** out);
void pkm_halves_free(pkm_halves* halves);

/// G [n x n] = X' D X of all columns, n of them.
void pkm_halves_gram(const pkm_halves* halves, int n, double* G);
/// out [n] += X' D half
void pkm_halves_dots(const pkm_halves* halves, const double* half, double* out);
/// half += X g
void pkm_halves_add(const pkm_halves* halves, const double* g, double* half);

#endif
