#include "pkm/pkm.h"

const char* pkm_version(void)
{
    return PKM_VERSION;
}
