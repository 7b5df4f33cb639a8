// base/isolate.h where there are no processes: nothing is done, and said so.
#include "base/isolate.h"

#include "base/error.h"

bool pkm_isolate_send(pkm_isolate_pipe* pipe, const void* bytes, size_t size)
{
    (void)pipe, (void)bytes, (void)size;
    return false;
}

pkm_status pkm_isolate(pkm_isolate_work work, void* user, const pkm_isolate_limits* limits,
                       char** bytes, size_t* size, pkm_error* err)
{
    (void)work, (void)user, (void)limits;
    *bytes = NULL;
    *size = 0;
    return pkm_fail(err, PKM_ERR_FILE, "HDF5 files cannot be read here, expected a text file");
}
