/// Pictures of a study: bars of effects, coupled deviations against sums, response curves.
#ifndef PKM_VERB_STUDY_PLOTS_H
#define PKM_VERB_STUDY_PLOTS_H

#include "verb/study_work.h"

/// Write them into the folder of the study and add their names to its files.
PKM_NODISCARD pkm_status pkm_verb_study_plot(pkm_verb_study_work* work, pkm_error* err);

#endif
