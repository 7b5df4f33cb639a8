/// Main effects and interactions of a full factorial. docs/reference/study-file.md, "Effects and
/// interactions", has the definitions.
#ifndef PKM_STUDY_FACTORIAL_H
#define PKM_STUDY_FACTORIAL_H

#include "study/study.h"

/// The grid of a design: cases in the order of pkm_study_levels.
typedef struct pkm_grid {
    int n_factor, n_case;
    int n_level[PKM_MAX_FACTOR];
} pkm_grid;

pkm_grid pkm_grid_of(const pkm_study* study);
/// The case at these levels [n_factor], counted with the last factor fastest; and back.
int pkm_grid_case(const pkm_grid* grid, const int* level);
void pkm_grid_levels(const pkm_grid* grid, int id, int* level);

/// A set of factors as bits, with the level (not the reference) of each of them.
typedef struct pkm_term {
    unsigned set;
    int level[PKM_MAX_FACTOR];
} pkm_term;

/// The term after `term`, in the order of the number of factors; begin with the set 0. False past
/// the last.
bool pkm_term_next(const pkm_grid* grid, pkm_term* term);
int pkm_term_order(const pkm_term* term);

/// The case where the factors of `corner`, a subset of the term's, are at the term's levels and all
/// others at their references.
int pkm_term_case(const pkm_grid* grid, const pkm_term* term, unsigned corner);

/// Difference of differences of y[n_case] with all other factors at their references.
double pkm_term_value(const pkm_grid* grid, const pkm_term* term, const double* y);
/// The same averaged over all levels of the other factors.
double pkm_term_average(const pkm_grid* grid, const pkm_term* term, const double* y);
/// Sum of the error bars of the results in pkm_term_value.
double pkm_term_error(const pkm_grid* grid, const pkm_term* term, const double* bar);

/// Share of each set of factors in the variance of y over the design, share[1 << n_factor];
/// share[0] is 0. They sum to 1; all 0 when y does not vary, NaN when a value is missing.
PKM_NODISCARD pkm_status pkm_grid_shares(const pkm_grid* grid, const double* y, double* share,
                                         pkm_error* err);

#endif
