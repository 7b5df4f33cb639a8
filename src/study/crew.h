/// A crew: processes that run cases. One process, the foreman, gives each a case at a time and
/// takes the result; how they talk (sockets, MPI) is the crew's own affair.
#ifndef PKM_STUDY_CREW_H
#define PKM_STUDY_CREW_H

#include "study/case.h"

typedef struct pkm_crew pkm_crew;

/// Something that a worker sends.
typedef struct pkm_parcel {
    int worker;  ///< PKM_NONE: nothing came in time
    void* bytes; ///< a packed result, freed with pkm_free; NULL: the worker is dead
    size_t size;
    char why[80]; ///< how it died
} pkm_parcel;

/// What a kind of crew does.
struct pkm_crew {
    int n_worker;
    /// Let a worker begin a task. A dead one is replaced first.
    pkm_status (*give)(pkm_crew* crew, int worker, pkm_task task, pkm_error* err);
    /// Wait at most `seconds` for the next parcel.
    pkm_status (*receive)(pkm_crew* crew, double seconds, pkm_parcel* out, pkm_error* err);
    /// End all workers, at once or (they are idle) in peace, and free the crew.
    void (*dismiss)(pkm_crew* crew, bool at_once);
    /// Name of a worker's process for the table `timing`.
    void (*name)(const pkm_crew* crew, int worker, char* out, size_t size);
};

/// `n_worker` processes forked from this one. They end when it does, whatever its end.
PKM_NODISCARD pkm_status pkm_crew_fork(const pkm_study* study, int n_worker, pkm_crew** out,
                                       pkm_error* err);

/// One message over a socket or pipe: all bytes, or false.
bool pkm_crew_write(int file, const void* bytes, size_t size);
bool pkm_crew_read(int file, void* bytes, size_t size);

/// The life of a worker behind a socket: tasks come as they are, results go as size_t and bytes;
/// ends with the socket.
void pkm_crew_serve(const pkm_study* study, int file);

#endif
