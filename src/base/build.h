/// Which build of the library this is.
#ifndef PKM_BASE_BUILD_H
#define PKM_BASE_BUILD_H

#include <stdbool.h>

/// A hash over the code of this build as 40 hexadecimal digits: two builds that differ anywhere
/// differ here. Where the system has none, the version.
const char* pkm_build_id(void);

#endif
