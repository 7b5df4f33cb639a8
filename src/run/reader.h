/// A run being read: what the readers of its parts and that of studies share.
#ifndef PKM_RUN_READER_H
#define PKM_RUN_READER_H

#include "model/reader.h"
#include "run/run.h"

/// A run being read. Messages and numbers come from the model's reader, on a view of the robot's
/// description that bears the name of the run file and lends its arena.
typedef struct pkm_run_reader {
    pkm_reader r;
    pkm_description view;
    pkm_run* run;
} pkm_run_reader;

/// Give the reader its names: those of the run, then those of the model that it does not name anew.
PKM_NODISCARD pkm_status pkm_run_make_scope(pkm_run_reader* rr, const pkm_run_names* names);

/// The key `key` of a map says the `words` false or true; `*out` stays when it is not there.
PKM_NODISCARD pkm_status pkm_run_read_flag(const pkm_run_reader* rr, const pkm_yaml* node,
                                           bool* out);

#endif
