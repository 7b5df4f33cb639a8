/// Runs of pkm simulate and pkm elastodynamics, and what people read of their trees
/// (api/account.h).
#ifndef PKM_VERB_SIMULATE_REPORT_H
#define PKM_VERB_SIMULATE_REPORT_H

#include "api/account.h"
#include "robot/snapshots.h"
#include "verb/commands.h"

typedef struct pkm_verb_sim {
    const pkm_verb_arguments* args;
    pkm_account account;
    char folder[1024];
    pkm_result* result;
    const char* what; ///< for the line of progress
    pkm_verb_progress progress;
    double start; ///< of the run that goes on [s]
} pkm_verb_sim;

/// Make the table and watch the run: progress, of repetitions called so, and the time it takes.
PKM_NODISCARD pkm_status pkm_verb_sim_watch(pkm_verb_sim* sim, const char* what, pkm_error* err);

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
