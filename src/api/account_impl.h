/// Parts of the tree of a run in time.
#ifndef PKM_API_ACCOUNT_IMPL_H
#define PKM_API_ACCOUNT_IMPL_H

#include "api/account.h"

/// A run that is integrated; one that is seated.
void pkm_account_sim_result(const pkm_account* a, pkm_result* out);
void pkm_account_seated_result(const pkm_account* a, pkm_result* out);
/// The runs with which the peaks were verified.
void pkm_account_verified_result(const pkm_account* a, pkm_result* out);
/// "flexible_links": largest values of each link and place; nothing without such links.
void pkm_account_deflection_result(const pkm_account* a, pkm_result* out);
/// "contacts" of the record.
void pkm_account_contact_result(const pkm_account* a, pkm_result* out);

#endif
