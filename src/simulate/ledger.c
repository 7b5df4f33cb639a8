// Terms of the ledger as data; the balance is their sum with signs, and its share is taken against
// all that was exchanged, signs aside.
#include "simulate/ledger.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

#define TERM(member, key, words)                                                                   \
    {                                                                                              \
#member, key, words, offsetof(pkm_ledger, member)                                          \
    }
// The words of the report and the page, term by term.
static const pkm_ledger_term term[] = {
    TERM(drive, "drive_work", "work of the drives"),
    TERM(load, "load_work", "work of loads"),
    TERM(payload, "payload", "brought by payloads"),
    TERM(kinetic, "kinetic_change", "change of kinetic energy"),
    TERM(potential, "potential_change", "change of potential energy"),
    TERM(spring, "spring_change", "change of spring energy"),
    TERM(strain, "strain_change", "change of strain energy"),
    TERM(friction, "friction_loss", "lost in friction"),
    TERM(contact, "contact_loss", "lost in contacts"),
    TERM(damping, "damping_loss", "lost in damping"),
};
#undef TERM

const pkm_ledger_term* pkm_ledger_term_at(int i)
{
    const int n = (int)(sizeof term / sizeof term[0]);
    return i >= 0 && i < n ? &term[i] : NULL;
}

double pkm_ledger_get(const pkm_ledger* ledger, const pkm_ledger_term* of)
{
    PKM_ASSERT(of->at + sizeof(double) <= sizeof *ledger);
    double value;
    memcpy(&value, (const char*)ledger + of->at, sizeof value);
    return value;
}

/// Of a run without a ledger: NaN, not zero.
pkm_ledger pkm_ledger_unknown(void)
{
    return (pkm_ledger){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

/// What comes in (drives, loads, payloads) less what is lost and what is stored [J]: zero but for
/// errors of the integration.
void pkm_ledger_balance(pkm_ledger* l)
{
    l->residual = l->drive + l->load + l->payload - l->friction - l->damping - l->contact -
                  l->kinetic - l->potential - l->spring - l->strain;
}

/// Against all that was exchanged, signs aside: drives may give and take the same energy over and
/// over.
double pkm_ledger_share(const pkm_ledger* l)
{
    return l->exchanged > 0.0 ? fabs(l->residual) / l->exchanged : 0.0;
}
