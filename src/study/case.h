/// One case of a study: run it, and hold what came out as bytes that another process can send.
#ifndef PKM_STUDY_CASE_H
#define PKM_STUDY_CASE_H

#include "run/verify.h"
#include "study/study.h"
#include "table/warnings.h"

/// An output of a case; what is not known is NaN.
typedef struct pkm_case_value {
    double value, t; ///< t: of an extreme [s]
    double size;     ///< of what it is a difference of: see pkm_spread_judge
    pkm_spread spread;
    pkm_verdict verdict;
} pkm_case_value;

enum { PKM_MAX_LEDGER = 24 };

typedef struct pkm_case_ledger {
    char name[24];
    double value; ///< [J]
} pkm_case_ledger;

/// A piece of work: a case, or one of its repetitions.
typedef struct pkm_task {
    int case_id;
    int part; ///< 0: the case itself; from 1: repetitions for its error bars
} pkm_task;

/// All warnings that a run can have, what separates them, and a note on its repetitions.
enum { PKM_CASE_NOTES = PKM_MAX_WARNING * (PKM_WARNING_TEXT + 2) + 600 };

typedef struct pkm_case_result {
    int case_id, part;
    pkm_verify_means means; ///< of a repetition
    pkm_verify_kind kind;   ///< see pkm_spread_judge
    double chaotic_above;   ///< likewise
    int n_repeat;           ///< repetitions that are to follow
    bool is_done;           ///< else failed, for the reason:
    bool has_died;     ///< its process was killed or out of memory: another attempt may succeed
    char reason[1100]; ///< with the file and line where there is one
    char notes[PKM_CASE_NOTES];
    double t_end, tolerance;
    int steps;
    char integrator[16];
    double wall_time; ///< [s]
    int n_ledger;
    pkm_case_ledger ledger[PKM_MAX_LEDGER];
    int n_value;
    pkm_case_value* value; ///< [n_output]
    pkm_table* signals;    ///< column 0 is t; NULL: none
    char* sources;         ///< files that were read, by pkm_sources_text; NULL: not known
    char* scene[3];        ///< for drawing, JSON by pkm_scene_part; NULL: none
} pkm_case_result;

enum {
    PKM_STUDY_MAX_SNAPSHOTS = 32, ///< cases of a study whose motion is kept for drawing
    PKM_STUDY_MAX_SIGNALS = 1000, ///< cases of a sweep whose outputs are kept as signals, too
    PKM_STUDY_MAX_FRAME = 121,    ///< of each
};

/// Asked about once per instant of a run; false ends it.
typedef bool (*pkm_case_tick)(void* user);

/// Run a case, or a repetition (which brings values only). What goes wrong with the case is in
/// `out`, which pkm_case_free frees.
/// @return PKM_ERR_MEMORY; PKM_RETRY when `tick` (may be NULL) has ended it.
PKM_NODISCARD pkm_status pkm_case_run(const pkm_study* study, pkm_task task, pkm_case_tick tick,
                                      void* user, pkm_case_result** out, pkm_error* err);
/// Widen the error bars and ranges of a case by a repetition.
void pkm_case_add_repeat(pkm_case_result* result, const pkm_case_result* repeated);
void pkm_case_free(pkm_case_result* result);

/// The columns of a case, which is not run; `table` is empty on entry.
PKM_NODISCARD pkm_status pkm_case_columns(const pkm_study* study, int id, pkm_table* table,
                                          pkm_error* err);

/// The result as bytes, freed with pkm_free; and back. They stay on one kind of machine.
PKM_NODISCARD pkm_status pkm_case_pack(const pkm_case_result* result, void** bytes, size_t* size,
                                       pkm_error* err);
PKM_NODISCARD pkm_status pkm_case_unpack(const void* bytes, size_t size, pkm_case_result** out,
                                         pkm_error* err);

#endif
