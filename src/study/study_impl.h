/// The readers of the parts of a study file, see study_reader.c.
#ifndef PKM_STUDY_STUDY_IMPL_H
#define PKM_STUDY_STUDY_IMPL_H

#include "run/reader.h"
#include "study/study.h"

/// A study being read: the reader of runs, on the robot with the settings of the study.
typedef struct pkm_study_reader {
    pkm_run_reader rr;
    pkm_study* study;
} pkm_study_reader;

/// The reader of a study whose head is `r`: what the readers of keys are given.
static inline pkm_study_reader* pkm_study_reader_of(pkm_reader* r)
{
    return (pkm_study_reader*)(void*)r;
}

/// `factors: {NAME: {LEVEL: {settings}}}` or `sweep: {PARAMETER: values}`.
PKM_NODISCARD pkm_status pkm_study_read_design(pkm_study_reader* sr);
/// `published: [{text, case, output, value ...}]`.
PKM_NODISCARD pkm_status pkm_study_read_published(pkm_study_reader* sr);
extern const pkm_section pkm_study_printed, pkm_study_range;

/// Check that a map has settings only: `set`, `parameters` and the keys of the run file.
PKM_NODISCARD pkm_status pkm_study_check_settings(const pkm_study_reader* sr, const pkm_yaml* node);
/// True for keys of the study file that are no settings.
bool pkm_study_is_own_key(const char* key);

#endif
