/// What pkm simulate says of joints with clearance: touches, peaks, wear, modes; pictures of orbits
/// and time bars.
#ifndef PKM_VERB_CONTACT_REPORT_H
#define PKM_VERB_CONTACT_REPORT_H

#include "verb/simulate_report.h"

/// Write orbits.svg and contacts.svg into `folder`; `sim` is a pkm_verb_sim.
PKM_NODISCARD pkm_status pkm_verb_contact_draw(const void* sim, const char* folder,
                                               const char** file, int* n_file, pkm_error* err);

#endif
