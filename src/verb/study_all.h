/// All studies of a folder, one after the other, and their published numbers in one table.
#ifndef PKM_VERB_STUDY_ALL_H
#define PKM_VERB_STUDY_ALL_H

#include "verb/study_work.h"

/// Run every study file (*.yaml) of the folder args->model; write overview.csv beside their
/// folders.
/// @return the exit code: 0; the largest of 2 (a file is wrong, the others are run) and 4
///         (cases failed); 130 after Ctrl-C.
int cli_study_run_all(const cli_arguments* args);

#endif
