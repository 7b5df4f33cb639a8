/// What pkm simulate and pkm elastodynamics answer: peaks with their times and error bars, energy,
/// links, contacts, as one tree of results.
#ifndef PKM_VERB_SIMULATE_REPORT_H
#define PKM_VERB_SIMULATE_REPORT_H

#include "clearance/seated.h"
#include "linear/ked.h"
#include "robot/snapshots.h"
#include "run/verify.h"
#include "simulate/simulation.h"
#include "verb/commands.h"

/// The largest magnitude of a column.
typedef struct pkm_verb_peak {
    int column;
    double value, t;
    pkm_spread spread; ///< how far other runs differ
    pkm_verdict verdict;
} pkm_verb_peak;

enum { VERB_MAX_PEAK = 3 * PKM_MAX_DRIVE + 10 };

/// A run of pkm simulate with all that is said about it.
typedef struct pkm_verb_sim {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    pkm_run* run;
    pkm_table* table;
    pkm_sim_report report;
    bool is_ked; ///< linear on the rigid motion, not integrated by the engine: sim->ked
    pkm_ked_report ked;
    bool is_seated; ///< clearance is seated, not integrated: sim->seated tells more
    pkm_seated_report seated;
    pkm_verb_peak peak[VERB_MAX_PEAK];
    int n_peak;
    int n_verify;
    char verify[PKM_MAX_REPEAT][64]; ///< the other runs in words
    pkm_verify_means means[PKM_MAX_REPEAT];
    char folder[1024];
    double wall_time;
    pkm_snapshots *snapshots, *ideal_snapshots;
    pkm_contact_record* record; ///< of joints with contacts; NULL: there are none
    pkm_result* result;
} pkm_verb_sim;

/// Name of the motion, "none" without one.
const char* pkm_verb_sim_motion(const pkm_verb_sim* sim);

/// Find the peaks of the table.
void pkm_verb_sim_find_peaks(pkm_verb_sim* sim);
/// Widen the error bars by what `other` (the same run by other `means`, in `words`) has for peaks.
void pkm_verb_sim_compare_peaks(pkm_verb_sim* sim, pkm_verify_means means, const char* words,
                                const pkm_table* other);

/// What --json prints of a simulation, of a seated run (seated_report.c), of a linear one
/// (cmd_elastodynamics.c), without the folder.
void pkm_verb_sim_result(const pkm_verb_sim* sim, pkm_result* out);
void pkm_verb_seated_result(const pkm_verb_sim* sim, pkm_result* out);
/// Parts of them: "peaks", also as headlines; the runs with which they were verified; "contacts".
void pkm_verb_peaks_result(const pkm_verb_sim* sim, pkm_result* out);
void pkm_verb_verified_result(const pkm_verb_sim* sim, pkm_result* out);
void pkm_verb_contact_result(const pkm_verb_sim* sim, pkm_result* out);

/// For those who wait for impacts: told while the run goes, after VERB_LONG_WAIT seconds, and at
/// its end.
#define VERB_LONG_WAIT 5.0 // [s]
#define VERB_SEATED_HINT                                                                           \
    "impacts take their time; how far the tool is off under its loads, quasi-static, "             \
    "--clearance '...: {fidelity: seated}' answers in 0.1 s"

/// Texts for people, see report/render.h.
extern const char pkm_verb_sim_text[], pkm_verb_seated_text[];
#define VERB_PEAKS_TEXT                                                                            \
    "\nlargest values                 |value|  at t \\[s\\]"                                       \
    "[{?_bars}  +- (numer.)][{?_sensitive}  sensitiv.]\n"                                          \
    "{*peaks}  {name:-20s} {_value:15.6g}  {t:8.4g} [{?_bars} {_error_bar:9.1e} ]"                 \
    "[{?_sensitive} {_sensitivity:9.1e} ] {_unit}"                                                 \
    "[{?_repeatable}  repeatable][{?_apart}  {verdict}, {_low:.4g} to {_high:.4g}]\n{/}"           \
    "[{?verified_with}  +- : the largest difference from the same run with {verified_with:s/, "    \
    "}\n]"                                                                                         \
    "[{?sensitivity_with}  sensitivity: the largest change with {sensitivity_with:s/, }\n]"
#define VERB_FLEXIBLE_TEXT                                                                         \
    "[{?flexible_links}\nflexible link        mid-span mm   twist mrad   stress MPa     axial N"   \
    "  of buckling\n]"                                                                             \
    "{*flexible_links}[{?_shown}  {name:-18s} {deflection:11.4g|1e3} {_twist:12.4g} "              \
    "{stress:12.4g|1e-6} {axial:11.4g} {buckling:10.3g|100} %\n]{/}"                               \
    "[  ... and {_more_links:d} more\n]"                                                           \
    "[{?_has_places}\nplace on a link       deflection mm   twist mrad   stress MPa\n]"            \
    "{*flexible_links}[{?_shown}{*places}  {_name:-20s} {deflection:13.4g|1e3} {_twist:12.4g} "    \
    "{stress:12.4g|1e-6}\n{/}]{/}"

#endif
