/// A workers: processes that run cases. One process, the scheduler, gives each a case at a time and
/// takes the result; how they talk (sockets, MPI) is their own affair.
#ifndef PKM_STUDY_WORKERS_H
#define PKM_STUDY_WORKERS_H

#include "study/case.h"

typedef struct pkm_workers pkm_workers;

/// Something that a worker sends.
typedef struct pkm_parcel {
    int worker;  ///< PKM_NONE: nothing came in time
    void* bytes; ///< a packed result, freed with pkm_free; NULL: the worker is dead
    size_t size;
    char why[80]; ///< how it died
} pkm_parcel;

/// What a kind of workers does.
struct pkm_workers {
    int n_worker;
    /// Let a worker begin a task. A dead one is replaced first.
    pkm_status (*give)(pkm_workers* workers, int worker, pkm_task task, pkm_error* err);
    /// Wait at most `seconds` for the next parcel.
    pkm_status (*receive)(pkm_workers* workers, double seconds, pkm_parcel* out, pkm_error* err);
    /// End all workers, at once or (they are idle) in peace, and free the workers.
    void (*dismiss)(pkm_workers* workers, bool at_once);
    /// Name of a worker's process for the table `timing`.
    void (*name)(const pkm_workers* workers, int worker, char* out, size_t size);
};

/// `n_worker` processes forked from this one. They end when it does, whatever its end.
PKM_NODISCARD pkm_status pkm_workers_fork(const pkm_study* study, int n_worker, pkm_workers** out,
                                          pkm_error* err);

#endif
