/// The readers of the parts of a run, see run.c.
#ifndef PKM_ANALYSIS_RUN_PARTS_H
#define PKM_ANALYSIS_RUN_PARTS_H

#include "analysis/run.h"
#include "model/reader.h"

/// A run being read. Messages and numbers come from the model's reader, on a view of the robot's
/// description that bears the name of the run file and lends its arena.
typedef struct pkm_run_reader {
    pkm_reader r;
    pkm_description view;
    pkm_run* run;
} pkm_run_reader;

/// `friction: {PATTERN: {static: 0.11, ...}}`.
PKM_NODISCARD pkm_status pkm_run_read_friction(pkm_run_reader* rr, const pkm_yaml* node);
/// `drives: MODE`, `drives: {PATTERN: MODE}`.
PKM_NODISCARD pkm_status pkm_run_read_drives(pkm_run_reader* rr, const pkm_yaml* node);

/// Does the pattern mean this name? One without a dot may also mean the part behind the limb's
/// name: `left*` means A.left1.
bool pkm_run_means(const char* pattern, const char* name);

#endif
