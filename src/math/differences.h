/// Derivatives of sampled functions by polynomials through neighbouring samples.
#ifndef PKM_MATH_DIFFERENCES_H
#define PKM_MATH_DIFFERENCES_H

enum { PKM_DIFFERENCES_MAX = 9 };

/// Weights of the first and second derivative at x = 0 of the polynomial through the values at the
/// `n` distinct places x, 3 <= n <= PKM_DIFFERENCES_MAX (Fornberg's recursion).
void pkm_differences(const double* x, int n, double* first, double* second);

#endif
