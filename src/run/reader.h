/// A run being read: what the readers of its parts and that of studies share.
#ifndef PKM_RUN_READER_H
#define PKM_RUN_READER_H

#include "model/key.h"
#include "run/run.h"

/// A run being read. Messages and numbers come from the model's reader, on a view of the robot's
/// description that bears the name of the run file and lends its arena.
typedef struct pkm_run_reader {
    pkm_reader r;
    pkm_description view;
    pkm_run* run;
    int drive; ///< whose plan is read
} pkm_run_reader;

/// The reader of a run whose head is `r`: what the readers of keys are given.
static inline pkm_run_reader* pkm_run_reader_of(pkm_reader* r)
{
    return (pkm_run_reader*)(void*)r;
}

/// The keys of a run file: its choices, all keys; and what pkm_run_choose takes beside them.
extern const pkm_section pkm_run_choices, pkm_run_file, pkm_run_tasks;

/// Give the reader its names: those of the run, then those of the model that it does not name anew.
PKM_NODISCARD pkm_status pkm_run_make_scope(pkm_run_reader* rr, const pkm_run_names* names);

#endif
