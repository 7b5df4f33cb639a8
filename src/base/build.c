#include "base/build.h"

#ifndef PKM_BUILD_ID
#include "base/build_id.h" // written by cmake/build_id.cmake
#endif

const char* pkm_build_id(void)
{
    return PKM_BUILD_ID;
}
