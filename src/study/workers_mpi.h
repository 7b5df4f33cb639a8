/// Studies under mpirun: the process of rank 0 is the scheduler and has one worker beside it, every
/// other rank is a worker. Linked into the program pkm-mpi only, which `pkm study` becomes under
/// mpirun; so pkm itself starts without loading MPI.
#ifndef PKM_STUDY_WORKERS_MPI_H
#define PKM_STUDY_WORKERS_MPI_H

#include "study/workers.h"

/// How a program that is one of several takes part in a study.
typedef struct pkm_company {
    /// After reading the study, with how that ended: the same answer for all. When it failed
    /// anywhere one process returns with the error and the others have ended.
    pkm_status (*agree)(pkm_status status, pkm_error* err);
    /// Is another process the scheduler?
    bool (*is_helper)(void);
    /// Be a worker until released; false: this process is the scheduler.
    bool (*serve)(const pkm_study* study);
    /// The workers of all processes.
    pkm_status (*create)(const pkm_study* study, pkm_workers** out, pkm_error* err);
    /// Without workers: let the others go.
    void (*release)(void);
} pkm_company;

/// Begin MPI unless it has; it ends with the program. Only pkm-mpi has this function: elsewhere it
/// is NULL.
__attribute__((weak)) const pkm_company* pkm_company_mpi(void);

#endif
