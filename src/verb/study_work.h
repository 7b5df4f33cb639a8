/// A study as the program runs it: file, folder, database, findings.
#ifndef PKM_VERB_STUDY_WORK_H
#define PKM_VERB_STUDY_WORK_H

#include "study/findings.h"
#include "study/scheduler.h"
#include "study/workers_mpi.h"
#include "verb/commands.h"
#include "verb/result_folder.h"

enum { CLI_STUDY_MAX_FILE = 64 };

typedef struct cli_study_work {
    const cli_arguments* args;
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
    char file[CLI_STUDY_MAX_FILE][128]; ///< written into the folder
} cli_study_work;

/// True when this process is not the one that tells the results.
bool cli_study_is_helper(void);

/// Read the study, run what waits, make the findings, write the files. Interrupted work leaves its
/// database and no findings.
PKM_NODISCARD pkm_status cli_study_do(cli_study_work* work, pkm_error* err);
void cli_study_end(cli_study_work* work);

/// Write cases.csv, effects.csv, couplings.csv, plots and manifest.json.
PKM_NODISCARD pkm_status cli_study_write(cli_study_work* work, pkm_error* err);

/// Say how far an interrupted study came: PKM_ERR_INTERRUPTED.
pkm_status cli_study_tell_interrupted(const cli_study_work* work, pkm_error* err);

/// How a finished study ended: PKM_OK, or PKM_ERR_CASES when cases failed.
PKM_NODISCARD pkm_status cli_study_status(const cli_study_work* work, pkm_error* err);

/// What a study answers, and its text for people (report/render.h).
void cli_study_result(const cli_study_work* work, pkm_result* out);
extern const char cli_study_text[];

#endif
