/// A study as the program runs it: file, folder, database, findings.
#ifndef PKM_VERB_STUDY_WORK_H
#define PKM_VERB_STUDY_WORK_H

#include "study/findings.h"
#include "study/scheduler.h"
#include "study/workers_mpi.h"
#include "verb/commands.h"
#include "verb/result_folder.h"

enum { VERB_STUDY_MAX_FILE = 64 };

typedef struct pkm_verb_study_work {
    const pkm_verb_arguments* args;
    const char* path; ///< of the study file
    pkm_study* study;
    pkm_store* store;
    pkm_scheduler_report report;
    pkm_findings* findings;
    char folder[1024];
    int n_process;
    bool is_helper; ///< another process is the scheduler and tells the results
    double wall_time;
    int n_file;
    char file[VERB_STUDY_MAX_FILE][128]; ///< written into the folder
} pkm_verb_study_work;

/// True when this process is not the one that tells the results.
bool pkm_verb_study_is_helper(void);

/// Read the study, run what waits, make the findings, write the files. Interrupted work leaves its
/// database and no findings.
PKM_NODISCARD pkm_status pkm_verb_study_do(pkm_verb_study_work* work, pkm_error* err);
void pkm_verb_study_end(pkm_verb_study_work* work);

/// Write cases.csv, effects.csv, couplings.csv, plots and manifest.json.
PKM_NODISCARD pkm_status pkm_verb_study_write(pkm_verb_study_work* work, pkm_error* err);

/// Say how far an interrupted study came: PKM_ERR_INTERRUPTED.
pkm_status pkm_verb_study_tell_interrupted(const pkm_verb_study_work* work, pkm_error* err);

/// How a finished study ended: PKM_OK, or PKM_ERR_CASES when cases failed.
PKM_NODISCARD pkm_status pkm_verb_study_status(const pkm_verb_study_work* work, pkm_error* err);

/// What a study answers, and its text for people (report/render.h).
void pkm_verb_study_result(const pkm_verb_study_work* work, pkm_result* out);
extern const char pkm_verb_study_text[];

#endif
