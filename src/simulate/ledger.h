/// The energy ledger of a run: what was put in, lost and stored, and what is left of the balance.
#ifndef PKM_SIMULATE_LEDGER_H
#define PKM_SIMULATE_LEDGER_H

#include <stddef.h>

/// Sums over the run [J].
typedef struct pkm_ledger {
    double drive, load, payload;               ///< put in by drives, by loads, brought by payloads
    double friction, damping, contact;         ///< lost
    double kinetic, potential, spring, strain; ///< change, end - start
    double residual;                           ///< drive + load + payload - losses - changes
    double exchanged; ///< integral of |powers| + largest kinetic energy: the scale
} pkm_ledger;

/// One sum: its name in answers and databases, its key in JSON, its words for people.
typedef struct pkm_ledger_term {
    const char *name, *key, *words;
    size_t at; ///< in pkm_ledger
} pkm_ledger_term;

/// The sums in their order, without residual and scale; NULL past the last.
const pkm_ledger_term* pkm_ledger_term_at(int i);
double pkm_ledger_get(const pkm_ledger* ledger, const pkm_ledger_term* term);

/// A ledger of which nothing is known: NaN throughout.
pkm_ledger pkm_ledger_unknown(void);
/// Set the residual from the sums.
void pkm_ledger_balance(pkm_ledger* ledger);
/// |residual| against the energy exchanged; 0 where nothing was.
double pkm_ledger_share(const pkm_ledger* ledger);

#endif
