/// Pictures of joints with clearance: orbits, time bars, sections.
#ifndef PKM_VERB_CONTACT_REPORT_H
#define PKM_VERB_CONTACT_REPORT_H

#include "api/account.h"
#include "verb/result_folder.h"

/// Write orbits.svg and contacts.svg, with a section also section.csv and section.svg; `sim` is a
/// pkm_account.
PKM_NODISCARD pkm_status pkm_verb_contact_draw(const void* sim, pkm_verb_files* files,
                                               pkm_error* err);

#endif
