/// The makers of the parts of findings, see findings.c. Each fills its part and its table.
#ifndef PKM_STUDY_FINDINGS_IMPL_H
#define PKM_STUDY_FINDINGS_IMPL_H

#include "study/findings.h"

PKM_NODISCARD pkm_status pkm_findings_make_effects(pkm_findings* f, pkm_store* store,
                                                   pkm_error* err);
PKM_NODISCARD pkm_status pkm_findings_make_couplings(pkm_findings* f, pkm_store* store,
                                                     pkm_error* err);
PKM_NODISCARD pkm_status pkm_findings_make_published(pkm_findings* f, pkm_store* store,
                                                     pkm_error* err);

/// Note the size of the deviation of a case.
void pkm_findings_keep_deviation(pkm_findings* f, int output, int case_id, double size);

/// The claim that the results of an output at the corners of a term allow.
pkm_claim pkm_findings_claim(const pkm_findings* f, int output, const pkm_term* term, double value,
                             double error_bar);

#endif
