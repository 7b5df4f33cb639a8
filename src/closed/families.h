/// The families, and what their files share.
#ifndef PKM_CLOSED_FAMILIES_H
#define PKM_CLOSED_FAMILIES_H

#include "closed/closed.h"

extern const pkm_closed_family pkm_closed_delta;
extern const pkm_closed_family pkm_closed_linear_delta;
extern const pkm_closed_family pkm_closed_triglide;
extern const pkm_closed_family pkm_closed_isoglide_t3;
extern const pkm_closed_family pkm_closed_isoglide4;
extern const pkm_closed_family pkm_closed_prrr2prpar;
extern const pkm_closed_family pkm_closed_pprs;
extern const pkm_closed_family pkm_closed_ppsr;

/// A velocity matrix counts as singular when its smallest pivot, relative to the largest entry of B
/// and A, or the volume of its unit rows, is below this: half of the digits of a double are gone.
#define PKM_CLOSED_SINGULAR 1e-8

/// What a parameter's value has to be, one character per parameter in their order:
/// '+' positive, '0' positive or zero, 'n' a whole number of at least 1, 's' +1 or -1, '.' any
/// number.
/// @return PKM_ERR_MODEL with a sentence that names the first wrong one.
PKM_NODISCARD pkm_status pkm_closed_check(const pkm_closed_family* family, const double* value,
                                          const char* expected, pkm_error* err);

#endif
