/// Pictures of joints with clearance: orbits, time bars, sections.
#ifndef PKM_VERB_CONTACT_REPORT_H
#define PKM_VERB_CONTACT_REPORT_H

#include "api/account.h"

/// Write orbits.svg and contacts.svg into `folder`; `sim` is a pkm_account.
PKM_NODISCARD pkm_status pkm_verb_contact_draw(const void* sim, const char* folder,
                                               const char** file, int* n_file, pkm_error* err);

#endif
