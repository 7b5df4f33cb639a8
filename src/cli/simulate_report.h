/// What pkm simulate says of a run: peaks with their times and error bars, energy, for people and
/// as JSON.
#ifndef PKM_CLI_SIMULATE_REPORT_H
#define PKM_CLI_SIMULATE_REPORT_H

#include "clearance/seated.h"
#include "cli/commands.h"
#include "linear/ked.h"
#include "robot/snapshots.h"
#include "run/verify.h"
#include "simulate/simulation.h"
#include "write/manifest.h"

/// The largest magnitude of a column.
typedef struct cli_peak {
    int column;
    double value, t;
    pkm_spread spread;   ///< how far other runs differ
    pkm_verdict verdict; ///< where surfaces touch, else PKM_VERDICT_NONE
} cli_peak;

enum { CLI_MAX_PEAK = 3 * PKM_MAX_DRIVE + 10 };

/// A run of pkm simulate with all that is said about it.
typedef struct cli_sim {
    cli_arguments args;
    pkm_robot* robot;
    pkm_run* run;
    pkm_table* table;
    pkm_sim_report report;
    bool is_ked; ///< linear on the rigid motion, not integrated by the engine: sim->ked
    pkm_ked_report ked;
    bool is_seated; ///< clearance is seated, not integrated: sim->seated tells more
    pkm_seated_report seated;
    cli_peak peak[CLI_MAX_PEAK];
    int n_peak;
    int n_verify;
    char verify[PKM_MAX_REPEAT][64]; ///< the other runs in words
    pkm_verify_means means[PKM_MAX_REPEAT];
    char folder[1024];
    double wall_time;
    pkm_snapshots *snapshots, *ideal_snapshots;
    pkm_contact_record* record; ///< of joints with contacts; NULL: there are none
} cli_sim;

/// Name of the motion, "none" without one.
const char* cli_sim_motion(const cli_sim* sim);

/// Find the peaks of the table.
void cli_sim_find_peaks(cli_sim* sim);
/// Widen the error bars by what `other` (the same run by other `means`, in `words`) has for peaks.
void cli_sim_compare_peaks(cli_sim* sim, pkm_verify_means means, const char* words,
                           const pkm_table* other);

/// The residual of the energy ledger against the energy exchanged.
double cli_sim_residual(const cli_sim* sim);

void cli_sim_print(const cli_sim* sim);
void cli_sim_print_peaks(const cli_sim* sim);
void cli_sim_put_peaks(pkm_json* json, const cli_sim* sim);
/// The runs with which peaks were verified.
void cli_sim_put_verified(pkm_json* json, const cli_sim* sim);
/// Peaks as results of the manifest, with room for their names; returns how many.
typedef char cli_peak_name[2 * PKM_MAX_NAME];
int cli_sim_list_peaks(const cli_sim* sim, cli_peak_name* name, pkm_manifest_result* out);
/// What --json prints, into an object that is open; `sim` is a cli_sim.
void cli_sim_put(const void* sim, pkm_json* json);
/// @return the exit code.
int cli_sim_print_json(const cli_sim* sim);

#endif
