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

/// Tell how far an interrupted study came. @return the exit code.
int cli_study_tell_interrupted(const cli_study_work* work);

/// The exit code of a finished study: 0, or 4 when cases failed, which is told in a line.
int cli_study_code(const cli_study_work* work);

/// For people, and for machines (@return the exit code).
void cli_study_print(const cli_study_work* work);
int cli_study_print_json(const cli_study_work* work);
/// As a value of a JSON object or array that has been begun.
void cli_study_put_json(const cli_study_work* work, pkm_json* json);

#endif
