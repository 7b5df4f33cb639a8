/// Motions given by functions of time.
#ifndef PKM_MOTION_FUNCTION_H
#define PKM_MOTION_FUNCTION_H

#include "pkm/motion.h"

/// Kinks of all functions of one motion that are found.
enum { PKM_MAX_KINK = 256 };

typedef struct pkm_functions {
    int n, n_kink;
    pkm_motion_function* of;   ///< [n]
    double kink[PKM_MAX_KINK]; ///< ascending [s]: where a derivative of one of them may jump
    double end;                ///< they run from 0 to it [s]
} pkm_functions;

/// Look for kinks over [0, end]. `name` begins the error sentence.
/// @return PKM_ERR_ARGUMENT: a function jumps, or is not finite with two derivatives somewhere.
PKM_NODISCARD pkm_status pkm_functions_check(pkm_functions* functions, const char* name,
                                             pkm_error* err);

/// Function `i` at `t` [s]: value and three derivatives; at rest outside of [0, end].
void pkm_functions_at(const pkm_functions* functions, int i, double t, double out[4]);

#endif
