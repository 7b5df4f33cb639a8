/// Gauss' formula with sixteen points, exact for polynomials up to degree 31.
#ifndef PKM_MATH_QUADRATURE_H
#define PKM_MATH_QUADRATURE_H

enum { PKM_N_GAUSS = 16 };

/// Points on (0, 1) and their weights, which sum to 1.
extern const double pkm_gauss_at[PKM_N_GAUSS], pkm_gauss_weight[PKM_N_GAUSS];

#endif
