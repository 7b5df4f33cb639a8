/// The operations that SUNDIALS does most on its vectors, as plain loops that a compiler turns into
/// operations on pairs: the library's own are called for one element at a time.
#ifndef PKM_SOLVER_VECTOR_H
#define PKM_SOLVER_VECTOR_H

#include <sundials/sundials_nvector.h>

/// Give a serial vector these operations; clones of it have them too.
void pkm_vector_use_own(N_Vector v);

#endif
