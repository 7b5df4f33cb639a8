/// Which build of the library this is.
#ifndef PKM_BASE_BUILD_H
#define PKM_BASE_BUILD_H

#include <stdbool.h>

/// A hash over the sources of this build, its compiler and flags, as 40 hexadecimal digits: two
/// builds that differ there differ here; the program and its version for MPI are one build.
const char* pkm_build_id(void);

#endif
