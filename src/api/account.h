/// A run in time with all that is said about it (simulate, its seated form, elastodynamics): peaks
/// with their times and error bars, energy, links, contacts, as one tree of results. The program
/// and the library read the same.
#ifndef PKM_API_ACCOUNT_H
#define PKM_API_ACCOUNT_H

#include "clearance/seated.h"
#include "linear/ked.h"
#include "run/verify.h"
#include "simulate/simulation.h"
#include "table/result.h"

/// The largest magnitude of a column.
typedef struct pkm_account_peak {
    int column;
    double value, t;
} pkm_account_peak;

/// Who is told of the run and of its repetitions (`again`); all may be NULL.
typedef struct pkm_account_watch {
    void (*begin)(void* user, bool again);
    void (*end)(void* user, bool again);
    pkm_progress_fn progress;
    void* user; ///< of all three
} pkm_account_watch;

enum { PKM_MAX_PEAK = 3 * PKM_MAX_DRIVE + 10 };

typedef struct pkm_account {
    pkm_robot* robot;
    pkm_run* run;
    pkm_table* table;
    pkm_sim_report report;
    bool is_ked; ///< linear on the rigid motion, not integrated by the engine: `ked`
    pkm_ked_report ked;
    bool is_seated; ///< clearance is seated, not integrated: `seated` tells more
    pkm_seated_report seated;
    pkm_account_peak peak[PKM_MAX_PEAK];
    int n_peak;
    pkm_spread* spread; ///< [columns of the table] of repetitions; NULL: there were none
    int n_verify;
    char verify[PKM_MAX_REPEAT][96]; ///< the repetitions in words
    pkm_verify_means means[PKM_MAX_REPEAT];
    bool is_cut;                ///< someone has stopped the repetitions
    double wall_time;           ///< [s]; NaN: not measured
    pkm_contact_record* record; ///< of joints with contacts; NULL: there are none
    pkm_account_watch watch;
    pkm_snapshots *snapshots, *ideal_snapshots; ///< lent, to be filled; NULL: not wanted
} pkm_account;

/// Name of the motion, "none" without one.
const char* pkm_account_motion(const pkm_account* a);
/// What the run is, by which repetitions are judged.
pkm_verify_kind pkm_account_kind(const pkm_account* a);

// ---- running ----------------------------------------------------------------------------------

/// Integrate, or seat, as the run of the account chooses, which is complete (pkm_run_complete_for);
/// the table is the caller's and empty. What was asked of the run (verify) follows: a repetition
/// that ends early says nothing of the peaks but a warning. How it ended is in `report`.
PKM_NODISCARD pkm_status pkm_account_simulate(pkm_account* a, pkm_error* err);
/// Linear, on the rigid motion: `ked`; verified with half the step.
PKM_NODISCARD pkm_status pkm_account_elastodynamics(pkm_account* a, pkm_error* err);
/// Free what running has made: record and spread.
void pkm_account_free(pkm_account* a);

/// What the repetitions make of the largest magnitude `value` of a column.
pkm_verdict pkm_account_judge(const pkm_spread* spread, pkm_verify_kind kind,
                              const pkm_table* table, int column, double value);

// ---- the tree ---------------------------------------------------------------------------------

/// Find the peaks of the table, which has rows, and put all into the tree.
void pkm_account_result(pkm_account* a, pkm_result* out);
/// Of it, the list "peaks", also as headlines.
void pkm_account_peaks_result(const pkm_account* a, pkm_result* out);

#endif
