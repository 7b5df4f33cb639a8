// One thread at a time: a robot that another call is moving answers with a status, not with wrong
// numbers.
#include "robot/guard.h"

#include "math/lapack.h"

#include <stdatomic.h>

/// Its address names the thread. The model needs no help of the loader, which FMUs do without.
static _Thread_local char me __attribute__((tls_model("initial-exec")));

pkm_status pkm_robot_hold(pkm_robot* robot, pkm_error* err)
{
    const void* nobody = NULL;
    if (atomic_load_explicit(&robot->owner, memory_order_relaxed) != &me &&
        !atomic_compare_exchange_strong(&robot->owner, &nobody, &me))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: another thread is at work with this robot; expected a copy for each",
                        robot->desc->name);
    if (robot->depth++ == 0) pkm_lapack_begin();
    return PKM_OK;
}

void pkm_robot_release(pkm_robot* const* robot)
{
    if (!*robot || --(*robot)->depth > 0) return;
    pkm_lapack_end();
    atomic_store(&(*robot)->owner, NULL);
}
