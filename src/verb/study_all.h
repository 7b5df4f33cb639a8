/// All studies of a folder, one after the other, and their published numbers in one table.
#ifndef PKM_VERB_STUDY_ALL_H
#define PKM_VERB_STUDY_ALL_H

#include "verb/study_work.h"

/// Run every study file (*.yaml) of the folder args->model; write overview.csv beside their
/// folders.
/// @return PKM_OK, or the status with the largest exit code: 2 (a file is wrong, the others are
/// run),
///         4 (cases failed), 130 (interrupted). What is wrong with a study has been said.
PKM_NODISCARD pkm_status pkm_verb_study_run_all(const pkm_verb_arguments* args, pkm_error* err);

#endif
